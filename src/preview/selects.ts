import type { ComponentType } from '../components/constants'
import type { PlainObject } from '../components/schema'
import { emojiText } from './buttons'
import { element, escapeHtml } from './element'
import { controlOf, isRequired } from './fields'
import { type Field, fieldsOf, itemsOf, type Page, textOf } from './page'

const STRING_SELECT: ComponentType = 3

/** Interface, "String Select" and "User Select": what fills itself shows the IDs of what is chosen. */
export function select(value: PlainObject, page: Page, field?: Field): string {
  const isAuto = value.type !== STRING_SELECT
  const multiple = typeof value.max_values === 'number' && value.max_values > 1
  let isChosen = multiple
  const options = itemsOf(isAuto ? value.default_values : value.options, page).map((given) => {
    const option = fieldsOf(given)
    const selected = isAuto || option.default === true
    isChosen ||= selected
    const more = textOf(isAuto ? option.id : option.description, page)
    const name = isAuto ? textOf(option.type, page) : emojiText(option.emoji, page) + textOf(option.label, page)
    const text = escapeHtml(`${name}${more && ` – ${more}`}`)
    return element('option', { value: textOf(option.value, page), selected }, text)
  })
  const text = textOf(value.placeholder, page) || 'Select'
  const placeholder = element('option', { value: '', disabled: true, selected: !isChosen }, escapeHtml(text))
  const attributes = {
    // In messages the interface has no `required`, and no label.
    ...controlOf(field ?? {}, field && isRequired(value)),
    'aria-label': field ? undefined : text,
    multiple,
    size: multiple ? Math.min(5, options.length + 1) : undefined,
    disabled: value.disabled === true,
  }
  return element('select', attributes, placeholder, ...options)
}
