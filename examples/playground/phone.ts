import { h } from './element'
import type { Playground } from './setup'

/** Validity of a TOTP code. */
const PERIOD_SECONDS = 30

/** Ada's phone, which shows her codes. The sidebar and the dialog each show one. */
export function createPhone({ service, ada }: Playground): HTMLElement {
  const code = h('output', { class: 'code', 'data-code': 'totp' })
  const seconds = h('span', { class: 'soft' })
  const backup = h('output', { class: 'code', 'data-code': 'backup' })
  const messages = h('ul', { class: 'messages' })
  let shownCount = -1

  const render = () => {
    const now = Math.floor(service.clock.now() / 1000)
    code.textContent = service.users.totp(ada.user)
    seconds.textContent = `${PERIOD_SECONDS - (now % PERIOD_SECONDS)} s`
    backup.textContent = service.users.backupCodes(ada.user)[0] ?? 'none left'
    const sms = service.sms.all()
    if (sms.length === shownCount) return
    shownCount = sms.length
    const latest = sms.slice(-2).reverse()
    messages.replaceChildren(
      ...latest.map(({ text }) => h('li', {}, text)),
      ...(latest.length === 0 ? [h('li', { class: 'soft' }, 'No SMS yet')] : []),
    )
  }
  render()

  const timer = setInterval(() => {
    if (element.isConnected) render()
    else clearInterval(timer)
  }, 250)
  const row = (title: string, value: HTMLOutputElement, ...more: HTMLElement[]) =>
    h('div', { class: 'phone-row' }, h('span', { class: 'phone-title' }, title), value, ...more)
  const element = h(
    'div',
    { class: 'phone' },
    row('Authenticator app', code, seconds),
    row('Backup code', backup),
    h('div', { class: 'phone-row' }, h('span', { class: 'phone-title' }, 'Messages'), messages),
  )
  return element
}
