import type { ServiceError } from './errors'

/** A request as it reaches the service, whichever way it came. */
export interface ServiceRequest {
  /** HTTP method. */
  readonly method: string
  /** Absolute address, or path and query. */
  readonly url: string
  /** Headers, as they came. */
  readonly headers: Headers
  /** The body as text; empty when there is none, `null` if it was not read because it is larger than `maxBodyBytes`. */
  readonly body: string | null
  /** The address that the caller comes from. */
  readonly ip: string
  /** Aborts when the caller no longer waits. */
  readonly signal?: AbortSignal
  /** What verifies signatures of passkeys where the service has nothing for it: some ways in can, and others cannot. */
  readonly verifyPasskey?: PasskeyVerifier
}

/** An answer, to be delivered in the way that `delivery` says. */
export interface ServiceAnswer {
  /** Tells it from a {@link ServiceFailure}. */
  readonly kind: 'answer'
  /** HTTP status. */
  readonly status: number
  /** Headers; a name may come more than once. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Empty for 204. */
  readonly body: string
  /** `truncated` breaks off halfway; `stalled` goes silent halfway. */
  readonly delivery: 'whole' | 'truncated' | 'stalled'
}

/** No answer at all. */
export interface ServiceFailure {
  /** Tells it from a {@link ServiceAnswer}. */
  readonly kind: 'failure'
  /** `network`: not reached; `reset`: the connection was reset. */
  readonly how: 'network' | 'reset'
}

/** What comes of a request. */
export type ServiceOutcome = ServiceAnswer | ServiceFailure

/** An answer of JSON, or an empty one where there is no value. */
export function jsonAnswer(
  status: number,
  value: unknown,
  headers: readonly (readonly [string, string])[] = [],
): ServiceAnswer {
  if (value === undefined) return { kind: 'answer', status, headers, body: '', delivery: 'whole' }
  const all = [['content-type', 'application/json'] as const, ...headers]
  return { kind: 'answer', status, headers: all, body: JSON.stringify(value), delivery: 'whole' }
}

/** The answer that an error is. */
export function errorAnswer({ status, body, headers }: ServiceError): ServiceAnswer {
  return jsonAnswer(status, body, Object.entries(headers))
}

/** Where a body that breaks off breaks off. */
export function firstHalf<T extends string | Uint8Array>(body: T): T {
  return body.slice(0, Math.floor(body.length / 2)) as T
}

/** The size that a body may have unless `maxBodyBytes` says otherwise. A convention: the document shows no limit. */
export const MAX_BODY_BYTES = 2 ** 20

/** Whether a text has more bytes than that in UTF-8. */
export function isLonger(text: string, maxBytes: number): boolean {
  // A character has one to three bytes for each of its units, so most texts need not be encoded to know.
  return text.length * 3 > maxBytes && (text.length > maxBytes || new TextEncoder().encode(text).length > maxBytes)
}

/** Returns the body of a request as text, or `null` if it has more bytes than that; it is read no further then. */
export async function readBody(request: Request, maxBytes: number): Promise<string | null> {
  const reader = request.body?.getReader()
  // Some browsers have no stream of it.
  if (reader === undefined) return await request.text()
  const decoder = new TextDecoder()
  let [text, size] = ['', 0]
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    size += value.byteLength
    if (size > maxBytes) {
      reader.cancel().catch(() => {})
      return null
    }
    text += decoder.decode(value, { stream: true })
  }
}

/** Answers a request, whichever way it came. */
export type Handle = (request: ServiceRequest) => Promise<ServiceOutcome>

/** What a `fetch` has to know of its service. */
interface FetchOptions {
  readonly baseUrl: URL
  readonly maxBodyBytes: number
}

/** A `fetch` that the service answers from memory. Nothing of it touches the network. */
export function createFetch(handle: Handle, { baseUrl, maxBodyBytes }: FetchOptions, ip: string): typeof fetch {
  return async (input, init) => {
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined)
    signal?.throwIfAborted()
    const request = requestOf(input, init)
    const { origin } = new URL(request.url)
    if (origin !== baseUrl.origin) {
      throw networkError(`${origin} is not the mock service, which is at ${baseUrl.origin}; no request was sent`)
    }
    const { method, url, headers } = request
    const body = await readBody(request, maxBodyBytes)
    signal?.throwIfAborted()
    const outcome = await handle({ method, url, headers, body, ip, ...(signal && { signal }) })
    if (outcome.kind === 'failure') {
      throw networkError(outcome.how === 'reset' ? 'the connection was reset' : 'the service cannot be reached')
    }
    return responseOf(outcome, url, signal)
  }
}

/** The request without its signal: a `Request` that follows a signal listens to it for as long as it lives. */
function requestOf(input: Parameters<typeof fetch>[0], init: RequestInit | undefined): Request {
  if (input instanceof Request && init === undefined) return input
  const { signal: _, ...rest } = init ?? {}
  return new Request(input, rest)
}

/** What `fetch` rejects with where there is no answer. */
function networkError(reason: string): TypeError {
  return new TypeError('fetch failed', { cause: new Error(reason) })
}

function responseOf(answer: ServiceAnswer, url: string, signal: AbortSignal | undefined): Response {
  const { status, headers } = answer
  const response = new Response(bodyOf(answer, signal), { status, headers: headers.map(([...pair]) => pair) })
  // A response that was made rather than received has no address of its own.
  return Object.defineProperty(response, 'url', { value: url })
}

/** The body as it is delivered: whole, broken off, or silent halfway until the reader gives up. */
export function bodyOf({ status, body, delivery }: ServiceAnswer, signal?: AbortSignal): BodyInit | null {
  if (status === 204 || status === 304) return null
  if (delivery === 'whole') return body
  const half = firstHalf(new TextEncoder().encode(body))
  let stop = () => {}
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(half)
      if (delivery === 'truncated') return
      const onAbort = () => controller.error(signal?.reason)
      stop = () => signal?.removeEventListener('abort', onAbort)
      signal?.addEventListener('abort', onAbort, { once: true })
    },
    pull(controller) {
      // Silence is a promise that never settles; a body that breaks off does so once its half has been read.
      if (delivery === 'stalled') return new Promise(() => {})
      controller.error(networkError('the body was broken off'))
      return undefined
    },
    cancel: () => stop(),
  })
}

/**
 * How many lists and objects a body may hold inside each other; a convention of this mock. Everything that follows a
 * value down does so by calling itself, and a deeper one would end its stack.
 */
export const MAX_DEPTH = 100

/** What the text of a body says, or why it says nothing. */
export type ParsedBody =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'none' | 'malformed' | 'too_deep' | 'too_large' }

/** Reads the text of a body, which is `null` if it is too large. Its depth is told from the text, before anything follows it down. */
export function parseBody(text: string | null): ParsedBody {
  if (text === null) return { kind: 'too_large' }
  if (text === '') return { kind: 'none' }
  if (isDeeper(text, MAX_DEPTH)) return { kind: 'too_deep' }
  try {
    return { kind: 'value', value: JSON.parse(text) }
  } catch {
    return { kind: 'malformed' }
  }
}

function isDeeper(text: string, limit: number): boolean {
  let depth = 0
  let isInString = false
  for (let index = 0; index < text.length; index++) {
    const sign = text.charAt(index)
    if (isInString) {
      if (sign === '\\') index++
      else if (sign === '"') isInString = false
    } else if (sign === '"') isInString = true
    else if (sign === '[' || sign === '{') depth++
    else if (sign === ']' || sign === '}') depth--
    if (depth > limit) return true
  }
  return false
}

/** An answer of a passkey whose form, challenge and origin are right, and what its signature is to be verified by. */
export interface PasskeyAssertion {
  /** The public key credential response. */
  readonly credential: PasskeyCredential
  /** The challenge that it answers, base64url. */
  readonly challenge: string
  /** The origin of the page that it was given to, one of the relying party's. */
  readonly origin: string
  /** The relying party: a domain. */
  readonly rpId: string
  /** The public key of the passkey: SubjectPublicKeyInfo, base64url. */
  readonly publicKey: string
  /** How often the authenticator had signed, as it said when it last answered; 0 where it does not count. */
  readonly counter: number
}

/** What a signature was found to be. */
export interface PasskeyVerdict {
  /** Whether signature, relying party and counter are right. */
  readonly verified: boolean
  /** How often the authenticator says it has signed by now; 0 where it does not count. */
  readonly counter: number
}

/** Verifies the signature of a passkey's answer. `undefined` where it cannot: then the structure alone counts. */
export type PasskeyVerifier = (assertion: PasskeyAssertion) => Promise<PasskeyVerdict | undefined>

/** A public key credential response, as `@simplewebauthn/browser` gives it. */
export interface PasskeyCredential {
  /** ID of the credential, base64url. */
  readonly id: string
  /** The same ID. */
  readonly rawId: string
  /** Always `public-key`. */
  readonly type: 'public-key'
  /** What the authenticator answered, each part base64url. */
  readonly response: {
    /** JSON with the type of the ceremony, its challenge and its origin. */
    readonly clientDataJSON: string
    /** What the authenticator says of itself. */
    readonly authenticatorData: string
    /** The signature; of a passkey without a public key its presence alone is looked at. */
    readonly signature: string
    /** ID of the user that the credential is for. */
    readonly userHandle: string
  }
  /** Results of extensions: none. */
  readonly clientExtensionResults: Record<string, never>
  /** Where the authenticator is. */
  readonly authenticatorAttachment: 'platform'
}
