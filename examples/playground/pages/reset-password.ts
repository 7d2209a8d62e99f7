import { actionSnippet } from '../code/action-snippet'
import { createCodePanel } from '../code/code-panel'
import { runAction } from '../journal/run-action'
import type { Playground } from '../playground'
import { requestReset, resetPassword } from '../snippets/sign-in'
import source from '../snippets/sign-in.ts?raw'
import { createCard } from '../ui/card'
import { button, form, h } from '../ui/element'
import { field } from '../ui/field'
import { createStatusLine } from '../ui/status-line'

/** A reset of the password, with the inbox: a click on the token of a mail fills it in. */
export function createResetCard({ world, ada, journal, router, onDispose }: Playground): HTMLElement {
  const status = createStatusLine()
  const { service } = world
  const login = h('input', {
    type: 'email',
    autocomplete: 'username',
    value: world.ada.email ?? '',
    oninput: () => panel.refresh(),
  })
  const token = h('input', { autocomplete: 'off', spellcheck: 'false', required: true })
  const password = h('input', { type: 'password', autocomplete: 'new-password', minlength: 8, required: true })
  const panel = createCodePanel(router, 'sign-in/reset', [
    actionSnippet('mail', 'Ask for the mail', source, 'requestReset', () => ({ login: login.value })),
    actionSnippet('set', 'Set the password', source, 'resetPassword'),
  ])
  const inbox = h('ul', { class: 'inbox' })
  const renderInbox = () => {
    const mails = service.mail.all().filter(({ kind }) => kind === 'password_reset')
    const latest = mails.slice(-2).reverse()
    inbox.replaceChildren(
      ...latest.map((mail) =>
        h(
          'li',
          {},
          h('span', {}, mail.text),
          button(
            'Fill in the token',
            () => {
              token.value = 'token' in mail ? mail.token : ''
              password.focus()
            },
            { class: 'small' },
          ),
        ),
      ),
      ...(latest.length === 0 ? [h('li', { class: 'soft' }, 'The inbox is empty.')] : []),
    )
  }
  const send = () => {
    panel.show('mail')
    void runAction(journal, status, 'Ask for a reset mail', async () => {
      await requestReset(ada.client, login.value)
      return 'The mail is in the inbox.'
    })
  }
  const reset = () => {
    panel.show('set')
    void runAction(journal, status, 'Reset the password', async () => {
      await resetPassword(ada.client, token.value, password.value)
      if (ada.account.id === world.ada.id) world.password = password.value
      token.value = password.value = ''
      return `${ada.name} has a new password and is signed in.`
    })
  }
  ada.client.session.onChange(() => status.show(''))
  onDispose(service.onEvent(({ type }) => type === 'mail' && renderInbox()))
  renderInbox()
  return createCard(router, 'sign-in/reset', {
    title: 'Reset the password',
    intro: 'Two calls and a mail. The second call needs a second factor, too.',
    controls: [
      form(
        send,
        { class: 'inline', novalidate: true },
        field('E-mail address', login).element,
        h('button', { type: 'submit' }, 'Send the mail'),
      ),
      inbox,
      form(
        reset,
        {},
        field('Token of the mail', token).element,
        field('New password', password).element,
        h('div', { class: 'actions' }, h('button', { type: 'submit', class: 'primary' }, 'Set the password')),
      ),
      status.element,
    ],
    code: panel.element,
  })
}
