import { pipeline, Readable, Transform } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip } from 'node:zlib'
import type { Dispatcher } from 'undici'
import { RapportError } from '../errors/base'
import type { Fetch, FetchInit, FetchResponse } from '../types/options'

/** Options of {@link undiciFetch}. */
export interface UndiciFetchOptions {
  /**
   * Sends the requests: an `Agent`, `Pool`, `ProxyAgent` or other dispatcher of undici. It is yours to close.
   * @default an `Agent` of its own with keep-alive, created with the first request. Its idle sockets close after 4
   * seconds, or as the service says, and do not keep the process running. It waits at most 10 seconds for a connection;
   * everything else is limited by the client's `timeout` and `deadline`.
   */
  readonly dispatcher?: UndiciDispatcher | undefined
}

/** A dispatcher of undici, version 7.30 or newer. */
export interface UndiciDispatcher {
  /** Sends a request; `handler` receives the response. */
  dispatch(request: object, handler: object): boolean
}

/**
 * Creates a `fetch` for the client that reads responses from undici without `Request`, `Response` and web streams. A call
 * then takes about half the CPU time. Needs the package `undici`, version 7.30 or newer; for Node.
 *
 * Requests ask for `br` or `gzip`, and responses are decompressed; a body in another encoding is a `ResponseParseError`.
 * Redirects are not followed, not even if the dispatcher has undici's `redirect` interceptor. `credentials` has no effect,
 * since Node has no cookie jar. The response has only the properties of {@link FetchResponse}.
 *
 * If there is no response, it rejects with the error of undici, the `cause` of the client's `ConnectionError`; if undici
 * is not installed, with an error that says so.
 *
 * @example
 * import { Client } from 'rapport-sdk'
 * import { undiciFetch } from 'rapport-sdk/node'
 *
 * const client = new Client({ baseUrl: 'https://service.example', token: 'a token', fetch: undiciFetch() })
 */
export function undiciFetch({ dispatcher }: UndiciFetchOptions = {}): Fetch {
  let agent: Promise<UndiciDispatcher> | undefined
  return async (url, init) => {
    if (dispatcher) return send(dispatcher, url, init)
    agent ??= createAgent()
    return send(await agent, url, init)
  }
}

async function createAgent(): Promise<UndiciDispatcher> {
  try {
    const { Agent } = await import('undici')
    return new Agent({ headersTimeout: 0, bodyTimeout: 0 })
  } catch (cause) {
    throw new RapportError('undiciFetch needs the package undici: run `npm install undici`.', { cause })
  }
}

/** Sent as by `fetch`, unless the client's headers replace them. */
const HEADERS = { 'user-agent': 'node', 'accept-encoding': 'br, gzip' }

function send(dispatcher: UndiciDispatcher, url: string, init: FetchInit): Promise<FetchResponse> {
  const { method, body = null, signal } = init
  const { origin, pathname, search } = new URL(url)
  const headers = { ...HEADERS, ...init.headers }
  const request: Dispatcher.DispatchOptions & { maxRedirections: number } = {
    origin,
    path: pathname + search,
    method,
    headers,
    body,
    // Otherwise undici's `redirect` interceptor would send secrets to another origin. Its `fetch` passes this, too.
    maxRedirections: 0,
  }
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    else dispatcher.dispatch(request, new ResponseReader(signal, resolve, reject))
  })
}

/** Maximum number of bytes that wait for the reader; above it, undici stops reading from the socket. */
const MAX_QUEUED_BYTES = 64 * 1024

/** Receives a response from undici. It is the body as well: an async iterable of bytes. */
class ResponseReader implements Dispatcher.DispatchHandler, AsyncIterableIterator<Uint8Array> {
  readonly #signal: AbortSignal
  readonly #resolve: (response: FetchResponse) => void
  readonly #reject: (error: unknown) => void
  #controller: Dispatcher.DispatchController | undefined
  readonly #chunks: Uint8Array[] = []
  #queuedBytes = 0
  #hasEnded = false
  #failure: { readonly error: unknown } | undefined
  /** Settles the pending `next`, if there is one. */
  #wake = () => {}

  constructor(signal: AbortSignal, resolve: (response: FetchResponse) => void, reject: (error: unknown) => void) {
    this.#signal = signal
    this.#resolve = resolve
    this.#reject = reject
    signal.addEventListener('abort', this)
  }

  /** Called when the signal aborts. */
  handleEvent(): void {
    this.#fail(this.#signal.reason)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // The signal aborted while the request waited for a connection.
    if (this.#failure) this.#abort()
  }

  onResponseStart(_: unknown, status: number, fields: Readonly<Record<string, string | string[] | undefined>>): void {
    // Such as 103 Early Hints; the response follows.
    if (status < 200) return
    const headers = new Headers()
    for (const [name, value] of Object.entries(fields)) {
      if (typeof value === 'string') headers.append(name, value)
      else for (const item of value ?? []) headers.append(name, item)
    }
    const body = decompress(this, headers.get('content-encoding'))
    this.#resolve({ status, headers, body, arrayBuffer: () => readAll(body) })
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#chunks.push(chunk)
    this.#queuedBytes += chunk.byteLength
    if (this.#queuedBytes > MAX_QUEUED_BYTES) controller.pause()
    this.#wake()
  }

  onResponseEnd(): void {
    this.#signal.removeEventListener('abort', this)
    this.#hasEnded = true
    this.#wake()
  }

  onResponseError(_: unknown, error: Error): void {
    this.#fail(error)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    if (this.#chunks.length === 0 && !this.#hasEnded && !this.#failure) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    const value = this.#chunks.shift()
    if (value === undefined) {
      if (this.#failure) throw this.#failure.error
      return { done: true, value }
    }
    this.#queuedBytes -= value.byteLength
    if (this.#queuedBytes === 0) this.#controller?.resume()
    return { done: false, value }
  }

  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.destroy()
    return { done: true, value: undefined }
  }

  /** Ends the response before its end, which closes the socket. The client calls it for a body that it does not read. */
  destroy(): void {
    this.#fail(new Error('The body was not read to its end.'))
  }

  #fail(error: unknown): void {
    if (this.#hasEnded || this.#failure) return
    this.#signal.removeEventListener('abort', this)
    this.#failure = { error }
    this.#abort()
    this.#reject(error)
    this.#wake()
  }

  #abort(): void {
    this.#controller?.abort(new Error('The request was aborted.'))
  }
}

/** As `fetch` does, accept a compressed body that lacks its end. */
const GZIP = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH }
const BROTLI = { flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH }

const gunzip = (): Transform => createGunzip(GZIP)

/** Decoders by `Content-Encoding`. RFC 9110 requires `x-gzip` to be treated as `gzip`. */
const DECODERS: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['br', () => createBrotliDecompress(BROTLI)],
])

/** Decompresses a body by its `Content-Encoding`. Reading one in another encoding fails, unless it is empty. */
function decompress(body: AsyncIterable<Uint8Array>, encoding: string | null): AsyncIterable<Uint8Array> {
  const name = encoding?.toLowerCase() || 'identity'
  if (name === 'identity') return body
  const decoder = DECODERS.get(name)?.() ?? refuse(name)
  // The reader of the decoder receives every error.
  return pipeline(Readable.from(body), decoder, () => {})
}

function refuse(encoding: string): Transform {
  const name = JSON.stringify(encoding.slice(0, 50))
  const problem = `its Content-Encoding ${name} is not supported; undiciFetch decodes br and gzip`
  return new Transform({ transform: (_chunk, _encoding, done) => done(new RapportError(problem)) })
}

async function readAll(body: AsyncIterable<Uint8Array>): Promise<ArrayBuffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Uint8Array.from(Buffer.concat(chunks)).buffer
}
