import { request } from 'node:https'
import { createConnection } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Problem } from './control'

/** A response, read without an HTTP client. */
interface RawResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

/** A TCP connection to 127.0.0.1 that sends any bytes, valid HTTP or not. */
export interface RawSocket {
  /** Sends text as latin1, or bytes. */
  write(text: string | Uint8Array): void
  /** Resolves with the next response. Rejects if the connection closes before it is complete. */
  response(): Promise<RawResponse>
  /** Resolves with the bytes after the last response that was read, once the connection has closed. */
  readonly closed: Promise<string>
  /** Closes this side only. */
  end(): void
  /** Closes with RST, like a killed process. */
  reset(): void
  pause(): void
}

export async function rawSocket(port: number): Promise<RawSocket> {
  const socket = createConnection({ port, host: '127.0.0.1', allowHalfOpen: true })
  // A socket that is paused does not see its end.
  onTestFinished(() => void socket.destroy())
  let bytes = Buffer.alloc(0)
  let wake = () => {}
  let isClosed = false
  socket.on('data', (chunk) => {
    bytes = Buffer.concat([bytes, chunk])
    wake()
  })
  socket.on('error', () => {})
  socket.on('end', () => socket.end())
  const closed = new Promise<string>((resolve) => {
    socket.on('close', () => {
      isClosed = true
      wake()
      resolve(bytes.toString('latin1'))
    })
  })
  await new Promise<void>((resolve) => socket.once('connect', resolve))

  const readResponse = (): RawResponse | undefined => {
    const end = bytes.indexOf('\r\n\r\n')
    if (end < 0) return undefined
    const [line = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
    const headers = new Headers()
    for (const text of lines) headers.append(text.slice(0, text.indexOf(':')), text.slice(text.indexOf(':') + 1))
    const length = Number(headers.get('content-length') ?? 0)
    if (bytes.length < end + 4 + length) return undefined
    const body = bytes.subarray(end + 4, end + 4 + length).toString('utf8')
    bytes = bytes.subarray(end + 4 + length)
    return { status: Number(line.split(' ')[1]), headers, body }
  }
  return {
    write: (text) => void socket.write(typeof text === 'string' ? Buffer.from(text, 'latin1') : text),
    async response() {
      for (;;) {
        const response = readResponse()
        if (response !== undefined) return response
        if (isClosed) throw new Error(`closed after ${JSON.stringify(bytes.toString('latin1').slice(0, 200))}`)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    closed,
    end: () => void socket.end(),
    reset: () => void socket.resetAndDestroy(),
    pause: () => void socket.pause(),
  }
}

/** Returns the text of a request. Each header is a whole line. */
export function requestText(line: string, headers: readonly string[] = ['Host: localhost'], body = ''): string {
  return `${[`${line} HTTP/1.1`, ...headers].join('\r\n')}\r\n\r\n${body}`
}

/** The headers of a handshake, without `Host`. */
export const handshake = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
] as const

/** Returns a WebSocket frame of a client, masked with zeros so that its payload stays readable. */
export function clientFrame(first: number, payload: string | Uint8Array = '', mask = true): Buffer {
  const bytes = Buffer.from(payload as string)
  const length = bytes.length < 126 ? [bytes.length] : [126, bytes.length >> 8, bytes.length & 255]
  const [short = 0, ...long] = length
  return Buffer.concat([Buffer.from([first, short | (mask ? 0x80 : 0), ...long]), Buffer.alloc(mask ? 4 : 0), bytes])
}

/** Sends a request with exactly these headers, which `fetch` would not let through. */
export async function sendRaw(port: number, line: string, headers: readonly string[], body = '') {
  const socket = await rawSocket(port)
  const length = body === '' ? [] : [`Content-Length: ${body.length}`]
  socket.write(requestText(line, [...headers, ...length, 'Connection: close'], body))
  const response = await socket.response()
  return { ...response, problem: (response.body === '' ? {} : JSON.parse(response.body)) as Problem }
}

/** Sends a request of JSON by https and trusts only the certificate `ca`, which `fetch` cannot. */
export function sendTls(url: string, method: string, ca: string, body = ''): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, ca, headers: { 'content-type': 'application/json' } }, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
