import { follow } from '../transport/followers'
import type { Listeners } from './listeners'

/**
 * A promise that ends with the gateway or with `signal`, unless what `begin` starts settles it before. `begin` returns
 * what ends that.
 */
export function waiting<T>(
  listeners: Listeners,
  signal: AbortSignal | undefined,
  begin: (resolve: (value: T) => void, reject: (reason: unknown) => void) => readonly (() => void)[],
): Promise<T> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      for (const end of ends) end()
      act()
    }
    const fail = (reason: unknown) => settle(() => reject(reason))
    // First: what `begin` starts may end the gateway when it is ended.
    const leave = listeners.whenEnded(fail)
    const ends: (() => void)[] = [leave]
    const abort = () => {
      // Who hears that the gateway has ended may abort what waits for it: why it has is what is told.
      if (leave()) fail(signal?.reason)
    }
    if (signal !== undefined) ends.push(follow(signal, abort))
    ends.push(...begin((value) => settle(() => resolve(value)), fail))
  })
}
