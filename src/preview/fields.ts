import type { ComponentType, TextInputStyle } from '../components/constants'
import type { PlainObject } from '../components/schema'
import { element, escapeHtml, open } from './element'
import { type Field, fieldsOf, itemsOf, newId, type Page, textOf } from './page'

const FILE_UPLOAD: ComponentType = 19
const RADIO_GROUP: ComponentType = 21
const CHECKBOX_GROUP: ComponentType = 22
const PARAGRAPH: TextInputStyle = 2

/** What is required where nothing else is said: text inputs, selects and groups. */
const BY_DEFAULT: readonly unknown[] = [3, 4, 5, 6, 7, 8, RADIO_GROUP, CHECKBOX_GROUP] satisfies ComponentType[]

/** Whether something must be entered. */
export function isRequired({ type, required }: PlainObject): boolean {
  return BY_DEFAULT.includes(type) ? required !== false : type === FILE_UPLOAD && required === true
}

/** A label and its control, which are tied together by an `id`, or a `<fieldset>` around a group. Interface, "Label". */
export function label({ label: name, description, component }: PlainObject, page: Page): string {
  const id = newId(page)
  const text = textOf(description, page)
  const hint = text ? `${id}-hint` : undefined
  const { type = 0, required } = fieldsOf(component)
  const isGroup = type === RADIO_GROUP || type === CHECKBOX_GROUP
  const star = isRequired({ type, required }) ? '<span aria-hidden="true"> *</span>' : ''
  return element(
    isGroup ? 'fieldset' : 'div',
    { class: 'rp-field', 'aria-describedby': isGroup ? hint : undefined },
    element(isGroup ? 'legend' : 'label', { for: isGroup ? undefined : id }, escapeHtml(textOf(name, page)), star),
    hint ? element('small', { id: hint }, escapeHtml(text)) : '',
    page.write(component, page, { id, hint }),
  )
}

/** What all controls have. There is no form without an `id`, so a form around a preview neither sends nor checks them. */
export function controlOf({ id, hint }: Partial<Field>, isNeeded?: boolean) {
  return { class: 'rp-control', form: '', id, 'aria-describedby': hint, required: isNeeded }
}

const count = (value: unknown): number | undefined => (typeof value === 'number' && value >= 0 ? value : undefined)

/** Interface, "Text Input". */
export function textInput(value: PlainObject, page: Page, field: Field): string {
  const text = textOf(value.value, page)
  const attributes = {
    ...controlOf(field, isRequired(value)),
    placeholder: textOf(value.placeholder, page),
    minlength: count(value.min_length),
    maxlength: count(value.max_length),
  }
  // A parser drops a line break that comes first, so there is always one to drop.
  return value.style === PARAGRAPH
    ? element('textarea', { ...attributes, rows: 3 }, `\n${escapeHtml(text)}`)
    : open('input', { type: 'text', ...attributes, value: text })
}

/** Interface, "File Upload". */
export function fileUpload(value: PlainObject, _: Page, field: Field): string {
  return open('input', { type: 'file', ...controlOf(field, isRequired(value)), multiple: value.max_values !== 1 })
}

/** Interface, "Radio Group". */
export function checkbox(value: PlainObject, _: Page, field: Field): string {
  const attributes = { ...controlOf(field), class: undefined, checked: value.default === true }
  return open('input', { type: 'checkbox', ...attributes })
}

/** The options of a radio group or a checkbox group. Interface, "Radio Group". */
export function choices(value: PlainObject, page: Page, { id }: Field): string {
  const type = value.type === RADIO_GROUP ? 'radio' : 'checkbox'
  const options = itemsOf(value.options, page).map((given) => {
    const option = fieldsOf(given)
    const input = open('input', {
      type,
      form: '',
      name: id,
      value: textOf(option.value, page),
      checked: option.default === true,
      // Of checkboxes, each one that is required would have to be ticked.
      required: type === 'radio' && isRequired(value),
    })
    const text = `<span>${escapeHtml(textOf(option.label, page))}</span>`
    const description = escapeHtml(textOf(option.description, page))
    return element('label', { class: 'rp-choice' }, input, text, description && `<small>${description}</small>`)
  })
  return options.join('')
}
