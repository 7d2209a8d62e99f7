// The sections of the inspector. The page contains the text of each function, so none uses anything
// outside of it but types.
import type { MailParts, Message, MockUser } from '../../database'
import type { MockGatewaySession } from '../../gateway/gateway'
import type { MockGatewayFrame } from '../../gateway/hub'
import type { TotpCode } from '../rows-accounts'
import type { ClockState, ControlFault } from '../rows-service'
import type { Connection } from './connection'
import type { Elements } from './elements'

/** Creates the section of the clock and of the snapshots. */
export function createClock(ui: Elements, { call, items }: Connection) {
  const { byId, sections, element, button, form, field, replace, bar } = ui
  let clock: ClockState = { now: '', frozen: false, offset: 0 }
  const now = () => (clock.frozen ? Date.parse(clock.now) : Date.now() + clock.offset)
  const time = ui.muted('')
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
    bar(heading, time, element('span', { class: 'space' }), reset),
    bar(freeze, ...['1m', '5m', '1h', '24h'].map(advance)),
    bar(save, snapshots),
  ]
  byId('state').append(element('section', { id: 'clock', 'aria-labelledby': 'clock-title' }, ...rows))
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
  const { element, show, button, copyButton, form, field, section, fill, loader } = ui
  const { bar, strong, status, line, muted, code } = ui
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
  const list = section('state', 'accounts', 'Accounts', [find], [addUser])

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
    const empty = users.length === 0 ? 'No accounts.' : 'No account matches.'
    fill(list, matches.slice(0, MAX_USERS).map(userRow), empty, matches.length)
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

  return { load: loader(list, load), showCodes, nameOf: (user: string) => names.get(user) ?? user }
}

/** Creates the section of gateway sessions, with their frames. */
export function createGateway(ui: Elements, connection: Connection, nameOf: (user: string) => string) {
  const MAX_FRAMES = 100
  const NAMES: Readonly<Record<number, string>> = {
    1: 'Heartbeat',
    2: 'Identify',
    6: 'Resume',
    7: 'Reconnect',
    9: 'Invalid Session',
    10: 'Hello',
    11: 'Heartbeat ACK',
  }
  const { element, button, form, section, fill, update, replace, loader, number } = ui
  const { strong, status, line, muted, code, timeOf } = ui
  const { call, items } = connection
  const everyone = (text: string, action: string) =>
    button(`${text} all`, () => call('POST', `gateway/${action}`, {}), `${text} all connections`)
  const controls = [everyone('Cut', 'drop'), everyone('Reconnect', 'reconnect')]
  const gateway = section('state', 'gateway', 'Gateway sessions', controls)
  let rows = new Map<string, ReturnType<typeof sessionRow>>()

  function sessionRow({ id, user }: MockGatewaySession) {
    const who = nameOf(user)
    const head = element('div')
    const act = (text: string, action: string) =>
      button(text, () => call('POST', `gateway/${action}`, { session: id }).then(load), `${text} the session of ${who}`)
    const count = muted('')
    const list = element('ul', { class: 'list frames', tabindex: '0', 'aria-label': `Frames of ${who}` })
    const frame = element('textarea', {
      name: 'frame',
      rows: '2',
      required: true,
      placeholder: '{"op":0,"t":"…","s":1,"d":{}}',
    })
    const send = form(`Send a frame to ${who}`, [element('label', {}, 'Frame', frame)], 'Send', async (values) => {
      await call('POST', 'gateway/raw', { session: id, frame: values.get('frame') })
      await loadFrames()
    })
    const details = element('details', {}, element('summary', {}, 'Frames', ' ', count), send, list)
    details.addEventListener('toggle', () => void loadFrames())

    async function loadFrames(): Promise<void> {
      if (!details.open) return
      const all = await items<MockGatewayFrame>(`gateway/frames?session=${encodeURIComponent(id)}`)
      const shown = all.slice(-MAX_FRAMES).reverse()
      count.textContent = all.length > shown.length ? `${shown.length} of ${number(all.length)}` : number(all.length)
      list.replaceChildren(...shown.map(frameRow))
    }

    return {
      row: element('li', {}, head, details),
      loadFrames,
      show({ sequence, connected, frozen }: MockGatewaySession): void {
        const state = frozen ? 'frozen' : connected ? 'connected' : 'disconnected'
        const buttons = [
          act('Cut', 'drop'),
          frozen ? act('Unfreeze', 'unfreeze') : act('Freeze', 'freeze'),
          act('Reconnect', 'reconnect'),
          act('Invalidate', 'invalid'),
        ]
        replace(head, [
          line(strong(who), status(state, connected && !frozen), muted(`sequence ${sequence}`), code(id)),
          element('div', { class: 'bar', 'data-key': id }, ...buttons),
        ])
      },
    }
  }

  function frameRow({ from, frame, at }: MockGatewayFrame): HTMLElement {
    const { op, t, s } = Object(frame)
    const name = typeof t === 'string' ? t : (NAMES[op] ?? `op ${op}`)
    const title = typeof frame === 'string' ? '' : `${name}${typeof s === 'number' ? `, sequence ${s}` : ''}`
    const direction = from === 'client' ? 'received' : 'sent'
    return element('li', {}, line(timeOf(at), muted(direction), strong(title)), code(JSON.stringify(frame)))
  }

  async function load(): Promise<void> {
    const sessions = await items<MockGatewaySession>('gateway/sessions')
    const known = rows
    // Namespaces of the same seed have the same IDs.
    const keyOf = ({ id, user }: MockGatewaySession) => `${connection.namespace} ${id} ${nameOf(user)}`
    rows = new Map(sessions.map((session) => [keyOf(session), known.get(keyOf(session)) ?? sessionRow(session)]))
    for (const session of sessions) rows.get(keyOf(session))?.show(session)
    const empty = 'No sessions. A client that connects and identifies appears here.'
    if (rows.size === 0) return fill(gateway, [], empty)
    update(
      gateway,
      [...rows.values()].map(({ row }) => row),
    )
    gateway.count.textContent = number(rows.size)
    await loadFrames()
  }

  const loadFrames = async () => void (await Promise.all([...rows.values()].map((row) => row.loadFrames())))

  return { load: loader(gateway, load), loadFrames }
}

/** Creates the section of faults of endpoints. */
export function createFaults(ui: Elements, { call, items }: Connection) {
  const { element, button, form, field, section, fill, strong, muted, code, loader } = ui
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
  const faults = section(
    'state',
    'faults',
    'Faults',
    [button('Remove all', () => call('DELETE', 'faults'))],
    [addFault],
  )

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

  return { load: loader(faults, load) }
}

/** Creates the section of mails and SMS. */
export function createMessages(ui: Elements, { call, items }: Connection) {
  const MAX_SHOWN = 200
  const { element, button, copyButton, section, fill, bar, strong, line, muted, code, timeOf, loader } = ui
  type Sent = Message & Partial<MailParts>
  const clear = async () => {
    await call('DELETE', 'mail')
    await call('DELETE', 'sms')
  }
  const messages = section('traffic', 'messages', 'Mails and SMS', [button('Clear', clear, 'Clear mails and SMS')])

  function messageRow({ id, to, kind, text, at, subject, html: _, link = '', ...values }: Sent): HTMLElement {
    // A policy may make links of any scheme.
    const opened = /^https?:/.test(link) && element('a', { href: link, target: '_blank', rel: 'noreferrer' }, link)
    const copied = Object.entries(values).map(([name, value]) => {
      const copy = copyButton(() => String(value), `Copy ${name}`)
      return bar(muted(name), code(String(value)), copy)
    })
    const copyLink = copyButton(() => link, 'Copy the link')
    return element(
      'li',
      { 'data-key': id, class: 'message' },
      line(timeOf(at), muted(subject === undefined ? 'SMS to' : 'Mail to'), strong(to), muted(kind)),
      subject === undefined ? undefined : element('h3', {}, subject),
      element('p', {}, text),
      link === '' ? undefined : bar(opened || code(link), copyLink),
      ...copied,
    )
  }

  async function load(): Promise<void> {
    const all = (await Promise.all([items<Sent>('mail'), items<Sent>('sms')])).flat()
    all.sort((one, other) => (one.at < other.at ? 1 : -1))
    const empty = 'No mail or SMS yet. What the service sends, such as after “Forgot password”, appears here.'
    fill(messages, all.slice(0, MAX_SHOWN).map(messageRow), empty, all.length)
  }

  return { load: loader(messages, load) }
}
