import { Ajv2020 } from 'ajv/dist/2020.js'
import { createMockService, type MockServiceOptions } from 'rapport-sdk/mocks'
import { type ListenOptions, listen } from 'rapport-sdk/mocks/node'
import { expect, onTestFinished } from 'vitest'
import { controlDocument } from '../../mocks/control/control'
import { password } from './set-up'

/** A part of the document. */
interface Part {
  readonly [keyword: string]: unknown
}

interface Operation {
  readonly requestBody?: unknown
  readonly responses: Readonly<Record<string, { readonly content?: unknown }>>
}

export const document = controlDocument() as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Part>> }
}

/** Schemas of records whose other fields are internal, or not shown. */
const OPEN = ['Application', 'Snapshot', 'PasskeyCredential']

/** Rejects properties that a schema does not describe, unless it is open. */
function closed(value: unknown, path: readonly string[] = []): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((part) => closed(part, path))
  const parts = Object.entries(value).map(([key, part]) => [key, closed(part, [...path, key])])
  const isClosed =
    'properties' in value && !('additionalProperties' in value) && !OPEN.some((name) => path.includes(name))
  return { ...Object.fromEntries(parts), ...(isClosed && path.includes('schemas') && { additionalProperties: false }) }
}

const ajv = new Ajv2020({ strict: false }).addSchema(closed(document) as object, 'control')

const escapeKey = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1')

/** Expects that an accepted request and its response are valid by the document of the control API. */
export function expectDocumented(method: string, path: string, body: unknown, status: number, response: unknown): void {
  const withoutNamespace = path.replace(/^\/namespaces\/[^/]+(?=\/)/, '').replace(/\?.*$/, '')
  const isMatch = (template: string) => new RegExp(`^${template.replace('{id}', '[^/]+')}$`).test(withoutNamespace)
  const templates = Object.keys(document.paths).filter(
    (template) => isMatch(template) && document.paths[template]?.[method.toLowerCase()],
  )
  const [template = ''] = templates.sort((one, other) => Number(one.includes('{')) - Number(other.includes('{')))
  const operation = document.paths[template]?.[method.toLowerCase()]
  const pointer = `control#/paths/${escapeKey(template)}/${method.toLowerCase()}`
  const validate = (part: string, value: unknown) => {
    const isValid = ajv.validate(`${pointer}/${part}/schema`, value)
    expect([method, path, value, isValid ? null : ajv.errors]).toEqual([method, path, value, null])
  }
  expect([method, path, Object.keys(operation?.responses ?? {})]).toEqual([
    method,
    path,
    expect.arrayContaining([String(status)]),
  ])
  if (operation?.requestBody !== undefined && body !== undefined)
    validate('requestBody/content/application~1json', body)
  if (operation?.responses[status]?.content === undefined) expect(response).toBeUndefined()
  else validate(`responses/${status}/content/application~1json`, response)
}

/** A response of the control API. */
interface ControlReply<T = Record<string, unknown>> {
  readonly status: number
  readonly body: T
  readonly headers: Headers
}

/** A refusal of the control API. */
export interface Problem {
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly errors: readonly { path: string; message: string; allowed?: readonly unknown[] }[]
}

/**
 * Starts a server with the account of ada, and returns functions that call it with plain `fetch`. Accepted calls of the
 * control API and their responses must be valid by its OpenAPI document.
 */
export async function startControl(options: ListenOptions & { readonly service?: MockServiceOptions } = {}) {
  const { service: serviceOptions, ...listenOptions } = options
  const service = createMockService({ baseUrl: 'http://localhost/api', ...serviceOptions })
  const ada = service.users.create({ login: 'ada@example.com', username: 'ada', password, mfa: ['totp', 'backup'] })
  const server = await listen(service, listenOptions)
  onTestFinished(() => service.close())
  const origin = `http://127.0.0.1:${server.port}`
  const call = async <T = Record<string, unknown>>(
    route: `${string} /${string}`,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ControlReply<T>> => {
    const [method = '', path = ''] = route.split(' ')
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
  }
  const control = async <T = Record<string, unknown>>(
    route: `${string} /${string}`,
    body?: unknown,
    headers?: Record<string, string>,
  ) => {
    const reply = await call<T>(route.replace(' ', ' /_mock') as `GET /${string}`, body, headers)
    const [method = '', path = ''] = route.split(' ')
    const isJson = reply.status < 300 && path !== '/openapi.json'
    if (isJson) expectDocumented(method, path, typeof body === 'string' ? undefined : body, reply.status, reply.body)
    return reply
  }
  return { service, ada, server, origin, call, control }
}
