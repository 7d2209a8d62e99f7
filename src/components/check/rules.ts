import { characters } from '../../contract/size'
import { isObject, type Wire } from '../edge'
import { checkboxGroup, fileUpload, textInput } from '../table/modal-fields'
import type { Field, Row } from '../table/row'
import { stringSelect } from '../table/selects'
import { fail, MODAL, type Run, warn } from './run'

/** What the interface says of several fields of one component. It may count on none of them to be right. */
export type Rule = (component: Wire, run: Run) => void

/** What no input can satisfy: a minimum over the maximum, defaults included. */
function range({ fields }: { readonly fields: Row['fields'] }, low: string, high: string): Rule {
  const least = boundOf(fields[low])
  const most = boundOf(fields[high])
  return (component, run) => {
    const min = least(component[low])
    const max = most(component[high])
    if (min === undefined || max === undefined || Math.max(min, 0) <= max) return
    const message = `at least ${min} and at most ${max}: nothing can meet that`
    fail(run, { path: [component[low] === undefined ? high : low], code: 'conflict', message })
  }
}

/** Reads one bound; what is wrong with it alone is told elsewhere. */
function boundOf(field: Field | undefined): (given: unknown) => number | undefined {
  if (field?.kind !== 'integer') return () => undefined
  const { min = -Infinity, max = Infinity, default: fallback } = field
  return (given = fallback) => (typeof given === 'number' && given >= min && given <= max ? given : undefined)
}

/** A field of a child; where it cannot be read, the child's own check has told. */
function peek(child: unknown, field: string): unknown {
  try {
    return isObject(child) ? child[field] : undefined
  } catch {
    return undefined
  }
}

function row({ components }: Wire, run: Run): void {
  if (!Array.isArray(components)) return
  const { length } = components
  if (length === 0) warn(run, { code: 'too_few', message: 'an empty row' })
  if (run.context === MODAL) warn(run, { code: 'conflict', message: 'rows in modals are deprecated: use a label' })
  if (length < 2 || length > 5) return
  const buttons = components.filter((component) => peek(component, 'type') === 2).length
  const path = ['components']
  if (buttons === 0)
    fail(run, { path, code: 'too_many', message: `${length} items, at most 1`, limit: 1, actual: length })
  else if (buttons < length) fail(run, { path, code: 'conflict', message: 'a select stands alone in its row' })
}

/** Design guidance. Interface, "Button", 5. */
function button({ label, emoji }: Wire, run: Run): void {
  if (typeof label !== 'string' || label.length <= 34) return
  const actual = characters(label)
  const limit = emoji === undefined ? 38 : 34
  if (actual <= limit || actual > 80) return
  warn(run, {
    path: ['label'],
    code: 'too_long',
    message: `${actual} characters, up to ${limit} look well`,
    limit,
    actual,
  })
}

function options({ options, min_values = 1 }: Wire, run: Run, max: unknown): void {
  if (!run.warns || !Array.isArray(options) || options.length > 25) return
  const values = new Set()
  let chosen = 0
  for (const [index, option] of options.entries()) {
    if (!isObject(option)) continue
    if (option.default === true) chosen++
    if (values.has(option.value)) {
      warn(run, { path: ['options', index, 'value'], code: 'conflict', message: 'another option has it' })
    }
    values.add(option.value)
  }
  overChosen(chosen, max, 'options', run)
  if (typeof min_values === 'number' && min_values > options.length) {
    const message = `${options.length} to choose from, where at least ${min_values} must be chosen`
    warn(run, { path: ['options'], code: 'too_few', message })
  }
}

function overChosen(chosen: number, max: unknown, field: string, run: Run): void {
  if (typeof max !== 'number' || chosen <= max) return
  const message = `${chosen} chosen from the start, where at most ${max} can be`
  warn(run, { path: [field], code: 'too_many', message, limit: max, actual: chosen })
}

const selectRange = range(stringSelect, 'min_values', 'max_values')
const fileRange = range(fileUpload, 'min_values', 'max_values')
const groupRange = range(checkboxGroup, 'min_values', 'max_values')
const lengthRange = range(textInput, 'min_length', 'max_length')

function autoSelect(component: Wire, run: Run): void {
  selectRange(component, run)
  const { default_values, max_values = 1 } = component
  if (Array.isArray(default_values)) overChosen(default_values.length, max_values, 'default_values', run)
}

/** The rules that span fields, by type. */
export const RULES: Readonly<Record<number, Rule>> = {
  1: row,
  2: button,
  3: (component, run) => {
    selectRange(component, run)
    options(component, run, component.max_values ?? 1)
  },
  4: lengthRange,
  5: autoSelect,
  6: autoSelect,
  7: autoSelect,
  8: autoSelect,
  10: ({ content }, run) => {
    if (typeof content !== 'string') return
    run.units += content.length
    run.texts.push(content)
  },
  18: ({ component }, run) => {
    if (peek(component, 'type') !== 4 || peek(component, 'label') === undefined) return
    warn(run, { path: ['component', 'label'], code: 'conflict', message: 'ignored inside a label' })
  },
  19: fileRange,
  21: (component, run) => options(component, run, 1),
  22: (component, run) => {
    groupRange(component, run)
    options(component, run, component.max_values)
  },
}
