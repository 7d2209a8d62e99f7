// Events that a client emits for each request; its log is made of them.
import type { Method } from '../contract/endpoint'
import { isRapportError } from '../errors/base'
import { Emitter, ignoreErrors } from '../internal/emitter'
import type { Issue } from '../internal/issue'
import type { Secrets } from '../internal/redact'
import type { MfaChallengeMethod } from '../types/mfa'
import type { CallInfo, Logger, ObjectFirstLogger, StoreWarning } from '../types/options'

/** Why a call waits before its next attempt, and for how long. */
export interface CallWait extends CallInfo {
  /** HTTP status of the attempt, or the name of its error if it failed without a usable response. */
  readonly reason: number | string
  /**
   * Planned duration of the wait, in milliseconds: backoff plus `Retry-After`. Time in the queue of a limit may follow, also
   * before a first attempt; it has no event, and `waitedMs` of `callEnd` includes it.
   */
  readonly waitMs: number
}

/** One way in which the service differs from the API document, without secrets, IDs and names of people. */
export interface Drift {
  /** Name of the endpoint, `request` for a custom one, `Gateway: ` and the name of an event, or `Gateway`. */
  readonly endpoint: string
  /** Path in the data; `[]` is any item of an array, `{key}` any key of a map. Of an unknown event its name. */
  readonly path: string
  /** How it differs; `mismatch` is an issue of a schema of the app. */
  readonly kind: 'unknown field' | 'missing field' | 'other type' | 'unknown value' | 'unknown event' | 'mismatch'
  /** The unknown value of an enumeration, the other type, or the code of the issue. At most 40 characters. */
  readonly seen?: string
  /** Number of responses or events with this difference, this one included. */
  readonly count: number
  /** Time of the first, ISO 8601. */
  readonly firstSeen: string
}

/** Compares what was received from an endpoint or the gateway with the API document, and emits differences. Does not throw. */
export type DriftObserver = (
  events: { emit(type: 'drift', event: Drift): void },
  source: string,
  data: unknown,
  issues: readonly Issue[],
  secrets: () => Secrets,
) => void

/** An attempt without a complete response. */
export interface RequestFailure extends CallInfo {
  /** Name of the error, such as `TypeError` or `TimeoutError`; `AbortError` if the app aborted the call or disposed of the client. */
  readonly errorName: string
  /** Code of the error or its cause, such as `ECONNRESET`. */
  readonly errorCode?: string | undefined
  /** HTTP status, if the headers of a response were received. */
  readonly status?: number | undefined
  /** Duration of the attempt, in milliseconds. */
  readonly durationMs: number
}

/** The end of a call. */
export interface CallEnd extends Pick<CallInfo, 'callId' | 'parentCallId' | 'endpoint'> {
  /** HTTP method; absent if a custom request was invalid. */
  readonly method?: Method | undefined
  /** Path template; absent if a custom request was invalid. */
  readonly path?: string | undefined
  /** `aborted` by the caller's signal or `dispose`; a timeout is an `error`, and so is a prompt that the user cancels. */
  readonly outcome: 'success' | 'error' | 'aborted'
  /** Name of the error that the call rejects with, such as `ServerError`; absent after a success. */
  readonly errorName?: string | undefined
  /** HTTP status of the last attempt; absent if no headers of a response were received. */
  readonly status?: number | undefined
  /** Number of requests sent; 0 if the call was invalid, its client disposed, or it was aborted while it waited. */
  readonly attempts: number
  /** Duration of the call, in milliseconds. */
  readonly durationMs: number
  /** Part of it that the call waited before attempts: for rate limits, in their queue, and for retries, in milliseconds. */
  readonly waitedMs: number
  /**
   * Part of it that a prompt for a second factor was open, in milliseconds. The call that verifies the answer of a sign-in has the
   * time of the prompt before it.
   */
  readonly promptMs: number
}

/**
 * Events of a client and its requests. Payloads never contain secrets. `request`, its end and `callEnd` are emitted for
 * calls that started when the client had a listener or a logger; without one, no event is created and no clock is read for it.
 */
export interface ClientEvents {
  /** An attempt is sent. Exactly one `response` or `requestFailed` follows. */
  request: CallInfo
  /** A complete response was received, whatever its status, and whether or not its body is valid. */
  response: CallInfo & {
    /** HTTP status. */
    readonly status: number
    /** Duration of the attempt, in milliseconds. */
    readonly durationMs: number
  }
  /**
   * An attempt has no complete response: a network error, a body that broke off or is too large, a redirect, which is
   * refused, a timeout, or an abort.
   */
  requestFailed: RequestFailure
  /** The call waits before it repeats an attempt that failed. */
  retry: CallWait
  /** The call waits because of a 429. It may wait longer if other calls are before it in the queue. */
  rateLimited: CallWait & {
    /** Whether the limit applies to all endpoints. */
    readonly global: boolean
  }
  /**
   * A call has ended; emitted exactly once, also if it was never sent. A sign-in of several calls has one for each, and
   * another one if it fails between them.
   */
  callEnd: CallEnd
  /** A call requires a second factor. */
  mfaRequired: CallInfo & {
    /** Accepted second factors. */
    readonly methods: readonly MfaChallengeMethod[]
  }
  /**
   * A second factor was verified, for the call and attempt that required it; they may be those of another client of the
   * account. If the app verified it with `mfa.finish` or a resumed challenge, the call is the one that verified it.
   */
  elevated: CallInfo
  /** The service rejected the session's current token. The client keeps the token; the app decides what to do. */
  unauthorized: CallInfo
  /** A success does not match the API. */
  responseMismatch: CallInfo & {
    /** Differences, by path and kind; values are not included. */
    readonly issues: readonly Issue[]
  }
  /**
   * A success or a gateway event differs from the API document. Only while a report of `createDriftReport` of
   * `rapport-sdk/doctor` is active, which compares them.
   */
  drift: Drift
  /** The token store or the rate limit store works without its storage, or the stored token is invalid. */
  warning: StoreWarning
}

/** Returns the log line of an event in logfmt: its name, and its fields except objects. */
function describe(type: keyof ClientEvents, event: object): string {
  const fields = Object.entries(event).flatMap(([name, value]) => {
    if (typeof value === 'number') return `${name}=${Math.round(value)}`
    return typeof value === 'string' ? `${name}=${/^[\w/{}.@]+$/.test(value) ? value : JSON.stringify(value)}` : []
  })
  return `rapport: ${[type, ...fields].join(' ')}`
}

/** Returns the name of an error that a call rejects with; not that of an app's own abort reason, which may be anything. */
export function eventErrorName(error: unknown): string {
  const { name } = Object(error)
  return isRapportError(error) || name === 'TimeoutError' ? name : 'AbortError'
}

/** Emits the events of a client and writes them to its logger. */
export class Events {
  readonly logger: Logger | undefined
  readonly followers: Followers
  #emitter: Emitter<ClientEvents> | undefined

  constructor(logger: Logger | undefined, followers = createFollowers()) {
    this.followers = followers
    this.logger = logger && safeLogger(logger)
  }

  on<K extends keyof ClientEvents>(type: K, listener: (event: ClientEvents[K]) => void): () => void {
    this.#emitter ??= new Emitter(this.report)
    return this.#emitter.on(type, listener)
  }

  /** Whether events are to be created. */
  get isObserved(): boolean {
    const { instrumentation, calls } = this.followers
    const hasFollowers = instrumentation !== undefined || calls?.hasSubscribers === true
    return hasFollowers || this.logger !== undefined || this.#emitter?.isEmpty === false
  }

  /** @param readDetails Returns what only the log shows of the event; called if it does. */
  emit<K extends keyof ClientEvents>(type: K, event: ClientEvents[K], readDetails?: () => object): void {
    const isWarning =
      type === 'warning' || type === 'responseMismatch' || ('outcome' in event && event.outcome === 'error')
    const level = isWarning ? 'warn' : 'debug'
    if (this.logger?.[level] && this.logger.isLevelEnabled?.(level) !== false)
      this.logger[level](describe(type, event), { ...event, ...readDetails?.() })
    this.#emitter?.emit(type, event)
    const { instrumentation, calls } = this.followers
    instrumentation?.onEvent(type, event)
    publish(calls, type, event)
  }

  /** Reports an error thrown by a listener: to `logger.error`, or else as an uncaught exception. */
  readonly report = (error: unknown): void => {
    if (this.logger?.error) this.logger.error('rapport: a listener threw', error)
    else {
      queueMicrotask(() => {
        throw error
      })
    }
  }

  /** Emits a warning, once the code that creates the client could add listeners. */
  readonly warn = (warning: ClientEvents['warning']): void => queueMicrotask(() => this.emit('warning', warning))
}

/** Wraps a logger so that an exception in it cannot fail a request. */
function safeLogger(logger: Logger): Logger {
  const levels = (['debug', 'info', 'warn', 'error'] as const).filter((level) => logger[level] !== undefined)
  const write = (level: (typeof levels)[number]) => (message: string, details?: unknown) => {
    // There is nowhere left to report its exceptions.
    ignoreErrors(() => logger[level]?.(message, details))
  }
  const isLevelEnabled = (level: string) => {
    try {
      return logger.isLevelEnabled?.(level) !== false
    } catch {
      return true
    }
  }
  return { ...Object.fromEntries(levels.map((level) => [level, write(level)])), isLevelEnabled }
}

/** Spans and metrics of `rapport-sdk/otel`. None of its functions throws. */
export interface Instrumentation {
  /** Runs a call; called in the context of its caller. */
  call<T>(callId: number, endpoint: string, run: () => T): T
  /** Sends a request of a call, and may add headers. */
  send<T>(callId: number, headers: Record<string, string>, send: () => T): T
  /** Waits for the place of a request in the limiter. */
  queue(place: Promise<void>): Promise<void>
  /** Runs a load of a live store. */
  load<T>(store: string, run: () => Promise<T>): Promise<T>
  onEvent<K extends keyof ClientEvents>(type: K, event: ClientEvents[K]): void
  /** Receives what `Listeners` of a gateway follow. */
  onGateway(gateway: object, signal: { readonly type: string; readonly data: object }): void
}

interface Channel {
  readonly hasSubscribers: boolean
  publish(message: unknown): void
}

/** What follows a client, its gateway, and the clients that its `as` creates. */
export interface Followers {
  instrumentation?: Instrumentation | undefined
  drift?: DriftObserver | undefined
  /** Channels of Node's `diagnostics_channel`, to which an app need not add anything. `undefined` on other platforms. */
  readonly calls: Channel | undefined
  readonly gateway: Channel | undefined
  /** Gateways that receive events. */
  readonly ready: Set<object>
}

export function createFollowers(): Followers {
  const { process }: Partial<typeof globalThis> = globalThis
  const channels = process?.getBuiltinModule?.('node:diagnostics_channel')
  return { calls: channels?.channel('rapport:call'), gateway: channels?.channel('rapport:gateway'), ready: new Set() }
}

/**
 * Publishes a frozen copy of an event with all its fields, if anyone has subscribed. Errors are without `cause`, which code of
 * the app may have thrown.
 */
export function publish(channel: Channel | undefined, type: string, data: object): void {
  if (!channel?.hasSubscribers) return
  const copy = (key: string, value: unknown) => (key === 'cause' ? undefined : Object.freeze(value))
  channel.publish(JSON.parse(JSON.stringify({ type, data }), copy))
}

/**
 * Adapts a logger of pino or bunyan to the option `logger`, so that the fields of events are fields of its lines.
 *
 * @example
 * import { Client, objectFirstLogger } from 'rapport-sdk'
 *
 * const pino = { debug() {}, info() {}, warn: console.warn, error: console.error } // import { pino } from 'pino'; pino()
 * const client = new Client({ baseUrl: 'https://service.example', logger: objectFirstLogger(pino) })
 */
export function objectFirstLogger(logger: ObjectFirstLogger): Logger {
  const write = (level: 'debug' | 'info' | 'warn' | 'error') => (message: string, details?: unknown) =>
    void logger[level](typeof details === 'object' && details ? details : { details }, message)
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    isLevelEnabled: (level) => logger.isLevelEnabled?.(level) ?? true,
  }
}
