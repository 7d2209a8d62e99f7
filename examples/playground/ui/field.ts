import { type Child, h, uniqueId } from './element'

/** A form field with its error message. */
export interface Field {
  readonly element: HTMLElement
  /** Shows an error message, or removes it. */
  setError(message: string | undefined): void
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** Creates a field with a label and a control. */
export function field(label: Child, control: Control): Field {
  control.id ||= uniqueId()
  const error = createError(control)
  return {
    element: h('div', { class: 'field' }, h('label', { for: control.id }, label), control, error.element),
    setError: error.setError,
  }
}

/** Creates a fieldset. */
export function group(legend: Child, ...controls: readonly Child[]): Field {
  const element = h('fieldset', { class: 'field' }, h('legend', {}, legend), ...controls)
  const error = createError(element)
  element.append(error.element)
  return { element, setError: error.setError }
}

/** Creates a checkbox or radio button with its label. */
export function choice(label: string, control: HTMLInputElement): HTMLElement {
  return h('label', { class: 'choice' }, control, label)
}

function createError(owner: HTMLElement): Field {
  const element = h('p', { id: uniqueId(), class: 'problem', hidden: true })
  return {
    element,
    setError(message) {
      element.textContent = message ?? ''
      element.hidden = message === undefined
      if (owner instanceof HTMLFieldSetElement) owner.classList.toggle('invalid', message !== undefined)
      else if (message === undefined) owner.removeAttribute('aria-invalid')
      else owner.setAttribute('aria-invalid', 'true')
      if (message === undefined) owner.removeAttribute('aria-describedby')
      else owner.setAttribute('aria-describedby', element.id)
    },
  }
}
