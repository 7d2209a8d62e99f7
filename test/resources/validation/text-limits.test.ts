import { describe, expect, test } from 'vitest'
import { problems, refusal, sentBody } from './refusal'

interface Limit {
  readonly call: string
  readonly path?: readonly string[]
  /** Puts a text where the limit is. */
  readonly params: (text: string) => unknown
  /** Where that is. */
  readonly place: string
  readonly min?: number
  readonly max: number
}

const surfaces = {}
const profile = ['200', '100', 'p7']
const inImage = (url: string) => ({ data: { primary: { featured_played_character_image: { url } } } })
const inDynamic = (url: string) => ({ data: { dynamic: [{ name: 'a', type: 3, value: { url } }] } })

// Interface, "Limits".
const LIMITS: readonly Limit[] = [
  {
    call: 'client.auth.login',
    params: (password) => ({ login: 'ada@example.test', password }),
    place: 'password',
    min: 8,
    max: 72,
  },
  {
    call: 'client.auth.register',
    params: (password) => ({ username: 'ada', password }),
    place: 'password',
    min: 8,
    max: 72,
  },
  { call: 'client.auth.validatePassword', params: (password) => ({ password }), place: 'password', min: 8, max: 72 },
  {
    call: 'client.auth.resetPassword',
    params: (password) => ({ token: 'reset', password }),
    place: 'password',
    min: 8,
    max: 72,
  },
  {
    call: 'client.relationships.update',
    path: ['101'],
    params: (nickname) => ({ nickname }),
    place: 'nickname',
    min: 1,
    max: 32,
  },
  {
    call: 'client.relationships.sendRequest',
    params: (note) => ({ username: 'grace', discriminator: null, note }),
    place: 'note',
    max: 120,
  },
  { call: 'client.relationships.create', path: ['101'], params: (note) => ({ note }), place: 'note', max: 120 },
  {
    call: 'client.widgetConfigs.create',
    path: ['200'],
    params: (name) => ({ display_name: name, surfaces }),
    place: 'display_name',
    max: 100,
  },
  {
    call: 'client.widgetConfigs.update',
    path: ['200', '500'],
    params: (name) => ({ display_name: name, surfaces }),
    place: 'display_name',
    max: 100,
  },
  {
    call: 'client.identities.updateProfile',
    path: profile,
    params: (username) => ({ username }),
    place: 'username',
    max: 1024,
  },
  {
    call: 'client.identities.updateProfile',
    path: profile,
    params: (text) => ({ metadata: { level: text } }),
    place: 'metadata.level',
    max: 1024,
  },
  {
    call: 'client.identities.updateProfile',
    path: profile,
    params: inImage,
    place: 'data.primary.featured_played_character_image.url',
    max: 2048,
  },
  {
    call: 'client.identities.updateProfile',
    path: profile,
    params: inDynamic,
    place: 'data.dynamic.0.value.url',
    max: 2048,
  },
]

// One character each, though more than one UTF-16 unit or a broken one.
const ALPHABETS = ['x', 'é', '漢', '😀', '\u0301', '\ud800', '\udc00']

describe.each(LIMITS)('$place of $call', ({ call, path = [], params, place, min = 0, max }) => {
  test.each(ALPHABETS)(`holds ${min} to ${max} characters such as %j`, async (character) => {
    for (const length of [min, max]) {
      const given = params(character.repeat(length))
      expect(await sentBody(call, ...path, given)).toEqual(given)
    }
  })

  test.each(ALPHABETS)('holds no more characters such as %j, and tells how many were given', async (character) => {
    const given = params(character.repeat(max + 1))
    expect(await problems(call, ...path, given)).toEqual([`${place}: too_long, limit ${max}, actual ${max + 1}`])
    const { message } = await refusal(call, ...path, given)
    expect(message).toContain(`${max + 1} characters, at most ${max}`)
  })
})

const withMin = LIMITS.filter(({ min = 0 }) => min > 0)

test.each(withMin)(
  '$place of $call holds no fewer characters than $min',
  async ({ call, path = [], params, ...limit }) => {
    const { place, min = 0 } = limit
    const given = params('😀'.repeat(min - 1))
    expect(await problems(call, ...path, given)).toEqual([`${place}: too_short, limit ${min}, actual ${min - 1}`])
  },
)

test('the password of a reverted account has no bounds', async () => {
  for (const password of ['', 'x', 'x'.repeat(73), '😀'.repeat(5000)]) {
    const given = { token: 'revert', password }
    expect(await sentBody('client.auth.revertAccount', given)).toEqual(given)
  }
})

test('a character made of several code points counts each of them', async () => {
  const family = '👨‍👩‍👧'
  const given = { nickname: family.repeat(7) }
  expect(await problems('client.relationships.update', '101', given)).toEqual([
    'nickname: too_long, limit 32, actual 35',
  ])
})
