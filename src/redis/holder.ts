import type { BaseClient } from '../base-client'
import { RapportError } from '../errors/base'
import { GatewayError, isGatewayError, RequestValidationError } from '../errors/client-errors'
import type { GatewayDispatch } from '../gateway/events'
import { type GatewayOptions, readGatewayOptions } from '../gateway/options'
import { resolveSocketClass } from '../gateway/socket'
import { Emitter } from '../internal/emitter'
import type { Issue } from '../internal/issue'
import { Events } from '../transport/events'
import type { Logger } from '../types/options'
import { hashOf } from './connection'
import type { EventLog, NewEvent, Tenure } from './event-log'
import { Upstream } from './upstream'

/**
 * State of a holder: `waiting` while another process has the connection, nobody is signed in, or Redis does not reply;
 * `connecting` and `holding` while this one has it; `failed` if the service has closed the connection for good, until the token
 * changes; `closed` after `close`.
 */
export type RedisHolderState = 'waiting' | 'connecting' | 'holding' | 'failed' | 'closed'

/** A candidate for the Gateway connection of an account. */
export interface RedisHolder {
  /** Current state. */
  readonly state: RedisHolderState
  /** Why it failed, waits, or keeps its events: the last error of Redis or of the gateway; `undefined` if all is well. */
  readonly lastError: unknown
  /** Calls `listener` after each change of `state`. Returns an unsubscribe function. */
  onChange(listener: (state: RedisHolderState) => void): () => void
  /** Hands the connection over to another process, which resumes its session, and stops. */
  close(): Promise<void>
  /** Calls {@link RedisHolder.close}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

/** Options of a holder: those of a gateway that it uses to connect. */
export type RedisHolderOptions = Omit<GatewayOptions, 'connectOnSignIn'>

/** Maximum number of events that wait for Redis. Then the connection is closed, and resumed once Redis replies. */
const MAX_QUEUED = 10_000
/** Maximum number of events that are written at once. */
const MAX_BATCH = 200
/** Wait before a candidate tries again after an error, in milliseconds. */
const RETRY_MS = 1_000

/** Competes for the lease of an account, and publishes the events of the service while it has the lease. */
export class Holder implements RedisHolder {
  state: RedisHolderState = 'waiting'
  lastError: unknown
  readonly #log: EventLog
  readonly #client: BaseClient
  readonly #options: GatewayOptions
  readonly #id: string = crypto.randomUUID()
  readonly #emitter: Emitter<{ change: RedisHolderState }>
  readonly #unsubscribers: (() => void)[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #term: Term | undefined
  #isTrying = false

  constructor(log: EventLog, client: BaseClient, options: GatewayOptions, logger: Logger | undefined) {
    const issues: Issue[] = []
    readGatewayOptions(options, true, issues)
    if (issues.length > 0) throw new RequestValidationError('redisEvents().hold', issues)
    this.#log = log
    this.#client = client
    this.#options = options
    this.#emitter = new Emitter(new Events(logger).report)
    this.#unsubscribers.push(
      client.session.onChange(({ type }) => {
        if (type === 'signedOut' || type === 'tokenChanged') void this.#endTerm()
        if (type !== 'userChanged' && type !== 'elevated') this.#tryAfter(0)
      }),
      // Another holder has released the lease, perhaps.
      log.subscribe((what) => {
        if (what !== 'events' && this.state === 'waiting') this.#tryAfter(0)
      }),
    )
    this.#tryAfter(0)
  }

  onChange(listener: (state: RedisHolderState) => void): () => void {
    return this.#emitter.on('change', listener)
  }

  async close(): Promise<void> {
    if (this.state === 'closed') return
    for (const unsubscribe of this.#unsubscribers) unsubscribe()
    clearTimeout(this.#timer)
    this.#setState('closed')
    await this.#endTerm()
    this.#emitter.clear()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #tryAfter(ms: number): void {
    clearTimeout(this.#timer)
    if (this.state === 'closed') return
    this.#timer = setTimeout(() => void this.#try(), ms)
  }

  /** Takes the lease if it is free, and otherwise tries again when it ends. */
  async #try(): Promise<void> {
    const { token } = this.#client.session
    if (this.#isTrying || this.#term !== undefined || token === null) return
    this.#isTrying = true
    try {
      const tokenHash = await hashOf(token)
      const { failure } = await this.#log.status()
      if (failure?.tokenHash === tokenHash) {
        this.lastError = new GatewayError('closed_for_good', failure.reason)
        this.#setState('failed')
        return
      }
      if (this.state === 'failed') this.#setState('waiting')
      const takenAt = performance.now()
      const tenure = await this.#log.acquire(this.#id)
      this.lastError = undefined
      if (typeof tenure === 'number') {
        // Random, so that not all candidates try at the same time.
        this.#tryAfter(tenure + 1 + Math.random() * 20)
        return
      }
      const Socket = await resolveSocketClass(this.#options.WebSocket)
      if (this.state === 'closed' || token !== this.#client.session.token) {
        await this.#log.release(tenure.lease)
        return
      }
      this.#setState('connecting')
      const upstream = new Upstream(token, this.#options, Socket, tenure)
      this.#term = new Term(this.#log, tenure, upstream, takenAt, {
        onReady: () => this.#setState('holding'),
        onWrite: (error) => {
          this.lastError = error
        },
        onFailure: (error) => {
          this.lastError = error
          return this.#log.fail(tenure.lease, error.message, tokenHash)
        },
        onEnd: (error) => {
          this.#term = undefined
          this.lastError ??= error
          if (this.state === 'closed') return
          this.#setState('waiting')
          this.#tryAfter(error === undefined ? 0 : Math.random() * RETRY_MS)
        },
      })
    } catch (error) {
      this.lastError = error
      this.#tryAfter(RETRY_MS)
    } finally {
      this.#isTrying = false
      // Its attempt was skipped.
      if (token !== this.#client.session.token) this.#tryAfter(0)
    }
  }

  async #endTerm(): Promise<void> {
    await this.#term?.end()
  }

  #setState(state: RedisHolderState): void {
    if (state === this.state || this.state === 'closed') return
    this.state = state
    this.#emitter.emit('change', state)
  }
}

interface TermHandlers {
  onReady(): void
  /** Redis has accepted events or the lease, or refused them. */
  onWrite(error?: unknown): void
  /** The service has closed the connection for good. */
  onFailure(error: GatewayError): Promise<void>
  onEnd(error?: unknown): void
}

/** The time in which this process has the lease. */
class Term {
  readonly #log: EventLog
  readonly #tenure: Tenure
  readonly #upstream: Upstream
  readonly #handlers: TermHandlers
  readonly #queue: (NewEvent | undefined)[] = []
  /** Number of the last event that was published. */
  #number: number
  /** Until when the lease is certainly ours, monotonic time in milliseconds. */
  #validUntil: number
  #timer: ReturnType<typeof setTimeout> | undefined
  #publishing: Promise<void> | undefined
  #isUp = false
  #isEnded = false
  /** Whether a failed write is not repeated. */
  #isHandingOver = false

  constructor(log: EventLog, tenure: Tenure, upstream: Upstream, takenAt: number, handlers: TermHandlers) {
    this.#log = log
    this.#tenure = tenure
    this.#upstream = upstream
    this.#handlers = handlers
    this.#number = tenure.number
    this.#validUntil = takenAt + log.leaseMs
    const { gateway } = upstream.client
    gateway
      .on('dispatch', (event) => this.#onDispatch(event))
      .on('warning', ({ code }) => {
        // The number of the events does not matter: one that is missing makes the lists of all consumers load again.
        if (code === 'sequence_gap') this.#add(undefined)
      })
      .on('stateChange', ({ state }) => {
        this.#isUp = state === 'ready'
        if (this.#isUp) handlers.onReady()
        if (this.#isUp || state === 'reconnecting') void this.#renew()
      })
      .on('error', (error) => {
        if (isGatewayError(error) && error.reason !== 'listener_threw') void this.#fail(error)
      })
    gateway.connect().catch(() => {})
    this.#schedule()
  }

  /** Publishes what was received, hands the lease over and closes the connection. */
  async end(): Promise<void> {
    if (this.#isEnded) return
    this.#stop()
    this.#isHandingOver = true
    await this.#flush().catch(() => {})
    // If Redis does not reply, the lease ends by itself.
    await this.#log.release(this.#tenure.lease).catch(() => {})
    this.#handlers.onEnd()
  }

  #onDispatch({ type, data, sequence }: GatewayDispatch): void {
    if (this.#isEnded) return
    for (let missing = this.#upstream.missingBefore(sequence); missing > 0; missing = 0) this.#add(undefined)
    const isResumed = type === 'ready' && this.#upstream.isResumed
    if (isResumed) this.#upstream.isResumed = false
    // Consumers resume on their own.
    if (!isResumed && type !== 'resumed') this.#add({ type, data, sequence })
  }

  #add(event: NewEvent | undefined): void {
    this.#queue.push(event)
    if (this.#queue.length > MAX_QUEUED) this.#abandon(new RapportError('Redis accepts events too slowly.'))
    else void this.#flush()
  }

  /** Publishes the queue in order: one write at a time, repeated until Redis confirms it or the lease ends. */
  #flush(): Promise<void> {
    this.#publishing ??= this.#publishAll().finally(() => {
      this.#publishing = undefined
    })
    return this.#publishing
  }

  async #publishAll(): Promise<void> {
    while (this.#queue.length > 0 && performance.now() < this.#validUntil) {
      const batch = this.#queue.slice(0, MAX_BATCH)
      try {
        const isOurs = await this.#log.publish(this.#tenure, this.#number, batch)
        if (!isOurs) return this.#abandon(lostError())
        this.#number += batch.length
        this.#queue.splice(0, batch.length)
        this.#onWrite()
      } catch (error) {
        // The next holder resumes the session, and receives them again.
        if (this.#isHandingOver) return
        this.#onWrite(error)
        if (performance.now() >= this.#validUntil) this.#abandon(error)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
  }

  #onWrite(error?: unknown): void {
    if (!this.#isEnded) this.#handlers.onWrite(error)
  }

  #schedule(): void {
    if (this.#isEnded) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#renew(), this.#log.leaseMs / 3)
  }

  async #renew(): Promise<void> {
    const startedAt = performance.now()
    try {
      if (startedAt >= this.#validUntil) throw lostError()
      const isOurs = await this.#log.renew(this.#tenure.lease, this.#isUp)
      if (isOurs) {
        this.#validUntil = startedAt + this.#log.leaseMs
        if (this.#queue.length === 0) this.#onWrite()
        void this.#flush()
      } else this.#abandon(lostError())
    } catch (error) {
      this.#onWrite(error)
      // Another process may have the lease.
      if (performance.now() >= this.#validUntil) this.#abandon(error)
    }
    this.#schedule()
  }

  /** Ends without the lease: events that were not published are received again by the next holder. */
  #abandon(error: unknown): void {
    if (this.#isEnded) return
    this.#queue.length = 0
    this.#stop()
    this.#handlers.onEnd(error)
  }

  async #fail(error: GatewayError): Promise<void> {
    if (this.#isEnded) return
    this.#stop()
    await this.#flush().catch(() => {})
    await this.#handlers.onFailure(error).catch(() => {})
    this.#handlers.onEnd()
  }

  #stop(): void {
    this.#isEnded = true
    clearTimeout(this.#timer)
    this.#upstream.client.dispose()
  }
}

function lostError(): RapportError {
  return new RapportError(
    'The lease of the Gateway connection was lost: Redis was not reached in time, or has lost it.',
  )
}
