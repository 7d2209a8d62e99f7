// A candidate for the gateway connection of an account; one of all processes has it.
import type { BaseClient } from '../client/base-client'
import { GatewayError, RequestValidationError } from '../errors/client-errors'
import { type GatewayOptions, readGatewayOptions } from '../gateway/options'
import { resolveSocketClass } from '../gateway/socket'
import { Emitter } from '../internal/emitter'
import type { Issue } from '../internal/issue'
import { hashOf } from '../internal/seal'
import { Events } from '../transport/events'
import type { Logger } from '../types/options'
import type { EventLog, Refusal } from './event-log'
import type { Fleet, Member } from './fleet'
import { Pace } from './fleet'
import { connectUpstream, Term } from './term'

/**
 * State of a holder: `waiting` while another process has the connection, nobody is signed in, or Redis does not reply;
 * `connecting` while this one may connect, but has no connection to the service; `holding` while it has one; `failed` after the
 * service has closed the connection for good, until it tries again; `closed` after `close`.
 */
export type RedisHolderState = 'waiting' | 'connecting' | 'holding' | 'failed' | 'closed'

/** A candidate for the Gateway connection of an account. */
export interface RedisHolder {
  /** Current state. */
  readonly state: RedisHolderState
  /**
   * Why it failed, waits, cannot connect, or keeps its events: the last error of Redis, or else of the gateway; `undefined` if
   * all is well.
   */
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

/** Wait before a candidate tries again after an error, in milliseconds. */
const RETRY_MS = 1_000

/** Competes for the lease of an account, and publishes the events of the service while it has the lease. */
export class Holder implements RedisHolder, Member {
  state: RedisHolderState = 'waiting'
  rival = ''
  #request = ''
  #redisError: unknown
  #serviceError: unknown
  readonly #log: EventLog
  readonly #fleet: Fleet
  readonly #client: BaseClient
  readonly #options: GatewayOptions
  readonly #pace: Pace
  readonly #id: string
  readonly #emitter: Emitter<{ change: RedisHolderState }>
  readonly #unsubscribers: (() => void)[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Time at which the timer is due. */
  #dueAt = Infinity
  #term: Term | undefined
  #trying: Promise<void> | undefined
  /** Whether something changed during the attempt, which may have missed it. */
  #isOutdated = false
  #closing: Promise<void> | undefined
  /** Hash of the last token, whose session Redis may have. */
  #tokenHash: string | undefined
  /** Whether no holder of this process has tried to connect the account: a failure of others is no reason to wait. */
  #isFirst: boolean
  /** Before this monotonic time others go first, in milliseconds. */
  #yieldsUntil = -Infinity

  constructor(log: EventLog, fleet: Fleet, client: BaseClient, options: GatewayOptions, logger: Logger | undefined) {
    const issues: Issue[] = []
    const config = readGatewayOptions(options, true, issues)
    if (config === undefined || issues.length > 0) throw new RequestValidationError('redisEvents().hold', issues)
    this.#log = log
    this.#fleet = fleet
    this.#id = `${fleet.id}.${crypto.randomUUID()}`
    this.#client = client
    this.#options = options
    this.#pace = new Pace(config.backoff)
    this.#emitter = new Emitter(new Events(logger).report)
    this.#unsubscribers.push(
      client.session.onChange(({ type }) => {
        if (type === 'signedOut' || type === 'tokenChanged') void this.#term?.end()
        if (type !== 'userChanged' && type !== 'elevated') this.#tryAfter(0)
      }),
      // Another holder has released the lease, perhaps.
      log.subscribe((what) => {
        const next = fleet.readRequest(what)
        const isAsked = next !== undefined && !this.#pace.isStarting
        if (isAsked && fleet.held.delete(this)) void this.#term?.end(fleet.yieldMs, `given ${next}`)
        else if (what.startsWith('given ') && what !== `given ${fleet.id}`) this.#tryAfter(fleet.yieldMs)
        else if (what !== 'events' && !what.startsWith('wanted')) this.#tryAfter(0)
      }),
    )
    this.#isFirst = !fleet.tried.has(log.events)
    log.isDue ||= this.#isFirst
    fleet.add(this)
    this.#tryAfter(0)
  }

  request(message: string): void {
    this.#request = message
    this.#tryAfter(0)
  }

  get lastError(): unknown {
    return this.#redisError ?? this.#serviceError
  }

  onChange(listener: (state: RedisHolderState) => void): () => void {
    return this.#emitter.on('change', listener)
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    for (const unsubscribe of this.#unsubscribers) unsubscribe()
    clearTimeout(this.#timer)
    this.#setState('closed')
    // Commands that are sent after the app has closed Redis would leave the lease behind.
    await this.#trying
    await Promise.all([this.#term?.end(), this.#fleet.delete(this)])
    this.#emitter.clear()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #tryAfter(ms: number): void {
    const dueAt = Math.max(performance.now() + ms, this.#yieldsUntil)
    // The reply to an attempt does not delay what a notification during it has asked for.
    if (this.#trying !== undefined && this.#dueAt < dueAt) return
    clearTimeout(this.#timer)
    this.#dueAt = Infinity
    if (this.state === 'closed' || this.#term !== undefined) return
    this.#dueAt = dueAt
    const start = () => {
      this.#dueAt = Infinity
      this.#isOutdated = this.#trying !== undefined
      this.#trying ??= this.#try().finally(() => {
        this.#trying = undefined
        if (this.#isOutdated) this.#tryAfter(0)
      })
    }
    this.#timer = setTimeout(start, dueAt - performance.now())
  }

  /** Takes the lease if it is free, and otherwise tries again when it ends. */
  async #try(): Promise<void> {
    const { token } = this.#client.session
    if (this.#term !== undefined) return
    try {
      if (token === null) return await this.#discard()
      const tokenHash = await hashOf(token)
      this.#tokenHash = tokenHash
      // Fails without the lease if the session is damaged.
      await this.#log.status()
      const takenAt = performance.now()
      const request = this.#request
      this.#request = ''
      const lease = await this.#log.acquire(this.#id, tokenHash, this.#isFirst, request)
      this.#redisError = undefined
      if ('waitMs' in lease) return this.#waitAfter(lease)
      this.#fleet.tried.add(this.#log.events)
      this.#isFirst = false
      this.#log.isDue = false
      const Socket = await resolveSocketClass(this.#options.WebSocket)
      if (this.state === 'closed' || token !== this.#client.session.token) {
        await this.#log.release(lease)
        return
      }
      this.#setState('connecting')
      this.#fleet.held.add(this)
      const upstream = connectUpstream(token, this.#options, Socket, lease, this.#pace)
      this.#term = new Term(this.#log, lease, upstream, takenAt, {
        onService: (error) => {
          this.#fleet.prove(!error)
          this.#onService(error ? 'connecting' : 'holding', error)
        },
        onWrite: (error) => {
          this.#redisError = error
        },
        onFailure: (error) => {
          this.#onService('failed', error)
          if (!isOfToken(error)) this.#fleet.prove(false)
          return this.#log.fail(lease, error.message, isOfToken(error) ? tokenHash : '')
        },
        onEnd: (error, yieldMs = 0) => {
          this.#term = undefined
          this.#fleet.held.delete(this)
          this.#redisError ??= error
          if (this.state === 'closed') return
          this.#yieldsUntil = performance.now() + yieldMs
          if (this.state !== 'failed') this.#setState('waiting')
          this.#tryAfter(error === undefined ? 0 : Math.random() * RETRY_MS)
        },
      })
    } catch (error) {
      this.#redisError = error
      this.#tryAfter(RETRY_MS)
    } finally {
      // Its attempt was skipped.
      if (token !== this.#client.session.token) this.#tryAfter(0)
    }
  }

  /** Waits until the lease may be free, or a failure over. */
  #waitAfter({ waitMs, heldBy, failure }: Refusal): void {
    this.rival = /:(.*)\./.exec(heldBy)?.[1] ?? ''
    this.#serviceError = failure === undefined ? undefined : new GatewayError('closed_for_good', failure)
    this.#setState(failure === undefined ? 'waiting' : 'failed')
    // Random, so that not all candidates try at the same time.
    this.#tryAfter(waitMs + this.#fleet.deferMs + 1 + Math.random() * 20)
  }

  #onService(state: RedisHolderState, error?: GatewayError): void {
    this.#serviceError = error
    this.#setState(state)
  }

  /** Removes what Redis has of a token that was signed out. */
  async #discard(): Promise<void> {
    if (this.state === 'failed') this.#onService('waiting')
    if (this.#tokenHash === undefined) return
    if (await this.#log.discard(this.#tokenHash)) this.#tokenHash = undefined
    // Another process has not noticed the sign-out yet.
    else this.#tryAfter(this.#log.leaseMs)
  }

  #setState(state: RedisHolderState): void {
    if (state === this.state || this.state === 'closed') return
    this.state = state
    this.#emitter.emit('change', state)
  }
}

/** Whether the service refused the token. The other codes are the fault of the deployment, as are errors of its options. */
function isOfToken({ closeCode }: GatewayError): boolean {
  return closeCode !== undefined && !(closeCode >= 4010 && closeCode <= 4014)
}
