import { type HttpHandler, HttpResponse, http, type WebSocketHandler, ws } from 'msw'
import type { Method } from '../src/contract/endpoint'
import { bodyOf, readBody } from './request'
import { rows } from './router'
import type { MockService } from './service'

/**
 * The msw handlers of a service: one for each endpoint, for `setupServer` in Node. A strict service also answers to
 * unknown paths under its base address, with 404.
 */
export function handlers(service: MockService): HttpHandler[] {
  const base = service.baseUrl.replace(/\/$/, '')
  const answer = ({ request }: { request: Request }) => respond(service, request)
  // A literal segment is looked for before a parameter, as msw takes the first handler that fits.
  const answers = rows
    .map(({ method, path }) => ({ method, path }))
    .sort((one, other) => one.path.split('{').length - other.path.split('{').length)
    .map(({ method, path }) => on[method](`${base}${mswPath(path)}`, answer))
  return service.strict ? [...answers, http.all(`${base}/*`, answer)] : answers
}

/**
 * The msw handlers of a service for `setupWorker` in browsers: those for HTTP, and one for the gateway at
 * `service.gateway.url`. Not for Node, where msw answers for the sockets of the package `ws` and they then hear nothing.
 */
export function browserHandlers(service: MockService): (HttpHandler | WebSocketHandler)[] {
  return [...handlers(service), gatewayHandler(service)]
}

const on: Readonly<Record<Method, typeof http.get>> = {
  GET: http.get,
  POST: http.post,
  PUT: http.put,
  PATCH: http.patch,
  DELETE: http.delete,
}

/** A path template in msw's form. Parameter names have letters alone there, so `{user.id}` is `:userId`. */
function mswPath(path: string): string {
  return path.replaceAll(
    /\{([^{}]+)\}/g,
    (_, name: string) => `:${name.replaceAll(/[._](\w)/g, (_dot, letter: string) => letter.toUpperCase())}`,
  )
}

async function respond(service: MockService, request: Request): Promise<Response> {
  const { method, url, headers, signal } = request
  const outcome = await service
    .handle({ method, url, headers, signal, body: await readBody(request, service.maxBodyBytes), ip: '127.0.0.1' })
    .catch(() => undefined)
  // Without an answer the request fails as it does when the network does.
  if (outcome === undefined || outcome.kind === 'failure') return HttpResponse.error()
  const all = outcome.headers.map(([name, value]): [string, string] => [name, value])
  return new HttpResponse(bodyOf(outcome, signal), { status: outcome.status, headers: all })
}

function gatewayHandler({ gateway }: MockService): WebSocketHandler {
  // The address to resume at may be below it, and a client may add a query.
  return ws.link(`${gateway.url}*`).addEventListener('connection', ({ client }) => {
    const link = gateway.connect({
      url: client.url.href,
      send: (data) => client.send(data),
      close: (code, reason) => client.close(code, reason),
      terminate: () => client.close(1006),
    })
    // To its client a socket that closes before it was open was refused.
    if (link === undefined) return client.close(1006)
    client.addEventListener('message', ({ data }) => link.receive(data))
    client.addEventListener('close', ({ code }) => link.closed(code))
  })
}
