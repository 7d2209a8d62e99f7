import type { Connection } from './connection'
import type { GatewayEffect } from './fault-queue'
import { frame, Op } from './frames'
import { endSession, type Hub, leave } from './hub'
import type { GatewaySession } from './session'

/**
 * Does to a connection what a fault says. `session` is the one that it has or asks for.
 * @returns whether anything could be done.
 */
export function applyEffect(
  hub: Hub,
  connection: Connection,
  effect: GatewayEffect,
  session: GatewaySession | undefined = connection.session,
): boolean {
  switch (effect.kind) {
    case 'drop':
      leave(hub, connection)
      connection.forceClose(effect.code, effect.reason)
      return true
    case 'freeze':
      connection.freeze()
      return true
    case 'reconnect':
      connection.send(frame(Op.RECONNECT))
      return true
    case 'invalid_session':
      // Either way the connection is left without one: it then takes a Resume of the old one, or Identify.
      if (effect.resumable) leave(hub, connection)
      else if (session !== undefined) endSession(hub, session)
      connection.send(frame(Op.INVALID_SESSION, effect.resumable))
      return true
    case 'duplicate':
      return session?.repeat() ?? false
    case 'refuse':
      return false
  }
}
