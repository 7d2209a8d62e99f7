import { HOME, type Place } from './places'
import { anyId, buttonOf, mediaOf, optionsOf, smallest, type TypeValue, textOf, type Wire } from './wire'

/** A limit as the document states it, typed from it by hand. */
export interface DocumentLimit {
  readonly of: string
  /** The component that has it, complete but for the field. */
  readonly base: () => Wire
  readonly field: readonly (string | number)[]
  readonly kind: 'text' | 'list' | 'number'
  readonly min?: number
  readonly max: number
  readonly place: Place
  /** Where the limit is of a text with a fixed start, or of a list: what fills it. */
  readonly start?: string
  readonly item?: (index: number) => unknown
  readonly isNullable?: true
}

type Rest = Partial<Pick<DocumentLimit, 'min' | 'start' | 'item' | 'isNullable' | 'place'>> & { more?: Wire }
type Kind = DocumentLimit['kind']

function limit(of: string, type: TypeValue, field: string, kind: Kind, max: number, rest: Rest = {}): DocumentLimit {
  const { more = {}, ...facts } = rest
  const path = field.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key))
  const base = () => {
    const entries = Object.entries({ ...smallest[type](), ...structuredClone(more) })
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
  }
  return { of, base, field: path, kind, max, place: HOME[type] ?? 'top of a message', ...facts }
}

const option = (index: number) => ({ label: `Option ${index}`, value: `o${index}` })
const file = 'attachment://'
const url = 'https://example.test/'

// "Common component fields": custom_id 1-100 characters; and "Limits": custom_id.
const customIds = ([2, 3, 4, 5, 6, 7, 8, 19, 21, 22, 23] as const).map((type) =>
  limit(`type ${type}`, type, 'custom_id', 'text', 100, { min: 1 }),
)

// "String Select (type 3)" and "User Select (5), …": placeholder max 150, min_values and max_values max 25.
const selects = ([3, 5, 6, 7, 8] as const).flatMap((type) => [
  limit(`select ${type}`, type, 'placeholder', 'text', 150),
  limit(`select ${type}`, type, 'min_values', 'number', 25, {
    more: { max_values: 25, ...(type === 3 ? { options: optionsOf(25) } : {}) },
  }),
  limit(`select ${type}`, type, 'max_values', 'number', 25),
])

// "User Select (5), …": default_values max 25.
const kinds = { 5: 'user', 6: 'role', 7: 'user', 8: 'channel' } as const
const defaults = ([5, 6, 7, 8] as const).map((type) =>
  limit(`select ${type}`, type, 'default_values', 'list', 25, {
    more: { max_values: 25 },
    item: (index) => ({ id: String(100 + index), type: kinds[type] }),
  }),
)

// "Radio Group (21), Checkbox Group (22), Checkbox (23)": options 2-10; value 1-100, label and description max 100.
const groups = ([21, 22] as const).flatMap((type) => [
  limit(`group ${type}`, type, 'options', 'list', 10, { min: 2, item: option }),
  limit(`group ${type}`, type, 'options.1.value', 'text', 100, { min: 1 }),
  limit(`group ${type}`, type, 'options.1.label', 'text', 100),
  limit(`group ${type}`, type, 'options.1.description', 'text', 100),
])

/** Every limit of a component. Interface, "Limits", and the tables of the types. */
export const DOCUMENT_LIMITS: readonly DocumentLimit[] = [
  ...customIds,
  limit('action row', 1, 'components', 'list', 5, { item: () => buttonOf() }),
  limit('button', 2, 'label', 'text', 80),
  limit('link button', 2, 'url', 'text', 512, { start: url, more: { style: 5, custom_id: undefined } }),
  limit('string select', 3, 'options', 'list', 25, { item: option }),
  limit('string select', 3, 'options.0.label', 'text', 100),
  limit('string select', 3, 'options.0.value', 'text', 100, { min: 1 }),
  limit('string select', 3, 'options.0.description', 'text', 100),
  ...selects,
  ...defaults,
  limit('text input', 4, 'label', 'text', 45, { place: 'row of a modal' }),
  limit('text input', 4, 'min_length', 'number', 4000),
  limit('text input', 4, 'max_length', 'number', 4000, { min: 1 }),
  limit('text input', 4, 'value', 'text', 4000),
  limit('text input', 4, 'placeholder', 'text', 100),
  limit('section', 9, 'components', 'list', 3, { min: 1, item: () => textOf('A text') }),
  limit('text display', 10, 'content', 'text', 4000, { min: 1 }),
  limit('thumbnail', 11, 'description', 'text', 1024, { isNullable: true }),
  limit('thumbnail', 11, 'media.url', 'text', 2048, { start: url }),
  limit('media gallery', 12, 'items', 'list', 10, { min: 1, item: () => ({ media: mediaOf() }) }),
  limit('media gallery', 12, 'items.0.description', 'text', 1024, { isNullable: true }),
  limit('media gallery', 12, 'items.0.media.url', 'text', 2048, { start: url }),
  limit('file', 13, 'file.url', 'text', 2048, { start: file }),
  limit('container', 17, 'components', 'list', 10, { min: 1, item: () => textOf('A text') }),
  limit('label', 18, 'label', 'text', 45),
  limit('label', 18, 'description', 'text', 100),
  limit('file upload', 19, 'min_values', 'number', 10),
  limit('file upload', 19, 'max_values', 'number', 10),
  ...groups,
  limit('checkbox group', 22, 'min_values', 'number', 10, { more: { options: optionsOf(10), max_values: 10 } }),
  limit('checkbox group', 22, 'max_values', 'number', 10, { min: 1, more: { options: optionsOf(10) } }),
]

/** A value of a limit's field that is as long, as many or as large as `size`. */
export function filled({ kind, start = '', item = anyId }: DocumentLimit, size: number, unit = 'x'): unknown {
  if (kind === 'number') return size
  if (kind === 'list') return Array.from({ length: size }, (_, index) => item(index))
  return start + unit.repeat(Math.max(0, size - start.length))
}
