import { button, h } from './element'
import { client } from './rapport'
import { run } from './run'

/** Returns the number of devices, and a button that ends the other sessions. */
export function devicesSection(signal: AbortSignal): HTMLElement {
  const count = h('p', {}, 'Loading…')
  const alert = h('p', { role: 'alert' })
  const endOthers = button('Sign out everywhere else', end, alert)
  let others: readonly string[] = []
  async function load(): Promise<void> {
    const { user_sessions } = await client.auth.sessions.list({ signal })
    count.textContent = `Signed in on ${user_sessions.length}.`
    // The service lists the session that asked first.
    others = user_sessions.slice(1).map(({ id_hash }) => id_hash)
    endOthers.hidden = others.length === 0
  }
  async function end(): Promise<void> {
    // It requires a second factor, for which the dialog asks.
    await client.auth.sessions.logout({ session_id_hashes: others })
    await load()
  }
  endOthers.hidden = true
  void run(load, alert)
  return h('section', {}, h('h2', {}, 'Devices'), count, endOthers, alert)
}
