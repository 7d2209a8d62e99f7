import { authenticate } from './authenticate'
import type { Connection } from './connection'
import { frame, Op, readFrame } from './frames'
import { type Hub, hangUp } from './hub'

/** Answers what a client sent. */
export function receive(hub: Hub, connection: Connection, sent: unknown): void {
  const received = readFrame(sent)
  switch (received.kind) {
    case 'heartbeat':
      connection.lastBeat = hub.core.clock.now()
      connection.askedAt = undefined
      connection.send(frame(Op.HEARTBEAT_ACK))
      break
    case 'malformed':
      hangUp(hub, connection, 'decodeError')
      break
    case 'unknown':
      if (hub.core.strict) hangUp(hub, connection, connection.session ? 'unknownOp' : 'notAuthenticated')
      break
    default:
      if (connection.session === undefined) authenticate(hub, connection, received)
      else hangUp(hub, connection, 'alreadyAuthenticated')
  }
}
