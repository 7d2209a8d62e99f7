import type { AuthSession } from 'rapport-sdk'
import { attempt, createNote } from './attempt'
import { button, card, h } from './element'
import type { World } from './world'

/** Who is signed in where, and the sensitive call that ends the others. */
export function createAccount(world: World): HTMLElement {
  const { service, ada } = world
  const note = createNote()
  const list = h('ul', { class: 'rows' })
  let sessions: readonly AuthSession[] = []

  const load = async () => {
    sessions = (await ada.client.auth.sessions.list()).user_sessions
    list.replaceChildren(...sessions.map(row))
    end.disabled = sessions.length < 2
  }
  const row = ({ client_info, approx_last_used_time }: AuthSession, at: number) =>
    h(
      'li',
      {},
      h(
        'div',
        { class: 'row-text' },
        h('strong', {}, at === 0 ? 'This page' : (client_info.platform ?? 'Another device')),
        h('span', { class: 'soft' }, `used at ${new Date(approx_last_used_time).toLocaleTimeString()}`),
      ),
    )
  const endOthers = () =>
    attempt(note, async () => {
      const session_id_hashes = sessions.slice(1).map(({ id_hash }) => id_hash)
      await ada.client.auth.sessions.logout({ session_id_hashes })
      await load()
      return 'The other sessions have ended.'
    })
  const startAnother = () =>
    attempt(note, async () => {
      service.token(ada.user)
      await load()
      return 'Ada has signed in elsewhere too.'
    })
  const pass = () => {
    service.clock.advance('5m')
    note.say('Five minutes have passed for the service: the next sensitive call asks again.')
  }
  const end = button('End the other sessions', () => void endOthers(), { class: 'primary', disabled: true })
  ada.client.session.onChange(({ type }) => {
    if (type !== 'signedIn') return
    service.token(ada.user)
    void attempt(note, async () => {
      await load()
      return ''
    })
  })
  return card(
    'Ada’s sessions',
    h('p', { class: 'soft' }, 'Ending sessions is a sensitive call: the service asks for a second factor.'),
    list,
    h(
      'div',
      { class: 'actions' },
      end,
      button('Sign in elsewhere', () => void startAnother()),
      button('Let five minutes pass', pass),
    ),
    note.element,
  )
}
