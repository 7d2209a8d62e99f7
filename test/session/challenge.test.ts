import {
  Client,
  type ClientOptions,
  isMfaCancelledError,
  isMfaRequiredError,
  isWebAuthnError,
  type MfaChallenge,
  type WebAuthnAdapter,
} from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { json, mfaRequired, serve } from '../servers/http-server'
import { reasonOf, rejectionOf } from '../transport/rejection'

const OPTIONS = { challenge: 'Y2hhbGxlbmdl', rpId: 'service.example', allowCredentials: [] }

async function challengeOf(methods: readonly object[], options: Partial<ClientOptions> = {}) {
  const server = await serve(mfaRequired('ticket-one', methods))
  const client = new Client({ baseUrl: server.url, token: 'ada', ...options })
  const { challenge } = await rejectionOf(client.relationships.list(), isMfaRequiredError)
  if (challenge === undefined) throw new Error('there is no challenge')
  return { server, challenge }
}

describe('a challenge', () => {
  it.each(['{', 'null', '[]', '"text"', '{}', '{"challenge":5}', ''])(
    'WebAuthn options of %j throw a typed error',
    async (text) => {
      const { challenge } = await challengeOf([{ type: 'webauthn', challenge: text }])

      expect(() => challenge.webauthnOptions()).toThrow(expect.toSatisfy(isWebAuthnError))
      expect(await rejectionOf(challenge.webauthn(), isWebAuthnError)).toMatchObject({ reason: 'invalid_options' })
    },
  )

  it('unknown types of second factor are offered unchanged and can be answered', async () => {
    const { server, challenge } = await challengeOf([{ type: 'retina_scan' }, { type: 'totp' }])
    server.respondWith(json(200, { token: 'jwt' }))

    expect(challenge.methods).toEqual([{ type: 'retina_scan' }, { type: 'totp' }])
    expect(challenge.allows('retina_scan')).toBe(true)
    await challenge.verify({ type: 'retina_scan', code: 'iris' })
    expect(server.request(1).json()).toEqual({ ticket: 'ticket-one', mfa_type: 'retina_scan', data: 'iris' })
  })

  it.each<[string, unknown]>([
    ['no mfa', undefined],
    ['null', null],
    ['no ticket', { methods: [] }],
    ['no methods', { ticket: 't' }],
    ['methods of another kind', { ticket: 't', methods: ['totp'] }],
    ['a list', []],
  ])('a 60003 with %s throws an MfaRequiredError without a challenge or a prompt', async (_, mfa) => {
    const server = await serve(json(401, { code: 60003, message: 'required', mfa }))
    const handler = vi.fn(() => null)
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: handler })

    const error = await rejectionOf(client.relationships.list(), isMfaRequiredError)

    expect(error.challenge).toBeUndefined()
    expect(handler).not.toHaveBeenCalled()
  })

  it('backup_codes_allowed offers a backup code next to TOTP', async () => {
    const { server, challenge } = await challengeOf([{ type: 'totp', backup_codes_allowed: true }])
    server.respondWith(json(200, { token: 'jwt' }))

    expect([challenge.allows('totp'), challenge.allows('backup'), challenge.allows('sms')]).toEqual([true, true, false])
    await challenge.verify({ type: 'backup', code: 'abcd-efgh' })
    expect(server.request(1).json()).toEqual({ ticket: 'ticket-one', mfa_type: 'backup', data: 'abcd-efgh' })
  })

  it('no backup code is offered without backup_codes_allowed', async () => {
    const { challenge } = await challengeOf([{ type: 'totp', backup_codes_allowed: false }, { type: 'sms' }])
    expect(challenge.allows('backup')).toBe(false)
    expect(challenge.methods).toStrictEqual([{ type: 'totp', backup_codes_allowed: false }, { type: 'sms' }])
  })

  it('an account that has only a password verifies with the password', async () => {
    const { server, challenge } = await challengeOf([{ type: 'password' }])
    server.respondWith(json(200, { token: 'jwt' }))

    expect(challenge.methods).toEqual([{ type: 'password' }])
    await challenge.verify({ type: 'password', code: 'correct horse' })
    expect(server.request(1).json()).toMatchObject({ mfa_type: 'password', data: 'correct horse' })
  })

  it('an SMS is sent only when sendSms() is called', async () => {
    const { server, challenge } = await challengeOf([{ type: 'sms' }])
    server.respondWith(json(200, { phone: '+1*****67' }))
    expect(server.requests).toHaveLength(1)

    expect(await challenge.sendSms()).toEqual({ phone: '+1*****67' })

    expect(server.request(1).url).toBe('/auth/mfa/sms/send')
    expect(server.request(1).json()).toEqual({ ticket: 'ticket-one' })
    expect(server.request(1).headers.authorization).toBe('ada')
  })

  it('a challenge runs the ceremony of the given adapter and sends the credential as a JSON string', async () => {
    const get = vi.fn<WebAuthnAdapter['get']>(async () => ({ id: 'credential', type: 'public-key' }))
    const methods = [{ type: 'webauthn', challenge: JSON.stringify(OPTIONS) }]
    const { server, challenge } = await challengeOf(methods, { webauthn: { get } })
    server.respondWith(json(200, { token: 'jwt' }))

    const answer = await challenge.webauthn()
    await challenge.verify(answer)

    expect(get.mock.calls[0]?.[0]).toEqual(OPTIONS)
    expect(server.request(1).json()).toEqual({
      ticket: 'ticket-one',
      mfa_type: 'webauthn',
      data: '{"id":"credential","type":"public-key"}',
    })
  })

  it('a challenge accepts WebAuthn options that are wrapped in publicKey', async () => {
    const { challenge } = await challengeOf([{ type: 'webauthn', challenge: JSON.stringify({ publicKey: OPTIONS }) }])
    expect(challenge.webauthnOptions()).toEqual(OPTIONS)
  })

  it('an adapter that returns no credential is a typed error', async () => {
    const get = async () => null as unknown as object
    const methods = [{ type: 'webauthn', challenge: JSON.stringify(OPTIONS) }]
    const { challenge } = await challengeOf(methods, { webauthn: { get } })

    expect(await rejectionOf(challenge.webauthn(), isWebAuthnError)).toMatchObject({ reason: 'no_credential' })
  })

  it('a ceremony ends with its signal even if the adapter never settles', async () => {
    const get = () => new Promise<object>(() => {})
    const methods = [{ type: 'webauthn', challenge: JSON.stringify(OPTIONS) }]
    const { challenge } = await challengeOf(methods, { webauthn: { get } })

    const reason = new Error('closed')
    expect(await reasonOf(challenge.webauthn({ signal: AbortSignal.abort(reason) }))).toBe(reason)
  })

  it('a ceremony in a handler ends with the prompt even if it has its own signal', async () => {
    const signals: (AbortSignal | undefined)[] = []
    const get: WebAuthnAdapter['get'] = (_, { signal }) => {
      signals.push(signal)
      return new Promise<object>(() => {})
    }
    const methods = [{ type: 'webauthn', challenge: JSON.stringify(OPTIONS) }]
    const server = await serve(mfaRequired('t', methods))
    const handler = (challenge: MfaChallenge) => challenge.webauthn({ signal: new AbortController().signal })
    const client = new Client({ baseUrl: server.url, token: 'ada', webauthn: { get }, onMfaRequired: handler })
    const call = rejectionOf(client.relationships.list(), isMfaCancelledError)
    await vi.waitFor(() => expect(signals).toHaveLength(1))

    await client.session.setToken(null)

    await call
    expect(signals[0]?.aborted).toBe(true)
  })
})
