import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { RouteHandler } from './routes'

/** Serves route handlers on loopback, as a framework would. */
export async function serve(routes: Readonly<Record<string, RouteHandler>>) {
  const server = createServer(async (incoming, outgoing) => {
    const disconnected = new AbortController()
    outgoing.once('close', () => disconnected.abort())
    const request = await toRequest(incoming, disconnected.signal)
    const route = routes[`${request.method} ${new URL(request.url).pathname}`]
    const response = route ? await route(request) : new Response(null, { status: 404 })
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    outgoing.end(Buffer.from(await response.arrayBuffer()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

async function toRequest(incoming: IncomingMessage, signal: AbortSignal): Promise<Request> {
  const { method = 'GET', url = '/', headers } = incoming
  const body = method === 'GET' || method === 'HEAD' ? null : await buffer(incoming)
  const { cookie = '', 'content-type': type = '' } = headers
  return new Request(new URL(url, 'http://127.0.0.1'), {
    method,
    headers: { cookie, 'content-type': type },
    body,
    signal,
  })
}
