import { Client, type GameWidget, isRequestValidationError, type WidgetConfig } from 'rapport-sdk'
import { createMockService, type MockServiceOptions } from 'rapport-sdk/mocks'
import { describe, expect, test } from 'vitest'
import { json, serve } from '../servers/http-server'

/** Returns a client that receives these responses and throws on a mismatch. */
async function clientFor(...bodies: readonly unknown[]) {
  const server = await serve(...bodies.map((body) => json(200, body)))
  const client = new Client({ baseUrl: server.url, token: 'ada', onResponseMismatch: 'throw' })
  return { client, server }
}

/** Returns a client of a mock service with an application of its user. */
function mockedClient(options: MockServiceOptions = {}) {
  const service = createMockService(options)
  const ada = service.users.create({ login: 'ada@example.test', password: 'correct horse' })
  const application = service.applications.create({ owner: ada })
  service.identities.create({ application, user: ada, externalUserId: 'p7' })
  const client = new Client({ baseUrl: service.baseUrl, fetch: service.fetch, token: service.token(ada) })
  return { ada, application, client, service }
}

const widget = (id: string, data: unknown, more: object = {}) => ({
  id,
  updated_at: '2026-05-01T10:00:00.000Z',
  data,
  ...more,
})
/** Widgets with types, tags and fields that this package does not know. */
const WIDGETS = [
  widget('401', {
    type: 'favorite_games',
    games: [{ game_id: '1001', comment: null, tags: ['obsessed', 'nostalgic'] }],
  }),
  widget('402', { type: 'application', application_id: '200', games: [] }),
  widget('403', { type: 'streamed_games', games: Array.from({ length: 50 }, (_, index) => ({ game_id: `${index}` })) }),
  widget('404', { type: 'current_games', games: [], colour: 'teal' }, { pinned: true }),
]

describe('returned widgets', () => {
  test('can be sent again, with unknown types, tags and fields', async () => {
    const { client, server } = await clientFor(WIDGETS, WIDGETS)
    const widgets = await client.widgets.replace({ widgets: [] })
    expect(await client.widgets.replace({ widgets })).toEqual(WIDGETS)
    expect(server.request(1).json()).toEqual({ widgets: WIDGETS })
  })

  test('can be sent again in part, in another order and with changes', async () => {
    const { client, server } = await clientFor(WIDGETS, [])
    const [favorite, , streamed] = await client.widgets.replace({ widgets: [] })
    if (favorite === undefined || streamed === undefined) throw new Error('there are too few widgets')
    const games = [...(streamed.data.games ?? []), { game_id: '51', tags: ['casual' as const] }]
    const { updated_at: _, ...rest } = favorite
    const changed = { ...streamed, data: { ...streamed.data, games } }
    await client.widgets.replace({ widgets: [changed, rest, { data: { type: 'played_games' } }] })
    expect(server.request(1).json()).toEqual({
      widgets: [
        { ...WIDGETS[2], data: { type: 'streamed_games', games: [...(streamed.data.games ?? []), games[50]] } },
        { id: '401', data: WIDGETS[0]?.data },
        { data: { type: 'played_games' } },
      ],
    })
  })

  test('can be sent to the mock again, including an application widget without games', async () => {
    const service = createMockService()
    const ada = service.users.create({ login: 'ada@example.test', password: 'correct horse' })
    const client = new Client({ baseUrl: service.baseUrl, fetch: service.fetch, token: service.token(ada) })
    const application = service.applications.create({ owner: ada })
    const first = await client.widgets.replace({
      widgets: [
        { data: { type: 'application', application_id: application.id, games: [] } },
        { data: { type: 'current_games', games: [{ game_id: '1001' }] } },
      ],
    })
    expect(await client.widgets.replace({ widgets: first })).toEqual(first)
    const later: GameWidget[] = [...first, { id: '403', updated_at: '', data: { type: 'streamed_games' } }]
    const [, , streamed] = await client.widgets.replace({ widgets: later })
    expect(streamed?.data).toEqual({ type: 'streamed_games' })
    await service.close()
  })

  test.each<[string, object, string]>([
    ['too many games', { type: 'favorite_games', games: [{ game_id: '1' }, { game_id: '2' }] }, 'at most 1'],
    ['two skills', { type: 'played_games', games: [{ game_id: '1', tags: ['noob', 'expert'] }] }, 'skill group'],
    ['a game on an application widget', { type: 'application', games: [{ game_id: '1' }] }, 'has no games'],
    ['an application on a games widget', { type: 'played_games', application_id: '1' }, 'has no application_id'],
    ['games of the wrong type', { type: 'streamed_games', games: '1001' }, 'expected an array'],
  ])('they are validated by the rules of their documented types: %s', async (_, data, problem) => {
    const { client, server } = await clientFor()
    const call = client.widgets.replace({ widgets: [widget('401', data) as GameWidget] })
    await expect(call).rejects.toSatisfy(isRequestValidationError)
    await expect(call).rejects.toThrow(problem)
    expect(server.requests).toEqual([])
  })

  test('a new widget must have a documented type', async () => {
    const { client, server } = await clientFor()
    const call = client.widgets.replace({ widgets: [{ data: { type: 'streamed_games', games: [] } } as never] })
    await expect(call).rejects.toThrow('widgets[0].data.type')
    expect(server.requests).toEqual([])
  })
})

/** A config with a surface, a layout and values that this package does not know. */
const CONFIG = {
  application_id: '200',
  config_id: '500',
  display_name: 'Season 4',
  surfaces: {
    widget_top: {
      layout: 'widget_top_parallax',
      components: {
        title: {
          fields: {
            text: {
              value_type: 'live_event',
              presentation_type: 'sparkline',
              value: 'rank',
              fallback: { value_type: 'custom_string', presentation_type: 'text', value: 'Unranked' },
            },
          },
        },
      },
    },
    lock_screen: { layout: 'lock_screen_stat', components: {} },
  },
  status: 'archived',
  resolved_assets: [{ id: '1', kind: 'image' }],
  published_at: null,
  updated_at: '2026-05-01T10:00:00.000Z',
}

describe('a returned widget config', () => {
  test('has surfaces that can be sent again, with unknown values', async () => {
    const { client, server } = await clientFor([CONFIG], CONFIG, CONFIG)
    const [config] = await client.widgetConfigs.list('200')
    if (config === undefined) throw new Error('there is no config')
    const { config_id, display_name, surfaces } = config
    await client.widgetConfigs.update('200', config_id, { surfaces })
    await client.widgetConfigs.update('200', config_id, {
      display_name,
      surfaces: { ...surfaces, mini_profile: { layout: 'mini_profile_hero_stat', components: {} } },
    })
    expect(server.request(1).json()).toEqual({ surfaces: CONFIG.surfaces })
    expect(server.request(2).json()).toEqual({
      display_name: 'Season 4',
      surfaces: { ...CONFIG.surfaces, mini_profile: { layout: 'mini_profile_hero_stat', components: {} } },
    })
  })

  test('can be passed to update(), which sends its name and surfaces', async () => {
    const { client, server } = await clientFor([CONFIG], CONFIG)
    const [config] = await client.widgetConfigs.list('200')
    if (config === undefined) throw new Error('there is no config')
    await client.widgetConfigs.update('200', config.config_id, config)
    expect(server.request(1).json()).toEqual({ display_name: 'Season 4', surfaces: CONFIG.surfaces })
  })

  test('can be copied to another application', async () => {
    const { client, server } = await clientFor({ configs: { 200: [CONFIG] } }, CONFIG)
    const { configs } = await client.widgetConfigs.developer()
    const [{ display_name, surfaces }] = configs['200'] as [WidgetConfig]
    await client.widgetConfigs.create('201', { display_name, surfaces })
    expect(server.request(1).json()).toEqual({ display_name, surfaces })
  })

  test('has surfaces that can be sent again with unknown fields, of the mock too', async () => {
    const field = { ...CONFIG.surfaces.widget_top.components.title.fields.text, later: 1 }
    const component = { fields: { text: { ...field, fallback: { ...field.fallback, later: [2] } } }, later: null }
    const surfaces = { widget_top: { layout: 'widget_top_hero', components: { title: component }, later: 'teal' } }
    const { client, server } = await clientFor([{ ...CONFIG, surfaces }], CONFIG)
    const [config] = await client.widgetConfigs.list('200')
    if (config === undefined) throw new Error('there is no config')
    await client.widgetConfigs.update('200', '500', { display_name: 'new', surfaces: config.surfaces })
    expect(server.request(1).json()).toEqual({ display_name: 'new', surfaces })
    const { application, client: mocked, service } = mockedClient({ strict: false })
    const { config_id } = await mocked.widgetConfigs.create(application.id, {
      display_name: 'a',
      surfaces: config.surfaces,
    })
    expect(await mocked.widgetConfigs.update(application.id, config_id, config)).toMatchObject({ surfaces })
    await service.close()
  })

  test('one of the mock can be sent again as a whole', async () => {
    const { application, client, service } = mockedClient({ strict: false })
    const surfaces = CONFIG.surfaces as WidgetConfig['surfaces']
    const { config_id } = await client.widgetConfigs.create(application.id, { display_name: 'a', surfaces })
    const [config] = await client.widgetConfigs.list(application.id)
    if (config === undefined) throw new Error('there is no config')
    const updated = await client.widgetConfigs.update(application.id, config_id, config)
    expect(updated).toMatchObject({ display_name: 'a', surfaces: CONFIG.surfaces })
    await service.close()
  })

  test.each<[string, object, string]>([
    ['a surface that is null', { widget_top: null }, 'surfaces.widget_top'],
    ['a layout that is not a string', { widget_top: { layout: 5, components: {} } }, 'surfaces.widget_top.layout'],
  ])('has surfaces that are validated: %s', async (_, surfaces, problem) => {
    const { client, server } = await clientFor()
    await expect(client.widgetConfigs.update('200', '500', { surfaces: surfaces as never })).rejects.toThrow(problem)
    expect(server.requests).toEqual([])
  })
})

const MEDIA = {
  url: 'https://cdn.example/hero.png',
  id: '900',
  proxy_url: 'https://media.example/hero.png',
  width: 100,
  height: null,
  loading_state: 9,
  unknown_field: [1],
}
const PROFILE = {
  username: 'Player',
  metadata: '{"guild":"Foxes"}',
  connection_visible: true,
  data: {
    primary: { season: 'Season 4', total_wins: 7, featured_played_character_image: MEDIA },
    dynamic: [
      { name: 'Motto', type: 1, value: 'Onwards' },
      { name: 'Streak', type: 2, value: 7 },
      { name: 'Badge', type: 3, value: MEDIA },
      { name: 'Pace', type: 4, value: 1.5 },
      { name: 'Clip', type: 5, value: MEDIA },
    ],
  },
}

describe('returned profile data', () => {
  test('can be sent again, with unknown types and only the URLs of media', async () => {
    const { client, server } = await clientFor(PROFILE, PROFILE)
    const { data } = await client.identities.getProfile('200', '100', 'p7')
    if (data === undefined) throw new Error('there are no data')
    await client.identities.updateProfile('200', '100', 'p7', { data })
    const [motto, streak, badge, pace, clip] = PROFILE.data.dynamic
    expect(server.request(1).json()).toEqual({
      data: {
        primary: { ...PROFILE.data.primary, featured_played_character_image: { url: MEDIA.url } },
        dynamic: [motto, streak, { ...badge, value: { url: MEDIA.url } }, pace, clip],
      },
    })
    // The value of the caller does not change.
    expect(data).toEqual(PROFILE.data)
  })

  test('can be sent again with unknown fields, of the mock too', async () => {
    const data = {
      primary: { season: 'Season 4', featured_played_character_image: { url: MEDIA.url }, later: 1 },
      dynamic: [{ name: 'Motto', type: 1, value: 'Onwards', later: 'teal' }],
      later: { by: 'the service' },
    }
    const { client, server } = await clientFor({ ...PROFILE, data }, PROFILE)
    const profile = await client.identities.getProfile('200', '100', 'p7')
    if (profile.data === undefined) throw new Error('there are no data')
    await client.identities.updateProfile('200', '100', 'p7', { data: profile.data })
    expect(server.request(1).json()).toEqual({ data })
    const { ada, application, client: mocked, service } = mockedClient()
    await mocked.identities.updateProfile(application.id, ada.id, 'p7', { data: profile.data })
    expect(await mocked.identities.getProfile(application.id, ada.id, 'p7')).toMatchObject({ data })
    await service.close()
  })

  test('those of a list of identities can be sent again', async () => {
    const { client, server } = await clientFor(
      { identities: [{ application_id: '200', provider_issued_user_id: 'p7', profile: PROFILE }] },
      PROFILE,
    )
    const { identities } = await client.identities.list('100', { with_profiles: true })
    const data = identities[0]?.profile?.data
    if (data === undefined) throw new Error('there are no data')
    await client.identities.updateProfile('200', '100', 'p7', {
      data: { ...data, dynamic: data.dynamic?.slice(3) ?? [] },
    })
    expect(server.request(1).json()).toMatchObject({ data: { dynamic: PROFILE.data.dynamic.slice(3) } })
  })

  test.each<[string, object]>([
    ['a text that is a number', { name: 'a', type: 1, value: 5 }],
    ['a fraction for an integer', { name: 'a', type: 2, value: 1.5 }],
    ['an image without a URL', { name: 'a', type: 3, value: { id: '900' } }],
    ['an unknown type without a value', { name: 'a', type: 4 }],
    ['an unknown type with a boolean', { name: 'a', type: 4, value: true }],
    ['a type that is not an integer', { name: 'a', type: 'TEXT', value: 'a' }],
  ])('they are validated: %s', async (_, dynamic) => {
    const { client, server } = await clientFor()
    const call = client.identities.updateProfile('200', '100', 'p7', { data: { dynamic: [dynamic as never] } })
    await expect(call).rejects.toSatisfy(isRequestValidationError)
    expect(server.requests).toEqual([])
  })
})
