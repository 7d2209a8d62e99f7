import {
  Client,
  isMfaCancelledError,
  isMfaRequiredError,
  isRapportError,
  type MfaAnswer,
  type MfaChallenge,
  type MfaHandler,
} from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { deferred } from '../deferred'
import { hold, json, mfaRequired, noResponse, serve } from '../servers/http-server'
import { CODE, MFA_HEADER, serveStepUp, waitForPrompts } from '../servers/step-up-service'
import { rejectionOf } from '../transport/rejection'

const right: MfaAnswer = { type: 'totp', code: CODE }
const answer: MfaHandler = () => right

/** A parent with the token of ada, and clients of it: two with the token of bob, one with the token of carol. */
function createClients(baseUrl: string, onMfaRequired: MfaHandler = answer) {
  const parent = new Client({ baseUrl, token: 'ada', onMfaRequired })
  return { parent, one: parent.as('bob'), two: parent.as('bob'), carol: parent.as('carol') }
}

/** Opens a prompt of one client that another one waits for. Each has a handler of its own. */
async function openSharedPrompt(url: string, first: MfaHandler, second: MfaHandler) {
  const { parent, one, two } = createClients(url)
  const opened = deferred<MfaChallenge>()
  const ofFirst = vi.fn<MfaHandler>((challenge) => {
    opened.resolve(challenge)
    return first(challenge)
  })
  const ofSecond = vi.fn<MfaHandler>(second)
  const firstCall = one.relationships.list({ onMfaRequired: ofFirst })
  // Some tests end it before they await it.
  firstCall.catch(() => {})
  const challenge = await opened.promise
  const joined = waitForPrompts(two, 1)
  const secondCall = two.relationships.list({ onMfaRequired: ofSecond })
  secondCall.catch(() => {})
  await joined
  return { parent, one, two, firstCall, secondCall, ofFirst, ofSecond, challenge }
}

const never = () => new Promise<never>(() => {})

describe('the clients of one account', () => {
  it('open one prompt for concurrent calls and verify one code, and each call is sent again', async () => {
    const service = await serveStepUp()
    const userAnswer = deferred<MfaAnswer>()
    const handler = vi.fn<MfaHandler>(() => userAnswer.promise)
    const { parent, one, two } = createClients(service.url, handler)
    const all = Promise.all([waitForPrompts(parent, 1), waitForPrompts(one, 1), waitForPrompts(two, 1)])

    const calls = [one.relationships.list(), two.relationships.list(), parent.relationships.list({ token: 'bob' })]
    await all
    userAnswer.resolve(right)

    expect(await Promise.all(calls)).toEqual([[], [], []])
    expect(handler).toHaveBeenCalledTimes(1)
    expect(service.finishes()).toHaveLength(1)
    expect(service.calls().map(({ headers }) => headers[MFA_HEADER])).toEqual([
      ...[undefined, undefined, undefined],
      ...['jwt-of-bob-1', 'jwt-of-bob-1', 'jwt-of-bob-1'],
    ])
  })

  it('a verification goes with each call of its account, and with no other', async () => {
    const service = await serveStepUp()
    const handler = vi.fn(answer)
    const { parent, one, two, carol } = createClients(service.url, handler)
    await one.relationships.list()

    await two.relationships.list()
    await parent.relationships.list({ token: 'bob' })
    await carol.relationships.list({ token: 'bob' })
    await one.as('bob').relationships.list()
    await carol.session.setToken('bob')
    await carol.relationships.list()
    expect(handler).toHaveBeenCalledTimes(1)

    for (const other of [parent, one.as('carol'), new Client({ baseUrl: service.url, token: 'bob' })]) {
      await rejectionOf(other.relationships.list({ onMfaRequired: false }), isMfaRequiredError)
      expect(service.server.request(-1).headers[MFA_HEADER]).toBeUndefined()
    }
  })

  it('share neither a verification nor a prompt without a token', async () => {
    const service = await serveStepUp()
    const handler = vi.fn(answer)
    const { one, two } = createClients(service.url, handler)
    for (const { session } of [one, two]) await session.setToken(null)

    await one.relationships.list()
    await rejectionOf(two.relationships.list({ onMfaRequired: false }), isMfaRequiredError)
    await one.relationships.list()

    expect(handler).toHaveBeenCalledTimes(1)
  })

  it.each<[string, (client: Client) => Promise<unknown>]>([
    ['logout()', (client) => client.auth.logout()],
    ['setToken() with another token', (client) => client.session.setToken('other')],
    ['setToken() with the same token', (client) => client.session.setToken('bob')],
    ['revertAccount()', (client) => client.auth.revertAccount({ token: 'mailed', password: 'new password' })],
    ['logout() with a token of its own', (client) => client.as('ada').auth.logout({}, { token: 'bob' })],
  ])('%s of one client discards the verification for all of them', async (_, change) => {
    const service = await serveStepUp()
    const { one, two, carol } = createClients(service.url)
    for (const client of [one, carol]) await client.relationships.list()
    if (!_.startsWith('setToken')) service.server.respondWith(json(200, { email: 'bob@example.test' }))

    await change(one)

    await two.relationships.list()
    await carol.relationships.list()
    expect(service.finishes().map(({ headers }) => headers.authorization)).toEqual(['bob', 'carol', 'bob'])
  })

  it('a sign-out of one client ends the prompt for all of them, and sends no code', async () => {
    const service = await serveStepUp()
    const { two, challenge, firstCall, secondCall } = await openSharedPrompt(service.url, never, never)

    await two.session.setToken(null)

    for (const call of [firstCall, secondCall]) await rejectionOf(call, isMfaCancelledError)
    expect(challenge.signal.aborted).toBe(true)
    expect(service.finishes()).toHaveLength(0)
  })

  it('a verification that completes after another client of the account has signed out is discarded', async () => {
    const server = await serve(mfaRequired(), async (response, request) => {
      await two.session.setToken(null)
      await json(200, { token: 'late' })(response, request)
    })
    server.fallback(() => json(200, []))
    const { parent, one, two } = createClients(server.url)

    await rejectionOf(one.relationships.list(), isMfaCancelledError)
    for (const client of [one, parent.as('bob')]) await client.relationships.list()

    expect(server.requests.every(({ headers }) => headers[MFA_HEADER] === undefined)).toBe(true)
  })

  it('open two prompts in all, however many they are, if the service rejects every JWT', async () => {
    const server = await serveStepUp('rejects every JWT')
    const handler = vi.fn(answer)
    const { parent, carol } = createClients(server.url, handler)

    for (let client = 0; client < 5; client++) {
      const { message } = await rejectionOf(parent.as('bob').relationships.list(), isMfaRequiredError)
      expect(message).toContain('Prompts are blocked for 5 minutes.')
    }
    expect(handler).toHaveBeenCalledTimes(2)

    await rejectionOf(carol.relationships.list(), isMfaRequiredError)
    expect(handler).toHaveBeenCalledTimes(4)
  })

  it('a cancelled prompt cancels the waiting calls of all clients of the account', async () => {
    const service = await serveStepUp()
    const userAnswer = deferred<null>()
    const { firstCall, secondCall, ofSecond } = await openSharedPrompt(service.url, () => userAnswer.promise, never)

    userAnswer.resolve(null)

    for (const call of [firstCall, secondCall]) await rejectionOf(call, isMfaCancelledError)
    expect(ofSecond).not.toHaveBeenCalled()
  })

  it('emit elevated once each if their call waits for a prompt', async () => {
    const service = await serveStepUp()
    const userAnswer = deferred<MfaAnswer>()
    const { parent, one, two } = createClients(service.url, () => userAnswer.promise)
    const events: string[] = []
    const required: number[] = []
    const elevated: number[] = []
    for (const [name, client] of Object.entries({ parent, one, two })) {
      client.session.onChange(({ type }) => events.push(`${type} of the session of ${name}`))
      client.on('mfaRequired', ({ callId }) => required.push(callId))
      client.on('elevated', ({ endpoint, callId }) => {
        events.push(`elevated of ${name}: ${endpoint}`)
        elevated.push(callId)
      })
    }
    const waiting = Promise.all([waitForPrompts(one, 2), waitForPrompts(two, 1)])
    const calls = [one, one, two].map((client) => client.relationships.list())
    await waiting

    userAnswer.resolve(right)
    await Promise.all(calls)

    expect(events).toEqual([
      'elevated of the session of one',
      'elevated of one: Get Relationships',
      'elevated of the session of two',
      'elevated of two: Get Relationships',
    ])
    // Of the call whose challenge was answered.
    expect(elevated).toEqual([required[0], required[0]])
  })

  it('at most 10,000 verifications are kept, and the oldest are discarded first', async () => {
    const fetch = async (url: string | URL | Request) =>
      String(url).endsWith('/mfa/finish') ? Response.json({ token: 'jwt' }) : Response.json([])
    const client = new Client({ baseUrl: 'https://service.example', fetch })
    const isVerified = async (token: string) =>
      (await client.relationships.list({ token }).withResponse()).response.elevated
    const verify = (index: number) =>
      client.mfa.finish({ ticket: 'ticket', mfa_type: 'totp', data: CODE }, { token: `user-${index}` })

    for (let index = 0; index < 10_000; index++) await verify(index)
    expect(await isVerified('user-0')).toBe(true)
    await verify(10_000)

    expect([await isVerified('user-0'), await isVerified('user-9999'), await isVerified('user-10000')]).toEqual([
      ...[false, true, true],
    ])
  })
})

describe('disposing one of several clients of an account', () => {
  it('asks the handler of the next waiting client if its prompt is open', async () => {
    const service = await serveStepUp()
    const { one, firstCall, secondCall, ofFirst, ofSecond, challenge } = await openSharedPrompt(
      ...([service.url, never, answer] as const),
    )

    one.dispose()

    expect((await rejectionOf(firstCall, isRapportError)).message).toBe('The client was disposed.')
    expect(await secondCall).toEqual([])
    expect(challenge.signal.aborted).toBe(true)
    expect(await challenge.settled).toMatchObject({ state: 'cancelled' })
    expect([ofFirst, ofSecond].map(({ mock }) => mock.calls.length)).toEqual([1, 1])
    expect(service.finishes().map((request) => request.json())).toEqual([
      { ticket: 'ticket-2', mfa_type: 'totp', data: CODE },
    ])
  })

  it('asks the handler of a client whose request was in flight meanwhile', async () => {
    const held = hold(mfaRequired('ticket-of-two'))
    const server = await serve(held.responder, mfaRequired('ticket-of-one'))
    const { one, two } = createClients(server.url, never)
    const asked = vi.fn<MfaHandler>(() => null)
    const second = rejectionOf(two.relationships.list({ onMfaRequired: asked }), isMfaCancelledError)
    await server.waitForRequests(1)
    const opened = waitForPrompts(one, 1)
    const first = rejectionOf(one.relationships.list(), isRapportError)
    await opened

    one.dispose()
    await first
    held.release()

    await second
    expect(asked).toHaveBeenCalledTimes(1)
  })

  it('asks the handler of the next waiting client if its answer is being verified', async () => {
    const server = await serve(mfaRequired('first'), mfaRequired('second'), noResponse, json(200, { token: 'jwt' }))
    server.fallback(() => json(200, []))
    const userAnswer = deferred<MfaAnswer>()
    const { one, secondCall } = await openSharedPrompt(server.url, () => userAnswer.promise, answer)
    userAnswer.resolve(right)
    await server.waitForRequests(3)

    one.dispose()

    expect(await secondCall).toEqual([])
    expect(server.request(3).json()).toMatchObject({ ticket: 'second' })
  })

  it('a client whose call was aborted still answers for the others, until it is disposed', async () => {
    const service = await serveStepUp()
    const { parent, one, two } = createClients(service.url)
    const opened = deferred<MfaChallenge>()
    const ofFirst: MfaHandler = (challenge) => {
      opened.resolve(challenge)
      return never()
    }
    const control = new AbortController()
    const firstCall = one.relationships.list({ onMfaRequired: ofFirst, signal: control.signal }).catch(() => 'aborted')
    const { signal } = await opened.promise
    const waiting = Promise.all([waitForPrompts(two, 1), waitForPrompts(parent, 1)])
    const calls = [two.relationships.list(), parent.relationships.list({ token: 'bob' })]
    await waiting

    control.abort()
    expect(await firstCall).toBe('aborted')
    expect(signal.aborted).toBe(false)
    one.dispose()

    expect(signal.aborted).toBe(true)
    expect(await Promise.all(calls)).toEqual([[], []])
    expect(service.finishes()).toHaveLength(1)
  })

  it('leaves a prompt open for which it only waits', async () => {
    const service = await serveStepUp()
    const userAnswer = deferred<MfaAnswer>()
    const { two, firstCall, secondCall, challenge } = await openSharedPrompt(
      ...([service.url, () => userAnswer.promise, never] as const),
    )

    two.dispose()
    await rejectionOf(secondCall, isRapportError)
    expect(challenge.signal.aborted).toBe(false)
    userAnswer.resolve(right)

    expect(await firstCall).toEqual([])
  })

  it('ends a prompt that nobody else waits for, and the next call opens another', async () => {
    const service = await serveStepUp()
    const opened = deferred<MfaChallenge>()
    const { one, two } = createClients(service.url)
    const call = one.relationships.list({
      onMfaRequired: (challenge) => {
        opened.resolve(challenge)
        return never()
      },
    })
    const { signal } = await opened.promise

    one.dispose()

    await rejectionOf(call, isRapportError)
    expect(signal.aborted).toBe(true)
    expect(await two.relationships.list()).toEqual([])
  })

  it('leaves the others the verification that it obtained, as does disposing their parent', async () => {
    const service = await serveStepUp()
    const handler = vi.fn(answer)
    const { parent, one, two } = createClients(service.url, handler)
    await one.relationships.list()

    one.dispose()
    parent.dispose()
    await two.relationships.list()

    expect(handler).toHaveBeenCalledTimes(1)
    expect(service.server.request(-1).headers[MFA_HEADER]).toBe('jwt-of-bob-1')
  })
})
