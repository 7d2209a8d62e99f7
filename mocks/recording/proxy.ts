// The proxy that records: HTTP between clients on this machine and a service, see `gateway-proxy.ts` for the gateway.
import { once } from 'node:events'
import { closeSync, openSync, writeSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import { createServer as createTlsServer, request as sendWithTls } from 'node:https'
import type { AddressInfo } from 'node:net'
import * as http from '../control/server'
import { gatewayUrl } from '../gateway/connection'
import { MAX_BODY_BYTES, parseBody } from '../request'
import { createMessage, match, relativePath } from '../router'
import { RECORDING_VERSION, type RecordedEntry } from './format'
import { createGatewayProxy, reasonOf } from './gateway-proxy'
import { LISTED, maskCall } from './mask'
import { Names, type Recorder } from './names'

export interface ProxyOptions {
  /** Base URL of the service. */
  readonly service: URL
  /** URL of its gateway. Default: `/gateway` below the base URL. */
  readonly gateway: URL | undefined
  readonly recorder: Recorder
  readonly host: string
  readonly port: number
  readonly cors: readonly string[]
  readonly tls: { readonly cert: string; readonly key: string } | undefined
  /** Called with what was not sent or not answered, and is not part of the recording. */
  readonly onProblem: (message: string) => void
}

const END = '\n]}\n'

/**
 * Creates the file, which is a valid recording after each entry.
 * @param keptNames Names of fields, parameters and events that stay although the contract does not list them.
 * @throws Error if it exists.
 */
export function createRecorder(
  file: string,
  keptNames: readonly string[],
  onEntry: (entry: RecordedEntry) => void,
): Recorder {
  const descriptor = openSync(file, 'wx', 0o600)
  let count = 0
  let size = 0
  const write = (text: string) => {
    writeSync(descriptor, text + END, size)
    size += Buffer.byteLength(text)
  }
  let separator = ''
  let isOpen = true
  write(`{"version":${RECORDING_VERSION},"entries":[`)
  return {
    names: new Names(new Set([...LISTED, ...keptNames])),
    next: () => ++count,
    add(entry) {
      // What had been received of a connection is emitted even after its end.
      if (!isOpen) return
      write(`${separator}\n${JSON.stringify(entry)}`)
      separator = ','
      onEntry(entry)
    },
    close() {
      isOpen = false
      closeSync(descriptor)
    },
  }
}

/** Maximum size of a response; larger ones are not passed on. */
const MAX_RESPONSE_BYTES = 2 ** 23

const HOP_BY_HOP = ['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'content-length']
/** Of a request to this machine: what the service must not see or would refuse. Cookies belong to all ports of a host. */
const NOT_SENT =
  /^(?:host|origin|referer|cookie|expect|accept-encoding|forwarded|via|x-real-ip|x-mock-namespace|x-forwarded-.*|sec-.*|proxy-.*)$/
/** A client that follows a redirect would pass the proxy. */
const NOT_RETURNED = /^(?:location|access-control-.*|alt-svc|strict-transport-security|proxy-.*)$/

/** Returns the headers of a message that do not belong to its connection, without those to drop. */
function passedOn(message: IncomingMessage, dropped: RegExp): Headers {
  const headers = http.headersOf(message)
  const named = (headers.get('connection') ?? '').toLowerCase().split(/[\s,]+/)
  for (const name of [...headers.keys()])
    if (HOP_BY_HOP.includes(name) || named.includes(name) || dropped.test(name)) headers.delete(name)
  return headers
}

/** Sends a request to the service and returns its response. Redirects are not followed. */
async function forward(service: URL, request: IncomingMessage, response: ServerResponse, path: string, body: string) {
  const start = service.protocol === 'https:' ? sendWithTls : send
  const [jwt] = /(?:^|(?<=;\s*))__Secure-recent_mfa=[^;]*/.exec(request.headers.cookie ?? '') ?? []
  const headers = {
    ...Object.fromEntries(passedOn(request, NOT_SENT)),
    'accept-encoding': 'identity',
    ...(jwt !== undefined && { cookie: jwt }),
    ...(body !== '' && { 'content-length': Buffer.byteLength(body) }),
  }
  const outgoing = start(service, { method: request.method, path: baseOf(service) + path, headers })
  response.once('close', () => outgoing.destroy())
  const [incoming] = await once(outgoing.end(body), 'response')
  const status: number = incoming.statusCode
  if (status > 599) outgoing.destroy()
  if (status > 599) throw new Error(`its status ${status} is none of HTTP`)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming) {
    size += chunk.length
    chunks.push(chunk)
    if (size > MAX_RESPONSE_BYTES) throw new Error(`its response is larger than ${MAX_RESPONSE_BYTES} bytes`)
  }
  return { status, headers: passedOn(incoming, NOT_RETURNED), bytes: Buffer.concat(chunks) }
}

/** A request that the proxy answers itself. */
class Refusal {
  constructor(
    readonly status: number,
    readonly text: string,
  ) {}
}

/** Forwards a request and records the call. Only paths of the contract reach the service. @throws Refusal otherwise. */
async function record({ service, recorder }: ProxyOptions, request: IncomingMessage, response: ServerResponse) {
  const { method = '' } = request
  const [address = '', query = ''] = (http.pathOf(request.url) ?? '').split(/\?(.*)/s)
  const path = relativePath(service, address) ?? ''
  const found = match(method, path)
  // Some servers would resolve dots.
  const isListed = 'endpoint' in found && found.endpoint !== createMessage
  if (!isListed || Object.values(found.path).some((part) => /^\.{1,2}$/.test(part)))
    throw new Refusal(404, `${method} is not sent: the contract has no such endpoint`)
  const { endpoint } = found
  const order = recorder.next()
  const body = await http.readBody(request, MAX_BODY_BYTES)
  if (body === null) throw new Refusal(413, `${endpoint.name} is not sent: its body is too large`)
  const answer = await forward(service, request, response, path + (query && `?${query}`), body).catch((error) => {
    throw new Refusal(502, `${endpoint.name} has no response of ${service.origin}: ${reasonOf(error)}`)
  })
  const { status, bytes } = answer
  const raw = {
    endpoint,
    path: found.path,
    query: new URLSearchParams(query),
    headers: passedOn(request, NOT_SENT),
    body: parseBody(body),
    status,
    responseHeaders: answer.headers,
    responseBody: parseBody(status >= 300 && status < 400 ? '' : bytes.toString('utf8')),
  }
  recorder.add({ order, ...maskCall(recorder.names, raw) })
  return answer
}

/** Answers a request of a client. */
async function serve(options: ProxyOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { cors, onProblem } = options
  const { headers, method = '' } = request
  const isAllowed = http.isCorsOrigin(cors, headers)
  if (isAllowed) http.setHeaders(response, http.corsHeaders(headers))
  if (isAllowed && http.isPreflight(method, headers)) return void response.writeHead(204).end()
  try {
    const problem = originProblem(cors, headers)
    if (problem !== undefined) throw new Refusal(403, problem)
    const answer = await record(options, request, response)
    response.statusCode = answer.status
    for (const [name, value] of answer.headers) response.appendHeader(name, value)
    response.end(answer.bytes)
  } catch (error) {
    // Otherwise the client has disconnected.
    if (!(error instanceof Refusal)) return void request.socket.destroy()
    const message = `rapport-mock: ${error.text}`
    onProblem(message)
    const body = JSON.stringify({ code: 0, message })
    const fields = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    response.writeHead(error.status, fields).end(body)
  }
}

const baseOf = ({ pathname }: URL) => pathname.replace(/\/$/, '')

export async function startProxy(options: ProxyOptions) {
  const { service, recorder, host, port, cors, tls, onProblem } = options
  const onRequest = (request: IncomingMessage, response: ServerResponse) => void serve(options, request, response)
  const server = tls === undefined ? createServer(onRequest) : createTlsServer({ ...tls }, onRequest)
  const sockets = http.trackSockets(server)
  const ignoreUpgrade = http.ignoreUpgrades(server, tls === undefined ? 'connection' : 'secureConnection')
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  // An object, because the server listens on a port, not on a pipe.
  const { port: actual } = server.address() as AddressInfo
  const url = new URL(`${tls === undefined ? 'http' : 'https'}://${http.hostOf(host)}:${actual}${baseOf(service)}`)
  const gateway = createGatewayProxy(recorder, {
    service: options.gateway ?? new URL(gatewayUrl(service)),
    url: gatewayUrl(url),
    refusalOf: (headers) => originProblem(cors, headers),
    onProblem: (text) => onProblem(`rapport-mock: ${text}`),
  })
  server.on('upgrade', (request, socket, head) => {
    const isWebSocket = request.headers.upgrade?.toLowerCase() === 'websocket'
    const handle = isWebSocket ? gateway.upgrade : ignoreUpgrade
    void handle(request, socket, head)
  })
  return {
    url: url.href.replace(/\/$/, ''),
    gatewayUrl: gatewayUrl(url),
    async close() {
      gateway.close()
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** Returns why a page may not use the proxy: its origin is not on this machine, or its name was rebound to it. */
function originProblem(cors: readonly string[], headers: IncomingMessage['headers']): string | undefined {
  if (!http.isLoopback(headers.host ?? '')) return 'the Host header must be a loopback name'
  // Images and forms of pages have no `Origin`.
  const isOfPage = headers.origin !== undefined || headers['sec-fetch-site'] === 'cross-site'
  const isForeign = isOfPage && !http.isCorsOrigin(cors, headers)
  return isForeign ? 'pages of other origins may not use the proxy; --cors allows those of an origin' : undefined
}
