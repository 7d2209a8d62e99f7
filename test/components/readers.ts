import {
  assignIds,
  countComponents,
  disableAll,
  findByCustomId,
  findById,
  parseComponents,
  replaceByCustomId,
  textLength,
  toSendable,
  validateComponent,
  validateMessage,
  validateModal,
  walk,
} from 'rapport-sdk/components'

type Source = Parameters<typeof walk>[0]
const another = { type: 2, style: 6, sku_id: '1' } as const

/** Each function that is given components of others, by its name. What it gives is not looked at here. */
export const READERS: readonly (readonly [name: string, read: (value: unknown) => unknown])[] = [
  ['walk', (value) => [...walk(value as Source)]],
  ['countComponents', (value) => countComponents(value as Source)],
  ['textLength', (value) => textLength(value as Source)],
  ['findById', (value) => findById(value as Source, 12345)],
  ['findByCustomId', (value) => findByCustomId(value as Source, 'nobody')],
  ['replaceByCustomId', (value) => replaceByCustomId(value as Source, 'a', another)],
  ['disableAll', (value) => disableAll(value as Source)],
  ['assignIds', (value) => assignIds(value as Source)],
  ['toSendable', (value) => toSendable(value as Source)],
  ['parseComponents', (value) => parseComponents(value)],
]

/** Each check, by its name. */
export const CHECKS = [
  ['validateMessage', validateMessage],
  ['validateModal', validateModal],
  ['validateComponent', validateComponent],
] as const
