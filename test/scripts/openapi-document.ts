import { Ajv2020 } from 'ajv/dist/2020'
import { vi } from 'vitest'
import { openApi } from '../../scripts/interface/openapi'
import { roundTrips } from '../resources/round-trips/trips'
import { openWorld } from '../resources/round-trips/world'

/** A call as the OpenAPI document has it. */
export interface Operation {
  readonly summary: string
  readonly parameters: readonly { readonly name?: string; readonly in?: string; readonly required?: boolean }[]
  readonly requestBody?: object
  readonly responses: Readonly<Record<string, { readonly content?: object }>>
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>

export const document = openApi('0.0.0') as unknown as { paths: Paths } & Record<string, unknown>
const ajv = new Ajv2020({ strict: false, allErrors: true }).addSchema(document, 'openapi.json')

/** Every call of the document. */
export const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
)

/** What is wrong with a value, by the schema that a pointer leads to. */
export function wrong(value: unknown, ...pointer: readonly string[]): unknown {
  const escaped = pointer.map((key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1')))
  const validate = ajv.getSchema(`openapi.json#/${escaped.join('/')}`)
  if (validate === undefined) throw new Error(`The OpenAPI document has no ${pointer.join(' → ')}`)
  return validate(value) ? undefined : validate.errors
}

/** One exchange of a call that has been made for real. */
export interface Heard {
  readonly request: Request
  readonly body: string
  readonly response: Response
}

/** Makes a call over HTTP, with whatever it needs before, and gives all that went over the wire. */
export async function hear(name: string): Promise<Heard[]> {
  const heard: Heard[] = []
  const send = globalThis.fetch
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init)
    const body = await request.clone().text()
    const response = await send(request)
    heard.push({ request, body, response: response.clone() })
    return response
  })
  try {
    await using world = await openWorld('over HTTP')
    await new Map(Object.entries(roundTrips)).get(name)?.(world)
  } finally {
    vi.unstubAllGlobals()
  }
  return heard
}

/** The call of the document that an address belongs to. */
export function operationOf(method: string, pathname: string) {
  const segments = pathname.split('/').length
  const fits = operations.filter((one) => {
    const pattern = new RegExp(`^${one.path.replaceAll(/\{[^{}]+\}/g, '[^/]+')}$`)
    return one.method === method && one.path.split('/').length === segments && pattern.test(pathname)
  })
  // A path without parameters goes before one with them.
  const [found] = fits.sort((one, other) => one.path.split('{').length - other.path.split('{').length)
  if (found === undefined) throw new Error(`${method} ${pathname} is not in the document`)
  return found
}
