import { follow } from '../transport/followers'
import { EventStream } from './event-stream'
import type { GatewayEvents, GatewayMessage } from './events'
import type { Listeners } from './listeners'

/** A stream of events of some kinds, that ends with the gateway or with `signal`. */
export function openStream<K extends keyof GatewayEvents>(
  listeners: Listeners,
  types: readonly K[],
  signal: AbortSignal | undefined,
): EventStream<GatewayMessage<K>> {
  const ends: (() => void)[] = []
  const stream = new EventStream<GatewayMessage<K>>(() => {
    for (const end of ends) end()
  })
  const take = <T extends K>(type: T) => {
    const listener = (data: GatewayEvents[T]) => stream.push({ type, data })
    listeners.on(type, listener)
    ends.push(() => listeners.off(type, listener))
  }
  for (const type of new Set(types)) take(type)
  ends.push(listeners.onClose((error) => (error.reason === 'disconnected' ? stream.end() : stream.fail(error))))
  if (signal !== undefined) ends.push(follow(signal, () => stream.abort(signal.reason)))
  if (signal?.aborted) stream.abort(signal.reason)
  return stream
}
