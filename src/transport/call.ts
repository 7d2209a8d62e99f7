import type { ResponseInfo } from '../api-promise'
import type { RequestOptions } from '../options'
import type { Elevation } from '../session/elevation'
import type { readRequestOptions } from './config'
import type { CallInfo } from './events'
import type { Lifetime } from './lifetime'
import type { PreparedCall } from './prepare'
import type { RawResponse } from './read'

/** A call on its way. */
export interface Call {
  readonly prepared: PreparedCall
  readonly options: RequestOptions
  readonly limits: ReturnType<typeof readRequestOptions>
  readonly lifetime: Lifetime
  /** The token it was made with; it keeps it, whatever becomes of the session meanwhile. */
  readonly token: string | null
  readonly elevation: Elevation
  /** Requests sent so far. */
  attempts: number
  /** Whether the last of them carried the verification JWT. */
  elevated: boolean
  /** Secrets in the headers of the last of them. */
  sent: readonly string[]
}

/** What events say of a call. */
export function callInfo({ prepared, attempts }: Call): CallInfo {
  return { endpoint: prepared.name, method: prepared.method, path: prepared.template, attempt: attempts }
}

/** What the last request of a call carried that must not be shown; the longest first, since one may begin another. */
export function secretsOf({ prepared, token, sent }: Call): string[] {
  const secrets = [...sent, ...prepared.secrets, ...(token === null ? [] : [token])]
  return secrets.sort((one, other) => other.length - one.length)
}

/** What callers are told of the answer that a call ended with. */
export function responseInfo({ attempts, elevated }: Call, { status, headers, url }: RawResponse): ResponseInfo {
  return { status, headers, url, attempts, elevated }
}
