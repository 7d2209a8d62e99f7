import { pipeline, type Readable, Transform } from 'node:stream'
import { arrayBuffer } from 'node:stream/consumers'
import { constants, createBrotliDecompress, createGunzip } from 'node:zlib'
import type { Dispatcher } from 'undici'
import { RapportError } from '../errors/base'
import type { Fetch, FetchResponse } from '../types/options'

/** Options of {@link undiciFetch}. */
export interface UndiciFetchOptions {
  /**
   * Sends the requests: an `Agent`, `Pool`, `ProxyAgent` or other dispatcher of undici. It is yours to close.
   * @default a new `Agent` with keep-alive, created with the first request. Its idle sockets close after 4
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
 * then takes about half the CPU time. Needs the package `undici`, version 7.30 or newer (8 needs Node 22.19); for Node.
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
  let loading: ReturnType<typeof load> | undefined
  return async (url, { method, headers, body = null, signal }) => {
    loading ??= load(dispatcher)
    const undici = await loading
    signal.throwIfAborted()
    const response = await undici.request(url, {
      ...{ method, headers: { ...HEADERS, ...headers }, body, signal },
      // `request` calls only its `dispatch`.
      dispatcher: Object(undici.dispatcher),
      // Otherwise undici's `redirect` interceptor would send secrets to another origin. Its `fetch` passes this, too.
      ...{ maxRedirections: 0 },
    })
    return readResponse(response)
  }
}

/** Loads undici, and creates an agent if the app has none. */
async function load(dispatcher: UndiciDispatcher | undefined) {
  try {
    const { Agent, request } = await import('undici')
    return { request, dispatcher: dispatcher ?? new Agent({ headersTimeout: 0, bodyTimeout: 0 }) }
  } catch (cause) {
    // Version 8 does not load in Node 20, and 7 does in every supported version.
    throw new RapportError('undiciFetch needs the package undici: run `npm install undici@7`.', { cause })
  }
}

/** Sent as by `fetch`, unless the client's headers replace them. */
const HEADERS = { 'user-agent': 'node', 'accept-encoding': 'br, gzip' }

function readResponse({ statusCode: status, headers: fields, body: received }: Dispatcher.ResponseData): FetchResponse {
  const headers = new Headers()
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') headers.append(name, value)
    else for (const item of value ?? []) headers.append(name, item)
  }
  // Whoever reads it receives its errors; one that is left unread must not end the process.
  received.on('error', () => {})
  const body = decompress(received, headers.get('content-encoding'))
  return { status, headers, body, arrayBuffer: () => arrayBuffer(body) }
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
function decompress(body: Readable, encoding: string | null): Readable {
  const name = encoding?.toLowerCase() || 'identity'
  if (name === 'identity') return body
  const decoder = DECODERS.get(name)?.() ?? refuse(name)
  // The reader of the decoder receives every error.
  return pipeline(body, decoder, () => {})
}

function refuse(encoding: string): Transform {
  const name = JSON.stringify(encoding.slice(0, 50))
  const problem = `its Content-Encoding ${name} is not supported; undiciFetch decodes br and gzip`
  return new Transform({ transform: (_chunk, _encoding, done) => done(new RapportError(problem)) })
}
