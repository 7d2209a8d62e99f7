import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { corsHeaders, isPreflight, METHODS } from './cors'
import { refusal } from './envelope'
import { errorAnswer, firstHalf, type ServiceOutcome } from './exchange'
import { gatewayUrl } from './gateway/address'
import { createGatewayServer } from './node-gateway'
import { ignoreUpgrades } from './node-upgrade'
import { verifyPasskeyWhereInstalled } from './node-webauthn'
import { pathOf } from './request-target'
import type { MockService } from './service'

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
    else deliver(errorAnswer(refusal(service.policy, 'badRequest')), response)
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
