import { button, card, h, uniqueId } from './element'

/** Kind of an entry, by which the log can be filtered. */
export type LogKind = 'call' | 'retry' | 'event'

/** An entry of the log. */
export interface LogEntry {
  /** Name of the user whose client emitted it. */
  readonly who: string
  readonly kind: LogKind
  /** Short name of the event. */
  readonly what: string
  readonly text: string
  readonly tone?: 'good' | 'bad' | 'calm'
}

/** A log of events, newest first. */
export interface EventLog {
  readonly element: HTMLElement
  add(entry: LogEntry): void
}

/** Maximum number of entries; the oldest ones are removed. */
const MAX_LINES = 200

const FILTERS = {
  all: 'All',
  call: 'Requests and responses',
  retry: 'Retries and second factors',
  event: 'Gateway',
} as const

export function createEventLog(...tools: readonly HTMLElement[]): EventLog {
  const lines = h('ol', { class: 'lines' })
  const filter = h(
    'select',
    { id: uniqueId(), onchange: () => lines.setAttribute('data-filter', filter.value) },
    ...Object.entries(FILTERS).map(([value, title]) => h('option', { value }, title)),
  )
  lines.dataset.filter = 'all'
  const start = performance.now()
  const element = card(
    'Event log',
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
  element.classList.add('event-log')
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
      while (lines.childElementCount > MAX_LINES) lines.lastElementChild?.remove()
    },
  }
}
