import type { Client } from 'rapport-sdk'
import type { MockService, MockUser } from 'rapport-sdk/mocks'

export async function endTenSessions(client: Client) {
  const { user_sessions } = await client.auth.sessions.list()
  const ten = user_sessions.slice(1, 11) // the first is this page

  // Ten calls at once. The service refuses each one with 60003;
  // the client prompts once, then retries all ten.
  await Promise.all(
    ten.map(({ id_hash }) =>
      client.auth.sessions.logout({
        session_id_hashes: [id_hash],
      }),
    ),
  )
}

export async function listSessions(client: Client) {
  const { user_sessions } = await client.auth.sessions.list()
  return user_sessions
}

export async function endSessions(
  client: Client,
  hashes: string[],
) {
  await client.auth.sessions.logout({ session_id_hashes: hashes })
}

export function signInElsewhere(
  service: MockService,
  ada: MockUser,
) {
  // Of the mock: a token, as if Ada had signed in on her phone.
  service.token(ada, { userAgent: 'Rapport/1.0 (Android 16)' })
}

export function waitFiveMinutes(service: MockService) {
  // Of the mock: a verification is valid for five minutes.
  service.clock.advance('5m')
}
