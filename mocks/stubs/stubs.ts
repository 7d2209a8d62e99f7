// Stubs: endpoints that the API document does not list.
import { METHODS, type Method, pathParameters } from '../../src/contract/endpoint'
import { integer as integerSchema, nullable, open, optional, strictObject, unchecked } from '../../src/contract/schema'
import { deepFreeze, isObject, readField } from '../../src/internal/json'
import { isWithoutBody, jsonResponse, queryValue, type ServiceAnswer } from '../request'
import { compileRoute, findRoute, match, partsOf } from '../router'
import { assertOptions, integer, json, type OptionChecks, omitUndefined } from '../settings'

/** Method and path template of an endpoint that the document does not list: `'GET /guilds/{guild.id}'`. */
export type StubEndpoint = `${Method} /${string}`

/** The response of a stub. */
export interface StubAnswer {
  /** HTTP status, 200 to 599. Default: 200, or 204 without a body. */
  readonly status?: number
  /** Body, sent as JSON. Default: none. */
  readonly body?: unknown
}

/** A request to a stub. */
export interface StubRequest {
  /** HTTP method. */
  readonly method: string
  /** Path below the base URL, without the query. */
  readonly path: string
  /** Parameters of the path, decoded. */
  readonly params: Readonly<Record<string, string>>
  /** Query. */
  readonly query: URLSearchParams
  /** Body, parsed from JSON; `undefined` without one. */
  readonly body: unknown
  /** Headers. */
  readonly headers: Headers
  /** ID of the user whose token was sent; `null` without a valid token. */
  readonly user: string | null
}

/** Returns the response to a request. An error becomes a 500 response. */
export type StubFunction = (request: StubRequest) => StubAnswer

/** A stub that is set. */
export interface Stub {
  /** Method and path template. */
  readonly endpoint: StubEndpoint
  /** HTTP status; `null` for a stub with a function. */
  readonly status: number | null
  /** Body, with its placeholders. */
  readonly body?: unknown
}

/** Stubs of a service. */
export interface Stubs {
  /**
   * Responds to requests to an endpoint that the document does not list. Replaces an earlier stub of that endpoint. Stubs
   * need no token, are in the journal, and faults apply to them. A literal segment of a path takes precedence over a
   * parameter.
   *
   * In the strings of a body, `{{params.x}}`, `{{query.x}}` and `{{body.x}}` are replaced by values of the request: those
   * other than strings by their JSON, and a missing one by nothing. `{{body.a.b}}` is a nested field.
   * @param answer the response, or a function that returns it. A function is not part of snapshots, so `restore` keeps it.
   * @returns a function that removes the stub.
   * @throws TypeError if the document lists the endpoint, or the answer or a placeholder is invalid.
   * @example
   * service.stubs.on('GET /guilds/{guild.id}', { body: { id: '{{params.guild.id}}', name: 'Chess club' } })
   * service.stubs.on('POST /guilds', ({ user }) => (user === null ? { status: 401 } : { status: 201, body: { owner: user } }))
   */
  on(endpoint: StubEndpoint, answer: StubAnswer | StubFunction): () => void
  /** Returns the stubs that are set. Their bodies are frozen. */
  all(): Stub[]
  /** Removes the stub of an endpoint. @returns whether there was one. */
  remove(endpoint: StubEndpoint): boolean
  /** Removes all stubs. */
  clear(): void
}

/** {@link Stubs} with the methods that the service itself uses. */
export interface EndpointStubs extends Stubs {
  save(): Stub[]
  load(saved: readonly Stub[]): void
  functions(): (readonly [StubEndpoint, StubFunction])[]
  /** Returns the stub of a request; `undefined` without one. */
  find(method: string, path: string): RespondingStub | undefined
}

interface RespondingStub extends Stub {
  respond(request: Omit<StubRequest, 'params'>): ServiceAnswer
}

type Entry = ReturnType<typeof compileRoute<Stub & { readonly answer: StubFunction }>>

export function createStubs(): EndpointStubs {
  const stubs = new Map<StubEndpoint, Entry>()
  const list = () => [...stubs.values()]
  const viewOf = ({ endpoint, status, body }: Entry): Stub => omitUndefined({ endpoint, status, body })
  const add = (endpoint: StubEndpoint, given: StubAnswer | StubFunction): Entry => {
    const { method, path } = partsOfStub(endpoint)
    const answer = typeof given === 'function' ? { status: null, answer: given } : fixed(given, pathParameters(path))
    const entry = compileRoute(method, path, { endpoint, ...answer })
    stubs.set(endpoint, entry)
    return entry
  }
  return {
    on(endpoint, answer) {
      const entry = add(endpoint, answer)
      return () => void (stubs.get(endpoint) === entry && stubs.delete(endpoint))
    },
    all: () => list().map(viewOf),
    remove: (endpoint) => stubs.delete(endpoint),
    clear: () => stubs.clear(),
    save: () => list().flatMap((entry) => (entry.status === null ? [] : viewOf(entry))),
    load(saved) {
      for (const { endpoint, status } of list()) if (status !== null) stubs.delete(endpoint)
      for (const stub of saved) add(stub.endpoint, answerOf(stub))
    },
    functions: () => list().flatMap(({ endpoint, status, answer }) => (status === null ? [[endpoint, answer]] : [])),
    find(method, path) {
      const found = findRoute(list(), method, path)
      if (!('answer' in found)) return undefined
      const { answer, path: params, endpoint } = found
      return {
        ...found,
        respond(request) {
          const { status, body } = readAnswer(`the stub ${endpoint}`, answer({ ...request, params }))
          return jsonResponse(status, body)
        },
      }
    },
  }
}

/** Returns the answer of a saved stub. */
const answerOf = ({ status, body }: Stub): StubAnswer => ({ ...(status !== null && { status }), body })

/** Copies an answer, and returns the function that fills in its placeholders. */
function fixed(given: StubAnswer, params: readonly string[]) {
  const { status, body } = readAnswer('the stub', given)
  assertPlaceholders(body, params)
  const copy: unknown = body === undefined ? undefined : deepFreeze(JSON.parse(JSON.stringify(body)))
  return { status, body: copy, answer: (request: StubRequest) => ({ status, body: fill(copy, request) }) }
}

export const ANSWER_OPTIONS: OptionChecks = { status: integer(200, 599), body: json }

/** Validates an answer and completes it with the default of its status. */
function readAnswer(subject: string, answer: StubAnswer) {
  if (typeof readField(answer, 'then') === 'function') {
    // Its rejection would end the process.
    Promise.resolve(answer).catch(() => {})
    throw new TypeError(`${subject}: expected a response, got a promise`)
  }
  const read = assertOptions(subject, answer, ANSWER_OPTIONS)
  if (isWithoutBody(read.status) && read.body !== undefined) {
    throw new TypeError(`${subject}: body: a response with status ${read.status} has none`)
  }
  return { status: read.body === undefined ? 204 : 200, ...omitUndefined(read) }
}

/**
 * Returns the parts of an endpoint that can have a stub.
 * @throws TypeError for one that the document lists, and for an invalid one.
 */
export function partsOfStub(endpoint: StubEndpoint): { readonly method: string; readonly path: string } {
  const { method, path } = partsOf(endpoint)
  if (method === undefined || !METHODS.has(method) || path === undefined || /[?#]/.test(path)) {
    throw new TypeError(`"${endpoint}" is not a method (${[...METHODS].join(', ')}) and a path without a query`)
  }
  const segments = path.split('/').filter((segment) => /[{}]/.test(segment))
  const isTemplate = segments.every((segment) => /^\{[a-z][\w.]*\}$/i.test(segment))
  if (!isTemplate || new Set(segments).size < segments.length) {
    throw new TypeError(`"${endpoint}": a parameter must be an entire segment with a unique name, such as {guild.id}`)
  }
  if (/^\/(?:_mock|_ns)(?:\/|$)/.test(path)) {
    throw new TypeError(`"${endpoint}": paths below /_mock and /_ns are reserved`)
  }
  const listed = match(method, path)
  if ('endpoint' in listed) {
    throw new TypeError(
      `the API document lists ${endpoint} as "${listed.endpoint.name}"; use a fault to replace its response`,
    )
  }
  return { method, path }
}

/** `partsOfStub` validates it. */
export const StubEndpointSchema = open<StubEndpoint>('string')

export const StubSchema = strictObject<Stub>()({
  endpoint: StubEndpointSchema,
  status: nullable(integerSchema),
  body: optional(unchecked<unknown>()),
})

// Placeholders in the body of a stub: `{{params.x}}`, `{{query.x}}` and `{{body.x}}`.

/** Maximum number of characters that are filled in, so that few bytes of a template do not become gigabytes. */
const MAX_FILLED = 2 ** 20

/** Returns a body with its placeholders replaced by values of a request. */
function fill(body: unknown, request: StubRequest): unknown {
  let filled = 0
  // Each string is replaced once: a placeholder in a value of the request is text.
  return mapStrings(body, (text) =>
    text.replace(PLACEHOLDER, (placeholder) => {
      const value = replacementOf(placeholder, request)
      const inserted = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
      filled += inserted.length
      if (filled > MAX_FILLED)
        throw new RangeError(`the placeholders of the stub insert more than ${MAX_FILLED} characters`)
      return inserted
    }),
  )
}

function mapStrings(body: unknown, map: (text: string) => string): unknown {
  if (body === undefined) return undefined
  return JSON.parse(JSON.stringify(body, (_, value) => (typeof value === 'string' ? map(value) : value)))
}

const PLACEHOLDER = /\{\{[^{}]*\}\}/g

const partsOfPlaceholder = (placeholder: string) =>
  /^\{\{ ?(params|query|body)\.([^{}]*?) ?\}\}$/.exec(placeholder) ?? []

function replacementOf(placeholder: string, { params, query, body }: StubRequest): unknown {
  const [, source, name = ''] = partsOfPlaceholder(placeholder)
  if (source === 'params') return params[name]
  if (source === 'query') return queryValue(query, name)
  const field = (value: unknown, key: string): unknown =>
    isObject(value) && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined
  return name.split('.').reduce(field, body)
}

/** @throws TypeError for a placeholder that no request can have a value for. */
function assertPlaceholders(body: unknown, params: readonly string[]): void {
  mapStrings(body, (text) => {
    for (const [placeholder] of text.matchAll(PLACEHOLDER)) {
      const [, source, name = ''] = partsOfPlaceholder(placeholder)
      if (source === undefined || name === '' || (source === 'params' && !params.includes(name))) {
        const known = [...params.map((one) => `{{params.${one}}}`), '{{query.…}}', '{{body.…}}'].join(', ')
        throw new TypeError(`the stub: body: unknown placeholder ${placeholder.slice(0, 60)}; known are ${known}`)
      }
    }
    return text
  })
}
