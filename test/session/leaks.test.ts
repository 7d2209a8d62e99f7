import { setImmediate as turn } from 'node:timers/promises'
import { inspect } from 'node:util'
import { queryObjects } from 'node:v8'
import { Client, type ClientOptions, isMfaCancelledError, isWebAuthnError, type MfaHandler } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { expect, it, vi } from 'vitest'
import { rejectionOf } from '../transport/rejection'

/** More tokens than a client remembers at a time. */
const MANY_TOKENS = 300
const SIGN_INS = 60
const baseUrl = 'https://service.example'
const credentials = { login: 'ada@example.test', password: 'correct horse' }

/** Counts the abort controllers that are alive: every pending operation of a client has one. */
async function countControllers(): Promise<number> {
  await turn()
  return Number(queryObjects(AbortController))
}

/** Makes a call with each of {@link MANY_TOKENS} tokens, one after another. */
async function callWithManyTokens(client: Client, from: number) {
  for (let index = from; index < from + MANY_TOKENS; index++)
    await client.relationships.list({ token: `visitor-${index}` })
}

const login = (client: Client) => rejectionOf(client.auth.login(credentials), isMfaCancelledError)
const passkey = (client: Client) => rejectionOf(client.auth.loginWithPasskey(), isWebAuthnError)

it('a client that calls with a new token each time keeps no state for old tokens', async () => {
  const client = new Client({ baseUrl, fetch: async () => Response.json([]) })
  await callWithManyTokens(client, 0)
  const before = await countControllers()

  await callWithManyTokens(client, MANY_TOKENS)

  expect((await countControllers()) - before).toBeLessThan(MANY_TOKENS / 2)
})

it.each<[string, object, (client: Client) => Promise<Error>]>([
  ['a login', { user_id: '100', mfa: true, ticket: 'ticket', totp: true }, login],
  ['a passkey login', { ticket: 'ticket', challenge: '{"challenge":"Y2hhbGxlbmdl"}' }, passkey],
])(
  'a failed sign-in leaves nothing in the session: %s',
  async (_, body, signIn) => {
    const fetch = async () => Response.json(body)
    const webauthn = { get: async () => null as unknown as object }
    const client = new Client({ baseUrl, fetch, webauthn, onMfaRequired: () => null })
    for (let time = 0; time < SIGN_INS; time++) await signIn(client)
    const before = await countControllers()

    for (let time = 0; time < SIGN_INS; time++) await signIn(client)

    expect((await countControllers()) - before).toBeLessThan(SIGN_INS / 2)
    expect(client.session.token).toBeNull()
  },
  30_000,
)

it('a challenge without a handler that was only logged does not stay in memory until dispose()', async () => {
  const body = { user_id: '100', mfa: true, ticket: 'ticket', totp: true }
  const client = new Client({ baseUrl, fetch: async () => Response.json(body) })
  const logChallenges = async () => {
    for (let time = 0; time < SIGN_INS; time++)
      expect(inspect(await client.auth.login(credentials))).toContain('waiting')
  }
  await logChallenges()
  const before = await countControllers()

  await logChallenges()

  expect((await countControllers()) - before).toBeLessThan(SIGN_INS / 2)
})

it('clients made by as() for single requests do not stay in memory until their account is forgotten', async () => {
  const fetch = async (url: string | URL | Request) =>
    String(url).endsWith('/mfa/finish') ? Response.json({ token: 'jwt' }) : Response.json([])
  const parent = new Client({ baseUrl, fetch })
  const serve = async () => {
    for (let time = 0; time < SIGN_INS; time++) {
      const client = parent.as('ada')
      client.session.onChange(() => {})
      await client.mfa.finish({ ticket: 'ticket', mfa_type: 'totp', data: '123456' })
      await client.relationships.list()
    }
    await turn()
  }
  await serve()
  const before = Number(queryObjects(Client))

  await serve()

  expect(Number(queryObjects(Client)) - before).toBeLessThan(SIGN_INS / 2)
})

it('a completed prompt leaves no timer', async () => {
  const service = createMockService({ policy: { requireMfa: (endpoint) => endpoint === 'Get Relationships' } })
  const ada = service.users.create({ ...credentials, mfa: ['totp'] })
  const onMfaRequired: MfaHandler = () => ({ type: 'totp', code: service.users.totp(ada) })
  const options: ClientOptions = { baseUrl: service.baseUrl, fetch: service.fetch, onMfaRequired }
  const client = new Client({ ...options, token: service.token(ada) })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })

  await client.relationships.list()
  await new Client(options).auth.login(credentials)

  expect(vi.getTimerCount()).toBe(0)
})
