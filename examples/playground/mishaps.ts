import type { AnswerFault, EndpointName } from 'rapport-sdk/mocks'
import { createNote } from './attempt'
import { button, h } from './element'
import type { World } from './world'

/** The calls of this page. */
const CALLS: readonly EndpointName[] = [
  'Login Account',
  'Start Passwordless Login',
  'Get Auth Sessions',
  'Logout Auth Sessions',
  'Get Relationships',
  'Send Friend Request',
  'Create Relationship',
  'Remove Relationship',
  'Modify Game Widgets',
]

const FAILURE: AnswerFault = { status: 503, times: 1 }
const REFUSAL: AnswerFault = { status: 400, body: { code: 60008, message: 'Invalid two-factor code' }, times: 1 }

const SETTLED: readonly string[] = ['ready', 'idle', 'closed']
const CUT = 'Ada’s connection was cut. It is resumed by itself.'
/** At once the connection would be there again before anybody saw that it was gone. */
const OUTAGE_MS = 2_000

/** Buttons that let things go wrong. */
export function createMishaps(world: World): HTMLElement {
  const { service, ada, grace } = world
  const note = createNote()
  const armed = new Set<() => void>()
  const disarm = () => {
    for (const takeBack of armed) takeBack()
    armed.clear()
  }
  /** Lets whichever of the calls comes first fail, and no other. */
  const arm = (calls: readonly EndpointName[], fault: AnswerFault, words: string) => {
    disarm()
    for (const call of calls) armed.add(service.faults.on(call, fault))
    note.say(words)
  }
  for (const { client } of [ada, grace]) {
    client.on('response', ({ status }) => {
      if (armed.size === 0 || (status !== FAILURE.status && status !== REFUSAL.status)) return
      disarm()
      note.say('')
    })
  }
  let isCut = false
  const cut = () => {
    if (isCut) return
    const outage = service.gateway.refuse()
    const { count: happened } = service.gateway.drop(undefined, { user: ada.user })
    isCut = happened > 0
    note.say(isCut ? CUT : 'Ada is not connected.')
    if (isCut) setTimeout(() => outage.remove(), OUTAGE_MS)
    else outage.remove()
  }
  ada.client.gateway.on('stateChange', ({ state }) => {
    if (!isCut || !SETTLED.includes(state)) return
    isCut = false
    if (note.element.textContent === CUT) note.say('')
  })
  return h(
    'div',
    { class: 'mishaps' },
    h(
      'div',
      { class: 'actions' },
      button('Cut the connection', cut),
      button('Refuse the next code', () => {
        arm(['Verify MFA', 'Verify MFA Login'], REFUSAL, 'The next code is refused, right or wrong.')
      }),
      button('Answer the next call with 503', () => {
        arm(CALLS, FAILURE, 'The next call is answered with 503. One that reads is sent again by itself.')
      }),
    ),
    note.element,
  )
}
