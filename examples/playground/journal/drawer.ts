import { button, h, uniqueId } from '../ui/element'
import type { Journal } from './journal'

/** The journal next to the page, or in a drawer below it on narrow screens. */
export interface Drawer {
  /** Button that opens and closes it. */
  readonly toggle: HTMLElement
  readonly element: HTMLElement
  /** Shows the journal, and moves the focus to it. */
  open(): void
}

/** Screens on which the journal is a drawer, as in the style sheet. */
const NARROW = '(max-width: 1180px)'

/** Creates the drawer. */
export function createDrawer(journal: Journal): Drawer {
  const id = uniqueId()
  const aside = h('aside', { id, class: 'sidebar', 'aria-label': 'Behind the scenes' }, journal.element)
  const count = h('span', { class: 'count' }, '0')
  const toggle = h('button', { type: 'button', class: 'drawer-toggle', 'aria-controls': id }, 'Journal', count)
  const narrow = matchMedia(NARROW)
  let opener: Element | null = null
  const set = (isOpen: boolean) => {
    aside.classList.toggle('open', isOpen)
    toggle.setAttribute('aria-expanded', String(isOpen))
    // Nobody can reach what the drawer covers.
    for (const part of document.querySelectorAll<HTMLElement>('.top, .pages, main'))
      part.inert = isOpen && narrow.matches
  }
  const open = () => {
    opener = document.activeElement
    set(true)
    journal.element.querySelector('.scroller')?.scrollTo(0, 0)
    journal.element.querySelector('h2')?.focus()
  }
  const close = () => {
    if (!aside.classList.contains('open')) return
    set(false)
    if (!narrow.matches) return
    const target = opener instanceof HTMLElement && opener.checkVisibility() ? opener : toggle
    target.focus()
  }
  set(false)
  narrow.addEventListener('change', () => set(false))
  toggle.addEventListener('click', () => {
    if (aside.classList.contains('open')) close()
    else open()
  })
  for (const part of [aside, toggle]) {
    part.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') close()
    })
  }
  journal.element.querySelector('.journal-head')?.append(button('Close', close, { class: 'drawer-close' }))
  journal.onChange((requests) => {
    count.textContent = String(requests)
  })
  return { toggle, element: aside, open }
}
