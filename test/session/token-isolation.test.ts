import { Client, isMfaCancelledError, type MfaAnswer, type MfaHandler } from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { held, json, mfaRequired } from '../transport/answers'
import { rejectionOf } from '../transport/rejection'
import { serve } from '../transport/scripted-server'
import { CODE, deferred, MFA_HEADER, stepUpService } from './step-up-service'

const answer: MfaHandler = () => ({ type: 'totp', code: CODE })

describe('calls of one client with different tokens', () => {
  it('2. a call with another token in between does not split the prompt of the first', async () => {
    const slow = held(mfaRequired())
    const server = await serve(slow.answer, json(200, []), mfaRequired())
    server.otherwise(({ url }) => (url === '/mfa/finish' ? json(200, { token: 'jwt' }) : json(200, [])))
    const given = deferred<MfaAnswer>()
    const handler = vi.fn<MfaHandler>(() => given.promise)
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: handler })

    const first = client.relationships.list()
    await server.received(1)
    await client.relationships.list({ token: 'grace' })
    const second = client.relationships.list()
    await vi.waitFor(() => expect(handler).toHaveBeenCalledTimes(1))
    slow.release()
    await new Promise((resolve) => setTimeout(resolve, 30))
    given.resolve({ type: 'totp', code: CODE })
    await Promise.all([first, second])
    await client.relationships.list()

    expect(handler).toHaveBeenCalledTimes(1)
    expect(server.request(-1).headers[MFA_HEADER]).toBe('jwt')
  })

  it('15. signing out ends the prompt of a call that began before one with another token', async () => {
    const slow = held(mfaRequired())
    const server = await serve(slow.answer, json(200, []))
    const handler = vi.fn<MfaHandler>(() => new Promise(() => {}))
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: handler })
    const first = rejectionOf(client.relationships.list(), isMfaCancelledError)
    await server.received(1)
    await client.relationships.list({ token: 'grace' })
    slow.release()
    await vi.waitFor(() => expect(handler).toHaveBeenCalledTimes(1))

    await client.session.setToken(null)

    await first
  })

  it('3. prompts of two tokens are open side by side, and each answer serves its own', async () => {
    const service = await stepUpService()
    const handler = vi.fn<MfaHandler>(async () => {
      await service.server.received(2)
      return { type: 'totp', code: CODE }
    })
    const client = new Client({ baseUrl: service.url, token: 'ada', onMfaRequired: handler })

    await Promise.all([client.relationships.list(), client.relationships.list({ token: 'grace' })])

    expect(handler).toHaveBeenCalledTimes(2)
    expect(
      service
        .finishes()
        .map(({ headers }) => headers.authorization)
        .toSorted(),
    ).toEqual(['ada', 'grace'])
    const replays = service.calls().flatMap(({ headers }) => headers[MFA_HEADER] ?? [])
    expect(replays.toSorted()).toEqual([expect.stringContaining('of-ada-'), expect.stringContaining('of-grace-')])
  })

  it('keeps nothing of the thousands of tokens that were used once', async () => {
    const service = await stepUpService()
    const client = new Client({ baseUrl: service.url, onMfaRequired: answer })
    await client.relationships.list({ token: 'ada' })
    service.server.otherwise(() => json(200, []))
    for (let index = 0; index < 200; index++) await client.relationships.list({ token: `visitor-${index}` })

    await client.relationships.list({ token: 'ada' })

    expect(service.server.request(-1).headers[MFA_HEADER]).toBe('jwt-of-ada-1')
    expect(service.finishes()).toHaveLength(1)
  })
})
