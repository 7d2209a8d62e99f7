import { createMockService, type MockServiceOptions } from 'rapport-sdk/mocks'
import { type ListenOptions, listen } from 'rapport-sdk/mocks/node'
import { onTestFinished } from 'vitest'
import { expectDocumented } from './control-document'
import { password } from './set-up'

/** A response of the control API. */
export interface ControlReply<T = Record<string, unknown>> {
  readonly status: number
  readonly body: T
  readonly headers: Headers
}

/** A refusal of the control API. */
export interface Problem {
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly errors: readonly { path: string; message: string; allowed?: readonly unknown[] }[]
}

/**
 * Starts a server with the account of ada, and returns functions that call it with plain `fetch`. Accepted calls of the
 * control API and their responses must be valid by its OpenAPI document.
 */
export async function startControl(options: ListenOptions & { readonly service?: MockServiceOptions } = {}) {
  const { service: serviceOptions, ...listenOptions } = options
  const service = createMockService({ baseUrl: 'http://localhost/api', ...serviceOptions })
  const ada = service.users.create({ login: 'ada@example.com', username: 'ada', password, mfa: ['totp', 'backup'] })
  const server = await listen(service, listenOptions)
  onTestFinished(() => service.close())
  const origin = `http://127.0.0.1:${server.port}`
  const call = async <T = Record<string, unknown>>(
    route: `${string} /${string}`,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ControlReply<T>> => {
    const [method = '', path = ''] = route.split(' ')
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
  }
  const control = async <T = Record<string, unknown>>(
    route: `${string} /${string}`,
    body?: unknown,
    headers?: Record<string, string>,
  ) => {
    const reply = await call<T>(route.replace(' ', ' /_mock') as `GET /${string}`, body, headers)
    const [method = '', path = ''] = route.split(' ')
    const isJson = reply.status < 300 && path !== '/openapi.json'
    if (isJson) expectDocumented(method, path, typeof body === 'string' ? undefined : body, reply.status, reply.body)
    return reply
  }
  return { service, ada, server, origin, call, control }
}
