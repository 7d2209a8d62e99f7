import { button, h } from './element'
import { client } from './rapport'
import { run } from './run'

/** Returns the number of devices, and a button that ends the other sessions. */
export function devicesSection(signal: AbortSignal): HTMLElement {
  const count = h('p', {}, 'Loading…')
  const alert = h('p', { role: 'alert' })
  const endOthers = button('Sign out everywhere else', end, alert)
  let hashes: readonly string[] = []
  async function load(): Promise<void> {
    const { user_sessions } = await client.auth.sessions.list({ signal })
    count.textContent = `Signed in on ${user_sessions.length}.`
    hashes = user_sessions.map(({ id_hash }) => id_hash)
    endOthers.hidden = hashes.length < 2
  }
  async function end(): Promise<void> {
    // The list does not say which session is this one; the gateway knows it once it is connected.
    await client.gateway.connect({ timeout: 10_000 })
    const others = hashes.filter((hash) => hash !== client.gateway.sessionHash)
    // It requires a second factor, for which the dialog asks.
    if (others.length > 0) await client.auth.sessions.logout({ session_id_hashes: others })
    await load()
  }
  endOthers.hidden = true
  void run(load, alert)
  return h('section', {}, h('h2', {}, 'Devices'), count, endOthers, alert)
}
