// What the dialog shows, and what is done in it, each in one message to its page: an action of Playwright needs ten, which take
// ten times as long. Tests of what a user can reach and click use those, such as `dialog-modals.test.ts`.
import assert from 'node:assert/strict'
import type { DialogPage } from './dialog-page'

type Place = Pick<DialogPage, 'page'>

const PATIENCE_MS = 120_000

/** What a user sees of the dialog: texts, which are empty if they are not visible, and the state of its input. */
export interface DialogView {
  readonly title: string
  readonly about: string
  readonly hint: string
  readonly label: string
  readonly error: string
  readonly status: string
  readonly send: string
  readonly cancel: string
  readonly submit: string
  readonly value: string
  readonly isInvalid: boolean
  readonly isBusy: boolean
  readonly isEditable: boolean
  /** Whether the button that sends a code can be used. */
  readonly canSend: boolean
  /** Wire name of the chosen method. */
  readonly chosen: string
  readonly methods: readonly string[]
  /** Part that has the focus. */
  readonly focus: string
}

/** Texts that match, and states that are equal. */
type Expected = {
  readonly [Key in keyof DialogView]?: DialogView[Key] | (DialogView[Key] extends string ? RegExp : never)
}

/** Waits until the dialog shows what is expected, and returns all that it shows. */
export async function shows({ page }: Place, expected: Expected = {}): Promise<DialogView> {
  const view = await page.evaluate(
    async ([expected, patience]) => {
      const read = (): DialogView | undefined => {
        const root = document.querySelector('rapport-mfa-dialog')?.shadowRoot
        if (!root) return undefined
        const find = (part: string) => root.querySelector<HTMLElement>(`[part~=${part}]`)
        const text = (part: string) => {
          const element = find(part)
          return element?.checkVisibility({ visibilityProperty: true }) ? element.innerText : ''
        }
        const [title, about, hint, label] = [text('title'), text('about'), text('hint'), text('label-text')]
        const [error, status, submit] = [text('error'), text('status'), text('submit')]
        const input = root.querySelector<HTMLInputElement>('[part=input]')
        const send = root.querySelector<HTMLButtonElement>('[part~=send]')
        return {
          ...{ title, about, hint, label, error, status, submit, send: text('send'), cancel: text('cancel') },
          value: input?.value ?? '',
          isInvalid: input?.getAttribute('aria-invalid') === 'true',
          isBusy: root.querySelector('form')?.getAttribute('aria-busy') === 'true',
          isEditable: input?.checkVisibility() === true && !input.readOnly && !input.disabled,
          canSend: send?.checkVisibility() === true && !send.disabled && send.getAttribute('aria-disabled') !== 'true',
          chosen: root.querySelector<HTMLInputElement>('[part=radio]:checked')?.value ?? '',
          methods: [...root.querySelectorAll('[part=method]')].map(({ textContent }) => textContent ?? ''),
          focus: root.activeElement?.getAttribute('part') ?? '',
        }
      }
      const isShown = (view: DialogView | undefined) =>
        view !== undefined &&
        Object.entries(expected).every(([key, value]) => {
          const shown: unknown = Reflect.get(view, key)
          return value instanceof RegExp ? value.test(String(shown)) : JSON.stringify(shown) === JSON.stringify(value)
        })
      for (let time = 0; ; time += 10) {
        const view = read()
        if (isShown(view) || time > patience) return view
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    },
    [expected, PATIENCE_MS] as const,
  )
  assert(view, 'there is no dialog')
  for (const [key, value] of Object.entries(expected)) {
    const shown: unknown = Reflect.get(view, key)
    if (value instanceof RegExp) assert.match(String(shown), value)
    else assert.deepEqual(shown, value)
  }
  return view
}

/** Uses parts of the dialog in turn: presses a button or chooses a method, or enters a text into the input. */
export const use = ({ page }: Place, ...steps: readonly (Part | { readonly input: string })[]): Promise<void> =>
  page.evaluate((steps) => {
    const root = document.querySelector('rapport-mfa-dialog')?.shadowRoot
    for (const step of steps) {
      const selector = typeof step === 'string' ? `[part~=${step}], [part=radio][value=${step}]` : '[part=input]'
      const element = root?.querySelector<HTMLInputElement>(selector)
      if (!element?.checkVisibility({ visibilityProperty: true })) throw new Error(`There is no ${selector}.`)
      element.focus()
      if (typeof step === 'string') element.click()
      else {
        element.value = step.input
        element.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }))
      }
    }
  }, steps)

/** A button, or the wire name of a method. */
type Part = 'send' | 'cancel' | 'submit' | 'totp' | 'sms' | 'backup' | 'webauthn'

/** Enters a code and submits it. */
export const answer = (place: Place, code: string): Promise<void> => use(place, { input: code }, 'submit')
