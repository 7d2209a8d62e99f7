import { formatIssues, toOneLine } from '../internal/issue'
import type { Elevated, MfaChallenge } from '../types/mfa'
import type { FieldError } from '../types/options'
import { declareKind, guardFor, RapportError } from './base'

/** Content of an error response: fields of {@link ApiError}, with redacted headers. */
export interface ApiFailure
  extends Pick<ApiError, 'endpoint' | 'status' | 'serviceMessage' | 'fieldErrors' | 'body'>,
    Partial<Pick<ApiError, 'code' | 'requestId'>> {
  /** Number of requests that the call sent. Default: 1. */
  readonly attempts?: number | undefined
  /** Headers of the response. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

// Fields of errors are only declared: the constructors assign all of them, and bundles are smaller.

/** Error response of the service. Subclasses exist for common statuses and codes. */
export class ApiError extends RapportError {
  declare readonly name: string
  /** HTTP status. */
  declare readonly status: number
  /** JSON error code of the service; `undefined` if there is none. */
  declare readonly code: number | undefined
  /** Message of the service, suitable for display to users; empty if there is none. */
  declare readonly serviceMessage: string
  /** Problems of single fields; empty if none are reported. */
  declare readonly fieldErrors: readonly FieldError[]
  /** Name of the endpoint. */
  declare readonly endpoint: string
  /** Number of requests that the call sent, including retries; 0 if the client refused to send it. */
  declare readonly attempts: number
  /** Identifier of the request, from the first header of the option `requestIdHeaders` that the response has. */
  declare readonly requestId: string | undefined
  /** Response body with secrets redacted; not enumerable, so that it is not logged by accident. */
  declare readonly body: unknown
  /** Headers of the response with secrets redacted; not enumerable. In browsers, only those that CORS exposes. */
  declare readonly headers: Headers

  /** @internal */
  static override readonly kind: string = declareKind(this, 'ApiError')

  constructor(failure: ApiFailure, advice = '') {
    super(formatMessage(failure, advice))
    this.status = failure.status
    this.code = failure.code
    this.serviceMessage = failure.serviceMessage
    this.fieldErrors = failure.fieldErrors
    this.endpoint = failure.endpoint
    this.attempts = failure.attempts ?? 1
    this.requestId = failure.requestId
    Object.defineProperty(this, 'body', { value: failure.body })
    // Created on use: not every platform has the class.
    Object.defineProperty(this, 'headers', { get: () => new Headers(failure.headers) })
  }
}

/** Whether an error is an {@link ApiError} or a subclass. */
export const isApiError = guardFor<ApiError>('ApiError')

function formatMessage(failure: ApiFailure, advice: string): string {
  const { endpoint, status, code, requestId, serviceMessage, fieldErrors } = failure
  const details = [`status ${status}`, code !== undefined && `code ${code}`, requestId && `request ${requestId}`]
  const text = details.filter(Boolean).join(', ') + (serviceMessage && `: ${serviceMessage}`)
  const head = `${endpoint} failed with ${toOneLine(text)}`
  return [head, formatIssues(fieldErrors, ' in `fieldErrors`'), advice].filter(Boolean).join('\n')
}

/** Status 401: the token is missing or not accepted. The client keeps the token. */
export class AuthenticationError extends ApiError {
  declare readonly name: 'AuthenticationError'

  /** @internal */
  static override readonly kind: string = declareKind(this, 'AuthenticationError')
}

/** Whether an error is an {@link AuthenticationError}. */
export const isAuthenticationError = guardFor<AuthenticationError>('AuthenticationError')

/**
 * Status 401 with code 60003, or what the option `isStepUp` recognizes: the call requires a second factor, and there is no handler. Or the service requires one
 * again although second factors were verified: prompts are then blocked for 5 minutes; the message says what to check.
 * Also without the part `mfa` of `createClient`, which verifies second factors.
 */
export class MfaRequiredError extends ApiError {
  declare readonly name: 'MfaRequiredError'
  /** Verify it, then repeat the call. `undefined` if the response contains nothing to verify, or without the part `mfa`. */
  declare readonly challenge: MfaChallenge<Elevated> | undefined

  /** @internal */
  static override readonly kind: string = declareKind(this, 'MfaRequiredError')

  constructor(failure: ApiFailure, challenge: MfaChallenge<Elevated> | undefined, note?: string) {
    super(failure, note)
    Object.defineProperty(this, 'challenge', { value: challenge })
  }
}

/** Whether an error is an {@link MfaRequiredError}. */
export const isMfaRequiredError = guardFor<MfaRequiredError>('MfaRequiredError')

/** Status 403: the account or application lacks permission. */
export class PermissionError extends ApiError {
  declare readonly name: 'PermissionError'

  /** @internal */
  static override readonly kind: string = declareKind(this, 'PermissionError')
}

/** Whether an error is a {@link PermissionError}. */
export const isPermissionError = guardFor<PermissionError>('PermissionError')

/** Status 404: the resource does not exist or is not visible to this account. */
export class NotFoundError extends ApiError {
  declare readonly name: 'NotFoundError'

  /** @internal */
  static override readonly kind: string = declareKind(this, 'NotFoundError')
}

/** Whether an error is a {@link NotFoundError}. */
export const isNotFoundError = guardFor<NotFoundError>('NotFoundError')

/** Status 429, if the service requires a longer wait, or more waits, than the `retry` option allows. */
export class RateLimitError extends ApiError {
  declare readonly name: 'RateLimitError'
  /** Time to wait in milliseconds; `undefined` if the service did not specify it. */
  declare readonly retryAfterMs: number | undefined
  /** Whether the limit applies to all calls of the account. */
  declare readonly global: boolean

  /** @internal */
  static override readonly kind: string = declareKind(this, 'RateLimitError')

  constructor(failure: ApiFailure, retryAfterMs: number | undefined, global: boolean, reason = '') {
    super(failure, `${reason} ${retryAdvice(retryAfterMs)}`.trim())
    this.retryAfterMs = retryAfterMs
    this.global = global
  }
}

function retryAdvice(retryAfterMs: number | undefined): string {
  return retryAfterMs === undefined ? '' : `Try again in ${Math.ceil(retryAfterMs)} ms.`
}

/** Whether an error is a {@link RateLimitError}. */
export const isRateLimitError = guardFor<RateLimitError>('RateLimitError')

/** Status 5xx, with any body: the service failed. */
export class ServerError extends ApiError {
  declare readonly name: 'ServerError'
  /** Time to wait that a 503 requires (`Retry-After`), in milliseconds; `undefined` if it does not say. */
  declare readonly retryAfterMs: number | undefined

  /** @internal */
  static override readonly kind: string = declareKind(this, 'ServerError')

  constructor(failure: ApiFailure, retryAfterMs?: number) {
    super(failure, retryAdvice(retryAfterMs))
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs
  }
}

/** Whether an error is a {@link ServerError}. */
export const isServerError = guardFor<ServerError>('ServerError')

/** Login to an account that can be restored: repeat the login with `undelete: true`. API, "Errors". */
export class AccountRecoverableError extends ApiError {
  declare readonly name: string

  /** @internal */
  static override readonly kind: string = declareKind(this, 'AccountRecoverableError')
}

/** Whether an error is an {@link AccountRecoverableError}: the account is disabled or marked for deletion. */
export const isAccountRecoverableError = guardFor<AccountRecoverableError>('AccountRecoverableError')

/** Code 20013: the user has disabled the account. API, "Errors". */
export class AccountDisabledError extends AccountRecoverableError {
  declare readonly name: 'AccountDisabledError'

  /** @internal */
  static override readonly kind: string = declareKind(this, 'AccountDisabledError')
}

/** Whether an error is an {@link AccountDisabledError}. */
export const isAccountDisabledError = guardFor<AccountDisabledError>('AccountDisabledError')

/** Code 20011: the account is marked for deletion. API, "Errors". */
export class AccountDeletionScheduledError extends AccountRecoverableError {
  declare readonly name: 'AccountDeletionScheduledError'

  /** @internal */
  static override readonly kind: string = declareKind(this, 'AccountDeletionScheduledError')
}

/** Whether an error is an {@link AccountDeletionScheduledError}. */
export const isAccountDeletionScheduledError = guardFor<AccountDeletionScheduledError>('AccountDeletionScheduledError')

/** Errors of verifications whose endpoint has another purpose too: `explain` distinguishes them from its other errors. */
export const verificationErrors = new WeakSet<object>()
