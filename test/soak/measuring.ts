// Measurements of a soak: the heap, the resources that keep the process alive, and unhandled problems.
import { setTimeout as wait } from 'node:timers/promises'

/** More than measurements of the same heap differ by, and far less than a leak of 100 bytes per call. */
export const MAX_GROWTH_BYTES = 4 * 1024 * 1024

const collect = globalThis.gc
if (collect === undefined) throw new Error('run it with node --expose-gc, as `npm run soak` does')

/** Returns the size of the heap after garbage collection. */
export async function heapInUse(): Promise<number> {
  for (let round = 0; round < 4; round++) {
    await wait(50)
    collect?.()
  }
  return process.memoryUsage().heapUsed
}

/** Returns the resources that keep the process alive, except those in `before`. */
function newResources(before: readonly string[]): string[] {
  const known = [...before]
  return process.getActiveResourcesInfo().filter((name) => {
    const index = known.indexOf(name)
    if (index >= 0) known.splice(index, 1)
    return index < 0
  })
}

/** Like `newResources`, after waiting for resources that close by themselves, such as keep-alive sockets. */
export async function resourcesLeft(before: readonly string[]): Promise<string[]> {
  for (let round = 0; round < 50 && newResources(before).length > 0; round++) await wait(100)
  return newResources(before)
}

/** Records unhandled rejections and warnings from now on. */
export function watchProcess(): { readonly unhandled: readonly unknown[]; readonly warnings: readonly Error[] } {
  const unhandled: unknown[] = []
  process.on('unhandledRejection', (reason) => unhandled.push(reason))
  const warnings: Error[] = []
  process.on('warning', (warning) => warnings.push(warning))
  return { unhandled, warnings }
}

export const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(2)} MiB`
