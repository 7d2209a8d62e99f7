import { characters } from '../../contract/size'
import { has, isObject, type PlainObject } from '../edge'
import { MODAL, type ComponentSpec } from '../table/field'
import { fail, type ValidationContext, warn } from './run'

/** What the interface says of several fields of one component. It may count on none of them to be right. */
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
  // The first is what the style needs, the others are what it refuses.
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

/** What no input can satisfy: a minimum over the maximum, defaults included. Gives the maximum. */
function range(component: PlainObject, run: ValidationContext, { fields }: ComponentSpec, low: string, high: string): number {
  const least = fields.get(low)
  const most = fields.get(high)
  const min = component[low] ?? least?.default ?? 0
  const max = component[high] ?? most?.default ?? Infinity
  if (!least || !most || typeof min !== 'number' || typeof max !== 'number') return Infinity
  // What is outside its own limit has been told.
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

/** The rules that span fields, by type. */
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
