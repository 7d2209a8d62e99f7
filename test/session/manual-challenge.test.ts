import {
  Client,
  isApiError,
  isMfaCancelledError,
  isMfaRequiredError,
  isRapportError,
  type MfaAnswer,
} from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { hold, json, mfaRequired, serve } from '../servers/http-server'
import { CODE, MFA_HEADER, serveStepUp } from '../servers/step-up-service'
import { reasonOf, rejectionOf } from '../transport/rejection'

const totp = (code: string): MfaAnswer => ({ type: 'totp', code })

describe('a challenge without a handler', () => {
  it('a 60003 without a handler is an MfaRequiredError at once, and the call passes after its challenge is verified', async () => {
    const service = await serveStepUp()
    const client = new Client({ baseUrl: service.url, token: 'ada' })
    const elevated = vi.fn()
    client.on('elevated', elevated)

    const { challenge, endpoint } = await rejectionOf(client.relationships.list(), isMfaRequiredError)
    expect(endpoint).toBe('Get Relationships')
    expect(challenge?.reason).toBe('elevation')
    const result = await challenge?.verify(totp(CODE))

    expect(result).toEqual({ status: 'elevated', expiresInMs: expect.any(Number) })
    expect(result?.expiresInMs).toBeLessThan(300_000)
    expect(result?.expiresInMs).toBeGreaterThan(240_000)
    expect(elevated).toHaveBeenCalledWith({ endpoint: 'Get Relationships' })
    expect(await client.relationships.list()).toEqual([])
  })

  it('verify() throws the error of the service for a rejected code and accepts another code', async () => {
    const service = await serveStepUp()
    const client = new Client({ baseUrl: service.url, token: 'ada' })
    const { challenge } = await rejectionOf(client.relationships.list(), isMfaRequiredError)

    const refusal = await rejectionOf(challenge?.verify(totp('000000')) ?? Promise.resolve(), isApiError)

    expect(challenge?.attempt).toBe(2)
    expect(challenge?.lastError).toBe(refusal)
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

  it('a stream body is rejected before a prompt and never replayed', async () => {
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
