import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { endpoints } from '../../src/contract/index'
import { check } from '../../src/contract/validate'
import { operationOf, recordExchanges, schemaErrors } from '../scripts/recorded-exchanges'
import { anyJson } from './arbitraries'
import { runs } from './runs'

type Step = { readonly at: number; readonly drop: boolean; readonly value: unknown }

/** Returns the paths of a value and of all nested values. */
function pathsOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  const parts = typeof value === 'object' && value !== null ? Object.entries(value) : []
  return [path, ...parts.flatMap(([key, part]) => pathsOf(part, [...path, key]))]
}

/** Returns a copy with one nested value replaced or deleted. */
function applyStep(value: unknown, { at, drop, value: replacement }: Step): unknown {
  const paths = pathsOf(value)
  const path = paths[at % paths.length] ?? []
  const [last] = path.slice(-1)
  if (last === undefined) return replacement
  const copy = structuredClone(value)
  const parent = path.slice(0, -1).reduce<unknown>((part, key) => Object(part)[key], copy)
  if (drop && !Array.isArray(parent)) delete Object(parent)[last]
  else Object(parent)[last] = replacement
  return copy
}

/** JSON values without integers beyond 2^53, which JSON Schema accepts and the client reports. */
const safeJson = anyJson.filter((value) => {
  const numbers = JSON.stringify(value, (_, part) => (typeof part === 'string' ? '' : part)).match(
    /-?[\d.]+(?:e[+-]\d+)?/g,
  )
  return (numbers ?? []).every((number) => Math.abs(Number(number)) <= Number.MAX_SAFE_INTEGER)
})

const steps = fc.array(
  fc.record({
    at: fc.nat(),
    drop: fc.boolean(),
    // Values that are almost valid are those that an imprecise check would accept.
    value: fc.oneof(safeJson, { weight: 3, arbitrary: fc.constantFrom(null, 1.5, -1, '', [], {}, true) }),
  }),
  { minLength: 1, maxLength: 3 },
)

const withResponse = endpoints.flatMap(({ endpoint: { name, method, path, response } }) =>
  response === undefined ? [] : [{ name, method, path, response }],
)

describe('response validation', () => {
  test.each(withResponse)(
    'the response of $name is a mismatch exactly if the OpenAPI document rejects it',
    async ({ name, response: schema }) => {
      const exchanges = (await recordExchanges(name)).filter(({ request, response }) => {
        return response.ok && operationOf(request.method, new URL(request.url).pathname).operation.summary === name
      })
      const [first] = exchanges
      if (first === undefined) throw new Error(`${name} has no response`)
      const { path, method } = operationOf(first.request.method, new URL(first.request.url).pathname)
      const pointer = ['paths', path, method.toLowerCase(), 'responses', String(first.response.status), 'content']
      const body: unknown = JSON.parse(await first.response.text())
      fc.assert(
        fc.property(steps, (changes) => {
          const changed = changes.reduce(applyStep, body)
          const isInvalid = schemaErrors(changed, ...pointer, 'application/json', 'schema') !== undefined
          expect(check(schema, changed, { showValues: false }).length > 0).toBe(isInvalid)
        }),
        runs(2),
      )
    },
  )
})
