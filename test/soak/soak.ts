// Measures what a hundred thousand calls over loopback, with step-ups, faults and aborts, leave behind.
import { fork } from 'node:child_process'
import { getEventListeners, once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { heapInUse, MAX_GROWTH_BYTES, megabytes, resourcesLeft, watchProcess } from './measuring'
import type { Listening } from './service'
import { Traffic } from './traffic'

const CALLS = Number(process.env.SOAK_CALLS ?? 100_000)
const WARM_UP = Math.ceil(CALLS / 10)

const handlesBefore = process.getActiveResourcesInfo()
const { unhandled, warnings } = watchProcess()

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
const handles = await resourcesLeft(handlesBefore)

const growth = heapEnd - heapWarm
const outcomes = [...traffic.outcomes].sort(([, one], [, other]) => other - one)
const lines = [
  `calls                  ${traffic.calls} in ${seconds.toFixed(1)} s, ${traffic.requests} requests`,
  ...outcomes.map(([name, count]) => `  ${name.padEnd(21)}${count}`),
  `prompts                ${traffic.prompts}`,
  `heap after ${String(WARM_UP).padEnd(11)} ${megabytes(heapWarm)}`,
  `heap at the end        ${megabytes(heapEnd)}, growth ${megabytes(growth)} of at most ${megabytes(MAX_GROWTH_BYTES)}`,
  `listeners left         ${listeners}`,
  `handles left           ${handles.length === 0 ? 'none' : handles.join(', ')}`,
  `unhandled rejections   ${unhandled.length}`,
  `warnings of Node       ${warnings.length}`,
]
process.stdout.write(`${lines.join('\n')}\n`)
if (growth > MAX_GROWTH_BYTES || listeners + handles.length + unhandled.length + warnings.length > 0)
  process.exitCode = 1
