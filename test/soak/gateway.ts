// A thousand reconnects and a million events with the live stores attached, and what they leave behind.
import { fork } from 'node:child_process'
import { getEventListeners, once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Listener, socketsAlive } from './gateway-listener'
import { type Ask, EVENTS_A_ROUND, type Listening, type Loss, lossOf, RECONNECTS, STARTS_AFRESH } from './gateway-plan'
import { heapInUse, MOST_GROWTH_BYTES, megabytes, resourcesLeft, watchProcess } from './measuring'

const WARM_UP = Math.ceil(RECONNECTS / 10)

const handlesBefore = process.getActiveResourcesInfo()
const { unhandled, warnings } = watchProcess()

const child = fork(fileURLToPath(new URL('gateway-service.ts', import.meta.url)), { execArgv: ['--import', 'tsx'] })
const [service] = (await once(child, 'message')) as [Listening]
const ask = (what: Ask) => child.send(what)

const shared = new AbortController().signal
const listener = new Listener(service)
const { gateway } = listener.client
const losses = new Map<Loss, number>()

/** Some events, a loss and some more events; over once all have come and the connection is back. */
async function round(loss: Loss): Promise<void> {
  const before = Math.floor(EVENTS_A_ROUND / 2)
  const last = listener.serial + EVENTS_A_ROUND
  const connections = listener.resumes + listener.sessions
  const isBack = () => listener.resumes + listener.sessions > connections && gateway.state === 'ready'
  ask({ what: 'events', count: before })
  if (loss === 'leave') {
    await listener.until('the first half', () => listener.serial === last - EVENTS_A_ROUND + before)
    await gateway.disconnect()
    await gateway.connect({ signal: shared })
  } else ask({ what: 'loss', loss })
  if (STARTS_AFRESH.has(loss)) await listener.until('a fresh session', isBack)
  ask({ what: 'events', count: EVENTS_A_ROUND - before })
  await listener.until(`the way back from ${loss}`, () => isBack() && listener.serial === last)
  if (loss === 'vanish') ask({ what: 'thaw' })
  losses.set(loss, (losses.get(loss) ?? 0) + 1)
}

/** What is there once the connection is back and nothing is under way. */
async function standing() {
  await listener.settled()
  return {
    heap: await heapInUse(),
    listeners: listener.added,
    abortListeners: getEventListeners(shared, 'abort').length,
    sockets: socketsAlive(),
    resources: process.getActiveResourcesInfo(),
  }
}

await gateway.connect({ signal: shared })
const startedAt = performance.now()
for (let index = 0; index < WARM_UP; index++) await round(lossOf(index))
const warm = await standing()
for (let index = WARM_UP; index < RECONNECTS; index++) await round(lossOf(index))
const seconds = (performance.now() - startedAt) / 1000
const end = await standing()
const more = await resourcesLeft(warm.resources)

listener.close()
ask({ what: 'end' })
await once(child, 'exit')
const handles = await resourcesLeft(handlesBefore)

const growth = end.heap - warm.heap
const { resumes, sessions, serial, wrongs } = listener
const named = (names: readonly string[]) => (names.length === 0 ? 'none' : names.join(', '))
const kinds = [...losses].sort(([, one], [, other]) => other - one)
const lines = [
  `events                 ${serial} in ${seconds.toFixed(1)} s, to be told once each, in order`,
  `connections            ${resumes} resumed, ${sessions} started anew, after`,
  ...kinds.map(([name, count]) => `  ${name.padEnd(21)}${count}`),
  `heap after ${`${WARM_UP} losses`.padEnd(11)} ${megabytes(warm.heap)}`,
  `heap in the end        ${megabytes(end.heap)}, grown by ${megabytes(growth)} of at most ${megabytes(MOST_GROWTH_BYTES)}`,
  `listeners              ${warm.listeners}, and ${end.listeners} in the end`,
  `listeners of signals   ${warm.abortListeners}, and ${end.abortListeners} in the end`,
  `sockets alive          ${warm.sockets}, and ${end.sockets} in the end`,
  `timers and handles     ${warm.resources.length}, and in the end more: ${named(more)}`,
  `handles left           ${named(handles)}`,
  `unhandled rejections   ${unhandled.length}`,
  `warnings of Node       ${warnings.length}`,
  `what was off           ${named(wrongs.slice(0, 10))}`,
]
const isConstant =
  end.listeners === warm.listeners && end.abortListeners === warm.abortListeners && end.sockets === warm.sockets
const leftovers = more.length + handles.length + unhandled.length + warnings.length
const isWell = growth <= MOST_GROWTH_BYTES && isConstant && leftovers === 0 && wrongs.length === 0
// What was left would keep the process alive.
process.stdout.write(`${lines.join('\n')}\n`, () => process.exit(isWell ? 0 : 1))
