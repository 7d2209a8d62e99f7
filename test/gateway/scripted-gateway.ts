import { clientOf } from './gateway-server'
import { ScriptedSocket } from './scripted-socket'

/** A gateway over scripted sockets, on its way to be connected, with the waits that are the default; and those it makes. */
export function scriptedGateway(backoff = {}) {
  const { gateway } = clientOf({ url: 'wss://gateway.example' }, { gateway: { WebSocket: ScriptedSocket, backoff } })
  const delays: number[] = []
  gateway.on('stateChange', ({ delayMs }) => {
    if (delayMs !== undefined) delays.push(delayMs)
  })
  gateway.connect().catch(() => {})
  return { gateway, delays }
}
