import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type RawData, WebSocket, WebSocketServer } from 'ws'
import { isObject, readField } from '../../src/internal/json'
import { isLoopback } from '../control/server'
import { MAX_BUFFERED_BYTES, Op } from '../gateway/connection'
import { parseBody } from '../request'
import { payloadOf, type RecordedClose, type RecordedFrame } from './format'
import { Mask } from './mask'
import type { Recorder } from './names'
import { closeWith } from './replay'

interface GatewayProxyOptions {
  /** Gateway of the service. */
  readonly service: URL
  /** Own URL. */
  readonly url: string
  /** Returns why a client is refused. */
  refusalOf(headers: IncomingMessage['headers']): string | undefined
  /** Called with why the service has no connection. */
  onProblem(text: string): void
}

/** Returns the code of a system error, whose message has addresses, or the message of another one. */
export const reasonOf = (error: unknown): unknown =>
  error instanceof Error ? (Reflect.get(error, 'code') ?? error.message) : error

const MAX_FRAME_BYTES = 2 ** 24

/** Proxies gateway connections and records their frames. */
export function createGatewayProxy(recorder: Recorder, { service, url, refusalOf, onProblem }: GatewayProxyOptions) {
  const { names } = recorder
  const mask = new Mask(names)
  const clients = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES })
  /** Addresses for Resume, which clients get as addresses of the proxy: their index is in the path. */
  const resumeUrls: string[] = []
  const upstreams = new Set<WebSocket>()
  const path = new URL(url).pathname
  let connections = 0
  let isEnding = false

  const targetOf = (request: IncomingMessage): string | undefined => {
    const [own = '', query = ''] = (request.url ?? '').split(/\?(.*)/s)
    const index = own.startsWith(`${path}/resume/`) ? Number(own.slice(`${path}/resume/`.length)) : undefined
    if (index === undefined && own !== path) return undefined
    const target = new URL(index === undefined ? service : (resumeUrls[index] ?? service))
    if (query !== '') target.search = query
    return target.href
  }

  /** Replaces the address for Resume in a frame. */
  const redirect = (frame: unknown, text: string): string => {
    const resumeUrl = payloadOf(frame, 'resume_gateway_url')
    if (!isObject(frame) || typeof resumeUrl !== 'string' || !URL.canParse(resumeUrl)) return text
    const { protocol, host } = new URL(resumeUrl)
    const isSafe = protocol === 'wss:' || (protocol === 'ws:' && isLoopback(host))
    const index = isSafe ? resumeUrls.push(resumeUrl) - 1 : -1
    return JSON.stringify({
      ...frame,
      d: { ...Object(readField(frame, 'd')), resume_gateway_url: `${url}/resume/${index}` },
    })
  }

  const relay = (client: WebSocket, upstream: WebSocket) => {
    connections += 1
    const connection = connections
    let account: string | null = null
    type Content = Pick<RecordedFrame, 'kind' | 'from' | 'frame'> | Pick<RecordedClose, 'kind' | 'from' | 'code'>
    const add = (content: Content) => recorder.add({ order: recorder.next(), account, connection, ...content })
    const pass = (from: 'client' | 'service', to: WebSocket) => (data: RawData, isBinary: boolean) => {
      if (to.bufferedAmount > MAX_BUFFERED_BYTES) return to.terminate()
      const text = String(data)
      const parsed = isBinary ? undefined : parseBody(text)
      const frame: unknown = parsed?.kind === 'value' ? parsed.value : `<${isBinary ? 'binary' : 'text'}>`
      const [token, userId] = [payloadOf(frame, 'token'), readField(payloadOf(frame, 'user'), 'id')]
      if (from === 'client' && typeof token === 'string') account = names.accountOf(token)
      if (account !== null && readField(frame, 't') === 'READY' && typeof userId === 'string')
        names.nameUser(account, userId)
      const op = readField(frame, 'op')
      const isParsed = parsed?.kind === 'value'
      if (op !== Op.HEARTBEAT && op !== Op.HEARTBEAT_ACK)
        add({ kind: 'frame', from, frame: isParsed ? mask.frame(frame) : frame })
      if (to.readyState !== to.OPEN) return
      to.send(isBinary ? data : from === 'service' ? redirect(frame, text) : text, { binary: isBinary })
    }
    let isClosed = false
    const follow = (from: 'client' | 'service', closed: WebSocket, other: WebSocket) => {
      closed.on('error', () => {})
      closed.on('close', (code, reason) => {
        if (!isClosed) add({ kind: 'close', from, code })
        isClosed = true
        // A service that does not close its side would keep the process alive.
        if (isEnding) other.terminate()
        else closeWith(other, code, String(reason))
      })
    }
    client.on('message', pass('client', upstream))
    upstream.on('message', pass('service', client))
    follow('client', client, upstream)
    follow('service', upstream, client)
  }

  return {
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
      const end = (status: number, retryAfter?: string) => {
        const fields = retryAfter === undefined ? [] : [`Retry-After: ${retryAfter}`]
        const lines = [`HTTP/1.1 ${status} `, ...fields, 'Connection: close', 'Content-Length: 0', '', '']
        socket.end(lines.join('\r\n'), () => socket.destroy())
      }
      const target = targetOf(request)
      socket.on('error', () => socket.destroy())
      if (refusalOf(request.headers) !== undefined) return void end(403)
      if (target === undefined) return void end(404)
      const upstream = new WebSocket(target, { followRedirects: false, maxPayload: MAX_FRAME_BYTES })
      upstreams.add(upstream)
      upstream.once('close', () => upstreams.delete(upstream))
      const abandon = () => upstream.terminate()
      socket.once('close', abandon)
      // Nothing to read means the end: the client has left. What it sends before that stays where it is.
      const watch = () => void (socket.readableLength > 0 || socket.destroy())
      socket.on('readable', watch)
      // Before the client is accepted, so that it sees a refusal.
      upstream.once('unexpected-response', (_, { statusCode = 502, headers }) => {
        onProblem(`the gateway refused a connection with ${statusCode}`)
        end(statusCode, headers['retry-after'])
        upstream.terminate()
      })
      upstream.on('error', (error) => {
        if (socket.destroyed || socket.writableEnded || upstream.readyState === upstream.OPEN) return
        onProblem(`the gateway has no response of ${new URL(target).origin}: ${reasonOf(error)}`)
        end(502)
      })
      upstream.once('open', () => {
        socket.off('readable', watch)
        clients.handleUpgrade(request, socket, head, (client) => {
          socket.off('close', abandon)
          relay(client, upstream)
        })
      })
    },
    close(): void {
      isEnding = true
      for (const client of clients.clients) client.close(1001, 'The proxy was closed.')
      // Others end with their client. A service that stalls does not answer a close frame.
      for (const upstream of upstreams) if (upstream.readyState === upstream.CLOSING) upstream.terminate()
    },
  }
}
