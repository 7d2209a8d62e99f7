import { setImmediate as turn } from 'node:timers/promises'
import { createMockService, type MockService, type MockServiceOptions } from 'rapport-sdk/mocks'

/** A response with its body parsed. */
interface ParsedResponse<T> {
  readonly status: number
  readonly body: T
  readonly headers: Headers
}

/** Sends a call with plain `fetch`, exactly as the test writes it. */
export type Send = <T = Record<string, unknown>>(
  route: `${string} /${string}`,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<ParsedResponse<T>>

export const baseUrl = 'https://service.example/api/v9'
export const password = 'correct horse battery'
export const start = '2026-01-01T00:00:00.000Z'

/** Returns a function that sends calls with `fetch`, authorized with `token` if it is given. */
export function sender(fetch: MockService['fetch'], base: string, token?: string): Send {
  return async <T>(route: string, body?: unknown, headers: Record<string, string> = {}): Promise<ParsedResponse<T>> => {
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

/** Sets up a service with ada and grace, whose clock stands at {@link start}. */
export function setUp(options: MockServiceOptions = {}) {
  const service = createMockService({ baseUrl, now: start, ...options })
  const ada = service.users.create({ login: 'ada@example.com', username: 'ada', global_name: 'Ada', password })
  const grace = service.users.create({ login: 'grace@example.com', username: 'grace', password })
  const as = (user: { id: string } | string, more = {}) => sender(service.fetch, baseUrl, service.token(user, more))
  return { service, ada, grace, as, send: sender(service.fetch, baseUrl) }
}

/** Waits until what is processed in memory is processed. */
export async function settle(): Promise<void> {
  for (let round = 0; round < 30; round++) await turn()
}

/** Returns the problems of a form body error as `path: CODE`, the message of another error, or an empty array. */
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

/** A relationship in a response. */
export interface Relationship {
  id: string
  type: number
  nickname: string | null
  [field: string]: unknown
}
/** The documented relationship types, in order. */
export const [NONE, FRIEND, BLOCKED, INCOMING, OUTGOING, IMPLICIT] = [0, 1, 2, 3, 4, 5]
export const relationships = '/users/@me/relationships'

/** Sets up a service whose users ada and grace send calls and list their relationships. */
export function setUpPair(options: MockServiceOptions = {}) {
  const { service, ada, grace, as, send } = setUp(options)
  const [asAda, asGrace] = [as(ada), as(grace)]
  const list = async (by: Send) => (await by<Relationship[]>(`GET ${relationships}`)).body
  /** Returns the type of the first relationship of each side. */
  const types = async () => [(await list(asAda))[0]?.type, (await list(asGrace))[0]?.type]
  return {
    service,
    ada,
    grace,
    as,
    send,
    asAda,
    asGrace,
    list,
    types,
    toGrace: `${relationships}/${grace.id}`,
    toAda: `${relationships}/${ada.id}`,
  } as const
}

/** Returns a partial user as it appears in relationships. */
export const partialUser = (id: string, username: string, global_name: string | null = null) => ({
  id,
  username,
  global_name,
  discriminator: '0',
  avatar: null,
})
