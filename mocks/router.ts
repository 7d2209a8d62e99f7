import * as z from 'zod/mini'
import type { Endpoint, Method } from '../src/contract/endpoint'
import { type contract, endpoints } from '../src/contract/index'
import { formatted, rule } from '../src/contract/rules'
import { listOf, OpenObjectSchema, object, type Schema, unchecked } from '../src/contract/schema'

/**
 * A message that was sent to `POST /channels/{channel.id}/messages`, as the mock answers it. The interface document shows no endpoint for messages, so
 * this shape is the mock's own.
 */
export interface MockMessage {
  /** ID of the message. */
  readonly id: string
  /** ID of the channel, as the request named it. */
  readonly channel_id: string
  /** Who sent it. */
  readonly author: object
  /** Its text; empty with IS_COMPONENTS_V2. */
  readonly content: string
  /** Its embeds, as they were sent. */
  readonly embeds: readonly unknown[]
  /** Its flags. */
  readonly flags: number
  /** Its components, each with an `id`; what refers to an attachment has its URL. */
  readonly components: readonly unknown[]
  /** Its attachments. */
  readonly attachments: readonly MockAttachment[]
  /** When it was sent, as an ISO 8601 timestamp. */
  readonly timestamp: string
}

/** A file of a message. Only its name is sent, so it is empty unless the request gives it a `size`. */
export interface MockAttachment {
  /** ID of the attachment. */
  readonly id: string
  /** Name of the file. */
  readonly filename: string
  /** Size in bytes. */
  readonly size: number
  /** Where it would be. Nothing is there. */
  readonly url: string
}

/** What the mock makes something of; components are checked by the rules of the interface, all else is let through. */
interface MessageParams {
  content?: string | null
  embeds?: unknown[] | null
  attachments?: { filename: string; size?: number }[] | null
}

/** A filename becomes a part of the attachment's address. */
const isFilename = (text: string) => !/^\.{0,2}$|[\\/]|\p{Surrogate}/u.test(text)
const AttachmentSchema = object<{ filename: string; size?: number }>()({
  filename: formatted(isFilename, 'the name of a file'),
  size: z.optional(
    rule(z.int() as Schema<number>, function* (size) {
      if (size < 0) yield { code: 'invalid_value', message: `${size}, at least 0`, limit: 0, actual: size }
    }),
  ),
})

/** The one row that is not of the interface: so that what a bot builds can be sent and read back. */
export const createMessage = {
  name: 'Create Message',
  method: 'POST',
  path: '/channels/{channel.id}/messages',
  params: object<MessageParams>()({
    content: z.optional(z.nullable(z.string())),
    embeds: z.optional(z.nullable(listOf(unchecked<unknown>()))),
    attachments: z.optional(z.nullable(listOf(AttachmentSchema))),
  }),
  response: OpenObjectSchema,
  auth: 'token',
} as const satisfies Endpoint

/** Every row that the service answers: the interface's, and the mock's own. */
export const rows: readonly Endpoint[] = [...endpoints.map(({ endpoint }) => endpoint), createMessage]

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

/** What a request is, as far as a selector can ask. */
export interface MatchableRequest {
  readonly endpoint: Endpoint | undefined
  readonly method: string
  /** Relative to the base address. */
  readonly path: string
}

/** Whether a request is the one that a selector names. */
export type Selection = (request: MatchableRequest) => boolean

const names: ReadonlySet<string> = new Set(rows.map(({ name }) => name))

const knownPaths: ReadonlySet<string> = new Set(rows.map(({ path }) => path))
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
  if (!/[{}]/.test(path) || knownPaths.has(path)) return
  const known = [...knownPaths].filter((template) => template.includes('{')).join(', ')
  throw new TypeError(`no documented path is ${path}; those with parameters: ${known}`)
}

type Rows = typeof contract
type NamesIn<Area> = { [M in keyof Area]: Area[M] extends { readonly name: infer N } ? N : never }[keyof Area]

/** The names of the 55 endpoints, as the interface document has them, and that of the mock's own for messages. */
export type EndpointName =
  | Extract<{ [R in keyof Rows]: NamesIn<Rows[R]> }[keyof Rows], string>
  | (typeof createMessage)['name']

/** An endpoint, by its name or by method and path: `'PUT /users/@me/relationships/{user.id}'`. */
export type EndpointSelector = EndpointName | `${Method} /${string}`
