import { milliseconds } from '../clock'
import { Connection } from './connection'
import { applyEffect } from './effects'
import { frame, Op } from './frames'
import { dueAt } from './heartbeats'
import { checkBy, closeReason, endSession, type Hub, leave } from './hub'
import type { GatewayLink, GatewayPeer } from './peer'
import { receive } from './receive'

/** Codes by which a client says that it will not come back. */
const FINAL_CODES: readonly number[] = [1000, 1001]

/** Takes a client's socket, and greets it. */
export function connect(hub: Hub, peer: GatewayPeer): GatewayLink | undefined {
  const { core, connections, faults, policy } = hub
  const connection = new Connection(peer, core.clock.now())
  const effect = faults.take('connect', undefined, connection)
  if (effect?.kind === 'refuse') return undefined
  connections.add(connection)
  checkBy(hub, dueAt(hub, connection))
  if (effect !== undefined) applyEffect(hub, connection, effect)
  connection.send(frame(Op.HELLO, { heartbeat_interval: milliseconds(policy.heartbeatInterval) }))
  return {
    receive: (data) =>
      connection.take(() => {
        try {
          receive(hub, connection, data)
        } catch (error) {
          // A mistake of the mock, or of a policy that replaces a part of it. As an answer it would be a 500.
          connection.close(
            1011,
            closeReason(`the mock service failed: ${error instanceof Error ? error.message : error}`),
          )
        }
      }),
    closed(code) {
      const { session } = connection
      connection.gone()
      connections.delete(connection)
      if (session !== undefined && FINAL_CODES.includes(code)) endSession(hub, session)
      else leave(hub, connection)
    },
  }
}
