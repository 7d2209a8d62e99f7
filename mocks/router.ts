import type { Endpoint } from '../src/contract/endpoint'
import { rows } from './rows'

/** The row that a request is for, with its path parameters decoded. */
export interface Match {
  readonly endpoint: Endpoint
  readonly path: Readonly<Record<string, string>>
}

interface Template {
  readonly endpoint: Endpoint
  readonly segments: readonly string[]
}

// Literal segments before parameters: `/users/@me/…` is itself before it is somebody's.
const templates: readonly Template[] = rows
  .map((endpoint) => ({ endpoint, segments: endpoint.path.split('/') }))
  .sort((one, other) => parametersIn(one) - parametersIn(other))

/** The row of a method and a path, or the methods that the path has instead; none for an unknown path. */
export function match(method: string, pathname: string): Match | readonly string[] {
  const fits = templates.flatMap((template) => {
    const path = pathIn(template, pathname.split('/'))
    return path === undefined ? [] : [{ endpoint: template.endpoint, path }]
  })
  return fits.find(({ endpoint }) => endpoint.method === method) ?? fits.map(({ endpoint }) => endpoint.method)
}

/** The part of a path below the base address, or `undefined` for a path outside it. */
export function relativePath(baseUrl: URL, pathname: string): string | undefined {
  const base = baseUrl.pathname.replace(/\/$/, '')
  return pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : undefined
}

function pathIn({ segments }: Template, given: readonly string[]): Record<string, string> | undefined {
  if (given.length !== segments.length) return undefined
  const path: Record<string, string> = {}
  for (const [index, segment] of segments.entries()) {
    const value = decode(given[index] ?? '')
    if (value === undefined) return undefined
    const name = parameterIn(segment)
    if (name === undefined ? value !== segment : value === '') return undefined
    if (name !== undefined) path[name] = value
  }
  return path
}

function parameterIn(segment: string): string | undefined {
  return /^\{(.+)\}$/.exec(segment)?.[1]
}

function parametersIn({ segments }: Template): number {
  return segments.filter(parameterIn).length
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
