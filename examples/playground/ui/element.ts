/** A child of an element; `false`, `null` and `undefined` are skipped. */
export type Child = Node | string | false | null | undefined

type Value = string | number | boolean | undefined | ((event: Event) => void)

/** Attributes by their HTML names; `true` for attributes without a value, and functions for listeners such as `onclick`. */
export type Attributes = Readonly<Record<string, Value>>

/** Creates an element. Strings become text nodes, so no HTML is parsed. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue
    if (typeof value === 'function') element.addEventListener(name.slice(2), value)
    else element.setAttribute(name, value === true ? '' : String(value))
  }
  element.append(...children.filter((child) => child !== false && child !== null && child !== undefined))
  return element
}

/** Creates a button. */
export function button(text: string, onclick: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return h('button', { type: 'button', ...attributes, onclick }, text)
}

/** Creates a form that calls `submit` instead of sending a request. */
export function form(submit: () => void, attributes: Attributes, ...children: readonly Child[]): HTMLFormElement {
  const onsubmit = (event: Event) => {
    event.preventDefault()
    submit()
  }
  return h('form', { ...attributes, onsubmit }, ...children)
}

let ids = 0

/** Returns an `id` that is unique on the page. */
export function uniqueId(): string {
  return `part-${++ids}`
}
