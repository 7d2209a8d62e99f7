import { Client } from 'rapport-sdk'
import { describe, it } from 'vitest'
import { expectLinearTime } from '../cpu-time'

const TOKEN = 'the-token-of-ada'

/** Makes a call with this response, which may fail. */
async function call(respond: () => Response): Promise<void> {
  const client = new Client({
    baseUrl: 'https://service.example',
    token: TOKEN,
    retry: 0,
    maxResponseBytes: 64_000_000,
    fetch: async () => respond(),
    onMfaRequired: ({ methods, allows, webauthnOptions }) => {
      if (allows('webauthn')) webauthnOptions()
      return allows('sms') || methods.length === 0 ? null : { type: 'totp', code: '' }
    },
    logger: { debug: () => {} },
  })
  await client.relationships.list().catch(() => {})
}

const fill = (unit: string, size: number) => unit.repeat(Math.ceil(size / unit.length))
const response =
  (status: number, body: string, headers: Record<string, string> = {}) =>
  () =>
    new Response(body, { status, headers: { 'content-type': 'application/json', ...headers } })
const failure = (body: string) => response(400, body)
const success = (body: string) => response(200, body)
const stepUp = (challenge: string) => {
  const mfa = { ticket: 't', methods: [{ type: 'webauthn', challenge }] }
  return response(401, JSON.stringify({ code: 60003, message: '', mfa }))
}
const limited = (retryAfter: string) => response(429, '', { 'retry-after': retryAfter })

describe('the CPU time of a call', () => {
  it.each<[string, (size: number) => () => Response]>([
    ['only spaces', (size) => success(fill(' ', size))],
    ['quotes', (size) => success(fill('"', size))],
    ['almost __proto__', (size) => success(fill('"__proto_', size))],
    ['escaped underscores', (size) => success(fill('"\\u005f', size))],
    ['open arrays', (size) => success(fill('[', size))],
    ['deep arrays', (size) => success(`${fill('[', size / 2)}${fill(']', size / 2)}`)],
    ['deep objects with __proto__', (size) => success(`${fill('{"__proto__":', size)}1`)],
    ['an array of wrong values', (size) => success(`[${fill('0,', size)}0]`)],
    ['less-than signs', (size) => success(fill('<', size))],
    ['a long message', (size) => failure(JSON.stringify({ message: fill('\u001b\r\n\u2028 ', size) }))],
    ['a message of almost the token', (size) => failure(JSON.stringify({ message: fill('the-token-of-ad', size) }))],
    ['a message of the token', (size) => failure(JSON.stringify({ message: fill('the-token-of-ada', size) }))],
    ['long keys', (size) => failure(JSON.stringify({ errors: { [fill('a.', size)]: { _errors: [{}] } } }))],
    ['many field errors', (size) => failure(`{"errors":{"a":{"_errors":[${fill('{"message":"m"},', size)}{}]}}}`)],
    ['many fields', (size) => failure(`{"errors":{"l":[${fill('{"_errors":[{}]},', size)}{}]}}`)],
    ['deep fields', (size) => failure(`{"errors":${fill('{"a":', size)}1${fill('}', size / 5)}}`)],
    ['digits as keys', (size) => failure(JSON.stringify({ errors: { [fill('1', size)]: { _errors: [{}] } } }))],
    ['a challenge of braces', (size) => stepUp(fill('{', size))],
    ['a challenge of almost __proto__', (size) => stepUp(fill('"__proto_', size))],
    ['a Retry-After of digits', (size) => limited(fill('9', size))],
    ['a Retry-After of almost dates', (size) => limited(fill('Mon, 01 Jan ', size))],
    ['a Retry-After of brackets', (size) => limited(fill('(', size))],
  ])('a call takes linear time from 10 kB to 1 MB for %s', (_, make) =>
    expectLinearTime({ make, run: call, small: 10_000, large: 1_000_000 }),
  )

  it.each<[string, (size: number) => () => Response]>([
    ['a message of control characters', (size) => failure(JSON.stringify({ message: fill('\u0000\u0001', size) }))],
    ['a message of line breaks and spaces', (size) => failure(JSON.stringify({ message: fill('\r\n  \u2028', size) }))],
    ['a message that repeats the token', (size) => failure(JSON.stringify({ message: fill(`${TOKEN} `, size) }))],
    [
      'a long field name',
      (size) => failure(JSON.stringify({ errors: { [fill('a.', size)]: { _errors: [{ message: 'no' }] } } })),
    ],
    [
      'a field name of digits',
      (size) => failure(JSON.stringify({ errors: { [fill('0', size)]: { _errors: ['no'] } } })),
    ],
    ['nested error fields', (size) => response(400, `${fill('{"errors":', size)}0${fill('}', size / 10)}`)],
    ['prefixes of a __proto__ key', (size) => response(200, `[${fill('"__prot",', size)}0]`)],
    ['escaped underscores in a string', (size) => response(200, `["${fill('\\u005f\\u005f', size)}"]`)],
    ['__proto__ keys', (size) => response(200, `[${fill('{"__proto__":0},', size)}0]`)],
    ['spaces before HTML', (size) => response(200, `${fill(' \n\t', size)}<html>`)],
    ['a Retry-After of digits and a JSON body', (size) => response(429, '{}', { 'retry-after': fill('9', size) })],
    ['a Retry-After of open brackets', (size) => response(429, '{}', { 'retry-after': fill('Mon (', size) })],
    [
      'a Retry-After that is almost a date',
      (size) => response(429, '{}', { 'retry-after': fill('Sat, 01 Jan 2028 ', size) }),
    ],
    ['a long header name', (size) => response(200, '[]', { [`${fill('api', size)}x`]: 'a' })],
    [
      'thousands of MFA methods',
      (size) =>
        response(
          401,
          `{"code":60003,"mfa":{"ticket":"t","methods":[${fill('{"type":"totp"},', size)}{"type":"totp"}]}}`,
        ),
    ],
  ])('a call takes linear time from 10 kB to 300 kB for %s', (_, make) =>
    expectLinearTime({ make, run: call, small: 10_000, large: 300_000 }),
  )
})
