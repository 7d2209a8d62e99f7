import { inspect } from 'node:util'
import fc from 'fast-check'
import { type ApiError, isApiError, isRateLimitError } from 'rapport-sdk'
import { expect, test } from 'vitest'
import { rejectionOf } from '../transport/rejection'
import { answeredClient } from './answers'
import { anyJson, anyJsonText } from './json-texts'
import { runs } from './runs'
import { anyText } from './texts'

const encoder = new TextEncoder()
const status = fc.oneof(fc.integer({ min: 400, max: 599 }), fc.constantFrom(400, 401, 403, 404, 429, 500))

/** The error that a failure with such a text becomes. */
function errorOf(status: number, text: string, headers: [string, string][] = []): Promise<ApiError> {
  const answer = { status, headers, breaksOff: false, chunks: [encoder.encode(text)] }
  return rejectionOf(answeredClient(answer).relationships.list(), isApiError)
}

/** `errors` as services of this kind nest them, and as nobody should. */
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

/** What holds of an error, whatever it was made of. */
function expectSound(error: ApiError): void {
  const { code, serviceMessage, fieldErrors, message } = error
  expect(['number', 'undefined']).toContain(typeof code)
  expect(typeof serviceMessage).toBe('string')
  for (const field of fieldErrors) {
    expect([typeof field.code, typeof field.message]).toEqual(['string', 'string'])
    expect(field.path.every((key) => typeof key === 'string' || typeof key === 'number')).toBe(true)
  }
  // Nothing of the service's can end a line of a log, or begin one.
  const lines = message.split('\n')
  expect(lines.length).toBeLessThanOrEqual(23)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
  expect(lines.filter((line) => /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(line))).toEqual([])
  expect(message.length).toBeLessThan(30_000)
  const written: unknown = JSON.parse(JSON.stringify(error))
  expect(written).toMatchObject({ name: error.name, message })
  expect(() => inspect(error, { depth: Infinity, showHidden: true })).not.toThrow()
}

test('an error is sound, whatever the envelope', async () => {
  await fc.assert(
    fc.asyncProperty(status, envelope, async (status, body) => {
      const error = await errorOf(status, JSON.stringify(body))
      expect(error.status).toBe(status)
      expectSound(error)
      // What an answer gives away as a token is masked wherever else it says it.
      const givesAway = JSON.stringify(body).includes('"token":')
      if (typeof body.message === 'string' && !givesAway) expect(error.serviceMessage).toBe(body.message)
    }),
    runs(3),
  )
})

test('an error is sound, whatever the text', async () => {
  await fc.assert(
    fc.asyncProperty(status, fc.oneof(anyJsonText, anyText), async (status, text) => {
      expectSound(await errorOf(status, text))
    }),
    runs(),
  )
})

test('every message of a tree of fields is told, with the way to it', async () => {
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

test('a wait is a number of milliseconds or unknown, whatever header and body say', async () => {
  const signs = fc.string({ unit: fc.constantFrom(...'0123456789+-.eExX: ,GMTSatJn()_'), maxLength: 30 })
  const date = fc.date({ noInvalidDate: true }).map((at) => at.toUTCString())
  const header = fc.oneof(signs, date, fc.double().map(String), fc.constantFrom('Infinity', '1e999', '0x10', '-0', ''))
  await fc.assert(
    fc.asyncProperty(header, fc.oneof(fc.double(), anyJson), async (value, retry_after) => {
      const error = await errorOf(429, JSON.stringify({ retry_after }), [['retry-after', value]])
      if (!isRateLimitError(error)) throw error
      const { retryAfterMs, global } = error
      expect(retryAfterMs === undefined || (Number.isFinite(retryAfterMs) && retryAfterMs >= 0)).toBe(true)
      expect(global).toBe(false)
      if (/^\d{1,9}$/.test(value)) expect(retryAfterMs).toBe(Number(value) * 1000)
      expectSound(error)
    }),
    runs(3),
  )
})
