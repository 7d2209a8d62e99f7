import { isObject } from '../internal/json'
import {
  AccountDeletionScheduledError,
  AccountDisabledError,
  AccountRecoverableError,
  ApiError,
  AuthenticationError,
  isApiError,
  MfaRequiredError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
} from './api-errors'
import { isRapportError, RapportError } from './base'
import {
  ComponentError,
  ConnectionError,
  GatewayError,
  isComponentError,
  isRequestValidationError,
  isResponseMismatchError,
  MfaCancelledError,
  MfaFailedError,
  RequestValidationError,
  ResponseMismatchError,
  ResponseParseError,
  TimeoutError,
  WebAuthnError,
} from './client-errors'

/** Maximum depth of causes. */
const MAX_CAUSES = 16

/**
 * Restores an error from the JSON that its `toJSON` returned, for example in another worker or on the page of a server.
 * Guards, `instanceof` and {@link explain} work on it as on the original. `body` and `challenge` are `undefined`,
 * `headers` is empty, and `stack` starts here. An `AbortError`, or its name and message, keeps its name. Anything else
 * that is not such JSON becomes a plain `RapportError`.
 *
 * @example
 * import { errorFromJSON, isNotFoundError } from 'rapport-sdk'
 *
 * const json = { name: 'NotFoundError', message: 'Not found', status: 404, endpoint: 'x', serviceMessage: '', fieldErrors: [] }
 * console.log(isNotFoundError(errorFromJSON(structuredClone(json))))
 */
export function errorFromJSON(json: unknown): RapportError {
  if (isRapportError(json)) return json
  const restored = restore(json, 0)
  return isRapportError(restored) ? restored : restoreAbort(json)
}

/** Restores the reason of an abort, which is an error of the platform. */
function restoreAbort(json: unknown): RapportError {
  const { name, message }: Fields = Object(json)
  if (name !== 'AbortError' || typeof message !== 'string')
    return new RapportError('An error of unknown origin: its JSON is not that of `toJSON`.')
  return Object.defineProperty(new RapportError(message), 'name', { value: name })
}

interface Fields {
  readonly [field: string]: unknown
}

/** In a function, so that a bundler can leave them out. */
function classes() {
  return [
    ...[RapportError, ApiError, AuthenticationError, MfaRequiredError, PermissionError, NotFoundError, RateLimitError],
    ...[ServerError, AccountRecoverableError, AccountDisabledError, AccountDeletionScheduledError, ConnectionError],
    ...[ResponseParseError, TimeoutError, RequestValidationError, ResponseMismatchError, ComponentError],
    ...[WebAuthnError, GatewayError, MfaCancelledError, MfaFailedError],
  ]
}

/** Whether JSON has the fields that users of a class read without a check. The guards hold for a prototype too. */
function hasFieldsOf(prototype: object, { status, endpoint, serviceMessage, fieldErrors, issues }: Fields): boolean {
  if (isApiError(prototype)) {
    const isComplete = typeof status === 'number' && typeof endpoint === 'string' && typeof serviceMessage === 'string'
    return isComplete && areProblems(fieldErrors)
  }
  const guards = [isRequestValidationError, isResponseMismatchError, isComponentError]
  return !guards.some((isOfClass) => isOfClass(prototype)) || areProblems(issues)
}

function areProblems(values: unknown): boolean {
  return (
    Array.isArray(values) &&
    values.every((value) => Array.isArray(Object(value).path) && typeof Object(value).message === 'string')
  )
}

/** Restores an error, of another library too; returns anything else as it is. */
function restore(json: unknown, depth: number): unknown {
  if (!isObject(json)) return json
  const { name, message, cause, ...fields }: Fields = Object(json)
  const found = classes().find(({ prototype }) => prototype.name === name)
  const type = typeof message === 'string' && found && hasFieldsOf(found.prototype, fields) ? found : Error
  const options = cause === undefined || depth > MAX_CAUSES ? {} : { cause: restore(cause, depth + 1) }
  // Without the constructor of the class, which writes its own message.
  const error: unknown = Reflect.construct(Error, [String(message), options], type)
  if (!isRapportError(error)) {
    const { code } = fields
    return Object.assign(Object(error), typeof name === 'string' && { name }, code !== undefined && { code })
  }
  for (const [field, value] of Object.entries(fields)) {
    // Defined instead of assigned, because a field may be named `__proto__`.
    if (!(field in error)) Object.defineProperty(error, field, { value, enumerable: true })
  }
  if (isApiError(error)) Object.defineProperty(error, 'headers', { value: new Headers() })
  return error
}
