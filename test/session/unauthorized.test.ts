import { Client, isApiError, isAuthenticationError } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { describe, expect, it, vi } from 'vitest'
import { hold, json, serve } from '../servers/http-server'
import { rejectionOf } from '../transport/rejection'

const unauthorizedResponse = json(401, { code: 0, message: '401: Unauthorized' })

/** Signs out on `unauthorized`, as the guide recommends, and returns the listener. */
function signOutOnUnauthorized(client: Client) {
  const unauthorized = vi.fn(() => void client.session.setToken(null))
  client.on('unauthorized', unauthorized)
  return unauthorized
}

describe('the event unauthorized', () => {
  it('it is emitted when the service rejects the current token of the session', async () => {
    const server = await serve(unauthorizedResponse)
    const client = new Client({ baseUrl: server.url, token: 'ada' })
    const unauthorized = signOutOnUnauthorized(client)

    await rejectionOf(client.relationships.list(), isAuthenticationError)

    expect(unauthorized).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ endpoint: 'Get Relationships' }))
    expect(client.session.token).toBeNull()
  })

  it.each([400, 403, 404, 409, 500])('it is not emitted for a response with status %i', async (status) => {
    const server = await serve(json(status, { code: 0, message: 'no' }))
    const client = new Client({ baseUrl: server.url, token: 'ada', retry: 0 })
    const unauthorized = signOutOnUnauthorized(client)

    const error = await rejectionOf(client.relationships.list(), isApiError)

    expect(error.status).toBe(status)
    expect(unauthorized).not.toHaveBeenCalled()
    expect(client.session.token).toBe('ada')
  })

  it('it is not emitted if the rejected token is no longer the one of the session', async () => {
    const late = hold(unauthorizedResponse)
    const server = await serve(late.responder)
    const client = new Client({ baseUrl: server.url, token: 'stale' })
    const unauthorized = signOutOnUnauthorized(client)
    const call = rejectionOf(client.relationships.list(), isAuthenticationError)
    await server.waitForRequests(1)

    await client.session.setToken('fresh')
    late.release()
    await call

    expect(unauthorized).not.toHaveBeenCalled()
    expect(client.session.token).toBe('fresh')
  })

  it('it is not emitted for the token of a single call', async () => {
    const server = await serve(unauthorizedResponse)
    const client = new Client({ baseUrl: server.url, token: 'ada' })
    const unauthorized = signOutOnUnauthorized(client)

    await rejectionOf(client.relationships.list({ token: 'bob' }), isAuthenticationError)

    expect(unauthorized).not.toHaveBeenCalled()
    expect(client.session.token).toBe('ada')
  })

  it('it is emitted for a per-call token that equals the session token', async () => {
    const server = await serve(unauthorizedResponse)
    const client = new Client({ baseUrl: server.url, token: 'ada' })
    const unauthorized = signOutOnUnauthorized(client)

    await rejectionOf(client.relationships.list({ token: 'ada' }), isAuthenticationError)

    expect(unauthorized).toHaveBeenCalledOnce()
  })

  it('it is not emitted for a call without a token', async () => {
    const server = await serve(unauthorizedResponse)
    const client = new Client({ baseUrl: server.url })
    const unauthorized = signOutOnUnauthorized(client)

    await rejectionOf(client.relationships.list(), isAuthenticationError)

    expect(unauthorized).not.toHaveBeenCalled()
  })

  it('it is emitted once for ten rejected calls if its listener signs out', async () => {
    const service = createMockService()
    const ada = service.users.create({ login: 'ada@example.test', password: 'correct horse' })
    const client = new Client({ baseUrl: service.baseUrl, fetch: service.fetch, token: service.token(ada) })
    const unauthorized = signOutOnUnauthorized(client)
    service.users.lock(ada)

    await Promise.allSettled(Array.from({ length: 10 }, () => client.relationships.list()))

    expect(unauthorized).toHaveBeenCalledOnce()
    expect(client.session.isAuthenticated).toBe(false)
  })

  it('it is emitted only on the client made by `as` whose token was rejected', async () => {
    const server = await serve(unauthorizedResponse)
    const client = new Client({ baseUrl: server.url, token: 'ada' })
    const child = client.as('grace')
    const [ofAda, ofGrace] = [signOutOnUnauthorized(client), signOutOnUnauthorized(child)]

    await rejectionOf(child.relationships.list(), isAuthenticationError)

    expect([ofAda.mock.calls.length, ofGrace.mock.calls.length]).toEqual([0, 1])
    expect([client.session.token, child.session.token]).toEqual(['ada', null])
  })
})
