import { type Child, h, newId } from './element'

/** Something to fill in, with a place for what is wrong with it. */
export interface Field {
  readonly element: HTMLElement
  /** Says what is wrong, or that nothing is. */
  tell(message: string | undefined): void
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** A control under its label. */
export function field(label: string, control: Control): Field {
  control.id ||= newId()
  const problem = problemOf(control)
  return {
    element: h('div', { class: 'field' }, h('label', { for: control.id }, label), control, problem.element),
    tell: problem.tell,
  }
}

/** Controls that belong together. */
export function group(legend: string, ...controls: readonly Child[]): Field {
  const element = h('fieldset', { class: 'field' }, h('legend', {}, legend), ...controls)
  const problem = problemOf(element)
  element.append(problem.element)
  return { element, tell: problem.tell }
}

/** A box or a dot with its words. */
export function choice(label: string, control: HTMLInputElement): HTMLElement {
  return h('label', { class: 'choice' }, control, label)
}

function problemOf(owner: HTMLElement): Field {
  const element = h('p', { id: newId(), class: 'problem', hidden: true })
  return {
    element,
    tell(message) {
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
