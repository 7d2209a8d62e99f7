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
  toWebUrl,
} from './html'

const STRING_SELECT: ComponentType = 3
const FILE_UPLOAD: ComponentType = 19
const RADIO_GROUP: ComponentType = 21
const CHECKBOX_GROUP: ComponentType = 22
const PARAGRAPH: TextInputStyle = 2
const LINK: ButtonStyle = 5
const PREMIUM: ButtonStyle = 6

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
export function renderLabel({ label: name, description, component }: PlainObject, context: RenderContext): string {
  const id = newId(context)
  const text = textOf(description, context)
  const hint = text ? `${id}-hint` : undefined
  const { type = 0, required } = fieldsOf(component)
  const isGroup = type === RADIO_GROUP || type === CHECKBOX_GROUP
  const star = isRequired({ type, required }) ? '<span aria-hidden="true"> *</span>' : ''
  return element(
    isGroup ? 'fieldset' : 'div',
    { class: 'rp-field', 'aria-describedby': isGroup ? hint : undefined },
    element(isGroup ? 'legend' : 'label', { for: isGroup ? undefined : id }, escapeHtml(textOf(name, context)), star),
    hint ? element('small', { id: hint }, escapeHtml(text)) : '',
    context.render(component, context, { id, hint }),
  )
}

/**
 * Returns the attributes of every control. The empty `form` detaches it from a form around the preview, which then
 * neither submits nor validates it.
 */
function controlAttributes({ id, hint }: Partial<Field>, required?: boolean) {
  return { class: 'rp-control', form: '', id, 'aria-describedby': hint, required }
}

const toCount = (value: unknown): number | undefined => (typeof value === 'number' && value >= 0 ? value : undefined)

/** Renders a text input. Interface, "Text Input". */
export function renderTextInput(value: PlainObject, context: RenderContext, field: Field): string {
  const text = textOf(value.value, context)
  const attributes = {
    ...controlAttributes(field, isRequired(value)),
    placeholder: textOf(value.placeholder, context),
    minlength: toCount(value.min_length),
    maxlength: toCount(value.max_length),
  }
  // The HTML parser drops a leading line break, so add one for it to drop.
  return value.style === PARAGRAPH
    ? element('textarea', { ...attributes, rows: 3 }, `\n${escapeHtml(text)}`)
    : openTag('input', { type: 'text', ...attributes, value: text })
}

/** Renders a file upload. Interface, "File Upload". */
export function renderFileUpload(value: PlainObject, _: RenderContext, field: Field): string {
  return openTag('input', {
    type: 'file',
    ...controlAttributes(field, isRequired(value)),
    multiple: value.max_values !== 1,
  })
}

/** Renders a checkbox. Interface, "Radio Group". */
export function renderCheckbox(value: PlainObject, _: RenderContext, field: Field): string {
  const attributes = { ...controlAttributes(field), class: undefined, checked: value.default === true }
  return openTag('input', { type: 'checkbox', ...attributes })
}

/** Renders the options of a radio group or a checkbox group. Interface, "Radio Group". */
export function renderChoices(value: PlainObject, context: RenderContext, { id }: Field): string {
  const type = value.type === RADIO_GROUP ? 'radio' : 'checkbox'
  const options = itemsOf(value.options, context).map((item) => {
    const option = fieldsOf(item)
    const input = openTag('input', {
      type,
      form: '',
      name: id,
      value: textOf(option.value, context),
      checked: option.default === true,
      // Only on radio buttons: with `required`, every single checkbox would have to be checked.
      required: type === 'radio' && isRequired(value),
    })
    const text = `<span>${escapeHtml(textOf(option.label, context))}</span>`
    const description = escapeHtml(textOf(option.description, context))
    return element('label', { class: 'rp-choice' }, input, text, description && `<small>${description}</small>`)
  })
  return options.join('')
}

const renderIcon = (d: string): string =>
  element('svg', { class: 'rp-icon', viewBox: '0 0 16 16', 'aria-hidden': 'true' }, element('path', { d }))

/** Bag of a premium button and arrow of an external link. */
const SHOP_ICON = renderIcon('M2 5h12l-1 10H3zM5.5 7V4a2.5 2.5 0 0 1 5 0v3')
const LINK_ICON = renderIcon('M9 2h5v5M14 2 7 9M6 3H2v11h11v-4')

/**
 * Returns an emoji as text. Its fields are not shown in the interface document; by convention, `name` is shown as it
 * is, or between colons if there is also an `id`.
 */
function emojiText(emoji: unknown, context: RenderContext): string {
  const { id, name } = fieldsOf(emoji)
  const text = textOf(name, context)
  return text && (id ? `:${text}: ` : `${text} `)
}

/** Renders a button; one of an unknown style looks like a secondary button. Interface, "Button". */
export function renderButton(
  { style, label, emoji, url, sku_id, disabled }: PlainObject,
  context: RenderContext,
): string {
  const isLink = style === LINK
  const isPremium = style === PREMIUM
  const text = isPremium ? `SKU ${textOf(sku_id, context)}` : emojiText(emoji, context) + textOf(label, context)
  const content = `${isPremium ? SHOP_ICON : ''}<span>${escapeHtml(text.trim() || 'Button')}</span>${isLink ? LINK_ICON : ''}`
  const name = `rp-button rp-style-${typeof style === 'number' ? style : ''}`
  const href = isLink && disabled !== true && toWebUrl(textOf(url, context))
  if (href) return `${openLink(href, name)}${content}</a>`
  return `${openTag('button', { type: 'button', class: name, disabled: disabled === true || isLink })}${content}</button>`
}

/**
 * Renders a select; an auto-populated one shows the IDs of its default values. Interface, "String Select" and "User
 * Select".
 */
export function renderSelect(value: PlainObject, context: RenderContext, field?: Field): string {
  const isAuto = value.type !== STRING_SELECT
  const multiple = typeof value.max_values === 'number' && value.max_values > 1
  let isChosen = multiple
  const options = itemsOf(isAuto ? value.default_values : value.options, context).map((item) => {
    const option = fieldsOf(item)
    const selected = isAuto || option.default === true
    isChosen ||= selected
    const details = textOf(isAuto ? option.id : option.description, context)
    const name = isAuto
      ? textOf(option.type, context)
      : emojiText(option.emoji, context) + textOf(option.label, context)
    const text = escapeHtml(`${name}${details && ` – ${details}`}`)
    return element('option', { value: textOf(option.value, context), selected }, text)
  })
  const text = textOf(value.placeholder, context) || 'Select'
  const placeholder = element('option', { value: '', disabled: true, selected: !isChosen }, escapeHtml(text))
  const attributes = {
    // In messages there is no `required` and no label.
    ...controlAttributes(field ?? {}, field && isRequired(value)),
    'aria-label': field ? undefined : text,
    multiple,
    size: multiple ? Math.min(5, options.length + 1) : undefined,
    disabled: value.disabled === true,
  }
  return element('select', attributes, placeholder, ...options)
}
