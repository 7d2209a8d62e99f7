import type { Method } from '../contract/endpoint'
import { RequestValidationError } from '../errors/client-errors'
import { Emitter, safeCall } from '../internal/emitter'
import { createIssue, type Issue } from '../internal/issue'
import { validateEventName } from '../internal/options'
import type { MfaChallengeMethod } from '../types/mfa'
import type { Logger } from '../types/options'

/** Which call an event is about. */
export interface CallInfo {
  /** Name of the endpoint. */
  readonly endpoint: string
  /** HTTP method. */
  readonly method: Method
  /** Path template, parameters unfilled. */
  readonly path: string
  /** Which attempt of the call it is, from 1. */
  readonly attempt: number
}

/** What a client tells of its calls. No event carries a secret. */
export interface ClientEvents {
  /** A request goes out. */
  request: CallInfo
  /** An answer has come, with its body. */
  response: CallInfo & {
    /** HTTP status. */
    readonly status: number
    /** How long the attempt took, in milliseconds. */
    readonly durationMs: number
  }
  /** An attempt failed and is repeated. */
  retry: CallInfo & {
    /** Status of the failed attempt; absent where no answer came. */
    readonly status?: number
  }
  /** The service asks to wait, and the call waits. */
  rateLimited: CallInfo & {
    /** How long, in milliseconds. */
    readonly retryAfterMs: number
    /** Whether the limit holds for all endpoints. */
    readonly global: boolean
  }
  /** A call needs a second factor. */
  mfaRequired: CallInfo & {
    /** The second factors that are accepted. */
    readonly methods: readonly MfaChallengeMethod[]
  }
  /** A second factor was verified. */
  elevated: {
    /** Name of the endpoint whose prompt it was. */
    readonly endpoint: string
  }
  /** The service has refused the session's current token. The client keeps it; the app decides. */
  unauthorized: CallInfo
  /** A success is not what the interface describes. */
  responseMismatch: CallInfo & {
    /** What is off, by path and kind; values are not shown. */
    readonly issues: readonly Issue[]
  }
}

/** Every event, and whether a log has a warning of it. */
const EVENTS: Readonly<Record<keyof ClientEvents, boolean>> = {
  request: false,
  response: false,
  retry: true,
  rateLimited: true,
  mfaRequired: false,
  elevated: false,
  unauthorized: false,
  responseMismatch: true,
}

/** Emits the events of a client and writes them to its logger. */
export class Events {
  readonly logger: Logger | undefined

  constructor(logger: Logger | undefined) {
    this.logger = logger && guarded(logger)
  }

  on<K extends keyof ClientEvents>(type: K, listener: (event: ClientEvents[K]) => void): () => void {
    checkEventNames('Client.on', [type], Object.keys(EVENTS))
    return this.#emitter.on(type, listener)
  }

  emit<K extends keyof ClientEvents>(type: K, event: ClientEvents[K]): void {
    if (EVENTS[type]) this.logger?.warn?.(`rapport: ${type}`, event)
    this.#emitter.emit(type, event)
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
  readonly #emitter = new Emitter<ClientEvents>(this.report)

  clear(): void {
    this.#emitter.clear()
  }
}

/** Wraps a logger so that an exception in it cannot fail a request. */
function guarded(logger: Logger): Logger {
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
 * Checks names of events that somebody wants to hear of: one that is misspelt would never be told.
 * @throws RequestValidationError naming all that no event has.
 */
export function checkEventNames(method: string, names: readonly unknown[], known: readonly unknown[]): void {
  const issues = Array.isArray(names)
    ? [...names].flatMap((name) => validateEventName([String(name)], name, known))
    : [createIssue([], 'invalid_type', 'expected a list of names of events')]
  if (issues.length > 0) throw new RequestValidationError(method, issues)
}
