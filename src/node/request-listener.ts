import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/**
 * Returns a listener for `createServer` of `node:http` and `node:https`, of a handler that speaks `Request` and `Response`,
 * such as that of `createSessionHandler` of `rapport-sdk/server`. A browser that closes the connection aborts `request.signal`.
 * It is also a handler for Express, before body parsers: `app.use('/rapport', requestListener(handler, origin))`.
 *
 * @param origin Origin of the pages, the same as the handler's. `Host` is not used: a browser or proxy may send anything.
 *
 * @example
 * import { createServer } from 'node:https'
 * import { requestListener } from 'rapport-sdk/node'
 * import { createSessionHandler } from 'rapport-sdk/server'
 *
 * const origin = 'https://app.example'
 * const keys = [{ id: '2026', key: crypto.getRandomValues(new Uint8Array(32)) }]
 * const handler = createSessionHandler({ baseUrl: 'https://service.example', keys, origin })
 * createServer(requestListener(handler, origin))
 */
export function requestListener(
  handler: (request: Request) => Promise<Response>,
  origin: string,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (incoming, response) => {
    const control = new AbortController()
    response.once('close', () => control.abort())
    try {
      const answer = refusalOf(incoming) ?? (await handler(toRequest(incoming, origin, control.signal)))
      // The next request would come after the rest of the body, and be lost with the connection.
      if (!incoming.complete) response.setHeader('connection', 'close')
      const headers = Object.fromEntries(answer.headers)
      // `Headers` has a line for each cookie.
      const cookies = answer.headers.getSetCookie()
      response.writeHead(answer.status, cookies.length > 0 ? { ...headers, 'set-cookie': cookies } : headers)
      if (answer.body === null) response.end()
      // The types of the platform and of Node differ for the same class.
      else await pipeline(Readable.fromWeb(Object(answer.body)), response)
    } catch {
      // The browser closed the connection, or the handler's answer broke off.
      response.destroy()
    } finally {
      // A body that was not read, such as one that is too large, would keep the connection busy.
      if (!incoming.complete) response.once('close', () => incoming.destroy())
    }
  }
}

function refusalOf({ method, readableDidRead }: IncomingMessage): Response | undefined {
  // `Request` refuses this method, whose answer would repeat the cookies.
  if (method === 'TRACE')
    return new Response(null, { status: 405, headers: { allow: 'GET, HEAD, POST, PUT, PATCH, DELETE' } })
  if (!readableDidRead) return undefined
  const message = 'Put the handler before body parsers such as `express.json()`.'
  return Response.json({ code: 0, message }, { status: 500 })
}

/** A request of Express or Connect, which cut the path at which a handler is mounted off `url`. */
type Mounted = IncomingMessage & { readonly originalUrl?: string }

function toRequest(incoming: Mounted, origin: string, signal: AbortSignal): Request {
  const { method = 'GET', originalUrl, headers: given } = incoming
  const url = originalUrl ?? incoming.url ?? '/'
  const headers = new Headers()
  for (const [name, value] of Object.entries(given)) {
    for (const item of Array.isArray(value) ? value : [value]) if (item !== undefined) headers.append(name, item)
  }
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const body = hasBody ? { body: Object(Readable.toWeb(incoming)), duplex: 'half' } : {}
  // A path that begins with `//` would name another host.
  return new Request(`${origin}${url.startsWith('/') ? url : '/'}`, { method, headers, signal, ...body })
}
