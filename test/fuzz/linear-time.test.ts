import { Client, isApiError, isResponseMismatchError } from 'rapport-sdk'
import { describe, expect, test } from 'vitest'
import { expectLinearTime } from '../cpu-time'
import { rejectionOf } from '../transport/rejection'
import { outcomeOf } from './answers'

const TOKEN = 'the-token-of-ada'
const json = (status: number, text: string, headers: Record<string, string> = {}) =>
  new Response(text, { status, headers: { 'content-type': 'application/json', ...headers } })
const failure = (body: object) => json(400, JSON.stringify(body))
const repeated = (unit: string, size: number) => unit.repeat(Math.ceil(size / unit.length))

/** Answers of about `size` characters, each made to keep some part of the reader busy. */
const HOSTILE: Readonly<Record<string, (size: number) => Response>> = {
  'a message of control characters': (size) => failure({ message: repeated('\u0000\u0001', size) }),
  'a message of line breaks and blanks': (size) => failure({ message: repeated('\r\n  \u2028', size) }),
  'a message that says the token over and over': (size) => failure({ message: repeated(`${TOKEN} `, size) }),
  'a message of half the token over and over': (size) => failure({ message: repeated(TOKEN.slice(0, -1), size) }),
  'a long name of a field': (size) => failure({ errors: { [repeated('a.', size)]: { _errors: [{ message: 'no' }] } } }),
  'a field of digits': (size) => failure({ errors: { [repeated('0', size)]: { _errors: ['no'] } } }),
  'fields within fields': (size) => json(400, `${repeated('{"errors":', size)}0${repeated('}', size / 10)}`),
  'lists within lists': (size) => json(200, `${repeated('[', size / 2)}${repeated(']', size / 2)}`),
  'the beginnings of a key that would set a prototype': (size) => json(200, `[${repeated('"__prot",', size)}0]`),
  'such a key in escapes that come to nothing': (size) => json(200, `["${repeated('\\u005f\\u005f', size)}"]`),
  'such keys themselves': (size) => json(200, `[${repeated('{"__proto__":0},', size)}0]`),
  'blanks before a page': (size) => json(200, `${repeated(' \n\t', size)}<html>`),
  'blanks and nothing': (size) => json(200, repeated(' ', size)),
  'a wait of many digits': (size) => json(429, '{}', { 'retry-after': repeated('9', size) }),
  'a wait of open brackets': (size) => json(429, '{}', { 'retry-after': repeated('Mon (', size) }),
  'a wait that is nearly a date': (size) => json(429, '{}', { 'retry-after': repeated('Sat, 01 Jan 2028 ', size) }),
  'a header with a long name': (size) => json(200, '[]', { [`${repeated('api', size)}x`]: 'a' }),
  'second factors by the thousand': (size) =>
    json(401, `{"code":60003,"mfa":{"ticket":"t","methods":[${repeated('{"type":"totp"},', size)}{"type":"totp"}]}}`),
  'values that are all of the wrong kind': (size) => json(200, `[${repeated('0,', size)}0]`),
}

async function call(answer: () => Response): Promise<void> {
  const client = new Client({
    baseUrl: 'https://service.example',
    token: TOKEN,
    retry: 0,
    fetch: async () => answer(),
    onMfaRequired: ({ methods, allows }) => (allows('sms') || methods.length === 0 ? null : { type: 'totp', code: '' }),
    logger: { debug: () => {} },
  })
  await outcomeOf(client.relationships.list())
}

describe('a call takes linear time', () => {
  test.each(Object.entries(HOSTILE))('for %s', { timeout: 30_000 }, (_, answer) =>
    // The answer itself cannot be read twice, so making it is counted.
    expectLinearTime({ make: (size) => () => answer(size), run: call, small: 10_000, large: 300_000 }),
  )
})

test('reports every mismatch of a small answer, and only the first one of a large answer', async () => {
  const list = (size: number) => {
    const fetch = async () => Response.json(Array(size).fill(0))
    return new Client({ baseUrl: 'https://service.example', fetch, onResponseMismatch: 'throw' }).relationships.list()
  }
  expect((await rejectionOf(list(100), isResponseMismatchError)).issues).toHaveLength(100)
  expect((await rejectionOf(list(1_000_000), isResponseMismatchError)).issues).toHaveLength(1)
})

test('gives an error of a hundred thousand fields a short message', async () => {
  const errors = Object.fromEntries(Array.from({ length: 1e5 }, (_, index) => [`f${index}`, { _errors: ['no'] }]))
  const fetch = async () => Response.json({ errors }, { status: 400 })
  const call = new Client({ baseUrl: 'https://service.example', fetch }).relationships.list()
  const error = await rejectionOf(call, isApiError)
  expect(error.fieldErrors).toHaveLength(1e5)
  expect(error.message.length).toBeLessThan(2000)
})
