/** What may stand inside an element; what is `false`, `null` or `undefined` is left out. */
export type Child = Node | string | false | null | undefined

type Value = string | number | boolean | undefined | ((event: Event) => void)

/** Attributes by their HTML names, `true` for those without a value, and listeners as `onclick`. */
export type Attributes = Readonly<Record<string, Value>>

/** Makes an element. Texts become text nodes: nothing here reads HTML. */
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
  element.append(...present(children))
  return element
}

/** The children that are there. */
export function present(children: readonly Child[]): (Node | string)[] {
  return children.filter((child) => child !== false && child !== null && child !== undefined)
}

/** A button that does something. */
export function button(text: string, onclick: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return h('button', { type: 'button', ...attributes, onclick }, text)
}

/** A card with its heading. */
export function card(title: string, ...children: readonly Child[]): HTMLElement {
  const id = newId()
  return h('section', { class: 'card', 'aria-labelledby': id }, h('h2', { id }, title), ...children)
}

let ids = 0

/** An `id` that nothing else of the page has. */
export function newId(): string {
  return `part-${++ids}`
}
