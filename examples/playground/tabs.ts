import { h, uniqueId } from './element'

/** A tab with its content. */
export interface Tab {
  readonly title: string
  readonly content: HTMLElement
}

/** The elements of a tab list. */
export interface Tabs {
  readonly list: HTMLElement
  readonly panels: readonly HTMLElement[]
  /** Selects the tab with a title and moves the focus to it. */
  show(title: string): void
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 }

/** Creates tabs that support arrow keys, Home and End. */
export function createTabs(tabs: readonly Tab[]): Tabs {
  const parts = tabs.map(({ title, content }) => {
    const [id, panelId] = [uniqueId(), uniqueId()]
    const tab = h('button', { type: 'button', role: 'tab', id, 'aria-controls': panelId }, title)
    const panel = h('div', { role: 'tabpanel', id: panelId, 'aria-labelledby': id, class: 'panel' }, content)
    return { title, tab, panel }
  })
  const select = (index: number) => {
    for (const [at, { tab, panel }] of parts.entries()) {
      tab.setAttribute('aria-selected', String(at === index))
      tab.tabIndex = at === index ? 0 : -1
      panel.hidden = at !== index
    }
  }
  for (const [index, { tab }] of parts.entries()) {
    tab.addEventListener('click', () => select(index))
    tab.addEventListener('keydown', (event) => {
      const last = parts.length - 1
      const ends: Readonly<Record<string, number>> = { Home: 0, End: last }
      const step = STEPS[event.key]
      const next = step === undefined ? ends[event.key] : (index + step + parts.length) % parts.length
      if (next === undefined) return
      event.preventDefault()
      select(next)
      parts[next]?.tab.focus()
    })
  }
  select(0)
  return {
    list: h('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Parts' }, ...parts.map(({ tab }) => tab)),
    panels: parts.map(({ panel }) => panel),
    show(title) {
      const index = parts.findIndex((part) => part.title === title)
      select(index)
      parts[index]?.tab.focus()
    },
  }
}
