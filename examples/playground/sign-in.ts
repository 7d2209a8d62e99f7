import { isRequestValidationError } from 'rapport-sdk'
import { attempt, createNote, type Note } from './attempt'
import { button, card, h } from './element'
import { field } from './field'
import type { PasskeyPlace } from './passkeys'
import type { World } from './world'

/** Signing in, with a password and a second factor or with a passkey alone. */
export function createSignIn(world: World): HTMLElement {
  return h('div', { class: 'columns' }, withPassword(world), withPasskey(world))
}

function withPassword({ ada, password }: World): HTMLElement {
  const note = createNote()
  const login = h('input', { type: 'email', autocomplete: 'username', value: ada.user.email ?? '' })
  const secret = h('input', { type: 'password', autocomplete: 'current-password', value: password })
  const fields = { login: field('E-mail address', login), password: field('Password', secret) }

  const submit = () =>
    attempt(note, async () => {
      for (const each of Object.values(fields)) each.tell(undefined)
      try {
        await ada.client.auth.login({ login: login.value, password: secret.value })
      } catch (error) {
        if (!isRequestValidationError(error)) throw error
        for (const { path, message } of error.issues) if (path[0] === 'password') fields.password.tell(message)
        throw error
      }
      return ''
    })
  return card(
    'With a password',
    h('p', { class: 'soft' }, 'Ada’s account is filled in. Her second factor is asked for next.'),
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
      note.element,
    ),
  )
}

function withPasskey({ ada, passkeys }: World): HTMLElement {
  const note = createNote()
  const signIn = (place: PasskeyPlace) =>
    attempt(note, async () => {
      passkeys.use(place)
      await ada.client.auth.loginWithPasskey()
      return ''
    })
  const simulated = button('Use a simulated passkey', () => void signIn('simulated'))
  const own = button('Use this device', () => void signIn('device'), { hidden: true })
  const make = button('Register this device', () => void register(note), { hidden: true })
  const register = (told: Note) =>
    attempt(told, async () => {
      await passkeys.register()
      own.hidden = false
      make.hidden = true
      return 'The device has a passkey now.'
    })
  void passkeys.isSupported().then((isSupported) => {
    make.hidden = !isSupported
  })
  return card(
    'With a passkey',
    h('p', { class: 'soft' }, 'No password, no second factor. The simulated one works in every browser.'),
    h('div', { class: 'actions stacked' }, simulated, own, make),
    note.element,
  )
}
