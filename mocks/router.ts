import type { Endpoint, Method } from '../src/contract/endpoint'
import { type contract, endpoints } from '../src/contract/index'
import * as s from '../src/contract/schema'

/**
 * Response of `POST /channels/{channel.id}/messages`. The API document shows no endpoint for messages, so this
 * shape is a convention of the mock.
 */
export interface MockMessage {
  /** ID of the message. */
  readonly id: string
  /** ID of the channel in the request. */
  readonly channel_id: string
  /** Author, a partial user. */
  readonly author: object
  /** Text; empty with IS_COMPONENTS_V2. */
  readonly content: string
  /** Embeds, unchanged. */
  readonly embeds: readonly unknown[]
  /** Message flags. */
  readonly flags: number
  /** Components, each with an `id`; references to attachments are replaced by their URLs. */
  readonly components: readonly unknown[]
  /** Attached files. */
  readonly attachments: readonly MockAttachment[]
  /** Time of sending, ISO 8601. */
  readonly timestamp: string
}

/** A file of a message. Only its name is sent, so its size is 0 unless the request contains a `size`. */
export interface MockAttachment {
  /** ID of the attachment. */
  readonly id: string
  /** Name of the file. */
  readonly filename: string
  /** Size in bytes. */
  readonly size: number
  /** Address of the file. Nothing is served there. */
  readonly url: string
}

/** Fields that the mock uses. Components are validated by the rules of the API; other fields are accepted. */
interface MessageParams {
  content?: string | null
  embeds?: unknown[] | null
  attachments?: { filename: string; size?: number }[] | null
}

/** Whether a filename can be part of the attachment's URL. */
const isFilename = (text: string) => !/^\.{0,2}$|[\\/]|\p{Surrogate}/u.test(text)
const AttachmentSchema = s.looseObject<{ filename: string; size?: number }>()({
  filename: s.formattedString(isFilename, 'a file name'),
  size: s.optional(
    s.refine(s.integer, function* (size) {
      if (size < 0) yield { code: 'invalid_value', message: `${size}, at least 0`, limit: 0, actual: size }
    }),
  ),
})

/** The only endpoint that is not in the API document: it lets tests send a bot's message and read it back. */
export const createMessage = {
  name: 'Create Message',
  method: 'POST',
  path: '/channels/{channel.id}/messages',
  params: s.looseObject<MessageParams>()({
    content: s.optional(s.nullable(s.string)),
    embeds: s.optional(s.nullable(s.array(s.unchecked<unknown>()))),
    attachments: s.optional(s.nullable(s.array(AttachmentSchema))),
  }),
  response: s.OpenObjectSchema,
  auth: 'token',
} as const satisfies Endpoint

/** All endpoints of the service: those of the API, and {@link createMessage}. */
export const rows: readonly Endpoint[] = [...endpoints.map(({ endpoint }) => endpoint), createMessage]

const segmentsOf = (path: string) =>
  path.split('/').map((text) => ({ text: decode(text), parameter: /^\{(.+)\}$/.exec(text)?.[1] }))

type Segments = ReturnType<typeof segmentsOf>
type Parameters = Readonly<Record<string, string>>

/** A method and a compiled path template. */
interface Route {
  readonly method: string
  readonly segments: Segments
  readonly parameters: number
}

/** Compiles a route with its own properties. */
export function compileRoute<T>(method: string, path: string, properties: T): T & Route {
  const segments = segmentsOf(path)
  return { ...properties, method, segments, parameters: segments.filter((one) => one.parameter).length }
}

/**
 * Returns the route of a method and path with the parameters, or the methods that the path allows; an empty array for an unknown
 * path. Literal segments take precedence over parameters: `/users/@me` over `/users/{user.id}`.
 */
export function findRoute<T extends Route>(routes: readonly T[], method: string, pathname: string) {
  const actual = pathname.split('/').map(decode)
  const matches = routes.filter(({ segments }) => isMatch(segments, actual))
  matches.sort((one, other) => one.parameters - other.parameters)
  const found = matches.find((one) => one.method === method)
  return found ? { ...found, path: parametersIn(found.segments, actual) } : matches.map((one) => one.method)
}

const endpointRoutes = rows.map((endpoint) => compileRoute(endpoint.method, endpoint.path, { endpoint }))

/** Returns the endpoint of a method and path, or as {@link findRoute}. */
export const match = (method: string, pathname: string) => findRoute(endpointRoutes, method, pathname)

/** Compiles a path template. @returns a function that returns the parameters of a path; `undefined` if it does not match. */
export function compilePath(template: string): (pathname: string) => Parameters | undefined {
  const segments = segmentsOf(template)
  return (pathname) => {
    const actual = pathname.split('/').map(decode)
    return isMatch(segments, actual) ? parametersIn(segments, actual) : undefined
  }
}

/** Values of the segments of a path; `undefined` for one that cannot be decoded. */
type Actual = readonly (string | undefined)[]

function isMatch(segments: Segments, actual: Actual): boolean {
  // First, because it is called with each route for each request.
  if (actual.length !== segments.length) return false
  return segments.every(({ text, parameter }, index) =>
    parameter === undefined ? text !== undefined && actual[index] === text : Boolean(actual[index]),
  )
}

function parametersIn(segments: Segments, actual: Actual): Parameters {
  const all = segments.map(({ parameter }, index) => [parameter, actual[index]] as const)
  return Object.fromEntries(all.flatMap(([name, value]) => (name === undefined ? [] : [[name, value ?? '']])))
}

export function relativePath(baseUrl: URL, pathname: string): string | undefined {
  const base = baseUrl.pathname.replace(/\/$/, '')
  return pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : undefined
}

const listedRoutes = rows.map(({ method, path }) => `${method} ${path}`)

/** Distance from which a route has little to do with a request: more than another method and a misspelled segment. */
const FAR = 0.9

/** Returns the route (method and path) that is most similar to a request; `undefined` if none is near. */
export function nearestRoute(method: string | undefined, path: string, routes: readonly string[] = listedRoutes) {
  const actual = path.replace(/\/$/, '').split('/').slice(0, 10)
  const distanceTo = (route: string): number => {
    const [routeMethod, routePath = ''] = route.split(' ')
    const segments = routePath.split('/')
    const missing = Math.max(0, actual.length - segments.length)
    const distances = segments.map((text, index) => distanceOf(text, actual[index] ?? ''))
    return distances.reduce(
      (sum, one) => sum + one,
      missing + (method === undefined || routeMethod === method ? 0 : 0.5),
    )
  }
  const near = routes.map((route) => ({ route, distance: distanceTo(route) })).filter(({ distance }) => distance < FAR)
  return near.sort((one, other) => one.distance - other.distance)[0]?.route
}

/** Returns how much a segment of a path differs from that of a template: 0 if it is equal, 1 if most of it is not. */
function distanceOf(expected: string, actual: string): number {
  if (expected === actual) return 0
  if (expected.startsWith('{')) return actual === '' ? 1 : 0.1
  const length = Math.min(expected.length, actual.length)
  let [start, end] = [0, 0]
  while (start < length && expected[start] === actual[start]) start++
  while (end < length - start && expected.at(-1 - end) === actual.at(-1 - end)) end++
  const distance = 1 - (start + end) / Math.max(expected.length, actual.length)
  return distance > 0.5 ? 1 : distance
}

function decode(segment: string): string | undefined {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

export interface MatchableRequest {
  readonly endpoint: Endpoint | undefined
  readonly method: string
  /** Relative to the base URL. */
  readonly path: string
}

export type RequestMatcher = (request: MatchableRequest) => boolean

export const endpointNames: readonly string[] = rows.map(({ name }) => name)
const names: ReadonlySet<string> = new Set(endpointNames)

const knownPaths: ReadonlySet<string> = new Set(rows.map(({ path }) => path))
const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/**
 * Compiles a selector. Its path is a template of an endpoint or of a stub, or a literal path, which may be one that the
 * document does not show.
 * @throws TypeError for what is not a selector; see {@link assertSelector}.
 */
export function matcherOf(selector: EndpointSelector): RequestMatcher {
  if (selector === '*') return () => true
  if (names.has(selector)) return ({ endpoint }) => endpoint?.name === selector
  const { method, path } = partsOf(selector)
  if (method === undefined && path === undefined) {
    const known = [...names].map((name) => `"${name}"`).join(', ')
    const forms = '"METHOD /path", a part of that, "*"'
    throw new TypeError(`"${selector}" is neither ${forms} nor the name of an endpoint; names: ${known}`)
  }
  if (method !== undefined && !METHODS.includes(method)) {
    throw new TypeError(`${method} is not an HTTP method; known are ${METHODS.join(', ')}`)
  }
  if (path !== undefined && /[?#*]|\/\.\.?(?:\/|$)/.test(path)) {
    const parts = 'a query, a fragment, a wildcard or the segments "." and ".."'
    throw new TypeError(`"${selector}": the path must not have ${parts}; "*" alone selects all`)
  }
  const isTemplate = path !== undefined && /[{}]/.test(path)
  const paramsOf = path === undefined || (isTemplate && knownPaths.has(path)) ? () => undefined : compilePath(path)
  return (request) =>
    (method === undefined || request.method === method) &&
    (path === undefined ||
      request.endpoint?.path === path ||
      ((!isTemplate || request.endpoint === undefined) && paramsOf(request.path) !== undefined))
}

/** @throws TypeError for a selector that matches no possible request: its template is neither an endpoint's nor a stub's. */
export function assertSelector(selector: EndpointSelector, stubs: readonly { readonly endpoint: string }[]): void {
  matcherOf(selector)
  const { path } = partsOf(selector)
  if (path === undefined || !isUnknownTemplate(path)) return
  const stubbed = stubs.flatMap(({ endpoint }) => partsOf(endpoint).path ?? [])
  if (stubbed.includes(path)) return
  const known = [...knownPaths, ...stubbed].filter((template) => template.includes('{')).join(', ')
  throw new TypeError(`no endpoint has the path ${path}; paths with parameters: ${known}`)
}

/** A stub, as selectors and faults see it. */
interface StubRoute {
  readonly endpoint: string
  readonly status: number | null
  readonly body?: unknown
}

/** The endpoint or the stub that answers a request. */
export interface Answering {
  readonly endpoint?: Endpoint | undefined
  readonly stub?: StubRoute | undefined
}

/**
 * Returns the only endpoint or stub that a selector selects; `undefined` for several.
 * @throws TypeError as {@link assertSelector}, and if neither an endpoint nor a stub has the method and the path.
 */
export function assertRoute(selector: EndpointSelector, stubs: readonly StubRoute[]): Answering | undefined {
  assertSelector(selector, stubs)
  const endpoint = rowNamed(selector)
  if (endpoint !== undefined) return { endpoint }
  const { method, path } = partsOf(selector)
  const routes = [
    ...endpointRoutes,
    ...stubs.map((stub) => {
      const { method = '', path = '' } = partsOf(stub.endpoint)
      return compileRoute<Answering>(method, path, { stub })
    }),
  ]
  if (path === undefined) {
    if (method === undefined || routes.some((route) => route.method === method)) return undefined
    throw new TypeError(`no endpoint and no stub has the method ${method}`)
  }
  // Without a method, the methods of the path.
  const found = findRoute(routes, method ?? '', path)
  if (!Array.isArray(found)) return found
  if (found.length === 0) {
    const nearest = nearestRoute(method, path, [...listedRoutes, ...stubs.map((stub) => stub.endpoint)])
    const hint = nearest === undefined ? '' : `, or use ${nearest}`
    throw new TypeError(`no endpoint and no stub has the path ${path}; add a stub first${hint}`)
  }
  if (method === undefined) return undefined
  throw new TypeError(`${path} has no ${method}; use ${found.map((one) => `${one} ${path}`).join(' or ')}`)
}

/** Returns the name of the endpoint or stub if it answers without a body. What a stub with a function answers is not known. */
export function nameWithoutBody({ endpoint, stub }: Answering): string | undefined {
  if (endpoint !== undefined) return endpoint.response === undefined ? endpoint.name : undefined
  return stub !== undefined && stub.status !== null && stub.body === undefined ? stub.endpoint : undefined
}

export function partsOf(selector: string): {
  readonly method?: string | undefined
  readonly path?: string | undefined
} {
  const [, only, method = only, path] = /^([A-Z]+)$|^(?:([A-Z]+) )?(\/\S*)$/.exec(selector) ?? []
  return { method, path }
}

const isUnknownTemplate = (path: string) => /[{}]/.test(path) && !knownPaths.has(path)

const byName: ReadonlyMap<string | null, Endpoint> = new Map(rows.map((row) => [row.name, row]))

/** Returns the endpoint with a name; `undefined` for `null`, the name of an unknown path. */
export const rowNamed = (name: string | null): Endpoint | undefined => byName.get(name)

/** Returns the name of an endpoint, with its literal type. */
export function endpointName({ name }: Endpoint): EndpointName {
  // All endpoints are rows of the contract or `createMessage`; the type `Endpoint` widens their names.
  return name as EndpointName
}

type Rows = typeof contract
type NamesIn<Area> = { [M in keyof Area]: Area[M] extends { readonly name: infer N } ? N : never }[keyof Area]

/** Names of the 55 endpoints of the API document, and of the mock's endpoint for messages. */
export type EndpointName =
  | Extract<{ [R in keyof Rows]: NamesIn<Rows[R]> }[keyof Rows], string>
  | (typeof createMessage)['name']

/**
 * Selects an endpoint by its name, or by method and path: `'PUT /users/@me/relationships/{user.id}'`; a method, a path or
 * `'*'` selects several.
 */
export type EndpointSelector = EndpointName | `${Method} /${string}` | Method | `/${string}` | '*'
