import { passkeySupport } from 'rapport-sdk/webauthn'
import { actionSnippet } from '../code/action-snippet'
import { createCodePanel } from '../code/code-panel'
import { runAction } from '../journal/run-action'
import type { PasskeySource } from '../passkeys'
import type { Page, Playground } from '../playground'
import { registerDevice } from '../snippets/passkeys'
import passkeySource from '../snippets/passkeys.ts?raw'
import { signIn, signInWithPasskey } from '../snippets/sign-in'
import source from '../snippets/sign-in.ts?raw'
import { createCard } from '../ui/card'
import { controlState } from '../ui/control-state'
import { button, form, h } from '../ui/element'
import { field } from '../ui/field'
import { createStatusLine } from '../ui/status-line'
import { createResetCard } from './reset-password'
import { createTokenStoreCard } from './token-store'

/** Ways to sign in, and where the session is kept. */
export function createSignInPage(playground: Playground): Page {
  const element = h(
    'div',
    { class: 'page' },
    createPasswordCard(playground),
    createPasskeyCard(playground),
    createTokenStoreCard(playground),
    createResetCard(playground),
  )
  return { name: 'sign-in', title: 'Sign in', element, state: controlState(element) }
}

function createPasswordCard({ world, ada, journal, router }: Playground): HTMLElement {
  const status = createStatusLine()
  const login = h('input', {
    type: 'email',
    name: 'login',
    autocomplete: 'username',
    value: world.ada.email ?? '',
    oninput: () => panel.refresh(),
  })
  const password = h('input', { type: 'password', autocomplete: 'current-password', value: world.password })
  // The password stays out of the code: the reader's form has it.
  const panel = createCodePanel(router, 'sign-in/password', [
    actionSnippet('sign-in', 'Sign in', source, 'signIn', () => ({ login: login.value })),
    actionSnippet('sign-out', 'Sign out', source, 'signOut'),
  ])
  let hasPrompted = false
  ada.onExchange(({ path }) => {
    if (path.startsWith('/auth/mfa/')) hasPrompted = true
  })
  const submit = () =>
    void runAction(journal, status, 'Sign in with a password', async () => {
      hasPrompted = false
      await signIn(ada.client, login.value, password.value)
      if (!hasPrompted) return 'Signed in. This account has no second factor.'
      return 'Signed in. The dialog and the second call are the work of the client.'
    })
  ada.client.session.onChange(({ type }) => {
    status.show('')
    // A reset changes it.
    if (type === 'signedOut') password.value = world.password
  })
  return createCard(router, 'sign-in/password', {
    title: 'With a password',
    intro: 'Ada’s account is filled in. It has a second factor, so the client opens its dialog.',
    controls: [
      form(
        submit,
        { novalidate: true },
        field('E-mail address', login).element,
        field('Password', password).element,
        h('div', { class: 'actions' }, h('button', { type: 'submit', class: 'primary' }, 'Sign in')),
      ),
      status.element,
    ],
    code: panel.element,
  })
}

function createPasskeyCard({ world, ada, passkeys, journal, router }: Playground): HTMLElement {
  const status = createStatusLine()
  const panel = createCodePanel(router, 'sign-in/passkey', [
    actionSnippet('sign-in', 'Sign in', source, 'signInWithPasskey'),
    actionSnippet('register', 'Register', passkeySource, 'registerDevice'),
  ])
  const signInWith = (next: PasskeySource) => {
    panel.show('sign-in')
    void runAction(journal, status, 'Sign in with a passkey', async () => {
      passkeys.use(next)
      await signInWithPasskey(ada.client)
      return 'Signed in, without a password and without a second factor.'
    })
  }
  const simulated = button('Use a simulated passkey', () => signInWith('simulated'), { class: 'primary' })
  const device = button('Use this device', () => signInWith('device'), { hidden: true })
  const register = button('Register this device', () => void registerThisDevice(), { hidden: true })
  const registerThisDevice = () => {
    panel.show('register')
    return runAction(journal, status, 'Register this device', async () => {
      await registerDevice(world.service, world.ada)
      passkeys.use('device')
      device.hidden = false
      register.hidden = true
      return 'This device now has a passkey.'
    })
  }
  ada.client.session.onChange(() => status.show(''))
  void passkeySupport().then(({ webauthn }) => {
    register.hidden = !webauthn
  })
  return createCard(router, 'sign-in/passkey', {
    title: 'With a passkey',
    intro: 'The simulated passkey works in every browser. You can also register this device, with a real passkey.',
    controls: [h('div', { class: 'actions' }, simulated, device, register), status.element],
    code: panel.element,
  })
}
