import type { UserRef } from '../mock-user'
import { anything, assertSettings } from '../set-up'
import { userOf } from '../state/users'
import { gatewayUrl } from './address'
import { wireName } from './events'
import { connectionsOf, inject } from './faults'
import { dispatch, type Hub, isCloseCode } from './hub'
import type { MockGateway, MockGatewaySession } from './mock-gateway'
import type { GatewaySession } from './session'

export function createMockGateway(hub: Hub, connect: MockGateway['connect']): MockGateway {
  const idOf = (ref: UserRef | undefined) => (ref === undefined ? null : userOf(hub.core, ref).id)
  return {
    url: gatewayUrl(hub.core.baseUrl),
    get sessions() {
      return [...hub.sessions.values()].map(viewOf)
    },
    get journal() {
      return hub.journal.entries
    },
    drop(code = 1006, options = {}) {
      if (!isCloseCode(code)) throw new RangeError(`gateway.drop: ${code} is no code that a server closes with`)
      return inject(hub, { kind: 'drop', code, reason: options.reason ?? 'Dropped by a fault.' }, options)
    },
    freeze: (options = {}) => inject(hub, { kind: 'freeze' }, options),
    refuse: (options = {}) => inject(hub, { kind: 'refuse' }, options, ['connect']),
    invalidSession: (resumable, options = {}) => inject(hub, { kind: 'invalid_session', resumable }, options),
    reconnect: (options = {}) => inject(hub, { kind: 'reconnect' }, options),
    duplicate: (options = {}) => inject(hub, { kind: 'duplicate' }, options, ['event']),
    raw(frame, options = {}) {
      assertSettings('gateway.raw', options, { user: anything })
      const isAsItIs = typeof frame === 'string' || frame instanceof Uint8Array
      const data = isAsItIs ? frame : JSON.stringify(frame)
      const all = connectionsOf(hub, idOf(options.user))
      for (const connection of all) connection.send(data)
      return all.length
    },
    emit(event, data, options = {}) {
      assertSettings('gateway.emit', options, { to: anything })
      const user = idOf(options.to)
      const all = user === null ? [...hub.sessions.values()] : hub.sessions.where('userId', user)
      for (const session of all) dispatch(hub, session, wireName(event), data)
      return all.length
    },
    clear() {
      hub.faults.clear()
      for (const connection of hub.connections) connection.thaw()
    },
    connect,
  }
}

function viewOf({ id, auth, sequence, connection }: GatewaySession): MockGatewaySession {
  return {
    id,
    user: auth.userId,
    auth_session_id_hash: auth.idHash,
    sequence,
    connected: connection !== undefined,
  }
}
