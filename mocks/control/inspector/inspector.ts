// What runs in the page of the inspector. The page contains the text of all of these functions and classes, so they use nothing
// outside of them but types.
import type { MockServiceEvent } from '../../core'
import { readEvents } from '../caller'
import { Connection, type ConnectionHandlers } from './connection'
import { type Actions, createActions, createElements, createLists, type Elements } from './elements'
import { createFilters, createRequestRow, createRequests, createTexts, RequestStore } from './requests'
import { Accounts, createClock, createFaults, createGateway, createMessages, createSessionRow } from './sections'

export const parts = {
  Accounts,
  Connection,
  createActions,
  createClock,
  createElements,
  createFaults,
  createFilters,
  createGateway,
  createLists,
  createMessages,
  createNamespaces,
  createRequestRow,
  createRequests,
  createSchedule,
  createSections,
  createSessionRow,
  createTexts,
  readEvents,
  RequestStore,
}

/** Creates the sections, and returns how they are loaded, and what is loaded for an event of a type. */
function createSections(ui: Elements, connection: Connection, actions: Actions, create: typeof parts) {
  const nameOf = (user: string) => accounts.nameOf(user)
  const clock = create.createClock(ui, connection)
  const texts = create.createTexts(connection)
  const filters = create.createFilters(ui, texts, nameOf)
  const row = create.createRequestRow(ui, texts, nameOf)
  const store = new create.RequestStore(connection)
  const { serviceUrl } = connection
  const requests = create.createRequests(ui, store, filters, row, { nameOf, serviceUrl })
  const accounts = new create.Accounts(ui, connection, actions, clock)
  const gateway = create.createGateway(ui, connection, create.createSessionRow(ui, connection, nameOf), nameOf)
  const loadMessages = create.createMessages(ui, connection)
  const loadFaults = create.createFaults(ui, connection)

  function tick(): void {
    clock.showTime()
    accounts.showCodes()
  }

  const loadClock = () => clock.load().then(tick)
  // The names of accounts are those of the requests.
  const loadAccounts = () => accounts.load().then(requests.showReceived)
  const loaders: Readonly<Record<string, () => Promise<unknown>>> = {
    mail: loadMessages,
    sms: loadMessages,
    user: loadAccounts,
    fault: loadFaults,
    gateway: gateway.load,
    clock: loadClock,
    clear: loadMessages,
  }

  async function loadAll(): Promise<void> {
    await Promise.all([accounts.load(), loadClock()])
    await Promise.all([requests.load(), loadMessages(), gateway.load(), loadFaults(), clock.loadSnapshots()])
  }

  return { clock, store, requests, gateway, tick, loaders, loadAll }
}

/** Returns a function that loads once for the events of a moment. */
function createSchedule({ show }: Actions) {
  const pending = new Set<() => Promise<unknown>>()
  return (load: () => Promise<unknown>): void => {
    if (pending.has(load)) return
    pending.add(load)
    setTimeout(() => {
      pending.delete(load)
      load().catch(show)
    }, 150)
  }
}

/**
 * Creates the choice of a namespace.
 * @returns a function that shows the namespaces; tests create and remove them while the page is open.
 */
function createNamespaces({ byId, element }: Elements, connection: Connection, connect: (namespace: string) => void) {
  const select = byId<HTMLSelectElement>('namespace')
  function choose(namespace: string): void {
    select.replaceChildren()
    connect(namespace)
  }
  select.addEventListener('change', () => choose(select.value))
  return async (): Promise<void> => {
    const all = await connection.names()
    if (!all.includes(connection.namespace)) return choose('default')
    if (all.join() === [...select.options].map(({ value }) => value).join()) return
    const option = (name: string) => element('option', { selected: name === connection.namespace }, name)
    select.replaceChildren(...all.map(option))
  }
}

/** Shows the state of a namespace, and loads what its events change. */
export function inspector(create: typeof parts, basePath: string): void {
  const connection = new create.Connection(create.readEvents, basePath)
  const actions = create.createActions(connection, () => Promise.all([clock.loadSnapshots(), gateway.load()]))
  const basics = create.createElements(actions)
  const ui = { ...basics, ...create.createLists(basics) }
  const { byId } = ui
  const [state, token] = [byId('connection'), byId<HTMLFormElement>('token')]
  const sections = create.createSections(ui, connection, actions, create)
  const { clock, store, requests, gateway, loadAll } = sections
  const schedule = create.createSchedule(actions)

  function onEvent(event: MockServiceEvent): void {
    const isCleared = event.type === 'reset' || event.type === 'restore'
    if (isCleared || (event.type === 'clear' && event.list === 'requests')) {
      store.clear()
      requests.show()
    }
    if (event.type === 'request') {
      store.receive(event.request)
      schedule(requests.showReceived)
    }
    const load = isCleared ? loadAll : sections.loaders[event.type]
    if (load) schedule(load)
  }

  const connect = (options: { namespace?: string; token?: string }) => void connection.connect(handlers, options)
  const loadNamespaces = create.createNamespaces(ui, connection, (namespace) => connect({ namespace }))
  const handlers: ConnectionHandlers = {
    async onOpen() {
      store.clear()
      await Promise.all([loadAll(), loadNamespaces()])
    },
    onEvent,
    onState(text) {
      const isForbidden = text === 'needs the control token'
      state.textContent = text
      byId('notice').hidden = !text.startsWith('disconnected')
      byId('main').hidden = isForbidden
      token.hidden = !isForbidden
      if (isForbidden) token.querySelector('input')?.focus()
      else if (text === 'live') actions.dismiss()
    },
    onError: actions.show,
  }
  token.addEventListener('submit', () => {
    connect({ token: String(new FormData(token).get('token')) })
    token.reset()
  })
  setInterval(sections.tick, 1000)
  setInterval(() => {
    if (state.textContent !== 'live' || document.hidden) return
    for (const load of [loadNamespaces, gateway.loadFrames]) load().catch(() => {})
  }, 2000)
  connect({})
}
