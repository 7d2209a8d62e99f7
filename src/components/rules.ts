import { type Bounds, checkLength, countCharacters, type Issue, type IssueCode } from '../internal/issue'
import { has, isObject, type PlainObject, unsafeCast } from './plain-object'
import { SPECS, specOf } from './registry'
import { type ComponentSpec, type Field, FORBIDDEN, NOWHERE, type Places } from './schema'

/** Maximum number of array items visited; guards against cyclic input. */
export const MAX_STEPS = 100_000
/** Maximum number of keys and indexes in a path; valid input has at most six. */
export const MAX_DEPTH = 20

/** Keys and indexes from the root to a value. */
export type Path = readonly (string | number)[]

/** State of one validation. */
export interface ValidationContext {
  /** Places where the root may be used. */
  places: Places
  readonly isUtf16: boolean
  /** Path to the current value: the first `depth` entries. */
  readonly path: (string | number)[]
  depth: number
  readonly issues: Issue[]
  /** Values that must be unique: every `id` (number) and `custom_id` (string). */
  readonly ids: Set<unknown>
  /** Contents of all text displays. */
  text: string
  /** Number of components visited. */
  count: number
  steps: number
}

/** Optional fields of an issue. */
interface IssueDetails {
  readonly actual?: unknown
  readonly limit?: number
}

/** Adds an issue; `path` is relative to the current value. */
export function fail(
  context: ValidationContext,
  code: IssueCode,
  message: string,
  path: Path = [],
  details?: IssueDetails,
): void {
  const at = [...context.path.slice(0, context.depth), ...path]
  context.issues.push({ path: at, code, message, ...details, severity: 'error' })
}

/** Adds an issue for a value of the wrong type. */
export function failWrongType(
  context: ValidationContext,
  kind: string,
  value: unknown,
  actualType = typeNameOf(value),
): void {
  const details = typeof value === 'object' ? {} : { actual: value }
  fail(context, 'invalid_type', `expected ${kind}, got ${actualType}`, [], details)
}

/** Adds an issue for a missing or unknown component `type`. */
function failComponentType(context: ValidationContext, actual: unknown): void {
  const code = actual === undefined ? 'required' : typeof actual === 'number' ? 'invalid_value' : 'invalid_type'
  fail(context, code, `expected a component type, got ${typeNameOf(actual)}`, ['type'], { actual })
}

/** Returns the type of a value, or a number itself. */
export function typeNameOf(value: unknown): string {
  return value === null
    ? 'null'
    : Array.isArray(value)
      ? 'array'
      : `${typeof value === 'number' ? value : typeof value}`
}

/** Adds an issue if a size is outside its limit. */
export function checkSize(context: ValidationContext, size: number, unit: string, limit: Bounds, path?: Path): void {
  for (const { code, message, ...details } of checkLength(size, unit, limit))
    fail(context, code, message, path, details)
}

/** Rule that spans fields of a component. Any of the fields may be invalid. */
type Rule = (component: PlainObject, context: ValidationContext, spec: ComponentSpec) => void

function checkActionRow({ components }: PlainObject, context: ValidationContext): void {
  if (!Array.isArray(components) || components.length < 2 || components.length > 5) return
  if (!components.every((component) => component?.type === 2))
    fail(context, 'conflict', 'only buttons can share a row', ['components'])
}

/** Adds an issue if the minimum exceeds the maximum, including defaults. */
function checkRange(component: PlainObject, context: ValidationContext, { fields, type }: ComponentSpec): void {
  const [low, high] = type === 4 ? ['min_length', 'max_length'] : ['min_values', 'max_values']
  const minField = fields.get(low)
  const maxField = fields.get(high)
  const min = component[low] ?? minField?.default ?? 0
  const max = component[high] ?? maxField?.default ?? Infinity
  if (!minField || !maxField || typeof min !== 'number' || typeof max !== 'number') return
  // Already reported: outside its own limit.
  if (min > minField.max || max < maxField.min) return
  if (max < 0) fail(context, 'conflict', `${max}, at least 0`, [high])
  else if (max < min) {
    fail(context, 'conflict', `minimum ${min} exceeds maximum ${max}`, [component[low] === undefined ? high : low])
  }
}

function addText({ content }: PlainObject, context: ValidationContext): void {
  if (typeof content === 'string') context.text += content
}

/** Rules that span fields, by type. */
const RULES: Readonly<Record<number, Rule>> = {
  1: checkActionRow,
  3: checkRange,
  4: checkRange,
  5: checkRange,
  6: checkRange,
  7: checkRange,
  8: checkRange,
  10: addText,
  19: checkRange,
  22: checkRange,
}

/** Messages for fields that are not allowed in the current place, by the places of the field. */
const PLACE_ERRORS = ['received only', 'only in messages', 'only in modals']
/** Names of the fields of all components. */
let knownFields: ReadonlySet<string> | undefined

/** Validates the own fields of an object, then reports missing ones. */
export function checkFields(
  { type, name: owner, fields, required }: ComponentSpec,
  value: PlainObject,
  context: ValidationContext,
  isOpen = false,
): void {
  const depth = context.depth++
  let missing = required.length
  let places: number = context.places
  for (const name of Object.keys(value)) {
    context.path[depth] = name
    const item = value[name]
    if (item === undefined) continue
    const field = fields.get(name)
    if (field !== undefined) {
      if (field.required) missing--
      const remaining = places & field.places
      if (remaining === 0) {
        const message = field === FORBIDDEN ? 'not allowed with this style' : PLACE_ERRORS[field.places]
        fail(context, 'conflict', message ?? '')
      }
      // A field only for messages and one only for modals exclude each other, wherever the root may be used.
      else places = remaining
      if (type > 0 && (name === 'id' || name === 'custom_id')) checkUnique(name, item, context)
      checkValue(field, item, context, owner)
    } else if (!isOpen) {
      // Allow a field that no component has: the service may have added it.
      knownFields ??= new Set(SPECS.flatMap(({ fields }) => [...fields.keys()]))
      if (knownFields.has(name)) fail(context, 'unknown_field', `not a field of ${owner}`)
    }
  }
  context.depth = depth
  if (missing === 0) return
  for (const name of required) {
    if (!has(value, name)) fail(context, 'required', 'required', [name])
  }
}

function checkValue(field: Field, value: unknown, context: ValidationContext, owner: string): void {
  const { kind } = field
  if (kind === 'string' && typeof value === 'string') checkText(field, value, context)
  else if (kind === 'component') checkComponent(field, value, context, owner)
  else if (kind === 'integer' && typeof value === 'number' && Number.isInteger(value))
    checkInteger(field, value, context)
  else if (kind === 'array' && Array.isArray(value)) checkArray(field, value, context, owner)
  else if (kind === 'object' && isObject(value)) {
    if (field.part) checkFields(field.part, value, context)
  } else if (kind !== 'value' && (kind !== 'boolean' || typeof value !== kind) && (value !== null || !field.nullable)) {
    failWrongType(context, kind, value)
  }
}

function checkText(field: Field, value: string, context: ValidationContext): void {
  const { min, prefix } = field
  const length = lengthOf(value, field, context)
  if (length < min || length > field.max) checkSize(context, length, 'characters', field)
  if (prefix !== '' && (value === prefix || !value.startsWith(prefix))) {
    fail(context, 'invalid_format', `expected ${prefix}<filename>`, [], { actual: value })
  }
}

/** Returns the length of a string. It never has more code points than UTF-16 units, which are cheap to count. */
export function lengthOf(text: string, { max }: { readonly max: number }, context: ValidationContext): number {
  if (text.length <= max || context.isUtf16) return text.length
  context.steps += text.length / 100
  return countCharacters(text)
}

function checkInteger({ min, max, values }: Field, actual: number, context: ValidationContext): void {
  if (actual >= min && actual <= max) return
  const limit = actual < min ? min : max
  const expected = values ? `one of ${Object.values(values)}` : `at ${actual < min ? 'least' : 'most'} ${limit}`
  fail(context, 'invalid_value', `${actual}, ${expected}`, [], { actual, limit })
}

function checkArray(field: Field, items: readonly unknown[], context: ValidationContext, owner: string): void {
  const { of, min, max } = field
  const { length } = items
  if (length < min || length > max) checkSize(context, length, 'items', field)
  const depth = context.depth++
  for (let index = 0; of && index < length && ++context.steps <= MAX_STEPS; index++) {
    context.path[depth] = index
    checkValue(of, items[index], context, owner)
  }
  context.depth = depth
}

/** Validates a component that `field` accepts; without a field, any component allowed in the current place. */
export function checkComponent(
  field: Field | undefined,
  value: unknown,
  context: ValidationContext,
  owner: string,
): void {
  const { depth, places } = context
  try {
    if (!isObject(value)) failWrongType(context, 'component', value)
    else if (depth > MAX_DEPTH) fail(context, 'too_deep', 'nested too deeply')
    else {
      const { type } = value
      const spec = specOf(type)
      if (spec === undefined) {
        failComponentType(context, type)
        return
      }
      context.count++
      const accepted = field?.accepts[places]
      if (!(accepted ? accepted.includes(spec) : spec.places & places)) {
        const allowed = accepted ? `; allowed: ${accepted.map(({ name }) => name).join(', ') || 'none'}` : ''
        fail(context, 'conflict', `${spec.name} not allowed in ${owner}${allowed}`)
        if (spec.places === NOWHERE) return
        // Validate its children for the place where it would be allowed.
        if ((spec.places & places) === 0) context.places = spec.places
      }
      checkFields(spec.styles?.[unsafeCast<number>(value.style)] ?? spec, value, context)
      RULES[spec.type]?.(value, context, spec)
    }
  } catch {
    // A getter or proxy threw at the current path.
    fail(context, 'invalid_type', 'cannot be read')
    context.depth = depth
  }
  context.places = places
}

/**
 * Adds an issue for a duplicate `id` or `custom_id`, which cannot collide: one is a number, the other a string.
 * Interface, "Common component fields".
 */
function checkUnique(field: string, actual: unknown, context: ValidationContext): void {
  if (!actual || typeof actual !== (field === 'id' ? 'number' : 'string')) return
  const { size } = context.ids
  if (context.ids.add(actual).size === size) fail(context, 'conflict', `duplicate ${field}`, [], { actual })
}
