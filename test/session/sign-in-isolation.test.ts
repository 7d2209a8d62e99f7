import { Client, isMfaCancelledError, type MfaHandler, type WebAuthnAdapter } from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { deferred } from '../deferred'
import { json, serve } from '../servers/http-server'
import { rejectionOf } from '../transport/rejection'

const credentials = { login: 'ada@example.test', password: 'correct horse' }
const pending = json(200, { user_id: '100', mfa: true, ticket: 'login-ticket', totp: true })
const verified = json(200, { token: 'ada', user_settings: {} })

/** A handler that waits until `answer` is called, and what it was asked with. */
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

describe('a session that changes while a sign-in asks for a second factor', () => {
  it.each([
    ['a login', (client: Client) => client.auth.login(credentials)],
    ['a password reset', (client: Client) => client.auth.resetPassword({ token: 'mailed', password: 'correct horse' })],
  ])('a session that changes keeps its token, and %s ends with its prompt closed', async (_, signIn) => {
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

  it('a session that changes discards the token of a pending sign-in', async () => {
    const arrived = deferred<void>()
    const release = deferred<void>()
    const server = await serve(pending, async (response, request) => {
      arrived.resolve()
      await release.promise
      await verified(response, request)
    })
    const client = new Client({ baseUrl: server.url })
    const result = await client.auth.login(credentials)
    if (result.status !== 'mfa') throw new Error('it did not ask for a second factor')

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
    if (result.status !== 'mfa') throw new Error('it did not ask for a second factor')
    await client.session.setToken('grace')

    await rejectionOf(result.challenge.verify({ type: 'totp', code: '123456' }), isMfaCancelledError)
    expect(server.requests).toHaveLength(1)
    expect(client.session.token).toBe('grace')
  })

  it('a session that changes ends a pending passkey ceremony', async () => {
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

  it('a sign-in continues if the session receives the token that it already has', async () => {
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
