// The sections of the inspector. The page contains the text of each function, so none uses anything
// outside of it but types.
import type { Message, MockUser } from '../../database'
import type { MockGatewaySession } from '../../gateway/gateway'
import type { JournalEntry } from '../../journal'
import type { TotpCode } from '../rows-accounts'
import type { ClockState, ControlFault } from '../rows-service'
import type { Connection } from './connection'
import type { Elements } from './elements'

/** Creates the section of the clock and of the snapshots. */
export function createClock(ui: Elements, { call, items }: Connection) {
  const { main, sections, element, button, form, field, replace, bar } = ui
  let clock: ClockState = { now: '', frozen: false, offset: 0 }
  const now = () => (clock.frozen ? Date.parse(clock.now) : Date.now() + clock.offset)
  const time = element('strong', {})
  const freeze = button('Freeze', () => call('POST', 'clock/freeze', { frozen: !clock.frozen }))
  const advance = (by: string) =>
    button(`+${by}`, () => call('POST', 'clock/advance', { by }), `Advance the clock by ${by}`)
  const snapshots = element('span', { class: 'bar' })
  const reset = button('Reset', async () => {
    if (confirm('Restore the state that the mock started with?')) await call('POST', 'reset')
  })
  const save = form(
    'Save a snapshot',
    [field('name', 'Snapshot', { required: true, maxlength: '64', pattern: '[A-Za-z0-9_.\\-]{1,64}' })],
    'Save',
    async (values) => {
      await call('PUT', `snapshots/${values.get('name')}`)
      await loadSnapshots()
    },
  )
  const heading = element('h2', { id: 'clock-title' }, 'Clock and state')
  const rows = [
    bar(heading, element('span', { class: 'space' }), reset),
    bar(time, freeze, ...['1m', '5m', '1h', '24h'].map(advance)),
    bar(save, snapshots),
  ]
  main.append(element('section', { id: 'clock', 'aria-labelledby': 'clock-title' }, ...rows))
  sections.append(element('li', {}, element('a', { href: '#clock' }, 'Clock')))

  async function load(): Promise<void> {
    clock = await call('GET', 'clock')
    freeze.textContent = clock.frozen ? 'Unfreeze' : 'Freeze'
  }

  async function loadSnapshots(): Promise<void> {
    const saved = await items<{ name: string }>('snapshots')
    const restore = ({ name }: { name: string }) =>
      element(
        'span',
        { 'data-key': name },
        button(`Restore ${name}`, () => call('POST', `snapshots/${encodeURIComponent(name)}/restore`)),
      )
    replace(snapshots, saved.map(restore))
  }

  function showTime(): void {
    time.textContent = `${new Date(now()).toISOString().slice(0, 19).replace('T', ' ')} UTC${clock.frozen ? ', frozen' : ''}`
  }

  return { now, isFrozen: () => clock.frozen, showTime, load, loadSnapshots }
}

/** Creates the section of accounts. */
export function createAccounts(ui: Elements, connection: Connection, clock: ReturnType<typeof createClock>) {
  const MAX_USERS = 50
  const { element, show, button, copyButton, form, field, section, fill, bar, strong, status, line, muted, code } = ui
  const { call, items } = connection
  const names = new Map<string, string>()
  let users: readonly MockUser[] = []
  const codes = new Map<string, TotpCode>()
  const find = field('find', 'Find', { input: () => showUsers() })
  const addUser = form(
    'Create an account',
    [
      field('login', 'Login', { required: true }),
      field('password', 'Password', { minlength: '8' }),
      element('label', {}, element('input', { type: 'checkbox', name: 'totp' }), 'TOTP'),
    ],
    'Create',
    (values) =>
      call('POST', 'users', {
        login: values.get('login'),
        ...(values.get('password') && { password: values.get('password') }),
        ...(values.has('totp') && { mfa: ['totp'] }),
      }),
  )
  const list = section('accounts', 'Accounts', [find], [addUser])

  function userRow(user: MockUser): HTMLElement {
    const path = `users/${encodeURIComponent(user.id)}`
    const label = (action: string) => `${action} ${user.username}`
    const isActive = user.status === 'active'
    const act = (text: string, action: string) => button(text, () => call('POST', `${path}/${action}`), label(text))
    const issue = async () => (await call<{ token: string }>('POST', 'tokens', { user: user.id })).token
    const value = element('code', { 'data-totp': user.id }, codes.get(user.id)?.code ?? '')
    const copy = copyButton(() => value.textContent ?? '', label('Copy the code of'))
    const totp = element('span', { class: 'bar' }, 'TOTP', value, muted(''), copy)
    return element(
      'li',
      { 'data-key': user.id },
      line(strong(user.username), muted([user.email, user.phone].filter(Boolean).join(', '))),
      line(status(user.status, isActive), muted(user.mfa.join(', ')), code(user.id)),
      bar(
        user.mfa.includes('totp') ? totp : undefined,
        ...(isActive ? [act('Lock', 'lock'), act('Disable', 'disable')] : [act('Enable', 'enable')]),
        element('span', {}, 'Token ', copyButton(issue, label('Copy a new token of'))),
      ),
    )
  }

  function showUsers(): void {
    const text = find.querySelector('input')?.value.toLowerCase() ?? ''
    const matches = users.filter((user) =>
      [user.id, user.username, user.email, user.phone].some((one) => one?.toLowerCase().includes(text)),
    )
    fill(list, matches.slice(0, MAX_USERS).map(userRow), 'No accounts.', matches.length)
    showCodes()
  }

  async function load(): Promise<void> {
    users = await items<MockUser>('users')
    names.clear()
    for (const { id, username } of users) names.set(id, username)
    codes.clear()
    showUsers()
  }

  const loading = new Set<string>()

  async function loadCodes(ids: readonly string[]): Promise<void> {
    // The calls would create a namespace again that was removed.
    if (!(await connection.names()).includes(connection.namespace)) return
    const load = async (id: string) => {
      codes.set(id, await call<TotpCode>('GET', `users/${encodeURIComponent(id)}/totp`))
    }
    await Promise.all(ids.map(load))
  }

  /** Shows the current codes with the seconds that they remain valid. */
  function showCodes(): void {
    const expired: string[] = []
    for (const shown of document.querySelectorAll<HTMLElement>('[data-totp]')) {
      const id = shown.dataset.totp ?? ''
      const known = codes.get(id)
      const left = known ? Math.ceil((Date.parse(known.expires_at) - clock.now()) / 1000) : 0
      shown.textContent = known?.code ?? ''
      const remaining = shown.nextElementSibling
      if (remaining) remaining.textContent = clock.isFrozen() || !known ? '' : `${left} s`
      if (left > 0 && left <= 30) continue
      if (loading.has(id)) continue
      loading.add(id)
      expired.push(id)
    }
    if (expired.length === 0) return
    loadCodes(expired)
      .catch(show)
      .finally(() => {
        for (const id of expired) loading.delete(id)
      })
  }

  return { load, showCodes, nameOf: (user: string) => names.get(user) ?? user }
}

/** Creates the section of gateway sessions. */
export function createGateway(ui: Elements, { call, items }: Connection, nameOf: (user: string) => string) {
  const { element, button, section, fill, bar, strong, status, line, muted, code } = ui
  const everyone = (text: string, action: string) =>
    button(`${text} all`, () => call('POST', `gateway/${action}`, {}), `${text} all connections`)
  const gateway = section('gateway', 'Gateway sessions', [everyone('Cut', 'drop'), everyone('Reconnect', 'reconnect')])

  function sessionRow({ id, user, sequence, connected, frozen }: MockGatewaySession): HTMLElement {
    const who = nameOf(user)
    const act = (text: string, action: string) =>
      button(text, () => call('POST', `gateway/${action}`, { session: id }).then(load), `${text} the session of ${who}`)
    const state = frozen ? 'frozen' : connected ? 'connected' : 'disconnected'
    return element(
      'li',
      { 'data-key': id },
      line(strong(who), status(state, connected && !frozen), muted(`sequence ${sequence}`), code(id)),
      bar(
        act('Cut', 'drop'),
        frozen ? act('Unfreeze', 'unfreeze') : act('Freeze', 'freeze'),
        act('Reconnect', 'reconnect'),
        act('Invalidate', 'invalid'),
      ),
    )
  }

  async function load(): Promise<void> {
    fill(gateway, (await items<MockGatewaySession>('gateway/sessions')).map(sessionRow), 'No sessions.')
  }

  return { load }
}

/** Creates the section of faults of endpoints. */
export function createFaults(ui: Elements, { call, items }: Connection) {
  const { element, button, form, field, section, fill, strong, muted, code } = ui
  const addFault = form(
    'Add a fault',
    [
      field('endpoint', 'Endpoint', { required: true, list: 'endpoints' }),
      field('status', 'Status', { type: 'number', min: '200', max: '599', value: '503', required: true }),
      field('times', 'Times', { type: 'number', min: '1', placeholder: 'always' }),
    ],
    'Add',
    (values) =>
      call('POST', 'faults', {
        endpoint: values.get('endpoint'),
        status: Number(values.get('status')),
        ...(values.get('times') && { times: Number(values.get('times')) }),
      }),
  )
  const faults = section('faults', 'Faults', [button('Remove all', () => call('DELETE', 'faults'))], [addFault])

  function faultRow({ id, endpoint, left, ...fault }: ControlFault): HTMLElement {
    const rest = left === null ? 'every request' : `${left} more`
    return element(
      'li',
      { class: 'bar', 'data-key': String(id) },
      strong(endpoint),
      code(JSON.stringify(fault)),
      muted(rest),
      button('Remove', () => call('DELETE', `faults/${id}`), `Remove the fault of ${endpoint}`),
    )
  }

  async function load(): Promise<void> {
    fill(faults, (await items<ControlFault>('faults')).map(faultRow), 'No faults.')
  }

  return { load }
}

/** Creates the sections of requests and of messages. */
export function createTraffic(ui: Elements, { call, items }: Connection, nameOf: (user: string) => string) {
  const MAX_SHOWN = 200
  const { element, button, copyButton, field, section, fill, bar, strong, status, line, muted, code, timeOf, json } = ui

  // Requests

  const search = field('search', 'Filter', { input: () => filterRequests() })
  const requests = section('requests', 'Requests', [
    search,
    button('Clear', () => call('DELETE', 'requests'), 'Clear requests'),
  ])

  function requestRow({
    endpoint,
    method,
    path,
    user,
    params,
    headers,
    reason,
    at,
    ...entry
  }: JournalEntry): HTMLElement {
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
    const write = () => details.append(...(reason ? [json({ reason })] : []), json({ params, headers }))
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

  function messageRow({ id, to, kind, text, at, ...contents }: Message): HTMLElement {
    const shown = Object.entries(contents).filter(([name]) => name !== 'html')
    const values = shown.map(([name, value]) => {
      const copy = copyButton(() => String(value), `Copy ${name}`)
      return bar(muted(name), code(String(value)), copy)
    })
    const head = line(timeOf(at), strong(to), muted(kind))
    return element('li', { 'data-key': id }, head, text, ...values)
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
