import { createServer, type IncomingMessage, request as sendTo } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import nodeFetch from 'node-fetch'
import type { ClientOptions } from 'rapport-sdk'
import { undiciFetch } from 'rapport-sdk/node'
import { Agent, type Dispatcher, fetch as fetchOfUndici, ProxyAgent } from 'undici'
import { onTestFinished } from 'vitest'

/** The type of the option `fetch`. */
export type CustomFetch = NonNullable<ClientOptions['fetch']>

/** Implementations of `fetch` that apps pass to a client. The first five add the header `x-trace`. */
export const fetchImplementations: Readonly<Record<string, () => CustomFetch | Promise<CustomFetch>>> = {
  'a wrapper that adds a header': () => (input, init) =>
    fetch(input, { ...init, headers: { ...init.headers, 'x-trace': '1' } }),
  'a wrapper that changes the headers it receives': () => (input, init) => {
    Object.assign(init.headers, { 'x-trace': '1' })
    return fetch(input, init)
  },
  'a wrapper that makes a Request of what it receives': () => (input, init) => {
    const request = new Request(input, init)
    request.headers.set('x-trace', '1')
    return fetch(request)
  },
  'undici with a ProxyAgent': async () => {
    const proxy = await forwardProxy()
    const dispatcher = new ProxyAgent({ uri: proxy.url, keepAliveTimeout: 10 })
    const fetch = withDispatcher(dispatcher)
    return async (input, init) => {
      const response = await fetch(input, init)
      if (proxy.count === 0) throw new Error('the request did not pass the proxy')
      return response
    }
  },
  'undici with an Agent': () => withDispatcher(new Agent({ keepAliveTimeout: 10 })),
  'undici as it is': () => fetchOfUndici,
  'node-fetch 3': () => nodeFetch,
  undiciFetch: () => undiciFetch(),
  'undiciFetch with a dispatcher': () => undiciFetch({ dispatcher: closedAtEnd(new Agent()) }),
  'undiciFetch through a proxy': async () => {
    const proxy = await forwardProxy()
    const dispatcher = closedAtEnd(new ProxyAgent({ uri: proxy.url, keepAliveTimeout: 10 }))
    const fetch = undiciFetch({ dispatcher })
    return async (input, init) => {
      const response = await fetch(input, init)
      if (proxy.count === 0) throw new Error('the request did not pass the proxy')
      return response
    }
  },
}

function withDispatcher(dispatcher: Dispatcher): CustomFetch {
  closedAtEnd(dispatcher)
  return (input, init) => fetchOfUndici(input, { ...init, headers: { ...init.headers, 'x-trace': '1' }, dispatcher })
}

/** Closes a dispatcher at the end of the test. */
function closedAtEnd(dispatcher: Dispatcher): Dispatcher {
  onTestFinished(() => dispatcher.destroy())
  return dispatcher
}

/** Starts a proxy that forwards requests and CONNECT tunnels. */
async function forwardProxy(): Promise<{ readonly url: string; readonly count: number }> {
  let count = 0
  const sockets = new Set<Socket>()
  const server = createServer((incoming, response) => {
    count++
    const { method, headers } = incoming
    const onward = sendTo(incoming.url ?? '', { method, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(response)
    })
    onward.on('error', () => response.destroy())
    incoming.pipe(onward)
  })
  server.on('connection', (socket) => sockets.add(socket))
  server.on('connect', ({ url = '' }: IncomingMessage, client: Socket, head: Buffer) => {
    count++
    const { hostname, port } = new URL(`http://${url}`)
    const onward = connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      onward.write(head)
      onward.pipe(client).pipe(onward)
    })
    sockets.add(onward)
    for (const socket of [onward, client]) {
      socket.on('error', () => {})
      socket.on('close', () => [onward, client].map((end) => end.destroy()))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get count() {
      return count
    },
  }
}
