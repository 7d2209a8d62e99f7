// The gateway of the proxy that records, see `proxy.ts`.
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
  readonly service: URL
  readonly url: string
  /** Returns why a client is refused. */
  refusalOf(headers: IncomingMessage['headers']): string | undefined
  onProblem(text: string): void
}

/** Returns the code of a system error, whose message has addresses, or the message of another one. */
export const reasonOf = (error: unknown): unknown =>
  error instanceof Error ? (Reflect.get(error, 'code') ?? error.message) : error

const MAX_FRAME_BYTES = 2 ** 24

/** Proxies gateway connections and records their frames. */
export function createGatewayProxy(recorder: Recorder, { service, url, refusalOf, onProblem }: GatewayProxyOptions) {
  const clients = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES })
  const upstreams = new Set<WebSocket>()
  const resumes = createResumeUrls(service, url)
  let connections = 0
  let isEnding = false

  const connect = (client: WebSocket, target: string) => {
    const upstream = new WebSocket(target, { followRedirects: false, maxPayload: MAX_FRAME_BYTES })
    upstreams.add(upstream)
    const opened = new Promise((resolve) => upstream.once('open', resolve))
    let isOpen = false
    void opened.then(() => (isOpen = true))
    upstream.on('error', (error) => {
      if (!isOpen && client.readyState === client.OPEN)
        onProblem(`no connection to ${new URL(target).origin}: ${reasonOf(error)}`)
    })
    const record = createFrameRecorder(recorder, ++connections)
    const pass = (from: 'client' | 'service', to: WebSocket) => (data: RawData, isBinary: boolean) => {
      if (to.bufferedAmount > MAX_BUFFERED_BYTES) return to.terminate()
      const text = String(data)
      const parsed = isBinary ? undefined : parseBody(text)
      const value: unknown = parsed?.kind === 'value' ? parsed.value : undefined
      record.frame(from, value, isBinary)
      const sent = from === 'service' ? (resumes.replace(value) ?? text) : text
      if (to.readyState === to.OPEN) to.send(isBinary ? data : sent, { binary: isBinary })
    }
    const toService = pass('client', upstream)
    // What a client sends before the service has accepted the connection arrives afterwards.
    client.on('message', (data, isBinary) => void opened.then(() => toService(data, isBinary)))
    upstream.on('message', pass('service', client))
    const follow = (from: 'client' | 'service', closed: WebSocket, other: WebSocket) => {
      closed.on('error', () => {})
      closed.on('close', (code, reason) => {
        if (isOpen) record.close(from, code)
        upstreams.delete(closed)
        // A service that does not close its side would keep the process alive.
        if (isEnding) other.terminate()
        else closeWith(other, code, String(reason))
      })
    }
    follow('client', client, upstream)
    follow('service', upstream, client)
  }

  return {
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
      const target = resumes.targetOf(request.url ?? '')
      socket.on('error', () => socket.destroy())
      const isRefused = refusalOf(request.headers) !== undefined
      const answer = `HTTP/1.1 ${isRefused ? 403 : 404} \r\nConnection: close\r\nContent-Length: 0\r\n\r\n`
      if (isRefused || target === undefined) socket.end(answer, () => socket.destroy())
      else clients.handleUpgrade(request, socket, head, (client) => connect(client, target))
    },
    close(): void {
      isEnding = true
      for (const client of clients.clients) client.close(1001, 'The proxy was closed.')
      // Others end with their client. A service that stalls does not answer a close frame.
      for (const upstream of upstreams) if (upstream.readyState === upstream.CLOSING) upstream.terminate()
    },
  }
}

/** Records the frames of a connection, except heartbeats, and its end. */
function createFrameRecorder(recorder: Recorder, connection: number) {
  const { names } = recorder
  const mask = new Mask(names)
  let account: string | null = null
  let isClosed = false
  type Content = Pick<RecordedFrame, 'kind' | 'from' | 'frame'> | Pick<RecordedClose, 'kind' | 'from' | 'code'>
  const add = (content: Content) => recorder.add({ order: recorder.next(), account, connection, ...content })
  return {
    /** @param value What was parsed of JSON, else `undefined`. */
    frame(from: 'client' | 'service', value: unknown, isBinary: boolean): void {
      const [token, userId] = [payloadOf(value, 'token'), readField(payloadOf(value, 'user'), 'id')]
      if (from === 'client' && typeof token === 'string') account = names.accountOf(token)
      if (account !== null && readField(value, 't') === 'READY' && typeof userId === 'string')
        names.nameUser(account, userId)
      const op = readField(value, 'op')
      const frame = value === undefined ? `<${isBinary ? 'binary' : 'text'}>` : mask.frame(value)
      if (op !== Op.HEARTBEAT && op !== Op.HEARTBEAT_ACK) add({ kind: 'frame', from, frame })
    },
    close(from: 'client' | 'service', code: number): void {
      if (!isClosed) add({ kind: 'close', from, code })
      isClosed = true
    },
  }
}

/** Addresses for Resume, which clients get as addresses of the proxy: their index is in the path. */
function createResumeUrls(service: URL, url: string) {
  const known: string[] = []
  const path = new URL(url).pathname
  return {
    /** Returns where a client of an address of the proxy is to be connected. */
    targetOf(address: string): string | undefined {
      const [own = '', query = ''] = address.split(/\?(.*)/s)
      const [, index] = own.startsWith(path) ? (/^\/resume\/(.*)$/.exec(own.slice(path.length)) ?? []) : []
      if (index === undefined && own !== path) return undefined
      const target = new URL(known[Number(index)] ?? service)
      if (query !== '') target.search = query
      return target.href
    },
    /** Returns the text of a frame with an address of the proxy; `undefined` of one that has none. */
    replace(frame: unknown): string | undefined {
      const resumeUrl = payloadOf(frame, 'resume_gateway_url')
      if (!isObject(frame) || typeof resumeUrl !== 'string' || !URL.canParse(resumeUrl)) return undefined
      const { protocol, host } = new URL(resumeUrl)
      const isSafe = protocol === 'wss:' || (protocol === 'ws:' && isLoopback(host))
      const resume_gateway_url = `${url}/resume/${isSafe ? known.push(resumeUrl) - 1 : -1}`
      return JSON.stringify({ ...frame, d: { ...Object(readField(frame, 'd')), resume_gateway_url } })
    },
  }
}
