// What a soak looks at: the heap, what would keep the process alive, and what went wrong without a word.
import { setTimeout as wait } from 'node:timers/promises'

/** More than measurements of the same heap differ by, and far less than a leak of 100 bytes a call would come to. */
export const MOST_GROWTH_BYTES = 4 * 1024 * 1024

const collect = globalThis.gc
if (collect === undefined) throw new Error('run it with node --expose-gc, as `npm run soak` does')

/** The heap that is in use once what is garbage has been collected. */
export async function heapInUse(): Promise<number> {
  for (let round = 0; round < 4; round++) {
    await wait(50)
    collect?.()
  }
  return process.memoryUsage().heapUsed
}

/** What would keep the process alive, beside `before`. */
export function resourcesBeside(before: readonly string[]): string[] {
  const known = [...before]
  return process.getActiveResourcesInfo().filter((name) => {
    const index = known.indexOf(name)
    if (index >= 0) known.splice(index, 1)
    return index < 0
  })
}

/** The same, after what closes by itself has had time to: sockets that were kept alive, say. */
export async function resourcesLeft(before: readonly string[]): Promise<string[]> {
  for (let round = 0; round < 50 && resourcesBeside(before).length > 0; round++) await wait(100)
  return resourcesBeside(before)
}

/** What nobody handled, from now on. */
export function watchProcess(): { readonly unhandled: readonly unknown[]; readonly warnings: readonly Error[] } {
  const unhandled: unknown[] = []
  process.on('unhandledRejection', (reason) => unhandled.push(reason))
  const warnings: Error[] = []
  process.on('warning', (warning) => warnings.push(warning))
  return { unhandled, warnings }
}

export const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(2)} MiB`
