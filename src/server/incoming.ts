// What a handler accepts of a page's request, and what of it the service receives.
import { AbortScope } from '../abort'
import { type Endpoint, pathParameters } from '../contract/endpoint'
import { endpoints } from '../contract/index'
import { isObject, parseJson } from '../internal/json'
import { HANDOFF, type HandlerConfig } from './options'

/** An answer in place of the service's. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}

const HOP_BY_HOP = ['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade']
/** Headers that the service does not receive from a page, besides those that begin with {@link DROPPED_PREFIX}. */
const DROPPED = new Set([
  ...HOP_BY_HOP,
  ...['authorization', 'cookie', 'forwarded', 'via', 'host', 'content-length', 'accept-encoding', 'origin', 'referer'],
  ...['x-real-ip', 'true-client-ip', 'cf-connecting-ip', 'expect', 'x-rapport-user'],
])
const DROPPED_PREFIX = /^(?:x-forwarded-|proxy-|sec-)/
/** Headers of the service that a page receives: those that a client reads. Others may be secret, or act in the browser. */
const RETURNED =
  /^(?:content-(?:type|language)|date|retry-after|(?:x-)?ratelimit(?:-.*)?|x-(?:request|correlation|amzn-request)-?id|cf-ray)$/

/** Whether a request comes from another page than those of the option `origin`. */
export function isForeign({ headers, method }: Request, origin: string): boolean {
  const [given, site] = [headers.get('origin'), headers.get('sec-fetch-site')]
  if (given !== null) return given !== origin
  // `none`: somebody enters the URL.
  return method === 'GET' ? site !== null && site !== 'same-origin' && site !== 'none' : site !== 'same-origin'
}

const ROUTES = endpoints.map(({ endpoint }) => ({ endpoint, pattern: patternOf(endpoint) }))

/** Returns the endpoint of a request below the mount. @throws Refusal if the contract has none, or `allow` not that one. */
export function endpointOf(method: string, path: string, { allow }: HandlerConfig): Endpoint {
  const { endpoint } = ROUTES.find(({ endpoint, pattern }) => endpoint.method === method && pattern.test(path)) ?? {}
  if (endpoint === undefined) throw new Refusal(404, 'The API has no such endpoint.')
  if (!HANDOFF.includes(endpoint.name) || allow.has(endpoint.name)) return endpoint
  throw new Refusal(403, `${endpoint.name} is not allowed: a script could exchange the handoff token elsewhere.`)
}

function patternOf({ path }: Endpoint): RegExp {
  const text = pathParameters(path).reduce((rest, name) => rest.replace(`{${name}}`, '[^/]+'), path)
  return new RegExp(`^${text.replaceAll('.', '\\.')}$`)
}

/** Reads the body of a request. @throws Refusal if it is too large, or does not arrive in time. */
export async function readBody(
  request: Request,
  { maxRequestBytes, timeout }: HandlerConfig,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (request.body === null) return undefined
  const scope = new AbortScope('Read body', request.signal, timeout)
  const reader = request.body.getReader()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  try {
    for (let size = Number(request.headers.get('content-length') ?? 0) > maxRequestBytes ? Infinity : 0; ; ) {
      const { done, value } = await scope.race(reader.read())
      if (done) return new Uint8Array(await new Blob(chunks).arrayBuffer())
      size += value.byteLength
      if (size > maxRequestBytes) throw new Refusal(413, 'The body is too large.')
      chunks.push(value)
    }
  } catch (error) {
    reader.cancel().catch(() => {})
    throw error instanceof Refusal ? error : new Refusal(408, 'The body did not arrive in time.')
  } finally {
    scope.close()
  }
}

/** Returns the object of a JSON text, or `undefined` if it is something else. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value = parseJson(text)
    return isObject(value) && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** Returns the headers of a page's request that the service receives. */
export function forwardedHeaders(request: Request, { mfaHeader, clientAddress }: HandlerConfig): Headers {
  const isDropped = (name: string) => DROPPED.has(name) || DROPPED_PREFIX.test(name) || name === mfaHeader
  const headers = copyHeaders(request.headers, isDropped)
  const address = clientAddress?.(request)
  if (address !== undefined) headers.set('x-forwarded-for', address)
  return headers
}

/** Returns the headers of the service's response that a page receives. */
export function returnedHeaders({ headers }: Response, { responseHeaders }: HandlerConfig): Headers {
  return copyHeaders(headers, (name) => !RETURNED.test(name) && !responseHeaders.has(name))
}

/** Copies headers without those that are dropped or that `Connection` names. */
function copyHeaders(from: Headers, isDropped: (name: string) => boolean): Headers {
  const named = new Set((from.get('connection') ?? '').toLowerCase().split(/[\s,]+/))
  return new Headers([...from].filter(([name]) => !isDropped(name) && !named.has(name)))
}
