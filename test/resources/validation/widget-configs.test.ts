import { describe, expect, test } from 'vitest'
import { problems, sentBody } from './refusal'

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
const place = 'surfaces.widget_top.components.title.fields.text'

const SURFACES = ['widget_top', 'widget_bottom', 'add_widget_preview', 'mini_profile', 'activity_accessory']
const LAYOUTS = `activity_accessory_stat add_widget_preview_contained add_widget_preview_hero
  mini_profile_contained_stat mini_profile_hero_stat widget_bottom_collection widget_bottom_progress
  widget_bottom_stats widget_top_contained widget_top_hero`.split(/\s+/)

const plain = { layout: 'widget_top_hero', components: {} }

// Interface, "Widget Config".
describe('surfaces', () => {
  test('may be none, and all there are', async () => {
    expect(await sentBody(...update({}))).toEqual({ surfaces: {} })
    const all = Object.fromEntries(SURFACES.map((key) => [key, { layout: 'widget_top_hero', components: {} }]))
    expect(await sentBody(...update(all))).toEqual({ surfaces: all })
  })

  test('may have keys that the document does not name, since a call may have returned them', async () => {
    const all = Object.fromEntries(['hologram', 'Widget_top', '', 'toString'].map((key) => [key, plain]))
    expect(await sentBody(...update(all))).toEqual({ surfaces: all })
  })

  test('do not have the key __proto__', async () => {
    const surfaces: unknown = JSON.parse(`{"__proto__": ${JSON.stringify(plain)}}`)
    expect(await problems(...update(surfaces))).toEqual(['surfaces.__proto__: invalid_type'])
  })

  test('report everything that is wrong below each key', async () => {
    const given = await problems(...update({ hologram: {}, widget_top: { layout: 7 }, mini_profile: null }))
    expect(given.sort()).toEqual(
      [
        'surfaces.hologram.layout: required',
        'surfaces.hologram.components: required',
        'surfaces.widget_top.layout: invalid_type, actual 7',
        'surfaces.widget_top.components: required',
        'surfaces.mini_profile: invalid_type, actual null',
      ].sort(),
    )
  })

  test.each([...LAYOUTS, 'layout_of_tomorrow'])('may have the layout %s', async (layout) => {
    expect(await sentBody(...update(surface({ fields: {} }, layout)))).toEqual({
      surfaces: surface({ fields: {} }, layout),
    })
  })
})

describe('a field', () => {
  test.each(['data', 'custom_string', 'application_asset', 'application_localized_string', 'source_of_tomorrow'])(
    'comes from %s',
    async (type) => {
      const surfaces = inField(field({ value_type: type }))
      expect(await sentBody(...update(surfaces))).toEqual({ surfaces })
    },
  )

  test.each(['image', 'number', 'text', 'duration', 'form_of_tomorrow'])('is shown as %s', async (type) => {
    const surfaces = inField(field({ presentation_type: type }))
    expect(await sentBody(...update(surfaces))).toEqual({ surfaces })
  })

  test('has a fallback with a fallback, and so on', async () => {
    let nested: Record<string, unknown> = field()
    for (let depth = 0; depth < 20; depth++) nested = field({ fallback: nested })
    expect(await sentBody(...update(inField(nested)))).toEqual({ surfaces: inField(nested) })
  })

  test('is checked as deep as it goes', async () => {
    const deepest = { value_type: 7, presentation_type: null, value: 5, fallback: null, extra: 1 }
    const given = await problems(...update(inField(field({ fallback: field({ fallback: deepest }) }))))
    expect(given.sort()).toEqual(
      [
        `${place}.fallback.fallback.extra: unknown_field`,
        `${place}.fallback.fallback.fallback: invalid_type, actual null`,
        `${place}.fallback.fallback.presentation_type: invalid_type, actual null`,
        `${place}.fallback.fallback.value: invalid_type, actual 5`,
        `${place}.fallback.fallback.value_type: invalid_type, actual 7`,
      ].sort(),
    )
  })

  test('that is its own fallback is refused, not followed for ever', async () => {
    const endless: Record<string, unknown> = field()
    endless.fallback = endless
    expect(await problems(...update(inField(endless)))).toEqual([': too_deep'])
  })

  test('leaves out a fallback that is undefined', async () => {
    expect(await sentBody(...update(inField(field({ fallback: undefined }))))).toEqual({ surfaces: inField(field()) })
  })
})

test.each([
  ['a component without fields', surface({}), 'surfaces.widget_top.components.title.fields: required'],
  ['a component that is null', surface(null), 'surfaces.widget_top.components.title: invalid_type, actual null'],
  [
    'fields that are a list',
    surface({ fields: [field()] }),
    'surfaces.widget_top.components.title.fields: invalid_type',
  ],
  [
    'fields that are a Map',
    surface({ fields: new Map() }),
    'surfaces.widget_top.components.title.fields: invalid_type',
  ],
  ['a field that is null', inField(null), `${place}: invalid_type, actual null`],
  ['a field without a value', inField({ value_type: 'data', presentation_type: 'text' }), `${place}.value: required`],
  [
    'a component with more',
    surface({ fields: {}, extra: 1 }),
    'surfaces.widget_top.components.title.extra: unknown_field',
  ],
])('%s is refused', async (_, surfaces, problem) => {
  expect(await problems(...update(surfaces))).toEqual([problem])
})

test('a component or a field by the name of __proto__ is refused', async () => {
  const surfaces: unknown = JSON.parse('{"widget_top":{"layout":"widget_top_hero","components":{"__proto__":{"a":1}}}}')
  expect(await problems(...update(surfaces))).toEqual(['surfaces.widget_top.components.__proto__: invalid_type'])
})
