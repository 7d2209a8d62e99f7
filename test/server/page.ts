import type { Fetch } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { createSessionHandler, type SessionHandler, type SessionHandlerOptions } from 'rapport-sdk/server'

export const ORIGIN = 'https://app.example'

/** Options of a request of a page. */
interface PageRequest {
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

/** A page of {@link ORIGIN} in a browser with one cookie jar. */
export class Page {
  /** `name=value` of the cookies that the browser has, by name. */
  readonly jar = new Map<string, string>()
  /** Everything that scripts of the page have received. */
  readonly seen: string[] = []

  /** @param handler That of the process which answers. */
  constructor(public handler: SessionHandler) {}

  /** The `Cookie` header of the browser. */
  get cookie(): string | undefined {
    return [...this.jar.values()].join('; ') || undefined
  }

  /** Sends a request; the caller decides when the browser receives its answer. */
  async send(method: string, path: string, { body, headers = {} }: PageRequest = {}): Promise<Response> {
    const json = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
    const given = new Headers({ 'content-type': 'application/json', origin: ORIGIN, ...headers })
    if (method === 'GET' && headers.origin === undefined) given.delete('origin')
    if (this.cookie !== undefined && !given.has('cookie')) given.set('cookie', this.cookie)
    return this.handler(new Request(`${ORIGIN}/rapport${path}`, { method, headers: given, ...json }))
  }

  /** Applies the cookies of an answer, as a browser does when it arrives. */
  receive(answer: Response): void {
    for (const line of answer.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ')
      const name = pair.split('=')[0] ?? ''
      if (attributes.includes('Max-Age=0')) this.jar.delete(name)
      else this.jar.set(name, pair)
    }
  }

  /** The `fetch` of a client of the page. */
  readonly fetch: Fetch = async (url, { method, body, headers }) => {
    const path = new URL(url).pathname.replace('/rapport', '')
    const answer = await this.send(method, path, { body, headers: { 'sec-fetch-site': 'same-origin', ...headers } })
    this.receive(answer)
    return answer
  }

  /** Sends a request and receives its answer. */
  async call(method: string, path: string, request?: PageRequest) {
    const answer = await this.send(method, path, request)
    this.receive(answer)
    const text = await answer.text()
    this.seen.push(text, ...[...answer.headers].filter(([name]) => name !== 'set-cookie').flat())
    let json: unknown
    try {
      json = JSON.parse(text)
    } catch {
      // The answer of a proxy.
    }
    return { status: answer.status, headers: answer.headers, text, json: Object(json) }
  }
}

export const newKey = (id = 'k1') => ({ id, key: crypto.getRandomValues(new Uint8Array(32)) })
export const keys = [newKey()]
export const login = { login: 'ada@example.com', password: 'correct horse' }

export type Upstream = NonNullable<SessionHandlerOptions['fetch']>

/** A service with a user, a handler, and a page of it. `requests` are those that the service receives. */
export function setUp(options: Partial<SessionHandlerOptions> = {}, mfa: readonly string[] = []) {
  const service = createMockService()
  const user = service.users.create({ ...login, mfa: Object(mfa) })
  const requests: { url: string; method: string; headers: Headers }[] = []
  const upstream: Upstream = (url, init) => {
    requests.push({ url, method: init.method ?? '', headers: new Headers(init.headers) })
    return service.fetch(url, init)
  }
  const create = (changes: Partial<SessionHandlerOptions> = {}) =>
    createSessionHandler({
      baseUrl: service.baseUrl,
      keys,
      origin: ORIGIN,
      fetch: upstream,
      logger: {},
      ...options,
      ...changes,
    })
  const page = new Page(create())
  const signIn = () => page.call('POST', '/auth/login', { body: login })
  return { service, user, requests, create, page, signIn, upstream }
}
