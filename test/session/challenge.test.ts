import {
  Client,
  type ClientOptions,
  isApiError,
  isMfaCancelledError,
  isMfaRequiredError,
  isRapportError,
  isWebAuthnError,
  type MfaAnswer,
  type MfaChallenge,
  type WebAuthnAdapter,
  WebAuthnError,
} from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { hold, json, mfaRequired, serve } from '../servers/http-server'
import { CODE, MFA_HEADER, serveStepUp } from '../servers/step-up-service'
import { reasonOf, rejectionOf } from '../transport/rejection'

const OPTIONS = { challenge: 'Y2hhbGxlbmdl', rpId: 'service.example', allowCredentials: [] }

/** Returns the challenge of a call that fails without a handler. */
async function challengeOf(methods: readonly object[], options: Partial<ClientOptions> = {}) {
  const server = await serve(mfaRequired('ticket-one', methods))
  const client = new Client({ baseUrl: server.url, token: 'ada', ...options })
  const { challenge } = await rejectionOf(client.relationships.list(), isMfaRequiredError)
  if (challenge === undefined) throw new Error('there is no challenge')
  return { server, challenge }
}

describe('MfaChallenge', () => {
  it.each(['{', 'null', '[]', '"text"', '{}', '{"challenge":5}', ''])(
    'invalid WebAuthn options throw a typed error: %j',
    async (text) => {
      const { challenge } = await challengeOf([{ type: 'webauthn', challenge: text }])

      expect(() => challenge.webauthnOptions()).toThrow(expect.toSatisfy(isWebAuthnError))
      expect(await rejectionOf(challenge.webauthn(), isWebAuthnError)).toMatchObject({
        reason: 'invalid_options',
        message: 'The service sent invalid WebAuthn options for this challenge.',
      })
    },
  )

  it('an unknown method type is offered unchanged and can be verified', async () => {
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
    ['methods of the wrong type', { ticket: 't', methods: ['totp'] }],
    ['an array', []],
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

  it('a challenge offers no backup code without backup_codes_allowed', async () => {
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

  it('webauthn() runs the ceremony of the adapter, and verify() sends the credential as a JSON string', async () => {
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

  it('webauthn() throws a typed error if the adapter returns no credential', async () => {
    const get = async () => null as unknown as object
    const methods = [{ type: 'webauthn', challenge: JSON.stringify(OPTIONS) }]
    const { challenge } = await challengeOf(methods, { webauthn: { get } })

    expect(await rejectionOf(challenge.webauthn(), isWebAuthnError)).toMatchObject({
      reason: 'no_credential',
      message: 'The WebAuthn ceremony returned no credential.',
    })
  })

  it('webauthn() throws a typed error if the adapter returns a string', async () => {
    const get = async () => '{"id":"credential"}' as unknown as object
    const methods = [{ type: 'webauthn', challenge: JSON.stringify(OPTIONS) }]
    const { challenge } = await challengeOf(methods, { webauthn: { get } })

    expect(await rejectionOf(challenge.webauthn(), isWebAuthnError)).toMatchObject({ reason: 'no_credential' })
  })

  it('webauthn() redacts the challenge in an error of the adapter and keeps its reason and its cause', async () => {
    const cause = new Error(`no passkey for ${OPTIONS.challenge}`)
    const get = () => Promise.reject(new WebAuthnError('wrong_domain', `${OPTIONS.challenge} is not ours`, { cause }))
    const methods = [{ type: 'webauthn', challenge: JSON.stringify(OPTIONS) }]
    const { challenge } = await challengeOf(methods, { webauthn: { get } })

    const error = await rejectionOf(challenge.webauthn(), isWebAuthnError)
    expect(error.reason).toBe('wrong_domain')
    expect(error.message).toContain('is not ours')
    expect((error.cause as Error).message).toContain('no passkey for')
    for (const { message } of [error, error.cause as Error]) expect(message).not.toContain(OPTIONS.challenge)
  })

  it.each(['abort', 'another error'])(
    'a ceremony that is aborted rejects with its reason if the adapter rejects with the %s',
    async (kind) => {
      const control = new AbortController()
      const reason = new Error('closed')
      const get: WebAuthnAdapter['get'] = (_, { signal }) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(kind === 'abort' ? signal.reason : new Error('interrupted')))
        })
      const methods = [{ type: 'webauthn', challenge: JSON.stringify(OPTIONS) }]
      const { challenge } = await challengeOf(methods, { webauthn: { get } })
      const ceremony = reasonOf(challenge.webauthn({ signal: control.signal }))
      await Promise.resolve()
      control.abort(reason)
      expect(await ceremony).toBe(reason)
    },
  )

  it('an aborted signal ends a ceremony even if the adapter never settles', async () => {
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

/** Returns the challenge that a step-up with these methods passes to the handler. */
async function promptChallenge(methods: readonly unknown[]) {
  const server = await serve(mfaRequired('ticket', methods as object[]), json(200, { token: 'jwt' }), json(200, []))
  const seen = vi.fn<(challenge: MfaChallenge) => void>()
  const client = new Client({
    baseUrl: server.url,
    token: 'ada',
    onMfaRequired: (challenge) => {
      seen(challenge)
      return { type: 'totp', code: CODE }
    },
  })
  await client.relationships.list()
  expect(server.request(2).headers[MFA_HEADER]).toBe('jwt')
  const [challenge] = seen.mock.calls[0] ?? []
  if (challenge === undefined) throw new Error('there was no prompt')
  return challenge
}

describe('malformed methods of a challenge', () => {
  it.each<[string, unknown, object[]]>([
    ['whose challenge is null', { type: 'webauthn', challenge: null }, [{ type: 'webauthn' }]],
    ['whose challenge is a number', { type: 'sms', challenge: 5 }, [{ type: 'sms' }]],
    ['whose backup_codes_allowed is null', { type: 'sms', backup_codes_allowed: null }, [{ type: 'sms' }]],
    ['that is null', null, []],
    ['that is a string', 'sms', []],
    ['that has no type', { challenge: '{}' }, []],
    ['whose type is null', { type: null }, []],
  ])('a challenge with a method %s still offers the other methods', async (_, malformed, extra) => {
    const { methods } = await promptChallenge([
      malformed,
      { type: 'totp', challenge: null, backup_codes_allowed: true },
    ])

    expect(methods).toEqual([...extra, { type: 'totp', backup_codes_allowed: true }])
  })

  it('a WebAuthn method without options runs no ceremony and throws a WebAuthnError', async () => {
    const challenge = await promptChallenge([{ type: 'webauthn', challenge: null }, { type: 'totp' }])

    expect(challenge.allows('webauthn')).toBe(true)
    expect(await reasonOf(challenge.webauthn())).toSatisfy(isWebAuthnError)
  })

  it('a WebAuthn method without options does not hide another one that has options', async () => {
    const challenge = await promptChallenge([
      { type: 'webauthn', challenge: null },
      { type: 'webauthn', challenge: JSON.stringify(OPTIONS) },
      { type: 'totp' },
    ])

    expect(challenge.webauthnOptions()).toEqual(OPTIONS)
  })

  it.each<[string, unknown]>([
    ['are all unreadable', [null, {}]],
    ['are not an array', { type: 'totp' }],
    ['are missing', undefined],
  ])('a 60003 whose methods %s throws an MfaRequiredError that says so, without a prompt', async (_, methods) => {
    const body = { code: 60003, message: 'Two factor is required', mfa: { ticket: 'ticket', methods } }
    const server = await serve(json(401, body))
    const onMfaRequired = vi.fn(() => null)
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired })

    const error = await rejectionOf(client.relationships.list(), isMfaRequiredError)

    expect(error.message).toContain('The response contains nothing to verify.')
    expect(onMfaRequired).not.toHaveBeenCalled()
  })
})

const totp = (code: string): MfaAnswer => ({ type: 'totp', code })

describe('a 60003 without a handler', () => {
  it('throws an MfaRequiredError, and the call succeeds after its challenge is verified', async () => {
    const service = await serveStepUp()
    const client = new Client({ baseUrl: service.url, token: 'ada' })
    const elevated = vi.fn()
    client.on('elevated', elevated)
    const required = vi.fn()
    client.on('mfaRequired', ({ methods: _, ...call }) => required(call))

    const { challenge, endpoint } = await rejectionOf(client.relationships.list(), isMfaRequiredError)
    expect(endpoint).toBe('Get Relationships')
    expect(challenge?.reason).toBe('elevation')
    const result = await challenge?.verify(totp(CODE))

    expect(result).toEqual({ status: 'elevated', expiresInMs: expect.any(Number) })
    expect(result?.expiresInMs).toBeLessThan(300_000)
    expect(result?.expiresInMs).toBeGreaterThan(240_000)
    expect(elevated.mock.calls).toEqual(required.mock.calls)
    expect(elevated).toHaveBeenCalledWith(expect.objectContaining({ endpoint: 'Get Relationships', attempt: 1 }))
    expect(await client.relationships.list()).toEqual([])
  })

  it('verify() throws the error of the service for a rejected code and accepts another code', async () => {
    const service = await serveStepUp()
    const client = new Client({ baseUrl: service.url, token: 'ada' })
    const { challenge } = await rejectionOf(client.relationships.list(), isMfaRequiredError)

    const rejection = await rejectionOf(challenge?.verify(totp('000000')) ?? Promise.resolve(), isApiError)

    expect(challenge?.attempt).toBe(2)
    expect(challenge?.lastError).toBe(rejection)
    await challenge?.verify(totp(CODE))
    expect(await client.relationships.list()).toEqual([])
  })

  it('verify() inside a handler throws an error that says to return the answer', async () => {
    const service = await serveStepUp()
    const client = new Client({
      baseUrl: service.url,
      token: 'ada',
      onMfaRequired: async (challenge) => {
        await challenge.verify(totp(CODE))
        return totp(CODE)
      },
    })

    const error = await rejectionOf(client.relationships.list(), isMfaCancelledError)

    expect(error.cause).toSatisfy(isRapportError)
    expect(String(error.cause)).toContain('return the answer')
    expect(service.finishes()).toHaveLength(0)
  })

  it('a call with a stream body is rejected before a prompt and never replayed', async () => {
    const service = await serveStepUp()
    const handler = vi.fn(() => totp(CODE))
    const client = new Client({ baseUrl: service.url, token: 'ada', onMfaRequired: handler })
    const body = () => new Blob(['payload']).stream()

    const upload = () => client.request({ method: 'POST', path: '/upload', body: body() })
    const { challenge } = await rejectionOf(upload(), isMfaRequiredError)

    expect(handler).not.toHaveBeenCalled()
    expect(service.server.requests).toHaveLength(1)
    await challenge?.verify(totp(CODE))
    await upload()
    expect(service.calls().map((request) => request.body.toString())).toEqual(['payload', 'payload'])
  })

  it('a stream body is not replayed even if another call was verified meanwhile', async () => {
    const slow = hold(mfaRequired())
    const server = await serve(slow.responder, mfaRequired(), json(200, { token: 'jwt' }), json(200, []))
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: () => totp(CODE) })

    const body = new Blob(['payload']).stream()
    const upload = reasonOf(client.request({ method: 'POST', path: '/upload', body }))
    await server.waitForRequests(1)
    await client.relationships.list()
    slow.release()

    expect(await upload).toSatisfy(isMfaRequiredError)
    expect(server.requests).toHaveLength(4)
    expect(server.request(3).headers[MFA_HEADER]).toBe('jwt')
  })
})
