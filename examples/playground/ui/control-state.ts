import type { PageState } from './router'

type Control = HTMLInputElement | HTMLTextAreaElement

/** Keeps the controls with a name in the URL, except for passwords, which never get there. */
export function controlState(element: HTMLElement): PageState {
  const controls = () => [
    ...element.querySelectorAll<Control>('input[name]:not([type=password], [type=radio]), textarea[name]'),
  ]
  return {
    save: () => controls().flatMap(({ name, value, defaultValue }) => (value === defaultValue ? [] : [[name, value]])),
    restore(_, state) {
      if ([...state].length === 0) return
      for (const control of controls()) {
        control.value = state.get(control.name) ?? control.defaultValue
        control.dispatchEvent(new Event('input', { bubbles: true }))
      }
    },
  }
}
