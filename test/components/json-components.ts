/** A component or a part of one as JSON, valid or not. */
export type PlainObject = Record<string, unknown>

/** The flag IS_COMPONENTS_V2. The API document does not show its value; this one is a convention. */
export const V2 = 32768

let counter = 0
/** Returns a new `custom_id` on each call, because they are unique within a message. */
export const uniqueId = (): string => `id-${++counter}`

export const textOf = (content: string): PlainObject => ({ type: 10, content })
export const buttonOf = (more: PlainObject = {}): PlainObject => ({
  type: 2,
  style: 1,
  custom_id: uniqueId(),
  label: 'Go',
  ...more,
})
export const rowOf = (...components: unknown[]): PlainObject => ({ type: 1, components })
export const mediaOf = (url = 'https://example.test/a.png'): PlainObject => ({ url })
export const optionsOf = (count: number): PlainObject[] =>
  Array.from({ length: count }, (_, index) => ({ label: `Option ${index}`, value: `o${index}` }))
export const sectionOf = (...components: unknown[]): PlainObject => ({ type: 9, components, accessory: buttonOf() })
export const containerOf = (...components: unknown[]): PlainObject => ({ type: 17, components })
export const labelOf = (component: unknown): PlainObject => ({ type: 18, label: 'A field', component })
export const inputOf = (more: PlainObject = {}): PlainObject => ({ type: 4, style: 1, custom_id: uniqueId(), ...more })
export const selectOf = (more: PlainObject = {}): PlainObject => ({
  type: 3,
  custom_id: uniqueId(),
  options: optionsOf(1),
  ...more,
})

export const messageOf = (...components: unknown[]): PlainObject => ({ flags: V2, components })
export const legacyOf = (...components: unknown[]): PlainObject => ({ components })
export const modalOf = (...components: unknown[]): PlainObject => ({ custom_id: 'modal', title: 'A modal', components })

/** Names of the component types, by value. API, "Component Type". */
export const TYPE_NAMES = {
  1: 'action row',
  2: 'button',
  3: 'string select',
  4: 'text input',
  5: 'user select',
  6: 'role select',
  7: 'mentionable select',
  8: 'channel select',
  9: 'section',
  10: 'text display',
  11: 'thumbnail',
  12: 'media gallery',
  13: 'file',
  14: 'separator',
  16: 'content inventory entry',
  17: 'container',
  18: 'label',
  19: 'file upload',
  20: 'checkpoint card',
  21: 'radio group',
  22: 'checkbox group',
  23: 'checkbox',
} as const

export type TypeValue = keyof typeof TYPE_NAMES

/** Returns the name of a type with its article, for test titles: `an action row`. */
export const typeName = (type: TypeValue): string => (type === 1 ? `an ${TYPE_NAMES[type]}` : `a ${TYPE_NAMES[type]}`)

const ENTRY = {
  id: '1',
  author_id: '2',
  author_type: 1,
  content_type: 1,
  traits: [{ type: 1, first_time: true }],
  extra: { type: 'played_game_extra', game_name: 'A game', platform: 0 },
  signature: { signature: 'abc', kid: 'key', version: 1 },
}
const CARD = {
  version: 1,
  card_id: 3,
  power_level: 0.5,
  power_level_percentile: 0.9,
  num_messages_sent: 10,
  total_voice_minutes: 1.5,
  num_emojis_sent: 2,
}

/** Components with only the required fields. Rows and labels have children that are valid in messages and modals, if there are any. */
export const minimal: Readonly<Record<TypeValue, () => PlainObject>> = {
  1: () => rowOf(buttonOf()),
  2: () => ({ type: 2, style: 1, custom_id: uniqueId() }),
  3: () => selectOf(),
  4: () => inputOf(),
  5: () => ({ type: 5, custom_id: uniqueId() }),
  6: () => ({ type: 6, custom_id: uniqueId() }),
  7: () => ({ type: 7, custom_id: uniqueId() }),
  8: () => ({ type: 8, custom_id: uniqueId() }),
  9: () => sectionOf(textOf('A text')),
  10: () => textOf('A text'),
  11: () => ({ type: 11, media: mediaOf() }),
  12: () => ({ type: 12, items: [{ media: mediaOf() }] }),
  13: () => ({ type: 13, file: mediaOf('attachment://a.txt') }),
  14: () => ({ type: 14 }),
  16: () => ({ type: 16, content_inventory_entry: ENTRY }),
  17: () => containerOf(textOf('A text')),
  18: () => labelOf(inputOf()),
  19: () => ({ type: 19, custom_id: uniqueId() }),
  20: () => ({ type: 20, checkpoint_data: CARD }),
  21: () => ({ type: 21, custom_id: uniqueId(), options: optionsOf(2) }),
  22: () => ({ type: 22, custom_id: uniqueId(), options: optionsOf(2) }),
  23: () => ({ type: 23, custom_id: uniqueId() }),
}

/** Values of all types. */
export const TYPE_VALUES = Object.keys(TYPE_NAMES).map(Number) as TypeValue[]

/** The fields of each type that can be sent, except `type` and `id`. Interface, the sections of the types. */
export const FIELDS: Readonly<Partial<Record<TypeValue, string>>> = {
  1: 'components',
  2: 'style label emoji custom_id sku_id url disabled',
  3: 'custom_id options placeholder min_values max_values required disabled',
  4: 'custom_id style label min_length max_length required value placeholder',
  5: 'custom_id placeholder default_values min_values max_values required disabled',
  6: 'custom_id placeholder default_values min_values max_values required disabled',
  7: 'custom_id placeholder default_values min_values max_values required disabled',
  8: 'custom_id placeholder default_values min_values max_values required disabled channel_types',
  9: 'components accessory',
  10: 'content',
  11: 'media description spoiler',
  12: 'items',
  13: 'file spoiler',
  14: 'divider spacing',
  17: 'components accent_color spoiler',
  18: 'label description component',
  19: 'custom_id min_values max_values required',
  21: 'custom_id options required',
  22: 'custom_id options min_values max_values required',
  23: 'custom_id default',
}

/** A message or modal to validate, and the path of the component under test in it. */
export interface PlacedComponent {
  readonly as: 'message' | 'modal'
  readonly value: PlainObject
  readonly at: readonly (string | number)[]
}

const inMessage = (value: PlainObject, ...at: (string | number)[]): PlacedComponent => ({ as: 'message', value, at })
const inModal = (value: PlainObject, ...at: (string | number)[]): PlacedComponent => ({ as: 'modal', value, at })

/** Functions that put a component into a message or modal, whether it is allowed there or not. */
export const PLACES = {
  'top level of a message': (component: unknown) => inMessage(messageOf(component), 'components', 0),
  'top level of a legacy message': (component: unknown) => inMessage(legacyOf(component), 'components', 0),
  'top level of a modal': (component: unknown) => inModal(modalOf(component), 'components', 0),
  'row of a message': (component: unknown) => inMessage(messageOf(rowOf(component)), 'components', 0, 'components', 0),
  'row of a legacy message': (component: unknown) =>
    inMessage(legacyOf(rowOf(component)), 'components', 0, 'components', 0),
  'row of a modal': (component: unknown) => inModal(modalOf(rowOf(component)), 'components', 0, 'components', 0),
  'row of a container': (component: unknown) =>
    inMessage(messageOf(containerOf(rowOf(component))), 'components', 0, 'components', 0, 'components', 0),
  'texts of a section': (component: unknown) =>
    inMessage(
      messageOf({ type: 9, components: [component], accessory: buttonOf() }),
      ...['components', 0, 'components', 0],
    ),
  'accessory of a section': (accessory: unknown) =>
    inMessage(messageOf({ type: 9, components: [textOf('A text')], accessory }), 'components', 0, 'accessory'),
  container: (component: unknown) => inMessage(messageOf(containerOf(component)), 'components', 0, 'components', 0),
  label: (component: unknown) => inModal(modalOf(labelOf(component)), 'components', 0, 'component'),
} as const satisfies Record<string, (component: unknown) => PlacedComponent>

export type Place = keyof typeof PLACES

/** Returns a place with its article, for test titles: `the top level of a message`. */
export const placeName = (place: Place): string =>
  /^(?:top|texts|accessory)/.test(place) ? `the ${place}` : `a ${place}`

/** A valid place for each type that can be sent. API, "Component Type" and the placement of each. */
export const DEFAULT_PLACE: Readonly<Record<number, Place>> = {
  1: 'top level of a message',
  2: 'row of a message',
  3: 'row of a message',
  4: 'label',
  5: 'row of a message',
  6: 'row of a message',
  7: 'row of a message',
  8: 'row of a message',
  9: 'top level of a message',
  10: 'top level of a modal',
  11: 'accessory of a section',
  12: 'top level of a message',
  13: 'top level of a message',
  14: 'top level of a message',
  17: 'top level of a message',
  18: 'top level of a modal',
  19: 'label',
  21: 'label',
  22: 'label',
  23: 'label',
}

/** Puts a component where its type is allowed. */
export function placeCorrectly(component: PlainObject): PlacedComponent {
  const place = DEFAULT_PLACE[Number(component.type)]
  if (place === undefined) throw new Error(`type ${component.type} is not allowed anywhere`)
  return PLACES[place](component)
}

/** Returns a copy with a value set at a path. */
export function copyWith(base: PlainObject, path: readonly (string | number)[], value: unknown): PlainObject {
  const copy = structuredClone(base)
  let owner: unknown = copy
  for (const key of path.slice(0, -1)) owner = Reflect.get(Object(owner), key)
  Reflect.set(Object(owner), path.at(-1) ?? '', value)
  return copy
}

/** Returns a copy without the field at a path. */
export function copyWithout(base: PlainObject, path: readonly (string | number)[]): PlainObject {
  const copy = structuredClone(base)
  let owner: unknown = copy
  for (const key of path.slice(0, -1)) owner = Reflect.get(Object(owner), key)
  Reflect.deleteProperty(Object(owner), path.at(-1) ?? '')
  return copy
}

/** Media with every field that the service adds. API, "Unfurled Media Item". */
export const receivedMedia = (name: string): PlainObject => ({
  url: `https://cdn.example.test/${name}`,
  id: '900',
  proxy_url: `https://media.example.test/${name}`,
  height: 100,
  width: null,
  flags: 0,
  content_type: 'image/png',
  content_scan_metadata: { version: 1, flags: 0 },
  placeholder_version: 1,
  placeholder: 'hash',
  loading_state: 2,
  attachment_id: '901',
})

/** A received message with 17 components, at least one of each type that a message may have. */
export function receivedMessage(): PlainObject & { components: PlainObject[] } {
  return {
    id: '700',
    flags: V2,
    content: '',
    components: [
      {
        type: 17,
        id: 1,
        accent_color: 0x3366ff,
        spoiler: false,
        components: [
          { type: 10, id: 2, content: '## Title' },
          {
            type: 9,
            id: 3,
            components: [
              { type: 10, id: 4, content: 'One' },
              { type: 10, id: 5, content: '😀😀' },
            ],
            accessory: { type: 11, id: 6, media: receivedMedia('a.png'), description: null, spoiler: false },
          },
          { type: 12, id: 7, items: [{ media: receivedMedia('b.png'), description: 'B', spoiler: true }] },
          { type: 14, id: 8, spacing: 2, divider: true },
          { type: 13, id: 9, file: receivedMedia('c.txt'), name: 'c.txt', size: 12, spoiler: false },
        ],
      },
      {
        type: 9,
        id: 10,
        components: [{ type: 10, id: 11, content: 'Three' }],
        accessory: { type: 2, id: 12, style: 1, custom_id: 'accessory', label: 'Go' },
      },
      {
        type: 1,
        id: 13,
        components: [
          { type: 2, id: 14, style: 5, url: 'https://example.test', label: 'Notes' },
          { type: 2, id: 15, style: 6, sku_id: '1' },
        ],
      },
      {
        type: 1,
        id: 16,
        components: [
          { type: 3, id: 17, custom_id: 'select', options: [{ label: 'A', value: 'a' }], placeholder: 'Choose' },
        ],
      },
    ],
  }
}

/** Paths of its components; parents come before their children. */
export const RECEIVED_PATHS = [
  'components.0',
  'components.0.components.0',
  'components.0.components.1',
  'components.0.components.1.components.0',
  'components.0.components.1.components.1',
  'components.0.components.1.accessory',
  'components.0.components.2',
  'components.0.components.3',
  'components.0.components.4',
  'components.1',
  'components.1.components.0',
  'components.1.accessory',
  'components.2',
  'components.2.components.0',
  'components.2.components.1',
  'components.3',
  'components.3.components.0',
]

/** Components that the service sends and a client cannot send. */
export const UNSENDABLE = {
  entry: (): PlainObject => ({ type: 16, id: 50, content_inventory_entry: { id: '1', author_id: '2', traits: [] } }),
  card: (): PlainObject => ({ type: 20, id: 51, checkpoint_data: { version: 1, card_id: 1, power_level: 0.5 } }),
  tomorrow: (): PlainObject => ({
    type: 99,
    id: 52,
    components: [{ type: 98, secret: [1, 2] }],
    anything: { deep: true },
  }),
}
