import { formatIssues, type Issue } from '../internal/issue'
import { declareKind, guardFor, RapportError } from './base'

/** No usable response: the service was unreachable, the connection was lost, or the response was a redirect. */
export class ConnectionError extends RapportError {
  declare readonly name: 'ConnectionError'
  /** Name of the endpoint. */
  declare readonly endpoint: string
  /**
   * Whether the service may not allow requests from the origin of this page. Browsers report that like a lost
   * connection; `false` if the browser is offline, and outside of browsers.
   */
  declare readonly isCorsSuspected: boolean

  /** @internal */
  static override readonly kind: string = declareKind(this, 'ConnectionError')

  constructor(endpoint: string, reason: string, options?: ErrorOptions & { readonly isCorsSuspected?: boolean }) {
    super(`${endpoint}: ${reason}`, options)
    this.endpoint = endpoint
    this.isCorsSuspected = options?.isCorsSuspected ?? false
  }
}

/** Whether an error is a {@link ConnectionError}. */
export const isConnectionError = guardFor<ConnectionError>('ConnectionError')

/** Successful response without valid JSON: HTML, empty, truncated, or larger than `maxResponseBytes`. */
export class ResponseParseError extends RapportError {
  declare readonly name: 'ResponseParseError'
  /** Name of the endpoint. */
  declare readonly endpoint: string
  /** HTTP status of the response, a success: the service has executed the request. */
  declare readonly status: number

  /** @internal */
  static override readonly kind: string = declareKind(this, 'ResponseParseError')

  constructor(endpoint: string, status: number, reason: string, options?: ErrorOptions) {
    super(`${endpoint} succeeded with status ${status}, but its response cannot be parsed: ${reason}`, options)
    this.endpoint = endpoint
    this.status = status
  }
}

/** Whether an error is a {@link ResponseParseError}. */
export const isResponseParseError = guardFor<ResponseParseError>('ResponseParseError')

/** Exceeded time limit: `timeout` of an attempt, `deadline` of the call, `mfaTimeout` of a prompt. */
export type TimeLimit = 'timeout' | 'deadline' | 'mfaTimeout'

const MFA_HINT = ' Calls of the handler need `onMfaRequired: false`.'

/** Exceeded time limit of an attempt, a call or a prompt: increase the option named by `limit` if more time is needed. */
export class TimeoutError extends RapportError {
  declare readonly name: 'TimeoutError'
  /** Name of the endpoint. */
  declare readonly endpoint: string
  /** Exceeded limit. */
  declare readonly limit: TimeLimit
  /** Value of the limit in milliseconds. */
  declare readonly limitMs: number

  /** @internal */
  static override readonly kind: string = declareKind(this, 'TimeoutError')

  constructor(
    endpoint: string,
    limit: TimeLimit,
    limitMs: number,
    problem = limit === 'mfaTimeout' ? 'the MFA prompt was not answered' : 'no response',
    options?: ErrorOptions,
  ) {
    super(
      `${endpoint}: ${problem} within ${limitMs} ms (\`${limit}\`).${limit === 'mfaTimeout' ? MFA_HINT : ''}`,
      options,
    )
    this.endpoint = endpoint
    this.limit = limit
    this.limitMs = limitMs
  }
}

/** Whether an error is a {@link TimeoutError}. */
export const isTimeoutError = guardFor<TimeoutError>('TimeoutError')

/** Invalid input of the caller; the request was not sent. `issues` contains all problems. */
export class RequestValidationError extends RapportError {
  declare readonly name: 'RequestValidationError'
  /** All problems, each with its path, limit and actual value; secrets are redacted. */
  declare readonly issues: readonly Issue[]
  /** Name of the endpoint, or of the function that rejected its options. */
  declare readonly endpoint: string

  /** @internal */
  static override readonly kind: string = declareKind(this, 'RequestValidationError')

  /** @param isCall Whether the message says that nothing was sent. */
  constructor(endpoint: string, issues: readonly Issue[], isCall = false) {
    const count = issues.length === 1 ? '1 problem' : `${issues.length} problems`
    super(`${endpoint}: ${count} in the input${isCall ? ', nothing was sent' : ''}:\n${formatIssues(issues)}`)
    this.endpoint = endpoint
    this.issues = issues
  }
}

/** Whether an error is a {@link RequestValidationError}. */
export const isRequestValidationError = guardFor<RequestValidationError>('RequestValidationError')

/**
 * Successful response that does not match the API: with `onResponseMismatch: 'throw'`, and always if a sign-in or a
 * second factor returns no token, or the list of a live store has items without an ID.
 */
export class ResponseMismatchError extends RapportError {
  declare readonly name: 'ResponseMismatchError'
  /** All problems, by path and type; without values of the response. */
  declare readonly issues: readonly Issue[]
  /** Name of the endpoint. */
  declare readonly endpoint: string

  /** @internal */
  static override readonly kind: string = declareKind(this, 'ResponseMismatchError')

  constructor(endpoint: string, issues: readonly Issue[]) {
    super(`${endpoint} returned a response that does not match the API:\n${formatIssues(issues)}`)
    this.endpoint = endpoint
    this.issues = issues
  }
}

/** Whether an error is a {@link ResponseMismatchError}. */
export const isResponseMismatchError = guardFor<ResponseMismatchError>('ResponseMismatchError')

/** Invalid message, modal or component. `issues` contains all problems. */
export class ComponentError extends RapportError {
  declare readonly name: 'ComponentError'
  /** All problems and warnings, each with its path, limit and actual value. */
  declare readonly issues: readonly Issue[]

  /** @internal */
  static override readonly kind: string = declareKind(this, 'ComponentError')

  constructor(subject: string, issues: readonly Issue[]) {
    const errors = issues.filter(({ severity }) => severity === 'error')
    const count = errors.length === 1 ? '1 problem' : `${errors.length} problems`
    super(`${count} in ${subject}:\n${formatIssues(errors)}`)
    this.issues = issues
  }
}

/** Whether an error is a {@link ComponentError}. */
export const isComponentError = guardFor<ComponentError>('ComponentError')

/**
 * Reason why a WebAuthn ceremony returned no credential:
 *
 * - `cancelled`: the user closed the dialog, it timed out, or another ceremony of the page replaced it. Also if a
 *   browser has no matching credential: browsers do not reveal which of these happened.
 * - `no_credential`: the platform reported that it has no credential.
 * - `wrong_domain`: the credentials belong to a domain other than that of the page.
 * - `unsupported`: the platform has no WebAuthn, or no passkeys in autofill, or the page is in an iframe without the
 *   permission `publickey-credentials-get`. Firefox reports the latter as `cancelled`.
 * - `invalid_options`: the service sent invalid options.
 * - `failed`: any other failure; `cause` is the error of the platform.
 */
export type WebAuthnFailure =
  | 'cancelled'
  | 'no_credential'
  | 'wrong_domain'
  | 'unsupported'
  | 'invalid_options'
  | 'failed'

/** WebAuthn ceremony that returned no credential. */
export class WebAuthnError extends RapportError {
  declare readonly name: 'WebAuthnError'
  /** Reason of the failure. */
  declare readonly reason: WebAuthnFailure

  /** @internal */
  static override readonly kind: string = declareKind(this, 'WebAuthnError')

  constructor(reason: WebAuthnFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** Whether an error is a {@link WebAuthnError}. */
export const isWebAuthnError = guardFor<WebAuthnError>('WebAuthnError')

/**
 * Reason of a gateway failure:
 *
 * - `closed_for_good`: the service closed the connection with a code that is not retryable (`closeCode`).
 * - `connection_failed`: the connection was lost or could not be opened (`closeCode`, `status`, `code`). The gateway
 *   retries: this is the `error` of a state change and the `cause` of a `connect` that timed out, never an `error`
 *   event.
 * - `not_signed_in`: there is no token to identify with.
 * - `not_configured`: the client has no `gateway` option.
 * - `no_socket`: the platform has no WebSocket, or refuses to open one to this URL.
 * - `disconnected`: `disconnect`, a sign-out or `dispose` ended the pending operation.
 * - `stream_overflow`: a stream was read too slowly.
 * - `listener_threw`: a listener threw or rejected (`cause`).
 * - `protocol_threw`: the `protocol` option threw (`cause`).
 * - `schema_threw`: the client option `userSchema` threw or returned something else than a result (`cause`).
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
  | 'schema_threw'

interface GatewayErrorOptions extends ErrorOptions {
  readonly closeCode?: number
  readonly status?: number
  readonly code?: string
}

/** Failure of the gateway. */
export class GatewayError extends RapportError {
  declare readonly name: 'GatewayError'
  /** Reason of the failure. */
  declare readonly reason: GatewayFailure
  /** Close code of the connection, if the service closed it. */
  declare readonly closeCode: number | undefined
  /** HTTP status of a rejected WebSocket upgrade, if the platform reports it; browsers do not. */
  declare readonly status: number | undefined
  /** Code of the platform's error, such as `ECONNREFUSED` or `CERT_HAS_EXPIRED`, if any. */
  declare readonly code: string | undefined

  /** @internal */
  static override readonly kind: string = declareKind(this, 'GatewayError')

  constructor(reason: GatewayFailure, message: string, options: GatewayErrorOptions = {}) {
    super(`gateway: ${message}`, options)
    this.reason = reason
    this.closeCode = options.closeCode
    this.status = options.status
    this.code = options.code
  }
}

/** Whether an error is a {@link GatewayError}. */
export const isGatewayError = guardFor<GatewayError>('GatewayError')

/** Cancelled MFA prompt: the handler returned null or threw (`cause`), or the session changed. The next call prompts again. */
export class MfaCancelledError extends RapportError {
  declare readonly name: 'MfaCancelledError'

  /** @internal */
  static override readonly kind: string = declareKind(this, 'MfaCancelledError')

  constructor(reason: string, options?: ErrorOptions) {
    super(`MFA was cancelled: ${reason}.`, options)
  }
}

/** Whether an error is an {@link MfaCancelledError}. */
export const isMfaCancelledError = guardFor<MfaCancelledError>('MfaCancelledError')

/**
 * MFA that failed: three answers were refused, the handler repeated a refused one, the ticket expired twice, or a saved
 * challenge cannot be resumed. `cause` is the last error of the service. The next call prompts again.
 */
export class MfaFailedError extends RapportError {
  declare readonly name: 'MfaFailedError'
  /** Number of answers submitted; 0 if a saved challenge cannot be resumed. */
  declare readonly attempts: number

  /** @internal */
  static override readonly kind: string = declareKind(this, 'MfaFailedError')

  constructor(attempts: number, reason: string, options?: ErrorOptions) {
    super(`MFA failed: ${reason}.`, options)
    this.attempts = attempts
  }
}

/** Whether an error is an {@link MfaFailedError}. */
export const isMfaFailedError = guardFor<MfaFailedError>('MfaFailedError')
