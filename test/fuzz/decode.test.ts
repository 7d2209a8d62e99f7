import { inspect } from 'node:util'
import fc from 'fast-check'
import {
  Client,
  isApiError,
  isConnectionError,
  isRapportError,
  isRateLimitError,
  isResponseMismatchError,
  isResponseParseError,
  isServerError,
} from 'rapport-sdk'
import { expect, test } from 'vitest'
import { wireCases } from '../resources/wire/cases'
import { anyJson, runs } from './arbitraries'
import { anyBytes, anyResponse, clientFor, type FuzzResponse, outcomeOf, splitBytes } from './responses'

const REDIRECTS = [301, 302, 303, 307, 308]
const wireCase = fc.constantFrom(...wireCases)
const onResponseMismatch = fc.constantFrom('report' as const, 'throw' as const, 'ignore' as const)

/** Whether a response may lead to an error. */
function isExpected(error: unknown, { status, isTruncated }: FuzzResponse): boolean {
  if (REDIRECTS.includes(status)) return isConnectionError(error)
  if (status >= 500) return isServerError(error) && error.status === status
  if (status === 429) return isRateLimitError(error)
  if (status > 299) return isApiError(error) && error.status === status
  return isResponseParseError(error) || isResponseMismatchError(error) || (isTruncated && isConnectionError(error))
}

/** Yields a value and all nested values. */
function* partsOf(value: unknown): Generator<unknown> {
  const rest = [value]
  while (rest.length > 0) {
    const part = rest.pop()
    yield part
    if (typeof part === 'object' && part !== null) for (const item of Object.values(part)) rest.push(item)
  }
}

/** Flattens a value, which may be nested too deeply for `toEqual`. */
const flatten = (value: unknown): unknown[] =>
  [...partsOf(value)].map((part) => (typeof part === 'object' && part !== null ? Object.keys(part) : part))

/** Returns a JSON value without its `__proto__` keys. */
const withoutProto = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (key, item: unknown) => (key === '__proto__' ? undefined : item))

/** Replaces one nested value, chosen by `at`. */
function replacePart(value: unknown, at: number, part: unknown): unknown {
  if (typeof value !== 'object' || value === null) return part
  const entries = Object.entries(value)
  const chosen = at % (entries.length + 1)
  if (chosen === entries.length) return part
  const changed = entries.map(([key, item], index) => [
    key,
    index === chosen ? replacePart(item, Math.floor(at / (entries.length + 1)), part) : item,
  ])
  return Array.isArray(value) ? changed.map(([, item]) => item) : Object.fromEntries(changed)
}

/** Whether an object has an unusual prototype or an own `__proto__` key. */
function isPolluted(part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return false
  const kind = Array.isArray(part) ? Array.prototype : Object.prototype
  return Object.getPrototypeOf(part) !== kind || Object.hasOwn(part, '__proto__')
}

test('any response resolves to data or throws an error of the package', async () => {
  await fc.assert(
    fc.asyncProperty(wireCase, anyResponse, onResponseMismatch, async ({ send }, response, mismatch) => {
      const outcome = await outcomeOf(send(clientFor(response, { onResponseMismatch: mismatch })))
      if ('data' in outcome) {
        expect(response.status).toBeLessThan(300)
        return
      }
      expect(outcome.error).toSatisfy(isRapportError)
      expect(outcome.error).toSatisfy((error) => isExpected(error, response))
      expect(() => JSON.stringify(outcome.error) + inspect(outcome.error, { depth: Infinity })).not.toThrow()
    }),
    runs(5),
  )
})

test('a response means the same in any chunks', async () => {
  const status = fc.constantFrom(200, 400, 401, 500)
  const cuts = fc.array(fc.nat(300), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(wireCase, status, anyBytes, cuts, async ({ send }, status, bytes, cuts) => {
      const response = { status, headers: [], isTruncated: false }
      const whole = await outcomeOf(send(clientFor({ ...response, chunks: [bytes] })))
      const pieces = await outcomeOf(send(clientFor({ ...response, chunks: splitBytes(bytes, cuts) })))
      if ('data' in whole) expect(flatten(Object(pieces).data)).toEqual(flatten(whole.data))
      else expect(String(Object(pieces).error)).toBe(String(whole.error))
    }),
    runs(),
  )
})

test('no key of a response reaches a prototype', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(200, 400, 500), anyBytes, async (status, bytes) => {
      const client = clientFor({ status, headers: [], isTruncated: false, chunks: [bytes] })
      const outcome = await outcomeOf(client.request({ path: '/anything' }))
      const parts = 'data' in outcome ? outcome.data : isApiError(outcome.error) ? outcome.error.body : undefined
      expect([...partsOf(parts)].filter(isPolluted)).toEqual([])
      expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('polluted')
    }),
    runs(3),
  )
})

test('a successful response that does not match the API is returned unchanged', async () => {
  const withBody = wireCases.filter(({ response, result }) => response !== undefined && result === undefined)
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...withBody), fc.nat(), anyJson, async ({ name, send, response }, at, part) => {
      const body: unknown = JSON.parse(JSON.stringify(replacePart(response, at, part)))
      const fetch = async () => Response.json(body)
      const client = new Client({ baseUrl: 'https://service.example', token: 'the-token-of-ada', fetch })
      const outcome = await outcomeOf(send(client))
      // A sign-in without a valid token always throws.
      if ('error' in outcome) expect(outcome.error).toMatchObject({ name: 'ResponseMismatchError', endpoint: name })
      else expect(outcome.data).toEqual(withoutProto(body))
    }),
    runs(2),
  )
})
