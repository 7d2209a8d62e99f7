import { setImmediate as turn } from 'node:timers/promises'
import { Client, type ClientOptions, isApiError, isMfaCancelledError, type MfaHandler } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { json, mfaRequired, noResponse, serve } from '../servers/http-server'
import { CODE } from '../servers/step-up-service'
import { reasonOf, rejectionOf } from '../transport/rejection'

const login = { login: 'ada@example.test', password: 'correct horse' }

/** A handler that answers, and the signals it was given. */
function answering() {
  const signals: AbortSignal[] = []
  const handler: MfaHandler = ({ signal }) => {
    signals.push(signal)
    return { type: 'totp', code: CODE }
  }
  return { signals, handler }
}

afterEach(() => {
  vi.useRealTimers()
})

describe('a prompt that is over', () => {
  it('a completed prompt leaves no timer behind', async () => {
    const service = createMockService({ requireMfa: (endpoint) => endpoint === 'Get Relationships' })
    const ada = service.users.create({ ...login, mfa: ['totp'] })
    const onMfaRequired: MfaHandler = () => ({ type: 'totp', code: service.users.totp(ada) })
    const options: ClientOptions = { baseUrl: service.baseUrl, fetch: service.fetch, onMfaRequired }
    const client = new Client({ ...options, token: service.token(ada) })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })

    await client.relationships.list()
    await new Client(options).auth.login(login)

    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a prompt that nobody waits for', () => {
  it('a prompt has an aborted signal if its login is aborted while it opens', async () => {
    const server = await serve(json(200, { user_id: '100', mfa: true, ticket: 'ticket', totp: true }))
    const { signals, handler } = answering()
    const control = new AbortController()
    const client = new Client({ baseUrl: server.url, onMfaRequired: handler })
    client.on('mfaRequired', () => control.abort('enough'))

    expect(await reasonOf(client.auth.login(login, { signal: control.signal }))).toBe('enough')

    expect(signals.every(({ aborted }) => aborted)).toBe(true)
    expect(server.requests).toHaveLength(1)
  })
})

describe('a prompt whose answer is on its way', () => {
  it('an aborted verification is not passed to the classifier', async () => {
    const server = await serve(mfaRequired(), noResponse)
    const { handler } = answering()
    const classifyMfaFailure = vi.fn(() => 'refused' as const)
    const client = new Client({ baseUrl: server.url, token: 'ada', classifyMfaFailure, onMfaRequired: handler })
    const control = new AbortController()
    const reason = new Error('left')
    const call = reasonOf(client.relationships.list({ signal: control.signal }))
    await server.waitForRequests(2)

    control.abort(reason)

    expect(await call).toBe(reason)
    await turn()
    expect(classifyMfaFailure).not.toHaveBeenCalled()
  })
})

describe('a prompt that the session ends', () => {
  it.each<[string, string | null, string]>([
    ['signing out', null, 'the session was signed out'],
    ['another token', 'grace', 'the session changed'],
    ['the same token', 'ada', 'the session changed'],
  ])('a prompt that the session ends says why: %s', async (_, next, reason) => {
    const server = await serve(mfaRequired())
    const onMfaRequired: MfaHandler = async ({ signal }) => {
      await client.session.setToken(next)
      expect(signal.aborted).toBe(true)
      return { type: 'totp', code: CODE }
    }
    const client: Client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired })

    const { message } = await rejectionOf(client.relationships.list(), isMfaCancelledError)

    expect(message).toBe(`The second factor was not given: ${reason}. The next call asks again.`)
  })
})

describe('an answer that the service refuses', () => {
  it('a verification with a status that is neither success nor error is fatal by default', async () => {
    const server = await serve(mfaRequired(), json(300, {}))
    const { signals, handler } = answering()
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: handler })

    expect(await rejectionOf(client.relationships.list(), isApiError)).toMatchObject({ status: 300 })

    expect(signals).toHaveLength(1)
  })
})
