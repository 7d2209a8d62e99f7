// Events that a client emits for each request; its log is made of them.
import type { Method } from '../contract/endpoint'
import { RequestValidationError } from '../errors/client-errors'
import { Emitter, safeCall } from '../internal/emitter'
import { createIssue, type Issue } from '../internal/issue'
import { validateName } from '../internal/options'
import type { MfaChallengeMethod } from '../types/mfa'
import type { Logger, RateLimitWarning, TokenStoreWarning } from '../types/options'

/** Identifies the call of an event. */
export interface CallInfo {
  /** Name of the endpoint. */
  readonly endpoint: string
  /** HTTP method. */
  readonly method: Method
  /** Path template, such as `/users/{user.id}`. */
  readonly path: string
  /** Number of the attempt, starting at 1. */
  readonly attempt: number
}

/** Events of a client and its requests. Payloads never contain secrets. */
export interface ClientEvents {
  /** A request is sent. */
  request: CallInfo
  /** A response was received, including its body. */
  response: CallInfo & {
    /** HTTP status. */
    readonly status: number
    /** Duration of the attempt, in milliseconds. */
    readonly durationMs: number
  }
  /** An attempt failed and is retried. */
  retry: CallInfo & {
    /** HTTP status of the failed attempt; absent if there was no response. */
    readonly status?: number
  }
  /** The call waits for a rate limit of the service. */
  rateLimited: CallInfo & {
    /** Duration of the wait, in milliseconds. */
    readonly retryAfterMs: number
    /** Whether the limit applies to all endpoints. */
    readonly global: boolean
  }
  /** A call requires a second factor. */
  mfaRequired: CallInfo & {
    /** Accepted second factors. */
    readonly methods: readonly MfaChallengeMethod[]
  }
  /** A second factor was verified. */
  elevated: {
    /** Name of the endpoint that required it. */
    readonly endpoint: string
  }
  /** The service rejected the session's current token. The client keeps the token; the app decides what to do. */
  unauthorized: CallInfo
  /** A success does not match the API. */
  responseMismatch: CallInfo & {
    /** Differences, by path and kind; values are not included. */
    readonly issues: readonly Issue[]
  }
  /** The token store or the rate limit store works without its storage, or the stored token is invalid. */
  warning: TokenStoreWarning | RateLimitWarning
}

/** All events, and whether each is logged as a warning. */
const EVENTS: Readonly<Record<keyof ClientEvents, boolean>> = {
  request: false,
  response: false,
  retry: true,
  rateLimited: true,
  mfaRequired: false,
  elevated: false,
  unauthorized: false,
  responseMismatch: true,
  warning: true,
}

/** Emits the events of a client and writes them to its logger. */
export class Events {
  readonly logger: Logger | undefined
  #emitter: Emitter<ClientEvents> | undefined

  constructor(logger: Logger | undefined) {
    this.logger = logger && safeLogger(logger)
  }

  on<K extends keyof ClientEvents>(type: K, listener: (event: ClientEvents[K]) => void): () => void {
    checkEventNames('Client.on', [type], Object.keys(EVENTS))
    this.#emitter ??= new Emitter(this.report)
    return this.#emitter.on(type, listener)
  }

  /** Whether anyone may hear an event that is not logged. */
  get hasListeners(): boolean {
    return this.#emitter !== undefined
  }

  emit<K extends keyof ClientEvents>(type: K, event: ClientEvents[K]): void {
    if (EVENTS[type]) this.logger?.warn?.(`rapport: ${type}`, event)
    this.#emitter?.emit(type, event)
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

  clear(): void {
    this.#emitter?.clear()
  }
}

/** Wraps a logger so that an exception in it cannot fail a request. */
function safeLogger(logger: Logger): Logger {
  const levels = (['debug', 'info', 'warn', 'error'] as const).filter((level) => logger[level] !== undefined)
  const write = (level: keyof Logger) => (message: string, details?: unknown) => {
    // There is nowhere left to report its exceptions.
    safeCall(
      () => logger[level]?.(message, details),
      undefined,
      () => {},
    )
  }
  return Object.fromEntries(levels.map((level) => [level, write(level)]))
}

/**
 * Validates event names passed to `on`; a misspelt one would never be emitted.
 * @throws RequestValidationError naming every unknown event.
 */
export function checkEventNames(method: string, names: readonly unknown[], known: readonly unknown[]): void {
  const issues = Array.isArray(names)
    ? [...names].flatMap((name) => validateName([String(name)], name, known))
    : [createIssue([], 'invalid_type', 'expected an array of event names')]
  if (issues.length > 0) throw new RequestValidationError(method, issues)
}
