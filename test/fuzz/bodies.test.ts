import fc from 'fast-check'
import { isRequestValidationError } from 'rapport-sdk'
import { expect, test } from 'vitest'
import { clientMethod } from '../contract/client-methods'
import { ENDPOINT_TABLE } from '../contract/endpoint-table'
import { paramCases } from '../resources/validation/param-table'
import { recordingClient } from '../resources/wire/wire-case'
import { outcomeOf } from './answers'
import { anyJson } from './json-texts'
import { runs } from './runs'
import { anyText } from './texts'

type Client = ReturnType<typeof recordingClient>['client']

/** Makes a call. Answers the body that was sent, read as JSON, or nothing where it was refused before. */
async function bodyOf(send: (client: Client) => Promise<unknown> | undefined): Promise<{ json: unknown } | undefined> {
  const { client, sent } = recordingClient({ token: 'a-new-token' }, { onResponseMismatch: 'ignore' })
  const outcome = await outcomeOf(Promise.resolve(send(client)))
  if ('error' in outcome) {
    expect(outcome.error).toSatisfy(isRequestValidationError)
    expect(sent).toEqual([])
    return undefined
  }
  expect(sent).toHaveLength(1)
  const { text = '', headers, url } = sent[0] ?? {}
  expect(headers?.get('content-type')).toBe(text === '' ? null : 'application/json')
  const query = Object.fromEntries(new URL(url ?? '').searchParams)
  return { json: { ...query, ...(text === '' ? {} : JSON.parse(text)) } }
}

/** Fields that travel in the query, by call. */
const QUERY = new Set(
  ENDPOINT_TABLE.flatMap(({ call, params }) =>
    params.filter((name) => name.startsWith('&')).map((name) => `${call} ${name.replace(/\W/g, '')}`),
  ),
)

/** What JSON makes of a value: no `undefined`, and one zero. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

test('what is given is what is sent, or nothing is sent', async () => {
  const given = fc.constantFrom(...paramCases).chain((call) => {
    const fields = Object.keys(call.params)
    const changes = fc.dictionary(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...fields) }, anyText), anyJson, {
      maxKeys: 2,
    })
    return fc.record({ call: fc.constant(call), changes, left: fc.subarray(fields) })
  })
  await fc.assert(
    fc.asyncProperty(given, async ({ call: { call, path, params }, changes, left }) => {
      const kept = Object.fromEntries(Object.entries(params).filter(([field]) => left.includes(field)))
      const given = { ...kept, ...changes }
      const body = await bodyOf((client) => clientMethod(client, call)?.(...path, given))
      if (body === undefined) return
      const inQuery = (name: string) => QUERY.has(`${call} ${name}`)
      const entries = Object.entries(given).map(([name, value]) => [
        name,
        inQuery(name) ? String(value) : asJson(value),
      ])
      expect(body.json).toEqual(Object.fromEntries(entries))
    }),
    runs(5),
  )
})

test('metadata arrive as they were given, whatever they hold', async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(anyText, anyJson, { maxKeys: 30 }), async (metadata) => {
      const body = await bodyOf((client) => client.identities.updateProfile('200', '100', 'p7', { metadata }))
      if (body !== undefined) expect(body.json).toEqual({ metadata: asJson(metadata) })
      else expect(Object.keys(metadata).length > 25 || holdsRefusable(metadata)).toBe(true)
    }),
    runs(2),
  )
})

/** Whether a value has what the interface refuses: something long, or a key that no object can hold. */
function holdsRefusable(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(
    ([key, item]) => key === '__proto__' || JSON.stringify(item).length > 1000 || holdsRefusable(item),
  )
}

test('a body of the caller’s own arrives as it was given', async () => {
  await fc.assert(
    fc.asyncProperty(anyJson, fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE'), async (given, method) => {
      const { client, sent } = recordingClient(undefined)
      await client.request({ method, path: '/anything', body: given })
      expect(JSON.parse(sent[0]?.text ?? '')).toEqual(asJson(given))
    }),
    runs(2),
  )
})

test('a body that JSON cannot carry is refused, or arrives as JSON has it', async () => {
  const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true })
  await fc.assert(
    fc.asyncProperty(anything, async (given) => {
      const { client, sent } = recordingClient(undefined)
      const outcome = await outcomeOf(client.request({ method: 'POST', path: '/anything', body: { given } }))
      if ('data' in outcome) return void expect(JSON.parse(sent[0]?.text ?? '')).toEqual(asJson({ given }))
      expect(outcome.error).toSatisfy(isRequestValidationError)
      expect(sent).toEqual([])
    }),
    runs(2),
  )
})
