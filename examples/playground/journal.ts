import { button, card, h, newId } from './element'

/** What kind of thing happened. */
export type JournalKind = 'call' | 'again' | 'event'

/** Something that happened. */
export interface JournalLine {
  /** To whose client. */
  readonly who: string
  readonly kind: JournalKind
  /** In a word or two. */
  readonly what: string
  readonly text: string
  readonly tone?: 'good' | 'bad' | 'calm'
}

/** Tells everything as it happens, the newest first. */
export interface Journal {
  readonly element: HTMLElement
  add(line: JournalLine): void
}

/** More lines than this help nobody. */
const MOST_LINES = 200

const FILTERS = {
  all: 'Everything',
  call: 'Requests and answers',
  again: 'Retries and second factors',
  event: 'Gateway',
} as const

export function createJournal(...tools: readonly HTMLElement[]): Journal {
  const lines = h('ol', { class: 'lines' })
  const filter = h(
    'select',
    { id: newId(), onchange: () => lines.setAttribute('data-shows', filter.value) },
    ...Object.entries(FILTERS).map(([value, title]) => h('option', { value }, title)),
  )
  lines.dataset.shows = 'all'
  const start = performance.now()
  const element = card(
    'What happens',
    ...tools,
    h(
      'div',
      { class: 'filter' },
      h('label', { for: filter.id }, 'Show'),
      filter,
      button('Clear', () => lines.replaceChildren()),
    ),
    h('div', { class: 'scroller', tabindex: '0', role: 'region', 'aria-label': 'Events, newest first' }, lines),
  )
  element.classList.add('happens')
  return {
    element,
    add({ who, kind, what, text, tone = 'calm' }) {
      const seconds = `${((performance.now() - start) / 1000).toFixed(1)}\u00a0s`
      const line = h(
        'li',
        {},
        h('span', { class: 'when' }, seconds),
        h('span', { class: 'who' }, who),
        h('span', {}, h('span', { class: 'what' }, what), ` ${text}`),
      )
      line.dataset.kind = kind
      line.dataset.tone = tone
      lines.prepend(line)
      while (lines.childElementCount > MOST_LINES) lines.lastElementChild?.remove()
    },
  }
}
