import { button, h, uniqueId } from '../ui/element'
import { createDetails, type Section } from './details'

/** Kind of an entry, by which the journal can be filtered. */
export type EntryKind = 'action' | 'request' | 'client' | 'gateway'

/** What a row shows. */
export interface Entry {
  readonly kind: EntryKind
  /** Name of the user whose client did it. */
  readonly who?: string
  /** What happened in a word, such as the status of a response. */
  readonly what: string
  readonly text: string
  readonly tone?: 'good' | 'bad' | 'calm'
  /** Duration of a request, in milliseconds. */
  readonly durationMs?: number | undefined
  /** Returns what the row shows when it is expanded; secrets only if the user wants to see them. */
  readonly sections?: (showsSecrets: boolean) => readonly Section[]
}

/** What the clients of the page do: the newest action first, and its rows in the order of their time. */
export interface Journal {
  readonly element: HTMLElement
  /** Adds a row. Returns a function that replaces its contents. */
  add(entry: Entry): (entry: Entry) => void
  /** Calls `listener` with the number of rows after each change. */
  onChange(listener: (count: number) => void): void
}

/** Maximum number of rows; the oldest ones are removed. */
const MAX_ROWS = 200

const FILTERS = {
  all: 'Everything',
  request: 'Requests',
  client: 'Retries and second factors',
  gateway: 'Gateway',
} as const

export function createJournal(): Journal {
  const rows = h('ol', { class: 'rows-log' })
  /** Last row of the newest action. */
  let last: HTMLElement | undefined
  const listeners = new Set<(count: number) => void>()
  const empty = h(
    'div',
    { class: 'soft empty' },
    h('p', {}, 'Nothing yet. Every request of the page appears here with its response.'),
    h(
      'p',
      {},
      'Tokens, codes and passwords are redacted, as in the logs of the SDK. They are simulated, so you can show them.',
    ),
  )
  const changed = () => {
    empty.hidden = rows.childElementCount > 0
    for (const listener of listeners) listener(rows.querySelectorAll('[data-kind=request]').length)
  }
  const secrets = h('input', { type: 'checkbox', onchange: () => refresh() })
  const updates = new WeakMap<Element, () => void>()
  const refresh = () => {
    for (const row of rows.children) updates.get(row)?.()
  }
  const filter = h(
    'select',
    { 'aria-label': 'Show', onchange: () => rows.setAttribute('data-filter', filter.value) },
    ...Object.entries(FILTERS).map(([value, title]) => h('option', { value }, title)),
  )
  rows.dataset.filter = 'all'
  const clear = () => {
    rows.replaceChildren()
    changed()
  }
  const title = uniqueId()
  const element = h(
    'section',
    { class: 'journal', 'aria-labelledby': title },
    h('div', { class: 'journal-head' }, h('h2', { id: title, tabindex: '-1' }, 'Journal'), button('Clear', clear)),
    h('div', { class: 'journal-tools' }, filter, h('label', { class: 'choice' }, secrets, 'Show secrets')),
    h(
      'div',
      { class: 'scroller', tabindex: '0', role: 'region', 'aria-label': 'Entries, newest action first' },
      empty,
      rows,
    ),
  )
  return {
    element,
    onChange: (listener) => void listeners.add(listener),
    add(entry) {
      const row = h('li')
      const fill = (next: Entry) => {
        row.dataset.kind = next.kind
        row.dataset.tone = next.tone ?? 'calm'
        const isOpen = row.querySelector('details')?.open ?? false
        const { sections } = next
        const refill = () => fill(next)
        updates.set(row, refill)
        const head = summaryOf(next)
        row.replaceChildren(
          sections
            ? createDetails(head, () => sections(secrets.checked), isOpen)
            : h('div', { class: 'summary' }, ...head),
        )
      }
      fill(entry)
      if (entry.kind === 'action' && !entry.sections) last = undefined
      if (last?.isConnected) last.after(row)
      else rows.prepend(row)
      last = row
      while (rows.childElementCount > MAX_ROWS) rows.lastElementChild?.remove()
      changed()
      return fill
    },
  }
}

function summaryOf({ who, what, text, durationMs }: Entry): (HTMLElement | null)[] {
  const duration = durationMs === undefined ? '' : `${durationMs.toFixed(durationMs < 10 ? 1 : 0)} ms`
  return [
    h('span', { class: 'what' }, what),
    h('span', { class: 'text' }, text),
    h('span', { class: 'who' }, [who, duration].filter(Boolean).join(' · ')),
  ]
}
