import { describe, expect, test } from 'vitest'
import { problems, sentBody } from './refusal'

const ids = (count: number): string[] => Array.from({ length: count }, (_, index) => String(index + 1))
const keys = (count: number): Record<string, string> => Object.fromEntries(ids(count).map((id) => [`key ${id}`, id]))

// Interface, "Limits": 1-64 hashes, 1-100 IDs.
describe.each([
  ['client.auth.sessions.logout', 'session_id_hashes', 64],
  ['client.identities.listBulk', 'user_ids', 100],
])('%s', (call, field, max) => {
  test(`takes 1 to ${max} ${field}`, async () => {
    for (const count of [1, max]) {
      expect(await sentBody(call, { [field]: ids(count) })).toEqual({ [field]: ids(count) })
    }
  })

  test('takes no empty list', async () => {
    expect(await problems(call, { [field]: [] })).toEqual([`${field}: too_few, limit 1, actual 0`])
  })

  test('takes no more, and tells of items that are no texts as well', async () => {
    const given = { [field]: [5, null, ...ids(max), undefined] }
    expect(await problems(call, given)).toEqual([
      `${field}.0: invalid_type, actual 5`,
      `${field}.1: invalid_type, actual null`,
      `${field}.${max + 2}: required`,
      `${field}: too_many, limit ${max}, actual ${max + 3}`,
    ])
  })
})

test('bulk add takes any number of users: the document gives no limit', async () => {
  for (const count of [0, 1000]) {
    const given = { user_ids: ids(count), token: 'contact-sync' }
    expect(await sentBody('client.relationships.addBulk', given)).toEqual(given)
  }
})

describe('profile metadata', () => {
  const update = 'client.identities.updateProfile'
  const profile = ['200', '100', 'p7']
  const send = (metadata: unknown) => sentBody(update, ...profile, { metadata })
  const refuse = (metadata: unknown) => problems(update, ...profile, { metadata })

  test('has up to 25 keys', async () => {
    expect(await send({})).toEqual({ metadata: {} })
    expect(await send(keys(25))).toEqual({ metadata: keys(25) })
  })

  test('has no 26th key', async () => {
    expect(await refuse(keys(26))).toEqual(['metadata: too_many, limit 25, actual 26'])
  })

  test.each(['x', '😀', '\ud800'])('has keys of up to 1024 characters such as %j', async (character) => {
    const metadata = { [character.repeat(1024)]: 'a' }
    expect(await send(metadata)).toEqual({ metadata })
  })

  test.each(['x', '😀', '\ud800'])('has no key of 1025 characters such as %j', async (character) => {
    const key = character.repeat(1025)
    expect(await refuse({ [key]: 'a' })).toEqual([`metadata.${key}: too_long, limit 1024, actual 1025`])
  })

  test('has values of any kind that JSON has', async () => {
    const metadata = { text: 'a', number: 1.5, flag: false, nothing: null, list: [1, ['a']], object: { a: { b: 1 } } }
    expect(await send(metadata)).toEqual({ metadata })
  })

  test.each([
    ['a function', () => 1],
    ['a big integer', 1n],
    ['a symbol', Symbol('a')],
    ['a Map', new Map([['a', 1]])],
  ])('has no value that JSON cannot carry, such as %s', async (_, value) => {
    expect(await refuse({ a: value, b: { c: value } })).toEqual([
      expect.stringMatching(/^metadata\.a: invalid_type/),
      expect.stringMatching(/^metadata\.b(\.c)?: invalid_type/),
    ])
  })

  test.each([[undefined], [Number.NaN], [Number.POSITIVE_INFINITY]])(
    'has no value that JSON drops: %s',
    async (value) => {
      expect(await refuse({ a: value, b: [value] })).toHaveLength(2)
    },
  )

  test('counts a value that is no text as long as its JSON', async () => {
    const list = (length: number) => ({ a: ['x'.repeat(length - 4)] })
    expect(await send(list(1024))).toEqual({ metadata: list(1024) })
    expect(await refuse(list(1025))).toEqual(['metadata.a: too_long, limit 1024, actual 1025'])
  })

  test('tells of keys, values and their number at once', async () => {
    const long = 'x'.repeat(1025)
    expect(await refuse({ ...keys(24), [long]: 'a', b: long })).toEqual([
      'metadata.b: too_long, limit 1024, actual 1025',
      'metadata: too_many, limit 25, actual 26',
      `metadata.${long}: too_long, limit 1024, actual 1025`,
    ])
  })
})

test.each(['metadata', 'data'])('a key named __proto__ in %s does not slip through', async (field) => {
  const given: unknown = JSON.parse(`{"${field}":{"__proto__":{"a":"b"}}}`)
  expect(await problems('client.identities.updateProfile', '200', '100', 'p7', given)).toHaveLength(1)
})
