// A page with a strict policy. It runs the scenario by itself, because the policy forbids `page.evaluate`. The title of the
// page is its outcome.
import { Client, RelationshipType } from 'rapport-sdk'
import { button, container, isContainer, messageV2, row, text, validateMessage, walk } from 'rapport-sdk/components'
import { mfaDialog } from 'rapport-sdk/dialog'
import { webStorageTokenStore } from 'rapport-sdk/storage'
import { passkeySupport } from 'rapport-sdk/webauthn'

/** What a page or worker needs to sign in and follow the gateway. */
export interface ScenarioSettings {
  readonly baseUrl: string
  readonly gatewayUrl: string
  readonly login: string
  readonly password: string
  readonly code: string
  /** ID of a friend. */
  readonly friend: string
}

/** Settings of the page, passed in its URL. */
export interface StrictPageSettings extends ScenarioSettings {
  /** Whether the browser has a passkey. */
  readonly hasPasskey: boolean
}

async function run(settings: StrictPageSettings): Promise<string[]> {
  const { baseUrl, gatewayUrl, login, password, code, friend, hasPasskey } = settings
  const done: string[] = []
  const dialog = mfaDialog()
  const client = new Client({
    baseUrl,
    tokenStore: webStorageTokenStore(localStorage),
    gateway: { url: gatewayUrl },
    onMfaRequired(challenge) {
      if (challenge.reason !== 'login') return hasPasskey ? challenge.webauthn() : { type: 'totp', code }
      const answer = dialog(challenge)
      done.push(fillDialog(code))
      return answer
    },
  })
  await client.auth.login({ login, password })
  done.push('login')
  await client.auth.sessions.logout({ session_id_hashes: ['none'] })
  done.push('step-up')

  const list = client.relationships.live()
  await client.gateway.connect()
  await list.ready
  done.push(list.get(friend)?.type === RelationshipType.FRIEND ? 'gateway' : 'no friend')

  const message = messageV2(container(text('Hello'), row(button.primary('go', 'Go'))))
  const { ok } = validateMessage(message)
  const found = [...walk(message)].filter(({ component }) => isContainer(component))
  done.push(ok && found.length === 1 ? 'components' : 'no components')

  const { webauthn } = await passkeySupport()
  done.push(webauthn ? 'support' : 'no support')
  await client.auth.logout()
  if (hasPasskey) await client.auth.loginWithPasskey()
  done.push(client.session.isAuthenticated ? 'passkey' : 'no passkey')
  client.dispose()
  return done
}

/** Submits the form of the open dialog. Returns whether its style sheet applies. */
function fillDialog(code: string): string {
  const root = document.querySelector('rapport-mfa-dialog')?.shadowRoot
  const [dialog, input, form] = ['dialog', '[part=input]', 'form'].map((selector) => root?.querySelector(selector))
  if (input instanceof HTMLInputElement) input.value = code
  if (form instanceof HTMLFormElement) form.requestSubmit()
  return dialog && getComputedStyle(dialog).borderTopWidth === '0px' ? 'dialog' : 'no dialog'
}

const settings: StrictPageSettings = JSON.parse(new URLSearchParams(location.search).get('settings') ?? '{}')
run(settings)
  .then((done) => done.join(', '), String)
  .then((outcome) => {
    // Causes the last report, which tells the test that all reports have arrived and that Trusted Types are enforced.
    try {
      document.createElement('p').innerHTML = '<b>'
    } catch {}
    document.title = outcome
  })
