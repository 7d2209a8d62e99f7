import type { AuthSession } from 'rapport-sdk'
import { button, card, h } from './element'
import type { Playground } from './setup'
import { createStatusLine, runWithStatus } from './status-line'

/** The sessions of Ada, and the sensitive call that ends the other ones. */
export function createAccount(playground: Playground): HTMLElement {
  const { service, ada } = playground
  const status = createStatusLine()
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
        h('span', { class: 'soft' }, `last used at ${new Date(approx_last_used_time).toLocaleTimeString()}`),
      ),
    )
  const endOthers = () =>
    runWithStatus(status, async () => {
      const session_id_hashes = sessions.slice(1).map(({ id_hash }) => id_hash)
      await ada.client.auth.sessions.logout({ session_id_hashes })
      await load()
      return 'Other sessions ended.'
    })
  const startAnother = () =>
    runWithStatus(status, async () => {
      service.token(ada.user)
      await load()
      return 'Ada signed in on another device.'
    })
  const advanceClock = () => {
    service.clock.advance('5m')
    status.show('The clock of the service is 5 minutes ahead: the next sensitive call prompts again.')
  }
  const end = button('End other sessions', () => void endOthers(), { class: 'primary', disabled: true })
  ada.client.session.onChange(({ type }) => {
    if (type !== 'signedIn') return
    service.token(ada.user)
    void runWithStatus(status, async () => {
      await load()
      return ''
    })
  })
  return card(
    'Ada’s sessions',
    h('p', { class: 'soft' }, 'Ending sessions is a sensitive call: the service requires a second factor.'),
    list,
    h(
      'div',
      { class: 'actions' },
      end,
      button('Sign in on another device', () => void startAnother()),
      button('Advance the clock by 5 minutes', advanceClock),
    ),
    status.element,
  )
}
