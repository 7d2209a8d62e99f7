// The open dialog of a challenge: what users do, and what they see.
import { isRateLimitError } from '../errors/api-errors'
import { readField } from '../internal/json'
import { normalizeCode } from '../mfa/challenge'
import type { MfaPrompt, MfaPromptState } from '../mfa/prompt'
import type { MfaChallenge } from '../types/mfa'
import { createElement, createForm, type DialogElement, isCode, setText, typesOf } from './form'
import { guardModal } from './modal'
import { attempt, type DialogTexts, type MfaDialogOptions, readTexts } from './options'

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

const secondsUntil = (time: number): number => Math.max(0, Math.ceil((time - performance.now()) / 1000))

export class View {
  readonly challenge: MfaChallenge
  readonly #prompt: MfaPrompt
  readonly #options: MfaDialogOptions
  readonly #texts: DialogTexts
  readonly #shown: ReturnType<typeof createForm>
  readonly #element: DialogElement
  readonly #drafts = new Map<string, Draft>()
  /** Type and code of each answer that was refused. */
  readonly #refused = new Set<string>()
  /** Times by `performance.now()`: when an SMS or an answer can be sent, the code is too old, and a rate limit over. */
  readonly #times = { send: 0, verify: 0, stale: Infinity, limit: Infinity }
  #type: string
  #draft: Draft
  #isBusy = false
  #isClosed = false
  /** Aborts the answer that is being obtained; `undefined` once it is given. */
  #obtaining: AbortController | undefined
  /** The last answer that was given. */
  #sent: { readonly type: string; readonly code: string; readonly at: number } | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #release = (): void => {}

  /** Opens the dialog. Throws if it cannot be shown; then its element is not in the document. */
  constructor(prompt: MfaPrompt, challenge: MfaChallenge, options: MfaDialogOptions) {
    this.challenge = challenge
    this.#prompt = prompt
    this.#options = options
    this.#texts = readTexts(options)
    const types = typesOf(challenge)
    this.#type = types.includes(lastType) ? lastType : (types[0] ?? '')
    this.#draft = this.#draftOf(this.#type)
    this.#shown = createForm(challenge, options, this.#texts, types)
    this.#element = createElement(this.#shown.dialog)
    this.#element.lang = this.#texts.words.lang
    this.#shown.show(this.#type, '')
    this.#render()
    try {
      this.#open()
    } catch (thrown) {
      this.#isClosed = true
      this.#release()
      this.#element.remove()
      throw thrown
    }
    this.#element.onremoved = prompt.cancel
    if (this.#type === 'sms') this.#shown.send.focus()
    else this.#shown.focus()
  }

  /** Shows a state of the challenge. */
  update({ state, lastError, attemptsLeft }: MfaPromptState) {
    if (state === 'verifying') {
      this.#isBusy = true
      return this.#render()
    }
    // After the last answer, the dialog closes before it is painted.
    if (!lastError || (state !== 'waiting' && state !== 'refused')) return
    this.#fail(lastError, state === 'refused', attemptsLeft)
    this.#shown.focus()
  }

  /** Closes the dialog, which returns the focus, and removes its element. */
  close(): void {
    const { dialog, input } = this.#shown
    this.#isClosed = true
    this.#element.onremoved = undefined
    dialog.onclose = null
    this.#obtaining?.abort()
    clearTimeout(this.#timer)
    // The app may hold the element.
    input.value = ''
    this.#drafts.clear()
    dialog.close()
    this.#element.remove()
    this.#release()
  }

  #open(): void {
    const { dialog, slot, form, radios, send, input, submit, cancel: cancelButton } = this.#shown
    const { cancel } = this.#prompt
    for (const radio of radios) {
      radio.checked = radio.value === this.#type
      radio.onchange = () => this.#choose(radio.value)
    }
    const verify = (event: Event) => {
      event.preventDefault()
      void this.#verify()
    }
    // Of a password manager; Enter clicks the button, because a sandboxed iframe without `allow-forms` submits no form.
    form.onsubmit = verify
    // The back gesture. Keys, clicks and input are handled before the page can see them.
    dialog.onclose = cancel
    const actions = new Map<EventTarget, (event: Event) => void>([
      [submit, verify],
      [send, () => void this.#sendSms()],
      [cancelButton, cancel],
      [input, (event) => this.#onInput(event)],
    ])
    const footer = readField(this.#options, 'footer')
    if (footer) this.#element.append(footer(this.challenge))
    const parent = readField(this.#options, 'parent')?.() ?? document.body
    parent.append(this.#element)
    this.#release = guardModal({ element: this.#element, dialog, slot, actions, cancel })
    dialog.showModal()
  }

  #draftOf(type: string): Draft {
    const draft = this.#drafts.get(type) ?? { value: '', error: '', isInvalid: false, status: '' }
    this.#drafts.set(type, draft)
    return draft
  }

  #render(): void {
    clearTimeout(this.#timer)
    if (this.#isClosed) return
    this.#forget()
    const { form, send, input, submit, error, status } = this.#shown
    const { words, wordsOf, waiting } = this.#texts
    const { verify = words.verify } = wordsOf(this.#type)
    const [sendIn, verifyIn] = [secondsUntil(this.#times.send), secondsUntil(this.#times.verify)]
    setText(error, this.#draft.error)
    setText(status, this.#isBusy ? words.verifying : this.#draft.status)
    setText(submit, waiting(words.verifyIn, verifyIn) || verify)
    setText(send, waiting(words.sendAgainIn, sendIn) || (this.#times.send > 0 ? words.sendAgain : words.send))
    input.setAttribute('aria-invalid', String(this.#draft.isInvalid))
    // Not `disabled`, which would drop the focus.
    submit.setAttribute('aria-disabled', String(this.#isBusy || verifyIn > 0))
    form.setAttribute('aria-busy', String(this.#isBusy))
    input.readOnly = this.#isBusy
    send.disabled = sendIn > 0
    if (sendIn + verifyIn > 0 || this.#times.stale < Infinity) this.#timer = setTimeout(() => this.#render(), 500)
  }

  /** Removes errors of a rate limit that is over, and a code that is too old. */
  #forget(): void {
    if (secondsUntil(this.#times.limit) === 0) {
      this.#times.limit = Infinity
      const { rateLimited } = this.#texts.words
      for (const draft of this.#drafts.values()) if (draft.error === rateLimited) draft.error = ''
    }
    if (secondsUntil(this.#times.stale) === 0) {
      this.#times.stale = Infinity
      this.#clear('totp')
    }
  }

  #clear(type: string): void {
    this.#draftOf(type).value = ''
    if (this.#type === type) this.#shown.input.value = ''
  }

  #showError(error: string, isInvalid = false): void {
    Object.assign(this.#draft, { error, isInvalid })
    this.#render()
  }

  #messageOf(thrown: unknown, fallback: string): string {
    if (isRateLimitError(thrown)) {
      if (thrown.retryAfterMs) this.#times.limit = performance.now() + thrown.retryAfterMs
      return this.#texts.words.rateLimited
    }
    const message: unknown = this.#explain(thrown) || readField(thrown, 'serviceMessage')
    return typeof message === 'string' && message ? message : fallback
  }

  #explain(thrown: unknown): string | undefined {
    return attempt(() => readField(this.#options, 'explain')?.(thrown).message)
  }

  #choose(type: string): void {
    const { input, show } = this.#shown
    if (this.#obtaining) this.#isBusy = false
    this.#obtaining?.abort()
    this.#obtaining = undefined
    this.#draft.value = input.value
    this.#type = type
    this.#draft = this.#draftOf(type)
    show(type, this.#draft.value)
    this.#render()
  }

  /** Returns the code in the input; people copy and write codes with spaces, hyphens, and marks of direction. */
  #readCode(): string {
    const { value } = this.#shown.input
    return normalizeCode(this.#type, isCode(this.#type) ? value.replace(/[\p{Pd}\p{Cf}]/gu, '') : value)
  }

  get #codeLength(): number {
    return readField(this.#options, 'codeLength') ?? 6
  }

  /** Returns why a code is not sent. */
  #problemOf(code: string): string {
    const { words } = this.#texts
    const length = this.#codeLength
    if (code === '') return words.empty
    if (isCode(this.#type) && length > 0 && (code.length < length || /\D/.test(code))) return words.digits(length)
    return this.#refused.has(`${this.#type} ${code}`) ? words.repeated : ''
  }

  #onInput(event: Event): void {
    if (this.#type === 'totp') this.#times.stale = Infinity
    this.#showError('')
    const code = this.#readCode()
    const isWhole = isCode(this.#type) && code.length === this.#codeLength && this.#problemOf(code) === ''
    const isComposing = event instanceof InputEvent && event.isComposing
    if (isWhole && !isComposing && readField(this.#options, 'autoSubmit') === true) void this.#verify()
  }

  async #verify(): Promise<void> {
    const type = this.#type
    if (this.#isBusy || type === '' || secondsUntil(this.#times.verify) > 0) return
    const code = type === 'webauthn' ? '' : this.#readCode()
    const problem = type !== 'webauthn' && this.#problemOf(code)
    if (problem) {
      this.#shown.focus()
      this.#shown.input.select()
      return this.#showError(problem, true)
    }
    this.#isBusy = true
    this.#draft.status = ''
    this.#showError('')
    this.#obtaining = new AbortController()
    const { signal } = this.#obtaining
    try {
      const answer = type === 'webauthn' ? await this.challenge.webauthn({ signal }) : { type, code }
      if (signal.aborted) return
      lastType = type
      this.#sent = { type, code, at: performance.now() }
      this.#prompt.answer(answer, this.challenge)
    } catch (thrown) {
      if (signal.aborted) return
      this.#isBusy = false
      this.#showError(this.#messageOf(thrown, this.#texts.words.failed))
    }
    this.#obtaining = undefined
  }

  async #sendSms(): Promise<void> {
    const { words } = this.#texts
    const sms = this.#draftOf('sms')
    this.#shown.input.focus()
    this.#times.send = performance.now() + (readField(this.#options, 'resendAfterMs') ?? 30_000)
    Object.assign(sms, { error: '', isInvalid: false, status: words.sending })
    this.#render()
    try {
      const { phone } = await this.challenge.sendSms()
      sms.status = words.sent(phone)
    } catch (thrown) {
      this.#times.send = performance.now() + (Number(readField(thrown, 'retryAfterMs')) || 0)
      Object.assign(sms, { error: this.#messageOf(thrown, words.failed), status: '' })
    }
    this.#render()
  }

  /** Shows why the last answer was not accepted, or the previous ticket expired. */
  #fail(error: Error, isRefused: boolean, attemptsLeft: number | undefined) {
    const { words } = this.#texts
    const sent = this.#sent
    this.#isBusy = false
    if (!sent) return this.#showError(words.expired)
    if (isRefused) {
      this.#refused.add(`${sent.type} ${sent.code}`)
      this.#clear(sent.type)
      const left = attemptsLeft === undefined ? '' : `\n${words.attemptsLeft(attemptsLeft)}`
      const isInvalid = this.#type === sent.type && sent.type !== 'webauthn'
      return this.#showError(this.#messageOf(error, words.refused) + left, isInvalid)
    }
    if (sent.type === 'totp') this.#times.stale = sent.at + TOTP_MS
    const isLimited = isRateLimitError(error)
    if (isLimited) this.#times.verify = performance.now() + (error.retryAfterMs ?? 0)
    // What the service says about a status 5xx is not for users.
    this.#showError(isLimited ? this.#messageOf(error, '') : this.#explain(error) || words.unavailable)
  }
}
