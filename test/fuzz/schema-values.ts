import fc from 'fast-check'
import { type Definition, keywordsOf, type Schema } from '../../src/contract/schema'
import { anyJson, anyText } from './arbitraries'

/** Whether a value contains an integer beyond 2^53, which schemas of responses accept, or a key `__proto__`. */
function isOutsideJsonSchema(value: unknown): boolean {
  if (typeof value === 'number') return Math.abs(value) > Number.MAX_SAFE_INTEGER
  if (typeof value !== 'object' || value === null) return false
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(isOutsideJsonSchema)
}

/** JSON values that JSON Schema and the contract should agree on. */
const json = anyJson.filter((value) => !isOutsideJsonSchema(value))

/** Strings in the formats of the contract, and almost in them. */
const formatted = fc.constantFrom(
  ...[
    '2001-12-31',
    '2024-02-29',
    '2023-02-29',
    '2001-12-31T00:00:00Z',
    '2001-13-01',
    '+15550100',
    '+05550100',
    '15550100',
    '2000-02-29',
    '1900-02-29',
    '0000-02-29',
    '2001-04-31',
    '2001-00-10',
    '2001-12-00',
    '+1',
    '+123456789012345',
    '+1234567890123456',
    '+15550100\n',
  ],
  ...['ada', '\ud83d', '\ud83d\ude00'],
)

/** Maximum depth of generated values; schemas may contain themselves. */
const MAX_DEPTH = 7

/** Returns values that a schema accepts, except that they may violate its rules. */
export function valuesOf(schema: Schema<unknown>, depth = 0): fc.Arbitrary<unknown> {
  const { kind, of, more } = schema as Definition
  const inner = (one: Schema<unknown>) => valuesOf(one, depth + 1)
  switch (kind) {
    case 'unknown':
      return json
    case 'string':
      return anyText
    case 'boolean':
      return fc.boolean()
    case 'number':
      return fc.double({ noNaN: true, min: -1e9, max: 1e9 })
    case 'integer':
      return fc.oneof(fc.integer({ min: -5, max: 5 }), fc.maxSafeInteger())
    case 'enum':
      return fc.constantFrom(...of)
    case 'optional':
      return inner(of)
    case 'nullable':
      return fc.option(inner(of))
    case 'array':
      return fc.array(inner(of), { maxLength: 3 })
    case 'union':
      return fc.oneof(...of.map(inner))
    case 'object': {
      const fields = Object.entries(of)
      const required = fields.filter(([, field]) => field.kind !== 'optional').map(([name]) => name)
      const used = depth < MAX_DEPTH ? fields : fields.filter(([name]) => required.includes(name))
      const known = fc.record(Object.fromEntries(used.map(([name, field]) => [name, inner(field)])), {
        requiredKeys: required,
      })
      if (more === null || depth >= MAX_DEPTH) return known
      const keys = anyText.filter((key) => key !== '__proto__')
      return fc
        .tuple(fc.dictionary(keys, inner(more), { maxKeys: 2 }), known)
        .map(([others, own]) => ({ ...others, ...own }))
    }
    case 'rule':
      return fc.oneof(inner(of), ...withinBounds(of, keywordsOf(of, more.keywords), inner))
  }
}

/** Returns values at and around the bounds of a rule. Lengths of strings are in code points. */
function withinBounds(
  schema: Schema<unknown>,
  { minLength = 0, maxLength, minItems = 0, maxItems, minimum, maximum }: Readonly<Record<string, unknown>>,
  inner: (schema: Schema<unknown>) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown>[] {
  const { kind, of } = schema as Definition
  if (kind === 'integer') return [fc.integer({ min: Number(minimum) - 1, max: Number(maximum) + 1 })]
  if (kind === 'array') {
    return [sizes(minItems, maxItems).chain((size) => fc.array(inner(of), { minLength: size, maxLength: size }))]
  }
  if (kind !== 'string') return []
  if (maxLength === undefined) return [formatted, formatted]
  const characters = fc.constantFrom('x', '\ud83d\ude00', '\ud83d')
  return [fc.tuple(characters, sizes(minLength, maxLength)).map(([character, size]) => character.repeat(size))]
}

function sizes(min: unknown, max: unknown): fc.Arbitrary<number> {
  const bounds = [Number(min) - 1, Number(min), Number(max), Number(max) + 1]
  return fc.constantFrom(...bounds.filter((size) => size >= 0))
}

/** Changes a nested value: replaces it, removes it, or adds a field next to it. */
export interface Change {
  readonly at: number
  readonly kind: 'replace' | 'remove' | 'add'
  readonly value: unknown
}

/** Returns up to three changes with these values. */
function changesWith(value: fc.Arbitrary<unknown>): fc.Arbitrary<readonly Change[]> {
  const kind = fc.constantFrom<Change['kind']>('replace', 'remove', 'add')
  return fc.array(fc.record({ at: fc.nat(), kind, value }), { maxLength: 3 })
}

/** Changes that make a valid value invalid, or almost: an imprecise check would accept what is almost valid. */
export const jsonChanges = changesWith(
  fc.oneof(json, { weight: 3, arbitrary: fc.constantFrom(null, 1.5, -1, 0, 2, 3, '', '1', [], {}, true) }),
)

/** Changes to values that JSON does not have. */
export const otherChanges = changesWith(
  fc.constantFrom(
    ...[undefined, Number.NaN, Number.POSITIVE_INFINITY, -0, 2 ** 53, 10n, new Date(0), new Map(), /x/, Object(5)],
  ),
)

/** Returns the paths of a value and of all nested values. */
function pathsOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  const parts = typeof value === 'object' && value !== null ? Object.entries(value) : []
  return [path, ...parts.flatMap(([key, part]) => pathsOf(part, [...path, key]))]
}

/** Returns a copy of a value with a change applied. */
export function applyChange(value: unknown, { at, kind, value: replacement }: Change): unknown {
  const paths = pathsOf(value)
  const path = paths[at % paths.length] ?? []
  const [last] = path.slice(-1)
  if (last === undefined) return kind === 'replace' ? replacement : value
  const copy = structuredClone(value)
  const parent = path.slice(0, -1).reduce<unknown>((part, key) => Object(part)[key], copy)
  if (kind === 'add' && !Array.isArray(parent)) Object(parent).added_later = replacement
  else if (kind === 'remove' && !Array.isArray(parent)) delete Object(parent)[last]
  else Object(parent)[last] = replacement
  return copy
}
