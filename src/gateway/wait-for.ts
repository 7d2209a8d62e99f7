import { TimeoutError } from '../errors/connection-errors'
import { follow } from '../transport/followers'
import { after } from '../transport/timer'
import type { GatewayEvents } from './events'
import type { Listeners } from './listeners'
import type { WaitForOptions } from './options'

/** The next event of a kind. */
export function waitFor<K extends keyof GatewayEvents>(
  listeners: Listeners,
  type: K,
  { filter = () => true, timeout = Infinity, signal }: WaitForOptions<GatewayEvents[K]>,
): Promise<GatewayEvents[K]> {
  return new Promise((resolve, reject) => {
    const ends: (() => void)[] = []
    const settle = (act: () => void) => {
      for (const end of ends) end()
      act()
    }
    const fail = (reason: unknown) => settle(() => reject(reason))
    const listener = (event: GatewayEvents[K]) => {
      try {
        if (filter(event)) settle(() => resolve(event))
      } catch (error) {
        fail(error)
      }
    }
    listeners.on(type, listener)
    ends.push(
      () => listeners.off(type, listener),
      listeners.whenEnded(fail),
      after(timeout, () =>
        fail(new TimeoutError(`gateway.waitFor('${type}')`, 'timeout', timeout, 'no such event came')),
      ),
    )
    if (signal !== undefined) ends.push(follow(signal, () => fail(signal.reason)))
  })
}
