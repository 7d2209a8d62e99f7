import { isApiError, type MfaAnswer, type MfaChallenge, type MfaHandler } from 'rapport-sdk'
import { button, h, uniqueId } from './element'
import { type Factor, factorsOf } from './factors'
import { choice, field, group } from './field'
import { createPhone } from './phone'
import type { Playground } from './setup'
import { createStatusLine, errorMessage, runWithStatus } from './status-line'

/** Creates an MFA handler that opens a dialog. It is called for each attempt, so the dialog reopens after a rejected code. */
export function createStepUpDialog(playground: Playground): MfaHandler {
  let last = ''
  return async (challenge) => {
    const factors = factorsOf(challenge, playground.passkeys)
    const first = factors.find(({ name }) => name === last) ?? factors[0]
    if (first === undefined) return null
    const chosen = await open(playground, challenge, factors, first)
    last = chosen?.factor.name ?? ''
    return chosen?.answer ?? null
  }
}

interface Chosen {
  readonly factor: Factor
  readonly answer: MfaAnswer
}

function open(
  playground: Playground,
  challenge: MfaChallenge,
  factors: readonly Factor[],
  first: Factor,
): Promise<Chosen | null> {
  let factor = first
  let chosen: Chosen | null = null
  const status = createStatusLine()
  const input = h('input', {
    autocomplete: 'one-time-code',
    autocapitalize: 'off',
    spellcheck: 'false',
    required: true,
  })
  const code = field('Code', input)
  const send = button('Send an SMS', () => {
    void runWithStatus(status, async () => `Sent to ${(await challenge.sendSms()).phone}.`)
    input.focus()
  })
  const verify = h('button', { type: 'submit', class: 'primary' })

  const choose = (next: Factor) => {
    factor = next
    status.show('')
    send.hidden = factor.type !== 'sms'
    code.element.hidden = !factor.hasCode
    input.required = factor.hasCode
    verify.textContent = factor.hasCode ? 'Verify' : 'Use the passkey'
  }
  choose(first)

  const name = uniqueId()
  const methods = factors.map((each) => {
    const radio = h('input', { type: 'radio', name, checked: each === first, onchange: () => choose(each) })
    return choice(each.label, radio)
  })
  const submit = async () => {
    try {
      chosen = { factor, answer: await factor.answer(input.value.trim()) }
      dialog.close()
    } catch (error) {
      status.show(errorMessage(error), 'bad')
    }
  }
  const title = uniqueId()
  const dialog = h(
    'dialog',
    { class: 'step-up', 'aria-labelledby': title },
    h(
      'form',
      {
        onsubmit: (event) => {
          event.preventDefault()
          void submit()
        },
      },
      h('h2', { id: title }, challenge.reason === 'login' ? 'One more step to sign in' : 'Confirm that it’s you'),
      h('p', { class: 'soft' }, reasonOf(challenge)),
      lastErrorAlert(challenge),
      group('Confirm with', h('div', { class: 'choices' }, ...methods)).element,
      h('div', { class: 'code-row' }, code.element, send),
      status.element,
      h(
        'div',
        { class: 'actions end' },
        button('Cancel', () => dialog.close()),
        verify,
      ),
    ),
    h(
      'aside',
      { class: 'dialog-phone', 'aria-label': 'Ada’s phone' },
      h('h3', {}, 'Ada’s phone'),
      createPhone(playground),
    ),
  )
  return new Promise((resolve) => {
    const close = () => dialog.close()
    challenge.signal.addEventListener('abort', close, { once: true })
    dialog.addEventListener('close', () => {
      challenge.signal.removeEventListener('abort', close)
      dialog.remove()
      resolve(chosen)
    })
    document.body.append(dialog)
    dialog.showModal()
    if (factor.hasCode) input.focus()
    else verify.focus()
  })
}

function reasonOf({ reason, endpoint, attempt: count }: MfaChallenge): string {
  const why = reason === 'login' ? 'This account has a second factor.' : `“${endpoint}” is a sensitive call.`
  return `${why} Attempt ${count} of 3.`
}

function lastErrorAlert({ lastError }: MfaChallenge): HTMLElement | null {
  if (lastError === undefined) return null
  const text = isApiError(lastError) ? lastError.serviceMessage : lastError.message
  return h('p', { class: 'alert', role: 'alert' }, `${text}.`)
}
