import { type HttpHandler, HttpResponse, http, type WebSocketHandler, ws } from 'msw'
import { bodyOf } from './request'
import { match, matcherOf, relativePath } from './router'
import type { MockService } from './service'

/**
 * Returns the msw handler of a service, for `setupServer` in Node. It handles the endpoints and stubs of the service; a strict
 * service also handles unknown paths and methods below its base URL, with 404 or 405. All other requests stay
 * unhandled.
 */
export function handlers(service: MockService): HttpHandler[] {
  return [
    http.all(
      ({ request }) => isHandled(service, request),
      ({ request }) => respond(service, request),
    ),
  ]
}

function isHandled(service: MockService, { method, url }: Request): boolean {
  const [base, { origin, pathname }] = [new URL(service.baseUrl), new URL(url)]
  const path = origin === base.origin ? relativePath(base, pathname) : undefined
  if (path === undefined) return false
  const isStub = () =>
    service.stubs.all().some((stub) => matcherOf(stub.endpoint)({ endpoint: undefined, method, path }))
  return service.strict || 'endpoint' in match(method, path) || isStub()
}

/**
 * Returns the msw handlers of a service for `setupWorker` in browsers: one for HTTP, and one for the gateway at
 * `service.gateway.url`. Not for Node, where msw intercepts sockets of the package `ws` without delivering messages.
 */
export function browserHandlers(service: MockService): (HttpHandler | WebSocketHandler)[] {
  return [...handlers(service), gatewayHandler(service)]
}

async function respond(service: MockService, request: Request): Promise<Response> {
  const { method, url, headers, signal } = request
  const outcome = await service
    .handle({ method, url, headers, signal, body: await request.text(), ip: '127.0.0.1' })
    .catch(() => undefined)
  // Without a response, the request fails with a network error.
  if (outcome === undefined || outcome.kind === 'failure') return HttpResponse.error()
  const all = outcome.headers.map(([name, value]): [string, string] => [name, value])
  return new HttpResponse(bodyOf(outcome, signal), { status: outcome.status, headers: all })
}

function gatewayHandler({ gateway }: MockService): WebSocketHandler {
  // The resume address may be below the gateway's, and a client may add a query.
  return ws.link(`${gateway.url}*`).addEventListener('connection', ({ client }) => {
    const link = gateway.connect({
      url: client.url.href,
      send: (data) => client.send(data),
      close: (code, reason) => client.close(code, reason),
      terminate: () => client.close(1006),
    })
    // A socket that closes before it opens looks refused to its client.
    if (link === undefined) return client.close(1006)
    client.addEventListener('message', ({ data }) => link.receive(data))
    client.addEventListener('close', ({ code }) => link.closed(code))
  })
}
