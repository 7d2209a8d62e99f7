// A page whose policy allows next to nothing. It does by itself what a page does with the package, as what drives it
// from outside would be something that the policy forbids. What comes of it is the page's title.
import { Client, RelationshipType } from 'rapport-sdk'
import { button, container, isContainer, messageV2, row, text, validateMessage, walk } from 'rapport-sdk/components'
import { webStorageTokenStore } from 'rapport-sdk/storage'
import { passkeySupport } from 'rapport-sdk/webauthn'

/** What a strict page is told by its address. */
export interface StrictPage {
  readonly baseUrl: string
  readonly gatewayUrl: string
  readonly login: string
  readonly password: string
  readonly code: string
  /** ID of a friend. */
  readonly friend: string
}

async function run({ baseUrl, gatewayUrl, login, password, code, friend }: StrictPage): Promise<string[]> {
  const done: string[] = []
  const client = new Client({
    baseUrl,
    tokenStore: webStorageTokenStore(localStorage),
    gateway: { url: gatewayUrl },
    onMfaRequired: (challenge) => (challenge.reason === 'login' ? { type: 'totp', code } : challenge.webauthn()),
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
  await client.auth.loginWithPasskey()
  done.push(client.session.isAuthenticated ? 'passkey' : 'no passkey')
  client.dispose()
  return done
}

const given: StrictPage = JSON.parse(new URLSearchParams(location.search).get('given') ?? '{}')
run(given)
  .then((done) => done.join(', '), String)
  .then((outcome) => {
    // What the policy reports of this is the last of its reports.
    fetch('https://last.example/').catch(() => {})
    document.title = outcome
  })
