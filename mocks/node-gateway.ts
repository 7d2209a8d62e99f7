import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { isGatewayPath } from './gateway/address'
import { MAX_WAITING_BYTES } from './gateway/connection'
import type { GatewayLink } from './gateway/peer'
import { addressAt, pathOf } from './request-target'
import type { MockService } from './service'

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
