// Faults of gateway sessions: lost connections, refusals and repeated events.
import type { UserRef } from '../database'
import { anyValue, assertOptions, check, count, integer, json, type OptionChecks, oneOf, string } from '../settings'
import { userOf } from '../state/users'
import type { Connection, GatewayEffect, GatewayMoment, GatewaySession } from './connection'
import { detachSession, endSession, type Hub, isValidCloseReason } from './hub'
import { frame, Op } from './protocol'

/**
 * Applies the effect of a fault to a connection. `session` is the one that the connection has or resumes.
 * @returns whether the effect could be applied.
 */
export function applyEffect(
  hub: Hub,
  connection: Connection,
  effect: GatewayEffect,
  session: GatewaySession | undefined = connection.session,
): boolean {
  switch (effect.kind) {
    case 'drop':
      detachSession(hub, connection)
      connection.forceClose(effect.code, effect.reason)
      return true
    case 'freeze':
      connection.freeze()
      return true
    case 'reconnect':
      connection.send(frame(Op.RECONNECT))
      return true
    case 'invalid_session':
      // Either way the connection has no session afterwards: the client sends Resume for the old one, or Identify.
      if (effect.resumable) detachSession(hub, connection)
      else if (session !== undefined) endSession(hub, session)
      connection.send(frame(Op.INVALID_SESSION, effect.resumable))
      return true
    case 'duplicate':
      return session?.resendLast() ?? false
    case 'refuse':
      return false
  }
}

/** Target and time of a gateway fault. */
export interface GatewayFaultOptions {
  /** The user whose clients it affects. Default: all users. */
  readonly user?: UserRef
  /** ID of the gateway session whose connection it affects; not with `times`, `after` or `at`. Default: all sessions. */
  readonly session?: string
  /**
   * Number of times it applies to clients that connect, identify or resume later. Without `times`, `after` and `at`, the
   * fault applies at once to all connected clients.
   */
  readonly times?: number
  /** Number of times it lets such clients pass first. @default 0 */
  readonly after?: number
  /**
   * The step of later clients at which it applies; `connect` is before Hello, when no user is known yet. Without
   * `times` it applies every time. Default, with `times`: identify and resume.
   */
  readonly at?: 'connect' | 'identify' | 'resume'
}

/** An injected gateway fault. */
export interface InjectedGatewayFault {
  /** ID among `gateway.faults`; `null` if it applied at once. */
  readonly id: number | null
  /** Number of times it has applied so far. */
  readonly count: number
  /** Removes the fault, and unfreezes the connections that it froze. */
  remove(): void
}

const GATEWAY_FAULT: OptionChecks = {
  user: anyValue,
  times: count(1),
  after: integer(0, Number.MAX_SAFE_INTEGER),
  at: oneOf('connect', 'identify', 'resume'),
  reason: check('a string of at most 123 bytes', (value) => typeof value === 'string' && isValidCloseReason(value)),
  session: string,
  status: integer(300, 599),
  body: json,
}

export function inject(
  hub: Hub,
  effect: GatewayEffect,
  options: GatewayFaultOptions,
  moments: readonly GatewayMoment[] = ['identify', 'resume'],
): InjectedGatewayFault {
  const subject = `gateway.${effect.kind === 'invalid_session' ? 'invalidSession' : effect.kind}`
  const { at: step, user: ref, times, after, session } = assertOptions(subject, options, GATEWAY_FAULT)
  const user = ref === undefined ? null : userOf(hub.core, ref).id
  const isLater = (times ?? after) !== undefined || step !== undefined || moments[0] === 'connect'
  const at = step === undefined ? moments : [step]
  if (user !== null && isLater && at.includes('connect')) {
    throw new TypeError(`${subject}: the user of a connecting client is not known yet; omit "user"`)
  }
  if (session !== undefined && isLater) {
    throw new TypeError(`${subject}: a session is connected now, so "session" excludes "times", "after" and "at"`)
  }
  const affected: (Connection | undefined)[] = []
  const { id } = isLater
    ? hub.faults.add({ effect, at, user }, { times, after }, ({ connection }) => affected.push(connection))
    : { id: null }
  for (const connection of isLater ? [] : connectionsOf(hub, user, session)) {
    if (applyEffect(hub, connection, effect)) affected.push(connection)
  }
  hub.core.emit({ type: 'gateway', action: 'fault', effect: effect.kind, user, count: affected.length })
  return {
    id,
    get count() {
      return affected.length
    },
    remove() {
      if (id !== null) hub.faults.remove(id)
      if (effect.kind === 'freeze') for (const connection of affected) connection?.unfreeze()
    },
  }
}

export function connectionsOf({ connections }: Hub, user: string | null, id?: string): Connection[] {
  return [...connections].filter(
    ({ isOpen, session }) =>
      isOpen && (user === null || session?.auth.userId === user) && (id === undefined || session?.id === id),
  )
}
