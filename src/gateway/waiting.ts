import { follow } from '../transport/followers'
import type { Listeners } from './listeners'

/**
 * A promise that ends with the gateway or with `signal`, unless what `begin` starts settles it before. `begin` returns
 * what ends that.
 */
export function untilClosed<T>(
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
    const leave = listeners.onClose(fail)
    const ends: (() => void)[] = [leave]
    const abort = () => {
      // A listener of the end may abort this signal: reject with the gateway's error, not with the signal's reason.
      if (leave()) fail(signal?.reason)
    }
    if (signal !== undefined) ends.push(follow(signal, abort))
    ends.push(...begin((value) => settle(() => resolve(value)), fail))
  })
}
