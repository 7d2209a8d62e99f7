import {
  Client,
  isMfaCancelledError,
  isMfaRequiredError,
  type MfaAnswer,
  type MfaHandler,
  type RequestOptions,
} from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { deferred } from '../deferred'
import { json } from '../servers/http-server'
import { CODE, MFA_HEADER, type StepUpServer, serveStepUp } from '../servers/step-up-service'
import { rejectionOf } from '../transport/rejection'

const answer: MfaHandler = () => ({ type: 'totp', code: CODE })
const bob: RequestOptions = { token: 'bob' }
const carol: RequestOptions = { token: 'carol' }

/** Signs a token out that is not the session's. */
async function signOut(client: Client, service: StepUpServer, options: RequestOptions) {
  service.server.respondWith(json(200, null))
  await client.auth.logout({}, options)
}

/** The message of an error that ends a prompt. */
const ended = (reason: string) => `The second factor was not given: ${reason}. The next call asks again.`

describe('tokens that calls are given next to the session', () => {
  it('signing out one token drops the verification of only that token', async () => {
    const service = await serveStepUp()
    const handler = vi.fn(answer)
    const client = new Client({ baseUrl: service.url, token: 'ada', onMfaRequired: handler })
    for (const options of [{}, bob, carol]) await client.relationships.list(options)
    expect(handler).toHaveBeenCalledTimes(3)

    await signOut(client, service, bob)
    await client.relationships.list()
    await client.relationships.list(carol)
    expect(handler).toHaveBeenCalledTimes(3)
    await client.relationships.list(bob)

    expect(handler).toHaveBeenCalledTimes(4)
    expect(client.session.token).toBe('ada')
  })

  it('signing out one token ends the prompt of only that token', async () => {
    const service = await serveStepUp()
    const given = deferred<MfaAnswer>()
    const opened = deferred<void>()
    const handler = vi.fn<MfaHandler>(() => {
      if (handler.mock.calls.length === 3) opened.resolve()
      return given.promise
    })
    const client = new Client({ baseUrl: service.url, token: 'ada', onMfaRequired: handler })
    const others = [client.relationships.list(), client.relationships.list(carol)]
    const call = rejectionOf(client.relationships.list(bob), isMfaCancelledError)
    await opened.promise

    await signOut(client, service, bob)

    expect((await call).message).toBe(ended('the token was signed out'))
    given.resolve({ type: 'totp', code: CODE })
    expect(await Promise.all(others)).toEqual([[], []])
  })

  it('a per-call token that becomes the session token ends its prompt and shares the prompts of the session', async () => {
    const service = await serveStepUp()
    const opened = deferred<void>()
    const handler = vi.fn<MfaHandler>(() => {
      opened.resolve()
      return new Promise(() => {})
    })
    const client = new Client({ baseUrl: service.url, token: 'ada', onMfaRequired: handler })
    const call = rejectionOf(client.relationships.list(bob), isMfaCancelledError)
    await opened.promise

    await client.session.setToken('bob')

    expect((await call).message).toBe(ended('the session took the token over'))
    handler.mockImplementation(answer)
    await Promise.all([client.relationships.list(), client.relationships.list(bob)])
    expect(handler).toHaveBeenCalledTimes(2)
  })

  it('a challenge of a signed-out token is rejected, whatever other tokens have called since', async () => {
    const service = await serveStepUp()
    const client = new Client({ baseUrl: service.url, token: 'ada' })
    const { challenge } = await rejectionOf(client.relationships.list(bob), isMfaRequiredError)
    await rejectionOf(client.relationships.list(carol), isMfaRequiredError)
    await signOut(client, service, bob)

    const verifying = challenge?.verify({ type: 'totp', code: CODE }) ?? Promise.resolve()

    expect((await rejectionOf(verifying, isMfaCancelledError)).message).toBe(ended('the token was signed out'))
    expect(service.finishes()).toHaveLength(0)
  })

  it('a challenge of a disposed client throws an error that says so', async () => {
    const service = await serveStepUp()
    const client = new Client({ baseUrl: service.url, token: 'ada' })
    const errors = [
      await rejectionOf(client.relationships.list(), isMfaRequiredError),
      await rejectionOf(client.relationships.list(bob), isMfaRequiredError),
    ]
    client.dispose()

    for (const { challenge } of errors) {
      const verifying = challenge?.verify({ type: 'totp', code: CODE }) ?? Promise.resolve()
      const { message } = await rejectionOf(verifying, isMfaCancelledError)
      expect(message).toContain('not given: the client was disposed.')
    }
  })

  it('the session emits elevated for a per-call token', async () => {
    const service = await serveStepUp()
    const client = new Client({ baseUrl: service.url, token: 'ada', onMfaRequired: answer })
    const changes: string[] = []
    client.session.onChange(({ type }) => changes.push(type))

    await client.relationships.list(bob)

    expect(changes).toEqual(['elevated'])
  })

  it('a per-call token that equals the session token shares its verification', async () => {
    const service = await serveStepUp()
    const client = new Client({ baseUrl: service.url, token: 'ada', onMfaRequired: answer })
    await client.relationships.list()

    await client.relationships.list({ token: 'ada' })

    expect(service.server.request(-1).headers[MFA_HEADER]).toBe('jwt-of-ada-1')
    expect(service.finishes()).toHaveLength(1)
  })
})
