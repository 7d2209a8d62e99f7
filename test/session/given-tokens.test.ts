import { Client, isRequestValidationError, type MfaAnswer } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { describe, expect, it } from 'vitest'
import { CODE, serveStepUp } from '../servers/step-up-service'

const answer = (): MfaAnswer => ({ type: 'totp', code: CODE })

describe('a token that a call is given next to the session', () => {
  it('a per-call token keeps its open prompt when the session changes', async () => {
    const service = await serveStepUp()
    let open = () => {}
    const opened = new Promise<void>((resolve) => {
      open = resolve
    })
    let reply: (given: MfaAnswer) => void = () => {}
    const onMfaRequired = () => {
      open()
      return new Promise<MfaAnswer>((resolve) => {
        reply = resolve
      })
    }
    const client = new Client({ baseUrl: service.url, token: 'ada', onMfaRequired })
    const call = client.relationships.list({ token: 'bob' })
    await opened
    await client.session.setToken('grace')
    reply(answer())
    await expect(call).resolves.toEqual([])
  })

  it('a per-call token keeps its verification when the session changes, and loses it when that token is signed out', async () => {
    const service = createMockService({ requireMfa: (endpoint) => endpoint === 'Get Relationships' })
    const bob = service.users.create({ login: 'bob@example.com', password: 'correct horse', mfa: ['totp'] })
    const token = service.token(bob)
    let prompts = 0
    const onMfaRequired = (): MfaAnswer => {
      prompts++
      return { type: 'totp', code: service.users.totp(bob) }
    }
    const client = new Client({ baseUrl: service.baseUrl, fetch: service.fetch, onMfaRequired })
    await client.relationships.list({ token })
    await client.session.setToken('another token')
    await client.session.setToken(null)
    await client.relationships.list({ token })
    expect(prompts).toBe(1)

    await client.auth.logout({}, { token })
    const next = service.token(bob)
    await client.relationships.list({ token: next })
    expect(prompts).toBe(2)
  })
})

describe('a token that is missing', () => {
  it.each([undefined, null, '', 5, 'a\r\nb'])('%j is not accepted as a token for suspended() or as()', (token) => {
    const client = new Client({ baseUrl: 'http://localhost', token: 'main token' })
    for (const take of [() => client.suspended(token as string), () => client.as(token as string)]) {
      expect(take).toThrow(expect.toSatisfy(isRequestValidationError))
    }
  })
})
