import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type WebSocket, WebSocketServer } from 'ws'
import { isObject } from '../src/internal/json'
import { MAX_NAMESPACES, Namespaces } from './control/namespaces'
import { ControlProblem } from './control/row'
import * as http from './control/server'
import { apiError } from './errors'
import { type GatewayLink, gatewayUrl, isGatewayPath, MAX_BUFFERED_BYTES } from './gateway/connection'
import { verifyPasskeyWhereInstalled } from './node-webauthn'
import { bodyOf, errorResponse, isWithoutBody, jsonResponse, MAX_BODY_BYTES, type ServiceOutcome } from './request'
import type { MockService } from './service'
import * as option from './settings'
import { assertOptions } from './settings'
import type { MockSnapshot } from './snapshot'

export { verifyPasskey } from './node-webauthn'
export type { CompareRecordingOptions, RecordingComparison, RecordingDifference } from './recording/compare'
export { compareRecording } from './recording/compare'

/** Options of {@link listen}. */
export interface ListenOptions {
  /** Port; 0 for any free one. @default 0 */
  readonly port?: number
  /** Address to listen on. @default '127.0.0.1' */
  readonly host?: string
  /**
   * Origins whose pages may call the service, with credentials: `true` for those of this machine, such as
   * `http://localhost:5173`, an array for others as well (`'*'` for all), `false` for none. The control API has no CORS.
   * @default true
   */
  readonly cors?: boolean | readonly string[]
  /**
   * Whether the control API and the inspector are served at `/_mock/`; with a `token`, callers must send it as
   * `Authorization: Bearer <token>`: visible ASCII characters without spaces. Default: `true` if `host` is a loopback address, otherwise off without a token:
   * whoever can call it can read every mail and token. `origins` are exact origins, such as `http://localhost:5173`, whose
   * pages may call the control API, too; no pattern is allowed, and on another host they need a token.
   */
  readonly control?: boolean | { readonly token?: string; readonly origins?: readonly string[] }
  /** Certificate and private key in PEM: the server listens on `https:` and `wss:`. Default: none, `http:` and `ws:`. */
  readonly tls?: { readonly cert: string; readonly key: string }
  /** Maximum number of namespaces, including the default one. @default 64 */
  readonly maxNamespaces?: number
  /**
   * State of namespaces that exist from the start, by name, such as that of {@link MockServer.snapshots}. `POST
   * /_mock/reset` restores it. `default` is the namespace of `service` itself, which is restored. Default: none.
   */
  readonly namespaces?: Readonly<Record<string, MockSnapshot>>
  /** Called when a namespace was created, before its first request. */
  readonly onNamespace?: (service: MockService, name: string) => void
}

const controlObject = option.nested({
  token: option.headerToken,
  origins: option.each(option.check('an origin such as https://app.example', http.isOrigin)),
})

const LISTEN_OPTIONS: option.OptionChecks = {
  port: option.integer(0, 65_535),
  host: option.string,
  // `null` is the origin of sandboxed frames.
  cors: option.check('true, false or an array of origins', (value) =>
    Array.isArray(value)
      ? value.every((one) => /^(\*|null)$/.test(one) || http.isOrigin(one))
      : typeof value === 'boolean',
  ),
  control: (name, value) => (typeof value === 'boolean' ? [] : controlObject(name, value)),
  tls: option.nested({ cert: option.secret, key: option.secret }, ['cert', 'key']),
  maxNamespaces: option.integer(1, 10_000),
  namespaces: option.check('an object of snapshots by name', (value) => isObject(value) && !Array.isArray(value)),
  onNamespace: option.callback,
}

/** A listening server. */
export interface MockServer {
  /** Base URL for clients, with the path of the service's base URL. */
  readonly url: string
  /** Gateway URL for clients, `ws:` on the same port. */
  readonly gatewayUrl: string
  /** Port that it listens on. */
  readonly port: number
  /** URL of the control API and the inspector; `null` if it is off. */
  readonly controlUrl: string | null
  /** Returns the state of all namespaces by name, as plain JSON for the option `namespaces`; it contains passwords. */
  snapshots(): Record<string, MockSnapshot>
  /**
   * Makes the current state and policy of the service the ones that `POST /_mock/reset` restores and new namespaces begin with.
   * Initially they are those at the time of `listen`.
   */
  saveBaseline(): void
  /** Stops listening and closes all connections, so that the process can exit. */
  close(): Promise<void>
  /** Same as {@link MockServer.close}. */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Serves a mock service over HTTP and its gateway over WebSocket, with faults on real sockets. Signatures of passkeys
 * with a public key are verified if `@simplewebauthn/server` is installed; see {@link verifyPasskey}.
 * @throws Error with the code `EADDRINUSE` if the port is in use, or that of OpenSSL if a certificate is invalid.
 * TypeError if an option is invalid.
 */
export async function listen(service: MockService, options: ListenOptions = {}): Promise<MockServer> {
  const read = assertOptions('listen', options, LISTEN_OPTIONS)
  const { port = 0, host = '127.0.0.1', cors = true, control } = read
  const { token = null, origins = [] } = typeof control === 'object' ? control : {}
  const isOn = typeof control === 'boolean' ? control : token !== null || http.isLoopback(http.hostOf(host))
  if (!isOn && origins.length > 0) {
    throw new TypeError(`listen: control.origins: need a token, because the control API is off on ${host} without one`)
  }
  const { tls, maxNamespaces = MAX_NAMESPACES, namespaces: initial = {}, onNamespace = () => {} } = read
  const limits = { max: maxNamespaces, isProtected: token !== null, onCreated: onNamespace, initial }
  const namespaces = new Namespaces(service, limits)
  const controlServer = http.createControlServer({
    namespaces,
    token,
    origins,
    disabled: isOn
      ? undefined
      : `the control API is off, because the server listens on ${host} without a control token`,
  })
  const parts: ServerParts = { namespaces, cors, control: control === false ? undefined : controlServer }
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    // Rejects only if the connection or the service was closed.
    serve(parts, request, response).catch(() => request.socket.destroy())
  }
  // A program that was stalled for longer than a time limit would send its next request into a closing connection.
  const connections = { keepAliveTimeout: 0 }
  const server =
    tls === undefined ? createServer(connections, onRequest) : createTlsServer({ ...tls, ...connections }, onRequest)
  /** Emitted with each connection that HTTP is spoken on. */
  const connected = tls === undefined ? 'connection' : 'secureConnection'
  const gateway = createGatewayServer(namespaces)
  const sockets = http.trackSockets(server)
  const ignoreUpgrade = http.ignoreUpgrades(server, connected)
  server.on('upgrade', (request, socket, head) => {
    if (gateway.isFor(request)) gateway.upgrade(request, socket, head)
    else ignoreUpgrade(request, socket, head)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      namespaces.close()
      reject(error)
    })
    server.listen(port, host, resolve)
  })
  // Ignore connections that cannot be accepted.
  server.on('error', () => {})
  const unsubscribe = service.onClose(() => close())
  const close = async (): Promise<void> => {
    unsubscribe()
    gateway.close()
    namespaces.close()
    await closeServer(server, sockets)
  }
  // An object, because the server listens on a port, not on a pipe.
  const address = server.address() as AddressInfo
  const base = new URL(service.baseUrl).pathname.replace(/\/$/, '')
  const origin = `${tls === undefined ? 'http' : 'https'}://${http.hostOf(host)}:${address.port}`
  return {
    url: origin + base,
    gatewayUrl: gatewayUrl(new URL(origin + base)),
    port: address.port,
    controlUrl: isOn ? `${origin}/_mock/` : null,
    snapshots: () => namespaces.snapshots(),
    saveBaseline: () => namespaces.saveBaseline(),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Milliseconds for WebSockets to send their last frames before they are destroyed. */
const CLOSE_GRACE = 1000

function closeServer(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
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

interface ServerParts {
  readonly namespaces: Namespaces
  readonly cors: boolean | readonly string[]
  readonly control: http.ControlServer | undefined
}

async function serve({ namespaces, cors, control }: ServerParts, request: IncomingMessage, response: ServerResponse) {
  const path = http.pathOf(request.url)
  if (path !== undefined && control?.isFor(path)) return await control.serve(request, response, path)
  const { policy } = namespaces.default.service
  const badRequest = () => errorResponse(apiError(policy, 'badRequest'), policy)
  if (http.hasTwoHosts(request)) return writeOutcome(badRequest(), response)
  const isAllowed = http.isCorsOrigin(cors, request.headers)
  if (isAllowed) http.setHeaders(response, http.corsHeaders(request.headers))
  if (isAllowed && http.isPreflight(request.method, request.headers)) return void response.writeHead(204).end()
  const target = http.targetOf(namespaces, path, request.headers, (listener) => response.once('close', listener))
  if (target === undefined) {
    if (request.method === 'OPTIONS') return void response.writeHead(204, { allow: http.METHODS }).end()
    return writeOutcome(badRequest(), response)
  }
  if (target instanceof ControlProblem) return writeOutcome(answerOf(target), response)
  const { service } = target
  const outcome = await service.handle({
    method: request.method ?? 'GET',
    url: `http://localhost${target.path}`,
    headers: http.headersOf(request),
    body: await http.readBody(request, MAX_BODY_BYTES),
    ip: (request.socket.remoteAddress ?? '').replace(/^::ffff:/, ''),
    get signal() {
      return abortOnClose(response)
    },
    verifyPasskey: verifyPasskeyWhereInstalled,
  })
  writeOutcome(outcome, response)
}

const answerOf = ({ status, message }: ControlProblem) => jsonResponse(status, { code: 0, message })

function writeOutcome(outcome: ServiceOutcome, response: ServerResponse): void {
  const { socket } = response
  if (outcome.kind === 'failure') {
    const end = () => (outcome.how === 'reset' ? socket?.resetAndDestroy() : socket?.destroy())
    // Without a byte of an answer, a browser sends a request again, also a POST, if its connection was used before.
    if (response.req.headers['user-agent']?.startsWith('Mozilla/')) response.writeContinue(end)
    else end()
    return
  }
  response.statusCode = outcome.status
  for (const [name, value] of outcome.headers) response.appendHeader(name, value)
  if (!isWithoutBody(outcome.status)) {
    response.setHeader('content-length', Buffer.byteLength(outcome.body))
  }
  const isStream = outcome.delivery !== 'whole' || outcome.bytesPerSecond !== undefined
  const body = bodyOf(outcome, isStream ? abortOnClose(response) : undefined)
  if (body === null || typeof body === 'string') return void response.end(body ?? '')
  // The content length is that of the whole body, even if less of it is sent.
  response.flushHeaders()
  pipeline(body, response).catch(() => socket?.destroy())
}

/** Creates a signal that is aborted when the client disconnects. Costly, so only for requests that wait. */
function abortOnClose(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  const abort = () => controller.abort(new Error('the client has disconnected'))
  if (response.closed) abort()
  else response.once('close', abort)
  return controller.signal
}

/** Returns the URL of a path on the host of a `Host` header; `undefined` if the host is invalid. */
function addressAt(path: string, host = 'localhost'): URL | undefined {
  // Concatenated rather than resolved, because a path may begin with two slashes.
  return /[\s/?#@\\]|^$/.test(host) || !URL.canParse(`ws://${host}`) ? undefined : new URL(`ws://${host}${path}`)
}

/** Maximum size of a client's frame in bytes; a convention. */
const MAX_FRAME_BYTES = 2 ** 20

function refuseUpgrade(socket: Duplex, status: number, body = ''): void {
  const fields = ['Connection: close', `Content-Length: ${Buffer.byteLength(body)}`]
  if (body !== '') fields.push('Content-Type: application/json')
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...fields, '', body]
  socket.end(lines.join('\r\n'), () => socket.destroy())
}

/** Passes what a client sends to its connection of the gateway. */
function connectLink(client: WebSocket, link: GatewayLink): void {
  client.on('message', (data, isBinary) => link.receive(isBinary ? data : String(data)))
  client.on('close', (code) => link.closed(code))
  // `ws` replies to each ping, even if the client does not read.
  client.on('ping', () => {
    if (client.bufferedAmount > MAX_BUFFERED_BYTES) client.terminate()
  })
  // An error is followed by `close`.
  client.on('error', () => {})
}

function createGatewayServer(namespaces: Namespaces) {
  const baseUrl = new URL(namespaces.default.service.baseUrl)
  const server = new WebSocketServer({ noServer: true, clientTracking: false, maxPayload: MAX_FRAME_BYTES })
  const sockets = new Map<Duplex, { readonly client: WebSocket; readonly link: GatewayLink }>()

  return {
    /** Whether a request is a WebSocket upgrade for the gateway. */
    isFor({ url, headers }: IncomingMessage): boolean {
      // Without the prefix of a namespace.
      const address = addressAt(http.pathOf(url)?.replace(/^\/_ns\/[^/?#]*/, '') ?? '')
      return headers.upgrade?.toLowerCase() === 'websocket' && isGatewayPath(baseUrl, address?.pathname ?? '')
    },
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer) {
      const url = http.hasTwoHosts(request)
        ? undefined
        : addressAt(http.pathOf(request.url) ?? '', request.headers.host)
      const whenClosed = (listener: () => void) => socket.once('close', listener)
      const target = url && http.targetOf(namespaces, http.pathOf(request.url), request.headers, whenClosed)
      if (url === undefined || target === undefined) return refuseUpgrade(socket, 400)
      if (target instanceof ControlProblem) return refuseUpgrade(socket, target.status, answerOf(target).body)
      // The gateway decides before the upgrade, so that it can refuse; frames that it sends until then are buffered.
      let client: WebSocket | undefined
      const buffered: ((client: WebSocket) => void)[] = []
      const whenOpen = (send: (client: WebSocket) => void) =>
        void (client === undefined ? buffered.push(send) : send(client))
      const link = target.service.gateway.connect({
        url: url.href,
        send: (data) => whenOpen((to) => to.send(data)),
        close: (code, reason) => whenOpen((to) => to.close(code, reason)),
        waiting: () => client?.bufferedAmount ?? 0,
        terminate: () => whenOpen((to) => to.terminate()),
        pause: (isPaused) => whenOpen((to) => (isPaused ? to.pause() : to.resume())),
        refuse: (status, body) => refuseUpgrade(socket, status, body),
      })
      if (link === undefined) {
        if (!socket.writableEnded) socket.destroy()
        return
      }
      const onAborted = () => link.closed(1006)
      socket.once('close', onAborted)
      server.handleUpgrade(request, socket, head, (opened) => {
        client = opened
        socket.off('close', onAborted)
        sockets.set(socket, { client: opened, link })
        opened.on('close', () => sockets.delete(socket))
        connectLink(opened, link)
        for (const send of buffered) send(opened)
      })
    },
    /** Closes all connections with 1001. */
    close(): void {
      for (const [socket, { client, link }] of sockets) {
        // Report 1006 before the client echoes 1001, which would end its session.
        link.closed(1006)
        client.close(1001, 'The server was closed.')
        // A client that does not read would keep the socket open.
        if (socket.writableNeedDrain) socket.destroy()
        else socket.end(() => socket.destroy())
      }
    },
  }
}
