import * as msw from 'msw'
import { bodyOf } from './request'
import { match, matcherOf, relativePath } from './router'
import type { MockService } from './service'

/**
 * Returns the msw handler of a service, for `setupServer` in Node. It handles the endpoints and stubs of the service; a strict
 * service also handles unknown paths and methods below its base URL, with 404 or 405. All other requests stay
 * unhandled.
 * @throws Error if the installed msw is too old.
 */
export function handlers(service: MockService): msw.HttpHandler[] {
  try {
    return [
      msw.http.all(
        ({ request }) => isHandled(service, request),
        ({ request }) => respond(service, request),
      ),
    ]
  } catch (cause) {
    throw new Error('rapport-sdk/mocks/msw needs msw 2.11 or newer: run `npm install msw@latest`.', { cause })
  }
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
export function browserHandlers(service: MockService): (msw.HttpHandler | msw.WebSocketHandler)[] {
  return [...handlers(service), gatewayHandler(service)]
}

async function respond(service: MockService, request: Request): Promise<Response> {
  const { method, url, headers, signal } = request
  const outcome = await service
    .handle({ method, url, headers, signal, body: await request.text(), ip: '127.0.0.1' })
    .catch(() => undefined)
  // Without a response, the request fails with a network error.
  if (outcome === undefined || outcome.kind === 'failure') return msw.HttpResponse.error()
  const all = outcome.headers.map(([name, value]): [string, string] => [name, value])
  return new msw.HttpResponse(bodyOf(outcome, signal), { status: outcome.status, headers: all })
}

function gatewayHandler({ gateway }: MockService): msw.WebSocketHandler {
  // The resume address may be below the gateway's, and a client may add a query.
  return msw.ws.link(`${gateway.url}*`).addEventListener('connection', ({ client }) => {
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
