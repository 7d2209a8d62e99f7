/** A component or a part of one as JSON has it: right or wrong. */
export type Wire = Record<string, unknown>

/** The bit of `flags`; its value is a convention, for the document names the flag alone. */
export const V2 = 32768

let counter = 0
/** Another `custom_id` each time: they are unique in a message. */
export const anyId = (): string => `id-${++counter}`

export const textOf = (content: string): Wire => ({ type: 10, content })
export const buttonOf = (more: Wire = {}): Wire => ({ type: 2, style: 1, custom_id: anyId(), label: 'Go', ...more })
export const rowOf = (...components: unknown[]): Wire => ({ type: 1, components })
export const mediaOf = (url = 'https://example.test/a.png'): Wire => ({ url })
export const optionsOf = (count: number): Wire[] =>
  Array.from({ length: count }, (_, index) => ({ label: `Option ${index}`, value: `o${index}` }))
export const sectionOf = (...components: unknown[]): Wire => ({ type: 9, components, accessory: buttonOf() })
export const containerOf = (...components: unknown[]): Wire => ({ type: 17, components })
export const labelOf = (component: unknown): Wire => ({ type: 18, label: 'A field', component })
export const inputOf = (more: Wire = {}): Wire => ({ type: 4, style: 1, custom_id: anyId(), ...more })
export const selectOf = (more: Wire = {}): Wire => ({ type: 3, custom_id: anyId(), options: optionsOf(1), ...more })

export const messageOf = (...components: unknown[]): Wire => ({ flags: V2, components })
export const legacyOf = (...components: unknown[]): Wire => ({ components })
export const modalOf = (...components: unknown[]): Wire => ({ custom_id: 'modal', title: 'A modal', components })

/** The types of the document, by value. Interface, "Component Type". */
export const TYPES = {
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

export type TypeValue = keyof typeof TYPES

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

/** The least that a component of each type needs; a row and a label hold what fits both messages and modals, if anything does. */
export const smallest: Readonly<Record<TypeValue, () => Wire>> = {
  1: () => rowOf(buttonOf()),
  2: () => ({ type: 2, style: 1, custom_id: anyId() }),
  3: () => selectOf(),
  4: () => inputOf(),
  5: () => ({ type: 5, custom_id: anyId() }),
  6: () => ({ type: 6, custom_id: anyId() }),
  7: () => ({ type: 7, custom_id: anyId() }),
  8: () => ({ type: 8, custom_id: anyId() }),
  9: () => sectionOf(textOf('A text')),
  10: () => textOf('A text'),
  11: () => ({ type: 11, media: mediaOf() }),
  12: () => ({ type: 12, items: [{ media: mediaOf() }] }),
  13: () => ({ type: 13, file: mediaOf('attachment://a.txt') }),
  14: () => ({ type: 14 }),
  16: () => ({ type: 16, content_inventory_entry: ENTRY }),
  17: () => containerOf(textOf('A text')),
  18: () => labelOf(inputOf()),
  19: () => ({ type: 19, custom_id: anyId() }),
  20: () => ({ type: 20, checkpoint_data: CARD }),
  21: () => ({ type: 21, custom_id: anyId(), options: optionsOf(2) }),
  22: () => ({ type: 22, custom_id: anyId(), options: optionsOf(2) }),
  23: () => ({ type: 23, custom_id: anyId() }),
}

/** The values of all types. */
export const TYPE_VALUES = Object.keys(TYPES).map(Number) as TypeValue[]
