// What a handler accepts of a page's request, and what of it the service receives.
import type { AbortScope } from '../abort'
import { type Endpoint, pathParameters } from '../contract/endpoint'
import { endpoints } from '../contract/index'
import { isObject, parseJson } from '../internal/json'
import { HANDOFF, type HandlerConfig } from './options'

/** An answer in place of the service's. */
export class Refusal extends Error {
  readonly status: number

  constructor(status: number, message: string, cause?: unknown) {
    super(message, { cause })
    this.status = status
  }
}

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

/** Reads a complete body. @throws Refusal if it is too large, or breaks off, also because the scope aborts. */
export async function readBody({ body, headers }: Request | Response, maxBytes: number, scope: AbortScope) {
  if (body === null) return undefined
  const reader = body.getReader()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  try {
    for (let size = Number(headers.get('content-length')) > maxBytes ? Infinity : 0; size <= maxBytes; ) {
      const { done, value } = await scope.race(reader.read())
      if (done) return new Uint8Array(await new Blob(chunks).arrayBuffer())
      size += value.byteLength
      chunks.push(value)
    }
  } catch (error) {
    throw new Refusal(408, 'The body did not arrive in time.', error)
  } finally {
    reader.cancel().catch(() => {})
  }
  throw new Refusal(413, 'The body is too large.')
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

/** Copies the headers that match a pattern, without those that `Connection` names. */
export function pickHeaders(from: Headers, pattern: RegExp): Headers {
  const named = new Set((from.get('connection') ?? '').toLowerCase().split(/[\s,]+/))
  return new Headers([...from].filter(([name]) => pattern.test(name) && !named.has(name)))
}
