import { h } from '../ui/element'
import { choice, type Field, field, group } from '../ui/field'
import { type Entry, type FormField, initialEntry } from './form-fields'

/** A field of the form with its control. */
export interface CallControl {
  readonly field: FormField
  readonly element: HTMLElement
  /** What the user has entered. */
  entry: Entry
  /** Shows a problem next to the control, or removes it. */
  setError(problem: string | undefined): void
  focus(): void
}

/** Creates the control of a field. */
export function createCallControl(of: FormField): CallControl {
  const { name, kind, type, isRequired, isNullable } = of
  const mark = isRequired ? h('span', { class: 'mark' }, 'required') : ''
  const label = h(
    'span',
    { class: 'call-label' },
    h('code', {}, name),
    ' ',
    h('span', { class: 'soft' }, type),
    ' ',
    mark,
  )
  const boxes = of.options.map(([json, text]) => [json, h('input', { type: 'checkbox' }), text] as const)
  const control = createControl(of)
  const parts: Field =
    kind === 'choices'
      ? group(label, h('div', { class: 'choices' }, ...boxes.map(([, box, text]) => choice(text, box))))
      : field(label, control)
  const none = h('input', { type: 'checkbox' })
  const update = () => {
    control.disabled = none.checked
  }
  none.addEventListener('change', update)
  if (isNullable) parts.element.append(choice(`null for ${name}`, none))
  const callControl: CallControl = {
    field: of,
    element: parts.element,
    get entry() {
      const checked = boxes.flatMap(([json, box]) => (box.checked ? [json] : []))
      return { text: kind === 'choices' ? checked.join('\n') : control.value, isNull: none.checked }
    },
    set entry({ text, isNull }) {
      const lines = text.split('\n')
      for (const [json, box] of boxes) box.checked = lines.includes(json)
      control.value = text
      none.checked = isNull
      update()
    },
    setError: parts.setError,
    focus: () => (kind === 'choices' ? boxes[0]?.[1] : control)?.focus(),
  }
  callControl.entry = initialEntry(of)
  return callControl
}

function createControl({ kind, options, isRequired, initial }: FormField) {
  const common = { 'aria-required': isRequired ? 'true' : undefined, autocomplete: 'off', spellcheck: 'false' }
  if (kind === 'choice') {
    const none = isRequired ? null : h('option', { value: '' }, 'not sent')
    return h('select', common, none, ...options.map(([value, text]) => h('option', { value }, text)))
  }
  if (kind === 'json' || kind === 'lines') {
    const rows = Math.max(2, Math.min(initial.split('\n').length, 12))
    const placeholder = kind === 'lines' ? 'one per line' : 'JSON'
    return h('textarea', {
      ...common,
      class: 'call-text',
      rows,
      placeholder,
      wrap: kind === 'json' ? 'off' : undefined,
    })
  }
  const type = kind === 'secret' ? 'password' : 'text'
  return h('input', { ...common, type, inputmode: kind === 'number' ? 'numeric' : undefined })
}
