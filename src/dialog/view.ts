// The open dialog of a challenge: what users do, and what they see.
import { isRateLimitError } from '../errors/api-errors'
import { readField } from '../internal/json'
import { normalizeCode } from '../mfa/challenge'
import type { MfaPrompt, MfaPromptState } from '../mfa/prompt'
import type { MfaChallenge } from '../types/mfa'
import { createElement } from './element'
import { createForm, isCode, setText, typesOf } from './form'
import { guardModal } from './modal'
import { attempt, type MfaDialogOptions, readTexts } from './options'

/** The open dialog of a challenge. */
export interface View {
  readonly challenge: MfaChallenge
  /** Shows a state of the challenge. */
  update(state: MfaPromptState): void
  /** Closes the dialog, which returns the focus, and removes its element. */
  close(): void
}

/** What users see of a method. It stays while they look at another one. */
interface Draft {
  value: string
  error: string
  isInvalid: boolean
  status: string
}

/** Time for which a code of an authenticator app is valid, by convention. */
const TOTP_MS = 30_000

/** Method of the last answer on this page, with which the next dialog starts: its ticket may have expired. */
let lastType = ''

/** Opens the dialog for a challenge. Throws if it cannot be shown; then its element is not in the document. */
export function openView({ answer, cancel }: MfaPrompt, challenge: MfaChallenge, options: MfaDialogOptions): View {
  const texts = readTexts(options)
  const { words } = texts
  const explain = readField(options, 'explain')
  const footer = readField(options, 'footer')
  const parent = readField(options, 'parent') ?? (() => document.body)
  const codeLength = readField(options, 'codeLength') ?? 6
  const types = typesOf(challenge)
  const shown = createForm(challenge, options, texts, types)
  const { dialog, slot, form, send, input, submit, focus } = shown
  const drafts = new Map<string, Draft>()
  let type = types.includes(lastType) ? lastType : (types[0] ?? '')
  let draft = draftOf(type)
  let isBusy = false
  let isClosed = false
  /** Aborts the answer that is being obtained; `undefined` once it is given. */
  let obtaining: AbortController | undefined
  /** The last answer that was given. */
  let sent: { readonly type: string; readonly code: string; readonly at: number } | undefined
  /** Type and code of each answer that was refused. */
  const refused = new Set<string>()
  /** Times by `performance.now()`: when an SMS or an answer can be sent, the code is too old, and a rate limit over. */
  const times = { send: 0, verify: 0, stale: Infinity, limit: Infinity }
  let timer: ReturnType<typeof setTimeout> | undefined

  function draftOf(type: string): Draft {
    const draft = drafts.get(type) ?? { value: '', error: '', isInvalid: false, status: '' }
    drafts.set(type, draft)
    return draft
  }

  const secondsUntil = (time: number): number => Math.max(0, Math.ceil((time - performance.now()) / 1000))

  const render = (): void => {
    clearTimeout(timer)
    if (isClosed) return
    const [sendIn, verifyIn] = [secondsUntil(times.send), secondsUntil(times.verify)]
    if (secondsUntil(times.limit) === 0) {
      times.limit = Infinity
      for (const each of drafts.values()) if (each.error === words.rateLimited) each.error = ''
    }
    if (secondsUntil(times.stale) === 0) {
      times.stale = Infinity
      draftOf('totp').value = ''
      if (type === 'totp') input.value = ''
    }
    const { verify = words.verify } = texts.wordsOf(type)
    setText(shown.error, draft.error)
    setText(shown.status, isBusy ? words.verifying : draft.status)
    setText(submit, (verifyIn > 0 && attempt(() => words.verifyIn(verifyIn))) || verify)
    const sendText = times.send > 0 ? words.sendAgain : words.send
    setText(send, (sendIn > 0 && attempt(() => words.sendAgainIn(sendIn))) || sendText)
    input.setAttribute('aria-invalid', String(draft.isInvalid))
    // Not `disabled`, which would drop the focus.
    submit.setAttribute('aria-disabled', String(isBusy || verifyIn > 0))
    form.setAttribute('aria-busy', String(isBusy))
    input.readOnly = isBusy
    send.disabled = sendIn > 0
    if (sendIn + verifyIn > 0 || times.stale < Infinity) timer = setTimeout(render, 500)
  }

  const showError = (error: string, isInvalid = false): void => {
    Object.assign(draft, { error, isInvalid })
    render()
  }

  const messageOf = (thrown: unknown, fallback: string): string => {
    if (isRateLimitError(thrown)) {
      if (thrown.retryAfterMs) times.limit = performance.now() + thrown.retryAfterMs
      return words.rateLimited
    }
    const message: unknown = attempt(() => explain?.(thrown).message) || readField(thrown, 'serviceMessage')
    return typeof message === 'string' && message ? message : fallback
  }

  const choose = (next: string): void => {
    if (obtaining) isBusy = false
    obtaining?.abort()
    obtaining = undefined
    draft.value = input.value
    type = next
    draft = draftOf(next)
    shown.show(next, draft.value)
    render()
  }

  /** Returns the code in the input; people copy and write codes with spaces, hyphens, and marks of direction. */
  const readCode = (): string =>
    normalizeCode(type, isCode(type) ? input.value.replace(/[\p{Pd}\p{Cf}]/gu, '') : input.value)

  /** Returns why a code is not sent. */
  const problemOf = (code: string): string => {
    if (code === '') return words.empty
    if (isCode(type) && codeLength > 0 && (code.length < codeLength || /\D/.test(code))) return words.digits(codeLength)
    return refused.has(`${type} ${code}`) ? words.repeated : ''
  }

  const verify = async (event?: Event): Promise<void> => {
    event?.preventDefault()
    if (isBusy || type === '' || secondsUntil(times.verify) > 0) return
    const code = type === 'webauthn' ? '' : readCode()
    const problem = type !== 'webauthn' && problemOf(code)
    if (problem) {
      focus()
      input.select()
      return showError(problem, true)
    }
    isBusy = true
    draft.status = ''
    showError('')
    obtaining = new AbortController()
    const { signal } = obtaining
    try {
      const obtained = type === 'webauthn' ? await challenge.webauthn({ signal }) : { type, code }
      if (signal.aborted) return
      lastType = type
      sent = { type, code, at: performance.now() }
      answer(obtained, challenge)
    } catch (thrown) {
      if (signal.aborted) return
      isBusy = false
      showError(messageOf(thrown, words.failed))
    }
    obtaining = undefined
  }

  const sendSms = async (): Promise<void> => {
    const sms = draftOf('sms')
    input.focus()
    times.send = performance.now() + (readField(options, 'resendAfterMs') ?? 30_000)
    Object.assign(sms, { error: '', isInvalid: false, status: words.sending })
    render()
    try {
      const { phone } = await challenge.sendSms()
      sms.status = words.sent(phone)
    } catch (thrown) {
      times.send = performance.now() + (Number(readField(thrown, 'retryAfterMs')) || 0)
      Object.assign(sms, { error: messageOf(thrown, words.failed), status: '' })
    }
    render()
  }

  /** Shows why the last answer was not accepted, or the previous ticket expired. */
  const fail = (error: Error, isRefused: boolean, attemptsLeft: number | undefined) => {
    isBusy = false
    if (!sent) return showError(words.expired)
    if (isRefused) {
      refused.add(`${sent.type} ${sent.code}`)
      draftOf(sent.type).value = ''
      if (type === sent.type) input.value = ''
      const left = attemptsLeft === undefined ? '' : `\n${words.attemptsLeft(attemptsLeft)}`
      return showError(messageOf(error, words.refused) + left, type === sent.type && type !== 'webauthn')
    }
    if (sent.type === 'totp') times.stale = sent.at + TOTP_MS
    const isLimited = isRateLimitError(error)
    if (isLimited) times.verify = performance.now() + (error.retryAfterMs ?? 0)
    // What the service says about a status 5xx is not for users.
    showError(isLimited ? messageOf(error, '') : attempt(() => explain?.(error).message) || words.unavailable)
  }

  for (const radio of shown.radios) {
    radio.checked = radio.value === type
    radio.onchange = () => choose(radio.value)
  }
  const onInput = (event: Event): void => {
    if (type === 'totp') times.stale = Infinity
    showError('')
    const code = readCode()
    const isWhole = isCode(type) && code.length === codeLength && problemOf(code) === ''
    const isComposing = event instanceof InputEvent && event.isComposing
    if (isWhole && !isComposing && readField(options, 'autoSubmit') === true) void verify()
  }
  // Of a password manager; Enter clicks the button, because a sandboxed iframe without `allow-forms` submits no form.
  form.onsubmit = verify
  // The back gesture. Keys, clicks and input are handled before the page can see them.
  dialog.onclose = cancel
  shown.show(type, '')
  render()

  const element = createElement(dialog)
  element.lang = words.lang
  const actions = new Map<EventTarget, (event: Event) => void>([
    [submit, verify],
    [send, sendSms],
    [shown.cancel, cancel],
    [input, onInput],
  ])
  let release = (): void => {}
  try {
    if (footer) element.append(footer(challenge))
    parent().append(element)
    release = guardModal({ element, dialog, slot, actions, cancel })
    dialog.showModal()
  } catch (thrown) {
    isClosed = true
    release()
    element.remove()
    throw thrown
  }
  element.onremoved = cancel
  if (type === 'sms') send.focus()
  else focus()

  return {
    challenge,
    update({ state, lastError, attemptsLeft }) {
      if (state === 'verifying') {
        isBusy = true
        return render()
      }
      // After the last answer, the dialog closes before it is painted.
      if (!lastError || (state !== 'waiting' && state !== 'refused')) return
      fail(lastError, state === 'refused', attemptsLeft)
      focus()
    },
    close() {
      isClosed = true
      element.onremoved = undefined
      dialog.onclose = null
      obtaining?.abort()
      clearTimeout(timer)
      // The app may hold the element.
      input.value = ''
      drafts.clear()
      dialog.close()
      element.remove()
      release()
    },
  }
}
