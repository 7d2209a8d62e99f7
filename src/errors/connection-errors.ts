import { declareKind, guardFor, RapportError } from './rapport-error'

/** No answer came: the service could not be reached, the connection broke, or the answer was a redirect. */
export class ConnectionError extends RapportError {
  declare readonly name: 'ConnectionError'
  /** Name of the endpoint. */
  readonly endpoint: string

  /** @internal */
  static override readonly kind: string = /*@__PURE__*/ declareKind(ConnectionError, 'ConnectionError')

  constructor(endpoint: string, reason: string, options?: ErrorOptions) {
    super(`${endpoint}: ${reason}`, options)
    this.endpoint = endpoint
  }
}
/** Whether an error is a {@link ConnectionError}. */
export const isConnectionError: (error: unknown) => error is ConnectionError = /*@__PURE__*/ guardFor('ConnectionError')

/** A success without readable JSON: HTML, nothing, cut off, or larger than `maxResponseBytes`. */
export class ResponseParseError extends RapportError {
  declare readonly name: 'ResponseParseError'
  /** Name of the endpoint. */
  readonly endpoint: string
  /** HTTP status of the answer; the service has done what it was asked to. */
  readonly status: number

  /** @internal */
  static override readonly kind: string = /*@__PURE__*/ declareKind(ResponseParseError, 'ResponseParseError')

  constructor(endpoint: string, status: number, reason: string, options?: ErrorOptions) {
    super(`${endpoint} succeeded with status ${status}, but its answer cannot be read: ${reason}`, options)
    this.endpoint = endpoint
    this.status = status
  }
}
/** Whether an error is a {@link ResponseParseError}. */
export const isResponseParseError: (error: unknown) => error is ResponseParseError =
  /*@__PURE__*/ guardFor('ResponseParseError')

/** Which limit of time was passed: `timeout` for an attempt, `deadline` for the call, `mfaTimeout` for a prompt. */
export type TimeLimit = 'timeout' | 'deadline' | 'mfaTimeout'

const HINTS: Readonly<Record<TimeLimit, string>> = {
  timeout: 'Raise `timeout` if it may take longer.',
  deadline: 'Raise `deadline` if the call may take longer.',
  mfaTimeout:
    'Raise `mfaTimeout` if people need longer. If the handler itself makes calls, give them `onMfaRequired: false`, or they wait for their own prompt.',
}

/** Something took longer than it may. */
export class TimeoutError extends RapportError {
  declare readonly name: 'TimeoutError'
  /** Name of the endpoint. */
  readonly endpoint: string
  /** Which limit was passed. */
  readonly limit: TimeLimit
  /** The limit, in milliseconds. */
  readonly limitMs: number

  /** @internal */
  static override readonly kind: string = /*@__PURE__*/ declareKind(TimeoutError, 'TimeoutError')

  constructor(
    endpoint: string,
    limit: TimeLimit,
    limitMs: number,
    what = limit === 'mfaTimeout' ? 'its second factor was not given' : 'it was not answered',
    options?: ErrorOptions,
  ) {
    super(`${endpoint}: ${what} within ${limitMs} ms (\`${limit}\`). ${HINTS[limit]}`, options)
    this.endpoint = endpoint
    this.limit = limit
    this.limitMs = limitMs
  }
}
/** Whether an error is a {@link TimeoutError}. */
export const isTimeoutError: (error: unknown) => error is TimeoutError = /*@__PURE__*/ guardFor('TimeoutError')
