import { ApiError, type ApiFailure } from './api-error'
import { declareKind, guardFor } from './rapport-error'

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
