import type { Message } from '../../database'
import type { JournalEntry } from '../../journal'
import type { Connection } from './connection'
import type { Elements } from './elements'

/**
 * Creates the sections of requests and of messages. The page contains the text of this function, so it must not use anything
 * outside of it but types.
 */
export function createTraffic(ui: Elements, { call, items }: Connection, nameOf: (user: string) => string) {
  const MAX_SHOWN = 200
  const { element, button, copyButton, field, section, fill, bar, strong, status, line, muted, code, timeOf, json } = ui

  // Requests

  const search = field('search', 'Filter', { input: () => filterRequests() })
  const requests = section('requests', 'Requests', [
    search,
    button('Clear', () => call('DELETE', 'requests'), 'Clear requests'),
  ])

  function requestRow({ endpoint, method, path, user, params, reason, at, ...entry }: JournalEntry): HTMLElement {
    const isGood = entry.status !== null && entry.status < 400
    const summary = element('summary')
    const parts = [
      timeOf(at),
      element('strong', { class: isGood ? 'good' : 'bad' }, String(entry.status ?? 'no response')),
      code(`${method} ${path}`),
      endpoint ?? '',
      user === null ? '' : muted(nameOf(user)),
      reason === null ? '' : status(reason.message, false),
    ]
    for (const part of parts) summary.append(part, ' ')
    const details = element('details', {}, summary)
    // Written when it is opened: most rows never are.
    const write = () => details.append(...(reason ? [json({ reason })] : []), json({ params }))
    details.addEventListener('toggle', write, { once: true })
    return element('li', {}, details)
  }

  /** Requests that are not shown yet, oldest first. */
  const received: JournalEntry[] = []

  async function showRequests(): Promise<void> {
    const rows = received.splice(0).slice(-MAX_SHOWN).reverse().map(requestRow)
    // The list may have been cleared since.
    if (rows.length === 0) return
    requests.list.querySelector('.empty')?.remove()
    requests.list.prepend(...rows)
    while (requests.list.childElementCount > MAX_SHOWN) requests.list.lastElementChild?.remove()
    filterRequests()
  }

  function clearRequests(): void {
    received.length = 0
    fill(requests, [], 'No requests yet.')
  }

  /** Shows the requests that the service has recorded, such as those of a restored snapshot. */
  async function loadRequests(): Promise<void> {
    const all = await items<JournalEntry>(`requests?limit=${MAX_SHOWN}`)
    clearRequests()
    received.push(...all)
    await showRequests()
  }

  function filterRequests(): void {
    const text = search.querySelector('input')?.value.toLowerCase() ?? ''
    const rows = [...requests.list.querySelectorAll<HTMLElement>(':scope > :not(.empty)')]
    for (const row of rows) row.hidden = !row.textContent?.toLowerCase().includes(text)
    requests.count.textContent = String(rows.filter((row) => !row.hidden).length)
  }

  // Mails and SMS

  const messages = section('messages', 'Mails and SMS', [
    button(
      'Clear',
      async () => {
        await call('DELETE', 'mail')
        await call('DELETE', 'sms')
      },
      'Clear mails and SMS',
    ),
  ])

  function messageRow({ to, kind, text, at, ...contents }: Message): HTMLElement {
    const values = Object.entries(contents).map(([name, value]) => {
      const copy = copyButton(() => String(value), `Copy ${name}`)
      return bar(muted(name), code(String(value)), copy)
    })
    const head = line(timeOf(at), strong(to), muted(kind))
    return element('li', { 'data-key': `${at} ${to} ${kind}` }, head, text, ...values)
  }

  async function loadMessages(): Promise<void> {
    const all = (await Promise.all([items<Message>('mail'), items<Message>('sms')])).flat()
    all.sort((one, other) => (one.at < other.at ? 1 : -1))
    fill(messages, all.slice(0, MAX_SHOWN).map(messageRow), 'Nothing was sent yet.', all.length)
  }

  return {
    loadMessages,
    showRequests,
    loadRequests,
    clearRequests,
    receive: (entry: JournalEntry) => void received.push(entry),
  }
}
