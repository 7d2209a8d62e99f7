import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ENDPOINT_TABLE } from '../contract/endpoint-table'
import { roundTrips } from '../resources/round-trips/trips'
import { openWorld } from '../resources/round-trips/world'

interface Operation {
  readonly summary: string
  readonly parameters: readonly { readonly name?: string; readonly in?: string; readonly required?: boolean }[]
  readonly requestBody?: object
  readonly responses: Readonly<Record<string, { readonly content?: object }>>
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>

const document: { paths: Paths } & Record<string, unknown> = JSON.parse(readFileSync('docs/openapi.json', 'utf8'))
const ajv = new Ajv2020({ strict: false, allErrors: true }).addSchema(document, 'openapi.json')
const trips = new Map(Object.entries(roundTrips))
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
)

/** What is wrong with a value, by the schema that a pointer leads to. */
function wrong(value: unknown, ...pointer: readonly string[]): unknown {
  const escaped = pointer.map((key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1')))
  const validate = ajv.compile({ $ref: `openapi.json#/${escaped.join('/')}` })
  return validate(value) ? undefined : validate.errors
}

afterEach(() => void vi.unstubAllGlobals())

test('the OpenAPI document has the 55 calls and no others', () => {
  const found = operations.map(({ path, method, operation }) => `${method} ${path} ${operation.summary}`)
  expect(found.sort()).toEqual(ENDPOINT_TABLE.map(({ name, method, path }) => `${method} ${path} ${name}`).sort())
})

test('it has the limits of the interface document', () => {
  const schemas = Object(document.components).schemas
  expect(schemas.UpdateRelationshipParams.properties.nickname).toMatchObject({ minLength: 1, maxLength: 32 })
  expect(schemas.SendFriendRequestParams.properties.note.anyOf[0]).toMatchObject({ maxLength: 120 })
  expect(schemas.LogoutSessionsParams.properties.session_id_hashes).toMatchObject({ minItems: 1, maxItems: 64 })
})

describe('what is said over HTTP is what the OpenAPI document says:', () => {
  test.each(ENDPOINT_TABLE)('$name', async ({ name }) => {
    const heard: { request: Request; body: string; response: Response }[] = []
    const send = globalThis.fetch
    vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
      const request = new Request(input, init)
      const body = await request.clone().text()
      const response = await send(request)
      heard.push({ request, body, response: response.clone() })
      return response
    })
    await using world = await openWorld('over HTTP')
    await trips.get(name)?.(world)

    let answered = 0
    for (const { request, body, response } of heard) {
      const { pathname, searchParams } = new URL(request.url)
      const { path, method, operation } = operationOf(request.method, pathname)
      const at = ['paths', path, method.toLowerCase()]
      for (const parameter of operation.parameters) {
        if (parameter.in === 'query' && parameter.required) expect(searchParams.has(String(parameter.name))).toBe(true)
      }
      const known = operation.parameters
        .filter((parameter) => parameter.in === 'query')
        .map((parameter) => parameter.name)
      for (const parameter of searchParams.keys()) expect(known).toContain(parameter)
      // What is refused may be wrong on purpose.
      if (response.ok && body !== '') {
        const schema = [...at, 'requestBody', 'content', 'application/json', 'schema']
        expect(wrong(JSON.parse(body), ...schema), `the body of ${operation.summary}`).toBeUndefined()
      }
      const status = response.ok ? String(response.status) : '4XX'
      expect(Object.keys(operation.responses), operation.summary).toContain(status)
      const text = await response.text()
      if (text !== '') {
        const schema = [...at, 'responses', status, 'content', 'application/json', 'schema']
        expect(wrong(JSON.parse(text), ...schema), `the answer of ${operation.summary}`).toBeUndefined()
      } else expect(operation.responses[status]?.content).toBeUndefined()
      if (operation.summary === name && response.ok) answered++
    }
    expect(answered).toBeGreaterThan(0)
  })
})

function operationOf(method: string, pathname: string) {
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
