import { h } from '../ui/element'

/** A part of an expanded row. */
export interface Section {
  readonly title: string
  readonly text: string
}

/** Creates a row that expands. Its sections are created when it is opened. */
export function createDetails(
  summary: readonly (HTMLElement | null)[],
  sections: () => readonly Section[],
  isOpen: boolean,
): HTMLElement {
  const body = h('div', { class: 'sections' })
  const element = h('details', { open: isOpen }, h('summary', { class: 'summary' }, ...summary), body)
  const fill = () => {
    body.replaceChildren(
      ...sections()
        .filter(({ text }) => text !== '')
        .flatMap(({ title, text }) => [
          h('h3', {}, title),
          h('pre', { tabindex: '0', role: 'group', 'aria-label': title }, text),
        ]),
    )
  }
  element.addEventListener('toggle', () => {
    if (element.open) fill()
  })
  if (isOpen) fill()
  return element
}
