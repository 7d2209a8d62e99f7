import { generateKeyPairSync } from 'node:crypto'
import type { MockServiceOptions } from 'rapport-sdk/mocks'
import { listen, verifyPasskey } from 'rapport-sdk/mocks/node'
import { afterEach, describe, expect, it } from 'vitest'
import { baseUrl, password, sender, setUp } from '../mocks/set-up'
import { type Ceremony, softwareAuthenticator } from './software-authenticator'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

/** A service that a user of a real authenticator signs in to. */
function withPasskey(options: MockServiceOptions = { verifyPasskey }, authenticator = softwareAuthenticator()) {
  const { service, ada, send } = setUp({ rpId: 'login.example', ...options })
  service.users.addPasskey(ada, authenticator.passkey)
  const start = async (by = send) =>
    (await by<{ ticket: string; challenge: string }>('POST /auth/conditional/start')).body
  const finish = (ticket: string, credential: string, by = send) =>
    by<{ code?: number; user_id?: string; message?: string }>('POST /auth/conditional/finish', { ticket, credential })
  const signIn = async (ceremony: Ceremony = {}, by = send) => {
    const { ticket, challenge } = await start(by)
    return finish(ticket, authenticator.answer(challenge, ceremony), by)
  }
  return { service, ada, send, authenticator, start, finish, signIn }
}

describe('the answer of a real passkey', () => {
  it('signs its user in when the signature is right', async () => {
    const { ada, signIn } = withPasskey()
    expect(await signIn()).toMatchObject({ status: 200, body: { user_id: ada.id } })
  })

  it.each([
    ['RSA', () => generateKeyPairSync('rsa', { modulusLength: 2048 })],
    ['Ed25519', () => generateKeyPairSync('ed25519')],
  ])('may be signed with %s', async (_, keys) => {
    const { signIn } = withPasskey(undefined, softwareAuthenticator('other-kind', keys()))
    expect((await signIn()).status).toBe(200)
  })

  it.each<[string, Ceremony]>([
    ['another key has signed', { key: softwareAuthenticator().privateKey }],
    ['another challenge is answered', { challenge: 'Y2hhbGxlbmdl' }],
    ['another page was answered', { origin: 'https://login.example.attacker.example' }],
    ['a page over plain HTTP was answered', { origin: 'http://login.example' }],
    ['something that is no page was answered', { origin: 'null' }],
    ['more than an origin was answered', { origin: 'https://login.example/' }],
    ['it was signed for another relying party', { rpId: 'attacker.example' }],
  ])('is refused when %s, and the right one still passes', async (_, ceremony) => {
    const { start, finish, authenticator } = withPasskey()
    const { ticket, challenge } = await start()
    const refused = await finish(ticket, authenticator.answer(challenge, ceremony))
    expect(refused).toMatchObject({ status: 400, body: { code: 60008 } })
    expect((await finish(ticket, authenticator.answer(challenge))).status).toBe(200)
  })

  it('may be given to a page below the relying party', async () => {
    const { signIn } = withPasskey()
    expect((await signIn({ origin: 'https://app.login.example' })).status).toBe(200)
  })

  it('may be given to a page of localhost without HTTPS', async () => {
    const { signIn } = withPasskey({ verifyPasskey, rpId: 'localhost' })
    expect((await signIn({ origin: 'http://localhost:5173' })).status).toBe(200)
    expect((await signIn({ origin: 'http://127.0.0.1:5173' })).status).toBe(400)
  })

  it('is refused when what was signed is changed afterwards', async () => {
    const { start, finish, authenticator } = withPasskey()
    const { ticket, challenge } = await start()
    const answer = JSON.parse(authenticator.answer(challenge, { counter: 1 }))
    const data = JSON.parse(authenticator.answer(challenge, { counter: 2 })).response.authenticatorData
    const changed = JSON.stringify({ ...answer, response: { ...answer.response, authenticatorData: data } })
    expect((await finish(ticket, changed)).status).toBe(400)
  })

  it('is refused when its counter does not rise: the authenticator may have been copied', async () => {
    const { signIn } = withPasskey()
    expect((await signIn({ counter: 5 })).status).toBe(200)
    expect((await signIn({ counter: 5 })).status).toBe(400)
    expect((await signIn({ counter: 4 })).status).toBe(400)
    expect((await signIn({ counter: 6 })).status).toBe(200)
  })

  it('passes once where two come with the same counter at the same time', async () => {
    const { signIn } = withPasskey()
    const both = await Promise.all([signIn({ counter: 1 }), signIn({ counter: 1 })])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  it('passes once: repeated, it finds its ticket closed, and another ticket has another challenge', async () => {
    const { start, finish, authenticator } = withPasskey()
    const [first, second] = [await start(), await start()]
    const answer = authenticator.answer(first.challenge)
    expect((await finish(first.ticket, answer)).status).toBe(200)
    expect((await finish(first.ticket, answer)).status).toBe(401)
    expect((await finish(second.ticket, answer)).status).toBe(400)
  })

  it('passes once where it comes twice at the same time', async () => {
    const { start, finish, authenticator } = withPasskey()
    const { ticket, challenge } = await start()
    const answer = authenticator.answer(challenge)
    const both = await Promise.all([finish(ticket, answer), finish(ticket, answer)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401])
  })

  it('is a second factor for signing in, for a reset and for step-up', async () => {
    const { service, ada, send, authenticator } = withPasskey()
    const stranger = softwareAuthenticator(authenticator.passkey.id)
    const login = { login: 'ada@example.com', password }

    const first = (await send<{ ticket: string; webauthn: string }>('POST /auth/login', login)).body
    const code = (by: typeof authenticator, options = first.webauthn) => by.answer(options)
    const verify = (given: string) => send('POST /auth/mfa/webauthn', { ticket: first.ticket, code: given })
    expect((await verify(code(stranger))).status).toBe(400)
    expect((await verify(code(authenticator))).status).toBe(200)

    await send('POST /auth/forgot', { login: login.login })
    const { token } = service.mail.last(login.login) ?? {}
    const again = (await send<{ ticket: string; webauthn: string }>('POST /auth/reset', { token, password })).body
    const reset = (given: string) =>
      send('POST /auth/reset', { token, password, method: 'webauthn', ticket: again.ticket, code: given })
    expect((await reset(code(stranger, again.webauthn))).status).toBe(400)
    expect((await reset(code(authenticator, again.webauthn))).status).toBe(200)

    const mine = sender(service.fetch, baseUrl, service.token(ada))
    const asked = await mine<Asked>('POST /auth/sessions/logout', { session_id_hashes: ['none'] })
    const { ticket, methods } = asked.body.mfa
    const stepUp = (data: string) => mine('POST /mfa/finish', { ticket, mfa_type: 'webauthn', data })
    expect((await stepUp(code(stranger, methods[0]?.challenge))).status).toBe(400)
    expect((await stepUp(code(authenticator, methods[0]?.challenge))).status).toBe(200)
  })
})

interface Asked {
  mfa: { ticket: string; methods: { challenge?: string }[] }
}

describe('where signatures are verified', () => {
  it('by a service that listens, without being told to', async () => {
    const { service, signIn } = withPasskey({})
    const server = await listen(service)
    closing.push(server.close)
    const overHttp = sender(fetch, server.url)
    expect((await signIn({ key: softwareAuthenticator().privateKey }, overHttp)).status).toBe(400)
    expect((await signIn({}, overHttp)).status).toBe(200)
  })

  it('without a verifier the structure and the origin count', async () => {
    const { signIn } = withPasskey({})
    expect((await signIn({ key: softwareAuthenticator().privateKey })).status).toBe(200)
    expect((await signIn({ challenge: 'Y2hhbGxlbmdl' })).status).toBe(400)
    expect((await signIn({ origin: 'https://attacker.example' })).status).toBe(400)
  })

  it('a verifier that cannot tell leaves it to the structure', async () => {
    const { signIn } = withPasskey({ verifyPasskey: async () => undefined })
    expect((await signIn({ key: softwareAuthenticator().privateKey })).status).toBe(200)
  })

  it('a verifier that fails is a mistake of the test, and so is a key that cannot be read', async () => {
    const failing = withPasskey({ verifyPasskey: () => Promise.reject(new Error('no key here')) })
    const failed = await failing.signIn()
    expect(failed.status).toBe(500)
    expect(failed.body.message).toContain('no key here')

    const { service, ada, start, finish } = withPasskey()
    const unreadable = softwareAuthenticator('unreadable')
    service.users.addPasskey(ada, { ...unreadable.passkey, publicKey: 'bm8ga2V5' })
    const { ticket, challenge } = await start()
    expect((await finish(ticket, unreadable.answer(challenge))).status).toBe(500)
  })

  it('a passkey that the mock answers for needs no signature', async () => {
    const { service, start, finish } = withPasskey()
    const grace = service.users.create({ login: 'key@example.com', password, mfa: ['webauthn'] })
    const { ticket, challenge } = await start()
    const { status, body } = await finish(ticket, JSON.stringify(service.users.passkey(grace, challenge)))
    expect([status, body.user_id]).toEqual([200, grace.id])
  })
})

describe('giving a user a passkey', () => {
  it('makes WebAuthn one of the second factors', () => {
    const { service, ada } = withPasskey()
    expect(service.users.get(ada).mfa).toEqual(['webauthn'])
    expect(() => service.users.passkey(ada, { challenge: 'Y2hhbGxlbmdl' })).toThrow('has no passkey')
  })

  it('takes it back with a snapshot, its counter too', async () => {
    const { service, signIn } = withPasskey()
    const before = service.snapshot()
    expect((await signIn({ counter: 3 })).status).toBe(200)
    service.restore(before)
    expect((await signIn({ counter: 3 })).status).toBe(200)
  })

  it('refuses one that there is, and settings that are wrong', () => {
    const { service, ada, authenticator } = withPasskey()
    const add = (more: object) => () => service.users.addPasskey(ada, { ...authenticator.passkey, id: 'new', ...more })
    expect(add({ id: authenticator.passkey.id })).toThrow('already exists')
    expect(add({ id: 'a/b' })).toThrow('id must be a base64url string')
    expect(add({ publicKey: '-----BEGIN PUBLIC KEY-----' })).toThrow('publicKey must be a base64url string')
    expect(add({ counter: -1 })).toThrow('counter must be an integer')
    expect(add({ key: 1 })).toThrow('unknown option "key"')
    expect(add({ publicKey: undefined })).toThrow('publicKey is required')
  })
})
