import { isRequestValidationError } from 'rapport-sdk'
import { button, card, h } from './element'
import { field } from './field'
import type { PasskeySource } from './passkeys'
import type { Playground } from './setup'
import { createStatusLine, runWithStatus } from './status-line'

/** Forms to sign in with a password and a second factor, or with only a passkey. */
export function createSignIn(playground: Playground): HTMLElement {
  return h('div', { class: 'columns' }, withPassword(playground), withPasskey(playground))
}

function withPassword({ ada, password }: Playground): HTMLElement {
  const status = createStatusLine()
  const login = h('input', { type: 'email', autocomplete: 'username', value: ada.user.email ?? '' })
  const secret = h('input', { type: 'password', autocomplete: 'current-password', value: password })
  const fields = { login: field('E-mail address', login), password: field('Password', secret) }

  const submit = () =>
    runWithStatus(status, async () => {
      for (const each of Object.values(fields)) each.setError(undefined)
      try {
        await ada.client.auth.login({ login: login.value, password: secret.value })
      } catch (error) {
        if (!isRequestValidationError(error)) throw error
        for (const { path, message } of error.issues) if (path[0] === 'password') fields.password.setError(message)
        throw error
      }
      return ''
    })
  return card(
    'Sign in with a password',
    h('p', { class: 'soft' }, 'Ada’s account is filled in. The next step is a second factor.'),
    h(
      'form',
      {
        novalidate: true,
        onsubmit: (event) => {
          event.preventDefault()
          void submit()
        },
      },
      fields.login.element,
      fields.password.element,
      h('div', { class: 'actions' }, h('button', { type: 'submit', class: 'primary' }, 'Sign in')),
      status.element,
    ),
  )
}

function withPasskey({ ada, passkeys }: Playground): HTMLElement {
  const status = createStatusLine()
  const signIn = (source: PasskeySource) =>
    runWithStatus(status, async () => {
      passkeys.use(source)
      await ada.client.auth.loginWithPasskey()
      return ''
    })
  const simulated = button('Use a simulated passkey', () => void signIn('simulated'))
  const device = button('Use this device', () => void signIn('device'), { hidden: true })
  const register = button('Register this device', () => void registerDevice(), { hidden: true })
  const registerDevice = () =>
    runWithStatus(status, async () => {
      await passkeys.register()
      device.hidden = false
      register.hidden = true
      return 'This device now has a passkey.'
    })
  void passkeys.isSupported().then((isSupported) => {
    register.hidden = !isSupported
  })
  return card(
    'Sign in with a passkey',
    h('p', { class: 'soft' }, 'No password and no second factor. The simulated passkey works in every browser.'),
    h('div', { class: 'actions stacked' }, simulated, device, register),
    status.element,
  )
}
