import { omitUndefined, readField } from '../internal/json'
import type { MfaPrompt, MfaPromptState } from '../mfa/prompt'
import type { MfaChallenge } from '../types/mfa'
import { ENGLISH, type MfaDialogWords, type MfaMethodWords } from './words'

/** Options of {@link mfaDialog}. */
export interface MfaDialogOptions {
  /**
   * Texts that replace the default ones, for example in another language. `methods` are merged by type.
   * @default English
   */
  readonly words?: { readonly [Name in keyof MfaDialogWords]?: MfaDialogWords[Name] | undefined } | undefined
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
   * Returns content to show below the form, such as a link for users who lost their device. It becomes a child of
   * `<rapport-mfa-dialog>`, so the styles of the page apply to it.
   * @default none
   */
  readonly footer?: ((challenge: MfaChallenge) => Node) | undefined
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
/** Maximum number of the service's methods that are shown. */
const MAX_METHODS = 20

function createElement(dialog: HTMLDialogElement): DialogElement {
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
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(CSS)
  const root = element.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [sheet]
  root.append(dialog)
  return element
}

/** Creates an element with its part names, attributes and children. */
function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  part: string,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries({ ...attributes, part })) element.setAttribute(name, value)
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

/** Returns the texts of the dialog, and those of each kind of second factor. */
function readWords(options: MfaDialogOptions) {
  const words: MfaDialogWords = { ...ENGLISH, ...omitUndefined({ ...readField(options, 'words') }) }
  // Without a prototype, because a type may be named `constructor`.
  const methodWords: Record<string, MfaMethodWords> = Object.assign(Object.create(null), ENGLISH.methods)
  const wordsOf = (type: string): MfaMethodWords => methodWords[type] ?? { name: type, hint: '', label: type }
  for (const [type, texts = {}] of Object.entries(words.methods))
    methodWords[type] = { ...wordsOf(type), ...omitUndefined(texts) }
  return { words, wordsOf }
}

/** Returns the kinds of second factors to choose from. */
function typesOf(challenge: MfaChallenge): Set<string> {
  const offered = challenge.methods.map(({ type }): string => type).filter(Boolean)
  const types = new Set(offered.slice(0, MAX_METHODS))
  if (challenge.allows('backup')) types.add('backup')
  // Such a passkey could only fail; alone, its error says why.
  const cannotUsePasskeys = Reflect.get(challenge, 'canUseWebAuthn') === false
  if (cannotUsePasskeys && types.size > 1) types.delete('webauthn')
  return types
}

const isCode = (type: string): boolean => type === 'totp' || type === 'sms'

/** Creates the dialog of a challenge and what changes it; it shows nothing of a method yet. */
function createForm(challenge: MfaChallenge, options: MfaDialogOptions) {
  const { words, wordsOf } = readWords(options)
  const explain = readField(options, 'explain')
  const methods = h('fieldset', 'methods', {}, h('legend', 'legend', {}, words.choose))
  const hint = h('p', 'hint', { id: 'hint' }, words.noMethod)
  const send = h('button', 'button send', { type: 'button' }, words.send)
  const labelText = h('span', 'label-text', {})
  const inputAttributes = { required: '', spellcheck: 'false', autocapitalize: 'off', 'aria-describedby': 'error' }
  const input = h('input', 'input', inputAttributes)
  const label = h('label', 'label', {}, labelText, input)
  const error = h('p', 'error', { id: 'error', role: 'alert' })
  const status = h('p', 'status', { role: 'status' })
  const cancelButton = h('button', 'button cancel', { type: 'button' }, words.cancel)
  const submit = h('button', 'button submit', {})
  const title = h('h2', 'title', { id: 'title' }, words.title(challenge))
  const messages = h('div', 'messages', {}, error, status)
  const actions = h('div', 'actions', {}, cancelButton, submit)
  const form = h('form', 'form', {}, title, methods, hint, send, label, messages, actions)
  const labels = { 'aria-labelledby': 'title', 'aria-describedby': 'hint' }
  const dialog = h('dialog', 'dialog', labels, form, h('slot', '', {}))

  const setBusy = (next: boolean): void => {
    // Not `disabled`, which would drop the focus.
    form.ariaBusy = submit.ariaDisabled = String(next)
    input.readOnly = next
    status.textContent = next ? words.verifying : ''
    if (next) error.textContent = ''
  }

  const showError = (thrown: unknown, fallback: string): void => {
    // Anything may be thrown; a field that is absent is `undefined`.
    const { serviceMessage } = Object(thrown) as { serviceMessage?: string }
    error.textContent = attempt(() => explain?.(thrown).message) || serviceMessage || fallback
  }

  const showMethod = (type: string): void => {
    const texts = wordsOf(type)
    const isPassword = type === 'password'
    hint.textContent = texts.hint
    send.hidden = type !== 'sms'
    label.hidden = input.disabled = type === 'webauthn'
    labelText.textContent = texts.label ?? ''
    input.value = error.textContent = status.textContent = ''
    input.type = isPassword ? 'password' : 'text'
    input.inputMode = isCode(type) ? 'numeric' : 'text'
    input.autocomplete = isCode(type) ? 'one-time-code' : isPassword ? 'current-password' : 'off'
    submit.textContent = texts.verify ?? words.verify
  }

  const focus = (): void => (input.disabled ? submit : input).focus()

  const elements = { dialog, form, methods, send, label, input, error, status, cancelButton, submit }
  return { ...elements, words, wordsOf, setBusy, showError, showMethod, focus }
}

/** Sends an SMS on a click. Returns a function that disables the button until a time, or with none stops the timer. */
function offerSms(challenge: MfaChallenge, shown: ReturnType<typeof createForm>, resendAfterMs: number) {
  const { send, input, error, status, words, showError } = shown
  let timer: ReturnType<typeof setTimeout> | undefined
  function coolDown(end?: number): void {
    clearTimeout(timer)
    if (end === undefined) return
    const seconds = Math.ceil((end - performance.now()) / 1000)
    send.disabled = seconds > 0
    send.textContent = (send.disabled && attempt(() => words.sendAgainIn(seconds))) || words.sendAgain
    if (send.disabled) timer = setTimeout(coolDown, 500, end)
  }

  send.onclick = async () => {
    input.focus()
    error.textContent = ''
    coolDown(performance.now() + resendAfterMs)
    try {
      const { phone } = await challenge.sendSms()
      status.textContent = words.sent(phone)
    } catch (thrown) {
      // Anything may be thrown; some errors of the client have it.
      const { retryAfterMs = 0 } = Object(thrown) as { retryAfterMs?: number }
      // Not `setBusy(false)`: an answer may be being verified.
      if (!input.readOnly) status.textContent = ''
      showError(thrown, words.failed)
      coolDown(performance.now() + retryAfterMs)
    }
  }
  return coolDown
}

/** Opens the dialog for a challenge. Throws if it cannot be shown; then its element is not in the document. */
export function openView({ answer, cancel }: MfaPrompt, challenge: MfaChallenge, options: MfaDialogOptions): View {
  const footer = readField(options, 'footer')
  const parent = readField(options, 'parent') ?? (() => document.body)
  const types = typesOf(challenge)
  const shown = createForm(challenge, options)
  const { dialog, form, methods, send, label, input, error, submit, words, setBusy, showError, focus } = shown
  const coolDown = offerSms(challenge, shown, readField(options, 'resendAfterMs') ?? 30_000)
  let type = ''
  /** Aborts the answer that is being obtained; `undefined` once it is given. */
  let obtaining: AbortController | undefined
  /** Type and code of each answer that was given. */
  const given = new Set<string>()

  const choose = (next: string): void => {
    if (obtaining) {
      obtaining.abort()
      setBusy(false)
    }
    type = next
    shown.showMethod(next)
  }

  const verify = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (input.readOnly || !form.reportValidity()) return
    const code = isCode(type) ? input.value.replace(/[-\s]/g, '') : input.value
    if (type !== 'webauthn' && given.has(`${type} ${code}`)) {
      error.textContent = words.repeated
      return input.select()
    }
    setBusy(true)
    obtaining = new AbortController()
    const { signal } = obtaining
    try {
      const obtained = type === 'webauthn' ? await challenge.webauthn({ signal }) : { type, code }
      if (signal.aborted) return
      obtaining = undefined
      given.add(`${type} ${code}`)
      answer(obtained)
    } catch (thrown) {
      if (signal.aborted) return
      setBusy(false)
      showError(thrown, words.failed)
    }
  }

  for (const each of types) {
    const radio = h('input', 'radio', { type: 'radio', name: 'method', value: each })
    radio.checked = type === ''
    radio.onchange = () => choose(each)
    methods.append(h('label', 'method', {}, radio, shown.wordsOf(each).name))
    if (type === '') choose(each)
  }
  methods.hidden = types.size < 2
  if (type === '') send.hidden = label.hidden = submit.hidden = true

  // Outside of the shadow root, the target of a key event is the dialog, not the input: shortcuts of the page would not see
  // that the user is typing.
  form.onkeydown = form.onkeypress = form.onkeyup = (event) => event.stopPropagation()
  form.onsubmit = verify
  // Enter clicks it, too. A sandboxed iframe without `allow-forms` submits no form.
  submit.onclick = verify
  shown.cancelButton.onclick = cancel
  // Escape, or the back gesture.
  dialog.onclose = cancel

  const element = createElement(dialog)
  element.lang = words.lang
  try {
    if (footer) element.append(footer(challenge))
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
      // Of the previous answer, or of an expired ticket. After the last answer, the dialog closes before it is painted.
      if (!lastError) return
      setBusy(false)
      showError(lastError, words.refused)
      if (attemptsLeft !== undefined) error.append(h('br', '', {}), words.attemptsLeft(attemptsLeft))
      input.value = ''
      focus()
    },
    close() {
      element.onremoved = undefined
      dialog.onclose = null
      obtaining?.abort()
      coolDown()
      // The app may hold the element.
      input.value = ''
      dialog.close()
      element.remove()
    },
  }
}

/** Style sheet of the dialog. #767676 has enough contrast on light and on dark backgrounds. */
const CSS = `:host{display:contents}
dialog{box-sizing:border-box;border:0;width:min(100% - 2rem,var(--rapport-width,24rem));padding:1.5rem;border-radius:var(--rapport-radius,.5rem);font:1rem/1.5 var(--rapport-font,system-ui);background:var(--rapport-background,Canvas);color:var(--rapport-color,CanvasText)}
dialog::backdrop{background:var(--rapport-backdrop,#0009)}
form,label{display:grid;gap:1rem}
h2,p,fieldset,legend,input{margin:0;padding:0;border:0}
h2{font-size:1.25rem}
label{gap:.25rem}
fieldset label{display:flex;align-items:center;gap:.5rem;min-height:2.25rem}
button,[part=input]{box-sizing:border-box;min-height:2.75rem;padding:0 1rem;border:1px solid #767676;border-radius:var(--rapport-radius,.5rem);font:inherit;background:none;color:inherit}
[part~=submit]{border:0;background:var(--rapport-accent,#0b57d0);color:var(--rapport-on-accent,#fff)}
[aria-disabled=true]{opacity:.6}
[part=error]:not(:empty){padding:0 1rem;border-inline-start:.25rem solid var(--rapport-error,#d93025)}
[part=actions]{display:flex;flex-wrap:wrap;gap:.5rem;justify-content:end}
[hidden]{display:none!important}`
