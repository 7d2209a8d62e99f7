import type { PageState } from './router'

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** Keeps the controls with a name in the URL, except for passwords, which never get there. */
export function controlState(element: HTMLElement): PageState {
  const controls = () => [
    ...element.querySelectorAll<Control>(
      'input[name]:not([type=password], [type=radio]), textarea[name], select[name]',
    ),
  ]
  return {
    save: () =>
      controls().flatMap((control) => {
        const value = currentValueOf(control)
        return value === initialValueOf(control) ? [] : [[control.name, value]]
      }),
    restore(_, state) {
      if ([...state].length === 0) return
      for (const control of controls()) {
        setValue(control, state.get(control.name) ?? initialValueOf(control))
        control.dispatchEvent(new Event('input', { bubbles: true }))
      }
    },
  }
}

const isCheckbox = (control: Control): control is HTMLInputElement => control.type === 'checkbox'

/** Returns the value of a control; of a checkbox, whether it is checked. */
function currentValueOf(control: Control): string {
  return isCheckbox(control) ? String(control.checked) : control.value
}

/** Returns the value that a control has at the beginning; a select has its first option. */
function initialValueOf(control: Control): string {
  if (isCheckbox(control)) return String(control.defaultChecked)
  return control instanceof HTMLSelectElement ? (control.options[0]?.value ?? '') : control.defaultValue
}

function setValue(control: Control, value: string): void {
  if (isCheckbox(control)) control.checked = value === 'true'
  else control.value = value
  // A link may name an option that does not exist.
  if (control instanceof HTMLSelectElement && control.selectedIndex < 0) control.selectedIndex = 0
}
