import type { MfaPrompt, MfaPromptState } from '../mfa/prompt'
import type { MfaAnswer, MfaChallenge } from '../types/mfa'
import { CSS } from './css'
import { ENGLISH, type MfaDialogWords } from './words'

/** Options of {@link mfaDialog}. */
export interface MfaDialogOptions {
  /**
   * Texts that replace the default ones, for example in another language. `methods` are merged by type.
   * @default English
   */
  readonly words?: Partial<MfaDialogWords> | undefined
  /**
   * Returns the message of an error: pass `explain` of `rapport-sdk` to show every error in words for users.
   * @default the message of the service, else `words.refused` or `words.failed`
   */
  readonly explain?: ((error: unknown) => { readonly message: string }) | undefined
  /**
   * Returns the element to which the dialog is appended, such as the app's own modal dialog.
   * @default document.body
   */
  readonly parent?: (() => Element) | undefined
  /**
   * Time until another SMS can be requested, in milliseconds. If the service demands a longer time, that applies.
   * @default 30_000
   */
  readonly resendAfterMs?: number | undefined
}

/** The open dialog of a challenge. */
export interface View {
  readonly challenge: MfaChallenge
  /** Shows a state of the challenge. */
  update(state: MfaPromptState): void
  /** Closes the dialog, which returns the focus, and removes its element. */
  close(): void
}

/** The element; another copy of the package may have defined its class. */
type DialogElement = HTMLElement & { onremoved?: (() => void) | undefined }

const NAME = 'rapport-mfa-dialog'
/** Methods of the service that are shown; more are no choice. */
const MAX_METHODS = 20
let sheet: CSSStyleSheet | undefined

function createElement(): DialogElement {
  if (!customElements.get(NAME)) {
    // Defined here, because a server has no `HTMLElement`.
    const element = class extends HTMLElement implements DialogElement {
      onremoved?: () => void
      disconnectedCallback(): void {
        this.onremoved?.()
      }
    }
    customElements.define(NAME, element)
  }
  const element = document.createElement(NAME)
  if (!sheet) {
    sheet = new CSSStyleSheet()
    sheet.replaceSync(CSS)
  }
  element.attachShadow({ mode: 'open' }).adoptedStyleSheets = [sheet]
  return element
}

function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children)
  return element
}

/** Returns what a function of the app returns; `undefined` if it throws, because the user can do nothing about it. */
function attempt<T>(call: () => T): T | undefined {
  try {
    return call()
  } catch {
    return undefined
  }
}

/** Opens the dialog for a challenge. Throws if it cannot be shown; then its element is not in the document. */
export function openView({ answer, cancel }: MfaPrompt, challenge: MfaChallenge, options: MfaDialogOptions): View {
  const { explain, parent = () => document.body, resendAfterMs = 30_000 } = options
  const words: MfaDialogWords = { ...ENGLISH, ...options.words }
  const own = (methods: MfaDialogWords['methods'] = {}, type: string) =>
    Object.hasOwn(methods, type) ? methods[type] : undefined
  const wordsOf = (type: string) =>
    own(options.words?.methods, type) ?? own(ENGLISH.methods, type) ?? { name: type, hint: '', label: type }
  const offered = new Set(challenge.methods.map(({ type }) => type as string))
  offered.delete('')
  const types = new Set([...offered].slice(0, MAX_METHODS))
  if (challenge.allows('backup')) types.add('backup')

  /** Aborts the answer that is being obtained; `undefined` once it is given. */
  let obtaining: AbortController | undefined
  let type = ''
  let isBusy = false
  let canSendAt = 0
  let timer: ReturnType<typeof setInterval> | undefined

  const hint = h('p', { id: 'hint', part: 'hint' }, words.noMethod)
  const send = h('button', { type: 'button', part: 'button send' }, words.send)
  const labelText = h('span', { part: 'label-text' })
  const input = h('input', { part: 'input', required: '', spellcheck: 'false', 'aria-describedby': 'error' })
  const label = h('label', { part: 'label' }, labelText, input)
  const error = h('p', { id: 'error', part: 'error', role: 'alert' })
  const status = h('p', { part: 'status', role: 'status' })
  const cancelButton = h('button', { type: 'button', part: 'button cancel' }, words.cancel)
  const submit = h('button', { part: 'button submit' })
  const methods = h('fieldset', { part: 'methods' }, h('legend', { part: 'legend' }, words.choose))
  const form = h(
    'form',
    { part: 'form' },
    h('h2', { id: 'title', part: 'title' }, words.title(challenge)),
    methods,
    hint,
    send,
    label,
    h('div', { part: 'messages' }, error, status),
    h('div', { part: 'actions' }, cancelButton, submit),
  )
  const dialog = h('dialog', { part: 'dialog', 'aria-labelledby': 'title', 'aria-describedby': 'hint' }, form)

  const setBusy = (next: boolean): void => {
    isBusy = next
    form.setAttribute('aria-busy', String(next))
    // Not `disabled`, which would drop the focus.
    submit.setAttribute('aria-disabled', String(next))
    input.readOnly = next
    status.textContent = next ? words.verifying : ''
    if (next) error.textContent = ''
  }

  const showError = (thrown: unknown, fallback: string, count?: number): void => {
    const { serviceMessage } = Object(thrown) as { serviceMessage?: string }
    const message = attempt(() => explain?.(thrown).message) || serviceMessage || fallback
    error.replaceChildren(message, ...(count === undefined ? [] : [h('br', {}), words.attemptsLeft(count)]))
  }

  const choose = (next: string): void => {
    if (obtaining) {
      obtaining.abort()
      setBusy(false)
    }
    type = next
    const { hint: text, label: name = '', verify = words.verify } = wordsOf(type)
    const isNumeric = type === 'totp' || type === 'sms'
    const isPassword = type === 'password'
    hint.textContent = text
    send.hidden = type !== 'sms'
    label.hidden = input.disabled = type === 'webauthn'
    labelText.textContent = name
    input.value = error.textContent = status.textContent = ''
    input.type = isPassword ? 'password' : 'text'
    input.inputMode = isNumeric ? 'numeric' : 'text'
    input.autocomplete = isNumeric ? 'one-time-code' : isPassword ? 'current-password' : 'off'
    input.autocapitalize = 'off'
    submit.textContent = verify
  }

  const focus = (): void => (input.disabled ? submit : input).focus()

  const showCoolDown = (): void => {
    const seconds = Math.ceil((canSendAt - performance.now()) / 1000)
    send.disabled = seconds > 0
    send.textContent = (send.disabled && attempt(() => words.sendAgainIn(seconds))) || words.sendAgain
    if (!send.disabled) clearInterval(timer)
  }

  const coolDown = (ms: number): void => {
    canSendAt = performance.now() + ms
    clearInterval(timer)
    timer = setInterval(showCoolDown, 500)
    showCoolDown()
  }

  const sendSms = async (): Promise<void> => {
    input.focus()
    error.textContent = ''
    coolDown(resendAfterMs)
    try {
      const { phone } = await challenge.sendSms()
      status.textContent = words.sent(phone)
    } catch (thrown) {
      const { retryAfterMs = 0 } = Object(thrown) as { retryAfterMs?: number }
      // Not `setBusy(false)`: an answer may be being verified.
      if (!isBusy) status.textContent = ''
      showError(thrown, words.failed)
      coolDown(retryAfterMs)
    }
  }

  const readAnswer = (signal: AbortSignal): MfaAnswer | Promise<MfaAnswer> => {
    if (type === 'webauthn') return challenge.webauthn({ signal })
    const { value } = input
    if (type === 'password') return { type, code: value }
    return { type, code: type === 'backup' ? value.trim() : value.replace(/[\s-]/g, '') }
  }

  const verify = async (): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    obtaining = new AbortController()
    const { signal } = obtaining
    try {
      const obtained = await readAnswer(signal)
      if (signal.aborted) return
      obtaining = undefined
      answer(obtained)
    } catch (thrown) {
      if (signal.aborted) return
      setBusy(false)
      showError(thrown, words.failed)
    }
  }

  for (const each of types) {
    const radio = h('input', { type: 'radio', name: 'method', part: 'radio' })
    radio.checked = type === ''
    radio.onchange = () => choose(each)
    methods.append(h('label', { part: 'method' }, radio, wordsOf(each).name))
    if (type === '') choose(each)
  }
  methods.hidden = types.size < 2
  if (type === '') send.hidden = label.hidden = submit.hidden = true

  send.onclick = sendSms
  cancelButton.onclick = cancel
  form.onsubmit = (event) => {
    event.preventDefault()
    verify()
  }
  // Escape, or the back gesture.
  dialog.onclose = cancel

  const element = createElement()
  element.lang = words.lang
  element.shadowRoot?.append(dialog)
  try {
    parent().append(element)
    dialog.showModal()
  } catch (thrown) {
    element.remove()
    throw thrown
  }
  element.onremoved = cancel
  if (type === 'sms') send.focus()
  else focus()

  return {
    challenge,
    update({ state, lastError, attemptsLeft }) {
      if (state === 'verifying') return setBusy(true)
      // While it waits for the first answer, this is the error of an expired ticket.
      if (!lastError || (state !== 'waiting' && state !== 'refused')) return
      setBusy(false)
      showError(lastError, words.refused, attemptsLeft)
      input.value = ''
      focus()
    },
    close() {
      element.onremoved = undefined
      dialog.onclose = null
      obtaining?.abort()
      clearInterval(timer)
      // The app may hold the element.
      input.value = ''
      dialog.close()
      element.remove()
    },
  }
}
