import type { Playground } from '../playground'
import { signInWithPasskey, signOut } from '../snippets/sign-in'
import { button, h } from './element'

/** Shows who is signed in, and whether the gateway is connected. */
export function createAccountBar({ ada, journal }: Playground): HTMLElement {
  const { client } = ada
  const who = h('span', { class: 'who', tabindex: '-1' })
  const connection = h('span', { class: 'badge' })
  const leave = button('Sign out', () => {
    journal.add({ kind: 'action', what: '▸', text: 'Sign out' })
    void signOut(client).catch(() => {})
  })
  const render = () => {
    const { isAuthenticated } = client.session
    const { state } = client.gateway
    who.textContent = isAuthenticated ? ada.name : 'Signed out'
    // A hidden button would drop the focus.
    if (!isAuthenticated && document.activeElement === leave) who.focus()
    leave.hidden = !isAuthenticated
    connection.hidden = !isAuthenticated || state === 'idle'
    connection.textContent = `Gateway: ${state}`
    connection.dataset.tone = state === 'ready' ? 'good' : 'calm'
  }
  client.session.onChange(render)
  client.gateway.on('stateChange', render)
  render()
  return h('div', { class: 'account' }, connection, who, leave)
}

/** Creates a line that says why somebody should be signed in, with a button that signs Ada in. */
export function createSignInLine({ ada: { client }, passkeys, journal }: Playground, text: string): HTMLElement {
  const signIn = button(
    'Sign in as Ada',
    () => {
      journal.add({ kind: 'action', what: '▸', text: 'Sign in as Ada, with a passkey' })
      passkeys.use('simulated')
      void signInWithPasskey(client).catch(() => {})
    },
    { class: 'primary' },
  )
  return h('div', { class: 'banner' }, h('p', {}, text), signIn)
}

/** Creates a page whose controls are disabled while Ada is signed out, below a line that signs her in. */
export function createAccountPage(playground: Playground, ...cards: readonly HTMLElement[]): HTMLElement {
  const { client } = playground.ada
  const line = createSignInLine(playground, 'Ada is signed out. Sign her in to try this page.')
  const element = h('div', { class: 'page' }, line, ...cards)
  const render = () => {
    const { isAuthenticated } = client.session
    for (const controls of element.querySelectorAll<HTMLFieldSetElement>('fieldset.controls')) {
      controls.disabled = !isAuthenticated
    }
    if (isAuthenticated && line.contains(document.activeElement)) element.querySelector('h2')?.focus()
    line.hidden = isAuthenticated
  }
  client.session.onChange(render)
  render()
  return element
}
