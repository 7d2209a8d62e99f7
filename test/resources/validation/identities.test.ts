import { describe, expect, test } from 'vitest'
import { issuesOf, sentBody } from './param-table'

const call = 'client.identities.updateProfile'
const profile = ['200', '100', 'p7']
const send = (data: unknown) => sentBody(call, ...profile, { data })
const reject = (data: unknown) => issuesOf(call, ...profile, { data })

const STRING_FIELDS =
  'season rank_name highest_rank featured_played_character server_name user_id union_level data_bank_level'
const INTEGER_FIELDS = `total_wins current_period_wins total_games current_period_games total_kills current_period_kills
  total_assists current_period_assists total_deaths current_period_deaths total_resonators total_achievements
  total_echoes login_days`

// API, "User Application Identity".
describe('primary data', () => {
  test.each(STRING_FIELDS.split(' '))('accept only a string as %s', async (field) => {
    expect(await send({ primary: { [field]: '' } })).toEqual({ data: { primary: { [field]: '' } } })
    for (const value of [5, null, true]) {
      expect(await reject({ primary: { [field]: value } })).toEqual([
        `data.primary.${field}: invalid_type, actual ${value}`,
      ])
    }
  })

  test.each(INTEGER_FIELDS.split(/\s+/))('accept only an integer as %s', async (field) => {
    for (const value of [0, -1, Number.MAX_SAFE_INTEGER]) {
      expect(await send({ primary: { [field]: value } })).toEqual({ data: { primary: { [field]: value } } })
    }
    for (const value of [1.5, '1', null, Number.NaN]) {
      expect(await reject({ primary: { [field]: value } })).toHaveLength(1)
    }
  })

  test('accept any finite number as playtime_hours', async () => {
    expect(await send({ primary: { playtime_hours: 12.5 } })).toEqual({ data: { primary: { playtime_hours: 12.5 } } })
    for (const value of ['12.5', null, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(await reject({ primary: { playtime_hours: value } })).toHaveLength(1)
    }
  })

  test.each([['https://cdn.example/a.png'], ['attachment://a.png'], ['']])(
    'accept an image with the URL %j',
    async (url) => {
      const data = { primary: { featured_played_character_image: { url } } }
      expect(await send(data)).toEqual({ data })
    },
  )

  test.each([
    'id',
    'proxy_url',
    'height',
    'width',
    'flags',
    'content_type',
    'content_scan_metadata',
    'placeholder_version',
    'placeholder',
    'loading_state',
    'attachment_id',
  ])('an image is sent without %s, which only responses have', async (field) => {
    const image = { url: 'https://cdn.example/a.png', [field]: null }
    const dynamic = [{ name: 'a', type: 3, value: image }]
    expect(await send({ primary: { featured_played_character_image: image }, dynamic })).toEqual({
      data: {
        primary: { featured_played_character_image: { url: image.url } },
        dynamic: [{ name: 'a', type: 3, value: { url: image.url } }],
      },
    })
  })
})

const image = { url: 'attachment://a.png' }

test.each([
  [1, 'Onwards'],
  [2, 7],
  [3, image],
  [0, 'Onwards'],
  [4, 1.5],
  [4, { ...image, width: 5 }],
])('dynamic data of type %i accept the value %o', async (type, value) => {
  const dynamic = [{ name: 'a', type, value }]
  expect(await send({ dynamic })).toEqual({ data: { dynamic } })
})

test.each([
  [1, 7, 'value: invalid_type, actual 7'],
  [1, image, 'value: invalid_type'],
  [1, null, 'value: invalid_type, actual null'],
  [1, undefined, 'value: required'],
  [2, '7', 'value: invalid_type, actual "7"'],
  [2, 1.5, 'value: invalid_type, actual 1.5'],
  [2, image, 'value: invalid_type'],
  [2, undefined, 'value: required'],
  [3, 'attachment://a.png', 'value: invalid_type, actual "attachment://a.png"'],
  [3, {}, 'value.url: required'],
  [3, { url: 7 }, 'value.url: invalid_type, actual 7'],
  [3, undefined, 'value: required'],
  [4, true, 'value: invalid_type, actual true'],
  [4, { width: 5 }, 'value.url: required'],
  [4, undefined, 'value: required'],
  ['1', 'a', 'type: invalid_type, actual "1"'],
  [null, 'a', 'type: invalid_type, actual null'],
  [undefined, 'a', 'type: required'],
  ['toString', 'a', 'type: invalid_type, actual "toString"'],
])('dynamic data of type %o reject the value %o', async (type, value, problem) => {
  expect(await reject({ dynamic: [{ name: 'a', type, value }] })).toEqual([`data.dynamic.0.${problem}`])
})

test.each([1, 2, 3])('dynamic data of type %i without a value report one issue', async (type) => {
  expect(await reject({ dynamic: [{ name: 'a', type }] })).toEqual(['data.dynamic.0.value: required'])
})

test('dynamic data report all invalid items and fields at once', async () => {
  const dynamic = [{ name: 5, type: 2, value: 'x' }, null, {}, 'x', { type: 3, value: { url: null } }]
  expect((await reject({ dynamic, primary: { total_wins: 'x' } })).sort()).toEqual(
    [
      'data.dynamic.0.name: invalid_type, actual 5',
      'data.dynamic.0.value: invalid_type, actual "x"',
      'data.dynamic.1: invalid_type, actual null',
      'data.dynamic.2.name: required',
      'data.dynamic.2.type: required',
      'data.dynamic.2.value: required',
      'data.dynamic.3: invalid_type, actual "x"',
      'data.dynamic.4.name: required',
      'data.dynamic.4.value.url: invalid_type, actual null',
      'data.primary.total_wins: invalid_type, actual "x"',
    ].sort(),
  )
})

test.each([[null], [[]], ['x'], [new Map()], [new Date(0)]])('profile data reject %o', async (data) => {
  const issues = await reject(data)
  expect(issues).toHaveLength(1)
  expect(issues[0]).toMatch(/^data: invalid_type/)
  expect(await reject({ primary: data })).toEqual([expect.stringMatching(/^data\.primary: invalid_type/)])
})
