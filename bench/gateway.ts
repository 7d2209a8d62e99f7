// Measures events per second and the recovery of lost connections: `ws` alone, this package and the peer, against one server.
// On a busy machine, compare the CPU times.
import { createRequire } from 'node:module'
import { FRAME_BYTES } from './gateway-asks'
import { bare, names, ours, oursWithStore, theirs } from './gateway-clients'
import { measureFloods } from './gateway-floods'
import { measureHalfOpen, measureKills, Server } from './gateway-losses'

process.env.NODE_ENV = 'production'

/** More rounds give more precise figures. */
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
  const way = isBundled ? '500 per write, so that the client is the bottleneck' : 'each in its own write'
  const facts = `median of ${rounds} rounds, interleaved, Node ${process.versions.node}`
  console.log(`${events} events of ${FRAME_BYTES} bytes, ${way}; ${facts}`)
  console.table(await measureFloods(server, [bareWs, own, withStore, peer], { events, isBundled, rounds }))
}

console.log('Connection cut: time until the session is resumed')
console.table([await measureKills(server, { ...own, times: 50 }), await measureKills(server, { ...peer, times: 10 })])

// The peer sends a close frame on a dead connection, and waits 30 s for the answer.
console.log(
  `Other end vanished, heartbeat every ${intervalMs} ms: time from the missed acknowledgement to a new connection`,
)
console.table(
  await Promise.all([
    measureHalfOpen(server, intervalMs, { ...own, times: 10 }),
    measureHalfOpen(server, intervalMs, { ...peer, times: 1 }),
  ]),
)
server.stop()
