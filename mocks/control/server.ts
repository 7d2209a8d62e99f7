import { constants } from 'node:buffer'
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { MAX_BODY_BYTES } from '../request'
import { type ControlResponse, handleControl, isSnapshotBody } from './control'
import { inspectorPage } from './inspector/page'
import { DEFAULT_NAMESPACE, type Namespaces, type WhenClosed } from './namespaces'
import { ControlProblem, refusal } from './row'

const BASE = '/_mock'

/** Headers of every response: no page may embed, read or guess it. */
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const

export interface ControlOptions {
  readonly namespaces: Namespaces
  /** Token that callers must send; `null` for none. */
  readonly token: string | null
  /** Origins whose pages may call it, but not open the inspector. */
  readonly origins: readonly string[]
  /** Why it is off; `undefined` if it is on. */
  readonly disabled?: string | undefined
}

export type ControlServer = ReturnType<typeof createControlServer>

export function createControlServer(options: ControlOptions) {
  return {
    isFor: (path: string) => /^\/_mock(?:[/?#]|$)/.test(path),
    async serve(request: IncomingMessage, response: ServerResponse, target: string): Promise<void> {
      setHeaders(response, HEADERS)
      // Not parsed with `URL`, which would resolve `..`.
      const [address = '', query] = (target.split('#')[0] ?? '').split(/\?(.*)/s)
      const path = address.slice(BASE.length)
      const isListed = isListedOrigin(request.headers, path, options)
      if (isListed) setHeaders(response, corsHeaders(request.headers, false))
      const isFromPage = isListed && isPreflight(request.method, request.headers)
      const refusal = refusalOf(request, path, options, isListed, isFromPage)
      if (refusal === undefined && isFromPage) return void response.writeHead(204).end()
      if (refusal !== undefined) {
        const isUp = { kind: 'json', status: 200, body: { status: 'ok' } } as const
        return write(refusal.status === 403 && mayCheckHealth(request, path) ? isUp : refusal, request, response)
      }
      if (path === '') {
        // Relative addresses of the inspector need the slash.
        response.writeHead(308, { location: `${BASE}/` }).end()
        return
      }
      const disconnected = new AbortController()
      response.once('close', () => disconnected.abort(new Error('the caller has disconnected')))
      const maxBytes = isSnapshotBody(request.method, path) ? constants.MAX_STRING_LENGTH : MAX_BODY_BYTES
      const body = await readBody(request, maxBytes)
      const call = {
        method: request.method ?? 'GET',
        path,
        query: new URLSearchParams(query),
        headers: new Headers(
          Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]),
        ),
        body,
        signal: disconnected.signal,
      }
      write(await handleControl(options.namespaces, call), request, response)
    },
  }
}

export function setHeaders(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
}

/** Whether a path is the inspector's, or its page of a namespace. */
const isInspector = (path: string) => /^(?:\/namespaces\/[^/]+)?\/$/.test(path) || path === ''

function isListedOrigin({ origin = '' }: IncomingHttpHeaders, path: string, { origins }: ControlOptions): boolean {
  return origins.includes(origin) && !isInspector(path)
}

/**
 * Returns why a caller is refused: pages of other origins, unless they are listed, and callers without the token, which a
 * preflight does not send.
 */
function refusalOf(
  request: IncomingMessage,
  path: string,
  options: ControlOptions,
  isListed: boolean,
  isFromPage: boolean,
): ControlProblem | undefined {
  const { token, disabled } = options
  const forbidden = (message: string, header: string, allowed?: readonly string[]) =>
    refusal(403, header, message, allowed)
  if (disabled !== undefined) return forbidden(disabled, '')
  if (hasTwoHosts(request)) return refusal(400, 'host', 'the Host header must be sent once')
  const { headers } = request
  const { origin, host = '', 'sec-fetch-site': site } = headers
  // A foreign name that resolves to this machine: DNS rebinding. With a token, such a page cannot call it anyway.
  if (token === null && !isLoopback(host)) {
    return forbidden('the Host header must be a loopback name', 'host', ['localhost', '127.0.0.1', '[::1]'])
  }
  const own = [`http://${host}`, `https://${host}`]
  if (origin !== undefined && !isListed && !own.includes(origin)) {
    const message = 'pages of other origins may not call the control API; --control-origin allows those of an origin'
    return forbidden(message, 'origin', [`http://${host}`, ...options.origins])
  }
  if (site === 'cross-site' && !isListed)
    return forbidden('other sites may not call the control API', 'sec-fetch-site', ['same-origin'])
  // The page of the inspector contains no data; it asks for the token.
  if (token !== null && !isInspector(path) && !isFromPage && !isToken(token, headers.authorization)) {
    return forbidden('the header Authorization must be "Bearer" and the control token', 'authorization')
  }
  return undefined
}

/** Whether a refused caller still learns that the mock is up: health checks of containers have no token, and any `Host`. */
function mayCheckHealth({ method, headers }: IncomingMessage, path: string): boolean {
  const isFromPage = headers.origin !== undefined || headers['sec-fetch-site'] === 'cross-site'
  return path === '/health' && (method === 'GET' || method === 'HEAD') && !isFromPage
}

/** Compares in constant time; the digests have the same length. */
function isToken(token: string, authorization = ''): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  const [, sent] = /^bearer (.*)$/is.exec(authorization) ?? []
  return sent !== undefined && timingSafeEqual(digest(token), digest(sent))
}

/** Whether a request has more than one `Host` header: each program on its way may read another. RFC 9112, section 3.2. */
export function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length > 1
}

/** Returns an address as the host of a URL. */
export const hostOf = (address: string) => (address.includes(':') ? `[${address}]` : address)

/** Whether the value of a `Host` header, or the host of an origin, is a loopback name or address. */
export function isLoopback(host: string): boolean {
  return /^(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i.test(host)
}

function write(outcome: ControlResponse, request: IncomingMessage, response: ServerResponse): void {
  const send = (status: number, type: string, body: string) => {
    response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) })
    response.end(request.method === 'HEAD' ? '' : body)
  }
  if (outcome instanceof ControlProblem) {
    const { status, message, errors, headers } = outcome
    setHeaders(response, headers)
    const problem = { type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status, detail: message, errors }
    send(status, 'application/problem+json', JSON.stringify(problem))
  } else if (outcome.kind === 'json') {
    const { status, body } = outcome
    if (body === undefined) response.writeHead(status).end()
    else send(status, 'application/json', JSON.stringify(body))
  } else if (outcome.kind === 'page') {
    const nonce = randomBytes(16).toString('base64')
    const sources = `script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; connect-src 'self'; img-src data:`
    const policy = `default-src 'none'; ${sources}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
    response.setHeader('content-security-policy', policy)
    send(200, 'text/html; charset=utf-8', inspectorPage(nonce, new URL(outcome.baseUrl).pathname))
  } else {
    stream(outcome, response)
  }
}

const HEARTBEAT = 15_000
/** Maximum number of bytes buffered for a reader of events that is too slow; then it is disconnected. */
const MAX_BUFFERED = 2 ** 22

function stream({ service, types }: Extract<ControlResponse, { kind: 'events' }>, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
  const send = (text: string) => {
    if (response.writableLength > MAX_BUFFERED) response.destroy()
    else response.write(text)
  }
  send(': events of the mock\n\n')
  const stop = service.onEvent((event) => {
    if (types.length === 0 || types.includes(event.type)) send(`data: ${JSON.stringify(event)}\n\n`)
  })
  const heartbeat = setInterval(() => send(': heartbeat\n\n'), HEARTBEAT)
  heartbeat.unref()
  response.once('close', () => {
    clearInterval(heartbeat)
    stop()
  })
}

/** Whether a text is exactly an origin of pages, such as `https://app.example`. */
export function isOrigin(text: unknown): boolean {
  return typeof text === 'string' && /^https?:[^*]*$/.test(text) && URL.canParse(text) && new URL(text).origin === text
}

/** Whether CORS is allowed for a request's origin: loopback by default, others if listed. */
export function isCorsOrigin(cors: boolean | readonly string[], { origin }: RequestHeaders): boolean {
  if (typeof origin !== 'string' || cors === false) return false
  if (Array.isArray(cors) && (cors.includes('*') || cors.includes(origin))) return true
  return URL.canParse(origin) && isLoopback(new URL(origin).host)
}

type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>

/** Headers of responses that clients read. The mock sends some itself; faults may set the others. */
const EXPOSED =
  'retry-after, x-ratelimit-global, x-ratelimit-remaining, x-ratelimit-reset-after, ratelimit, ratelimit-remaining, ' +
  'ratelimit-reset, date, x-request-id, x-correlation-id, x-amzn-requestid, cf-ray'

export const METHODS = 'GET, POST, PUT, PATCH, DELETE'

/** Returns the CORS headers of a response. They name the origin, because `*` would exclude cookies. */
export function corsHeaders(
  { origin, 'access-control-request-headers': requested }: RequestHeaders,
  hasCredentials = true,
): Record<string, string> {
  if (typeof origin !== 'string') return {}
  return {
    'access-control-allow-origin': origin,
    ...(hasCredentials && { 'access-control-allow-credentials': 'true' }),
    'access-control-allow-methods': METHODS,
    'access-control-allow-headers': typeof requested === 'string' ? requested : '',
    'access-control-expose-headers': EXPOSED,
    vary: 'origin',
  }
}

export function isPreflight(method: string | undefined, headers: RequestHeaders): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
}

/**
 * Returns path and query of a request target in any form, or `undefined` for `*`, which has none. RFC 9112, section
 * 3.2.
 */
export function pathOf(target = '/'): string | undefined {
  if (target.startsWith('/')) return target
  // Not parsed with `URL`: the host of an absolute target is ignored and may be invalid.
  const [, path] = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*(.*)$/i.exec(target) ?? []
  return path === undefined || path.startsWith('/') ? path : `/${path}`
}

/** Returns the headers of a request, each as often as it was sent. */
export function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '')
  }
  return headers
}

/**
 * Reads the body of a request; `null` if it is too large. The rest of a large body is read and discarded, because the
 * client may send all of it before it reads the response, and the connection may be reused.
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size <= maxBytes) chunks.push(chunk)
      else discard()
    }
    const discard = () => {
      request.off('data', onData).resume()
      chunks.length = 0
      resolve(null)
    }
    request.on('data', onData)
    request.on('error', reject)
    request.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
    request.on('close', () => {
      if (!request.complete) reject(new Error('the client has disconnected'))
    })
    if (Number(request.headers['content-length']) > maxBytes) discard()
  })
}

export function targetOf(
  namespaces: Namespaces,
  path: string | undefined,
  headers: RequestHeaders,
  whenClosed: WhenClosed,
) {
  if (path === undefined) return undefined
  const [, prefix, rest] = /^\/_ns\/([^/?#]*)(.*)$/.exec(path) ?? []
  const name = prefix ?? headers['x-mock-namespace'] ?? DEFAULT_NAMESPACE
  try {
    const { service } = namespaces.ofService(String(name), whenClosed)
    return { service, path: prefix === undefined ? path : rest?.startsWith('/') ? rest : `/${rest}` }
  } catch (error) {
    if (error instanceof ControlProblem) return error
    throw error
  }
}

/** Returns the connections of a server, at each time those that are open, before and after a TLS handshake. */
export function trackSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>()
  const track = (socket: Socket) => {
    // Emitted again for the same connection after an ignored upgrade.
    if (sockets.has(socket)) return
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    // An error is followed by `close`, which is handled.
    socket.on('error', () => {})
  }
  server.on('connection', track)
  server.on('secureConnection', track)
  return sockets
}

/**
 * Makes a server ignore upgrades to protocols that it does not support, such as `h2c` (RFC 9110, section 7.8). With an
 * `upgrade` listener, Node's server stops parsing HTTP on such a connection, so the request is written back to the
 * connection without that header, and the connection is passed to the server again.
 * @returns an `upgrade` handler that keeps the order of pipelined requests.
 */
export function ignoreUpgrades(server: Server, connected: 'connection' | 'secureConnection') {
  /** Last response of each connection; Node sends the responses of a connection in their order. */
  const last = new WeakMap<Duplex, ServerResponse>()
  server.on('request', ({ socket }, response) => last.set(socket, response))
  return async (request: IncomingMessage, socket: Duplex, rest: Buffer): Promise<void> => {
    const response = last.get(socket)
    if (response?.closed === false) await new Promise((end) => response.once('close', end))
    if (socket.destroyed) return
    // Node parses the head of a request as latin1, so this restores the original bytes.
    socket.unshift(Buffer.concat([Buffer.from(headOf(request), 'latin1'), rest]))
    server.emit(connected, socket)
  }
}

function headOf({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() !== 'upgrade') lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`)
  }
  return `${lines.join('\r\n')}\r\n\r\n`
}
