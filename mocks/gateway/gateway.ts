import type { GatewayEventName, ServiceContext } from '../core'
import type { UserRef } from '../database'
import { Ring } from '../journal'
import { createRandom } from '../random'
import { anything, validateOptions } from '../settings'
import { userOf } from '../state/users'
import type { GatewayLink, GatewayPeer, GatewaySession } from './connection'
import { createGatewayFaultQueue, type PendingGatewayFault } from './fault-queue'
import { connectionsOf, type GatewayFaultOptions, type InjectedGatewayFault, inject } from './faults'
import {
  checkTime,
  createSessions,
  dispatch,
  endSession,
  type GatewayJournalEntry,
  type Hub,
  handleDomainEvent,
  isCloseCode,
  wireName,
} from './hub'
import { gatewayUrl } from './protocol'
import { connect } from './receive'

// A longer timer would end at once.
const LONGEST_WAIT = 2 ** 31 - 1

/** The one timer of a gateway whose service follows the wall clock. It keeps no process alive. */
export interface Scheduler {
  /** Rings at this time, or not at all (`undefined` or `Infinity`); any other time that was set is forgotten. */
  set(at: number | undefined): void
}

/** An {@link Scheduler} that goes by what `now` tells, in milliseconds. */
export function createAlarm(now: () => number, ring: () => void): Scheduler {
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    set(at) {
      clearTimeout(timer)
      timer = undefined
      if (at === undefined || at === Number.POSITIVE_INFINITY) return
      timer = setTimeout(ring, Math.min(Math.max(at - now(), 0), LONGEST_WAIT))
      // Node's timers hold the process; those of browsers are numbers.
      if (typeof timer === 'object') timer.unref()
    },
  }
}

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
      validateOptions('gateway.raw', options, { user: anything })
      const isAsItIs = typeof frame === 'string' || frame instanceof Uint8Array
      const data = isAsItIs ? frame : JSON.stringify(frame)
      const all = connectionsOf(hub, idOf(options.user))
      for (const connection of all) connection.send(data)
      return all.length
    },
    emit(event, data, options = {}) {
      validateOptions('gateway.emit', options, { to: anything })
      const user = idOf(options.to)
      const all = user === null ? [...hub.sessions.values()] : hub.sessions.where('userId', user)
      for (const session of all) dispatch(hub, session, wireName(event), data)
      return all.length
    },
    clear() {
      hub.faults.clear()
      for (const connection of hub.connections) connection.resume()
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

/** What a snapshot holds of a gateway: no sessions, since those live by their connections. */
export interface GatewaySnapshot {
  /** The faults that were set for moments to come, with the times that each had left. */
  readonly faults: readonly PendingGatewayFault[]
  /** Who had identified and resumed. */
  readonly journal: readonly GatewayJournalEntry[]
}

/** A gateway as its service drives it. */
export interface OpenGateway {
  readonly gateway: MockGateway
  /** To be called when the service's clock has moved. */
  checkTime(): void
  save(): GatewaySnapshot
  /** Goes back to a snapshot, or to the beginning. All sessions end. */
  load(snapshot?: GatewaySnapshot): void
  /** Closes all connections, and lets nobody connect again. */
  close(): void
}

export function createGateway(core: ServiceContext): OpenGateway {
  // Not the service's own random values, as those would then depend on when clients happen to connect.
  const seed = { state: ~core.seed, ids: 0 }
  const random = createRandom(() => seed)
  const hub: Hub = {
    core,
    policy: core.policy.gateway,
    faults: createGatewayFaultQueue(),
    journal: new Ring(core.maxJournalEntries),
    connections: new Set(),
    sessions: createSessions(),
    nextCheck: Number.POSITIVE_INFINITY,
    newSessionId: () => random.text(32),
  }
  core.publish = (notice) => handleDomainEvent(hub, notice)
  let isClosed = false

  const alarm = createAlarm(
    () => core.clock.now(),
    () => check(),
  )
  // A clock that was given says when it moves; the wall clock has to be waited for.
  const wait = () => {
    if (core.clock.isWallClock && !isClosed) alarm.set(hub.nextCheck)
  }
  const check = () => {
    checkTime(hub)
    wait()
  }
  const endAll = (code: number, reason: string) => {
    for (const session of [...hub.sessions.values()]) endSession(hub, session)
    for (const connection of hub.connections) connection.forceClose(code, reason)
  }

  return {
    gateway: createMockGateway(hub, (peer) => {
      const link = isClosed ? undefined : connect(hub, peer)
      wait()
      return link
    }),
    checkTime: check,
    save: () => ({ faults: hub.faults.save(), journal: hub.journal.entries }),
    load({ faults, journal } = { faults: [], journal: [] }) {
      endAll(hub.policy.closeCodes.timedOut, 'The service went back in time.')
      hub.faults.load(faults)
      hub.journal.load(journal)
    },
    close() {
      isClosed = true
      alarm.set(undefined)
      endAll(1001, 'The service was closed.')
    },
  }
}

/** A gateway session as tests see it: how it stood when it was asked for. */
export interface MockGatewaySession {
  /** ID of the session, as Ready told it. */
  readonly id: string
  /** ID of its user. */
  readonly user: string
  /** ID hash of its authentication session. */
  readonly auth_session_id_hash: string
  /** Number of the last event that was sent to it. */
  readonly sequence: number
  /** Whether it has a connection; without one it waits to be resumed. */
  readonly connected: boolean
}

/**
 * The gateway of a service: what clients see there, and what goes wrong. Faults happen to the clients that are
 * connected, or with `times` or `at` to those that are about to be. `restore` and `reset` end all sessions with the
 * code 4009, after which clients identify anew; `close` closes all connections with 1001.
 * @example
 * const outage = service.gateway.refuse()
 * service.gateway.drop()
 * outage.remove()
 * console.log(`${outage.count} attempts to connect were refused`)
 */
export interface MockGateway {
  /** Where the class {@link MockService.WebSocket} and the msw handlers answer; a server has its own `gatewayUrl`. */
  readonly url: string
  /** The sessions that have not ended, the oldest first. */
  readonly sessions: readonly MockGatewaySession[]
  /** Who identified and who resumed, the oldest first; it keeps as many as the journal of requests. */
  readonly journal: readonly GatewayJournalEntry[]
  /**
   * Closes connections; their sessions can be resumed.
   * @param code 1006 where it is left out, which ends them without a close frame.
   * @throws RangeError for a code that no server can send.
   */
  drop(code?: number, options?: GatewayFaultOptions & { readonly reason?: string }): InjectedGatewayFault
  /**
   * Neither reads from connections nor writes to them, and leaves them open: their other end seems to have vanished.
   * What comes and goes meanwhile passes when it is taken back.
   */
  freeze(options?: GatewayFaultOptions): InjectedGatewayFault
  /** Refuses to let clients connect. */
  refuse(options?: Pick<GatewayFaultOptions, 'times'>): InjectedGatewayFault
  /**
   * Sends Invalid Session, which leaves the connection open and without a session. Of a resumable one the gateway then
   * accepts a Resume on that connection; one that is not resumable ends. Identify is accepted either way.
   */
  invalidSession(resumable: boolean, options?: GatewayFaultOptions): InjectedGatewayFault
  /** Asks clients to connect anew. */
  reconnect(options?: GatewayFaultOptions): InjectedGatewayFault
  /** Sends the last event of each session a second time; with `times`, that many events to come. */
  duplicate(options?: Pick<GatewayFaultOptions, 'user' | 'times'>): InjectedGatewayFault
  /**
   * Sends a frame as it is: a text or bytes, or anything else as JSON.
   * @returns how many connections it went to.
   */
  raw(frame: unknown, options?: Pick<GatewayFaultOptions, 'user'>): number
  /**
   * Sends an event to all sessions of a user, or of everyone.
   * @param event a name of the interface document or one of the wire: `Relationship Add` is `RELATIONSHIP_ADD`.
   * @returns how many sessions it went to, counting those that wait to be resumed.
   */
  emit(event: GatewayEventName | (string & {}), data: unknown, options?: { readonly to?: UserRef }): number
  /** Takes all faults back. */
  clear(): void
  /**
   * Takes a client's socket that came in another way; the doors of this package are built on it.
   * @returns what to tell of the socket, or `undefined` where it is refused.
   */
  connect(peer: GatewayPeer): GatewayLink | undefined
}
