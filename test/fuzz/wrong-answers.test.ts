import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { endpoints } from '../../src/contract/index'
import { check } from '../../src/contract/validate'
import { operationOf, recordExchanges, schemaErrors } from '../scripts/recorded-exchanges'
import { anyJson } from './json-texts'
import { runs } from './runs'

type Step = { readonly at: number; readonly drop: boolean; readonly value: unknown }

/** Every place of a value, the whole first. */
function placesOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  const parts = typeof value === 'object' && value !== null ? Object.entries(value) : []
  return [path, ...parts.flatMap(([key, part]) => placesOf(part, [...path, key]))]
}

/** A copy with one place replaced, or dropped. */
function changed(value: unknown, { at, drop, value: other }: Step): unknown {
  const places = placesOf(value)
  const path = places[at % places.length] ?? []
  const [last] = path.slice(-1)
  if (last === undefined) return other
  const copy = structuredClone(value)
  const parent = path.slice(0, -1).reduce<unknown>((part, key) => Object(part)[key], copy)
  if (drop && !Array.isArray(parent)) delete Object(parent)[last]
  else Object(parent)[last] = other
  return copy
}

/** Beyond 2^53 JSON Schema has integers that JavaScript does not hold, and the client says so. */
const held = anyJson.filter((value) => {
  const numbers = JSON.stringify(value, (_, part) => (typeof part === 'string' ? '' : part)).match(
    /-?[\d.]+(?:e[+-]\d+)?/g,
  )
  return (numbers ?? []).every((number) => Math.abs(Number(number)) <= Number.MAX_SAFE_INTEGER)
})

const steps = fc.array(
  fc.record({
    at: fc.nat(),
    drop: fc.boolean(),
    // The next of kin of what is expected are the changes that a careless judge would pass.
    value: fc.oneof(held, { weight: 3, arbitrary: fc.constantFrom(null, 1.5, -1, '', [], {}, true) }),
  }),
  { minLength: 1, maxLength: 3 },
)

const answering = endpoints.flatMap(({ endpoint: { name, method, path, response } }) =>
  response === undefined ? [] : [{ name, method, path, response }],
)

describe('an answer is another one where the OpenAPI document says so, and nowhere else:', () => {
  test.each(answering)('$name', async ({ name, response: schema }) => {
    const exchanges = (await recordExchanges(name)).filter(({ request, response }) => {
      return response.ok && operationOf(request.method, new URL(request.url).pathname).operation.summary === name
    })
    const [first] = exchanges
    if (first === undefined) throw new Error(`${name} was not answered`)
    const { path, method } = operationOf(first.request.method, new URL(first.request.url).pathname)
    const pointer = ['paths', path, method.toLowerCase(), 'responses', String(first.response.status), 'content']
    const answer: unknown = JSON.parse(await first.response.text())
    fc.assert(
      fc.property(steps, (changes) => {
        const other = changes.reduce(changed, answer)
        const isOther = schemaErrors(other, ...pointer, 'application/json', 'schema') !== undefined
        expect(check(schema, other, { showValues: false }).length > 0).toBe(isOther)
      }),
      runs(2),
    )
  })
})
