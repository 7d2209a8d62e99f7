import { actionSnippet } from '../code/action-snippet'
import { createCodePanel } from '../code/code-panel'
import { runAction } from '../journal/run-action'
import { accountText } from '../people'
import type { Page, Playground } from '../playground'
import clientSource from '../snippets/client.ts?raw'
import { endTenSessions } from '../snippets/sessions'
import source from '../snippets/sessions.ts?raw'
import { createCard } from '../ui/card'
import { button, h } from '../ui/element'
import { createStatusLine } from '../ui/status-line'

const CALLS = 10

/** Other pages to go on with: route, title, and what they show. */
const NEXT = [
  ['sign-in/password', 'Sign in', 'with a password and a second factor, or with a passkey'],
  ['friends', 'Watch two friends', 'whose lists follow the gateway’s events'],
  ['sign-in/token-store', 'Open a second tab', 'that shares the session, and its end'],
  ['failures/connection', 'Lose the connection', 'and see the client resume it'],
  ['components/poll', 'Build a message', 'from JSON, with its code and a preview'],
] as const

/** The first thing to try: ten calls that need a second factor, and one prompt. */
export function createStartPage(playground: Playground): Page {
  const { world, ada, journal, drawer, router } = playground
  const { client } = ada
  const status = createStatusLine()
  const panel = createCodePanel(router, 'start/ten-calls', [
    actionSnippet('calls', 'Ten calls', source, 'endTenSessions'),
    actionSnippet('client', 'The client', clientSource, 'createClient'),
  ])
  const cells = Array.from({ length: CALLS }, () => h('span', { class: 'cell' }))
  let counts = { refused: 0, verified: 0, done: 0 }

  const make = button('Make ten calls', () => void run(), { class: 'primary' })
  const read = button('Open the journal', () => drawer.open(), { hidden: true })
  const steps = [
    step(
      'Make ten calls',
      accountText(ada, (name) => whoIsSignedIn(client.session.isAuthenticated ? name : undefined)),
      make,
    ),
    step('Answer one prompt', 'The service wants a second factor. Click a code on Ada’s phone, then “Verify”.'),
    step('Read what happened', 'All ten calls complete. The journal shows each request with its response.', read),
  ]
  const setStep = (current: number) => {
    for (const [at, { element }] of steps.entries()) {
      element.dataset.state = at < current ? 'done' : at === current ? 'current' : 'later'
      if (at === current) element.setAttribute('aria-current', 'step')
      else element.removeAttribute('aria-current')
    }
  }
  const render = () => {
    for (const [at, cell] of cells.entries()) {
      cell.dataset.state = at < counts.done ? 'done' : at < counts.refused ? 'refused' : ''
    }
  }
  ada.onExchange(({ path, response }) => {
    // Other pages end sessions, too. While the prompt is open, the user may be on one of them.
    if (!make.disabled) return
    if (path === '/mfa/finish' && response?.status === 200) counts.verified++
    if (path === '/auth/sessions/logout') {
      if (response?.status === 401) counts.refused++
      else counts.done++
    }
    render()
    if (counts.refused === CALLS && counts.verified === 0) setStep(1)
  })

  const run = async () => {
    make.disabled = true
    read.hidden = true
    counts = { refused: 0, verified: 0, done: 0 }
    render()
    setStep(0)
    const isDone = await runAction(journal, status, 'Ten calls, one prompt', async () => {
      await client.session.setToken(world.service.token(ada.user))
      for (let device = 1; device <= CALLS; device++) {
        world.service.token(ada.user, { userAgent: `Rapport/1.0 (device ${device})` })
      }
      await endTenSessions(client)
      return `${counts.refused} calls refused, ${counts.verified} verification, ${counts.done} retried. One prompt.`
    })
    setStep(isDone ? 3 : 0)
    make.disabled = false
    make.textContent = isDone ? 'Make ten more calls' : 'Make ten calls'
    read.hidden = !isDone
    if (isDone) read.focus()
    else make.focus()
  }
  setStep(0)

  const card = createCard(router, 'start/ten-calls', {
    title: 'Ten calls, one prompt',
    intro:
      'Sensitive calls are refused until the user confirms with a second factor. The client handles that for you: your code makes the calls and waits for them.',
    controls: [
      h('ol', { class: 'steps' }, ...steps.map(({ element }) => element)),
      h('div', { class: 'cells', 'aria-hidden': 'true' }, ...cells),
      status.element,
    ],
    code: panel.element,
  })
  card.classList.add('hero')
  const next = h(
    'section',
    { class: 'next', 'aria-label': 'Go on' },
    ...NEXT.map(([route, title, text]) => h('a', { href: `#${route}` }, h('strong', {}, title), h('span', {}, text))),
  )
  return { name: 'start', title: 'Start', element: h('div', { class: 'page' }, card, next) }
}

/** Says the same of the session as the header, and what the step does about it. */
function whoIsSignedIn(name: string | undefined): string {
  const end = 'on ten other devices, and ends those ten sessions at once.'
  if (name === undefined) return `You are signed out. This signs Ada in, here and ${end}`
  if (name !== 'Ada') return `${name} is signed in here. This signs Ada in instead, also ${end}`
  return `Ada is signed in here. This signs her in ${end}`
}

function step(title: string, text: string | Text, action?: HTMLElement): { element: HTMLElement } {
  const body = h('div', {}, h('strong', {}, title), h('p', { class: 'soft' }, text), action)
  return { element: h('li', {}, body) }
}
