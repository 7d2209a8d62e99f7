// The time in which one process holds the gateway connection of an account.
import { createClient } from '../client/create-client'
import { gateway } from '../client/parts'
import { RapportError } from '../errors/base'
import { type GatewayError, isGatewayError } from '../errors/client-errors'
import type { InternalProtocol } from '../gateway/backoff'
import type { GatewayDispatch } from '../gateway/events'
import type { GatewayOptions } from '../gateway/options'
import { defaultGatewayProtocol } from '../gateway/protocol'
import type { GatewaySocketClass } from '../gateway/socket'
import type { EventLog, Lease, NewEvent } from './event-log'
import type { Pace } from './fleet'

/** Maximum number of events that wait for Redis. Then the connection is closed, and resumed once Redis replies. */
const MAX_QUEUED = 10_000
/** Maximum number of events that are written at once. */
const MAX_BATCH = 200
/** Number of leases without a connection to the service after which a holder gives way to one that waits. */
const MAX_LEASES_DOWN = 2

/** Close code that keeps the session, so that another process can resume it. */
const RESUMABLE_CLOSE_CODE = 4000

/** What a holder does when its term changes. */
export interface TermHandlers {
  /** The service is connected or, with an error, the connection was lost or could not be opened. */
  onService(error?: GatewayError): void
  /** Redis has accepted events or the lease, or refused them. */
  onWrite(error?: unknown): void
  /** The service has closed the connection for good. */
  onFailure(error: GatewayError): Promise<void>
  /** @param yieldMs Time that others have to take the lease. */
  onEnd(error?: unknown, yieldMs?: number): void
}

/** The connection to the service that a holder shares: a client with only a gateway. */
type Upstream = ReturnType<typeof connectUpstream>

/** Creates the connection of a lease. It resumes the session of the holder before, if there was one, and keeps it when it ends. */
export function connectUpstream(
  token: string,
  options: GatewayOptions,
  Socket: GatewaySocketClass,
  { ready, sequence }: Lease,
  pace: Pace,
) {
  const base = options.protocol ?? defaultGatewayProtocol
  const protocol: InternalProtocol = {
    encode: (frame) => base.encode(frame),
    decode: (data) => base.decode(data),
    identify: (session) => base.identify(session),
    resume: (session) => base.resume(session),
    heartbeat: (last) => base.heartbeat(last),
    classifyClose: (code) => base.classifyClose(code),
    eventMap: base.eventMap,
    backoff: pace,
    session: ready && { ready, sequence },
  }
  const WebSocket = class extends Socket {
    override close(): void {
      super.close(RESUMABLE_CLOSE_CODE)
    }
  }
  // Only its gateway is used; nothing is sent to the URL.
  const baseUrl = 'https://gateway.invalid'
  const connection = { ...options, protocol, WebSocket, connectOnSignIn: false }
  return createClient({ baseUrl, token, allowInsecureHttp: true, gateway: connection }, { gateway })
}

/** The time in which a process has the lease of an account: publishes its events, and renews the lease. */
export class Term {
  readonly #log: EventLog
  readonly #lease: Lease
  readonly #client: Upstream
  readonly #handlers: TermHandlers
  readonly #queue: NewEvent[] = []
  /** Number of the last event that was published. */
  #number: number
  /** Until when the lease is certainly ours, monotonic time in milliseconds. */
  #validUntil: number
  #timer: ReturnType<typeof setTimeout> | undefined
  #publishing: Promise<void> | undefined
  #ending: Promise<void> | undefined
  #isUp = false
  /** Since when the service cannot be reached, monotonic time in milliseconds. */
  #downSince = Infinity
  #isEnded = false
  /** Whether a failed write is not repeated. */
  #isHandingOver = false

  constructor(log: EventLog, lease: Lease, client: Upstream, takenAt: number, handlers: TermHandlers) {
    this.#log = log
    this.#lease = lease
    this.#client = client
    this.#handlers = handlers
    this.#number = lease.number
    this.#validUntil = takenAt + log.leaseMs
    client.gateway
      .on('dispatch', (event) => this.#onDispatch(event))
      .on('warning', ({ code }) => {
        // The number of the events does not matter: one that is missing makes the lists of all consumers load again.
        if (code === 'sequence_gap') this.#add(undefined)
      })
      .on('stateChange', ({ state, error }) => {
        if (this.#isEnded) return
        this.#isUp = state === 'ready'
        if (this.#isUp) {
          this.#downSince = Infinity
          handlers.onService()
        } else if (state === 'reconnecting' && error) {
          this.#downSince = Math.min(this.#downSince, performance.now())
          handlers.onService(error)
        }
        if (this.#isUp || state === 'reconnecting') void this.#renew()
      })
      .on('error', (error) => {
        if (isGatewayError(error) && error.reason !== 'listener_threw') this.#ending ??= this.#fail(error)
      })
    client.gateway.connect().catch(() => {})
    this.#schedule()
  }

  /**
   * Publishes what was received, hands the lease over and closes the connection.
   * @param yieldMs Time that others have to take it.
   * @param message Message to them.
   */
  async end(yieldMs?: number, message?: string): Promise<void> {
    this.#ending ??= this.#end(yieldMs, message)
    await this.#ending
  }

  async #end(yieldMs?: number, message?: string): Promise<void> {
    if (this.#isEnded) return
    this.#stop()
    this.#isHandingOver = true
    await this.#flush().catch(() => {})
    // If Redis does not reply, the lease ends by itself.
    await this.#log.release(this.#lease, message).catch(() => {})
    this.#handlers.onEnd(undefined, yieldMs)
  }

  #onDispatch({ type, data, sequence }: GatewayDispatch): void {
    if (this.#isEnded) return
    // Consumers resume on their own.
    if (type !== 'resumed') this.#add({ type, data, sequence })
  }

  #add(event: NewEvent): void {
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
        const count = await this.#log.publish(this.#lease, this.#number, batch)
        if (count === 0) return this.#abandon(lostError())
        this.#number += count
        this.#queue.splice(0, count)
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
      const { leaseMs } = this.#log
      const renewed = await this.#log.renew(this.#lease, this.#isUp)
      if (renewed) {
        this.#validUntil = startedAt + leaseMs
        if (this.#queue.length === 0) this.#onWrite()
        void this.#flush()
        // Another process may reach the service.
        if (renewed.isWanted && performance.now() >= this.#downSince + MAX_LEASES_DOWN * leaseMs) void this.end(leaseMs)
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
    this.#client.dispose()
  }
}

function lostError(): RapportError {
  return new RapportError(
    'The lease of the Gateway connection was lost: Redis was not reached in time, or has lost it.',
  )
}
