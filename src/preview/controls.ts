import type { ButtonStyle, ComponentType, TextInputStyle } from '../components/constants'
import type { PlainObject } from '../components/plain-object'
import {
  type Attributes,
  element,
  escapeHtml,
  type Field,
  fieldsOf,
  itemsOf,
  mentionText,
  newId,
  openLink,
  openTag,
  type RenderContext,
  renderEmoji,
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
const REQUIRED_BY_DEFAULT: readonly unknown[] = [3, 4, 5, 6, 7, 8, 21, 22] satisfies ComponentType[]

function isRequired({ type, required }: PlainObject): boolean {
  return REQUIRED_BY_DEFAULT.includes(type) ? required !== false : type === FILE_UPLOAD && required === true
}

function isMultiple({ max_values: max }: PlainObject): boolean {
  return typeof max === 'number' && max > 1
}

/** Renders a label and its control, linked by an `id`, or a `<fieldset>` around a group. API, "Label". */
export function renderLabel({ label: name, description, component }: PlainObject, context: RenderContext): string {
  const id = newId(context)
  const text = textOf(description, context)
  const hint = text ? `${id}-hint` : undefined
  const control = fieldsOf(component)
  const { type = 0, required } = control
  const isGroup = type === RADIO_GROUP || type === CHECKBOX_GROUP || (type !== FILE_UPLOAD && isMultiple(control))
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

export function renderFileUpload(value: PlainObject, _: RenderContext, field: Field): string {
  return openTag('input', {
    type: 'file',
    ...controlAttributes(field, isRequired(value)),
    multiple: value.max_values !== 1,
  })
}

export function renderCheckbox(value: PlainObject, _: RenderContext, field: Field): string {
  const attributes = { ...controlAttributes(field), class: undefined, checked: value.default === true }
  return openTag('input', { type: 'checkbox', ...attributes })
}

function renderChoice(attributes: Attributes, name: string, description: string): string {
  const input = openTag('input', { form: '', ...attributes })
  const details = description && element('small', {}, escapeHtml(description))
  return element('label', { class: 'rp-choice' }, input, element('span', {}, escapeHtml(name)), details)
}

/** Renders the options of a radio group or a checkbox group. API, "Radio Group". */
export function renderChoices(value: PlainObject, context: RenderContext, { id }: Field): string {
  const type = value.type === RADIO_GROUP ? 'radio' : 'checkbox'
  const options = itemsOf(value.options, context).map((item) => {
    const option = fieldsOf(item)
    const attributes = {
      type,
      name: id,
      value: textOf(option.value, context),
      checked: option.default === true,
      // Only on radio buttons: with `required`, every single checkbox would have to be checked.
      required: type === 'radio' && isRequired(value),
    }
    return renderChoice(attributes, textOf(option.label, context), textOf(option.description, context))
  })
  return options.join('')
}

const renderIcon = (d: string): string =>
  element('svg', { class: 'rp-icon', viewBox: '0 0 16 16', 'aria-hidden': 'true' }, element('path', { d }))

/** Bag of a premium button and arrow of an external link. */
const SHOP_ICON = renderIcon('M2 5h12l-1 10H3zM5.5 7V4a2.5 2.5 0 0 1 5 0v3')
const LINK_ICON = renderIcon('M9 2h5v5M14 2 7 9M6 3H2v11h11v-4')

/**
 * Returns the fields of an emoji. The API document does not show them; by convention, one with an `id` is a custom
 * emoji, and otherwise the `name` is the emoji itself.
 */
function readEmoji(emoji: unknown, context: RenderContext) {
  const { id, name, animated } = fieldsOf(emoji)
  return { id: textOf(id, context), name: textOf(name, context), isAnimated: animated === true }
}

/** Renders a button; one of an unknown style looks like a secondary button. API, "Button". */
export function renderButton(
  { style, label, emoji, url, sku_id, disabled }: PlainObject,
  context: RenderContext,
): string {
  const isLink = style === LINK
  const isPremium = style === PREMIUM
  const { id, name, isAnimated } = readEmoji(isPremium ? undefined : emoji, context)
  const icon = id ? renderEmoji(id, name, isAnimated, context) : escapeHtml(name)
  const text = escapeHtml(isPremium ? `SKU ${textOf(sku_id, context)}` : textOf(label, context).trim())
  const space = icon && text && ' '
  const content = `${isPremium ? SHOP_ICON : ''}<span>${icon}${space}${text || icon ? text : 'Button'}</span>${isLink ? LINK_ICON : ''}`
  const className = `rp-button rp-style-${typeof style === 'number' ? style : ''}`
  const href = isLink && disabled !== true && toWebUrl(textOf(url, context))
  if (href) return `${openLink(href, className)}${content}</a>`
  return `${openTag('button', { type: 'button', class: className, disabled: disabled === true || isLink })}${content}</button>`
}

/** Reads an option of a select, or a default value of an auto-populated one, which has no options. */
function readOption(item: unknown, isAuto: boolean, context: RenderContext) {
  const { id, type, label, value, description, emoji, default: isDefault } = fieldsOf(item)
  const icon = readEmoji(emoji, context)
  const iconText = icon.id ? `:${icon.name}: ` : icon.name && `${icon.name} `
  const kind = type === 'role' || type === 'channel' ? type : 'user'
  return {
    name: isAuto ? mentionText(kind, textOf(id, context), context) : iconText + textOf(label, context),
    value: textOf(value, context),
    details: isAuto ? '' : textOf(description, context),
    isChosen: isAuto || isDefault === true,
  }
}

/**
 * Renders a select. One of several values is a list of checkboxes that opens, because a `<select multiple>` never looks
 * closed. API, "String Select" and "User Select".
 */
export function renderSelect(value: PlainObject, context: RenderContext, field?: Field): string {
  const isAuto = value.type !== STRING_SELECT
  const isDisabled = value.disabled === true
  const isMulti = isMultiple(value)
  const options = itemsOf(isAuto ? value.default_values : value.options, context).map((item) =>
    readOption(item, isAuto, context),
  )
  const chosen = options.filter(({ isChosen }) => isChosen).map(({ name }) => name)
  const placeholder = textOf(value.placeholder, context) || 'Select'
  const summary = escapeHtml((isMulti && chosen.join(', ')) || placeholder)
  if (isMulti && options[0] && !isDisabled) {
    const choices = options.map((option) =>
      renderChoice({ type: 'checkbox', value: option.value, checked: option.isChosen }, option.name, option.details),
    )
    return element('details', { class: 'rp-control rp-multi' }, element('summary', {}, summary), ...choices)
  }
  const attributes = {
    // In messages there is no `required` and no label.
    ...controlAttributes(field ?? {}, field && isRequired(value)),
    'aria-label': field && !isMulti ? undefined : placeholder,
    disabled: isDisabled,
  }
  const first = element('option', { value: '', disabled: true, selected: isMulti || !chosen[0] }, summary)
  const others = options.map(({ name, details, ...option }) =>
    element(
      'option',
      { value: option.value, selected: option.isChosen && !isMulti },
      escapeHtml(`${name}${details && ` – ${details}`}`),
    ),
  )
  return element('select', attributes, first, ...others)
}
