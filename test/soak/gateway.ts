// Measures what a thousand reconnects and a million events, with live stores attached, leave behind.
import { fork } from 'node:child_process'
import { getEventListeners, once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Listener, socketsAlive } from './gateway-listener'
import {
  type Command,
  EVENTS_PER_ROUND,
  type Listening,
  type Loss,
  lossOf,
  RECONNECTS,
  STARTS_NEW_SESSION,
} from './gateway-plan'
import { heapInUse, MAX_GROWTH_BYTES, megabytes, resourcesLeft, watchProcess } from './measuring'

const WARM_UP = Math.ceil(RECONNECTS / 10)

const handlesBefore = process.getActiveResourcesInfo()
const { unhandled, warnings } = watchProcess()

const child = fork(fileURLToPath(new URL('gateway-service.ts', import.meta.url)), { execArgv: ['--import', 'tsx'] })
const [service] = (await once(child, 'message')) as [Listening]
const send = (command: Command) => child.send(command)

const shared = new AbortController().signal
const listener = new Listener(service)
const { gateway } = listener.client
const losses = new Map<Loss, number>()

/** Sends half of the events, a loss and the other half. Resolves once all have arrived and the connection is back. */
async function round(loss: Loss): Promise<void> {
  const before = Math.floor(EVENTS_PER_ROUND / 2)
  const last = listener.serial + EVENTS_PER_ROUND
  const connections = listener.resumes + listener.sessions
  const isBack = () => listener.resumes + listener.sessions > connections && gateway.state === 'ready'
  send({ kind: 'events', count: before })
  if (loss === 'leave') {
    await listener.until('the first half', () => listener.serial === last - EVENTS_PER_ROUND + before)
    await gateway.disconnect()
    await gateway.connect({ signal: shared })
  } else send({ kind: 'loss', loss })
  if (STARTS_NEW_SESSION.has(loss)) await listener.until('a new session', isBack)
  send({ kind: 'events', count: EVENTS_PER_ROUND - before })
  await listener.until(`the recovery from ${loss}`, () => isBack() && listener.serial === last)
  if (loss === 'vanish') send({ kind: 'thaw' })
  losses.set(loss, (losses.get(loss) ?? 0) + 1)
}

/** Measures the process while the connection is up and idle. */
async function measure() {
  await listener.settled()
  return {
    heap: await heapInUse(),
    listeners: listener.listeners,
    abortListeners: getEventListeners(shared, 'abort').length,
    sockets: socketsAlive(),
    resources: process.getActiveResourcesInfo(),
  }
}

await gateway.connect({ signal: shared })
const startedAt = performance.now()
for (let index = 0; index < WARM_UP; index++) await round(lossOf(index))
const warm = await measure()
for (let index = WARM_UP; index < RECONNECTS; index++) await round(lossOf(index))
const seconds = (performance.now() - startedAt) / 1000
const end = await measure()
const more = await resourcesLeft(warm.resources)

listener.close()
send({ kind: 'end' })
await once(child, 'exit')
const handles = await resourcesLeft(handlesBefore)

const growth = end.heap - warm.heap
const { resumes, sessions, serial, problems } = listener
const named = (names: readonly string[]) => (names.length === 0 ? 'none' : names.join(', '))
const kinds = [...losses].sort(([, one], [, other]) => other - one)
const lines = [
  `events                 ${serial} in ${seconds.toFixed(1)} s, each once and in order`,
  `connections            ${resumes} resumed, ${sessions} new sessions, after`,
  ...kinds.map(([name, count]) => `  ${name.padEnd(21)}${count}`),
  `heap after ${`${WARM_UP} losses`.padEnd(11)} ${megabytes(warm.heap)}`,
  `heap at the end        ${megabytes(end.heap)}, growth ${megabytes(growth)} of at most ${megabytes(MAX_GROWTH_BYTES)}`,
  `listeners              ${warm.listeners}, and ${end.listeners} at the end`,
  `listeners of signals   ${warm.abortListeners}, and ${end.abortListeners} at the end`,
  `sockets alive          ${warm.sockets}, and ${end.sockets} at the end`,
  `timers and handles     ${warm.resources.length}, new at the end: ${named(more)}`,
  `handles left           ${named(handles)}`,
  `unhandled rejections   ${unhandled.length}`,
  `warnings of Node       ${warnings.length}`,
  `problems               ${named(problems.slice(0, 10))}`,
]
const isConstant =
  end.listeners === warm.listeners && end.abortListeners === warm.abortListeners && end.sockets === warm.sockets
const leftovers = more.length + handles.length + unhandled.length + warnings.length
const isOk = growth <= MAX_GROWTH_BYTES && isConstant && leftovers === 0 && problems.length === 0
// Leftovers would keep the process alive.
process.stdout.write(`${lines.join('\n')}\n`, () => process.exit(isOk ? 0 : 1))
