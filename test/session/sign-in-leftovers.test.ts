import { Client, isMfaCancelledError, isWebAuthnError } from 'rapport-sdk'
import { describe, expect, it } from 'vitest'
import { rejectionOf } from '../transport/rejection'
import { liveControllers } from './live-controllers'

const TIMES = 60

/** A client whose every sign-in asks for what nobody gives. */
function clientOf(answer: object) {
  const fetch = async () => Response.json(answer)
  const webauthn = { get: async () => null as unknown as object }
  return new Client({ baseUrl: 'https://service.example', fetch, webauthn, onMfaRequired: () => null })
}

const login = (client: Client) =>
  rejectionOf(client.auth.login({ login: 'ada@example.test', password: 'correct horse' }), isMfaCancelledError)
const passkey = (client: Client) => rejectionOf(client.auth.loginWithPasskey(), isWebAuthnError)

describe('sign-ins that come to nothing', () => {
  it.each<[string, object, (client: Client) => Promise<Error>]>([
    ['a login', { user_id: '100', mfa: true, ticket: 'ticket', totp: true }, login],
    ['a passkey login', { ticket: 'ticket', challenge: '{"challenge":"Y2hhbGxlbmdl"}' }, passkey],
  ])(
    'a failed sign-in leaves nothing in the session: %s',
    async (_, answer, signIn) => {
      const client = clientOf(answer)
      for (let time = 0; time < TIMES; time++) await signIn(client)
      const before = await liveControllers()

      for (let time = 0; time < TIMES; time++) await signIn(client)

      expect((await liveControllers()) - before).toBeLessThan(TIMES / 2)
      expect(client.session.token).toBeNull()
    },
    30_000,
  )
})
