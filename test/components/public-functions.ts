import {
  assignIds,
  countComponents,
  disableAll,
  findByCustomId,
  findById,
  fromJSON,
  mapComponents,
  parseComponents,
  replaceByCustomId,
  replaceById,
  textLength,
  toSendable,
  validateComponent,
  validateMessage,
  validateModal,
  walk,
} from 'rapport-sdk/components'

type Source = Parameters<typeof walk>[0]
const replacement = { type: 2, style: 6, sku_id: '1' } as const

/** Public functions that read or edit components, by name. */
export const READERS: readonly (readonly [name: string, read: (value: unknown) => unknown])[] = [
  ['walk', (value) => [...walk(value as Source)]],
  ['countComponents', (value) => countComponents(value as Source)],
  ['textLength', (value) => textLength(value as Source)],
  ['findById', (value) => findById(value as Source, 12345)],
  ['findByCustomId', (value) => findByCustomId(value as Source, 'nobody')],
  ['replaceByCustomId', (value) => replaceByCustomId(value as Source, 'a', replacement)],
  ['fromJSON', (value) => fromJSON(value as never)],
  ['replaceById', (value) => replaceById(value as Source, 12345, replacement)],
  ['mapComponents', (value) => mapComponents(value as Source, (component) => component)],
  ['disableAll', (value) => disableAll(value as Source)],
  ['assignIds', (value) => assignIds(value as Source)],
  ['toSendable', (value) => toSendable(value as Source)],
  ['parseComponents', (value) => parseComponents(value)],
]

/** Public validators, by name. */
export const VALIDATORS = [
  ['validateMessage', validateMessage],
  ['validateModal', validateModal],
  ['validateComponent', validateComponent],
] as const
