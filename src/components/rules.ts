// Checks of a component against its spec, and the rules across fields.
import { countCharacters, type Issue, type IssueCode } from '../internal/issue'
import { has, isObject, isOwn, type PlainObject, unsafeCast } from './plain-object'
import { type ComponentSpec, type Field, MODAL, NOWHERE, type Places } from './schema'
import { isKnownField, specOf } from './specs'

// Arrow functions: minified, they are shorter than functions, and every validator has these.

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

interface IssueDetails {
  readonly actual?: unknown
  readonly limit?: number
}

/** Adds an issue; `path` is relative to the current value. */
export const fail = (
  context: ValidationContext,
  code: IssueCode,
  message: string,
  path: Path = [],
  details?: IssueDetails,
): void => {
  const at = [...context.path.slice(0, context.depth), ...path]
  context.issues.push({ path: at, code, message, ...details, severity: 'error' })
}

/** Adds an issue for a value of the wrong type. */
export const failWrongType = (
  context: ValidationContext,
  expected: string,
  value: unknown,
  actualType = typeNameOf(value),
  code: IssueCode = 'invalid_type',
  path?: Path,
): void => {
  const details = typeof value === 'object' ? {} : { actual: value }
  fail(context, code, `expected ${expected}, got ${actualType}`, path, details)
}

/** Returns the type of a value, or a number itself. */
export const typeNameOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value === 'number' ? `${value}` : typeof value

/** Adds an issue if a number is outside its limits. `unit` is what it counts, in the plural. */
export const checkLimits = (
  context: ValidationContext,
  actual: number,
  { min = -Infinity, max = Infinity, values }: Partial<Field>,
  unit = '',
  path?: Path,
): void => {
  const isLow = actual < min
  if (!isLow && actual <= max) return
  const limit = isLow ? min : max
  const size = unit && ` ${actual === 1 ? unit.slice(0, -1) : unit}`
  const allowed = values ? `one of ${Object.values(values)}` : `at ${isLow ? 'least' : 'most'} ${limit}`
  const suffix = unit.startsWith('characters') ? (isLow ? 'short' : 'long') : isLow ? 'few' : 'many'
  fail(context, unit ? `too_${suffix}` : 'invalid_value', `${actual}${size}, ${allowed}`, path, { limit, actual })
}

const checkActionRow = ({ components }: PlainObject, context: ValidationContext): void => {
  if (!Array.isArray(components) || components.length > 5) return
  // Not `every`, which is slow for frozen arrays.
  for (const component of components) {
    if (components.length < 2 || component?.type === 2) continue
    fail(context, 'conflict', 'only buttons can share a row', ['components'])
    break
  }
}

/** Adds an issue if the minimum exceeds the maximum, including defaults. */
const checkRange = (component: PlainObject, context: ValidationContext, { fields, type }: ComponentSpec): void => {
  const [low, high] = type === 4 ? ['min_length', 'max_length'] : ['min_values', 'max_values']
  const lowField = fields.get(low)
  const highField = fields.get(high)
  if (!lowField || !highField) return
  const min = component[low] ?? lowField.default ?? 0
  const max = component[high] ?? highField.default ?? Infinity
  if (typeof min !== 'number' || typeof max !== 'number') return
  // Already reported: outside its own limit.
  if (min > unsafeCast<number>(lowField.max) || max < unsafeCast<number>(highField.min)) return
  if (max < 0) fail(context, 'conflict', `${max}, at least 0`, [high])
  else if (max < min) {
    fail(context, 'conflict', `minimum ${min} exceeds maximum ${max}`, [component[low] === undefined ? high : low])
  }
}

/** Messages for fields that are not allowed in the current place, by the places of the field. */
const PLACE_ERRORS = ['received only', 'only in messages', 'only in modals']

/** Validates the own fields of an object, then reports missing ones. */
export const checkFields = (
  spec: ComponentSpec,
  value: PlainObject,
  context: ValidationContext,
  isOpen?: boolean,
): void => {
  const { fields, type } = spec
  const depth = context.depth++
  let missing = spec.required
  let places: number = context.places
  for (const name in value) {
    if (!isOwn(value, name)) continue
    context.path[depth] = name
    const item = value[name]
    if (item === undefined) continue
    if (type > 0 && name === 'type') {
      // Valid, since it led to the spec.
      missing--
      continue
    }
    const field = fields.get(name)
    if (field === undefined) {
      // A field that no component has is allowed: the service may have added it.
      if (!isOpen && isKnownField(name)) fail(context, 'unknown_field', `not a field of ${spec.name}`)
      continue
    }
    if (field.required) missing--
    const remaining = places & field.places
    if (remaining === 0) {
      const message = type === 2 ? 'not allowed with this style' : PLACE_ERRORS[field.places]
      // A field of all places always remains; each of the others has an error.
      fail(context, 'conflict', unsafeCast(message))
    }
    // A field only for messages and one only for modals exclude each other, wherever the root may be used.
    else places = remaining
    if (type > 0 && (name === 'id' || name === 'custom_id')) checkUnique(name, item, context)
    checkValue(field, item, context, spec)
  }
  context.depth = depth
  if (missing === 0) return
  for (const [name, field] of fields) {
    if (field.required && !has(value, name)) fail(context, 'required', 'required', [name])
  }
}

const checkValue = (field: Field, value: unknown, context: ValidationContext, owner: ComponentSpec): void => {
  const { kind } = field
  if (kind === 'component') checkComponent(field, value, context, owner)
  else if (kind === 'string' && typeof value === 'string') checkText(field, value, context)
  else if (kind === 'integer' && typeof value === 'number' && Number.isInteger(value))
    checkLimits(context, value, field)
  else if (kind === 'array' && Array.isArray(value)) checkArray(field, value, context, owner)
  else if (kind === 'object' && isObject(value)) {
    if (field.part) checkFields(field.part, value, context)
  } else if (kind !== 'value' && (kind !== 'boolean' || typeof value !== kind) && (value !== null || !field.nullable)) {
    failWrongType(context, kind, value)
  }
}

const checkText = (field: Field, value: string, context: ValidationContext): void => {
  const { prefix } = field
  checkLimits(context, lengthOf(value, field, context), field, 'characters')
  if (prefix && (value === prefix || !value.startsWith(prefix))) {
    fail(context, 'invalid_format', `expected ${prefix}<filename>`, [], { actual: value })
  }
}

/** Returns the length of a string. It never has more code points than UTF-16 units, which are cheap to count. */
export const lengthOf = (text: string, { max = Infinity }: Partial<Field>, context: ValidationContext): number => {
  if (text.length <= max || context.isUtf16) return text.length
  context.steps += text.length / 100
  return countCharacters(text)
}

/** Adds an issue for a duplicate `id` (number) or `custom_id` (string). API, "Common component fields". */
const checkUnique = (name: string, actual: unknown, context: ValidationContext): void => {
  if (!actual || typeof actual !== (name === 'id' ? 'number' : 'string')) return
  const { ids } = context
  if (ids.size === ids.add(actual).size) fail(context, 'conflict', `duplicate ${name}`, [], { actual })
}

const checkArray = (
  field: Field,
  items: readonly unknown[],
  context: ValidationContext,
  owner: ComponentSpec,
): void => {
  const { of } = field
  checkLimits(context, items.length, field, 'items')
  const depth = context.depth++
  for (let index = 0; of && index < items.length && ++context.steps <= MAX_STEPS; index++) {
    context.path[depth] = index
    checkValue(of, items[index], context, owner)
  }
  context.depth = depth
}

/** Validates a component that a field of `owner` accepts; without them, any that is allowed in the current place. */
export const checkComponent = (
  field: Field | undefined,
  value: unknown,
  context: ValidationContext,
  owner?: ComponentSpec,
): void => {
  const { depth, places } = context
  try {
    if (!isObject(value)) failWrongType(context, 'component', value)
    else if (depth > MAX_DEPTH) fail(context, 'too_deep', 'nested too deeply')
    else {
      const { type } = value
      const spec = specOf(type)
      if (spec === undefined) {
        const code = type === undefined ? 'required' : typeof type === 'number' ? 'invalid_value' : undefined
        failWrongType(context, 'a component type', type, undefined, code, ['type'])
        return
      }
      context.count++
      const accepted = field?.accepts?.[places]
      if (!(accepted ? accepted.includes(spec.type) : spec.places & places)) {
        const place = owner ? owner.name : places === MODAL ? 'modal' : 'message'
        const allowed = accepted ? `; allowed: ${accepted.map((type) => specOf(type)?.name).join(', ') || 'none'}` : ''
        fail(context, 'conflict', `${spec.name} not allowed in ${place}${allowed}`)
        if (spec.places === NOWHERE) return
        // Validate its children for the place where it would be allowed.
        if ((spec.places & places) === 0) context.places = spec.places
      }
      // Any other key finds no style.
      checkFields(spec.styles?.[unsafeCast<number>(value.style)] ?? spec, value, context)
      // Any of the fields may be invalid.
      if (spec.type === 1) checkActionRow(value, context)
      else if (spec.type !== 10) checkRange(value, context, spec)
      else if (typeof value.content === 'string') context.text += value.content
    }
  } catch {
    // A getter or proxy threw at the current path.
    fail(context, 'invalid_type', 'cannot be read')
    context.depth = depth
  }
  context.places = places
}
