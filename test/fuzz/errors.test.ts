import { inspect } from 'node:util'
import fc from 'fast-check'
import { type ApiError, isApiError, isRateLimitError } from 'rapport-sdk'
import { expect, test } from 'vitest'
import { rejectionOf } from '../transport/rejection'
import { anyJson, anyJsonText, anyText, runs } from './arbitraries'
import { clientFor } from './responses'

const encoder = new TextEncoder()
const status = fc.oneof(fc.integer({ min: 400, max: 599 }), fc.constantFrom(400, 401, 403, 404, 429, 500))

/** Returns the error of a call with this response. */
function errorOf(status: number, text: string, headers: [string, string][] = []): Promise<ApiError> {
  const response = { status, headers, isTruncated: false, chunks: [encoder.encode(text)] }
  return rejectionOf(clientFor(response).relationships.list(), isApiError)
}

/** The field `errors`, nested as documented or not. */
const errorTree = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.record({
      _errors: fc.array(fc.oneof(fc.record({ code: anyJson, message: anyJson }), anyJson), { maxLength: 3 }),
    }),
    fc.dictionary(fc.oneof(anyText, fc.nat().map(String), fc.constant('_errors')), tie('node'), { maxKeys: 4 }),
    fc.array(tie('node'), { maxLength: 3 }),
    anyJson,
  ),
})).node

const envelope = fc.record(
  {
    code: fc.oneof(fc.integer(), fc.constantFrom(60003, 20011, 20013), anyJson),
    message: fc.oneof(anyText, anyJson),
    errors: errorTree,
    retry_after: fc.oneof(fc.double(), anyJson),
    mfa: anyJson,
  },
  { requiredKeys: [] },
)

/** Checks the types of an error's properties and the form of its message. */
function expectValid(error: ApiError): void {
  const { code, serviceMessage, fieldErrors, message } = error
  expect(['number', 'undefined']).toContain(typeof code)
  expect(typeof serviceMessage).toBe('string')
  for (const field of fieldErrors) {
    expect([typeof field.code, typeof field.message]).toEqual(['string', 'string'])
    expect(field.path.every((key) => typeof key === 'string' || typeof key === 'number')).toBe(true)
  }
  // No text of the service can break a log line.
  const lines = message.split('\n')
  expect(lines.length).toBeLessThanOrEqual(23)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test is about control characters
  expect(lines.filter((line) => /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(line))).toEqual([])
  expect(message.length).toBeLessThan(30_000)
  const written: unknown = JSON.parse(JSON.stringify(error))
  expect(written).toMatchObject({ name: error.name, message })
  expect(() => inspect(error, { depth: Infinity, showHidden: true })).not.toThrow()
}

test('an error is valid for any error body', async () => {
  await fc.assert(
    fc.asyncProperty(status, envelope, async (status, body) => {
      const error = await errorOf(status, JSON.stringify(body))
      expect(error.status).toBe(status)
      expectValid(error)
      // A value that the response has as a token is redacted everywhere.
      const hasToken = JSON.stringify(body).includes('"token":')
      if (typeof body.message === 'string' && !hasToken) expect(error.serviceMessage).toBe(body.message)
    }),
    runs(3),
  )
})

test('an error is valid for any response text', async () => {
  await fc.assert(
    fc.asyncProperty(status, fc.oneof(anyJsonText, anyText), async (status, text) => {
      expectValid(await errorOf(status, text))
    }),
    runs(),
  )
})

test('an ApiError has every field error with its path', async () => {
  const key = fc.oneof(fc.stringMatching(/^[a-z_]{1,8}$/), fc.nat(9).map(String)).filter((name) => name !== '_errors')
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.array(key, { minLength: 1, maxLength: 6 }), { maxLength: 6, selector: String }),
      async (paths) => {
        const errors: Record<string, unknown> = {}
        for (const path of paths) {
          let node = errors
          for (const name of path) {
            if (!Object.hasOwn(node, name)) node[name] = {}
            node = node[name] as Record<string, unknown>
          }
          node._errors = [{ code: 'BAD', message: path.join('.') }]
        }
        const { fieldErrors } = await errorOf(400, JSON.stringify({ errors }))
        expect(new Set(fieldErrors.map(({ message }) => message))).toEqual(new Set(paths.map((path) => path.join('.'))))
        for (const { path, message } of fieldErrors) expect(path.join('.')).toBe(message)
      },
    ),
    runs(),
  )
})

test('retryAfterMs is a finite number or undefined for any Retry-After and retry_after', async () => {
  const characters = fc.string({ unit: fc.constantFrom(...'0123456789+-.eExX: ,GMTSatJn()_'), maxLength: 30 })
  const date = fc.date({ noInvalidDate: true }).map((at) => at.toUTCString())
  const header = fc.oneof(
    characters,
    date,
    fc.double().map(String),
    fc.constantFrom('Infinity', '1e999', '0x10', '-0', ''),
  )
  await fc.assert(
    fc.asyncProperty(header, fc.oneof(fc.double(), anyJson), async (value, retry_after) => {
      const error = await errorOf(429, JSON.stringify({ retry_after }), [['retry-after', value]])
      if (!isRateLimitError(error)) throw error
      const { retryAfterMs, global } = error
      expect(retryAfterMs === undefined || (Number.isFinite(retryAfterMs) && retryAfterMs >= 0)).toBe(true)
      expect(global).toBe(false)
      if (/^\d{1,9}$/.test(value)) expect(retryAfterMs).toBe(Number(value) * 1000)
      expectValid(error)
    }),
    runs(3),
  )
})
