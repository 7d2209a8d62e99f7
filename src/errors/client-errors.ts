import { formatIssues, type Issue } from '../internal/issue'
import { declareKind, guardFor, RapportError } from './base'

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

/** A request was not sent, because something the caller gave breaks the interface. `issues` lists all of it. */
export class RequestValidationError extends RapportError {
  declare readonly name: 'RequestValidationError'
  /** Every problem, with its path, the limit and what was given; secrets are masked. */
  readonly issues: readonly Issue[]
  /** Name of the endpoint or of the option that was called. */
  readonly endpoint: string

  /** @internal */
  static override readonly kind: string = /*@__PURE__*/ declareKind(RequestValidationError, 'RequestValidationError')

  constructor(endpoint: string, issues: readonly Issue[]) {
    const count = issues.length === 1 ? '1 problem' : `${issues.length} problems`
    super(`${endpoint}: ${count} in what was given, nothing was sent:\n${formatIssues(issues)}`)
    this.endpoint = endpoint
    this.issues = issues
  }
}

/** Whether an error is a {@link RequestValidationError}. */
export const isRequestValidationError: (error: unknown) => error is RequestValidationError =
  /*@__PURE__*/ guardFor('RequestValidationError')

/** A success whose body is not what the interface describes; thrown with `onResponseMismatch: 'throw'` alone. */
export class ResponseMismatchError extends RapportError {
  declare readonly name: 'ResponseMismatchError'
  /** Every problem, by path and kind; values of the response are not shown. */
  readonly issues: readonly Issue[]
  /** Name of the endpoint. */
  readonly endpoint: string

  /** @internal */
  static override readonly kind: string = /*@__PURE__*/ declareKind(ResponseMismatchError, 'ResponseMismatchError')

  constructor(endpoint: string, issues: readonly Issue[]) {
    super(`${endpoint} answered something that the interface does not describe:\n${formatIssues(issues)}`)
    this.endpoint = endpoint
    this.issues = issues
  }
}

/** Whether an error is a {@link ResponseMismatchError}. */
export const isResponseMismatchError: (error: unknown) => error is ResponseMismatchError =
  /*@__PURE__*/ guardFor('ResponseMismatchError')

/** A message, a modal or a component breaks the interface. `issues` lists all of it. */
export class ComponentError extends RapportError {
  declare readonly name: 'ComponentError'
  /** Every problem and every warning, with its path, the limit and what was given. */
  readonly issues: readonly Issue[]

  /** @internal */
  static override readonly kind: string = /*@__PURE__*/ declareKind(ComponentError, 'ComponentError')

  constructor(subject: string, issues: readonly Issue[]) {
    const errors = issues.filter(({ severity }) => severity === 'error')
    const count = errors.length === 1 ? '1 problem' : `${errors.length} problems`
    super(`${count} in ${subject}:\n${formatIssues(errors)}`)
    this.issues = issues
  }
}

/** Whether an error is a {@link ComponentError}. */
export const isComponentError: (error: unknown) => error is ComponentError = /*@__PURE__*/ guardFor('ComponentError')

/**
 * Why a WebAuthn ceremony gave no credential.
 *
 * - `cancelled`: the person closed the dialog, it ran out of time, or another ceremony of the page took its place. Also
 *   where a browser has no credential that fits: it does not tell a page which of these it was.
 * - `no_credential`: the platform gave none, and said so.
 * - `wrong_domain`: the page is not on the domain that the credentials are for.
 * - `unsupported`: there is no WebAuthn, or no autofill of passkeys, here.
 * - `invalid_options`: the service sent none that can be read.
 * - `failed`: anything else; `cause` has what the platform threw.
 */
export type WebAuthnFailure =
  | 'cancelled'
  | 'no_credential'
  | 'wrong_domain'
  | 'unsupported'
  | 'invalid_options'
  | 'failed'

/** A WebAuthn ceremony gave no credential; `reason` tells why. */
export class WebAuthnError extends RapportError {
  declare readonly name: 'WebAuthnError'
  /** Why, for programs. */
  readonly reason: WebAuthnFailure

  /** @internal */
  static override readonly kind: string = /*@__PURE__*/ declareKind(WebAuthnError, 'WebAuthnError')

  constructor(reason: WebAuthnFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** Whether an error is a {@link WebAuthnError}. */
export const isWebAuthnError: (error: unknown) => error is WebAuthnError = /*@__PURE__*/ guardFor('WebAuthnError')

/**
 * Why something of the gateway failed:
 * - `closed_for_good`: the service closed the connection with a code after which trying again is in vain (`closeCode`);
 * - `connection_failed`: the connection was lost or could not be opened (`closeCode`, `status`, `code`). The gateway tries
 *   again: this is the `error` of a state change, and the `cause` of a `connect` that timed out, never an `error` event;
 * - `not_signed_in`: there is no token to identify with;
 * - `not_configured`: the client has no `gateway` option;
 * - `no_socket`: the platform has no WebSocket, or refuses to open one there;
 * - `disconnected`: `disconnect`, signing out or `dispose` ended what was waiting;
 * - `stream_overflow`: a stream was read too slowly;
 * - `listener_threw`: a listener threw or rejected (`cause`);
 * - `protocol_threw`: the `protocol` of the options threw (`cause`).
 */
export type GatewayFailure =
  | 'closed_for_good'
  | 'connection_failed'
  | 'not_signed_in'
  | 'not_configured'
  | 'no_socket'
  | 'disconnected'
  | 'stream_overflow'
  | 'listener_threw'
  | 'protocol_threw'

interface GatewayErrorOptions extends ErrorOptions {
  readonly closeCode?: number
  readonly status?: number
  readonly code?: string
}

/** Something of the gateway failed; `reason` tells what. */
export class GatewayError extends RapportError {
  declare readonly name: 'GatewayError'
  /** What failed, for programs. */
  readonly reason: GatewayFailure
  /** The code that the service closed the connection with, if that is what happened. */
  readonly closeCode: number | undefined
  /** HTTP status with which the upgrade to a WebSocket was refused, if the platform says; browsers do not. */
  readonly status: number | undefined
  /** Code of the platform's error, such as `ECONNREFUSED` or `CERT_HAS_EXPIRED`, if it has one. */
  readonly code: string | undefined

  /** @internal */
  static override readonly kind: string = /*@__PURE__*/ declareKind(GatewayError, 'GatewayError')

  constructor(reason: GatewayFailure, message: string, options: GatewayErrorOptions = {}) {
    super(`gateway: ${message}`, options)
    this.reason = reason
    this.closeCode = options.closeCode
    this.status = options.status
    this.code = options.code
  }
}

/** Whether an error is a {@link GatewayError}. */
export const isGatewayError: (error: unknown) => error is GatewayError = /*@__PURE__*/ guardFor('GatewayError')

/** A second factor was asked for and not given: the handler gave null or threw (`cause`), or the session changed. */
export class MfaCancelledError extends RapportError {
  declare readonly name: 'MfaCancelledError'

  /** @internal */
  static override readonly kind: string = /*@__PURE__*/ declareKind(MfaCancelledError, 'MfaCancelledError')

  constructor(reason: string, options?: ErrorOptions) {
    super(`The second factor was not given: ${reason}. The next call asks again.`, options)
  }
}

/** Whether an error is an {@link MfaCancelledError}. */
export const isMfaCancelledError: (error: unknown) => error is MfaCancelledError =
  /*@__PURE__*/ guardFor('MfaCancelledError')

/** A second factor was given and refused as often as it may be; `cause` is the service's last error. */
export class MfaFailedError extends RapportError {
  declare readonly name: 'MfaFailedError'
  /** How often an answer was given. */
  readonly attempts: number

  /** @internal */
  static override readonly kind: string = /*@__PURE__*/ declareKind(MfaFailedError, 'MfaFailedError')

  constructor(attempts: number, reason: string, options?: ErrorOptions) {
    super(`The second factor failed: ${reason}. The next call asks again.`, options)
    this.attempts = attempts
  }
}

/** Whether an error is an {@link MfaFailedError}. */
export const isMfaFailedError: (error: unknown) => error is MfaFailedError = /*@__PURE__*/ guardFor('MfaFailedError')
