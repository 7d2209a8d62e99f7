import type { ButtonStyle, ComponentType, TextInputStyle } from '../components/constants'
import type { PlainObject } from '../components/plain-object'
import {
  element,
  escapeHtml,
  type Field,
  fieldsOf,
  itemsOf,
  newId,
  openLink,
  openTag,
  type RenderContext,
  textOf,
  webAddress,
} from './html'

const FILE_UPLOAD: ComponentType = 19
const RADIO_GROUP: ComponentType = 21
const CHECKBOX_GROUP: ComponentType = 22
const PARAGRAPH: TextInputStyle = 2

/** Types that are required by default: text inputs, selects and groups. */
const REQUIRED_BY_DEFAULT: readonly unknown[] = [
  3,
  4,
  5,
  6,
  7,
  8,
  RADIO_GROUP,
  CHECKBOX_GROUP,
] satisfies ComponentType[]

/** Whether the user must fill in a control. */
function isRequired({ type, required }: PlainObject): boolean {
  return REQUIRED_BY_DEFAULT.includes(type) ? required !== false : type === FILE_UPLOAD && required === true
}

/** Renders a label and its control, linked by an `id`, or a `<fieldset>` around a group. Interface, "Label". */
export function label({ label: name, description, component }: PlainObject, page: RenderContext): string {
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

/**
 * Returns the attributes of every control. The empty `form` detaches it from a form around the preview, which then
 * neither submits nor validates it.
 */
function controlOf({ id, hint }: Partial<Field>, isNeeded?: boolean) {
  return { class: 'rp-control', form: '', id, 'aria-describedby': hint, required: isNeeded }
}

const count = (value: unknown): number | undefined => (typeof value === 'number' && value >= 0 ? value : undefined)

/** Renders a text input. Interface, "Text Input". */
export function textInput(value: PlainObject, page: RenderContext, field: Field): string {
  const text = textOf(value.value, page)
  const attributes = {
    ...controlOf(field, isRequired(value)),
    placeholder: textOf(value.placeholder, page),
    minlength: count(value.min_length),
    maxlength: count(value.max_length),
  }
  // The HTML parser drops a leading line break, so add one for it to drop.
  return value.style === PARAGRAPH
    ? element('textarea', { ...attributes, rows: 3 }, `\n${escapeHtml(text)}`)
    : openTag('input', { type: 'text', ...attributes, value: text })
}

/** Renders a file upload. Interface, "File Upload". */
export function fileUpload(value: PlainObject, _: RenderContext, field: Field): string {
  return openTag('input', { type: 'file', ...controlOf(field, isRequired(value)), multiple: value.max_values !== 1 })
}

/** Renders a checkbox. Interface, "Radio Group". */
export function checkbox(value: PlainObject, _: RenderContext, field: Field): string {
  const attributes = { ...controlOf(field), class: undefined, checked: value.default === true }
  return openTag('input', { type: 'checkbox', ...attributes })
}

/** Renders the options of a radio group or a checkbox group. Interface, "Radio Group". */
export function choices(value: PlainObject, page: RenderContext, { id }: Field): string {
  const type = value.type === RADIO_GROUP ? 'radio' : 'checkbox'
  const options = itemsOf(value.options, page).map((given) => {
    const option = fieldsOf(given)
    const input = openTag('input', {
      type,
      form: '',
      name: id,
      value: textOf(option.value, page),
      checked: option.default === true,
      // Only on radio buttons: with `required`, every single checkbox would have to be checked.
      required: type === 'radio' && isRequired(value),
    })
    const text = `<span>${escapeHtml(textOf(option.label, page))}</span>`
    const description = escapeHtml(textOf(option.description, page))
    return element('label', { class: 'rp-choice' }, input, text, description && `<small>${description}</small>`)
  })
  return options.join('')
}

const LINK: ButtonStyle = 5
const PREMIUM: ButtonStyle = 6

const icon = (d: string): string =>
  element('svg', { class: 'rp-icon', viewBox: '0 0 16 16', 'aria-hidden': 'true' }, element('path', { d }))

/** Bag of a premium button and arrow of an external link. */
const SHOP = icon('M2 5h12l-1 10H3zM5.5 7V4a2.5 2.5 0 0 1 5 0v3')
const OUT = icon('M9 2h5v5M14 2 7 9M6 3H2v11h11v-4')

/**
 * Returns an emoji as text. Its fields are not shown in the interface document; by convention, `name` is shown as it
 * is, or between colons if there is also an `id`.
 */
function emojiText(emoji: unknown, page: RenderContext): string {
  const { id, name } = fieldsOf(emoji)
  const text = textOf(name, page)
  return text && (id ? `:${text}: ` : `${text} `)
}

/** Renders a button; one of an unknown style looks like a secondary button. Interface, "Button". */
export function button({ style, label, emoji, url, sku_id, disabled }: PlainObject, page: RenderContext): string {
  const isLink = style === LINK
  const isPremium = style === PREMIUM
  const text = isPremium ? `SKU ${textOf(sku_id, page)}` : emojiText(emoji, page) + textOf(label, page)
  const content = `${isPremium ? SHOP : ''}<span>${escapeHtml(text.trim() || 'Button')}</span>${isLink ? OUT : ''}`
  const name = `rp-button rp-style-${typeof style === 'number' ? style : ''}`
  const href = isLink && disabled !== true && webAddress(textOf(url, page))
  if (href) return `${openLink(href, name)}${content}</a>`
  return `${openTag('button', { type: 'button', class: name, disabled: disabled === true || isLink })}${content}</button>`
}

const STRING_SELECT: ComponentType = 3

/**
 * Renders a select; an auto-populated one shows the IDs of its default values. Interface, "String Select" and "User
 * Select".
 */
export function select(value: PlainObject, page: RenderContext, field?: Field): string {
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
    // In messages there is no `required` and no label.
    ...controlOf(field ?? {}, field && isRequired(value)),
    'aria-label': field ? undefined : text,
    multiple,
    size: multiple ? Math.min(5, options.length + 1) : undefined,
    disabled: value.disabled === true,
  }
  return element('select', attributes, placeholder, ...options)
}
