import { characters } from '../../contract/size'
import { has, isObject, type PlainObject } from '../edge'
import { type Field, NOWHERE, type ComponentSpec } from '../table/field'
import { ROWS, rowOf } from '../table/rows'
import { RULES } from './rules'
import { checkSize, MAX_DEPTH, fail, failKind, failType, MAX_STEPS, type ValidationContext } from './run'

const WHERE = ['received only', 'for messages only', 'for modals only']
let names: ReadonlySet<string> | undefined

/** Looks at every field that an object has of its own, then for those that it lacks. */
export function checkFields({ name: owner, fields, required }: ComponentSpec, value: PlainObject, run: ValidationContext, isOpen = false): void {
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
      // What fits messages alone and what fits modals alone rule each other out, wherever the whole is to stand.
      else places = left
      checkValue(field, given, run, owner)
    } else if (!isOpen) {
      // A field that no component has may be new, and is let through.
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

/** A component of one of the rows that a field takes; without a field, of any that fits the place. */
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
        // What it holds is judged by where it belongs.
        if ((row.places & places) === 0) run.places = row.places
      }
      checkFields(row, value, run)
      RULES[row.type]?.(value, run, row, owner)
    }
  } catch {
    // A getter or a proxy has thrown: the run is where it did.
    fail(run, 'invalid_type', 'cannot be read')
    run.depth = depth
  }
  run.places = places
}

/** Interface, "Common component fields". Numbers and texts are never the same. */
function checkUnique(field: string, actual: string | number, run: ValidationContext): void {
  const { size } = run.ids
  if (run.ids.add(actual).size === size) fail(run, 'conflict', 'another component has it', [field], { actual })
}
