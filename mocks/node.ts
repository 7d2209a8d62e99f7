import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { apiError } from './errors'
import { type GatewayLink, MAX_WAITING_BYTES } from './gateway/connection'
import { gatewayUrl, isGatewayPath } from './gateway/protocol'
import { verifyPasskeyWhereInstalled } from './node-webauthn'
import { errorAnswer, firstHalf, type ServiceOutcome } from './request'
import type { MockService } from './service'

type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>

/** The methods that endpoints have. */
export const METHODS = 'GET, POST, PUT, PATCH, DELETE'

/** What lets a page of another origin read an answer. The origin is repeated: `*` would shut cookies out. */
export function corsHeaders({
  origin,
  'access-control-request-headers': wanted,
}: RequestHeaders): Record<string, string> {
  if (typeof origin !== 'string') return {}
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': METHODS,
    'access-control-allow-headers': typeof wanted === 'string' ? wanted : '',
    'access-control-expose-headers': 'retry-after',
    vary: 'origin',
  }
}

/** Whether a browser asks whether it may ask. */
export function isPreflight(method: string | undefined, headers: RequestHeaders): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
}

/**
 * Returns the path and the query that a request target names, whichever form it has, or `undefined` if it names none:
 * `*` is a whole server. RFC 9112, section 3.2.
 */
export function pathOf(target = '/'): string | undefined {
  if (target.startsWith('/')) return target
  // Not by `URL`: the host of an absolute target says nothing here, and may be nonsense.
  const [, path] = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*(.*)$/i.exec(target) ?? []
  return path === undefined || path.startsWith('/') ? path : `/${path}`
}

/** Returns the address that a path is at, on a host as the header `Host` names it; `undefined` if that is no host. */
export function addressAt(path: string, host = 'localhost'): URL | undefined {
  // A path may begin with two slashes, so an address is put before it rather than resolved.
  return /[\s/?#@\\]|^$/.test(host) || !URL.canParse(`ws://${host}`) ? undefined : new URL(`ws://${host}${path}`)
}

/** What a client sends is small. A convention. */
const MAX_FRAME_BYTES = 2 ** 20

/** The gateway of a service on the sockets of an HTTP server. */
export interface GatewayServer {
  /** Whether a request asks for a WebSocket of the gateway. */
  isFor(request: IncomingMessage): boolean
  /** Takes the socket of a request that does. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Closes all of them with 1001; none is left. */
  close(): void
}

export function createGatewayServer(service: MockService): GatewayServer {
  const baseUrl = new URL(service.baseUrl)
  const server = new WebSocketServer({ noServer: true, clientTracking: false, maxPayload: MAX_FRAME_BYTES })
  const sockets = new Map<Duplex, { readonly client: WebSocket; readonly link: GatewayLink }>()

  return {
    isFor({ url, headers }) {
      const address = addressAt(pathOf(url) ?? '')
      return headers.upgrade?.toLowerCase() === 'websocket' && isGatewayPath(baseUrl, address?.pathname ?? '')
    },
    upgrade(request, socket, head) {
      const url = addressAt(pathOf(request.url) ?? '', request.headers.host)
      if (url === undefined) {
        socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n', () => socket.destroy())
        return
      }
      // The gateway decides before there is a WebSocket, so that it can refuse one. What it says at once waits.
      let client: WebSocket | undefined
      const waiting: ((client: WebSocket) => void)[] = []
      const give = (act: (client: WebSocket) => void) => void (client === undefined ? waiting.push(act) : act(client))
      const link = service.gateway.connect({
        url: url.href,
        send: (data) => give((to) => to.send(data)),
        close: (code, reason) => give((to) => to.close(code, reason)),
        waiting: () => client?.bufferedAmount ?? 0,
        terminate: () => give((to) => to.terminate()),
        pause: (isPaused) => give((to) => (isPaused ? to.pause() : to.resume())),
      })
      if (link === undefined) {
        socket.destroy()
        return
      }
      const onAborted = () => link.closed(1006)
      socket.once('close', onAborted)
      server.handleUpgrade(request, socket, head, (opened) => {
        client = opened
        socket.off('close', onAborted)
        sockets.set(socket, { client: opened, link })
        opened.on('message', (data, isBinary) => link.receive(isBinary ? data : String(data)))
        opened.on('close', (code) => {
          sockets.delete(socket)
          link.closed(code)
        })
        // Each ping is answered, also those of a client that does not read.
        opened.on('ping', () => {
          if (opened.bufferedAmount > MAX_WAITING_BYTES) opened.terminate()
        })
        // What breaks a connection also closes it.
        opened.on('error', () => {})
        for (const act of waiting) act(opened)
      })
    },
    close() {
      for (const [socket, { client, link }] of sockets) {
        // Before the client answers with the same code: it is not the one who ends its session.
        link.closed(1006)
        client.close(1001, 'The server was closed.')
        // A client that does not read would keep it open for ever.
        if (socket.writableNeedDrain) socket.destroy()
        else socket.end(() => socket.destroy())
      }
    },
  }
}

/**
 * Makes a server serve requests that ask for a protocol which it does not have, such as `h2c`, as if they had not asked.
 * A server may ignore `Upgrade` (RFC 9110, section 7.8), but Node's leaves HTTP once anybody listens for upgrades. So the
 * request goes back into its connection without that header, and the connection back to the server.
 * @returns what takes such a request. What follows it on its connection stays behind it.
 */
export function ignoreUpgrades(server: Server) {
  /** The answers that are due on a connection: they come before that of a request which was sent after theirs. */
  const due = new WeakMap<Duplex, Set<ServerResponse>>()
  server.on('request', ({ socket }, response) => {
    const responses = due.get(socket) ?? new Set()
    due.set(socket, responses.add(response))
    response.once('close', () => responses.delete(response))
  })
  return async (request: IncomingMessage, socket: Duplex, rest: Buffer): Promise<void> => {
    await Promise.all([...(due.get(socket) ?? [])].map((response) => new Promise((end) => response.once('close', end))))
    if (socket.destroyed) return
    // Node reads the head of a request as latin1, so this is the same bytes.
    socket.unshift(Buffer.concat([Buffer.from(headOf(request), 'latin1'), rest]))
    server.emit('connection', socket)
  }
}

function headOf({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() !== 'upgrade') lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`)
  }
  return `${lines.join('\r\n')}\r\n\r\n`
}

export { verifyPasskey } from './node-webauthn'

/** Where a service listens. */
export interface ListenOptions {
  /** The port; 0 is one that is free. @default 0 */
  readonly port?: number
  /** The address to listen at. @default '127.0.0.1' */
  readonly host?: string
  /** Whether web pages of other origins may call, cookies included. @default true */
  readonly cors?: boolean
}

/** A service that listens. */
export interface MockServer {
  /** What a client takes as its base address: where it listens, with the path of the service's own base address. */
  readonly url: string
  /** What a client takes as the address of its gateway: `ws:`, at the same port. */
  readonly gatewayUrl: string
  /** The port that it listens on. */
  readonly port: number
  /** Stops listening and ends all connections; nothing of it keeps the process alive. */
  close(): Promise<void>
  /** The same as {@link MockServer.close}. */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Serves a mock service over real HTTP, and its gateway over real WebSockets. Faults happen on real sockets. Signatures
 * of passkeys with a public key are verified where `@simplewebauthn/server` is installed; see {@link verifyPasskey}.
 * @throws Error with the code `EADDRINUSE` when the port is taken.
 */
export async function listen(service: MockService, options: ListenOptions = {}): Promise<MockServer> {
  const { port = 0, host = '127.0.0.1', cors = true } = options
  const server = createServer((request, response) => {
    // What fails here fails for want of a caller: the connection has gone, or the service was closed.
    serve(service, cors, request, response).catch(() => request.socket.destroy())
  })
  const gateway = createGatewayServer(service)
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    // A connection comes again when an upgrade was ignored.
    if (sockets.has(socket)) return
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    // Whoever holds it by then: a socket that breaks closes too, and that is enough.
    socket.on('error', () => {})
  })
  const ignoreUpgrade = ignoreUpgrades(server)
  server.on('upgrade', (request, socket, head) => {
    if (gateway.isFor(request)) gateway.upgrade(request, socket, head)
    else ignoreUpgrade(request, socket, head)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  // A connection that cannot be accepted is its client's loss.
  server.on('error', () => {})
  const forget = service.onClose(() => close())
  const close = async (): Promise<void> => {
    forget()
    gateway.close()
    await closed(server, sockets)
  }
  const address = server.address() as AddressInfo
  const base = new URL(service.baseUrl).pathname.replace(/\/$/, '')
  const authority = host.includes(':') ? `[${host}]` : host
  return {
    url: `http://${authority}:${address.port}${base}`,
    gatewayUrl: gatewayUrl(new URL(`http://${authority}:${address.port}${base}`)),
    port: address.port,
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Milliseconds that closing WebSockets have for their last frames. */
const CLOSE_GRACE = 1000

function closed(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      for (const socket of sockets) socket.destroy()
    }, CLOSE_GRACE)
    server.close(() => {
      clearTimeout(timer)
      resolve()
    })
    server.closeAllConnections()
  })
}

async function serve(service: MockService, cors: boolean, request: IncomingMessage, response: ServerResponse) {
  const shared = cors ? corsHeaders(request.headers) : {}
  for (const [name, value] of Object.entries(shared)) response.setHeader(name, value)
  if (cors && isPreflight(request.method, request.headers)) return void response.writeHead(204).end()
  const path = pathOf(request.url)
  if (path === undefined) {
    if (request.method === 'OPTIONS') response.writeHead(204, { allow: METHODS }).end()
    else deliver(errorAnswer(apiError(service.policy, 'badRequest')), response)
    return
  }

  const gone = new AbortController()
  response.once('close', () => gone.abort(new Error('the client has gone')))
  const outcome = await service.handle({
    method: request.method ?? 'GET',
    url: `http://localhost${path}`,
    headers: headersOf(request),
    body: await bodyOf(request, service.maxBodyBytes),
    ip: (request.socket.remoteAddress ?? '').replace(/^::ffff:/, ''),
    signal: gone.signal,
    verifyPasskey: verifyPasskeyWhereInstalled,
  })
  deliver(outcome, response)
}

function deliver(outcome: ServiceOutcome, response: ServerResponse): void {
  const { socket } = response
  if (outcome.kind === 'failure') {
    if (outcome.how === 'reset') socket?.resetAndDestroy()
    else socket?.destroy()
    return
  }
  const body = Buffer.from(outcome.body)
  response.statusCode = outcome.status
  for (const [name, value] of outcome.headers) response.appendHeader(name, value)
  if (outcome.status !== 204 && outcome.status !== 304) response.setHeader('content-length', body.length)
  if (outcome.delivery === 'whole' || body.length === 0) return void response.end(body)
  // The length of the whole is promised and half of it sent; then the socket ends, or nothing more comes.
  response.flushHeaders()
  response.write(firstHalf(body), () => {
    if (outcome.delivery === 'truncated') socket?.destroy()
  })
}

function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    for (const value of values) headers.append(name, value)
  }
  return headers
}

/**
 * Reads the body of a request; `null` if it is too large. What is left of it is thrown away as it comes: the client may
 * send it before it listens, and the next request of its connection follows it.
 */
function bodyOf(request: IncomingMessage, maxBytes: number): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size <= maxBytes) chunks.push(chunk)
      else tooLarge()
    }
    const tooLarge = () => {
      request.off('data', onData).resume()
      chunks.length = 0
      resolve(null)
    }
    request.on('data', onData)
    request.on('error', reject)
    request.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
    request.on('close', () => reject(new Error('the client has gone')))
    if (Number(request.headers['content-length']) > maxBytes) tooLarge()
  })
}
