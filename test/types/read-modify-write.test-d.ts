import type {
  Client,
  CreateWidgetConfigParams,
  DynamicData,
  GameWidget,
  GameWidgetInput,
  Immutable,
  PartialUserApplicationProfile,
  ProfileData,
  ProfileDataInput,
  ReplaceWidgetsParams,
  UpdateWidgetConfigParams,
  UserApplicationProfile,
  WidgetConfig,
  WidgetSurface,
} from 'rapport-sdk'
import { describe, expectTypeOf, test } from 'vitest'

declare const client: Client
declare const widgets: GameWidget[]
declare const config: WidgetConfig
declare const profile: UserApplicationProfile

describe('a returned value', () => {
  test('returned widgets can be sent again', () => {
    client.widgets.replace({ widgets })
    client.widgets.replace({ widgets: widgets.slice(1) })
    client.widgets.replace({ widgets: [...widgets, { data: { type: 'played_games', games: [{ game_id: '1' }] } }] })
    client.widgets.replace({ widgets: widgets.map(({ updated_at: _, ...widget }) => widget) })
    client.widgets.replace({ widgets: widgets.map((widget) => ({ ...widget, data: { ...widget.data, games: [] } })) })
    expectTypeOf<GameWidget>().toExtend<ReplaceWidgetsParams['widgets'][number]>()
    expectTypeOf<Immutable<GameWidget>>().toExtend<ReplaceWidgetsParams['widgets'][number]>()
    expectTypeOf<readonly GameWidget[]>().toExtend<ReplaceWidgetsParams['widgets']>()
  })

  test('returned widget configs and their surfaces can be sent again', () => {
    client.widgetConfigs.update('1', '2', config)
    client.widgetConfigs.update('1', '2', { surfaces: config.surfaces })
    client.widgetConfigs.create('1', { display_name: config.display_name, surfaces: config.surfaces })
    const surfaces = { ...config.surfaces, mini_profile: { layout: 'mini_profile_hero_stat', components: {} } } as const
    client.widgetConfigs.update('1', '2', { surfaces })
    expectTypeOf<WidgetConfig>().toExtend<UpdateWidgetConfigParams>()
    expectTypeOf<WidgetConfig['surfaces']>().toExtend<CreateWidgetConfigParams['surfaces']>()
    expectTypeOf<Immutable<WidgetSurface>>().toExtend<NonNullable<UpdateWidgetConfigParams['surfaces']['widget_top']>>()
  })

  test('returned profile data can be sent again', () => {
    if (profile.data) client.identities.updateProfile('1', '2', '3', { data: profile.data })
    const dynamic = profile.data?.dynamic ?? []
    client.identities.updateProfile('1', '2', '3', { data: { dynamic: dynamic.filter(({ type }) => type !== 3) } })
    expectTypeOf<ProfileData>().toExtend<ProfileDataInput>()
    expectTypeOf<Immutable<ProfileData>>().toExtend<ProfileDataInput>()
    expectTypeOf<PartialUserApplicationProfile['data']>().toExtend<ProfileDataInput | undefined>()
    expectTypeOf<DynamicData[]>().toExtend<NonNullable<ProfileDataInput['dynamic']>>()
  })
})

describe('a new value', () => {
  test('a new widget accepts only documented types and tags', () => {
    expectTypeOf<{ data: { type: 'lost_games' } }>().not.toExtend<ReplaceWidgetsParams['widgets'][number]>()
    expectTypeOf<{ data: { type: 'application' } }>().toExtend<ReplaceWidgetsParams['widgets'][number]>()
    expectTypeOf<{ data: { type: 'played_games'; games: [{ game_id: '1'; tags: ['tired'] }] } }>().not.toExtend<
      ReplaceWidgetsParams['widgets'][number]
    >()
    expectTypeOf<GameWidget>().not.toExtend<GameWidgetInput>()
  })

  test('a new surface accepts only documented names', () => {
    expectTypeOf<keyof UpdateWidgetConfigParams['surfaces']>().toEqualTypeOf<
      keyof CreateWidgetConfigParams['surfaces']
    >()
    expectTypeOf<'hologram'>().not.toExtend<keyof UpdateWidgetConfigParams['surfaces']>()
  })

  test('a misspelt field of a new surface or of new profile data is refused', () => {
    const text = { value_type: 'data', presentation_type: 'text', value: 'a' } as const
    client.widgetConfigs.update('1', '2', {
      // @ts-expect-error: component
      surfaces: { widget_top: { layout: 'widget_top_hero', components: {}, component: {} } },
    })
    client.widgetConfigs.update('1', '2', {
      surfaces: {
        // @ts-expect-error: field
        widget_top: { layout: 'widget_top_hero', components: { a: { fields: { text }, field: {} } } },
      },
    })
    // @ts-expect-error: sesaon
    client.identities.updateProfile('1', '2', '3', { data: { primary: { sesaon: 'a' } } })
    client.identities.updateProfile('1', '2', '3', {
      // @ts-expect-error: unit
      data: { dynamic: [{ name: 'a', type: 1, value: 'a', unit: 'm' }] },
    })
  })
})
