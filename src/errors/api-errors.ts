import { formatPath } from '../internal/issue'
import { declareKind, guardFor, RapportError } from './base'

/** What the service says is wrong with one field, decoded by convention: the envelope is not shown. */
export interface FieldError {
  /** Where, from the root of what was sent. */
  readonly path: readonly (string | number)[]
  /** The service's code, such as `BASE_TYPE_REQUIRED`. */
  readonly code: string
  /** The service's words. */
  readonly message: string
}

/** What a failed answer carries. */
export interface ApiFailure {
  /** Name of the endpoint. */
  readonly endpoint: string
  /** HTTP status. */
  readonly status: number
  /** The service's JSON error code, if it gave one. */
  readonly code?: number | undefined
  /** The service's own words, fit to show a user; empty if it gave none. */
  readonly serviceMessage: string
  /** What it says of single fields. */
  readonly fieldErrors: readonly FieldError[]
  /** The body with secrets redacted; `undefined` where it was no JSON. */
  readonly body: unknown
}

/** The service refused or failed. Subclasses tell the common reasons. */
export class ApiError extends RapportError {
  declare readonly name: string
  /** HTTP status. */
  readonly status: number
  /** The service's JSON error code; absent if it gave none. */
  readonly code: number | undefined
  /** The service's own words, fit to show a user; empty if it gave none. */
  readonly serviceMessage: string
  /** What the service says of single fields. */
  readonly fieldErrors: readonly FieldError[]
  /** Name of the endpoint. */
  readonly endpoint: string
  /** The body with secrets redacted; not enumerable, so that it is in no log by accident. */
  declare readonly body: unknown

  /** @internal */
  static override readonly kind: string = /*@__PURE__*/ declareKind(ApiError, 'ApiError')

  constructor(failure: ApiFailure, advice = '') {
    super(describe(failure, advice))
    this.status = failure.status
    this.code = failure.code
    this.serviceMessage = failure.serviceMessage
    this.fieldErrors = failure.fieldErrors
    this.endpoint = failure.endpoint
    Object.defineProperty(this, 'body', { value: failure.body, enumerable: false })
  }
}

/** Whether an error is an {@link ApiError}, of whichever kind. */
export const isApiError: (error: unknown) => error is ApiError = /*@__PURE__*/ guardFor('ApiError')

function describe({ endpoint, status, code, serviceMessage, fieldErrors }: ApiFailure, advice: string): string {
  const facts = code === undefined ? `status ${status}` : `status ${status}, code ${code}`
  const head = `${endpoint} failed with ${facts}${serviceMessage && `: ${oneLine(serviceMessage)}`}`
  const shown = fieldErrors
    .slice(0, MOST_FIELDS)
    .map(({ path, message }) => `  ${oneLine(formatPath(path))}: ${oneLine(message)}`)
  if (fieldErrors.length > MOST_FIELDS)
    shown.push(`  … and ${fieldErrors.length - MOST_FIELDS} more in \`fieldErrors\``)
  return [head, ...shown, advice].filter(Boolean).join('\n')
}

/** So that a message stays readable; `fieldErrors` has all of them. */
const MOST_FIELDS = 20

/** The service's words without line breaks and control characters, which could forge lines of a log. */
function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
  return text.slice(0, 500).replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
}

/** Status 401: no token, or one that the service does not accept. The client keeps the token. */
export class AuthenticationError extends ApiError {
  declare readonly name: 'AuthenticationError'

  /** @internal */
  static override readonly kind: string = /*@__PURE__*/ declareKind(AuthenticationError, 'AuthenticationError')

  constructor(failure: ApiFailure) {
    super(failure, 'Sign in, or check the token and the `authorize` option.')
  }
}

/** Whether an error is an {@link AuthenticationError}. */
export const isAuthenticationError: (error: unknown) => error is AuthenticationError =
  /*@__PURE__*/ guardFor('AuthenticationError')

/** Status 403: the account or the application may not do this. */
export class PermissionError extends ApiError {
  declare readonly name: 'PermissionError'

  /** @internal */
  static override readonly kind: string = /*@__PURE__*/ declareKind(PermissionError, 'PermissionError')
}

/** Whether an error is a {@link PermissionError}. */
export const isPermissionError: (error: unknown) => error is PermissionError = /*@__PURE__*/ guardFor('PermissionError')

/** Status 404: there is no such thing, or it is not for this account to see. */
export class NotFoundError extends ApiError {
  declare readonly name: 'NotFoundError'

  /** @internal */
  static override readonly kind: string = /*@__PURE__*/ declareKind(NotFoundError, 'NotFoundError')
}

/** Whether an error is a {@link NotFoundError}. */
export const isNotFoundError: (error: unknown) => error is NotFoundError = /*@__PURE__*/ guardFor('NotFoundError')

/** Status 429, and the wait it asks for is longer or comes more often than `retry` allows. */
export class RateLimitError extends ApiError {
  declare readonly name: 'RateLimitError'
  /** How long to wait, in milliseconds; `undefined` if the service did not say. */
  readonly retryAfterMs: number | undefined
  /** Whether the limit holds for all endpoints. */
  readonly global: boolean

  /** @internal */
  static override readonly kind: string = /*@__PURE__*/ declareKind(RateLimitError, 'RateLimitError')

  constructor(failure: ApiFailure, retryAfterMs: number | undefined, global: boolean, reason = '') {
    const advice = retryAfterMs === undefined ? 'Try again later.' : `Try again in ${Math.ceil(retryAfterMs)} ms.`
    super(failure, `${reason} ${advice}`.trim())
    this.retryAfterMs = retryAfterMs
    this.global = global
  }
}

/** Whether an error is a {@link RateLimitError}. */
export const isRateLimitError: (error: unknown) => error is RateLimitError = /*@__PURE__*/ guardFor('RateLimitError')

/** Status 5xx, whatever the body: the service failed. */
export class ServerError extends ApiError {
  declare readonly name: 'ServerError'

  /** @internal */
  static override readonly kind: string = /*@__PURE__*/ declareKind(ServerError, 'ServerError')
}

/** Whether an error is a {@link ServerError}. */
export const isServerError: (error: unknown) => error is ServerError = /*@__PURE__*/ guardFor('ServerError')

/** The account is out of use but can be had back: repeat the login with `undelete: true`. Interface, "Errors". */
export class AccountRecoverableError extends ApiError {
  declare readonly name: string

  /** @internal */
  static override readonly kind: string = /*@__PURE__*/ declareKind(AccountRecoverableError, 'AccountRecoverableError')

  constructor(failure: ApiFailure) {
    super(failure, 'Repeat the call with `undelete: true` to restore the account.')
  }
}

/** Whether an error is an {@link AccountRecoverableError}: disabled, or marked for deletion. */
export const isAccountRecoverableError: (error: unknown) => error is AccountRecoverableError =
  /*@__PURE__*/ guardFor('AccountRecoverableError')

/** Code 20013: the user has disabled the account. Interface, "Errors". */
export class AccountDisabledError extends AccountRecoverableError {
  declare readonly name: 'AccountDisabledError'

  /** @internal */
  static override readonly kind: string = /*@__PURE__*/ declareKind(AccountDisabledError, 'AccountDisabledError')
}

/** Whether an error is an {@link AccountDisabledError}. */
export const isAccountDisabledError: (error: unknown) => error is AccountDisabledError =
  /*@__PURE__*/ guardFor('AccountDisabledError')

/** Code 20011: the account is marked for deletion. Interface, "Errors". */
export class AccountDeletionScheduledError extends AccountRecoverableError {
  declare readonly name: 'AccountDeletionScheduledError'

  /** @internal */
  static override readonly kind: string = /*@__PURE__*/ declareKind(
    AccountDeletionScheduledError,
    'AccountDeletionScheduledError',
  )
}

/** Whether an error is an {@link AccountDeletionScheduledError}. */
export const isAccountDeletionScheduledError: (error: unknown) => error is AccountDeletionScheduledError =
  /*@__PURE__*/ guardFor('AccountDeletionScheduledError')
