import type { Endpoint } from '../src/contract/endpoint'
import type { EndpointSelector } from './endpoint-names'
import { rows } from './rows'

/** What a request is, as far as a selector can ask. */
export interface Selectable {
  readonly endpoint: Endpoint | undefined
  readonly method: string
  /** Relative to the base address. */
  readonly path: string
}

/** Whether a request is the one that a selector names. */
export type Selection = (request: Selectable) => boolean

const names: ReadonlySet<string> = new Set(rows.map(({ name }) => name))

const templates: ReadonlySet<string> = new Set(rows.map(({ path }) => path))
const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/**
 * The requests that a selector names. A path is a row's template or an address as it is sent, so that paths which the
 * document does not show can be named too.
 */
export function selectionOf(selector: EndpointSelector): Selection {
  const [, method, path] = /^([A-Z]+) (\/\S*)$/.exec(selector) ?? []
  if (method !== undefined && path !== undefined) {
    assertPossible(method, path)
    return (request) => request.method === method && (request.endpoint?.path === path || request.path === path)
  }
  if (names.has(selector)) return ({ endpoint }) => endpoint?.name === selector
  const known = [...names].map((name) => `"${name}"`).join(', ')
  throw new TypeError(`"${selector}" is neither "METHOD /path" nor the name of an endpoint; names: ${known}`)
}

/** A path that the document does not show may be named; one that no request can have is a mistake. */
function assertPossible(method: string, path: string): void {
  if (!METHODS.includes(method)) throw new TypeError(`${method} is no method; there are ${METHODS.join(', ')}`)
  if (/[?#]/.test(path)) throw new TypeError(`"${method} ${path}": name a path without query and fragment`)
  if (!/[{}]/.test(path) || templates.has(path)) return
  const known = [...templates].filter((template) => template.includes('{')).join(', ')
  throw new TypeError(`no documented path is ${path}; those with parameters: ${known}`)
}
