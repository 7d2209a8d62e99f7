// `service.gateway` of the mock: what tests call, and the sessions that it manages.
import { MAX_TIMER_MS } from '../clock'
import type { GatewayEventName, ServiceContext } from '../core'
import type { UserRef } from '../database'
import * as option from '../settings'
import { assertOptions } from '../settings'
import { userOf } from '../state/users'
import {
  type Connection,
  type GatewayEffect,
  type GatewayLink,
  type GatewayMoment,
  type GatewayPeer,
  type GatewaySession,
  gatewayUrl,
  isCloseCode,
  type PendingGatewayFault,
} from './connection'
import { type GatewayJournalEntry, Hub, type MockGatewayFrame, wireName } from './hub'
import { connect } from './receive'

/** Snapshot of a gateway session for tests. */
export interface MockGatewaySession {
  /** ID of the session, as sent in Ready. */
  readonly id: string
  /** ID of its user. */
  readonly user: string
  /** ID hash of its authentication session. */
  readonly auth_session_id_hash: string
  /** Sequence number of the last event. */
  readonly sequence: number
  /** Whether it has a connection; otherwise it can be resumed. */
  readonly connected: boolean
  /** Whether its connection is frozen by a fault. */
  readonly frozen: boolean
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
  /** Number of times it has applied so far. */
  readonly count: number
  /** Removes the fault, and unfreezes the connections that it froze. */
  remove(): void
}

/**
 * The gateway of a service: its sessions and faults. Faults affect the connected clients, or with `times` or `at` those
 * that connect later. `restore` and `reset` end all sessions with the code 4009, after which clients identify again;
 * `close` closes all connections with 1001.
 * @example
 * const outage = service.gateway.refuse()
 * service.gateway.drop()
 * outage.remove()
 * console.log(`${outage.count} attempts to connect were refused`)
 */
export interface MockGateway {
  /** URL for {@link MockService.WebSocket} and the msw handlers; a server has its own `gatewayUrl`. */
  readonly url: string
  /** Sessions that have not ended, oldest first. */
  readonly sessions: readonly MockGatewaySession[]
  /** Attempts to identify and resume, oldest first; limited by `maxJournalEntries`. */
  readonly journal: readonly GatewayJournalEntry[]
  /** Frames of all connections, oldest first; limited by `maxJournalEntries`, and not part of snapshots. */
  readonly frames: readonly MockGatewayFrame[]
  /**
   * Closes connections; their sessions can be resumed.
   * @param code close code. Default: 1006, which closes without a close frame.
   * @throws RangeError for a code that a server cannot send.
   */
  drop(code?: number, options?: GatewayFaultOptions): InjectedGatewayFault
  /**
   * Stops reading from and writing to connections but keeps them open, as if the other end had vanished. Messages are
   * buffered until the fault is removed.
   */
  freeze(options?: GatewayFaultOptions): InjectedGatewayFault
  /**
   * Refuses connections.
   * @param options `status` and `body` are those of the HTTP response to the upgrade, which pages cannot see. Default: the
   * connection is closed without one.
   */
  refuse(
    options?: Pick<GatewayFaultOptions, 'times' | 'after'> & { readonly status?: number; readonly body?: unknown },
  ): InjectedGatewayFault
  /**
   * Sends Invalid Session; the connection stays open without a session. If `resumable`, the gateway then accepts Resume
   * on that connection; otherwise the session ends. Identify is accepted either way.
   */
  invalidSession(resumable: boolean, options?: GatewayFaultOptions): InjectedGatewayFault
  /** Asks clients to reconnect. */
  reconnect(options?: GatewayFaultOptions): InjectedGatewayFault
  /** Sends the last event of each session again; with `times`, sends that many later events twice. */
  duplicate(options?: Pick<GatewayFaultOptions, 'user' | 'session' | 'times'>): InjectedGatewayFault
  /**
   * Sends a frame unchanged if it is a string or bytes, else as JSON.
   * @returns the number of connections that it was sent to.
   */
  sendRaw(frame: unknown, options?: Pick<GatewayFaultOptions, 'user' | 'session'>): number
  /**
   * Sends an event to all sessions of a user, or of all users.
   * @param event event name of the API document, of listeners or of the wire: `Relationship Add` and `relationshipAdd` are
   * `RELATIONSHIP_ADD`, and `interactionCreate` is `INTERACTION_CREATE`.
   * @returns the number of sessions that it was sent to, including disconnected ones.
   */
  emit(event: GatewayEventName | (string & {}), data: unknown, options?: { readonly to?: UserRef }): number
  /** Lets connections continue that are frozen. @returns their number. */
  unfreeze(options?: Pick<GatewayFaultOptions, 'user' | 'session'>): number
  /** Removes all faults. */
  clear(): void
  /**
   * Connects a client's socket; for adapters to other transports.
   * @returns callbacks for the socket's events, or `undefined` if the connection is refused.
   */
  connect(peer: GatewayPeer): GatewayLink | undefined
}

/** State of a gateway in a snapshot. Sessions are not part of it, because they depend on connections. */
export interface GatewaySnapshot {
  /** Faults that apply later, with the times that each has left. */
  readonly faults: readonly PendingGatewayFault[]
  /** Attempts to identify and resume. */
  readonly journal: readonly GatewayJournalEntry[]
}

export function createGateway(core: ServiceContext) {
  const hub = new Hub(core)
  core.publish = (event) => hub.handleDomainEvent(event)
  let isClosed = false

  let timer: ReturnType<typeof setTimeout> | undefined
  // A frozen clock reports when it moves; the wall clock needs a timer, which keeps no process alive.
  const schedule = () => {
    clearTimeout(timer)
    if (core.clock.isFrozen || isClosed || hub.nextCheck === Number.POSITIVE_INFINITY) return
    timer = setTimeout(check, Math.min(Math.max(hub.nextCheck - core.clock.now(), 0), MAX_TIMER_MS))
    // In Node a timer is an object that keeps the process alive; in browsers it is a number.
    if (typeof timer === 'object') timer.unref()
  }
  const check = () => {
    hub.checkTimeouts()
    schedule()
  }
  const endAll = (code: number, reason: string) => {
    core.replay?.restart(code, reason)
    for (const session of [...hub.sessions.values()]) hub.endSession(session)
    for (const connection of hub.connections) connection.forceClose(code, reason)
  }

  return {
    gateway: createMockGateway(hub, (peer) => {
      const link = isClosed ? undefined : (core.replay?.connect(peer) ?? connect(hub, peer))
      schedule()
      return link
    }),
    /** Handles timeouts that have become due. */
    checkTimeouts: check,
    /** Same, after the service's clock has moved, also back, or the policy has changed. */
    recheckTimeouts(): void {
      hub.nextCheck = Number.NEGATIVE_INFINITY
      check()
    },
    save: (): GatewaySnapshot => ({ faults: hub.faults.save(), journal: hub.journal.entries }),
    /** Restores a snapshot, or the initial state. All sessions end. */
    load({ faults, journal }: GatewaySnapshot = { faults: [], journal: [] }): void {
      endAll(hub.policy.closeCodes.timedOut, 'The service was restored.')
      hub.faults.load(faults)
      hub.journal.load(journal)
      hub.frames.load([])
    },
    /** Closes all connections and refuses new ones. */
    close(): void {
      isClosed = true
      clearTimeout(timer)
      endAll(1001, 'The service was closed.')
    },
  }
}

function createMockGateway(hub: Hub, connect: MockGateway['connect']): MockGateway {
  const idOf = (ref: UserRef | undefined) => (ref === undefined ? null : userOf(hub.core, ref).id)
  const targets = (subject: string, options: Pick<GatewayFaultOptions, 'user' | 'session'>) => {
    const { user, session } = assertOptions(subject, options, TARGET)
    return connectionsOf(hub, idOf(user), session)
  }
  return {
    url: gatewayUrl(hub.core.baseUrl),
    get sessions() {
      return [...hub.sessions.values()].map(viewOf)
    },
    get journal() {
      return hub.journal.entries
    },
    get frames() {
      return hub.frameViews()
    },
    drop(code = 1006, options = {}) {
      if (!isCloseCode(code)) throw new RangeError(`gateway.drop: a server cannot close with code ${code}`)
      return inject(hub, { kind: 'drop', code }, options)
    },
    freeze: (options = {}) => inject(hub, { kind: 'freeze' }, options),
    refuse(options = {}) {
      const { status = null, body = null } = Object(options)
      return inject(hub, { kind: 'refuse', status, body }, options, ['connect'])
    },
    invalidSession(resumable, options = {}) {
      assertOptions('gateway.invalidSession', { resumable }, { resumable: option.boolean }, ['resumable'])
      return inject(hub, { kind: 'invalid_session', resumable }, options)
    },
    reconnect: (options = {}) => inject(hub, { kind: 'reconnect' }, options),
    duplicate: (options = {}) => inject(hub, { kind: 'duplicate' }, options, ['event']),
    sendRaw(frame, options = {}) {
      const connections = targets('gateway.sendRaw', options)
      if (!(frame instanceof Uint8Array)) assertOptions('gateway.sendRaw', { frame }, { frame: option.json }, ['frame'])
      const data = typeof frame === 'string' || frame instanceof Uint8Array ? frame : JSON.stringify(frame)
      for (const connection of connections) connection.send(data)
      return connections.length
    },
    emit(event, data, options = {}) {
      assertOptions('gateway.emit', { event, data }, { event: option.string, data: option.json }, ['event'])
      const user = idOf(assertOptions('gateway.emit', options, { to: option.anyValue }).to)
      const all = user === null ? [...hub.sessions.values()] : hub.sessionsOf({ userId: user })
      for (const session of all) hub.dispatch(session, wireName(event), data)
      return all.length
    },
    unfreeze(options = {}) {
      const frozen = targets('gateway.unfreeze', options).filter(({ isFrozen }) => isFrozen)
      for (const connection of frozen) connection.unfreeze()
      return frozen.length
    },
    clear() {
      hub.faults.clear()
      for (const connection of hub.connections) connection.unfreeze()
    },
    connect,
  }
}

const TARGET: option.OptionChecks = { user: option.anyValue, session: option.string }
const GATEWAY_FAULT: option.OptionChecks = {
  user: option.anyValue,
  times: option.count(1),
  after: option.integer(0, Number.MAX_SAFE_INTEGER),
  at: option.oneOf('connect', 'identify', 'resume'),
  session: option.string,
  status: option.integer(300, 599),
  body: option.json,
}

function inject(
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
    if (hub.applyEffect(connection, effect)) affected.push(connection)
  }
  hub.core.emit({ type: 'gateway', action: 'fault', effect: effect.kind, user, count: affected.length })
  return {
    get count() {
      return affected.length
    },
    remove() {
      if (id !== null) hub.faults.remove(id)
      if (effect.kind === 'freeze') for (const connection of affected) connection?.unfreeze()
    },
  }
}

function connectionsOf({ connections }: Hub, user: string | null, id?: string): Connection[] {
  return [...connections].filter(
    ({ isOpen, session }) =>
      isOpen && (user === null || session?.auth.userId === user) && (id === undefined || session?.id === id),
  )
}

function viewOf({ id, auth, sequence, connection }: GatewaySession): MockGatewaySession {
  return {
    id,
    user: auth.userId,
    auth_session_id_hash: auth.idHash,
    sequence,
    connected: connection !== undefined,
    frozen: connection?.isFrozen ?? false,
  }
}
