// Sends the calls of `createMockControl`.
import { describeType, isObject, readField } from '../../src/internal/json'
import type { MockServiceEvent } from '../core'
import type { UserRef } from '../database'
import type { rows } from './control'
import type { ProblemError, Row } from './row'

/** Options of `createMockControl`. */
export interface MockControlOptions {
  /** Namespace; created on first use. Default: the default one. */
  readonly namespace?: string
  /** Control token, if the mock was started with one: visible ASCII characters without spaces. */
  readonly token?: string
  /** `fetch` for the calls. Default: the global one. */
  readonly fetch?: typeof fetch
}

/** Refusal of the control API, or a mock that cannot be reached. */
export class MockControlError extends Error {
  /** Name of the class, also after it was minified. */
  override readonly name = 'MockControlError'
  /** HTTP status; `null` without a response. */
  readonly status: number | null
  /** Mistakes in the call: their paths, and what is allowed. */
  readonly errors: readonly ProblemError[]

  constructor(message: string, status: number | null, errors: readonly ProblemError[], options?: ErrorOptions) {
    super(message, options)
    this.status = status
    this.errors = errors
  }
}

type Rows = typeof rows
type Route = keyof Rows
type ParamsOf<R extends Route> = Rows[R] extends Row<infer P, infer _> ? P : never
type ResultOf<R extends Route> = Rows[R] extends Row<infer _, infer T> ? T : never

/** Parameters as they are sent: users by ID, login or username. */
type Sent<P> = { readonly [K in keyof P]: P[K] extends UserRef | undefined ? UserRef | undefined : P[K] }

export interface Caller {
  send(method: string, path: string, init?: RequestInit): Promise<Response>
  /** Calls a route; the ID of `ref` replaces the parameter of its path. */
  call<R extends Route>(route: R, params?: Sent<ParamsOf<R>>, ref?: UserRef): Promise<ResultOf<R>>
}

export function createCaller(url: string | URL, options: MockControlOptions): Caller {
  const base = `${new URL(url).origin}/_mock`
  const { namespace, token } = options
  if (token !== undefined && !/^[!-~]+$/.test(token)) {
    throw new TypeError('createMockControl: token: expected one or more visible ASCII characters without spaces')
  }
  const headers: Readonly<Record<string, string>> = {
    ...(namespace !== undefined && { 'x-mock-namespace': namespace }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  const send = async (method: string, path: string, init: RequestInit = {}): Promise<Response> => {
    const sendRequest = options.fetch ?? fetch
    let response: Response
    try {
      response = await sendRequest(base + path, { ...init, method, headers: { ...headers, ...init.headers } })
    } catch (cause) {
      if (init.signal?.aborted) throw cause
      const message = `${method} ${base}${path}: the mock cannot be reached${hintFor(base)}`
      throw new MockControlError(message, null, [], { cause })
    }
    if (response.ok) return response
    const text = await response.text()
    const { detail, errors = [] } = problemIn(text)
    const lines = errors.map(({ path: at, message }) => `  ${at || '(body)'}: ${message}`)
    const message = `${method} ${path}: ${response.status} ${detail ?? text.slice(0, 200)}`
    throw new MockControlError([message, ...lines].join('\n'), response.status, errors)
  }
  const call = async <R extends Route>(route: R, params?: Sent<ParamsOf<R>>, ref?: UserRef): Promise<ResultOf<R>> => {
    const [method = '', template = ''] = route.split(' ')
    const path = template.replace('{id}', () => encodeURIComponent(idOf(ref, route)))
    if (params === undefined) return await resultOf(await send(method, path))
    const values = Object.entries<unknown>(params)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, withoutRecord(route, name, value)] as const)
    if (method === 'GET' || method === 'DELETE') {
      const query = new URLSearchParams(values.map(([name, value]) => [name, String(value)]))
      return await resultOf(await send(method, values.length === 0 ? path : `${path}?${query}`))
    }
    const body = JSON.stringify(Object.fromEntries(values))
    return await resultOf(await send(method, path, { body, headers: { 'content-type': 'application/json' } }))
  }
  return { send, call }
}

/** Returns the ID of a record, or the given ID or name. @throws MockControlError for anything else. */
export function idOf(ref: unknown, call: string): string {
  const id: unknown = typeof ref === 'string' ? ref : readField(ref, 'id')
  if (typeof id === 'string' && id !== '') return id
  const found = ref === '' ? 'an empty string' : describeType(ref)
  throw new MockControlError(`${call}: expected a record with an id, or an ID or name, got ${found}`, null, [])
}

export const items = async <T>(list: Promise<{ readonly items: readonly T[] }>): Promise<T[]> => [...(await list).items]

/** Returns what matches requests, with the ID of its user. */
export function withId<T extends { readonly user?: UserRef }>({ user, ...match }: T) {
  return { ...match, ...(user !== undefined && { user: idOf(user, 'user') }) }
}

/** Returns how a page of another origin is allowed; it cannot read the refusal. */
function hintFor(base: string): string {
  const { origin } = typeof location === 'undefined' ? new URL(base) : location
  if (origin === new URL(base).origin) return ''
  return `, or refuses pages of ${origin}; start it with --control-origin ${origin} to allow them`
}

/** Fields that may be a user or an application by record. */
const REFERENCES: ReadonlySet<string> = new Set(['user', 'target', 'owner', 'oauth2'])

function withoutRecord(call: string, name: string, value: unknown): unknown {
  return REFERENCES.has(name) && isObject(value) ? idOf(value, `${call}: ${name}`) : value
}

function problemIn(text: string): { readonly detail?: string; readonly errors?: readonly ProblemError[] } {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

/** Returns the result in a response; its type is that of the row, which the mock was built with. */
async function resultOf<T>(response: Response): Promise<T> {
  // The client and the mock share a version.
  return (response.status === 204 ? undefined : await response.json()) as T
}

/** Reads the events of a stream; `E` are those of its filter. */
export async function* readEvents<E extends MockServiceEvent>(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<E, void, void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      text += decoder.decode(value, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const [, data] = /^data: (.*)$/.exec(block) ?? []
        if (data !== undefined) yield JSON.parse(data)
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
