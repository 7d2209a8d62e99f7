import { inspect } from 'node:util'
import { Client, isMfaCancelledError, isRapportError, type MfaHandler, type WebAuthnAdapter } from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { deferred } from '../deferred'
import { hold, json, type Responder, serve } from '../servers/http-server'
import { type TokenOnlyStore, tokenOnly } from '../session-stores'
import { rejectionOf } from '../transport/rejection'

const password = 'correct horse'
const credentials = { login: 'ada@example.test', password }
const signedIn = (token: string) => json(200, { token, user_id: '100', user_settings: {}, required_actions: [] })
const started = json(200, { ticket: 'passkey-ticket', challenge: '{"challenge":"Y2hhbGxlbmdl"}' })
const pending = json(200, { user_id: '100', mfa: true, ticket: 'login-ticket', totp: true })
const webauthn = { get: async () => ({ id: 'credential' }) }

/** Every call that signs in, with the responses before the one with the token. */
const SIGN_INS: [string, Responder[], (client: Client) => Promise<unknown>][] = [
  ['login', [], (client) => client.auth.login(credentials)],
  ['resetPassword', [], (client) => client.auth.resetPassword({ token: 'mailed', password })],
  ['oneTimeLogin', [], (client) => client.auth.oneTimeLogin({ ticket: 'mailed' })],
  ['register', [], (client) => client.auth.register({ username: 'ada', fingerprint: 'f', consent: true })],
  [
    'exchangeHandoffToken',
    [],
    (client) => client.auth.exchangeHandoffToken({ key: 'key', handoff_token: 'handed-off' }),
  ],
  ['verifyMfaLogin', [], (client) => client.auth.verifyMfaLogin('totp', { ticket: 'ticket', code: '123456' })],
  [
    'finishPasswordlessLogin',
    [],
    (client) => client.auth.finishPasswordlessLogin({ ticket: 'ticket', credential: '{}' }),
  ],
  ['loginWithPasskey', [started], (client) => client.auth.loginWithPasskey()],
]

/** Starts a sign-in whose response with the token is held until `release`. `set` is that of the token store. */
async function startSignIn(
  signIn: (client: Client) => Promise<unknown>,
  before: Responder[] = [],
  token = 'late-token',
) {
  const late = hold(signedIn(token))
  const server = await serve(...before, late.responder)
  const set = vi.fn<NonNullable<TokenOnlyStore['set']>>()
  const client = new Client({ baseUrl: server.url, webauthn, tokenStore: tokenOnly({ get: () => null, set }) })
  const call = signIn(client)
  call.catch(() => {})
  await server.waitForRequests(before.length + 1)
  return { server, client, call, set, release: late.release }
}

describe('a sign-in that completes after the session changed', () => {
  it.each(SIGN_INS)('does not replace the newer session or store its token: %s', async (...args) => {
    const [, before, signIn] = args
    const { client, call, set, release } = await startSignIn(signIn, before)

    await client.session.setToken('newer')
    release()

    const error = await rejectionOf(call, isRapportError)
    expect(error.message).toMatch(/ succeeded, but the session changed meanwhile: its token is not used\.$/)
    expect(inspect(error)).not.toContain('late-token')
    expect(client.session.token).toBe('newer')
    expect(set.mock.calls).toEqual([['newer']])
  })

  it('stays signed out after another sign-in and sign-out', async () => {
    const { client, call, release } = await startSignIn((client) => client.auth.oneTimeLogin({ ticket: 'mailed' }))

    await client.session.setToken('newer')
    await client.session.setToken(null)
    release()

    const error = await rejectionOf(call, isRapportError)
    expect(error.message).toBe(
      'One-Time Login succeeded, but the session was signed out meanwhile: its token is not used.',
    )
    expect(client.session.token).toBeNull()
  })

  it('does not replace the session of another tab that signed in', async () => {
    const late = hold(signedIn('late-token'))
    const server = await serve(late.responder)
    const listeners: ((token: string | null) => void)[] = []
    const subscribe: TokenOnlyStore['subscribe'] = (listener) => {
      listeners.push(listener)
      return () => {}
    }
    const client = new Client({
      baseUrl: server.url,
      tokenStore: tokenOnly({ get: () => null, set: () => {}, subscribe }),
    })
    const call = rejectionOf(client.auth.oneTimeLogin({ ticket: 'mailed' }), isRapportError)
    await server.waitForRequests(1)

    for (const listener of listeners) listener('other-tab')
    late.release()
    await call

    expect(client.session.token).toBe('other-tab')
  })

  it('a login whose verification is pending is discarded when the session changes', async () => {
    const late = hold(signedIn('late-token'))
    const server = await serve(pending, late.responder)
    const client = new Client({ baseUrl: server.url, onMfaRequired: () => ({ type: 'totp', code: '123456' }) })
    const call = rejectionOf(client.auth.login(credentials), isMfaCancelledError)
    await server.waitForRequests(2)

    await client.session.setToken('newer')
    late.release()

    await call
    expect(client.session.token).toBe('newer')
  })

  it('a login opens no prompt if the session changed before the second factor was required', async () => {
    const late = hold(pending)
    const server = await serve(late.responder)
    const onMfaRequired = vi.fn(() => null)
    const client = new Client({ baseUrl: server.url, onMfaRequired })
    const call = rejectionOf(client.auth.login(credentials), isMfaCancelledError)
    await server.waitForRequests(1)

    await client.session.setToken('newer')
    late.release()

    await call
    expect(onMfaRequired).not.toHaveBeenCalled()
  })
})

describe('overlapping sign-ins and sign-outs', () => {
  /** Starts two calls and releases their responses in this order. */
  async function overlap(
    first: readonly [(client: Client) => Promise<unknown>, Responder],
    second: readonly [(client: Client) => Promise<unknown>, Responder],
    firstResponse: 'first' | 'second',
  ) {
    const responses = [hold(first[1]), hold(second[1])]
    const server = await serve(...responses.map(({ responder }) => responder))
    const client = new Client({ baseUrl: server.url, token: 'before' })
    const calls: Promise<unknown>[] = []
    for (const [index, [start]] of [first, second].entries()) {
      const call = start(client)
      call.catch(() => {})
      calls.push(call)
      await server.waitForRequests(index + 1)
    }
    for (const index of firstResponse === 'first' ? [0, 1] : [1, 0]) {
      responses[index]?.release()
      await calls[index]?.catch(() => {})
    }
    const outcomes = await Promise.allSettled(calls)
    return { token: client.session.token, outcomes: outcomes.map(({ status }) => status) }
  }

  const oneTimeLogin = (client: Client) => client.auth.oneTimeLogin({ ticket: 'mailed' })
  const login = (client: Client) => client.auth.login(credentials)
  const logout = (client: Client) => client.auth.logout()
  const done = json(204, null)

  it('the sign-in that began last wins if its response arrives first', async () => {
    expect(await overlap([oneTimeLogin, signedIn('one')], [login, signedIn('two')], 'second')).toEqual({
      token: 'two',
      outcomes: ['rejected', 'fulfilled'],
    })
  })

  it('the sign-in that began last wins if its response arrives last', async () => {
    expect(await overlap([oneTimeLogin, signedIn('one')], [login, signedIn('two')], 'first')).toEqual({
      token: 'two',
      outcomes: ['fulfilled', 'fulfilled'],
    })
  })

  it.each(['first', 'second'] as const)(
    'a login that began after a logout signs in if the response of the %s of them arrives first',
    async (firstResponse) => {
      expect(await overlap([logout, done], [login, signedIn('two')], firstResponse)).toEqual({
        token: 'two',
        outcomes: ['fulfilled', 'fulfilled'],
      })
    },
  )

  it('a logout that began after a login and completes first keeps the client signed out', async () => {
    expect(await overlap([login, signedIn('one')], [logout, done], 'second')).toEqual({
      token: null,
      outcomes: ['rejected', 'fulfilled'],
    })
  })

  it('setToken(null) without a token does not end a sign-in', async () => {
    const { client, call, release } = await startSignIn((client) => client.auth.oneTimeLogin({ ticket: 'mailed' }))

    await client.session.setToken(null)
    release()

    await call
    expect(client.session.token).toBe('late-token')
  })

  it('a sign-in replaces a stored token that is loaded meanwhile', async () => {
    const late = hold(signedIn('fresh'))
    const server = await serve(late.responder)
    let load = (_: string | null) => {}
    const get = () => new Promise<string | null>((resolve) => (load = resolve))
    const client = new Client({ baseUrl: server.url, tokenStore: tokenOnly({ get, set: () => {} }) })
    const call = client.auth.oneTimeLogin({ ticket: 'mailed' })
    await server.waitForRequests(1)

    load('stored')
    await client.ready
    expect(client.session.token).toBe('stored')
    late.release()
    await call

    expect(client.session.token).toBe('fresh')
  })
})

const verified = json(200, { token: 'ada', user_settings: {} })

/** Returns a handler that waits until `answer` is called, and the signal of its challenge. */
function openPrompt() {
  const opened = deferred<AbortSignal>()
  const answered = deferred<void>()
  const handler: MfaHandler = async ({ signal }) => {
    opened.resolve(signal)
    await answered.promise
    return { type: 'totp', code: '123456' }
  }
  return { handler, opened: opened.promise, answer: answered.resolve }
}

describe('a session that changes during the prompt of a sign-in', () => {
  it.each([
    ['a login', (client: Client) => client.auth.login(credentials)],
    ['a password reset', (client: Client) => client.auth.resetPassword({ token: 'mailed', password: 'correct horse' })],
  ])('keeps its token, and %s ends with its prompt closed', async (_, signIn) => {
    const server = await serve(pending, verified)
    const { handler, opened, answer } = openPrompt()
    const client = new Client({ baseUrl: server.url, onMfaRequired: handler })

    const signingIn = rejectionOf(signIn(client), isMfaCancelledError)
    const signal = await opened
    await client.session.setToken('grace')

    expect((await signingIn).message).toContain('the session changed')
    expect(signal.aborted).toBe(true)
    answer()
    expect(client.session.token).toBe('grace')
    expect(server.requests).toHaveLength(1)
  })

  it('signing out ends a login that would replace the session', async () => {
    const server = await serve(pending, verified)
    const { handler, opened } = openPrompt()
    const client = new Client({ baseUrl: server.url, token: 'grace', onMfaRequired: handler })

    const signingIn = rejectionOf(client.auth.login(credentials), isMfaCancelledError)
    await opened
    await client.session.setToken(null)

    expect((await signingIn).message).toContain('the session was signed out')
    expect(client.session.token).toBeNull()
  })

  it('a login calls no handler if the session changes as the prompt opens', async () => {
    const server = await serve(pending)
    const handler = vi.fn<MfaHandler>(() => new Promise(() => {}))
    const client = new Client({ baseUrl: server.url, onMfaRequired: handler })
    client.on('mfaRequired', () => client.session.setToken('grace'))

    await rejectionOf(client.auth.login(credentials), isMfaCancelledError)
    expect(handler).not.toHaveBeenCalled()
  })

  it('discards the token of a pending sign-in', async () => {
    const arrived = deferred<void>()
    const release = deferred<void>()
    const server = await serve(pending, async (response, request) => {
      arrived.resolve()
      await release.promise
      await verified(response, request)
    })
    const client = new Client({ baseUrl: server.url })
    const result = await client.auth.login(credentials)
    if (result.status !== 'mfa') throw new Error('the login required no second factor')

    const verifying = rejectionOf(result.challenge.verify({ type: 'totp', code: '123456' }), isMfaCancelledError)
    await arrived.promise
    await client.session.setToken('grace')
    release.resolve()

    await verifying
    expect(client.session.token).toBe('grace')
  })

  it('a challenge of an earlier login is rejected without a request', async () => {
    const server = await serve(pending, verified)
    const client = new Client({ baseUrl: server.url })
    const result = await client.auth.login(credentials)
    if (result.status !== 'mfa') throw new Error('the login required no second factor')
    await client.session.setToken('grace')

    await rejectionOf(result.challenge.verify({ type: 'totp', code: '123456' }), isMfaCancelledError)
    expect(server.requests).toHaveLength(1)
    expect(client.session.token).toBe('grace')
  })

  it('ends a pending passkey ceremony', async () => {
    const started = json(200, { ticket: 'passkey-ticket', challenge: '{"challenge":"Y2hhbGxlbmdl"}' })
    const server = await serve(started)
    const opened = deferred<AbortSignal | undefined>()
    const get: WebAuthnAdapter['get'] = (_, { signal }) => {
      opened.resolve(signal)
      return new Promise(() => {})
    }
    const client = new Client({ baseUrl: server.url, webauthn: { get } })

    const signingIn = rejectionOf(client.auth.loginWithPasskey({ autofill: true }), isMfaCancelledError)
    const signal = await opened.promise
    await client.session.setToken('grace')

    await signingIn
    expect(signal?.aborted).toBe(true)
    expect(client.session.token).toBe('grace')
  })

  it('a sign-in continues if the session is elevated meanwhile', async () => {
    const server = await serve(pending, json(200, { token: 'jwt' }), verified)
    const { handler, opened, answer } = openPrompt()
    const client = new Client({ baseUrl: server.url, token: 'grace', onMfaRequired: handler })

    const signingIn = client.auth.login(credentials)
    await opened
    await client.mfa.finish({ ticket: 'ticket', mfa_type: 'totp', data: '654321' })
    answer()

    expect(await signingIn).toMatchObject({ status: 'complete', token: 'ada' })
  })

  it('a sign-in continues if setToken(null) removes no token', async () => {
    const server = await serve(pending, verified)
    const { handler, opened, answer } = openPrompt()
    const client = new Client({ baseUrl: server.url, onMfaRequired: handler })

    const signingIn = client.auth.login(credentials)
    await opened
    await client.session.setToken(null)
    answer()

    expect(await signingIn).toMatchObject({ status: 'complete', token: 'ada' })
  })
})
