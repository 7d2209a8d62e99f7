import { once } from 'node:events'
import { createServer, type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http'
import { createServer as createTlsServer, request as requestHttps } from 'node:https'
import type { Duplex } from 'node:stream'
import type { Certificate } from '../../mocks/cli/certificate'

/** What a server has sent: an answer with its headers, or the frames of a WebSocket. */
export interface Recorded {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly headers: readonly string[]
  readonly body: string
}

/** A reverse proxy on loopback that records what the server behind it sends. */
export interface Recorder {
  readonly origin: string
  /** Complete answers; a WebSocket is among them from its first frame. */
  readonly recorded: () => readonly Recorded[]
  readonly close: () => Promise<void>
}

/** Starts a recorder. Browsers come by https if it has a certificate. `target` is asked for each request. */
export async function record(target: () => string, certificate?: Certificate): Promise<Recorder> {
  const exchanges: (Omit<Recorded, 'body'> & { readonly chunks: Buffer[] })[] = []
  const sockets = new Set<Duplex>()
  const server = certificate ? createTlsServer({ ...certificate }) : createServer()

  /** Sends a request on. Answers come as plain text, so that they can be searched. */
  const forward = ({ method, url, headers: given }: IncomingMessage) => {
    const { 'accept-encoding': _, 'sec-websocket-extensions': __, ...headers } = given
    const address = new URL(String(url), target())
    const send = address.protocol === 'https:' ? requestHttps : requestHttp
    return send(address, { method, headers, rejectUnauthorized: false, agent: false })
  }
  const note = ({ method = '', url = '' }: IncomingMessage, answer: IncomingMessage) => {
    const chunks: Buffer[] = []
    exchanges.push({ method, path: url, status: Number(answer.statusCode), headers: answer.rawHeaders, chunks })
    return chunks
  }

  server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const forwarded = forward(incoming)
    forwarded.on('response', (answer) => {
      const chunks = note(incoming, answer)
      answer.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => outgoing.destroy())
      outgoing.writeHead(Number(answer.statusCode), answer.rawHeaders)
      answer.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    outgoing.on('close', () => forwarded.destroy())
    incoming.pipe(forwarded)
  })
  server.on('upgrade', (incoming: IncomingMessage, socket: Duplex) => {
    const forwarded = forward(incoming)
    forwarded.on('upgrade', (answer, upstream, head) => {
      const chunks = note(incoming, answer)
      upstream.on('data', (chunk: Buffer) => chunks.push(chunk))
      const lines = answer.rawHeaders.flatMap((name, at, all) => (at % 2 === 0 ? [`${name}: ${all[at + 1]}`] : []))
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`)
      chunks.push(head)
      socket.write(head)
      upstream.pipe(socket).pipe(upstream)
      socket.on('close', () => upstream.destroy())
      upstream.on('close', () => socket.destroy()).on('error', () => socket.destroy())
    })
    const refuse = () => socket.destroy()
    forwarded.on('response', refuse).on('error', refuse).end()
  })
  const keep = (socket: Duplex) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
  }
  server
    .on('connection', keep)
    .on('secureConnection', keep)
    .on('tlsClientError', () => {})

  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  return {
    origin: `${certificate ? 'https' : 'http'}://localhost:${port}`,
    recorded: () => exchanges.map(({ chunks, ...rest }) => ({ ...rest, body: Buffer.concat(chunks).toString() })),
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
