import { expect, it } from 'vitest'
import { base64url } from '../../mocks/random'
import { password, setUp } from './set-up'

interface LoginOptions {
  ticket: string
  challenge: string
}

async function startLogin() {
  const { service, send, ada } = setUp({ rpId: 'login.example' })
  const user = service.users.create({ login: 'key@example.com', password, mfa: ['webauthn'] })
  const { body } = await send<LoginOptions>('POST /auth/conditional/start')
  const finish = (credential: unknown, ticket = body.ticket) =>
    send('POST /auth/conditional/finish', {
      ticket,
      credential: typeof credential === 'string' ? credential : JSON.stringify(credential),
    })
  return { service, send, ada, user, finish, ...body }
}

it('passwordless login starts with options for any passkey', async () => {
  const { challenge } = await startLogin()
  expect(JSON.parse(challenge)).toEqual({
    challenge: expect.stringMatching(/^[\w-]{43}$/),
    timeout: 300_000,
    rpId: 'login.example',
    allowCredentials: [],
    userVerification: 'preferred',
  })
})

it('passwordless login signs in the user of the passkey without a second factor', async () => {
  const { service, user, challenge, finish } = await startLogin()
  const { status, body } = await finish(service.users.passkey(user, challenge))
  expect(status).toBe(200)
  expect(body).toEqual({
    user_id: user.id,
    token: expect.any(String),
    user_settings: { locale: 'en-US', theme: 'dark' },
  })
})

it('a passwordless login ticket can be used once', async () => {
  const { service, user, challenge, finish } = await startLogin()
  const credential = service.users.passkey(user, challenge)
  expect((await finish(credential)).status).toBe(200)
  expect((await finish(credential)).status).toBe(401)
})

it('a passwordless login expires after 5 minutes', async () => {
  const { service, user, challenge, finish } = await startLogin()
  service.clock.advance('5m')
  expect((await finish(service.users.passkey(user, challenge))).status).toBe(401)
})

it('passwordless login rejects an invalid credential', async () => {
  const { service, send, user, challenge, finish } = await startLogin()
  const other = (await send<LoginOptions>('POST /auth/conditional/start')).body
  const good = service.users.passkey(user, challenge)
  const clientData = (value: unknown) => ({
    ...good,
    response: { ...good.response, clientDataJSON: base64url(JSON.stringify(value)) },
  })
  const bad: unknown[] = [
    'not JSON',
    'null',
    '{}',
    service.users.passkey(user, other.challenge),
    { ...good, id: 'someone-elses', rawId: 'someone-elses' },
    { ...good, type: 'password' },
    { ...good, response: { ...good.response, signature: undefined } },
    { ...good, response: { ...good.response, clientDataJSON: '%%%' } },
    clientData({ type: 'webauthn.create', challenge: JSON.parse(challenge).challenge }),
    clientData(null),
    clientData({ type: 'webauthn.get', challenge: JSON.parse(challenge).challenge }),
    clientData({ type: 'webauthn.get', challenge: JSON.parse(challenge).challenge, origin: 'https://evil.example' }),
    { ...good, rawId: 'zz' },
    { ...good, response: { ...good.response, signature: '' } },
    { ...good, response: { ...good.response, authenticatorData: '' } },
  ]
  for (const credential of bad) expect((await finish(credential)).status).toBe(400)
  expect((await finish(good)).status).toBe(200)
})

it('passwordless login to a disabled account fails with 20013', async () => {
  const { service, user, challenge, finish } = await startLogin()
  service.users.disable(user)
  expect((await finish(service.users.passkey(user, challenge))).body).toMatchObject({ code: 20013 })
})

it('users.passkey() throws for a user without a passkey and for invalid options', async () => {
  const { service, ada, challenge } = await startLogin()
  expect(() => service.users.passkey(ada, challenge)).toThrow('has no passkey')
  expect(() => service.users.passkey(ada, {})).toThrow('not public key credential request options')
  for (const options of [undefined, '{', [], { challenge: 'x', allowCredentials: 5 }]) {
    expect(() => service.users.passkey(ada, options)).toThrow('not public key credential request options')
  }
})
