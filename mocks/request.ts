// Requests and responses of the mock, whichever way they arrive.
import type { Schema } from '../src/contract/schema'
import { check } from '../src/contract/validate'
import { type ErrorEnvelope, encodeError, type ServiceError } from './errors'
import { assertOptions, string } from './settings'

/** A request to the service, independent of its transport. */
export interface ServiceRequest {
  /** HTTP method. */
  readonly method: string
  /** Absolute URL, or path and query. */
  readonly url: string
  /** Headers of the request. */
  readonly headers: Headers
  /** Body; empty without one, `null` if it has more than 1 MiB and was not read. */
  readonly body: string | null
  /** IP address of the client. */
  readonly ip: string
  /** Aborted when the client no longer waits. */
  readonly signal?: AbortSignal
  /** Verifies passkey signatures if the service has no verifier of its own. */
  readonly verifyPasskey?: PasskeyVerifier
}

/** A response, delivered as `delivery` specifies. */
export interface ServiceAnswer {
  /** Discriminates from {@link ServiceFailure}. */
  readonly kind: 'answer'
  /** HTTP status. */
  readonly status: number
  /** Headers; a name may occur more than once. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Body; empty for 204. */
  readonly body: string
  /** `truncated` ends halfway through the body; `stalled` stops sending halfway but stays open. */
  readonly delivery: 'whole' | 'truncated' | 'stalled'
  /** Speed at which the body is sent, in bytes per second. Default: no limit. */
  readonly bytesPerSecond?: number
}

/** No response. */
export interface ServiceFailure {
  /** Discriminates from {@link ServiceAnswer}. */
  readonly kind: 'failure'
  /** `network`: the service could not be reached; `reset`: the connection was reset. */
  readonly how: 'network' | 'reset'
}

/** Outcome of a request. */
export type ServiceOutcome = ServiceAnswer | ServiceFailure

/** Creates a JSON response, or an empty one if the value is undefined. */
export function jsonResponse(
  status: number,
  value: unknown,
  headers: readonly (readonly [string, string])[] = [],
): ServiceAnswer {
  if (value === undefined) return { kind: 'answer', status, headers, body: '', delivery: 'whole' }
  const all = [['content-type', 'application/json'] as const, ...headers]
  return { kind: 'answer', status, headers: all, body: JSON.stringify(value), delivery: 'whole' }
}

/** Creates the response of an error in the envelope of the policy. */
export function errorResponse(
  { status, body, headers }: Pick<ServiceError, 'status' | 'body' | 'headers'>,
  { errorEnvelope }: { readonly errorEnvelope: ErrorEnvelope },
): ServiceAnswer {
  return jsonResponse(status, encodeError(body, errorEnvelope), Object.entries(headers))
}

/** Maximum size of a body. A convention: the document shows no limit. */
export const MAX_BODY_BYTES = 2 ** 20

export function isTooLarge(body: string | null): boolean {
  // A UTF-16 code unit takes one to three bytes in UTF-8, so most strings need no encoding.
  return body !== null && body.length * 3 > MAX_BODY_BYTES && new TextEncoder().encode(body).length > MAX_BODY_BYTES
}

export type Handle = (request: ServiceRequest) => Promise<ServiceOutcome>

/** Creates a `fetch` that the service handles in memory, without network access. */
export function createFetch(handle: Handle, baseUrl: URL, ip: string): typeof fetch {
  assertOptions('fetchFrom', { ip }, { ip: string }, ['ip'])
  return async (input, init) => {
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined)
    signal?.throwIfAborted()
    const request = requestOf(input, init)
    const { origin } = new URL(request.url)
    if (origin !== baseUrl.origin) {
      throw networkError(`${origin} is not the mock service, which is at ${baseUrl.origin}; no request was sent`)
    }
    const { method, url, headers } = request
    const body = await request.text()
    signal?.throwIfAborted()
    const outcome = await handle({ method, url, headers, body, ip, ...(signal && { signal }) })
    if (outcome.kind === 'failure') {
      throw networkError(outcome.how === 'reset' ? 'the connection was reset' : 'the service cannot be reached')
    }
    return responseOf(outcome, url, signal)
  }
}

/** Creates the request without its signal, because a `Request` listens to its signal as long as it exists. */
function requestOf(input: Parameters<typeof fetch>[0], init: RequestInit | undefined): Request {
  if (input instanceof Request && init === undefined) return input
  const { signal: _, ...rest } = init ?? {}
  return new Request(input, rest)
}

function networkError(reason: string): TypeError {
  return new TypeError('fetch failed', { cause: new Error(reason) })
}

function responseOf(answer: ServiceAnswer, url: string, signal: AbortSignal | undefined): Response {
  const { status, headers } = answer
  const response = new Response(bodyOf(answer, signal), { status, headers: headers.map(([...pair]) => pair) })
  // A response that was made rather than received has no address of its own.
  return Object.defineProperty(response, 'url', { value: url })
}

/** Number of pieces per second in which a slow body is sent. */
const PIECES_PER_SECOND = 10

/** Whether responses with a status have no body. RFC 9110, section 15. */
export const isWithoutBody = (status: unknown): boolean => status === 204 || status === 205 || status === 304

/** Creates the delivered body: whole or slow, truncated, or stalled until the request is aborted. */
export function bodyOf(
  { status, body, delivery, bytesPerSecond }: ServiceAnswer,
  signal?: AbortSignal,
): string | ReadableStream<Uint8Array> | null {
  if (isWithoutBody(status)) return null
  if (delivery === 'whole' && bytesPerSecond === undefined) return body
  const all = new TextEncoder().encode(body)
  const bytes = delivery === 'whole' ? all : all.slice(0, Math.floor(all.length / 2))
  const step = bytesPerSecond === undefined ? bytes.length : Math.ceil(bytesPerSecond / PIECES_PER_SECOND)
  let sent = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let stop = () => {}
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const onAbort = () => {
        stop()
        controller.error(signal?.reason)
      }
      stop = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
      }
      signal?.addEventListener('abort', onAbort)
    },
    async pull(controller) {
      if (sent < bytes.length) {
        if (sent > 0) {
          await new Promise<void>((resolve) => {
            timer = setTimeout(resolve, 1000 / PIECES_PER_SECOND)
          })
        }
        controller.enqueue(bytes.slice(sent, sent + step))
        sent += step
      } else if (delivery === 'stalled') {
        // A stalled body never settles.
        await new Promise(() => {})
      } else {
        stop()
        // A truncated one fails after its first half has been read.
        if (delivery === 'whole') controller.close()
        else controller.error(networkError('the body was truncated'))
      }
    },
    cancel: () => stop(),
  })
}

/** Maximum depth of a body; a convention of this mock. Deeper values would overflow the stack of recursive functions. */
export const MAX_DEPTH = 100

/** A parsed body, or the reason why there is none. */
export type ParsedBody =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'malformed'; readonly line?: number; readonly column?: number }
  | { readonly kind: 'none' | 'too_deep' | 'too_large' }

/** Parses a body; `null` is a body that is too large. */
export function parseBody(text: string | null, maxDepth = MAX_DEPTH): ParsedBody {
  if (text === null) return { kind: 'too_large' }
  if (text === '') return { kind: 'none' }
  try {
    const value: unknown = JSON.parse(text)
    return maxDepth !== Number.POSITIVE_INFINITY && isDeeperThan(value, maxDepth)
      ? { kind: 'too_deep' }
      : { kind: 'value', value }
  } catch (error) {
    return { kind: 'malformed', ...placeIn(text, error) }
  }
}

/** Returns the place of a mistake in JSON, if the runtime reports it. */
export function placeIn(text: string, error: unknown): { readonly line?: number; readonly column?: number } {
  const [, position] = /position (\d+)/.exec(String(error)) ?? []
  if (position === undefined) return {}
  const lines = text.slice(0, Number(position)).split('\n')
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}

function isDeeperThan(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return limit === 0 || Object.values(value).some((part) => isDeeperThan(part, limit - 1))
}

/** Parameters of a query by name; one that was sent more than once is an array. */
export type QueryValues = Readonly<Record<string, string | readonly string[]>>

/** Returns the value of a parameter: an array if it was sent more than once, `undefined` if not at all. */
export function queryValue(query: URLSearchParams, name: string): string | readonly string[] | undefined {
  const values = query.getAll(name)
  return values.length > 1 ? values : values[0]
}

export function queryValues(query: URLSearchParams): QueryValues {
  return Object.fromEntries([...query.keys()].map((name) => [name, queryValue(query, name) ?? '']))
}

/** Converts values of a query, which are strings, to booleans and numbers where the schema rejects the string. */
export function coerceQuery(
  schema: Schema<unknown>,
  values: Readonly<Record<string, unknown>>,
  isInQuery: (name: string) => boolean = () => true,
): Record<string, unknown> {
  const rejected = new Set(check(schema, values).map(({ path }) => path[0]))
  const entries = Object.entries(values).map(([name, value]): [string, unknown] => [
    name,
    rejected.has(name) && isInQuery(name) ? parseScalar(value) : value,
  ])
  return Object.fromEntries(entries)
}

function parseScalar(value: unknown): unknown {
  if (value === 'true' || value === 'false') return value === 'true'
  return typeof value === 'string' && /^-?\d{1,15}(?:\.\d{1,9})?$/.test(value) ? Number(value) : value
}

/** A passkey response with valid structure, challenge and origin, and the data to verify its signature. */
export interface PasskeyAssertion {
  /** Public key credential. */
  readonly credential: PasskeyCredential
  /** Challenge that was signed, base64url. */
  readonly challenge: string
  /** Origin of the page, within the relying party. */
  readonly origin: string
  /** Relying party ID, a domain. */
  readonly rpId: string
  /** Public key of the passkey: SubjectPublicKeyInfo, base64url. */
  readonly publicKey: string
  /** Last known signature counter of the authenticator; 0 if it has no counter. */
  readonly counter: number
}

/** Result of a verification. */
export interface PasskeyVerdict {
  /** Whether signature, relying party and counter are valid. */
  readonly verified: boolean
  /** New signature counter of the authenticator; 0 if it has no counter. */
  readonly counter: number
}

/** Verifies a passkey signature. Resolves to `undefined` if it cannot: then only the structure is checked. */
export type PasskeyVerifier = (assertion: PasskeyAssertion) => Promise<PasskeyVerdict | undefined>

/** A public key credential, as `@simplewebauthn/browser` returns it. */
export interface PasskeyCredential {
  /** ID of the credential, base64url. */
  readonly id: string
  /** Same as `id`. */
  readonly rawId: string
  /** Always `public-key`. */
  readonly type: 'public-key'
  /** Response of the authenticator, each part base64url. */
  readonly response: {
    /** JSON with type, challenge and origin of the ceremony. */
    readonly clientDataJSON: string
    /** Authenticator data. */
    readonly authenticatorData: string
    /** Signature; for a passkey without a public key only its presence is checked. */
    readonly signature: string
    /** ID of the user, base64url. */
    readonly userHandle: string
  }
  /** Always empty. */
  readonly clientExtensionResults: Record<string, never>
  /** Always `platform`. */
  readonly authenticatorAttachment: 'platform'
}
