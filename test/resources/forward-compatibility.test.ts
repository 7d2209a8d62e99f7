import { type Client, isResponseMismatchError } from 'rapport-sdk'
import { describe, expect, test } from 'vitest'
import { wireCases } from './wire/cases'
import { recordingClient } from './wire/wire-case'

/** Adds an unknown field to every object of a response. */
function addUnknownFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(addUnknownFields)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, field]) => [name, addUnknownFields(field)])
  return { ...Object.fromEntries(fields), unknown_field: { nested: [1, 'two', null] } }
}

// Maps, whose values all have one type: an unknown field in them would be an invalid value.
const MAPS = ['configs', 'components', 'fields', 'surfaces']

function removeFieldsFromMaps(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => removeFieldsFromMaps(item))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).filter(([field]) => field !== 'unknown_field' || !MAPS.includes(name))
  return Object.fromEntries(fields.map(([field, item]) => [field, removeFieldsFromMaps(item, field)]))
}

const unchanged = wireCases.filter((wire) => wire.response !== undefined && !('result' in wire))

test.each(unchanged)('$name returns unknown fields of the response', async ({ send, response }) => {
  const body = removeFieldsFromMaps(addUnknownFields(response))
  expect(JSON.stringify(body)).toContain('unknown_field')
  const { client } = recordingClient(body)
  expect(await send(client)).toStrictEqual(body)
})

const config = {
  application_id: '200',
  config_id: '500',
  display_name: 'Season 4',
  surfaces: {
    hologram: {
      layout: 'hologram_hero',
      components: { a: { fields: { b: { value_type: 'oracle', presentation_type: 'scent', value: 'x' } } } },
    },
  },
  status: 'archived',
  published_at: null,
  updated_at: '2026-05-01T10:00:00+00:00',
}
const media = { url: 'https://cdn.example/a.png', loading_state: 99, placeholder_version: 2 }
const profile = {
  username: null,
  metadata: null,
  data: { primary: { featured_played_character_image: media }, dynamic: [{ name: 'a', type: 99, value: media }] },
  connection_visible: true,
}
const settings = { locale: 'tlh', theme: 'midnight' }

// API, "Resources and their fields": a service may add values to each of its enumerations.
const UNKNOWN_VALUES: readonly (readonly [
  enumeration: string,
  send: (client: Client) => Promise<unknown>,
  body: unknown,
])[] = [
  [
    'theme and required actions',
    (client) => client.auth.finishPasswordlessLogin({ ticket: 't', credential: '{}' }),
    { user_id: '1', token: 't', user_settings: settings, required_actions: ['sing', 'update_password'] },
  ],
  ['password reset method', (client) => client.auth.forgotPassword({ login: 'a' }), { method: 'pigeon' }],
  [
    'widget type and tags',
    (client) => client.widgets.replace({ widgets: [] }),
    [{ id: '1', updated_at: 'now', data: { type: 'lost_games', games: [{ game_id: '2', tags: ['sleepy'] }] } }],
  ],
  ['surface, layout, value and presentation', (client) => client.widgetConfigs.list('200'), [config]],
  [
    'loading state and dynamic data type',
    (client) => client.identities.list('100'),
    { identities: [{ application_id: '200', provider_issued_user_id: 'p', profile }] },
  ],
  [
    'relationship type',
    (client) => client.relationships.list(),
    [{ id: '1', type: 99, user: { id: '1' }, nickname: null, user_ignored: false }],
  ],
  [
    'game relationship and DM access type',
    (client) => client.gameRelationships.list(),
    [{ id: '1', application_id: '2', type: 99, since: 'now', dm_access_type: 99, user_id: '3' }],
  ],
  [
    'suggestion reason type',
    (client) => client.friendSuggestions.list(),
    [{ suggested_user: { id: '1' }, reasons: [{ type: 99, platform: 'p', name: 'n' }] }],
  ],
]

test.each(UNKNOWN_VALUES)('an unknown value of %s is returned unchanged', async (_, send, body) => {
  const { client } = recordingClient(body)
  expect(await send(client)).toStrictEqual(body)
})

describe('a response that does not match the API', () => {
  const invalid = [{ id: 1, type: '1', user: {}, nickname: 5, user_ignored: 'no', since: null }]

  // API, "User Application Identity".
  test.each([
    [1, 5],
    [1, media],
    [2, 'five'],
    [2, 1.5],
    [3, 'https://cdn.example/a.png'],
  ])('dynamic data of type %i with the value %j are a mismatch', async (type, value) => {
    const { client } = recordingClient({ data: { dynamic: [{ name: 'a', type, value }] } })
    const error = await client.identities.getProfile('1', '2', '3').catch((reason: unknown) => reason)
    if (!isResponseMismatchError(error)) throw error
    expect(error.issues).toMatchObject([{ path: ['data', 'dynamic', 0, 'value'], code: 'invalid_type' }])
    expect(error.issues).not.toHaveProperty('0.actual')
  })

  test.each([
    [1, 'five'],
    [2, 5],
    [3, media],
    [4, 'five'],
    [4, 1.5],
    [4, media],
  ])('dynamic data of type %i may have the value %j', async (type, value) => {
    const data = { dynamic: [{ name: 'a', type, value }] }
    const { client } = recordingClient({ data })
    expect(await client.identities.getProfile('1', '2', '3')).toEqual({ data })
  })

  test('a mismatch that throws lists the invalid fields without their values', async () => {
    const { client } = recordingClient(invalid)
    const error = await client.relationships.list().catch((reason: unknown) => reason)
    if (!isResponseMismatchError(error)) throw error
    const paths = error.issues.map(({ path }) => path.join('.'))
    expect(paths.sort()).toEqual(['0.id', '0.nickname', '0.since', '0.type', '0.user.id', '0.user_ignored'])
    expect(error.issues.every(({ actual }) => actual === undefined)).toBe(true)
  })

  test('it is returned unchanged and reported once', async () => {
    const { client } = recordingClient(invalid, { onResponseMismatch: 'report' })
    const events: unknown[] = []
    client.on('responseMismatch', ({ endpoint, issues }) => events.push([endpoint, issues.length]))
    expect(await client.relationships.list()).toStrictEqual(invalid)
    expect(events).toEqual([['Get Relationships', 6]])
  })

  test('it is returned unchanged and emits no event if mismatches are ignored', async () => {
    const { client } = recordingClient(invalid, { onResponseMismatch: 'ignore' })
    const events: unknown[] = []
    client.on('responseMismatch', (event) => events.push(event))
    expect(await client.relationships.list()).toStrictEqual(invalid)
    expect(events).toEqual([])
  })
})
