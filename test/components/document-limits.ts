import {
  buttonOf,
  DEFAULT_PLACE,
  mediaOf,
  minimal,
  optionsOf,
  type Place,
  type PlainObject,
  type TypeValue,
  textOf,
  typeName,
  uniqueId,
} from './json-components'

/** A limit of the API, copied from it by hand. */
export interface DocumentLimit {
  /** The field and its component, for test titles. */
  readonly name: string
  /** Creates a valid component that the field can be set in. */
  readonly base: () => PlainObject
  readonly field: readonly (string | number)[]
  readonly kind: 'string' | 'array' | 'number'
  readonly min?: number
  readonly max: number
  readonly place: Place
  /** Fixed start of a string. */
  readonly start?: string
  /** Creates an item of an array. */
  readonly item?: (index: number) => unknown
  readonly isNullable?: true
}

type Options = Partial<Pick<DocumentLimit, 'min' | 'start' | 'item' | 'isNullable' | 'place'>> & { more?: PlainObject }
type Kind = DocumentLimit['kind']

function limit(type: TypeValue, field: string, kind: Kind, max: number, options: Options = {}): DocumentLimit {
  const { more = {}, ...others } = options
  const path = field.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key))
  const base = () => {
    const entries = Object.entries({ ...minimal[type](), ...structuredClone(more) })
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
  }
  return {
    name: `${field} of ${typeName(type)}`,
    base,
    field: path,
    kind,
    max,
    place: DEFAULT_PLACE[type] ?? 'top level of a message',
    ...others,
  }
}

const option = (index: number): PlainObject => ({ label: `Option ${index}`, value: `o${index}` })
const attachmentStart = 'attachment://'
const urlStart = 'https://example.test/'

// "Common component fields": custom_id 1-100 characters; and "Limits": custom_id.
const customIds = ([2, 3, 4, 5, 6, 7, 8, 19, 21, 22, 23] as const).map((type) =>
  limit(type, 'custom_id', 'string', 100, { min: 1 }),
)

// "String Select (type 3)" and "User Select (5), …": placeholder max 150, min_values and max_values max 25.
const selects = ([3, 5, 6, 7, 8] as const).flatMap((type) => [
  limit(type, 'placeholder', 'string', 150),
  limit(type, 'min_values', 'number', 25, {
    more: { max_values: 25, ...(type === 3 ? { options: optionsOf(25) } : {}) },
  }),
  limit(type, 'max_values', 'number', 25),
])

// "User Select (5), …": default_values max 25.
const kinds = { 5: 'user', 6: 'role', 7: 'user', 8: 'channel' } as const
const defaults = ([5, 6, 7, 8] as const).map((type) =>
  limit(type, 'default_values', 'array', 25, {
    more: { max_values: 25 },
    item: (index) => ({ id: String(100 + index), type: kinds[type] }),
  }),
)

// "Radio Group (21), Checkbox Group (22), Checkbox (23)": options 2-10; value 1-100, label and description max 100.
const groups = ([21, 22] as const).flatMap((type) => [
  limit(type, 'options', 'array', 10, { min: 2, item: option }),
  limit(type, 'options.1.value', 'string', 100, { min: 1 }),
  limit(type, 'options.1.label', 'string', 100),
  limit(type, 'options.1.description', 'string', 100),
])

/** Limits of all component fields. API, "Limits", and the tables of the types. */
export const DOCUMENT_LIMITS: readonly DocumentLimit[] = [
  ...customIds,
  limit(1, 'components', 'array', 5, { item: () => buttonOf() }),
  limit(2, 'label', 'string', 80),
  limit(2, 'url', 'string', 512, { start: urlStart, more: { style: 5, custom_id: undefined } }),
  limit(3, 'options', 'array', 25, { item: option }),
  limit(3, 'options.0.label', 'string', 100),
  limit(3, 'options.0.value', 'string', 100, { min: 1 }),
  limit(3, 'options.0.description', 'string', 100),
  ...selects,
  ...defaults,
  limit(4, 'label', 'string', 45, { place: 'row of a modal' }),
  limit(4, 'min_length', 'number', 4000),
  limit(4, 'max_length', 'number', 4000, { min: 1 }),
  limit(4, 'value', 'string', 4000),
  limit(4, 'placeholder', 'string', 100),
  limit(9, 'components', 'array', 3, { min: 1, item: () => textOf('A text') }),
  limit(10, 'content', 'string', 4000, { min: 1 }),
  limit(11, 'description', 'string', 1024, { isNullable: true }),
  limit(11, 'media.url', 'string', 2048, { start: urlStart }),
  limit(12, 'items', 'array', 10, { min: 1, item: () => ({ media: mediaOf() }) }),
  limit(12, 'items.0.description', 'string', 1024, { isNullable: true }),
  limit(12, 'items.0.media.url', 'string', 2048, { start: urlStart }),
  limit(13, 'file.url', 'string', 2048, { start: attachmentStart }),
  limit(17, 'components', 'array', 10, { min: 1, item: () => textOf('A text') }),
  limit(18, 'label', 'string', 45),
  limit(18, 'description', 'string', 100),
  limit(19, 'min_values', 'number', 10),
  limit(19, 'max_values', 'number', 10),
  ...groups,
  limit(22, 'min_values', 'number', 10, { more: { options: optionsOf(10), max_values: 10 } }),
  limit(22, 'max_values', 'number', 10, { min: 1, more: { options: optionsOf(10) } }),
]

/** Returns a string or array of length `size`, or the number `size`. */
export function valueOfSize({ kind, start = '', item = uniqueId }: DocumentLimit, size: number, unit = 'x'): unknown {
  if (kind === 'number') return size
  if (kind === 'array') return Array.from({ length: size }, (_, index) => item(index))
  return start + unit.repeat(Math.max(0, size - start.length))
}
