import { sizeBreach } from '../../contract/size'
import { isObject, type Wire } from '../edge'
import type { Field, Part, Row } from '../table/row'
import { rowOf } from '../table/table'
import { checkFields } from './fields'
import { type Plan, plan } from './plan'
import { DEEPEST, fail, failType, MODAL, MOST_WORK, type Run } from './run'
import { booleanCheck, type Check, integerCheck, openCheck, textCheck } from './values'

const plans = new Map<Part, Plan>()
const plansByType: (Plan | undefined)[] = []

/** What is checked of a row or a part: compiled once, when it is first met. */
export function planOf(part: Part): Plan {
  let found = plans.get(part)
  if (found === undefined) {
    found = plan(part, checkOf)
    plans.set(part, found)
  }
  return found
}

function planOfType(type: number): Plan | undefined {
  const found = plansByType[type]
  if (found !== undefined) return found
  const row = rowOf(type)
  if (row !== undefined) plansByType[type] = planOf(row)
  return plansByType[type]
}

function checkOf(field: Field, owner: Part): Check | undefined {
  switch (field.kind) {
    case 'text':
      return textCheck(field)
    case 'integer':
      return integerCheck(field)
    case 'boolean':
      return booleanCheck
    case 'open':
      return openCheck
    case 'part':
      return (value, run) => {
        if (!isObject(value)) {
          failType(run, 'an object', value)
          return
        }
        checkFields(planOf(field.part), value, run)
        if (run.warns && value.url !== undefined) {
          run.media ??= new Set()
          run.media.add(value.url)
        }
      }
    case 'slot':
      return componentCheck(field.message, field.modal, owner.name)
    case 'list':
      return listCheck(field, checkOf(field.of, owner))
    default:
      return undefined
  }
}

function listCheck({ min = 0, max = Infinity }: Extract<Field, { kind: 'list' }>, check: Check | undefined): Check {
  return (value, run) => {
    if (!Array.isArray(value)) {
      failType(run, 'a list', value)
      return
    }
    const { length } = value
    if (length < min || length > max) for (const breach of sizeBreach(length, 'items', { min, max })) fail(run, breach)
    const { depth } = run
    run.depth++
    for (let index = 0; index < length && ++run.work <= MOST_WORK; index++) {
      run.path[depth] = index
      check?.(value[index], run)
    }
    run.depth = depth
  }
}

/** A component of one of the rows that a place takes, in messages and in modals. */
export function componentCheck(message: readonly Row[] = [], modal: readonly Row[] = [], where?: string): Check {
  const taken = [[...message, ...modal], message, modal] as const
  const sets = taken.map((rows) => rows.reduce((set, { type }) => set | (1 << type), 0))
  return (value, run) => {
    const { depth } = run
    try {
      if (!isObject(value)) {
        failType(run, 'a component', value)
        return
      }
      if (depth > DEEPEST) {
        fail(run, { code: 'too_deep', message: 'nested too deeply to be checked' })
        return
      }
      const { type } = value
      const found = typeof type === 'number' ? planOfType(type) : undefined
      if (found === undefined) {
        run.path[run.depth++] = 'type'
        failComponentType(run, type)
        run.depth--
        return
      }
      run.components++
      checkIds(value, run)
      if ((((sets[run.context] ?? 0) >> Number(type)) & 1) === 0) {
        const names = taken[run.context].map(({ name }) => name).join(', ')
        const place = where ?? (run.context === MODAL ? 'modal' : 'message')
        fail(run, { code: 'conflict', message: `no ${found.name} in a ${place}, which takes: ${names}`, actual: type })
      }
      checkFields(found, value, run)
    } catch {
      // A getter or a proxy has thrown; the run is where it did.
      fail(run, { code: 'invalid_type', message: 'cannot be read' })
      run.depth = depth
    }
  }
}

function failComponentType(run: Run, type: unknown): void {
  if (type === undefined) fail(run, { code: 'required', message: 'required' })
  else if (typeof type === 'number')
    fail(run, { code: 'invalid_value', message: `${type} is no type of component`, actual: type })
  else failType(run, 'an integer', type)
}

/** Interface, "Common component fields": `id` is unique but for 0, which is treated as empty, and `custom_id` always. */
function checkIds({ id, custom_id }: Wire, run: Run): void {
  if (typeof id === 'number' && id !== 0) checkUnique('id', id, run)
  if (typeof custom_id === 'string' && custom_id !== '') checkUnique('custom_id', custom_id, run)
}

function checkUnique(field: string, value: string | number, run: Run): void {
  run.ids ??= new Set()
  const { size } = run.ids
  // Numbers and strings are never the same.
  if (run.ids.add(value).size > size) return
  fail(run, { path: [field], code: 'conflict', message: 'another component has it', actual: value })
}
