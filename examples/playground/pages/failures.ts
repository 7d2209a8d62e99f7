import { formatPath } from 'rapport-sdk'
import { actionSnippet } from '../code/action-snippet'
import { createCodePanel } from '../code/code-panel'
import type { Values } from '../code/source'
import { runAction } from '../journal/run-action'
import type { Page, Playground } from '../playground'
import { invalidInput, lostConnection, rateLimit, refusedCode, serverError } from '../snippets/failures'
import source from '../snippets/failures.ts?raw'
import { createAccountPage } from '../ui/account-bar'
import { createCard } from '../ui/card'
import { button, h } from '../ui/element'
import { createStatusLine } from '../ui/status-line'

/** Something that goes wrong, and what the client does about it. */
interface Failure {
  readonly name: string
  readonly title: string
  readonly intro: string
  /** Label of the button. */
  readonly label: string
  /** Name of the function. */
  readonly code: string
  readonly values?: Values
  /** Makes it happen. Returns the result for the user. */
  run(): Promise<string>
}

/** Failures to try: each is caused by the mock, and handled by the client. */
export function createFailuresPage(playground: Playground): Page {
  const { world, ada, journal, router } = playground
  const { service } = world
  const { client } = ada
  const note = 'Shall we play chess? '.repeat(7).trim()
  const failures: readonly Failure[] = [
    {
      name: 'server-error',
      title: 'The service fails once',
      intro: 'The first request gets a 503. The client tries again.',
      label: 'Fail the next request',
      code: 'serverError',
      run: async () => {
        await serverError(service, client)
        return 'The call completed on its second attempt.'
      },
    },
    {
      name: 'rate-limit',
      title: 'Too many requests',
      intro: 'The service answers 429 and asks to wait for a second.',
      label: 'Run into the limit',
      code: 'rateLimit',
      run: async () => {
        await rateLimit(service, client)
        return 'The call completed after the wait.'
      },
    },
    {
      name: 'connection',
      title: 'The connection breaks',
      intro: 'The gateway drops the connection and accepts none for two seconds.',
      label: 'Drop the connection',
      code: 'lostConnection',
      run: async () =>
        `Resumed. Events missed and delivered since: ${await lostConnection(service, client, ada.account)}.`,
    },
    {
      name: 'code',
      title: 'A code is refused',
      intro:
        'The service refuses the first code, even if it is correct. A refused code is not sent again: enter the next one.',
      label: 'Refuse the next code',
      code: 'refusedCode',
      run: async () => {
        await refusedCode(service, client)
        return 'The second code was accepted, and the call completed.'
      },
    },
    {
      name: 'input',
      title: 'The input is invalid',
      intro: 'A note has at most 120 characters. The client checks that before it sends anything.',
      label: 'Send a long note',
      code: 'invalidInput',
      values: { note },
      run: async () => {
        const issues = await invalidInput(client, note)
        return `Nothing was sent. ${issues.map(({ path, message }) => `${formatPath(path)}: ${message}`).join('; ')}.`
      },
    },
  ]
  const cards = failures.map(({ name, title, intro, label, code, values, run }) => {
    const status = createStatusLine()
    const route = `failures/${name}`
    const panel = createCodePanel(router, route, [actionSnippet('code', title, source, code, () => values ?? {})])
    const start = async () => {
      trigger.disabled = true
      await runAction(journal, status, title, run)
      trigger.disabled = false
      trigger.focus()
    }
    const trigger = button(label, () => void start(), { class: 'primary' })
    return createCard(router, route, {
      title,
      intro,
      controls: [h('div', { class: 'actions' }, trigger), status.element],
      code: panel.element,
    })
  })
  return { name: 'failures', title: 'Failures', element: createAccountPage(playground, ...cards) }
}
