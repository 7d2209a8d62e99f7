import { createAccount } from './account'
import { createComponents } from './components'
import { button, card, h } from './element'
import { createEventLog } from './event-log'
import { createFaults } from './faults'
import { createFriends } from './friends'
import { logEvents } from './log-events'
import { createPhone } from './phone'
import { createPlayground } from './setup'
import { createSignIn } from './sign-in'
import { createStepUpDialog } from './step-up-dialog'
import { createTabs } from './tabs'
import { createWidgets } from './widgets'

const playground = createPlayground(createStepUpDialog)
const { ada, grace } = playground
const log = createEventLog(createFaults(playground))
for (const person of [ada, grace]) logEvents(person, log)

/** Shows one element while Ada is signed in and another one while she is not. */
function bySession(signedIn: HTMLElement, signedOut: HTMLElement): HTMLElement {
  const render = () => {
    signedIn.hidden = !ada.client.session.isAuthenticated
    signedOut.hidden = ada.client.session.isAuthenticated
  }
  ada.client.session.onChange(render)
  render()
  return h('div', {}, signedIn, signedOut)
}

const signInFirst = (title: string): HTMLElement =>
  card(
    title,
    h('p', { class: 'soft' }, 'Sign in as Ada to see this.'),
    h(
      'div',
      { class: 'actions' },
      button('Go to sign-in', () => tabs.show(ACCOUNT)),
    ),
  )

const ACCOUNT = 'Account'
const tabs = createTabs([
  { title: ACCOUNT, content: bySession(createAccount(playground), createSignIn(playground)) },
  { title: 'Friends', content: bySession(createFriends(playground), signInFirst('Friends')) },
  { title: 'Widgets', content: bySession(createWidgets(playground), signInFirst('Widgets')) },
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
ada.client.session.onChange(({ status, previous }) => {
  renderWho()
  if (status !== previous.status) tabs.show(status === 'signedIn' ? 'Friends' : ACCOUNT)
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
      h('p', { class: 'soft' }, 'The SDK and a mock of the service, both in this page'),
    ),
    h('div', { class: 'session' }, who, connection, signOut),
  ),
  h(
    'div',
    { class: 'layout' },
    h('main', {}, tabs.list, ...tabs.panels),
    h(
      'aside',
      { class: 'sidebar', 'aria-label': 'Behind the scenes' },
      card('Ada’s phone', createPhone(playground)),
      log.element,
    ),
  ),
)
