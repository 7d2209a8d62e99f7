import { readBody } from './body'
import { firstHalf, type ServiceAnswer, type ServiceOutcome, type ServiceRequest } from './exchange'

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
