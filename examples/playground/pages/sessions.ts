import type { AuthSession } from 'rapport-sdk'
import { actionSnippet } from '../code/action-snippet'
import { createCodePanel } from '../code/code-panel'
import { runAction } from '../journal/run-action'
import { accountText } from '../people'
import type { Page, Playground } from '../playground'
import { endSessions, listSessions, signInElsewhere, waitFiveMinutes } from '../snippets/sessions'
import source from '../snippets/sessions.ts?raw'
import { createAccountPage } from '../ui/account-bar'
import { createCard } from '../ui/card'
import { button, h } from '../ui/element'
import { createStatusLine } from '../ui/status-line'

/** Ada's sessions, and the sensitive call that ends the other ones. */
export function createSessionsPage(playground: Playground): Page {
  const { world, ada, journal, router } = playground
  const { client } = ada
  const status = createStatusLine()
  const list = h('ul', { class: 'rows' })
  let sessions: readonly AuthSession[] = []
  let isLoaded = false
  const others = () => sessions.slice(1).map(({ id_hash }) => id_hash)

  const panel = createCodePanel(router, 'sessions/list', [
    actionSnippet('read', 'List', source, 'listSessions'),
    actionSnippet('end', 'End others', source, 'endSessions', () => ({ hashes: others() })),
    actionSnippet('elsewhere', 'Another device', source, 'signInElsewhere'),
    actionSnippet('wait', 'Five minutes', source, 'waitFiveMinutes'),
  ])
  const load = async () => {
    isLoaded = true
    sessions = await listSessions(client)
    list.replaceChildren(...sessions.map(row))
    end.disabled = sessions.length < 2
    panel.refresh()
  }
  const act = (snippet: string, title: string, run: () => Promise<string> | string) => {
    panel.show(snippet)
    return runAction(journal, status, title, run)
  }
  const endOthers = () =>
    act('end', 'End other sessions', async () => {
      const hashes = others()
      await endSessions(client, hashes)
      await load()
      return hashes.length === 1 ? 'The other session has ended.' : `The other ${hashes.length} sessions have ended.`
    })
  const addAnother = () =>
    act('elsewhere', 'A sign-in on another device', async () => {
      signInElsewhere(world.service, ada.account)
      await load()
      return `${ada.name} signed in on another device.`
    })
  const wait = () =>
    act('wait', 'Five minutes pass', () => {
      waitFiveMinutes(world.service)
      return 'The service’s clock is five minutes ahead. The next sensitive call prompts again.'
    })
  const end = button('End other sessions', () => void endOthers(), { class: 'primary', disabled: true })
  client.session.onChange(({ status }) => {
    if (status === 'signedIn') return
    isLoaded = false
    sessions = []
    list.replaceChildren()
  })
  const card = createCard(router, 'sessions/list', {
    title: accountText(ada, (name) => `${name}’s sessions`),
    intro: 'Ending a session is a sensitive call: the service requires a second factor.',
    controls: [
      list,
      h(
        'div',
        { class: 'actions' },
        end,
        button('Sign in on another device', () => void addAnother()),
        button('Let five minutes pass', () => void wait()),
      ),
      status.element,
    ],
    code: panel.element,
  })
  return {
    name: 'sessions',
    title: 'Sessions',
    element: createAccountPage(playground, card),
    onShow() {
      if (!isLoaded && client.session.isAuthenticated)
        void act('read', 'List the sessions', () => load().then(() => ''))
    },
  }
}

function row({ client_info, approx_last_used_time }: AuthSession, at: number): HTMLElement {
  const device = [client_info.platform, client_info.os].filter(Boolean).join(', ')
  const time = new Date(approx_last_used_time).toLocaleTimeString()
  const text = h(
    'div',
    { class: 'row-text' },
    h('strong', {}, at === 0 ? 'This page' : device || 'Another device'),
    h('span', { class: 'soft' }, `last used at ${time}`),
  )
  return h('li', {}, text)
}
