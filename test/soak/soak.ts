// A hundred thousand calls over loopback, with step-up, faults and aborts, and what they leave behind.
import { fork } from 'node:child_process'
import { getEventListeners, once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Listening } from './service'
import { Traffic } from './traffic'

const CALLS = Number(process.env.SOAK_CALLS ?? 100_000)
const WARM_UP = Math.ceil(CALLS / 10)
/** More than measurements of the same heap differ by, and far less than a leak of 100 bytes a call would come to. */
const MOST_GROWTH_BYTES = 4 * 1024 * 1024

const collect = globalThis.gc
if (collect === undefined) throw new Error('run it with node --expose-gc, as `npm run soak` does')

/** The heap that is in use once what is garbage has been collected. */
async function heapInUse(): Promise<number> {
  for (let round = 0; round < 4; round++) {
    await wait(50)
    collect?.()
  }
  return process.memoryUsage().heapUsed
}

const handlesBefore = process.getActiveResourcesInfo()
const unhandled: unknown[] = []
process.on('unhandledRejection', (reason) => unhandled.push(reason))
const warnings: Error[] = []
process.on('warning', (warning) => warnings.push(warning))

const child = fork(fileURLToPath(new URL('service.ts', import.meta.url)), { execArgv: ['--import', 'tsx'] })
const [service] = (await once(child, 'message')) as [Listening]
const shared = new AbortController().signal
const traffic = new Traffic(service, shared)

const startedAt = performance.now()
await traffic.run(WARM_UP)
const heapWarm = await heapInUse()
await traffic.run(CALLS - WARM_UP)
const heapEnd = await heapInUse()
const seconds = (performance.now() - startedAt) / 1000
const listeners = getEventListeners(shared, 'abort').length

traffic.dispose()
child.send('end')
await once(child, 'exit')
// Sockets that were kept alive close once the service has gone.
for (let round = 0; round < 50 && handlesLeft().length > 0; round++) await wait(100)

/** What would keep the process alive, beside what did before. */
function handlesLeft(): string[] {
  const before = [...handlesBefore]
  return process.getActiveResourcesInfo().filter((name) => {
    const index = before.indexOf(name)
    if (index >= 0) before.splice(index, 1)
    return index < 0
  })
}

const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(2)} MiB`
const handles = handlesLeft()
const growth = heapEnd - heapWarm
const outcomes = [...traffic.outcomes].sort(([, one], [, other]) => other - one)
const lines = [
  `calls                  ${traffic.calls} in ${seconds.toFixed(1)} s, ${traffic.requests} requests`,
  ...outcomes.map(([name, count]) => `  ${name.padEnd(21)}${count}`),
  `prompts                ${traffic.prompts}`,
  `heap after ${String(WARM_UP).padEnd(11)} ${megabytes(heapWarm)}`,
  `heap in the end        ${megabytes(heapEnd)}, grown by ${megabytes(growth)} of at most ${megabytes(MOST_GROWTH_BYTES)}`,
  `listeners left         ${listeners}`,
  `handles left           ${handles.length === 0 ? 'none' : handles.join(', ')}`,
  `unhandled rejections   ${unhandled.length}`,
  `warnings of Node       ${warnings.length}`,
]
process.stdout.write(`${lines.join('\n')}\n`)
if (growth > MOST_GROWTH_BYTES || listeners + handles.length + unhandled.length + warnings.length > 0)
  process.exitCode = 1
