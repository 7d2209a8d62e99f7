import { TimeoutError } from '../errors/connection-errors'
import { after } from '../transport/timer'
import type { GatewayEvents } from './events'
import type { Listeners } from './listeners'
import type { WaitForOptions } from './options'
import { untilClosed } from './waiting'

/** The next event of a kind. */
export function waitFor<K extends keyof GatewayEvents>(
  listeners: Listeners,
  type: K,
  { filter = () => true, timeout = Infinity, signal }: WaitForOptions<GatewayEvents[K]>,
): Promise<GatewayEvents[K]> {
  return untilClosed(listeners, signal, (resolve, reject) => {
    const listener = (event: GatewayEvents[K]) => {
      try {
        if (filter(event)) resolve(event)
      } catch (error) {
        reject(error)
      }
    }
    const expire = () =>
      reject(new TimeoutError(`gateway.waitFor('${type}')`, 'timeout', timeout, 'no such event came'))
    listeners.on(type, listener)
    return [() => listeners.off(type, listener), after(timeout, expire)]
  })
}
