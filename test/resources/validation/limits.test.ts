import { describe, expect, test } from 'vitest'
import { issuesOf, sentBody, validationErrorOf } from './param-table'

interface Limit {
  readonly call: string
  readonly path?: readonly string[]
  /** Returns parameters with `text` in the limited field. */
  readonly params: (text: string) => unknown
  /** The path of the limited field. */
  readonly field: string
  readonly min?: number
  readonly max: number
}

const surfaces = {}
const profile = ['200', '100', 'p7']
const inImage = (url: string) => ({ data: { primary: { featured_played_character_image: { url } } } })
const inDynamic = (url: string) => ({ data: { dynamic: [{ name: 'a', type: 3, value: { url } }] } })

// API, "Limits".
const LIMITS: readonly Limit[] = [
  {
    call: 'client.auth.login',
    params: (password) => ({ login: 'ada@example.test', password }),
    field: 'password',
    min: 8,
    max: 72,
  },
  {
    call: 'client.auth.register',
    params: (password) => ({ username: 'ada', password }),
    field: 'password',
    min: 8,
    max: 72,
  },
  { call: 'client.auth.validatePassword', params: (password) => ({ password }), field: 'password', min: 8, max: 72 },
  {
    call: 'client.auth.resetPassword',
    params: (password) => ({ token: 'reset', password }),
    field: 'password',
    min: 8,
    max: 72,
  },
  {
    call: 'client.relationships.update',
    path: ['101'],
    params: (nickname) => ({ nickname }),
    field: 'nickname',
    min: 1,
    max: 32,
  },
  {
    call: 'client.relationships.sendRequest',
    params: (note) => ({ username: 'grace', discriminator: null, note }),
    field: 'note',
    max: 120,
  },
  { call: 'client.relationships.create', path: ['101'], params: (note) => ({ note }), field: 'note', max: 120 },
  {
    call: 'client.widgetConfigs.create',
    path: ['200'],
    params: (name) => ({ display_name: name, surfaces }),
    field: 'display_name',
    max: 100,
  },
  {
    call: 'client.widgetConfigs.update',
    path: ['200', '500'],
    params: (name) => ({ display_name: name, surfaces }),
    field: 'display_name',
    max: 100,
  },
  {
    call: 'client.identities.updateProfile',
    path: profile,
    params: (username) => ({ username }),
    field: 'username',
    max: 1024,
  },
  {
    call: 'client.identities.updateProfile',
    path: profile,
    params: (text) => ({ metadata: { level: text } }),
    field: 'metadata.level',
    max: 1024,
  },
  {
    call: 'client.identities.updateProfile',
    path: profile,
    params: inImage,
    field: 'data.primary.featured_played_character_image.url',
    max: 2048,
  },
  {
    call: 'client.identities.updateProfile',
    path: profile,
    params: inDynamic,
    field: 'data.dynamic.0.value.url',
    max: 2048,
  },
]

// One character each, although some have two UTF-16 units or are a lone surrogate.
const CHARACTERS = ['x', 'é', '漢', '😀', '\u0301', '\ud800', '\udc00']

describe.each(LIMITS)('$field of $call', ({ call, path = [], params, field, min = 0, max }) => {
  test.each(CHARACTERS)(`accepts ${min} to ${max} characters: %j`, async (character) => {
    for (const length of [min, max]) {
      const value = params(character.repeat(length))
      expect(await sentBody(call, ...path, value)).toEqual(value)
    }
  })

  test.each(CHARACTERS)(`rejects more than ${max} characters and reports their number: %j`, async (character) => {
    const value = params(character.repeat(max + 1))
    expect(await issuesOf(call, ...path, value)).toEqual([`${field}: too_long, limit ${max}, actual ${max + 1}`])
    const { message } = await validationErrorOf(call, ...path, value)
    expect(message).toContain(`${max + 1} characters, at most ${max}`)
  })
})

const withMin = LIMITS.filter(({ min = 0 }) => min > 0)

test.each(withMin)(
  '$call rejects fewer than $min characters in $field',
  async ({ call, path = [], params, ...limit }) => {
    const { field, min = 0 } = limit
    const value = params('😀'.repeat(min - 1))
    expect(await issuesOf(call, ...path, value)).toEqual([`${field}: too_short, limit ${min}, actual ${min - 1}`])
  },
)

test('revertAccount() accepts a password of any length', async () => {
  for (const password of ['', 'x', 'x'.repeat(73), '😀'.repeat(5000)]) {
    const value = { token: 'revert', password }
    expect(await sentBody('client.auth.revertAccount', value)).toEqual(value)
  }
})

test('a length limit counts the code points of a character separately', async () => {
  const family = '👨‍👩‍👧'
  const value = { nickname: family.repeat(7) }
  expect(await issuesOf('client.relationships.update', '101', value)).toEqual([
    'nickname: too_long, limit 32, actual 35',
  ])
})

const ids = (count: number): string[] => Array.from({ length: count }, (_, index) => String(index + 1))
const keys = (count: number): Record<string, string> => Object.fromEntries(ids(count).map((id) => [`key ${id}`, id]))

// API, "Limits": 1-64 hashes, 1-100 IDs.
describe.each([
  ['client.auth.sessions.logout', 'session_id_hashes', 64],
  ['client.identities.listBulk', 'user_ids', 100],
])('%s', (call, field, max) => {
  test(`${call} accepts 1 to ${max} ${field}`, async () => {
    for (const count of [1, max]) {
      expect(await sentBody(call, { [field]: ids(count) })).toEqual({ [field]: ids(count) })
    }
  })

  test(`${call} rejects an empty array of ${field}`, async () => {
    expect(await issuesOf(call, { [field]: [] })).toEqual([`${field}: too_few, limit 1, actual 0`])
  })

  test(`${call} rejects more than ${max} ${field} and reports invalid items too`, async () => {
    const value = { [field]: [5, null, ...ids(max), undefined] }
    expect(await issuesOf(call, value)).toEqual([
      `${field}.0: invalid_type, actual 5`,
      `${field}.1: invalid_type, actual null`,
      `${field}.${max + 2}: required`,
      `${field}: too_many, limit ${max}, actual ${max + 3}`,
    ])
  })
})

test('addBulk() accepts any number of users, because the API document gives no limit', async () => {
  for (const count of [0, 1000]) {
    const value = { user_ids: ids(count), token: 'contact-sync' }
    expect(await sentBody('client.relationships.addBulk', value)).toEqual(value)
  }
})

describe('the limits of profile metadata', () => {
  const update = 'client.identities.updateProfile'
  const profile = ['200', '100', 'p7']
  const send = (metadata: unknown) => sentBody(update, ...profile, { metadata })
  const reject = (metadata: unknown) => issuesOf(update, ...profile, { metadata })

  test('allow up to 25 keys', async () => {
    expect(await send({})).toEqual({ metadata: {} })
    expect(await send(keys(25))).toEqual({ metadata: keys(25) })
  })

  test('reject 26 keys', async () => {
    expect(await reject(keys(26))).toEqual(['metadata: too_many, limit 25, actual 26'])
  })

  test.each(['x', '😀', '\ud800'])('allow up to 1024 characters of a key: %j', async (character) => {
    const metadata = { [character.repeat(1024)]: 'a' }
    expect(await send(metadata)).toEqual({ metadata })
  })

  test.each(['x', '😀', '\ud800'])('reject 1025 characters of a key: %j', async (character) => {
    const key = character.repeat(1025)
    expect(await reject({ [key]: 'a' })).toEqual([`metadata.${key}: too_long, limit 1024, actual 1025`])
  })

  test('allow any JSON value', async () => {
    const metadata = { text: 'a', number: 1.5, flag: false, nothing: null, list: [1, ['a']], object: { a: { b: 1 } } }
    expect(await send(metadata)).toEqual({ metadata })
  })

  test.each([
    ['a function', () => 1],
    ['a big integer', 1n],
    ['a symbol', Symbol('a')],
    ['a Map', new Map([['a', 1]])],
  ])('reject %s, which JSON cannot represent', async (_, value) => {
    expect(await reject({ a: value, b: { c: value } })).toEqual([
      expect.stringMatching(/^metadata\.a: invalid_type/),
      expect.stringMatching(/^metadata\.b(\.c)?: invalid_type/),
    ])
  })

  test.each([[undefined], [Number.NaN], [Number.POSITIVE_INFINITY]])('reject %s, which JSON drops', async (value) => {
    expect(await reject({ a: value, b: [value] })).toHaveLength(2)
  })

  test('count the length of a value that is not a string as that of its JSON', async () => {
    const arrayOf = (length: number) => ({ a: ['x'.repeat(length - 4)] })
    expect(await send(arrayOf(1024))).toEqual({ metadata: arrayOf(1024) })
    expect(await reject(arrayOf(1025))).toEqual(['metadata.a: too_long, limit 1024, actual 1025'])
  })

  test('report invalid keys, values and their number at once', async () => {
    const long = 'x'.repeat(1025)
    expect(await reject({ ...keys(24), [long]: 'a', b: long })).toEqual([
      'metadata.b: too_long, limit 1024, actual 1025',
      'metadata: too_many, limit 25, actual 26',
      `metadata.${long}: too_long, limit 1024, actual 1025`,
    ])
  })
})

test.each(['metadata', 'data'])('a __proto__ key in %s is rejected', async (field) => {
  const value: unknown = JSON.parse(`{"${field}":{"__proto__":{"a":"b"}}}`)
  expect(await issuesOf('client.identities.updateProfile', '200', '100', 'p7', value)).toHaveLength(1)
})
