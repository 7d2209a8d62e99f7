import { type Child, h, uniqueId } from './element'
import type { Router } from './router'

/** Contents of a card. */
export interface CardContents {
  readonly title: string | Text
  /** What the card shows, in one or two sentences. */
  readonly intro?: string
  readonly controls: readonly Child[]
  /** Panel with the code of the card's actions. */
  readonly code?: HTMLElement
  /** Whether the code is next to the controls, if there is space. Default: true. */
  readonly isWide?: boolean
}

/** Creates a card, which its route scrolls to. */
export function createCard(router: Router, route: string, contents: CardContents): HTMLElement {
  const { title, intro, controls, code, isWide = true } = contents
  const id = uniqueId()
  const heading = h('h2', { id, tabindex: '-1' }, title)
  const linkId = uniqueId()
  const link = h('a', { id: linkId, class: 'anchor', href: `#${route}`, 'aria-label': 'Link to' }, '#')
  link.setAttribute('aria-labelledby', `${linkId} ${id}`)
  const element = h(
    'section',
    { class: code && isWide ? 'card with-code' : 'card', 'aria-labelledby': id },
    // A fieldset, so that a page can disable all of its controls.
    h(
      'fieldset',
      { class: 'controls', role: 'none' },
      h('div', { class: 'card-head' }, heading, link),
      intro === undefined ? null : h('p', { class: 'soft' }, intro),
      ...controls,
    ),
    code,
  )
  router.on(route, () => {
    element.scrollIntoView({ block: 'start' })
    heading.focus({ preventScroll: true })
  })
  return element
}
