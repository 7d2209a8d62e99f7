import type { MfaChallenge } from 'rapport-sdk'
import { button, h } from '../ui/element'
import type { World } from '../world'

/** Validity of a TOTP code. */
const PERIOD_SECONDS = 30

/** Creates Ada's phone, the footer of the dialog. A click on a code fills it in. */
export function createPhone({ service, ada }: World, challenge: MfaChallenge): HTMLElement {
  const seconds = h('span', { class: 'soft' })
  // The code of now: the one that is shown may be a quarter of a second old.
  const totp = button('', () => fill(element, 'totp', service.users.totp(ada)), { class: 'code' })
  const messages = h('div', { class: 'messages' })
  const setCode = (target: HTMLButtonElement, code: string, name: string) => {
    if (target.value === code) return
    target.value = code
    target.textContent = code
    target.setAttribute('aria-label', `Fill in ${code}, ${name}`)
  }
  let received = -1
  const render = () => {
    const now = Math.floor(service.clock.now() / 1000)
    setCode(totp, service.users.totp(ada), 'from the authenticator app')
    seconds.textContent = `${PERIOD_SECONDS - (now % PERIOD_SECONDS)} s`
    const sms = service.sms.all().filter(({ kind }) => kind === 'mfa')
    if (sms.length === received) return
    received = sms.length
    const [code] = /\d{6}/.exec(sms.at(-1)?.text ?? '') ?? []
    if (code === undefined) return messages.replaceChildren(h('span', { class: 'soft' }, 'No message yet'))
    const latest = button('', () => fill(element, 'sms', code), { class: 'code' })
    setCode(latest, code, 'from the SMS')
    messages.replaceChildren(latest)
  }
  const [backupCode = ''] = service.users.backupCodes(ada)
  const backup = button('', () => fill(element, 'backup', backupCode), { class: 'code' })
  setCode(backup, backupCode, 'a backup code')

  const row = (title: string, ...content: readonly HTMLElement[]) =>
    h('div', { class: 'phone-row' }, h('span', { class: 'soft' }, title), ...content)
  const element = h(
    'div',
    { class: 'phone' },
    h('p', {}, h('strong', {}, 'Ada’s phone'), ' Click a code to fill it in.'),
    challenge.allows('totp') ? row('Authenticator app', totp, seconds) : null,
    challenge.allows('sms') ? row('SMS', messages) : null,
    challenge.allows('backup') && backupCode !== '' ? row('Backup code', backup) : null,
  )
  render()
  const timer = setInterval(() => {
    if (element.isConnected) render()
    else clearInterval(timer)
  }, 250)
  return element
}

/** Fills a code in, as a password manager does: chooses the method of the dialog, then sets the value of its input. */
function fill(phone: HTMLElement, method: string, code: string): void {
  const root = phone.closest('rapport-mfa-dialog')?.shadowRoot
  root?.querySelector<HTMLElement>(`[part=radio][value=${method}]`)?.click()
  const input = root?.querySelector<HTMLInputElement>('[part=input]')
  if (!input) return
  input.value = code
  input.focus()
}
