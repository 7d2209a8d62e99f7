import fc from 'fast-check'
import { isRequestValidationError } from 'rapport-sdk'
import { expect, test } from 'vitest'
import { clientMethod, ENDPOINT_TABLE } from '../contract/endpoint-table'
import { paramCases } from '../resources/validation/param-table'
import { recordingClient } from '../resources/wire/wire-case'
import { anyJson, anyText, runs } from './arbitraries'
import { outcomeOf } from './responses'

type Client = ReturnType<typeof recordingClient>['client']

/** Makes a call. Returns the fields of the sent query and body, or undefined if the call was rejected. */
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

/** Fields that are sent in the query, as `call field`. */
const QUERY = new Set(
  ENDPOINT_TABLE.flatMap(({ call, params }) =>
    params.filter((name) => name.startsWith('&')).map((name) => `${call} ${name.replace(/\W/g, '')}`),
  ),
)

/** Returns what JSON makes of a value: without `undefined` and `-0`. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

test('a call sends exactly its parameters, or nothing', async () => {
  const calls = fc.constantFrom(...paramCases).chain((call) => {
    const fields = Object.keys(call.params)
    const changes = fc.dictionary(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...fields) }, anyText), anyJson, {
      maxKeys: 2,
    })
    return fc.record({ call: fc.constant(call), changes, sent: fc.subarray(fields) })
  })
  await fc.assert(
    fc.asyncProperty(calls, async ({ call: { call, path, params }, changes, sent }) => {
      const kept = Object.fromEntries(Object.entries(params).filter(([field]) => sent.includes(field)))
      const values = { ...kept, ...changes }
      const body = await bodyOf((client) => clientMethod(client, call)?.(...path, values))
      if (body === undefined) return
      const inQuery = (name: string) => QUERY.has(`${call} ${name}`)
      const entries = Object.entries(values).map(([name, value]) => [
        name,
        inQuery(name) ? String(value) : asJson(value),
      ])
      expect(body.json).toEqual(Object.fromEntries(entries))
    }),
    runs(5),
  )
})

test('any metadata are sent unchanged or rejected', async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(anyText, anyJson, { maxKeys: 30 }), async (metadata) => {
      const body = await bodyOf((client) => client.identities.updateProfile('200', '100', 'p7', { metadata }))
      if (body !== undefined) expect(body.json).toEqual({ metadata: asJson(metadata) })
      else expect(Object.keys(metadata).length > 25 || mayBeRejected(metadata)).toBe(true)
    }),
    runs(2),
  )
})

/** Whether metadata have a value that may be too long, or a `__proto__` key. */
function mayBeRejected(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(
    ([key, item]) => key === '__proto__' || JSON.stringify(item).length > 1000 || mayBeRejected(item),
  )
}

test('any JSON body of client.request is sent unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(anyJson, fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE'), async (body, method) => {
      const { client, sent } = recordingClient(undefined)
      await client.request({ method, path: '/anything', body })
      expect(JSON.parse(sent[0]?.text ?? '')).toEqual(asJson(body))
    }),
    runs(2),
  )
})

test('any other body of client.request is sent as its JSON or rejected', async () => {
  const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true })
  await fc.assert(
    fc.asyncProperty(anything, async (value) => {
      const { client, sent } = recordingClient(undefined)
      const outcome = await outcomeOf(client.request({ method: 'POST', path: '/anything', body: { value } }))
      if ('data' in outcome) return void expect(JSON.parse(sent[0]?.text ?? '')).toEqual(asJson({ value }))
      expect(outcome.error).toSatisfy(isRequestValidationError)
      expect(sent).toEqual([])
    }),
    runs(2),
  )
})
