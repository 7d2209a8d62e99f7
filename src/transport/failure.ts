import { AccountDeletionScheduledError, AccountDisabledError } from '../errors/account-errors'
import { ApiError, type ApiFailure, type FieldError } from '../errors/api-error'
import {
  AuthenticationError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
} from '../errors/status-errors'
import { redact, type Secrets } from '../internal/redact'
import { readRateLimit } from './rate-limits'
import type { RawResponse } from './read'

const ACCOUNT_DELETION_SCHEDULED = 20011
const ACCOUNT_DISABLED = 20013
const MAX_DEPTH = 64
/** More than a form has; a hostile answer has millions, each of which costs as much as a hundred bytes of it. */
const MAX_FIELD_ERRORS = 100_000

/**
 * Reads a failed answer. The envelope is not shown: `{ code, message, errors }` with nested `_errors` is a convention
 * of the field, and whatever else comes is kept as `body`.
 */
export function readFailure(endpoint: string, status: number, body: unknown, secrets: Secrets): ApiFailure {
  const { code, errors } = Object(body) as Record<string, unknown>
  const shown = redact(body, secrets)
  const { message } = Object(shown) as Record<string, unknown>
  return {
    endpoint,
    status,
    code: typeof code === 'number' && !secrets.isSecret(code) ? code : undefined,
    serviceMessage: typeof message === 'string' ? message : '',
    fieldErrors: collectFieldErrors(errors, secrets),
    body: shown,
  }
}

function collectFieldErrors(errors: unknown, secrets: Secrets): FieldError[] {
  const found: FieldError[] = []
  const path: (string | number)[] = []
  const collect = (node: unknown): void => {
    if (typeof node !== 'object' || node === null || path.length > MAX_DEPTH) return
    for (const key of Object.keys(node)) {
      if (found.length >= MAX_FIELD_ERRORS) return
      const value: unknown = Reflect.get(node, key)
      if (key !== '_errors') {
        const name = secrets.name(key)
        path.push(/^\d{1,9}$/.test(name) ? Number(name) : name)
        collect(value)
        path.pop()
      } else if (Array.isArray(value)) {
        const at = [...path]
        for (const entry of value.slice(0, MAX_FIELD_ERRORS - found.length)) {
          const { code, message } = (typeof entry === 'string' ? { message: entry } : Object(entry)) as ErrorEntry
          found.push({ path: at, code: secrets.text(textOf(code)), message: secrets.text(textOf(message)) })
        }
      }
    }
  }
  collect(errors)
  return found
}

interface ErrorEntry {
  readonly code?: unknown
  readonly message?: unknown
}

/** A text or a number as text; to make one of an object could run deep, or throw. */
function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** The error that a failed answer becomes. */
export function toApiError(failure: ApiFailure, { headers }: Pick<RawResponse, 'headers'>): ApiError {
  const { status, code } = failure
  if (status >= 500) return new ServerError(failure)
  if (status === 429) {
    const { retryAfterMs, global } = readRateLimit(headers, failure.body)
    return new RateLimitError(failure, retryAfterMs, global)
  }
  if (code === ACCOUNT_DISABLED) return new AccountDisabledError(failure)
  if (code === ACCOUNT_DELETION_SCHEDULED) return new AccountDeletionScheduledError(failure)
  if (status === 401) return new AuthenticationError(failure)
  if (status === 403) return new PermissionError(failure)
  if (status === 404) return new NotFoundError(failure)
  return new ApiError(failure)
}
