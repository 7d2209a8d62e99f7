// The section of requests. The page contains the text of the function, so it uses nothing outside of it but types.
import type { JournalEntry } from '../../journal'
import type { Connection } from './connection'
import type { Elements } from './elements'

/** Creates the section of requests, with what each sent and received. */
export function createRequests(ui: Elements, connection: Connection, nameOf: (user: string) => string) {
  const PAGE = 200
  const MAX_KEPT = 10_000
  const { element, button, copyButton, field, choice, section, update, loader, number } = ui
  const { bar, strong, status, line, muted, code, timeOf, json } = ui
  /** Newest first. */
  let entries: JournalEntry[] = []
  /** Requests that are not shown yet. */
  const received: JournalEntry[] = []
  const rows = new WeakMap<JournalEntry, HTMLElement>()
  const texts = new WeakMap<JournalEntry, string>()
  /** Number of earlier requests that neither the mock nor this page has any more. */
  let dropped = 0
  let clears = 0
  let limit = PAGE

  const words = field('words', 'Words', { type: 'search', input: () => filter() })
  const filter = () => {
    limit = PAGE
    show()
  }
  const choices = {
    status: choice('Status', filter),
    endpoint: choice('Endpoint', filter),
    user: choice('User', filter),
  }
  const filters = bar(words, choices.status.label, choices.endpoint.label, choices.user.label)
  filters.classList.add('filters')
  const clearAll = button('Clear', () => connection.call('DELETE', 'requests'), 'Clear requests')
  const requests = section('traffic', 'requests', 'Requests', [clearAll], [filters])

  const statusOf = ({ status }: JournalEntry) => String(status ?? 'no response')
  const endpointOf = ({ endpoint, method, path }: JournalEntry) => endpoint ?? `${method} ${path}`

  function hasWord(entry: JournalEntry, word: string): boolean {
    const text = texts.get(entry) ?? JSON.stringify(entry).toLowerCase()
    texts.set(entry, text)
    const name = nameOf(entry.user ?? '').toLowerCase()
    return text.includes(word) || name.includes(word)
  }

  function matcher(): (entry: JournalEntry) => boolean {
    const wanted = (words.querySelector('input')?.value ?? '').toLowerCase().split(/\s+/)
    const { status, endpoint, user } = choices
    return (entry) =>
      wanted.every((word) => hasWord(entry, word)) &&
      ['', statusOf(entry), `${statusOf(entry)[0]}xx`].includes(status.value) &&
      ['', endpointOf(entry)].includes(endpoint.value) &&
      ['', entry.user].includes(user.value)
  }

  function show(): void {
    const matches = entries.filter(matcher())
    const shown = matches.slice(0, limit)
    const list = shown.map((entry) => {
      const row = rows.get(entry) ?? requestRow(entry)
      rows.set(entry, row)
      return row
    })
    if (entries.length === 0) list.push(empty(`No requests yet. Send one to ${connection.serviceUrl}`))
    else if (matches.length === 0) list.push(empty('No request matches. ', button('Show all', clearFilters)))
    else if (matches.length > limit) list.push(empty(button(`Show ${PAGE} more`, showMore)))
    if (dropped > 0) list.push(empty(`The mock no longer has ${number(dropped)} earlier ones.`))
    update(requests, list)
    // Accounts may be loaded, or renamed, after their requests.
    for (const one of requests.list.querySelectorAll<HTMLElement>('[data-user]')) {
      one.textContent = nameOf(one.dataset.user ?? '')
    }
    // How many are shown, match and were received; each only once.
    const counts = new Set([shown.length, matches.length, entries.length + dropped].map(number))
    requests.count.textContent = entries.length === 0 ? '' : [...counts].join(' of ')
    choices.status.offer(entries.map(statusOf).flatMap((one) => (/^\d/.test(one) ? [`${one[0]}xx`, one] : one)))
    choices.endpoint.offer(entries.map(endpointOf))
    const users = entries.flatMap(({ user }) => user ?? [])
    choices.user.offer(users, nameOf)
  }

  const empty = (...children: (Node | string)[]) => element('li', { class: 'empty' }, ...children)

  async function showMore(): Promise<void> {
    limit += PAGE
    show()
  }

  async function clearFilters(): Promise<void> {
    for (const input of words.querySelectorAll('input')) input.value = ''
    for (const one of Object.values(choices)) one.clear()
    show()
  }

  function requestRow(entry: JournalEntry): HTMLElement {
    const { method, path, endpoint, user, reason, at, durationMs } = entry
    const isGood = entry.status !== null && entry.status < 400
    const summary = element('summary')
    const parts = [
      timeOf(at),
      element('strong', { class: isGood ? 'good' : 'bad' }, statusOf(entry)),
      code(`${method} ${path}`),
      endpoint ?? '',
      user === null ? '' : element('span', { class: 'muted', 'data-user': user }, nameOf(user)),
      reason === null ? '' : status(reason.message, false),
      durationMs === 0 ? '' : muted(`${number(durationMs)} ms`),
    ]
    for (const part of parts) summary.append(part, ' ')
    const details = element('details', {}, summary)
    // Written when it is opened: most rows never are.
    details.addEventListener('toggle', () => details.append(...contentsOf(entry)), { once: true })
    return element('li', {}, details)
  }

  function contentsOf(entry: JournalEntry): HTMLElement[] {
    const { user, reason, fault, params, headers, answer, at, durationMs } = entry
    const part = (title: string, ...children: HTMLElement[]) =>
      element('div', {}, element('h3', {}, title), ...children)
    const pairs = (values: Readonly<Record<string, string>>) =>
      element(
        'dl',
        {},
        ...Object.entries(values).flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]),
      )
    const body = (value: unknown) => (value === null ? element('p', { class: 'muted' }, 'none') : json(value))
    const fields = (reason?.fields ?? []).map(({ path, code, message }) => line(strong(path), `${message} (${code})`))
    const suffix = reason?.code == null ? '' : ` (code ${reason.code})`
    const why =
      reason &&
      part(
        `Reason, from ${reason.source === 'fault' ? 'a fault' : 'the service'}`,
        line(reason.message + suffix),
        ...fields,
      )
    return [
      bar(
        copyButton(() => curlOf(entry), 'Copy as curl', 'Copy as curl'),
        copyButton(() => faultOf(entry), 'Copy as a fault', 'Copy as a fault'),
      ),
      line(muted('received'), at, muted('answered after'), `${number(durationMs)} ms`, muted('user'), user ?? 'none'),
      ...(why ? [why] : []),
      ...(fault ? [part('Fault', line(fault))] : []),
      element(
        'div',
        { class: 'parts' },
        part('Parameters', body(params)),
        part('Answer', answer ? body(answer.body) : line('none')),
        part('Headers', pairs(headers)),
        part('Headers of the answer', pairs(answer?.headers ?? {})),
      ),
    ]
  }

  /** Returns the request as a command, with its secrets masked. */
  function curlOf({ method, path, query, headers, params }: JournalEntry): string {
    const quote = (text: string) => `'${text.replaceAll(/\p{Cc}/gu, '?').replaceAll("'", "'\\''")}'`
    const sent = Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, one]))
    const search = String(new URLSearchParams(sent))
    const isSent = (name: string) =>
      !/^(?:host|connection|content-length|accept-encoding|transfer-encoding)$/.test(name)
    const all = { ...(connection.namespace !== 'default' && { 'x-mock-namespace': connection.namespace }), ...headers }
    const lines = Object.entries(all).filter(([name]) => isSent(name))
    const isInBody = ([name]: [string, unknown]) => !Object.hasOwn(query, name)
    const fields = Array.isArray(params) ? params : Object.fromEntries(Object.entries(Object(params)).filter(isInBody))
    const hasBody = params !== null && (search === '' || Object.keys(fields).length > 0)
    return [
      `curl -g -X ${quote(method)} ${quote(connection.serviceUrl + path + (search && `?${search}`))}`,
      ...lines.map(([name, value]) => `-H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`),
      ...(hasBody ? [`--data-raw ${quote(JSON.stringify(fields))}`] : []),
    ].join(' ')
  }

  /** Returns the fault that answers the next request in this way, as JSON for `POST /faults` and seeds. */
  function faultOf(entry: JournalEntry): string {
    const { headers = {}, body = null } = entry.answer ?? {}
    const isWhole = typeof body === 'object' && body !== null && !JSON.stringify(body).includes('"[truncated]"')
    const retryAfter = Number(headers['retry-after'] ?? Number.NaN)
    const answer = { status: entry.status, ...(isWhole && { body }), ...(retryAfter >= 0 && { retryAfter }) }
    return JSON.stringify({
      endpoint: endpointOf(entry),
      ...(entry.status === null ? { reset: true } : answer),
      times: 1,
    })
  }

  function add(added: readonly JournalEntry[]): void {
    const known = new Set(entries.map(({ id }) => id))
    entries = [...entries, ...added.filter(({ id }) => !known.has(id))]
    entries.sort((one, other) => other.id - one.id)
    dropped += entries.splice(MAX_KEPT).length
    show()
  }

  function clear(): void {
    clears += 1
    received.length = 0
    entries = []
    dropped = 0
  }

  /** Loads the requests that the service has recorded. */
  async function load(): Promise<void> {
    const before = clears
    const all = await connection.call<{ items: JournalEntry[]; dropped: number }>('GET', 'requests')
    if (before !== clears) return
    dropped = all.dropped
    add(all.items)
  }

  return {
    load: loader(requests, load),
    /** Shows the requests that were received. */
    showReceived: async () => add(received.splice(0)),
    /** Forgets all requests. */
    clear() {
      clear()
      show()
    },
    /** Forgets those of another connection, until they are loaded. */
    forget: clear,
    receive: (entry: JournalEntry) => void received.push(entry),
  }
}
