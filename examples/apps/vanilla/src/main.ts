import { devicesSection } from './devices'
import { button, h } from './element'
import { friendsSection } from './friends'
import { client } from './rapport'
import { signInForm } from './sign-in'

/** Ends what the shown page has started. */
let page = new AbortController()

function render(): void {
  page.abort()
  page = new AbortController()
  document.querySelector('main')?.replaceChildren(...contents(page.signal))
}

function contents(signal: AbortSignal): Node[] {
  const { status } = client.session
  if (status === 'loading') return [h('p', {}, 'Loading…')]
  if (status === 'signedOut') return [signInForm()]
  const alert = h('p', { role: 'alert' })
  return [friendsSection(signal), devicesSection(signal), button('Sign out', () => client.auth.logout(), alert), alert]
}

client.session.onChange(({ status, previous }) => {
  if (status !== previous.status) render()
})
render()
