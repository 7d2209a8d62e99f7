// Events a second, and how soon a lost connection is back: bare `ws`, ours and the peer, against one server in one run.
// The processor's time tells the clients apart where the clock tells how busy the machine was.
import { createRequire } from 'node:module'
import { FRAME_BYTES } from './gateway-asks'
import { bare, names, ours, oursWithStore, theirs } from './gateway-clients'
import { measureFloods } from './gateway-floods'
import { measureHalfOpen, measureKills, Server } from './gateway-losses'

process.env.NODE_ENV = 'production'

/** More of them tell finer differences apart. */
const rounds = Number(process.env.BENCH_ROUNDS ?? 9)
const events = 200_000
const intervalMs = 1000

const server = await Server.start()
const { version } = createRequire(import.meta.url)('ws/package.json')
const bareWs = { name: `ws ${version} + JSON.parse`, open: bare }
const own = { name: names.ours, open: ours }
const withStore = { name: names.oursWithStore, open: oursWithStore }
const peer = { name: names.theirs, open: theirs }

for (const isBundled of [false, true]) {
  const way = isBundled ? '500 in a write: the client is the slower end' : 'each in a write of its own'
  const facts = `median of ${rounds} rounds, interleaved, Node ${process.versions.node}`
  console.log(`${events} events of ${FRAME_BYTES} bytes, ${way}; ${facts}`)
  console.table(await measureFloods(server, [bareWs, own, withStore, peer], { events, isBundled, rounds }))
}

console.log('A connection is cut: until its session is resumed')
console.table([await measureKills(server, { ...own, times: 50 }), await measureKills(server, { ...peer, times: 10 })])

// The peer closes what is dead as if somebody were there, and waits half a minute for the answer.
console.log(
  `The other end vanishes, heartbeats each ${intervalMs} ms: from the missed acknowledgement to a new connection`,
)
console.table(
  await Promise.all([
    measureHalfOpen(server, intervalMs, { ...own, times: 10 }),
    measureHalfOpen(server, intervalMs, { ...peer, times: 1 }),
  ]),
)
server.stop()
