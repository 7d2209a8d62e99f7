import { createAccount } from './account'
import { createComponents } from './components'
import { button, card, h } from './element'
import { follow } from './follow'
import { createFriends } from './friends'
import { createJournal } from './journal'
import { createMishaps } from './mishaps'
import { createPhone } from './phone'
import { createSignIn } from './sign-in'
import { createStepUpDialog } from './step-up-dialog'
import { createTabs } from './tabs'
import { createWidgets } from './widgets'
import { createWorld } from './world'

const world = createWorld(createStepUpDialog)
const { ada, grace } = world
const journal = createJournal(createMishaps(world))
for (const person of [ada, grace]) follow(person, journal)

/** Shows one thing to who is signed in and another to who is not. */
function bySession(signedIn: HTMLElement, signedOut: HTMLElement): HTMLElement {
  const render = () => {
    signedIn.hidden = !ada.client.session.isAuthenticated
    signedOut.hidden = ada.client.session.isAuthenticated
  }
  ada.client.session.onChange(render)
  render()
  return h('div', {}, signedIn, signedOut)
}

const signInFirst = (what: string): HTMLElement =>
  card(
    what,
    h('p', { class: 'soft' }, 'They are Ada’s, so she has to sign in.'),
    h(
      'div',
      { class: 'actions' },
      button('To the sign-in', () => tabs.show(ACCOUNT)),
    ),
  )

const ACCOUNT = 'Account'
const tabs = createTabs([
  { title: ACCOUNT, content: bySession(createAccount(world), createSignIn(world)) },
  { title: 'Friends', content: bySession(createFriends(world), signInFirst('Friends')) },
  { title: 'Widgets', content: bySession(createWidgets(world), signInFirst('Widgets')) },
  { title: 'Components', content: createComponents() },
])

const who = h('span', { class: 'who' })
const connection = h('span', { class: 'badge' })
const signOut = button('Sign out', () => void ada.client.auth.logout().catch(() => {}))
const renderWho = () => {
  const { isAuthenticated } = ada.client.session
  who.textContent = isAuthenticated ? 'Ada' : 'Signed out'
  signOut.hidden = !isAuthenticated
  connection.hidden = !isAuthenticated
  connection.textContent = ada.client.gateway.state
  connection.dataset.tone = ada.client.gateway.state === 'ready' ? 'good' : 'calm'
}
ada.client.session.onChange(({ type }) => {
  renderWho()
  if (type !== 'elevated') tabs.show(type === 'signedIn' ? 'Friends' : ACCOUNT)
})
ada.client.gateway.on('stateChange', renderWho)
renderWho()

document.body.append(
  h(
    'header',
    { class: 'top' },
    h(
      'div',
      {},
      h('h1', {}, 'Rapport playground'),
      h('p', { class: 'soft' }, 'The SDK and a mock of its service, both in this page'),
    ),
    h('div', { class: 'session' }, who, connection, signOut),
  ),
  h(
    'div',
    { class: 'layout' },
    h('main', {}, tabs.list, ...tabs.panels),
    h(
      'aside',
      { class: 'behind', 'aria-label': 'Behind the scenes' },
      card('Ada’s phone', createPhone(world)),
      journal.element,
    ),
  ),
)
