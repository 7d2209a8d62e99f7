import { describe, expect, test } from 'vitest'
import { issuesOf, sentBody } from './param-table'

const update = (surfaces: unknown): [string, ...unknown[]] => [
  'client.widgetConfigs.update',
  '200',
  '500',
  { surfaces },
]
const surface = (component: unknown, layout: unknown = 'widget_top_hero') => ({
  widget_top: { layout, components: { title: component } },
})
const inField = (field: unknown) => surface({ fields: { text: field } })
const field = (rest: object = {}) => ({ value_type: 'data', presentation_type: 'text', value: 'rank', ...rest })
const FIELD_PATH = 'surfaces.widget_top.components.title.fields.text'

const SURFACES = ['widget_top', 'widget_bottom', 'add_widget_preview', 'mini_profile', 'activity_accessory']
const LAYOUTS = `activity_accessory_stat add_widget_preview_contained add_widget_preview_hero
  mini_profile_contained_stat mini_profile_hero_stat widget_bottom_collection widget_bottom_progress
  widget_bottom_stats widget_top_contained widget_top_hero`.split(/\s+/)

const emptySurface = { layout: 'widget_top_hero', components: {} }

// API, "Widget Config".
describe('the surfaces of a widget config', () => {
  test('can be empty or have all documented keys', async () => {
    expect(await sentBody(...update({}))).toEqual({ surfaces: {} })
    const all = Object.fromEntries(SURFACES.map((key) => [key, { layout: 'widget_top_hero', components: {} }]))
    expect(await sentBody(...update(all))).toEqual({ surfaces: all })
  })

  test('can have unknown keys, because a response may have them', async () => {
    const all = Object.fromEntries(['hologram', 'Widget_top', '', 'toString'].map((key) => [key, emptySurface]))
    expect(await sentBody(...update(all))).toEqual({ surfaces: all })
  })

  test('reject the key __proto__', async () => {
    const surfaces: unknown = JSON.parse(`{"__proto__": ${JSON.stringify(emptySurface)}}`)
    expect(await issuesOf(...update(surfaces))).toEqual(['surfaces.__proto__: invalid_type'])
  })

  test('report all problems of each key', async () => {
    const issues = await issuesOf(...update({ hologram: {}, widget_top: { layout: 7 }, mini_profile: null }))
    expect(issues.sort()).toEqual(
      [
        'surfaces.hologram.layout: required',
        'surfaces.hologram.components: required',
        'surfaces.widget_top.layout: invalid_type, actual 7',
        'surfaces.widget_top.components: required',
        'surfaces.mini_profile: invalid_type, actual null',
      ].sort(),
    )
  })

  test.each([...LAYOUTS, 'unknown_layout'])('can have the layout %s', async (layout) => {
    expect(await sentBody(...update(surface({ fields: {} }, layout)))).toEqual({
      surfaces: surface({ fields: {} }, layout),
    })
  })
})

describe('a field of a widget config', () => {
  test.each(['data', 'custom_string', 'application_asset', 'application_localized_string', 'unknown_source'])(
    'can have the value type %s',
    async (type) => {
      const surfaces = inField(field({ value_type: type }))
      expect(await sentBody(...update(surfaces))).toEqual({ surfaces })
    },
  )

  test.each(['image', 'number', 'text', 'duration', 'unknown_form'])(
    'can have the presentation type %s',
    async (type) => {
      const surfaces = inField(field({ presentation_type: type }))
      expect(await sentBody(...update(surfaces))).toEqual({ surfaces })
    },
  )

  test('can have nested fallbacks', async () => {
    let nested: Record<string, unknown> = field()
    for (let depth = 0; depth < 20; depth++) nested = field({ fallback: nested })
    expect(await sentBody(...update(inField(nested)))).toEqual({ surfaces: inField(nested) })
  })

  test('a nested fallback is validated', async () => {
    const deepest = { value_type: 7, presentation_type: null, value: 5, fallback: null }
    const issues = await issuesOf(...update(inField(field({ fallback: field({ fallback: deepest }) }))))
    expect(issues.sort()).toEqual(
      [
        `${FIELD_PATH}.fallback.fallback.fallback: invalid_type, actual null`,
        `${FIELD_PATH}.fallback.fallback.presentation_type: invalid_type, actual null`,
        `${FIELD_PATH}.fallback.fallback.value: invalid_type, actual 5`,
        `${FIELD_PATH}.fallback.fallback.value_type: invalid_type, actual 7`,
      ].sort(),
    )
  })

  test('a circular fallback is rejected as too deep', async () => {
    const circular: Record<string, unknown> = field()
    circular.fallback = circular
    expect(await issuesOf(...update(inField(circular)))).toEqual([': too_deep'])
  })

  test('an undefined fallback is not sent', async () => {
    expect(await sentBody(...update(inField(field({ fallback: undefined }))))).toEqual({ surfaces: inField(field()) })
  })
})

test.each([
  ['a component without fields', surface({}), 'surfaces.widget_top.components.title.fields: required'],
  ['a component that is null', surface(null), 'surfaces.widget_top.components.title: invalid_type, actual null'],
  [
    'fields that are an array',
    surface({ fields: [field()] }),
    'surfaces.widget_top.components.title.fields: invalid_type',
  ],
  [
    'fields that are a Map',
    surface({ fields: new Map() }),
    'surfaces.widget_top.components.title.fields: invalid_type',
  ],
  ['a field that is null', inField(null), `${FIELD_PATH}: invalid_type, actual null`],
  [
    'a field without a value',
    inField({ value_type: 'data', presentation_type: 'text' }),
    `${FIELD_PATH}.value: required`,
  ],
])('a widget config with %s is rejected', async (_, surfaces, problem) => {
  expect(await issuesOf(...update(surfaces))).toEqual([problem])
})

test('a component named __proto__ is rejected', async () => {
  const surfaces: unknown = JSON.parse('{"widget_top":{"layout":"widget_top_hero","components":{"__proto__":{"a":1}}}}')
  expect(await issuesOf(...update(surfaces))).toEqual(['surfaces.widget_top.components.__proto__: invalid_type'])
})
