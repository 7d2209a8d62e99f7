// The other sections of the inspector. The page contains the text of each class and function, so none uses anything outside of
// it but types.
import type { MailParts, Message, MockUser } from '../../database'
import type { MockGatewaySession } from '../../gateway/gateway'
import type { MockGatewayFrame } from '../../gateway/hub'
import type { TotpCode } from '../rows-accounts'
import type { ClockState, ControlFault } from '../rows-service'
import type { Connection } from './connection'
import type { Actions, Elements } from './elements'

/** Creates the section of the clock and of the snapshots. */
export function createClock({ byId, element, button, replace, setCount }: Elements, connection: Connection) {
  let state: ClockState = { now: '', frozen: false, offset: 0 }
  const now = () => (state.frozen ? Date.parse(state.now) : Date.now() + state.offset)
  return {
    now,
    isFrozen: () => state.frozen,
    showTime(): void {
      const time = new Date(now()).toISOString().slice(0, 19).replace('T', ' ')
      setCount('clock', `${time} UTC${state.frozen ? ', frozen' : ''}`)
    },
    async load(): Promise<void> {
      state = await connection.call('GET', 'clock')
      byId('freeze').textContent = state.frozen ? 'Unfreeze' : 'Freeze'
      byId('freeze').dataset.body = JSON.stringify({ frozen: !state.frozen })
    },
    async loadSnapshots(): Promise<void> {
      const restore = ({ name }: { name: string }) =>
        element('span', { 'data-key': name }, button(`Restore ${name}`, `POST snapshots/${name}/restore`))
      replace(byId('snapshots'), (await connection.items<{ name: string }>('snapshots')).map(restore))
    },
  }
}

/** The section of accounts. */
export class Accounts {
  #users: ReadonlyMap<string, MockUser> = new Map()
  readonly #codes = new Map<string, TotpCode>()
  /** IDs of the users whose codes are being loaded. */
  readonly #loading = new Set<string>()
  readonly load = () =>
    this.ui.load('accounts', async () => {
      const users = await this.connection.items<MockUser>('users')
      this.#users = new Map(users.map((user) => [user.id, user]))
      this.#codes.clear()
      this.#show()
    })

  constructor(
    private readonly ui: Elements,
    private readonly connection: Connection,
    private readonly actions: Actions,
    private readonly clock: ReturnType<typeof createClock>,
  ) {
    ui.byId('find').addEventListener('input', () => this.#show())
  }

  nameOf(id: string): string {
    return this.#users.get(id)?.username ?? id
  }

  #show(): void {
    const maxShown = 50
    const text = this.ui.byId<HTMLInputElement>('find').value.toLowerCase()
    const matches = [...this.#users.values()].filter((user) =>
      [user.id, user.username, user.email, user.phone].some((one) => one?.toLowerCase().includes(text)),
    )
    const rows = matches.slice(0, maxShown).map((user) => this.#row(user))
    this.ui.fill('accounts', rows, this.#users.size === 0 ? 'No accounts.' : 'No account matches.', matches.length)
    this.showCodes()
  }

  #row(user: MockUser): HTMLElement {
    const { element, bar, line, strong, muted, status, code, button, copyButton } = this.ui
    const path = `users/${encodeURIComponent(user.id)}`
    const label = (action: string) => `${action} ${user.username}`
    const isActive = user.status === 'active'
    const act = (text: string, action: string) => button(text, `POST ${path}/${action}`, label(text))
    const issue = async () => (await this.connection.call<{ token: string }>('POST', 'tokens', { user: user.id })).token
    const value = element('code', { 'data-totp': user.id }, this.#codes.get(user.id)?.code ?? '')
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

  /** Shows the current codes with the seconds that they remain valid. */
  showCodes(): void {
    const expired: string[] = []
    for (const shown of document.querySelectorAll<HTMLElement>('[data-totp]')) {
      const id = shown.dataset.totp ?? ''
      const known = this.#codes.get(id)
      const left = known ? Math.ceil((Date.parse(known.expires_at) - this.clock.now()) / 1000) : 0
      shown.textContent = known?.code ?? ''
      const remaining = shown.nextElementSibling
      if (remaining) remaining.textContent = this.clock.isFrozen() || !known ? '' : `${left} s`
      if ((left <= 0 || left > 30) && !this.#loading.has(id)) expired.push(id)
    }
    if (expired.length > 0) this.#loadCodes(expired).catch(this.actions.show)
  }

  async #loadCodes(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#loading.add(id)
    try {
      // The calls would create a namespace again that was removed.
      if (!(await this.connection.names()).includes(this.connection.namespace)) return
      const load = async (id: string) => {
        this.#codes.set(id, await this.connection.call<TotpCode>('GET', `users/${encodeURIComponent(id)}/totp`))
      }
      await Promise.all(ids.map(load))
    } finally {
      for (const id of ids) this.#loading.delete(id)
    }
  }
}

/** Returns a function that creates the row of a gateway session; its frames are loaded while they are shown. */
export function createSessionRow(ui: Elements, connection: Connection, nameOf: (user: string) => string) {
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
  const { element, button, replace, strong, status, line, muted, code, timeOf, number } = ui

  function frameRow({ from, frame, at }: MockGatewayFrame): HTMLElement {
    const { op, t, s } = Object(frame)
    const name = typeof t === 'string' ? t : (NAMES[op] ?? `op ${op}`)
    const title = typeof frame === 'string' ? '' : `${name}${typeof s === 'number' ? `, sequence ${s}` : ''}`
    const direction = from === 'client' ? 'received' : 'sent'
    return element('li', {}, line(timeOf(at), muted(direction), strong(title)), code(JSON.stringify(frame)))
  }

  function sendForm(id: string, who: string): HTMLElement {
    const call = { 'data-call': 'POST gateway/raw', 'data-body': JSON.stringify({ session: id }) }
    const placeholder = '{"op":0,"t":"…","s":1,"d":{}}'
    const frame = element('textarea', { name: 'frame', rows: '2', required: true, placeholder })
    const fields = [element('label', {}, 'Frame', frame), element('button', {}, 'Send')]
    return element('form', { class: 'bar', 'aria-label': `Send a frame to ${who}`, ...call }, ...fields)
  }

  return ({ id, user }: MockGatewaySession) => {
    const who = nameOf(user)
    const [head, count] = [element('div'), muted('')]
    const list = element('ul', { class: 'list frames', tabindex: '0', 'aria-label': `Frames of ${who}` })
    const summary = element('summary', {}, 'Frames', ' ', count)
    const details = element('details', { toggle: () => void loadFrames() }, summary, sendForm(id, who), list)
    const act = (text: string, action: string) =>
      button(text, `POST gateway/${action}`, `${text} the session of ${who}`, { session: id })

    async function loadFrames(): Promise<void> {
      if (!details.open) return
      const all = await connection.items<MockGatewayFrame>(`gateway/frames?session=${encodeURIComponent(id)}`)
      const shown = all.slice(-MAX_FRAMES).reverse()
      count.textContent = all.length > shown.length ? `${shown.length} of ${number(all.length)}` : number(all.length)
      list.replaceChildren(...shown.map(frameRow))
    }

    function show({ sequence, connected, frozen }: MockGatewaySession): void {
      const state = frozen ? 'frozen' : connected ? 'connected' : 'disconnected'
      const freeze = frozen ? act('Unfreeze', 'unfreeze') : act('Freeze', 'freeze')
      const buttons = [act('Cut', 'drop'), freeze, act('Reconnect', 'reconnect'), act('Invalidate', 'invalid')]
      replace(head, [
        line(strong(who), status(state, connected && !frozen), muted(`sequence ${sequence}`), code(id)),
        element('div', { class: 'bar', 'data-key': id }, ...buttons),
      ])
    }

    return { row: element('li', {}, head, details), loadFrames, show }
  }
}

/** Creates the section of gateway sessions, with their frames. */
export function createGateway(
  { load, fill, update, setCount, number }: Elements,
  connection: Connection,
  createRow: ReturnType<typeof createSessionRow>,
  nameOf: (user: string) => string,
) {
  let rows = new Map<string, ReturnType<typeof createRow>>()
  const loadFrames = async () => void (await Promise.all([...rows.values()].map((row) => row.loadFrames())))

  async function loadSessions(): Promise<void> {
    const sessions = await connection.items<MockGatewaySession>('gateway/sessions')
    const known = rows
    // Namespaces of the same seed have the same IDs.
    const keyOf = ({ id, user }: MockGatewaySession) => `${connection.namespace} ${id} ${nameOf(user)}`
    rows = new Map(sessions.map((session) => [keyOf(session), known.get(keyOf(session)) ?? createRow(session)]))
    for (const session of sessions) rows.get(keyOf(session))?.show(session)
    const shown = [...rows.values()].map(({ row }) => row)
    const empty = 'No sessions. A client that connects and identifies appears here.'
    if (shown.length === 0) return fill('gateway', [], empty)
    update('gateway', shown)
    setCount('gateway', number(shown.length))
    await loadFrames()
  }

  return { load: () => load('gateway', loadSessions), loadFrames }
}

/** Returns a function that loads the faults of endpoints. */
export function createFaults({ element, button, fill, strong, muted, code, load }: Elements, connection: Connection) {
  const row = ({ id, endpoint, left, ...fault }: ControlFault) =>
    element(
      'li',
      { class: 'bar', 'data-key': String(id) },
      strong(endpoint),
      code(JSON.stringify(fault)),
      muted(left === null ? 'every request' : `${left} more`),
      button('Remove', `DELETE faults/${id}`, `Remove the fault of ${endpoint}`),
    )
  return () =>
    load('faults', async () => {
      fill('faults', (await connection.items<ControlFault>('faults')).map(row), 'No faults.')
    })
}

/** Returns a function that loads the mails and SMS. */
export function createMessages(ui: Elements, connection: Connection) {
  const maxShown = 200
  const { element, copyButton, fill, bar, strong, line, muted, code, timeOf, load } = ui
  type Sent = Message & Partial<MailParts>

  function row({ id, to, kind, text, at, subject, html: _, link = '', ...values }: Sent): HTMLElement {
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

  return () =>
    load('messages', async () => {
      const all = (await Promise.all([connection.items<Sent>('mail'), connection.items<Sent>('sms')])).flat()
      all.sort((one, other) => (one.at < other.at ? 1 : -1))
      const empty = 'No mail or SMS yet. What the service sends, such as after “Forgot password”, appears here.'
      fill('messages', all.slice(0, maxShown).map(row), empty, all.length)
    })
}
