import { run } from './run'

/** Creates an element with children. Strings become text nodes, so no name that the service sends can be markup. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...children)
  return element
}

/** Creates a button that runs an action when it is clicked. */
export function button(text: string, action: () => Promise<unknown>, alert: HTMLElement): HTMLButtonElement {
  return h('button', { type: 'button', textContent: text, onclick: () => run(action, alert) })
}
