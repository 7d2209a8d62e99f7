import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type RawData, WebSocket, WebSocketServer } from 'ws'
import { isObject, readField } from '../../src/internal/json'
import { isLoopback } from '../control/server'
import { MAX_BUFFERED_BYTES } from '../gateway/connection'
import { Op } from '../gateway/protocol'
import { parseBody } from '../request'
import type { RecordedClose, RecordedFrame } from './format'
import { Mask } from './mask'
import type { Recorder } from './names'

interface GatewayProxyOptions {
  /** Gateway of the service. */
  readonly service: URL
  /** Own URL. */
  readonly url: string
  /** Returns why a client is refused. */
  refusalOf(headers: IncomingMessage['headers']): string | undefined
}

const MAX_FRAME_BYTES = 2 ** 24

/** Proxies gateway connections and records their frames. */
export function createGatewayProxy(recorder: Recorder, { service, url, refusalOf }: GatewayProxyOptions) {
  const { names } = recorder
  const mask = new Mask(names)
  const clients = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES })
  /** Addresses for Resume, which clients get as addresses of the proxy: their index is in the path. */
  const resumeUrls: string[] = []
  const path = new URL(url).pathname
  let connections = 0

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
    const payload = readField(frame, 'd')
    const resumeUrl = readField(payload, 'resume_gateway_url')
    if (!isObject(frame) || typeof resumeUrl !== 'string' || !URL.canParse(resumeUrl)) return text
    const { protocol, host } = new URL(resumeUrl)
    const isSafe = protocol === 'wss:' || (protocol === 'ws:' && isLoopback(host))
    const index = isSafe ? resumeUrls.push(resumeUrl) - 1 : -1
    return JSON.stringify({ ...frame, d: { ...Object(payload), resume_gateway_url: `${url}/resume/${index}` } })
  }

  const relay = (client: WebSocket, upstream: WebSocket) => {
    connections += 1
    const connection = connections
    let account: string | null = null
    const add = (
      entry: Pick<RecordedFrame, 'kind' | 'from' | 'frame'> | Pick<RecordedClose, 'kind' | 'from' | 'code'>,
    ) => recorder.add({ order: recorder.next(), account, connection, ...entry })
    const pass = (from: 'client' | 'service', to: WebSocket) => (data: RawData, isBinary: boolean) => {
      if (to.bufferedAmount > MAX_BUFFERED_BYTES) return to.terminate()
      const text = String(data)
      const parsed = isBinary ? undefined : parseBody(text)
      const frame: unknown = parsed?.kind === 'value' ? parsed.value : undefined
      const token = readField(readField(frame, 'd'), 'token')
      if (from === 'client' && typeof token === 'string') account = names.accountOf(token)
      const userId = readField(readField(readField(frame, 'd'), 'user'), 'id')
      const isReady = readField(frame, 't') === 'READY' && typeof userId === 'string'
      if (isReady && account !== null) names.nameUser(account, userId)
      const op = readField(frame, 'op')
      const isHeartbeat = op === Op.HEARTBEAT || op === Op.HEARTBEAT_ACK
      if (!isHeartbeat)
        add({
          kind: 'frame',
          from,
          frame: frame === undefined ? `<${isBinary ? 'binary' : 'text'}>` : mask.frame(frame),
        })
      if (to.readyState === to.OPEN)
        to.send(isBinary ? data : from === 'service' ? redirect(frame, text) : text, { binary: isBinary })
    }
    let isClosed = false
    const follow = (from: 'client' | 'service', closed: WebSocket, other: WebSocket) => {
      closed.on('error', () => {})
      closed.on('close', (code, reason) => {
        if (!isClosed) add({ kind: 'close', from, code })
        isClosed = true
        // Codes that no frame carries.
        if (code < 1000 || [1005, 1006, 1015].includes(code)) other.terminate()
        else other.close(code, reason)
      })
    }
    client.on('message', pass('client', upstream))
    upstream.on('message', pass('service', client))
    follow('client', client, upstream)
    follow('service', upstream, client)
  }

  return {
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
      const end = (status: number) =>
        socket.end(`HTTP/1.1 ${status} \r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
      const target = targetOf(request)
      socket.on('error', () => socket.destroy())
      if (refusalOf(request.headers) !== undefined) return void end(403)
      if (target === undefined) return void end(404)
      const upstream = new WebSocket(target, { followRedirects: false, maxPayload: MAX_FRAME_BYTES })
      const abandon = () => upstream.terminate()
      socket.once('close', abandon)
      // Before the client is accepted, so that it sees a refusal.
      upstream.once('unexpected-response', (_, { statusCode = 502 }) => {
        end(statusCode)
        upstream.terminate()
      })
      upstream.on('error', () => void (socket.writableEnded || upstream.readyState === upstream.OPEN || end(502)))
      upstream.once('open', () => {
        socket.off('close', abandon)
        clients.handleUpgrade(request, socket, head, (client) => relay(client, upstream))
      })
    },
    close(): void {
      for (const client of clients.clients) client.close(1001, 'The proxy was closed.')
    },
  }
}
