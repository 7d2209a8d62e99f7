import type { Issue, IssueCode } from '../contract/issue'
import type { Bounds } from '../contract/rules'
import { characters, sizeBreach } from '../contract/size'
import { ROWS, rowOf } from './registry'
import { type ComponentSpec, type Field, has, isObject, MODAL, NOWHERE, type Places, type PlainObject } from './schema'

/** Maximum number of array items visited; guards against cyclic input. */
export const MAX_STEPS = 100_000
/** Maximum number of keys and indexes in a path; valid input has at most six. */
export const MAX_DEPTH = 20

/** Keys and indexes from the root to a value. */
export type Path = readonly (string | number)[]

/** State of one validation. */
export interface ValidationContext {
  /** Where the root may be used. */
  places: Places
  readonly isUtf16: boolean
  readonly warns: boolean
  /** Path to the current value: the first `depth` entries. */
  readonly path: (string | number)[]
  depth: number
  readonly issues: Issue[]
  /** Values that must be unique: every `id` (number) and `custom_id` (string). */
  readonly ids: Set<unknown>
  /** URLs of media. */
  readonly urls: unknown[]
  readonly texts: string[]
  /** Number of components visited. */
  count: number
  work: number
}

/** Optional fields of an issue. */
interface Facts {
  readonly actual?: unknown
  readonly limit?: number
}

/** Adds an issue; `path` is relative to the current value. */
export function fail(
  run: ValidationContext,
  code: IssueCode,
  message: string,
  path: Path = [],
  facts?: Facts,
  severity: Issue['severity'] = 'error',
): void {
  run.issues.push({ path: [...run.path.slice(0, run.depth), ...path], code, message, ...facts, severity })
}

/** Adds a warning: valid, but not recommended. */
export function warn(run: ValidationContext, code: IssueCode, message: string, path?: Path, facts?: Facts): void {
  if (run.warns) fail(run, code, message, path, facts, 'warning')
}

/** Adds an issue for a value of the wrong type. */
export function failKind(run: ValidationContext, kind: string, value: unknown, given = kindOf(value)): void {
  const facts = typeof value === 'object' ? {} : { actual: value }
  fail(run, 'invalid_type', `expected ${kind}, got ${given}`, [], facts)
}

/** Adds an issue for an unknown component `type`. */
export function failType(run: ValidationContext, actual: unknown): void {
  const code = actual === undefined ? 'required' : typeof actual === 'number' ? 'invalid_value' : 'invalid_type'
  fail(run, code, `expected a type of component, got ${kindOf(actual)}`, ['type'], { actual })
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'list' : `${typeof value === 'number' ? value : typeof value}`
}

/** Adds an issue if a size is outside its limit. */
export function checkSize(run: ValidationContext, size: number, unit: string, limit: Bounds, path?: Path): void {
  for (const { code, message, ...facts } of sizeBreach(size, unit, limit)) fail(run, code, message, path, facts)
}

/** Rule that spans fields of a component. Any of the fields may be invalid. */
type Rule = (component: PlainObject, run: ValidationContext, row: ComponentSpec, owner: string) => void

function actionRow({ components }: PlainObject, run: ValidationContext): void {
  if (!Array.isArray(components)) return
  const { length } = components
  if (length === 0) warn(run, 'too_few', 'an empty row')
  if (run.places === MODAL) warn(run, 'conflict', 'deprecated in modals')
  if (length < 2 || length > 5) return
  let buttons = 0
  for (const component of components) if (component?.type === 2) buttons++
  if (buttons < length) fail(run, 'conflict', 'only buttons share a row', ['components'])
}

function button(component: PlainObject, run: ValidationContext, { styles }: ComponentSpec): void {
  const { style, label, emoji } = component
  // The first is the required field, the others are forbidden.
  const names = typeof style === 'number' ? styles?.[style] : undefined
  names?.forEach((name, index) => {
    const isThere = has(component, name)
    if (index > 0 && isThere) fail(run, 'conflict', 'not with this style', [name])
    else if (index === 0 && !isThere) fail(run, 'required', 'required', [name])
  })
  // Design guidance. Interface, "Button", 5.
  if (typeof label !== 'string' || label.length <= 34) return
  const actual = characters(label)
  const limit = emoji === undefined ? 38 : 34
  if (actual <= limit || actual > 80) return
  warn(run, 'too_long', `${actual} characters, best at most ${limit}`, ['label'], { limit, actual })
}

/** Adds an issue if the minimum exceeds the maximum, defaults included. Returns the maximum. */
function range(
  component: PlainObject,
  run: ValidationContext,
  { fields }: ComponentSpec,
  low: string,
  high: string,
): number {
  const least = fields.get(low)
  const most = fields.get(high)
  const min = component[low] ?? least?.default ?? 0
  const max = component[high] ?? most?.default ?? Infinity
  if (!least || !most || typeof min !== 'number' || typeof max !== 'number') return Infinity
  // Already reported: outside its own limit.
  if (min > least.max || max < most.min) return max
  if (max < 0) fail(run, 'conflict', `${max}, at least 0`, [high])
  else if (max < min) {
    fail(run, 'conflict', `at least ${min} and at most ${max} cannot be`, [component[low] === undefined ? high : low])
  }
  return max
}

function choices(component: PlainObject, run: ValidationContext, row: ComponentSpec): void {
  const limit = row.type === 21 ? 1 : range(component, run, row, 'min_values', 'max_values')
  const { options, default_values, min_values = 1 } = component
  let actual = Array.isArray(default_values) ? default_values.length : 0
  if (Array.isArray(options) && options.length <= 25) {
    const values = new Set()
    for (const [index, option] of options.entries()) {
      if (!isObject(option)) continue
      if (values.has(option.value)) warn(run, 'conflict', 'another option has it', ['options', index, 'value'])
      values.add(option.value)
      if (option.default === true) actual++
    }
    if (typeof min_values === 'number' && options.length < min_values) {
      warn(run, 'too_few', `fewer than ${min_values}`, ['options'])
    }
  }
  if (actual <= limit || actual === 0) return
  const path = [options ? 'options' : 'default_values']
  warn(run, 'too_many', `${actual} chosen by default, at most ${limit} can be`, path, { limit, actual })
}

function textInput(component: PlainObject, run: ValidationContext, row: ComponentSpec, owner: string): void {
  range(component, run, row, 'min_length', 'max_length')
  if (owner === 'label' && component.label !== undefined) {
    warn(run, 'conflict', 'ignored inside a label', ['label'])
  }
}

function textDisplay({ content }: PlainObject, run: ValidationContext): void {
  if (typeof content === 'string') run.texts.push(content)
}

/** Rules that span fields, by type. */
export const RULES: Readonly<Record<number, Rule>> = {
  1: actionRow,
  2: button,
  3: choices,
  4: textInput,
  5: choices,
  6: choices,
  7: choices,
  8: choices,
  10: textDisplay,
  19: choices,
  21: choices,
  22: choices,
}

const WHERE = ['received only', 'for messages only', 'for modals only']
let names: ReadonlySet<string> | undefined

/** Validates the own fields of an object, then reports missing ones. */
export function checkFields(
  { name: owner, fields, required }: ComponentSpec,
  value: PlainObject,
  run: ValidationContext,
  isOpen = false,
): void {
  const depth = run.depth++
  let missing = required.length
  let places: number = run.places
  for (const name of Object.keys(value)) {
    run.path[depth] = name
    const given = value[name]
    if (given === undefined) continue
    const field = fields.get(name)
    if (field !== undefined) {
      if (field.required) missing--
      const left = places & field.places
      if (left === 0) fail(run, 'conflict', WHERE[field.places] ?? '')
      // A field only for messages and one only for modals exclude each other, wherever the root may be used.
      else places = left
      checkValue(field, given, run, owner)
    } else if (!isOpen) {
      // Allow a field that no component has: the service may have added it.
      names ??= new Set(ROWS.flatMap(({ fields }) => [...fields.keys()]))
      if (names.has(name)) fail(run, 'unknown_field', `no field of ${owner}`)
    }
  }
  run.depth = depth
  if (missing === 0) return
  for (const name of required) {
    if (!has(value, name)) fail(run, 'required', 'required', [name])
  }
}

function checkValue(field: Field, value: unknown, run: ValidationContext, owner: string): void {
  const { kind } = field
  if (kind === 'string' && typeof value === 'string') checkText(field, value, run)
  else if (kind === 'component') checkComponent(field, value, run, owner)
  else if (kind === 'integer' && typeof value === 'number' && Number.isInteger(value)) checkInteger(field, value, run)
  else if (kind === 'list' && Array.isArray(value)) checkList(field, value, run, owner)
  else if (kind === 'object' && isObject(value)) {
    if (field.part) checkFields(field.part, value, run)
    if (value.url) run.urls.push(value.url)
  } else if (kind !== 'value' && (kind !== 'boolean' || typeof value !== kind) && (value !== null || !field.nullable)) {
    failKind(run, kind, value)
  }
}

function checkText(field: Field, value: string, run: ValidationContext): void {
  const { min, max, prefix } = field
  let { length } = value
  if (length > max && !run.isUtf16) {
    run.work += length / 100
    length = characters(value)
  }
  if (length < min || length > max) checkSize(run, length, 'characters', field)
  if (prefix !== '' && (value === prefix || !value.startsWith(prefix))) {
    fail(run, 'invalid_format', `expected ${prefix}<filename>`, [], { actual: value })
  }
}

function checkInteger({ min, max, values }: Field, actual: number, run: ValidationContext): void {
  if (actual >= min && actual <= max) return
  const limit = actual < min ? min : max
  const expected = values ? `one of ${Object.values(values)}` : `at ${actual < min ? 'least' : 'most'} ${limit}`
  fail(run, 'invalid_value', `${actual}, ${expected}`, [], { actual, limit })
}

function checkList(field: Field, list: readonly unknown[], run: ValidationContext, owner: string): void {
  const { of, min, max } = field
  const { length } = list
  if (length < min || length > max) checkSize(run, length, 'items', field)
  const depth = run.depth++
  for (let index = 0; of && index < length && ++run.work <= MAX_STEPS; index++) {
    run.path[depth] = index
    checkValue(of, list[index], run, owner)
  }
  run.depth = depth
}

/** Validates a component that `field` accepts; without a field, any component allowed in the current place. */
export function checkComponent(field: Field | undefined, value: unknown, run: ValidationContext, owner: string): void {
  const { depth, places } = run
  try {
    if (!isObject(value)) failKind(run, 'component', value)
    else if (depth > MAX_DEPTH) fail(run, 'too_deep', 'nested too deeply')
    else {
      const { type, id, custom_id } = value
      const row = rowOf(type)
      if (row === undefined) {
        failType(run, type)
        return
      }
      run.count++
      if (id !== 0 && typeof id === 'number') checkUnique('id', id, run)
      if (custom_id && typeof custom_id === 'string') checkUnique('custom_id', custom_id, run)
      const taken = field?.accepts[places]
      if (!(taken ? taken.includes(row) : row.places & places)) {
        const others = taken ? `, which takes ${taken.map(({ name }) => name).join(', ') || 'none'}` : ''
        fail(run, 'conflict', `no ${row.name} in ${owner}${others}`)
        if (row.places === NOWHERE) return
        // Validate its children for the place where it would be allowed.
        if ((row.places & places) === 0) run.places = row.places
      }
      checkFields(row, value, run)
      RULES[row.type]?.(value, run, row, owner)
    }
  } catch {
    // A getter or proxy threw; the current path is where.
    fail(run, 'invalid_type', 'cannot be read')
    run.depth = depth
  }
  run.places = places
}

/**
 * Adds an issue for a duplicate `id` or `custom_id`, which cannot collide: one is a number, the other a string.
 * Interface, "Common component fields".
 */
function checkUnique(field: string, actual: string | number, run: ValidationContext): void {
  const { size } = run.ids
  if (run.ids.add(actual).size === size) fail(run, 'conflict', 'another component has it', [field], { actual })
}
