import type { Issue } from '../contract/issue'
import { AccountDeletionScheduledError, AccountDisabledError } from '../errors/account-errors'
import { ApiError, type ApiFailure, type FieldError } from '../errors/api-error'
import {
  AuthenticationError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
} from '../errors/status-errors'
import { readRateLimit } from './rate-limits'
import type { RawResponse } from './read'
import { isKnown, maskKnown, redact } from './redact'

const ACCOUNT_DELETION_SCHEDULED = 20011
const ACCOUNT_DISABLED = 20013
const MAX_DEPTH = 64

/**
 * Reads a failed answer. The envelope is not shown: `{ code, message, errors }` with nested `_errors` is a convention
 * of the field, and whatever else comes is kept as `body`.
 */
export function readFailure(endpoint: string, status: number, body: unknown, known: readonly string[]): ApiFailure {
  const { code, message, errors } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  return {
    endpoint,
    status,
    code: typeof code === 'number' && !isKnown(code, known) ? code : undefined,
    serviceMessage: typeof message === 'string' ? maskKnown(message, known) : '',
    fieldErrors: collectFieldErrors(errors, [], known),
    body: redact(body, known),
  }
}

function collectFieldErrors(node: unknown, path: Issue['path'], known: readonly string[]): FieldError[] {
  if (typeof node !== 'object' || node === null || path.length > MAX_DEPTH) return []
  return Object.entries(node).flatMap(([key, value]) => {
    const name = maskKnown(key, known)
    const step = /^\d{1,9}$/.test(name) ? Number(name) : name
    if (key !== '_errors') return collectFieldErrors(value, [...path, step], known)
    if (!Array.isArray(value)) return []
    return value.map((entry: { code?: unknown; message?: unknown } | string | null) => {
      const { code, message } = typeof entry === 'string' ? { message: entry } : (entry ?? {})
      return { path, code: maskKnown(textOf(code), known), message: maskKnown(textOf(message), known) }
    })
  })
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
