import { inspect } from 'node:util'
import { Client, isMfaCancelledError, isRapportError, type TokenStore } from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { hold, json, type Responder, serve } from '../servers/http-server'
import { rejectionOf } from '../transport/rejection'

const password = 'correct horse'
const credentials = { login: 'ada@example.test', password }
const signedIn = (token: string) => json(200, { token, user_id: '100', user_settings: {}, required_actions: [] })
const started = json(200, { ticket: 'passkey-ticket', challenge: '{"challenge":"Y2hhbGxlbmdl"}' })
const pending = json(200, { user_id: '100', mfa: true, ticket: 'login-ticket', totp: true })
const webauthn = { get: async () => ({ id: 'credential' }) }

/** Every call that signs in, with what is answered before the token. */
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

/** A client whose sign-in is under way until `release`, and what its token store was given. */
async function underWay(signIn: (client: Client) => Promise<unknown>, before: Responder[] = [], token = 'late-token') {
  const late = hold(signedIn(token))
  const server = await serve(...before, late.responder)
  const set = vi.fn<TokenStore['set']>()
  const client = new Client({ baseUrl: server.url, webauthn, tokenStore: { get: () => null, set } })
  const call = signIn(client)
  call.catch(() => {})
  await server.waitForRequests(before.length + 1)
  return { server, client, call, set, release: late.release }
}

describe('a sign-in that is answered after the session has changed', () => {
  it.each(SIGN_INS)(
    'a sign-in that completes after %s does not replace the newer session or store its token',
    async (...args) => {
      const [, before, signIn] = args
      const { client, call, set, release } = await underWay(signIn, before)

      await client.session.setToken('newer')
      release()

      const error = await rejectionOf(call, isRapportError)
      expect(error.message).toMatch(/ succeeded, but the session changed meanwhile: its token is not used\.$/)
      expect(inspect(error)).not.toContain('late-token')
      expect(client.session.token).toBe('newer')
      expect(set.mock.calls).toEqual([['newer']])
    },
  )

  it('a sign-in that completes after another sign-in and sign-out stays signed out', async () => {
    const { client, call, release } = await underWay((client) => client.auth.oneTimeLogin({ ticket: 'mailed' }))

    await client.session.setToken('newer')
    await client.session.setToken(null)
    release()

    const error = await rejectionOf(call, isRapportError)
    expect(error.message).toBe(
      'One-Time Login succeeded, but the session was signed out meanwhile: its token is not used.',
    )
    expect(client.session.token).toBeNull()
  })

  it('a sign-in that completes after another tab signed in does not replace the session of that tab', async () => {
    const late = hold(signedIn('late-token'))
    const server = await serve(late.responder)
    const listeners: ((token: string | null) => void)[] = []
    const subscribe: TokenStore['subscribe'] = (listener) => {
      listeners.push(listener)
      return () => {}
    }
    const client = new Client({ baseUrl: server.url, tokenStore: { get: () => null, set: () => {}, subscribe } })
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

describe('sign-ins and sign-outs that overlap', () => {
  /** Starts two calls and has the server answer them in the given order. */
  async function overlapping(
    first: readonly [(client: Client) => Promise<unknown>, Responder],
    second: readonly [(client: Client) => Promise<unknown>, Responder],
    answeredFirst: 'first' | 'second',
  ) {
    const answers = [hold(first[1]), hold(second[1])]
    const server = await serve(...answers.map(({ responder }) => responder))
    const client = new Client({ baseUrl: server.url, token: 'before' })
    const calls: Promise<unknown>[] = []
    for (const [index, [start]] of [first, second].entries()) {
      const call = start(client)
      call.catch(() => {})
      calls.push(call)
      await server.waitForRequests(index + 1)
    }
    for (const index of answeredFirst === 'first' ? [0, 1] : [1, 0]) {
      answers[index]?.release()
      await calls[index]?.catch(() => {})
    }
    const outcomes = await Promise.allSettled(calls)
    return { token: client.session.token, outcomes: outcomes.map(({ status }) => status) }
  }

  const oneTimeLogin = (client: Client) => client.auth.oneTimeLogin({ ticket: 'mailed' })
  const login = (client: Client) => client.auth.login(credentials)
  const logout = (client: Client) => client.auth.logout()
  const done = json(204, null)

  it('of two overlapping sign-ins, the one that began last wins if it is answered first', async () => {
    expect(await overlapping([oneTimeLogin, signedIn('one')], [login, signedIn('two')], 'second')).toEqual({
      token: 'two',
      outcomes: ['rejected', 'fulfilled'],
    })
  })

  it('of two overlapping sign-ins, the one that began last wins if it is answered last', async () => {
    expect(await overlapping([oneTimeLogin, signedIn('one')], [login, signedIn('two')], 'first')).toEqual({
      token: 'two',
      outcomes: ['fulfilled', 'fulfilled'],
    })
  })

  it.each(['first', 'second'] as const)(
    'a login that began after a logout signs in, whichever is answered first (%s)',
    async (answeredFirst) => {
      expect(await overlapping([logout, done], [login, signedIn('two')], answeredFirst)).toEqual({
        token: 'two',
        outcomes: ['fulfilled', 'fulfilled'],
      })
    },
  )

  it('a logout that began after a login and is answered first keeps the client signed out', async () => {
    expect(await overlapping([login, signedIn('one')], [logout, done], 'second')).toEqual({
      token: null,
      outcomes: ['rejected', 'fulfilled'],
    })
  })

  it('setToken() with the current token does not end a sign-in', async () => {
    const { client, call, release } = await underWay((client) => client.auth.oneTimeLogin({ ticket: 'mailed' }))

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
    const client = new Client({ baseUrl: server.url, tokenStore: { get, set: () => {} } })
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
