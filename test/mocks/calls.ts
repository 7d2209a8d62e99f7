import { createMockService, type MockService, type MockServiceOptions } from 'rapport-sdk/mocks'

/** What a call answered, with its body read. */
export interface Answer<T> {
  readonly status: number
  readonly body: T
  readonly headers: Headers
}

/** Sends a call with plain `fetch`; what crosses the wire is what the test wrote. */
export type Send = <T = Record<string, unknown>>(
  route: `${string} /${string}`,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer<T>>

export const baseUrl = 'https://service.example/api/v9'
export const password = 'correct horse battery'
export const start = '2026-01-01T00:00:00.000Z'

/** Calls through a given `fetch`, signed in with a token where there is one. */
export function sender(fetch: MockService['fetch'], base: string, token?: string): Send {
  return async <T>(route: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer<T>> => {
    const [method = '', path = ''] = route.split(' ')
    const response = await fetch(base + path, {
      method,
      headers: { ...(token !== undefined && { authorization: token }), 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: (text === '' ? undefined : JSON.parse(text)) as T,
    }
  }
}

/** A service whose clock stands at {@link start}, with two people in it. */
export function setUp(options: MockServiceOptions = {}) {
  const service = createMockService({ baseUrl, now: start, ...options })
  const ada = service.users.create({ login: 'ada@example.com', username: 'ada', global_name: 'Ada', password })
  const grace = service.users.create({ login: 'grace@example.com', username: 'grace', password })
  const as = (user: { id: string } | string, more = {}) => sender(service.fetch, baseUrl, service.token(user, more))
  return { service, ada, grace, as, send: sender(service.fetch, baseUrl) }
}

/** The problems of a form body error, as `path: CODE`; any other error as its message, and none of a success. */
export function problems(body: unknown): string[] {
  const found: string[] = []
  const walk = (node: Record<string, unknown>, path: readonly string[]) => {
    for (const [key, value] of Object.entries(node)) {
      if (key !== '_errors') walk(value as Record<string, unknown>, [...path, key])
      else for (const { code } of value as { code: string }[]) found.push(`${path.join('.')}: ${code}`)
    }
  }
  const { errors, message } = (body ?? {}) as { errors?: Record<string, unknown>; message?: string }
  if (errors !== undefined) walk(errors, [])
  else if (message !== undefined) found.push(message)
  return found
}
