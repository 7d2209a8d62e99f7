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
import { type AnyAnswer, answeredClient, anyAnswer, anyBytes, chunked, outcomeOf } from './answers'
import { anyJson } from './json-texts'
import { runs } from './runs'

const REDIRECTS = [301, 302, 303, 307, 308]
const wireCase = fc.constantFrom(...wireCases)
const onResponseMismatch = fc.constantFrom('report' as const, 'throw' as const, 'ignore' as const)

/** Whether an error is one that an answer may lead to. */
function isDue(error: unknown, { status, breaksOff }: AnyAnswer): boolean {
  if (REDIRECTS.includes(status)) return isConnectionError(error)
  if (status >= 500) return isServerError(error) && error.status === status
  if (status === 429) return isRateLimitError(error)
  if (status > 299) return isApiError(error) && error.status === status
  return isResponseParseError(error) || isResponseMismatchError(error) || (breaksOff && isConnectionError(error))
}

/** Everything in a value, itself included. */
function* partsOf(value: unknown): Generator<unknown> {
  const rest = [value]
  while (rest.length > 0) {
    const part = rest.pop()
    yield part
    if (typeof part === 'object' && part !== null) for (const item of Object.values(part)) rest.push(item)
  }
}

/** A value laid out flat: it may nest deeper than a comparison can follow. */
const outlineOf = (value: unknown): unknown[] =>
  [...partsOf(value)].map((part) => (typeof part === 'object' && part !== null ? Object.keys(part) : part))

/** A JSON value as any reader should have it. */
const withoutProto = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (key, item: unknown) => (key === '__proto__' ? undefined : item))

/** A value with one part of it replaced, chosen by `at`. */
function withPart(value: unknown, at: number, part: unknown): unknown {
  if (typeof value !== 'object' || value === null) return part
  const entries = Object.entries(value)
  const chosen = at % (entries.length + 1)
  if (chosen === entries.length) return part
  const changed = entries.map(([key, item], index) => [
    key,
    index === chosen ? withPart(item, Math.floor(at / (entries.length + 1)), part) : item,
  ])
  return Array.isArray(value) ? changed.map(([, item]) => item) : Object.fromEntries(changed)
}

/** Whether an object has another prototype than a literal, or a key that could give one to its copy. */
function isChanged(part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return false
  const kind = Array.isArray(part) ? Array.prototype : Object.prototype
  return Object.getPrototypeOf(part) !== kind || Object.hasOwn(part, '__proto__')
}

test('whatever is answered, a call gives data or an error of the package', async () => {
  await fc.assert(
    fc.asyncProperty(wireCase, anyAnswer, onResponseMismatch, async ({ send }, answer, mismatch) => {
      const outcome = await outcomeOf(send(answeredClient(answer, { onResponseMismatch: mismatch })))
      if ('data' in outcome) {
        expect(answer.status).toBeLessThan(300)
        return
      }
      expect(outcome.error).toSatisfy(isRapportError)
      expect(outcome.error).toSatisfy((error) => isDue(error, answer))
      expect(() => JSON.stringify(outcome.error) + inspect(outcome.error, { depth: Infinity })).not.toThrow()
    }),
    runs(5),
  )
})

test('an answer means the same in whatever pieces it comes', async () => {
  const status = fc.constantFrom(200, 400, 401, 500)
  const cuts = fc.array(fc.nat(300), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(wireCase, status, anyBytes, cuts, async ({ send }, status, bytes, cuts) => {
      const answer = { status, headers: [], breaksOff: false }
      const whole = await outcomeOf(send(answeredClient({ ...answer, chunks: [bytes] })))
      const pieces = await outcomeOf(send(answeredClient({ ...answer, chunks: chunked(bytes, cuts) })))
      if ('data' in whole) expect(outlineOf(Object(pieces).data)).toEqual(outlineOf(whole.data))
      else expect(String(Object(pieces).error)).toBe(String(whole.error))
    }),
    runs(),
  )
})

test('no key of an answer reaches a prototype', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(200, 400, 500), anyBytes, async (status, bytes) => {
      const client = answeredClient({ status, headers: [], breaksOff: false, chunks: [bytes] })
      const outcome = await outcomeOf(client.request({ path: '/anything' }))
      const parts = 'data' in outcome ? outcome.data : isApiError(outcome.error) ? outcome.error.body : undefined
      expect([...partsOf(parts)].filter(isChanged)).toEqual([])
      expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('polluted')
    }),
    runs(3),
  )
})

test('a success that is not what the interface describes is handed on as it came', async () => {
  const answered = wireCases.filter(({ response, result }) => response !== undefined && result === undefined)
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...answered), fc.nat(), anyJson, async ({ name, send, response }, at, part) => {
      const given: unknown = JSON.parse(JSON.stringify(withPart(response, at, part)))
      const fetch = async () => Response.json(given)
      const client = new Client({ baseUrl: 'https://service.example', token: 'the-token-of-ada', fetch })
      const outcome = await outcomeOf(send(client))
      // A call that signs in is not done without a token that a header can carry.
      if ('error' in outcome) expect(outcome.error).toMatchObject({ name: 'ResponseMismatchError', endpoint: name })
      else expect(outcome.data).toEqual(withoutProto(given))
    }),
    runs(2),
  )
})
