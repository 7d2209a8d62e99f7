import type { AnswerFault, EndpointName } from 'rapport-sdk/mocks'
import { button, h } from './element'
import type { Playground } from './setup'
import { createStatusLine } from './status-line'

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
const REJECTION: AnswerFault = { status: 400, body: { code: 60008, message: 'Invalid two-factor code' }, times: 1 }

const SETTLED: readonly string[] = ['ready', 'idle', 'closed']
const DROPPED = 'Ada’s connection was dropped. The client reconnects and resumes.'
/** Delay of the reconnect, so that the outage is visible. */
const OUTAGE_MS = 2_000

/** Buttons that inject faults. */
export function createFaults(playground: Playground): HTMLElement {
  const { service, ada, grace } = playground
  const statusLine = createStatusLine()
  const armed = new Set<() => void>()
  const disarm = () => {
    for (const remove of armed) remove()
    armed.clear()
  }
  /** Injects a fault into the first of the calls only. */
  const arm = (calls: readonly EndpointName[], fault: AnswerFault, text: string) => {
    disarm()
    for (const call of calls) armed.add(service.faults.on(call, fault))
    statusLine.show(text)
  }
  for (const { client } of [ada, grace]) {
    client.on('response', ({ status }) => {
      if (armed.size === 0 || (status !== FAILURE.status && status !== REJECTION.status)) return
      disarm()
      statusLine.show('')
    })
  }
  let isDropped = false
  const drop = () => {
    if (isDropped) return
    const outage = service.gateway.refuse()
    const { count } = service.gateway.drop(undefined, { user: ada.user })
    isDropped = count > 0
    statusLine.show(isDropped ? DROPPED : 'Ada is not connected.')
    if (isDropped) setTimeout(() => outage.remove(), OUTAGE_MS)
    else outage.remove()
  }
  ada.client.gateway.on('stateChange', ({ state }) => {
    if (!isDropped || !SETTLED.includes(state)) return
    isDropped = false
    if (statusLine.element.textContent === DROPPED) statusLine.show('')
  })
  return h(
    'div',
    { class: 'faults' },
    h(
      'div',
      { class: 'actions' },
      button('Drop the connection', drop),
      button('Reject the next code', () => {
        arm(['Verify MFA', 'Verify MFA Login'], REJECTION, 'The next code will be rejected, even if it is correct.')
      }),
      button('Fail the next call with 503', () => {
        arm(CALLS, FAILURE, 'The next call will fail with 503. A GET request is retried.')
      }),
    ),
    statusLine.element,
  )
}
