// The section of requests. The page contains the text of these functions, so they use nothing outside of them but types.
import type { JournalEntry } from '../../journal'
import type { Connection } from './connection'
import type { Elements } from './elements'

/** Returns what requests are shown, filtered and copied as. */
export function createTexts(connection: Connection) {
  const statusOf = ({ status }: JournalEntry) => String(status ?? 'no response')
  const endpointOf = ({ endpoint, method, path }: JournalEntry) => endpoint ?? `${method} ${path}`

  /** Returns the request as a command, with its secrets masked. */
  function curlOf({ method, path, query, headers, params }: JournalEntry): string {
    const { namespace, serviceUrl } = connection
    const quote = (text: string) => `'${text.replaceAll(/\p{Cc}/gu, '?').replaceAll("'", "'\\''")}'`
    const sent = Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, one]))
    const search = String(new URLSearchParams(sent))
    const ofConnection = /^(?:host|connection|content-length|accept-encoding|transfer-encoding)$/
    const all = { ...(namespace !== 'default' && { 'x-mock-namespace': namespace }), ...headers }
    const lines = Object.entries(all).filter(([name]) => !ofConnection.test(name))
    const isInBody = ([name]: [string, unknown]) => !Object.hasOwn(query, name)
    const fields = Array.isArray(params) ? params : Object.fromEntries(Object.entries(Object(params)).filter(isInBody))
    const hasBody = params !== null && (search === '' || Object.keys(fields).length > 0)
    return [
      `curl -g -X ${quote(method)} ${quote(serviceUrl + path + (search && `?${search}`))}`,
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
    const effect = entry.status === null ? { reset: true } : answer
    return JSON.stringify({ endpoint: endpointOf(entry), ...effect, times: 1 })
  }

  return { statusOf, endpointOf, curlOf, faultOf }
}

export type Texts = ReturnType<typeof createTexts>

/** Returns a function that creates the row of a request. */
export function createRequestRow(ui: Elements, { statusOf, curlOf, faultOf }: Texts, nameOf: (user: string) => string) {
  const { element, bar, line, strong, muted, code, status, timeOf, number, copyButton } = ui

  function contentsOf(entry: JournalEntry): HTMLElement[] {
    const { user, reason, fault, params, headers, answer, at, durationMs } = entry
    const part = (title: string, ...children: HTMLElement[]) =>
      element('div', {}, element('h3', {}, title), ...children)
    const pairs = (values: Readonly<Record<string, string>>) => {
      const parts = Object.entries(values).map(([name, value]) => [element('dt', {}, name), element('dd', {}, value)])
      return element('dl', {}, ...parts.flat())
    }
    const json = (value: unknown) => element('pre', { tabindex: '0' }, JSON.stringify(value, null, 2))
    const body = (value: unknown) => (value === null ? element('p', { class: 'muted' }, 'none') : json(value))
    const fields = (reason?.fields ?? []).map(({ path, code, message }) => line(strong(path), `${message} (${code})`))
    const suffix = reason?.code == null ? '' : ` (code ${reason.code})`
    const source = reason?.source === 'fault' ? 'a fault' : 'the service'
    return [
      bar(
        copyButton(() => curlOf(entry), 'Copy as curl', 'Copy as curl'),
        copyButton(() => faultOf(entry), 'Copy as a fault', 'Copy as a fault'),
      ),
      line(muted('received'), at, muted('answered after'), `${number(durationMs)} ms`, muted('user'), user ?? 'none'),
      ...(reason ? [part(`Reason, from ${source}`, line(reason.message + suffix), ...fields)] : []),
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

  return (entry: JournalEntry): HTMLElement => {
    const { method, path, endpoint, user, reason, at, durationMs } = entry
    const isGood = entry.status !== null && entry.status < 400
    const parts = [
      timeOf(at),
      element('strong', { class: isGood ? 'good' : 'bad' }, statusOf(entry)),
      code(`${method} ${path}`),
      endpoint ?? '',
      user === null ? '' : element('span', { class: 'muted', 'data-user': user }, nameOf(user)),
      reason === null ? '' : status(reason.message, false),
      durationMs === 0 ? '' : muted(`${number(durationMs)} ms`),
    ]
    const details = element('details', {}, element('summary', {}, ...line(...parts).childNodes))
    // Written when it is opened: most rows never are.
    details.addEventListener('toggle', () => details.append(...contentsOf(entry)), { once: true })
    return element('li', {}, details)
  }
}

/** Creates the filters of the requests. */
export function createFilters(
  { byId, element }: Elements,
  { statusOf, endpointOf }: Texts,
  nameOf: (user: string) => string,
) {
  const words = byId<HTMLInputElement>('words')
  const [statuses, endpoints, users] = ['status', 'endpoint', 'user'].map((id) => byId<HTMLSelectElement>(`of-${id}`))
  const texts = new WeakMap<JournalEntry, string>()

  function hasWord(entry: JournalEntry, word: string): boolean {
    const text = texts.get(entry) ?? JSON.stringify(entry).toLowerCase()
    texts.set(entry, text)
    return (
      text.includes(word) ||
      nameOf(entry.user ?? '')
        .toLowerCase()
        .includes(word)
    )
  }

  /** Offers the values that occur, after a first option for all of them. */
  function offer(select: HTMLSelectElement | undefined, values: Iterable<string>, name = (value: string) => value) {
    const { value = '' } = select ?? {}
    const names = [...new Set(value === '' ? values : [value, ...values])].map((one) => [one, name(one)] as const)
    const all = [['', 'all'] as const, ...names.sort(([, one], [, other]) => one.localeCompare(other))]
    if (select === undefined || select.textContent === all.map(([, text]) => text).join('')) return
    select.replaceChildren(...all.map(([one, text]) => element('option', { value: one }, text)))
    select.value = value
  }

  return {
    /** Returns those of some requests, newest first, that match. */
    apply(entries: readonly JournalEntry[]): JournalEntry[] {
      const wanted = words.value.toLowerCase().split(/\s+/)
      return entries.filter(
        (entry) =>
          wanted.every((word) => hasWord(entry, word)) &&
          ['', statusOf(entry), `${statusOf(entry)[0]}xx`].includes(statuses?.value ?? '') &&
          ['', endpointOf(entry)].includes(endpoints?.value ?? '') &&
          ['', entry.user].includes(users?.value ?? ''),
      )
    },
    offer(entries: readonly JournalEntry[]): void {
      const classes = entries.map(statusOf).flatMap((one) => (/^\d/.test(one) ? [`${one[0]}xx`, one] : one))
      offer(statuses, classes)
      offer(endpoints, entries.map(endpointOf))
      const ids = entries.flatMap(({ user }) => user ?? [])
      offer(users, ids, nameOf)
    },
    clear(): void {
      words.value = ''
      for (const select of [statuses, endpoints, users]) select?.replaceChildren()
    },
  }
}

/** The requests of a namespace, newest first. */
export class RequestStore {
  entries: JournalEntry[] = []
  /** Number of earlier requests that neither the mock nor this page has any more. */
  dropped = 0
  /** Requests that are not shown yet. */
  readonly #received: JournalEntry[] = []
  #clears = 0

  constructor(private readonly connection: Connection) {}

  receive(entry: JournalEntry): void {
    this.#received.push(entry)
  }

  /** Adds the requests that were received. */
  update(): void {
    this.#add(this.#received.splice(0))
  }

  /** Loads the requests that the service has recorded. */
  async load(): Promise<void> {
    const before = this.#clears
    const all = await this.connection.call<{ items: JournalEntry[]; dropped: number }>('GET', 'requests')
    if (before !== this.#clears) return
    this.dropped = all.dropped
    this.#add(all.items)
  }

  /** Forgets all requests. */
  clear(): void {
    this.#clears += 1
    this.#received.length = 0
    this.entries = []
    this.dropped = 0
  }

  #add(added: readonly JournalEntry[]): void {
    const maxKept = 10_000
    const known = new Set(this.entries.map(({ id }) => id))
    this.entries = [...this.entries, ...added.filter(({ id }) => !known.has(id))]
    this.entries.sort((one, other) => other.id - one.id)
    this.dropped += this.entries.splice(maxKept).length
  }
}

/** Shows the requests of a store. */
export function createRequests(
  { element, number, part, setCount, update, load }: Elements,
  store: RequestStore,
  filters: ReturnType<typeof createFilters>,
  createRow: ReturnType<typeof createRequestRow>,
  { nameOf, serviceUrl }: { readonly nameOf: (user: string) => string; readonly serviceUrl: string },
) {
  const PAGE = 200
  const rows = new WeakMap<JournalEntry, HTMLElement>()
  let limit = PAGE

  function rowOf(entry: JournalEntry): HTMLElement {
    const row = rows.get(entry) ?? createRow(entry)
    rows.set(entry, row)
    return row
  }

  function show(maxShown = limit): void {
    limit = maxShown
    const { entries, dropped } = store
    const matches = filters.apply(entries)
    const list = matches.slice(0, limit).map(rowOf)
    const counts = new Set([list.length, matches.length, entries.length + dropped].map(number))
    const button = (text: string, click: () => void) => element('button', { type: 'button', click }, text)
    const empty = (...children: (Node | string)[]) => list.push(element('li', { class: 'empty' }, ...children))
    if (entries.length === 0) empty(`No requests yet. Send one to ${serviceUrl}`)
    else if (matches.length === 0) empty('No request matches. ', button('Show all', showAll))
    else if (matches.length > limit) empty(button(`Show ${PAGE} more`, () => show(limit + PAGE)))
    if (dropped > 0) empty(`The mock no longer has ${number(dropped)} earlier ones.`)
    update('requests', list)
    // Accounts may be loaded, or renamed, after their requests.
    for (const one of part('requests').querySelectorAll<HTMLElement>('[data-user]')) {
      one.textContent = nameOf(one.dataset.user ?? '')
    }
    // How many are shown, match and were received; each only once.
    setCount('requests', entries.length === 0 ? '' : [...counts].join(' of '))
    filters.offer(entries)
  }

  function showAll(): void {
    filters.clear()
    show()
  }

  part('requests', '.filters').addEventListener('input', () => show(PAGE))

  return {
    show: () => show(),
    load: () => load('requests', () => store.load().then(() => show())),
    /** Shows the requests that were received. */
    async showReceived(): Promise<void> {
      store.update()
      show()
    },
  }
}
