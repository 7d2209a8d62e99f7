import { h } from './element'
import { client } from './rapport'
import { run } from './run'

/** Returns the form. If the account has a second factor, the login waits for the dialog of `rapport-sdk/dialog`. */
export function signInForm(): HTMLElement {
  const login = h('input', { type: 'email', autocomplete: 'username', required: true })
  const password = h('input', { type: 'password', autocomplete: 'current-password', required: true })
  const alert = h('p', { role: 'alert' })
  const submit = h('button', {}, 'Sign in')
  const signIn = async () => {
    submit.disabled = true
    await run(() => client.auth.login({ login: login.value, password: password.value }), alert)
    submit.disabled = false
  }
  return h(
    'form',
    {
      onsubmit: (event) => {
        event.preventDefault()
        void signIn()
      },
    },
    h('h1', {}, 'Sign in'),
    h('label', {}, 'Email', login),
    h('label', {}, 'Password', password),
    alert,
    submit,
  )
}
