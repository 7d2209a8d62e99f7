import { Ajv2020 } from 'ajv/dist/2020'
import { vi } from 'vitest'
import { openApi } from '../../scripts/interface/openapi'
import { roundTrips } from '../resources/round-trips/round-trips'
import { openWorld } from '../resources/round-trips/world'

/** An operation of the OpenAPI document. */
export interface Operation {
  readonly summary: string
  readonly operationId: string
  readonly description: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean }
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: object }>>
}
interface Parameter {
  readonly $ref?: string
  readonly name?: string
  readonly in?: string
  readonly required?: boolean
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>

export const document = openApi('0.0.0') as unknown as { paths: Paths } & Record<string, unknown>
const formats = {
  date: true as const,
  'date-time': (text: string) => !Number.isNaN(Date.parse(text)) && text.endsWith('Z'),
}
const ajv = new Ajv2020({ strict: false, allErrors: true, formats }).addSchema(document, 'openapi.json')

/** All operations of the document. */
export const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
)

/** Returns the errors of a value by the schema at a JSON pointer, or undefined if it is valid. */
export function schemaErrors(value: unknown, ...pointer: readonly string[]): unknown {
  const escaped = pointer.map((key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1')))
  const validate = ajv.getSchema(`openapi.json#/${escaped.join('/')}`)
  if (validate === undefined) throw new Error(`The OpenAPI document has no ${pointer.join(' → ')}`)
  return validate(value) ? undefined : validate.errors
}

/** Returns the JSON pointer of the response to a status; a status without a response of its own has the default. */
export function responsePointer({ path, method, operation }: ReturnType<typeof operationOf>, status: number): string[] {
  const key = String(status) in operation.responses ? String(status) : 'default'
  const shared = operation.responses[key]?.$ref?.split('/').slice(1)
  return shared ?? ['paths', path, method.toLowerCase(), 'responses', key]
}

/** A request and its response. */
export interface Exchange {
  readonly request: Request
  readonly body: string
  readonly response: Response
}

/** Makes a call over HTTP, with the calls that it requires, and returns all exchanges. */
export async function recordExchanges(name: string): Promise<Exchange[]> {
  const exchanges: Exchange[] = []
  const send = globalThis.fetch
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init)
    const body = await request.clone().text()
    const response = await send(request)
    exchanges.push({ request, body, response: response.clone() })
    return response
  })
  try {
    await using world = await openWorld('over HTTP')
    await new Map(Object.entries(roundTrips)).get(name)?.(world)
  } finally {
    vi.unstubAllGlobals()
  }
  return exchanges
}

/** Returns the operation of a request. */
export function operationOf(method: string, pathname: string) {
  const segments = pathname.split('/').length
  const matching = operations.filter((one) => {
    const pattern = new RegExp(`^${one.path.replaceAll(/\{[^{}]+\}/g, '[^/]+')}$`)
    return one.method === method && one.path.split('/').length === segments && pattern.test(pathname)
  })
  // A path without parameters takes precedence over one with parameters.
  const [found] = matching.sort((one, other) => one.path.split('{').length - other.path.split('{').length)
  if (found === undefined) throw new Error(`${method} ${pathname} is not in the document`)
  return found
}
