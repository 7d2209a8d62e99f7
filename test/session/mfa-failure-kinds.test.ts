import {
  Client,
  type ClientOptions,
  isApiError,
  isMfaFailedError,
  type MfaFailureKind,
  type MfaHandler,
} from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { json, mfaRequired, type Responder, resetConnection, serve } from '../servers/http-server'
import { reasonOf, rejectionOf } from '../transport/rejection'

async function afterFailure(failure: Responder, options: Partial<ClientOptions> = {}) {
  const server = await serve()
  server.fallback(({ url }) => (url === '/mfa/finish' ? failure : mfaRequired()))
  const handler = vi.fn<MfaHandler>(() => ({ type: 'totp', code: '000000' }))
  const client = new Client({ baseUrl: server.url, token: 'ada', retry: 0, onMfaRequired: handler, ...options })
  const reason = await reasonOf(client.relationships.list())
  return { reason, prompts: handler.mock.calls.length, requests: server.requests.length }
}

describe('how a rejected second factor is classified', () => {
  it.each([400, 403, 404, 422])(
    'status %i means a rejected code by default: the prompt opens again',
    async (status) => {
      expect(await afterFailure(json(status, {}))).toMatchObject({ prompts: 3, requests: 4 })
    },
  )

  it('status 401 means an expired ticket by default: the original request is sent again', async () => {
    expect(await afterFailure(json(401, {}))).toMatchObject({ prompts: 2, requests: 4 })
  })

  it.each([
    ['429', json(429, { retry_after: 1 })],
    ['500', json(500, {})],
    ['60003', mfaRequired()],
    ['a broken connection', resetConnection],
    ['an answer without a JWT', json(200, 'no object')],
  ])('%s is fatal by default: no further prompt opens', async (_, failure) => {
    expect(await afterFailure(failure)).toMatchObject({ prompts: 1, requests: 2 })
  })

  it('classifyMfaFailure of the app decides by the error that it receives', async () => {
    const kinds: Record<number, MfaFailureKind> = { 60008: 'refused', 60011: 'expired', 60099: 'fatal' }
    const classifyMfaFailure = (error: Error) => (isApiError(error) ? (kinds[error.code ?? 0] ?? 'fatal') : 'fatal')

    const outcome = async (code: number) => {
      const { prompts, requests } = await afterFailure(json(400, { code }), { classifyMfaFailure })
      return [prompts, requests]
    }

    expect(await outcome(60008)).toEqual([3, 4])
    expect(await outcome(60011)).toEqual([2, 4])
    expect(await outcome(60099)).toEqual([1, 2])
  })

  it('a classifier that returns an invalid value does not cause endless prompts', async () => {
    const classifyMfaFailure = () => 'perhaps' as MfaFailureKind
    expect(await afterFailure(json(400, {}), { classifyMfaFailure })).toMatchObject({ prompts: 1, requests: 2 })
  })

  it('a login whose code is rejected three times is an MfaFailedError as well', async () => {
    const server = await serve(json(200, { user_id: '1', mfa: true, ticket: 'ticket', totp: true }))
    server.fallback(() => json(400, { code: 60008 }))
    const client = new Client({ baseUrl: server.url, onMfaRequired: () => ({ type: 'totp', code: '000000' }) })

    await rejectionOf(client.auth.login({ login: 'a@example.test', password: 'correct horse' }), isMfaFailedError)

    expect(server.requests).toHaveLength(4)
  })
})
