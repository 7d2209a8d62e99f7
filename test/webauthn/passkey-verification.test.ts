import { generateKeyPairSync } from 'node:crypto'
import type { MockServiceOptions } from 'rapport-sdk/mocks'
import { listen, verifyPasskey } from 'rapport-sdk/mocks/node'
import { afterEach, describe, expect, it, test } from 'vitest'
import { baseUrl, password, sender, setUp } from '../mocks/set-up'
import { type Ceremony, createAuthenticator } from './software-authenticator'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

/** Creates a service with a user whose passkey is in a software authenticator. */
function createService(options: MockServiceOptions = { verifyPasskey }, authenticator = createAuthenticator()) {
  const { service, ada, send } = setUp({ rpId: 'login.example', ...options })
  service.users.addPasskey(ada, authenticator.passkey)
  const start = async (by = send) =>
    (await by<{ ticket: string; challenge: string }>('POST /auth/conditional/start')).body
  const finish = (ticket: string, credential: string, by = send) =>
    by<{ code?: number; user_id?: string; message?: string }>('POST /auth/conditional/finish', { ticket, credential })
  const signIn = async (ceremony: Ceremony = {}, by = send) => {
    const { ticket, challenge } = await start(by)
    return finish(ticket, authenticator.credentialFor(challenge, ceremony), by)
  }
  return { service, ada, send, authenticator, start, finish, signIn }
}

describe('a credential that the mock verifies', () => {
  it('signs its user in with a valid signature', async () => {
    const { ada, signIn } = createService()
    expect(await signIn()).toMatchObject({ status: 200, body: { user_id: ada.id } })
  })

  it.each([
    ['RSA', () => generateKeyPairSync('rsa', { modulusLength: 2048 })],
    ['Ed25519', () => generateKeyPairSync('ed25519')],
  ])('can be signed with %s', async (_, keys) => {
    const { signIn } = createService(undefined, createAuthenticator('other-type', keys()))
    expect((await signIn()).status).toBe(200)
  })

  it.each<[string, Ceremony]>([
    ['another key', { key: createAuthenticator().privateKey }],
    ['another challenge', { challenge: 'Y2hhbGxlbmdl' }],
    ['another origin', { origin: 'https://login.example.attacker.example' }],
    ['an origin without HTTPS', { origin: 'http://login.example' }],
    ['a null origin', { origin: 'null' }],
    ['a URL as its origin', { origin: 'https://login.example/' }],
    ['another relying party', { rpId: 'attacker.example' }],
  ])('for %s is rejected, and the valid one is still accepted', async (_, ceremony) => {
    const { start, finish, authenticator } = createService()
    const { ticket, challenge } = await start()
    const rejected = await finish(ticket, authenticator.credentialFor(challenge, ceremony))
    expect(rejected).toMatchObject({ status: 400, body: { code: 60008 } })
    expect((await finish(ticket, authenticator.credentialFor(challenge))).status).toBe(200)
  })

  it('it is rejected if its raw ID differs from its ID; it may have none', async () => {
    const { start, finish, authenticator } = createService({})
    const { ticket, challenge } = await start()
    const credential = JSON.parse(authenticator.credentialFor(challenge))
    const other = await finish(ticket, JSON.stringify({ ...credential, rawId: 'another' }))
    expect(other).toMatchObject({ status: 400, body: { code: 60008 } })
    expect((await finish(ticket, JSON.stringify({ ...credential, rawId: undefined }))).status).toBe(200)
  })

  it('one of another account is not a second factor, with or without a verifier', async () => {
    for (const options of [{}, { verifyPasskey }]) {
      const { service, send } = createService(options)
      const [ada, linus] = [createAuthenticator('of-ada'), createAuthenticator('of-linus')]
      service.users.addPasskey(service.users.create({ login: 'a@example.com', password }), ada.passkey)
      service.users.addPasskey(service.users.create({ login: 'l@example.com', password }), linus.passkey)
      const login = await send<{ ticket: string; webauthn: string }>('POST /auth/login', {
        login: 'a@example.com',
        password,
      })
      const { ticket, webauthn } = login.body
      const verify = async (code: string) => (await send('POST /auth/mfa/webauthn', { ticket, code })).status
      expect(await verify(linus.credentialFor(webauthn))).toBe(400)
      expect(await verify(ada.credentialFor(webauthn))).toBe(200)
    }
  })

  it('one of a subdomain of the relying party is accepted', async () => {
    const { signIn } = createService()
    expect((await signIn({ origin: 'https://app.login.example' })).status).toBe(200)
  })

  it('one of localhost without HTTPS is accepted', async () => {
    const { signIn } = createService({ verifyPasskey, rpId: 'localhost' })
    expect((await signIn({ origin: 'http://localhost:5173' })).status).toBe(200)
    expect((await signIn({ origin: 'http://127.0.0.1:5173' })).status).toBe(400)
  })

  it('it is rejected if its signed data have changed', async () => {
    const { start, finish, authenticator } = createService()
    const { ticket, challenge } = await start()
    const credential = JSON.parse(authenticator.credentialFor(challenge, { counter: 1 }))
    const data = JSON.parse(authenticator.credentialFor(challenge, { counter: 2 })).response.authenticatorData
    const changed = JSON.stringify({ ...credential, response: { ...credential.response, authenticatorData: data } })
    expect((await finish(ticket, changed)).status).toBe(400)
  })

  it('it is rejected if its counter does not increase, because the authenticator may be a copy', async () => {
    const { signIn } = createService()
    expect((await signIn({ counter: 5 })).status).toBe(200)
    expect((await signIn({ counter: 5 })).status).toBe(400)
    expect((await signIn({ counter: 4 })).status).toBe(400)
    expect((await signIn({ counter: 6 })).status).toBe(200)
  })

  it('one of two concurrent credentials with the same counter is accepted', async () => {
    const { signIn } = createService()
    const both = await Promise.all([signIn({ counter: 1 }), signIn({ counter: 1 })])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  it('it is accepted once, for the ticket of its challenge', async () => {
    const { start, finish, authenticator } = createService()
    const [first, second] = [await start(), await start()]
    const credential = authenticator.credentialFor(first.challenge)
    expect((await finish(first.ticket, credential)).status).toBe(200)
    expect((await finish(first.ticket, credential)).status).toBe(401)
    expect((await finish(second.ticket, credential)).status).toBe(400)
  })

  it('it is accepted once if it is sent twice concurrently', async () => {
    const { start, finish, authenticator } = createService()
    const { ticket, challenge } = await start()
    const credential = authenticator.credentialFor(challenge)
    const both = await Promise.all([finish(ticket, credential), finish(ticket, credential)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401])
  })

  it('it is a second factor of a login, a password reset and a step-up', async () => {
    const { service, ada, send, authenticator } = createService()
    const stranger = createAuthenticator(authenticator.passkey.id)
    const login = { login: 'ada@example.com', password }

    const first = (await send<{ ticket: string; webauthn: string }>('POST /auth/login', login)).body
    const answer = (by: typeof authenticator, options = first.webauthn) => by.credentialFor(options)
    const verify = (code: string) => send('POST /auth/mfa/webauthn', { ticket: first.ticket, code })
    expect((await verify(answer(stranger))).status).toBe(400)
    expect((await verify(answer(authenticator))).status).toBe(200)

    await send('POST /auth/forgot', { login: login.login })
    const { token } = service.mail.last(login.login) ?? {}
    const again = (await send<{ ticket: string; webauthn: string }>('POST /auth/reset', { token, password })).body
    const reset = (code: string) =>
      send('POST /auth/reset', { token, password, method: 'webauthn', ticket: again.ticket, code })
    expect((await reset(answer(stranger, again.webauthn))).status).toBe(400)
    expect((await reset(answer(authenticator, again.webauthn))).status).toBe(200)

    const mine = sender(service.fetch, baseUrl, service.token(ada))
    const response = await mine<MfaRequired>('POST /auth/sessions/logout', { session_id_hashes: ['none'] })
    const { ticket, methods } = response.body.mfa
    const stepUp = (data: string) => mine('POST /mfa/finish', { ticket, mfa_type: 'webauthn', data })
    expect((await stepUp(answer(stranger, methods[0]?.challenge))).status).toBe(400)
    expect((await stepUp(answer(authenticator, methods[0]?.challenge))).status).toBe(200)
  })
})

interface MfaRequired {
  mfa: { ticket: string; methods: { challenge?: string }[] }
}

describe('a verifier of signatures', () => {
  it('a service that listens over HTTP verifies signatures by default', async () => {
    const { service, signIn } = createService({})
    const server = await listen(service)
    closing.push(server.close)
    const overHttp = sender(fetch, server.url)
    expect((await signIn({ key: createAuthenticator().privateKey }, overHttp)).status).toBe(400)
    expect((await signIn({}, overHttp)).status).toBe(200)
  })

  it('a service without a verifier checks only challenge and origin', async () => {
    const { signIn } = createService({})
    expect((await signIn({ key: createAuthenticator().privateKey })).status).toBe(200)
    expect((await signIn({ challenge: 'Y2hhbGxlbmdl' })).status).toBe(400)
    expect((await signIn({ origin: 'https://attacker.example' })).status).toBe(400)
  })

  it('a verifier that returns undefined leaves the decision to challenge and origin', async () => {
    const { signIn } = createService({ verifyPasskey: async () => undefined })
    expect((await signIn({ key: createAuthenticator().privateKey })).status).toBe(200)
  })

  it('a verifier that fails and a key that cannot be parsed lead to a 500', async () => {
    const failing = createService({ verifyPasskey: () => Promise.reject(new Error('no key here')) })
    const response = await failing.signIn()
    expect(response.status).toBe(500)
    expect(response.body.message).toContain('no key here')

    const { service, ada, start, finish } = createService()
    const unreadable = createAuthenticator('unreadable')
    service.users.addPasskey(ada, { ...unreadable.passkey, publicKey: 'bm8ga2V5' })
    const { ticket, challenge } = await start()
    expect((await finish(ticket, unreadable.credentialFor(challenge))).status).toBe(500)
  })

  it('a passkey of the mock needs no signature', async () => {
    const { service, start, finish } = createService()
    const grace = service.users.create({ login: 'key@example.com', password, mfa: ['webauthn'] })
    const { ticket, challenge } = await start()
    const { status, body } = await finish(ticket, JSON.stringify(service.users.passkey(grace, challenge)))
    expect([status, body.user_id]).toEqual([200, grace.id])
  })
})

test('a passkey of the mock responds only to options that allow it', async () => {
  const { service, start } = createService({})
  const grace = service.users.create({ login: 'key@example.com', password, mfa: ['webauthn'] })
  const options = JSON.parse((await start()).challenge)
  const { id } = service.users.passkey(grace, options)
  expect(service.users.passkey(grace, { ...options, allowCredentials: [{ id }] }).id).toBe(id)
  expect(() => service.users.passkey(grace, { ...options, allowCredentials: [{ id: 'another' }] })).toThrow(
    'has no passkey that these options allow',
  )
})

describe('addPasskey()', () => {
  it('adds WebAuthn to the second factors of a user', () => {
    const { service, ada } = createService()
    expect(service.users.get(ada).mfa).toEqual(['webauthn'])
    expect(() => service.users.passkey(ada, { challenge: 'Y2hhbGxlbmdl' })).toThrow('has no passkey')
  })

  it('restore() resets the counter of a passkey', async () => {
    const { service, signIn } = createService()
    const before = service.snapshot()
    expect((await signIn({ counter: 3 })).status).toBe(200)
    service.restore(before)
    expect((await signIn({ counter: 3 })).status).toBe(200)
  })

  it('rejects an existing ID and invalid options', () => {
    const { service, ada, authenticator } = createService()
    const add = (more: object) => () => service.users.addPasskey(ada, { ...authenticator.passkey, id: 'new', ...more })
    expect(add({ id: authenticator.passkey.id })).toThrow('already exists')
    expect(add({ id: 'a/b' })).toThrow('id: expected a base64url string')
    expect(add({ publicKey: '-----BEGIN PUBLIC KEY-----' })).toThrow('publicKey: expected a base64url string')
    expect(add({ counter: -1 })).toThrow('counter: expected an integer')
    expect(add({ key: 1 })).toThrow('key: unknown; expected one of id, publicKey, counter')
    expect(add({ publicKey: undefined })).toThrow('publicKey: required')
  })
})
