import { h, uniqueId } from '../ui/element'
import type { Journal } from './journal'

/** The journal next to the page, or in a drawer below it on narrow screens. */
export interface Drawer {
  /** Button that opens and closes it. */
  readonly toggle: HTMLElement
  readonly element: HTMLElement
  /** Shows the journal, and moves the focus to it. */
  open(): void
}

/** Creates the drawer. The style sheet decides which screens are narrow. */
export function createDrawer(journal: Journal): Drawer {
  const id = uniqueId()
  const aside = h('aside', { id, class: 'sidebar', 'aria-label': 'Behind the scenes' }, journal.element)
  const count = h('span', { class: 'count' }, '0')
  const toggle = h('button', { type: 'button', class: 'drawer-toggle', 'aria-controls': id }, 'Journal', count)
  const set = (isOpen: boolean) => {
    aside.classList.toggle('open', isOpen)
    toggle.setAttribute('aria-expanded', String(isOpen))
  }
  const open = () => {
    set(true)
    journal.element.querySelector('.scroller')?.scrollTo(0, 0)
    journal.element.querySelector('h2')?.focus()
  }
  set(false)
  toggle.addEventListener('click', () => {
    if (aside.classList.contains('open')) set(false)
    else open()
  })
  aside.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !aside.classList.contains('open')) return
    set(false)
    toggle.focus()
  })
  journal.onChange((requests) => {
    count.textContent = String(requests)
  })
  return { toggle, element: aside, open }
}
