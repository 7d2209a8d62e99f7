// The elements of the form of a challenge.
import { readField } from '../internal/json'
import type { MfaChallenge } from '../types/mfa'
import { h } from './element'
import { attempt, type DialogTexts, type MfaDialogOptions } from './options'

/** Maximum number of the service's methods that are shown. */
const MAX_METHODS = 20

/** Returns the kinds of second factors to choose from. */
export function typesOf(challenge: MfaChallenge): string[] {
  const offered = challenge.methods.map(({ type }): string => type).filter(Boolean)
  const types = new Set(offered.slice(0, MAX_METHODS))
  if (challenge.allows('backup')) types.add('backup')
  // Such a passkey could only fail; alone, its error says why.
  const cannotUsePasskeys = Reflect.get(challenge, 'canUseWebAuthn') === false
  if (cannotUsePasskeys && types.size > 1) types.delete('webauthn')
  return [...types]
}

/** Whether a kind of second factor is a number. */
export const isCode = (type: string): boolean => type === 'totp' || type === 'sms'

/** Replaces the text of an element if it changes: a live region announces each replacement. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text
}

/** Returns who and what a challenge is about. */
function describe(challenge: MfaChallenge, options: MfaDialogOptions, { words }: DialogTexts): string {
  const account = attempt(() => readField(options, 'account')?.(challenge))
  return [readField(words.operations, challenge.endpoint), account].filter(Boolean).join(' · ')
}

/** Creates the dialog of a challenge; it shows nothing of a method yet. */
export function createForm(
  challenge: MfaChallenge,
  options: MfaDialogOptions,
  texts: DialogTexts,
  types: readonly string[],
) {
  const { words, wordsOf } = texts
  const methods = h('fieldset', 'methods', {}, h('legend', 'legend', {}, words.choose))
  const radios = types.map((type) => h('input', 'radio', { type: 'radio', name: 'method', value: type }))
  for (const radio of radios) methods.append(h('label', 'method', {}, radio, wordsOf(radio.value).name))
  const hints = types.map((type) => h('span', '', {}, wordsOf(type).hint))
  const hint = h('p', 'hint', { id: 'hint' }, ...(types.length > 0 ? hints : [h('span', '', {}, words.noMethod)]))
  const about = h('p', 'about', { id: 'about' }, describe(challenge, options, texts))
  const send = h('button', 'button send', { type: 'button' }, words.send)
  const labelText = h('span', 'label-text', {})
  const input = h('input', 'input', { spellcheck: 'false', autocapitalize: 'off', 'aria-describedby': 'error' })
  const label = h('label', 'label', {}, labelText, input)
  const field = h('div', 'field', {}, label, send)
  const error = h('p', 'error', { id: 'error', role: 'alert' })
  const status = h('p', 'status', { role: 'status' })
  const cancel = h('button', 'button cancel', { type: 'button' }, words.cancel)
  const submit = h('button', 'button submit', {})
  const title = h('h2', 'title', { id: 'title' }, words.title(challenge))
  const messages = h('div', 'messages', {}, hint, error, status)
  const actions = h('div', 'actions', {}, cancel, submit)
  const form = h('form', 'form', { novalidate: '' }, title, about, methods, field, messages, actions)
  const labels = { 'aria-labelledby': 'title', 'aria-describedby': 'about hint', dir: words.dir }
  const slot = h('slot', '', {})
  const dialog = h('dialog', 'dialog', labels, form, slot)
  about.hidden = about.textContent === ''
  methods.hidden = types.length < 2
  field.hidden = types.every((type) => type === 'webauthn')
  submit.hidden = types.length === 0
  hint.firstElementChild?.classList.add('on')

  /** Shows a method, with the value of its input. */
  const show = (type: string, value: string): void => {
    const isPassword = type === 'password'
    for (const [index, each] of types.entries()) hints[index]?.classList.toggle('on', each === type)
    send.hidden = type !== 'sms'
    input.disabled = type === 'webauthn'
    label.classList.toggle('off', input.disabled)
    setText(labelText, wordsOf(type).label ?? '')
    // A password is never shown as the text of another method.
    input.value = ''
    input.type = isPassword ? 'password' : 'text'
    input.name = isPassword ? 'password' : 'code'
    input.inputMode = isCode(type) ? 'numeric' : 'text'
    input.autocomplete = isCode(type) ? 'one-time-code' : isPassword ? 'current-password' : 'off'
    input.value = value
  }

  const focus = (): void => (input.disabled ? submit : input).focus()

  return { dialog, slot, form, radios, send, input, error, status, cancel, submit, show, focus }
}
