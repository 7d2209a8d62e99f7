import type { MockServiceEvent } from '../../core'
import { rows } from '../../router'
import { readEvents } from '../caller'
import { type Connection, type ConnectionHandlers, createConnection } from './connection'
import { createBasics, createControls, createLists, type Elements } from './elements'
import { createRequests } from './requests'
import { createAccounts, createClock, createFaults, createGateway, createMessages } from './sections'

const sections = { createClock, createRequests, createMessages, createAccounts, createGateway, createFaults }

const root = [
  'color-scheme: light dark',
  '--line: light-dark(#d4d8de, #3a4049)',
  '--panel: light-dark(#fff, #1b1f25)',
  '--page: light-dark(#f3f5f8, #12151a)',
  '--text: light-dark(#1a1f27, #e6e9ee)',
  '--muted: light-dark(#565f6c, #a3acb9)',
  '--accent: light-dark(#1f5fd0, #8ab4ff)',
  '--good: light-dark(#11683a, #7fd8a4)',
  '--bad: light-dark(#b3261e, #ff9c94)',
]

/** Style of the inspector; colours of text have a contrast of at least 4.5 in both schemes. */
const style = `
:root { ${root.join('; ')} }
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--text); font: 0.9375rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
span, strong, code { unicode-bidi: isolate }
header { position: sticky; top: 0; z-index: 1; padding: 0.5rem 1rem; background: var(--panel); border-bottom: 1px solid var(--line) }
header > div, .bar { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center }
h1 { margin: 0; font-size: 1.0625rem }
h2 { margin: 0; font-size: 1rem }
h3 { margin: 0.5rem 0 0; font-size: 0.875rem }
p { margin: 0 }
nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; margin: 0.25rem 0 0; padding: 0; list-style: none }
a { color: var(--accent) }
.message a { font: 0.8125rem/1.45 ui-monospace, monospace }
.filters { display: grid; grid-template-columns: repeat(auto-fit, minmax(10rem, 1fr)) }
.filters label > * { flex: 1; width: 100%; min-width: 0 }
.parts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 0 1rem }
.parts > div { min-width: 0 }
dl { display: grid; grid-template-columns: fit-content(40%) 1fr; gap: 0 0.75rem; margin: 0.25rem 0 0; font-size: 0.8125rem }
dt { color: var(--muted) }
dd { margin: 0 }
.frames { max-height: 20rem; background: var(--page) }
.frames code { display: block }
main { display: grid; gap: 0 1rem; padding: 1rem 1rem 0 }
main > div { min-width: 0 }
@media (min-width: 64rem) { main { grid-template-columns: 3fr 2fr } #requests .list { max-height: calc(100vh - 13rem) } }
section { margin-bottom: 1rem; background: var(--panel); border: 1px solid var(--line); border-radius: 0.5rem; scroll-margin-top: 6rem }
section > .bar { padding: 0.5rem 0.75rem; border-bottom: 1px solid var(--line) }
.list { max-height: 32rem; margin: 0; padding: 0; overflow: auto; list-style: none }
.list > li { padding: 0.5rem 0.75rem; border-bottom: 1px solid var(--line) }
.list > li:last-child { border-bottom: 0 }
.empty { margin: 0; padding: 0.75rem; color: var(--muted) }
.muted { color: var(--muted) }
.good { color: var(--good) }
.bad { color: var(--bad) }
.space { flex: 1 }
button, input, select, textarea { font: inherit; color: inherit; padding: 0.125rem 0.5rem; border: 1px solid var(--line); border-radius: 0.25rem; background: var(--page); min-height: 1.75rem }
button { cursor: pointer }
button:hover { border-color: var(--accent) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px }
input { min-width: 0 }
label:has(textarea), textarea { flex: 1 1 12rem; width: 100%; min-width: 0 }
textarea { font: 0.8125rem/1.45 ui-monospace, monospace }
summary { cursor: pointer }
summary > * { margin-inline-end: 0.25rem }
details[open] > summary { margin-bottom: 0.5rem }
pre, code { font: 0.8125rem/1.45 ui-monospace, monospace; white-space: pre-wrap }
pre { max-height: 20rem; margin: 0.5rem 0 0; padding: 0.5rem; overflow: auto; background: var(--page); border-radius: 0.25rem }
label { display: inline-flex; gap: 0.375rem; align-items: center }
.error { flex-wrap: nowrap !important; margin-top: 0.5rem; color: var(--bad) }
.error p { flex: 1; max-height: 6rem; overflow: auto }
#notice { margin-top: 0.25rem; color: var(--bad) }
body > form { padding: 1rem 1rem 0 }
[hidden] { display: none !important }
`

/**
 * Returns the page of the inspector.
 * @param nonce nonce of its scripts and styles, for the Content-Security-Policy.
 * @param basePath path of the service's base URL.
 */
export function inspectorPage(nonce: string, basePath: string): string {
  // Names come from the contract and contain no characters that HTML escapes.
  const endpoints = rows.map(({ name }) => `<option value="${name}">`).join('')
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>rapport-mock</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${style}</style>
<header>
<div>
<h1>rapport-mock</h1>
<span id="connection" role="status" class="muted">connecting</span>
<span class="space"></span>
<label>Namespace <select id="namespace"></select></label>
</div>
<nav aria-label="Sections"><ul id="sections"></ul></nav>
<p id="notice" hidden>The mock does not answer. Is it still running? What is shown is from before.</p>
<div id="error" class="error" hidden><p id="error-text" role="alert" tabindex="0"></p><button id="dismiss">Dismiss</button></div>
</header>
<main id="main" data-base="${basePath.replace(/\/$/, '').replaceAll('&', '&amp;')}"><div id="traffic"></div><div id="state"></div></main>
<datalist id="endpoints">${endpoints}</datalist>
<noscript>The inspector needs JavaScript; <a href="openapi.json">openapi.json</a> describes the control API.</noscript>
<script nonce="${nonce}">
// Some tools that run TypeScript name functions with this helper.
function __name(named) { return named }
const create = {
${Object.entries(sections)
  .map(([name, create]) => `  ${name}: ${create},`)
  .join('\n')}
}
const inspector = ${inspector}
const basics = (${createBasics})()
const ui = { ...basics, ...(${createControls})(basics), ...(${createLists})(basics) }
inspector(ui, (${createConnection})(${readEvents}), create)
</script>
</html>
`
}

/** Shows the state of a namespace, and loads what its events change. Uses nothing outside of it, as the sections. */
export function inspector(ui: Elements, connection: Connection, create: typeof sections): void {
  const { byId, main, element, show, dismiss, form, field } = ui
  const [state, notice] = [byId('connection'), byId('notice')]
  const namespaces = byId<HTMLSelectElement>('namespace')
  const nameOf = (user: string) => accounts.nameOf(user)
  const clock = create.createClock(ui, connection)
  const requests = create.createRequests(ui, connection, nameOf)
  const messages = create.createMessages(ui, connection)
  const accounts = create.createAccounts(ui, connection, clock)
  const gateway = create.createGateway(ui, connection, nameOf)
  const faults = create.createFaults(ui, connection)

  function tick(): void {
    clock.showTime()
    accounts.showCodes()
  }

  async function loadAccounts(): Promise<void> {
    await accounts.load()
    // Their names are those of the requests.
    await requests.showReceived()
  }

  async function loadClock(): Promise<void> {
    await clock.load()
    tick()
  }

  const loaders: Readonly<Record<string, () => Promise<void>>> = {
    mail: messages.load,
    sms: messages.load,
    user: loadAccounts,
    fault: faults.load,
    gateway: gateway.load,
    clock: loadClock,
    clear: messages.load,
  }
  const loadAll = async () => {
    await Promise.all([accounts.load(), loadClock()])
    const others = [requests, messages, gateway, faults].map((section) => section.load())
    await Promise.all([...others, clock.loadSnapshots(), loadNamespaces()])
  }
  const pending = new Set<() => Promise<void>>()

  /** Loads once for the events of a moment. */
  function schedule(load: () => Promise<void>): void {
    if (pending.has(load)) return
    pending.add(load)
    setTimeout(() => {
      pending.delete(load)
      load().catch(show)
    }, 150)
  }

  function onEvent(event: MockServiceEvent): void {
    const isCleared = event.type === 'reset' || event.type === 'restore'
    if (isCleared || (event.type === 'clear' && event.list === 'requests')) requests.clear()
    if (event.type === 'request') {
      requests.receive(event.request)
      schedule(requests.showReceived)
    }
    const load = isCleared ? loadAll : loaders[event.type]
    if (load) schedule(load)
  }

  /** Shows the namespaces; tests create and remove them while the page is open. */
  async function loadNamespaces(): Promise<void> {
    const all = await connection.names()
    if (!all.includes(connection.namespace)) return select('default')
    if (all.join() === [...namespaces.options].map(({ value }) => value).join()) return
    const option = (name: string) => element('option', { selected: name === connection.namespace }, name)
    namespaces.replaceChildren(...all.map(option))
  }

  function select(namespace: string): void {
    namespaces.replaceChildren()
    connection.connect(handlers, { namespace })
  }

  const askForToken = form(
    'Control token',
    [field('token', 'Control token', { type: 'password', required: true })],
    'Connect',
    async (values) => {
      connection.connect(handlers, { token: String(values.get('token')) })
    },
  )
  askForToken.hidden = true
  main.before(askForToken)

  const handlers: ConnectionHandlers = {
    async onOpen() {
      requests.forget()
      await loadAll()
    },
    onEvent,
    onState(text) {
      state.textContent = text
      notice.hidden = !text.startsWith('disconnected')
      main.hidden = text === 'needs the control token'
      askForToken.hidden = !main.hidden
      if (main.hidden) askForToken.querySelector('input')?.focus()
      else if (text === 'live') dismiss()
    },
    onError: show,
  }
  namespaces.addEventListener('change', () => select(namespaces.value))
  setInterval(tick, 1000)
  setInterval(() => {
    if (state.textContent !== 'live' || document.hidden) return
    for (const load of [loadNamespaces, gateway.loadFrames]) load().catch(() => {})
  }, 2000)
  connection.connect(handlers)
}
