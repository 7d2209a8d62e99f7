import { Client, type MfaHandler } from 'rapport-sdk'
import { describe, it } from 'vitest'
import { expectLinearTime } from '../cpu-time'

/** Makes a call with this response, which may fail. */
async function call(respond: () => Response): Promise<void> {
  const client = new Client({
    baseUrl: 'https://service.example',
    token: 'ada-the-token',
    retry: 0,
    maxResponseBytes: 64_000_000,
    fetch: async () => respond(),
    onMfaRequired: ((challenge) => {
      challenge.webauthnOptions()
      return null
    }) satisfies MfaHandler,
    logger: { debug: () => {} },
  })
  await client.relationships.list().catch(() => {})
}

const fill = (unit: string, size: number) => unit.repeat(Math.ceil(size / unit.length))
const failure = (body: string) => () => new Response(body, { status: 400 })
const success = (body: string) => () => new Response(body, { status: 200 })
const stepUp = (challenge: string) => {
  const mfa = { ticket: 't', methods: [{ type: 'webauthn', challenge }] }
  return () => new Response(JSON.stringify({ code: 60003, message: '', mfa }), { status: 401 })
}
const limited = (retryAfter: string) => () => new Response('', { status: 429, headers: { 'retry-after': retryAfter } })

describe('the CPU time of a call', () => {
  it.each<[string, (size: number) => () => Response]>([
    ['white space', (size) => success(fill(' ', size))],
    ['quotes', (size) => success(fill('"', size))],
    ['almost __proto__', (size) => success(fill('"__proto_', size))],
    ['escaped underscores', (size) => success(fill('"\\u005f', size))],
    ['open arrays', (size) => success(fill('[', size))],
    ['deep arrays', (size) => success(`${fill('[', size / 2)}${fill(']', size / 2)}`)],
    ['deep objects with __proto__', (size) => success(`${fill('{"__proto__":', size)}1`)],
    ['an array of wrong values', (size) => success(`[${fill('0,', size)}0]`)],
    ['less-than signs', (size) => success(fill('<', size))],
    ['a long message', (size) => failure(JSON.stringify({ message: fill('\u001b\r\n\u2028 ', size) }))],
    ['a message of almost the token', (size) => failure(JSON.stringify({ message: fill('ada-the-toke', size) }))],
    ['a message of the token', (size) => failure(JSON.stringify({ message: fill('ada-the-token', size) }))],
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
  ])('a call takes linear time from 10 kB to 1 MB for %s', { timeout: 30_000 }, (_, make) =>
    expectLinearTime({ make, run: call, small: 10_000, large: 1_000_000 }),
  )
})
