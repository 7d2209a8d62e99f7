import type { UserRef } from '../database'
import { anything, type Kind, type Kinds, oneOf, times, validateOptions } from '../settings'
import { userOf } from '../state/users'
import type { Connection, GatewaySession } from './connection'
import type { GatewayEffect, GatewayMoment } from './fault-queue'
import { endSession, fitsCloseFrame, type Hub, leave } from './hub'
import { frame, Op } from './protocol'

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

/** To whom a gateway fault happens, and when. */
export interface GatewayFaultOptions {
  /** The user whose clients it happens to. Default: everyone. */
  readonly user?: UserRef
  /**
   * How often it happens to clients that are about to connect, identify or resume. Left out together with `at`, the
   * fault happens at once, to the clients that are connected.
   */
  readonly times?: number
  /**
   * What clients are about to do when it happens to them; `connect` is before Hello, when no user is known yet. With
   * `at` alone it happens each time. Default, with `times`: identify and resume.
   */
  readonly at?: 'connect' | 'identify' | 'resume'
}

/** A gateway fault that was injected. */
export interface InjectedGatewayFault {
  /** How often it has happened so far. */
  readonly count: number
  /** Takes it back: it happens no more, and the connections that it froze thaw. */
  remove(): void
}

const reason: Kind = {
  wanted: 'a text of at most 123 bytes',
  test: (value) => typeof value === 'string' && fitsCloseFrame(value),
}
const kinds: Kinds = { user: anything, times, at: oneOf('connect', 'identify', 'resume'), reason }

/** Makes something go wrong: now, or at moments to come. */
export function inject(
  hub: Hub,
  effect: GatewayEffect,
  options: GatewayFaultOptions,
  moments: readonly GatewayMoment[] = ['identify', 'resume'],
): InjectedGatewayFault {
  const what = `gateway.${effect.kind === 'invalid_session' ? 'invalidSession' : effect.kind}`
  validateOptions(what, options, kinds)
  const { at, user: ref, times: left = Number.POSITIVE_INFINITY } = options
  const user = ref === undefined ? null : userOf(hub.core, ref).id
  const isLater = options.times !== undefined || at !== undefined || moments[0] === 'connect'
  const moment = at === undefined ? moments : [at]
  if (user !== null && isLater && moment.includes('connect')) {
    throw new TypeError(`${what}: whose client connects is not known yet; leave "user" out`)
  }
  const hit: (Connection | undefined)[] = []
  const forget = isLater
    ? hub.faults.add({ effect, at: moment, user, left }, (connection) => hit.push(connection))
    : () => {}
  for (const connection of isLater ? [] : connectionsOf(hub, user)) {
    if (applyEffect(hub, connection, effect)) hit.push(connection)
  }
  return {
    get count() {
      return hit.length
    },
    remove() {
      forget()
      if (effect.kind === 'freeze') for (const connection of hit) connection?.resume()
    },
  }
}

/** The open connections, of one user or of everyone. */
export function connectionsOf({ connections }: Hub, user: string | null): Connection[] {
  return [...connections].filter(({ isOpen, session }) => isOpen && (user === null || session?.auth.userId === user))
}
