// The elements of the dialog: its host with a shadow root, its form, and its style sheet.
import { readField } from '../internal/json'
import type { MfaChallenge } from '../types/mfa'
import { attempt, type DialogTexts, type MfaDialogOptions } from './options'

/** The element; another copy of the package may have defined its class. */
export type DialogElement = HTMLElement & { onremoved?: (() => void) | undefined }

const NAME = 'rapport-mfa-dialog'

/** Creates the element, with a dialog in its shadow root. */
export function createElement(dialog: HTMLDialogElement): DialogElement {
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

/** Creates a button with its text, and with room for two others that it may show later. */
function createButton(name: string, text: string, other = '', another = ''): HTMLButtonElement {
  const type = name === 'submit' ? name : 'button'
  const attributes = { type, 'data-other': other, 'data-another': another }
  return h('button', `button ${name}`, attributes, h('span', '', {}, text))
}

/** Returns the kinds of second factors to choose from. */
export function typesOf(challenge: MfaChallenge): string[] {
  const types = new Set(challenge.methods.map(({ type }): string => type).filter(Boolean))
  if (challenge.allows('backup')) types.add('backup')
  // Such a passkey could only fail; alone, its error says why.
  const cannotUsePasskeys = Reflect.get(challenge, 'canUseWebAuthn') === false
  if (cannotUsePasskeys && types.size > 1) types.delete('webauthn')
  return [...types]
}

/** Whether a kind of second factor is a number. */
export const isCode = (type: string): boolean => type === 'totp' || type === 'sms'

/** Replaces the text of an element, or of the one in it, if it changes: a live region announces each replacement. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) (element.firstElementChild ?? element).textContent = text
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
  const { words, wordsOf, waiting } = texts
  const methods = h('fieldset', 'methods', {}, h('legend', 'legend', {}, words.choose))
  const radios = types.map((type) => h('input', 'radio', { type: 'radio', name: 'method', value: type }))
  for (const radio of radios) methods.append(h('label', 'method', {}, radio, wordsOf(radio.value).name))
  const hints = types.map((type) => h('span', '', {}, wordsOf(type).hint))
  const hint = h('p', 'hint', { id: 'hint' }, ...(types.length > 0 ? hints : [h('span', '', {}, words.noMethod)]))
  const about = h('p', 'about', { id: 'about' }, describe(challenge, options, texts))
  const send = createButton('send', words.send, words.sendAgain, waiting(words.sendAgainIn))
  const labelText = h('span', 'label-text', {})
  const input = h('input', 'input', { spellcheck: 'false', autocapitalize: 'off', 'aria-describedby': 'error' })
  const label = h('label', 'label', {}, labelText, input)
  const field = h('div', 'field', {}, label, send)
  const error = h('p', 'error', { id: 'error', role: 'alert' })
  const status = h('p', 'status', { role: 'status' })
  const cancel = createButton('cancel', words.cancel)
  const verifyTexts = [words.verify, ...types.map((type) => wordsOf(type).verify ?? '')]
  const [longest] = verifyTexts.sort((one, other) => other.length - one.length)
  const submit = createButton('submit', '', longest, waiting(words.verifyIn))
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

/**
 * Style sheet of the dialog. The host inherits nothing of the page but custom properties and the color scheme: an app that
 * has opened a modal may have `pointer-events: none` on its body. Lengths are in `em`, because `rem` depends on the page's
 * root. Transparent borders are visible in forced colors. Korean lines end after words, Japanese ones after phrases.
 * #767676 and #1a66e0 have enough contrast on light and on dark. Nothing moves: hint and messages share a place, and
 * buttons have the same size with every text.
 */
const CSS = `:host{all:initial!important;display:contents!important;color-scheme:inherit!important}
dialog{box-sizing:border-box;border:0;outline:1px solid #8888;width:min(100% - 2em,var(--rapport-width,24em));margin-block-start:max(1em,12vh);max-height:calc(100% - max(1em,12vh) - 1em);padding:1.5em;border-radius:var(--rapport-radius,.5em);overflow-wrap:anywhere;word-break:auto-phrase;overscroll-behavior:contain;font:var(--rapport-font-size,medium)/1.5 var(--rapport-font,system-ui);background:var(--rapport-background,Canvas);color:var(--rapport-color,CanvasText)}
:host(:lang(ko)) dialog{word-break:keep-all}dialog::backdrop{background:var(--rapport-backdrop,#0009)}
form,label{display:grid;grid-template-columns:minmax(0,1fr);gap:1em}
h2,p,fieldset,legend,input{min-width:0;margin:0;padding:0;border:0}h2{font-size:1.25em;line-height:1.3}
[part=about]{margin-block-start:-.75em}label{gap:.25em}
fieldset label{display:flex;align-items:center;gap:.75em;margin-block-start:.5em;padding-inline:.75em}
label:has(:checked){border-color:var(--rapport-accent,#1a66e0);outline:1px solid var(--rapport-accent,#1a66e0)}
[part=radio]{flex:none;width:1.25em;height:1.25em;accent-color:var(--rapport-accent,#1a66e0)}
[part=field],[part=actions]{display:flex;flex-wrap:wrap;align-items:end;gap:.5em}[part=actions]{align-items:stretch}
[part=label],[part~=button]{flex:1 1 7em}
[part=label-text]{min-height:1.5em}.off{visibility:hidden}
button,[part=input],fieldset label{box-sizing:border-box;min-height:max(2.75em,44px);border:1px solid #767676;border-radius:var(--rapport-radius,.5em)}
button,[part=input]{min-width:0;padding:0 .5em;font:inherit;line-height:1.25;text-wrap:balance;background:none;color:inherit}
[part=input][aria-invalid=true]{border-color:var(--rapport-error,#d93025)}
:focus-visible{outline:2px solid;outline-offset:2px}
button{display:grid;place-items:center}button>*,button::before,button::after{grid-area:1/1}button::before,button::after{content:attr(data-other);visibility:hidden}button::after{content:attr(data-another)}
[part~=submit]{border-color:transparent;background:var(--rapport-accent,#1a66e0);color:var(--rapport-on-accent,#fff)}
:disabled,[aria-disabled=true]{border-style:dashed;color:color-mix(in srgb,currentColor 30%,#767676);cursor:not-allowed}
[part~=submit][aria-disabled=true]{background:#767676;color:#fff}
[part=messages]{display:grid;grid-template-rows:auto 1fr;min-height:4.5em}
[part=hint]{display:grid;grid-area:1/1/3/2}[part=hint]>*{grid-area:1/1;visibility:hidden}[part=hint]>.on{visibility:inherit}[part=hint]:has(~:not(:empty)){visibility:hidden}
[part=error]{grid-area:1/1;white-space:pre-line}[part=status]{grid-area:2/1}
[part=error]:not(:empty){padding:0 1em;border-inline-start:.25em solid var(--rapport-error,#d93025)}[hidden]{display:none!important}`
