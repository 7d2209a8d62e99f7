import { Client, isResponseMismatchError, isWebAuthnError, type WebAuthnAdapter, WebAuthnError } from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { json, serve } from '../servers/http-server'
import { pass, stopClock } from '../stopped-clock'
import { reasonOf, rejectionOf } from '../transport/rejection'

const OPTIONS = { challenge: 'Y2hhbGxlbmdl', rpId: 'service.example' }
const started = json(200, { ticket: 'passkey-ticket', challenge: JSON.stringify(OPTIONS) })
const finished = json(200, {
  user_id: '100',
  token: 'new-token',
  user_settings: { locale: 'en-GB', theme: 'light' },
  required_actions: [],
})
const credential = { id: 'credential', response: {} }

describe('loginWithPasskey()', () => {
  it('starts, runs the ceremony, finishes and stores the token', async () => {
    const server = await serve(started, finished)
    const get = vi.fn<WebAuthnAdapter['get']>(async () => credential)
    const client = new Client({ baseUrl: server.url, webauthn: { get } })

    const result = await client.auth.loginWithPasskey({ autofill: true, login_source: 'dm_invite' })

    expect(result).toMatchObject({ status: 'complete', token: 'new-token', user_id: '100' })
    expect(get.mock.calls[0]?.[0]).toEqual(OPTIONS)
    expect(get.mock.calls[0]?.[1]).toMatchObject({ autofill: true })
    expect(server.requests.map(({ url }) => url)).toEqual(['/auth/conditional/start', '/auth/conditional/finish'])
    expect(server.request(1).json()).toEqual({
      ticket: 'passkey-ticket',
      credential: JSON.stringify(credential),
      login_source: 'dm_invite',
    })
    expect(client.session.token).toBe('new-token')
  })

  it('uses autofill only if asked to, and sends only its source', async () => {
    const server = await serve(started, finished, started, finished)
    const get = vi.fn<WebAuthnAdapter['get']>(async () => credential)
    const client = new Client({ baseUrl: server.url, webauthn: { get } })

    await client.auth.loginWithPasskey({ gift_code_sku_id: '7' })
    await client.auth.loginWithPasskey()

    expect(get.mock.calls.map(([, { autofill }]) => autofill)).toEqual([false, false])
    const sent = { ticket: 'passkey-ticket', credential: JSON.stringify(credential) }
    expect(server.request(1).json()).toEqual({ ...sent, gift_code_sku_id: '7' })
    expect(server.request(3).json()).toEqual(sent)
  })

  it('throws a WebAuthnError without a credential and does not finish', async () => {
    const server = await serve(started, started)
    const cancelled = new WebAuthnError('cancelled', 'The person closed the dialog.')
    const none = new Client({ baseUrl: server.url, webauthn: { get: async () => null as unknown as object } })
    const closed = new Client({ baseUrl: server.url, webauthn: { get: () => Promise.reject(cancelled) } })

    const error = await rejectionOf(none.auth.loginWithPasskey(), isWebAuthnError)
    expect(error.reason).toBe('no_credential')
    expect(await reasonOf(closed.auth.loginWithPasskey())).toBe(cancelled)
    expect(server.requests).toHaveLength(2)
  })

  it('throws a WebAuthnError for a credential that JSON cannot represent', async () => {
    const server = await serve(started)
    const client = new Client({ baseUrl: server.url, webauthn: { get: async () => ({ id: 1n, secret: 'planted' }) } })
    const { reason, message } = await rejectionOf(client.auth.loginWithPasskey(), isWebAuthnError)
    expect([reason, message]).toEqual([
      'failed',
      'The `webauthn` adapter returned a credential that JSON cannot represent.',
    ])
    expect(server.requests).toHaveLength(1)
  })

  it('an aborted signal ends a passkey login whose adapter never settles', async () => {
    const server = await serve(started)
    const control = new AbortController()
    const reason = new Error('closed')
    const signals: (AbortSignal | undefined)[] = []
    const get: WebAuthnAdapter['get'] = (_, { signal }) => {
      signals.push(signal)
      setImmediate(() => control.abort(reason))
      return new Promise(() => {})
    }
    const client = new Client({ baseUrl: server.url, webauthn: { get } })

    expect(await reasonOf(client.auth.loginWithPasskey({ signal: control.signal }))).toBe(reason)
    expect(signals[0]?.aborted).toBe(true)
  })

  it('dispose() ends a passkey ceremony', async () => {
    const server = await serve(started)
    const get = vi.fn<WebAuthnAdapter['get']>(() => new Promise(() => {}))
    const client = new Client({ baseUrl: server.url, webauthn: { get } })
    const login = reasonOf(client.auth.loginWithPasskey())
    await vi.waitFor(() => expect(get).toHaveBeenCalled())

    client.dispose()

    expect(String(await login)).toContain('disposed')
    expect(get.mock.calls[0]?.[1].signal?.aborted).toBe(true)
  })

  it('the deadline of a passkey login excludes the time of its ceremony', async () => {
    const server = await serve(started, finished)
    stopClock()
    const get = async () => {
      await pass(900)
      return credential
    }
    const client = new Client({ baseUrl: server.url, deadline: 700, webauthn: { get } })

    expect(await client.auth.loginWithPasskey()).toMatchObject({ status: 'complete' })
  })

  it('throws a typed error for an invalid response', async () => {
    const server = await serve(json(200, null), json(200, { ticket: 't', challenge: '{' }), started, json(200, null))
    const client = new Client({ baseUrl: server.url, webauthn: { get: async () => credential } })

    await rejectionOf(client.auth.loginWithPasskey(), isWebAuthnError)
    await rejectionOf(client.auth.loginWithPasskey(), isWebAuthnError)
    await rejectionOf(client.auth.loginWithPasskey(), isResponseMismatchError)
  })
})
