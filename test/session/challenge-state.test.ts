import {
  Client,
  isApiError,
  isMfaCancelledError,
  isMfaFailedError,
  isMfaRequiredError,
  isTimeoutError,
  type MfaAnswer,
  type MfaChallenge,
  type MfaHandler,
  type MfaOutcome,
  type MfaState,
} from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { deferred } from '../deferred'
import {
  json,
  mfaRequired,
  noContent,
  noResponse,
  type Responder,
  resetConnection,
  serve,
} from '../servers/http-server'
import { reasonOf, rejectionOf } from '../transport/rejection'

const credentials = { login: 'ada@example.test', password: 'correct horse' }
const answer: MfaAnswer = { type: 'totp', code: '123456' }
/** Returns another answer for each attempt: a refused one is not sent again. */
const another: MfaHandler = ({ attempt }) => ({ type: 'totp', code: `12345${attempt}` })
const pending = json(200, { user_id: '100', mfa: true, ticket: 'ticket', totp: true })
const refused = json(400, { code: 60008, message: 'Invalid two-factor code' })
const accepted = json(200, { token: 'new-token' })

/** The three uses of second factors: the first response, the call, and the challenge of a call without a handler. */
const USES: Readonly<
  Record<
    MfaChallenge['reason'],
    {
      readonly required: Responder
      call(client: Client): Promise<unknown>
      challenge(client: Client): Promise<MfaChallenge | undefined>
    }
  >
> = {
  login: {
    required: pending,
    call: (client) => client.auth.login(credentials),
    async challenge(client) {
      const result = await client.auth.login(credentials)
      return result.status === 'mfa' ? (result.challenge as MfaChallenge) : undefined
    },
  },
  password_reset: {
    required: pending,
    call: (client) => client.auth.resetPassword({ token: 'mailed', password: 'correct horse' }),
    async challenge(client) {
      const result = await client.auth.resetPassword({ token: 'mailed', password: 'correct horse' })
      return result.status === 'mfa' ? (result.challenge as MfaChallenge) : undefined
    },
  },
  elevation: {
    required: mfaRequired(),
    call: (client) => client.relationships.delete('42'),
    challenge: async (client) => (await rejectionOf(client.relationships.delete('42'), isMfaRequiredError)).challenge,
  },
}
const REASONS = Object.keys(USES) as MfaChallenge['reason'][]

/** Records the states of a challenge, the first one included. */
function recordStates(challenge: MfaChallenge): MfaState[] {
  const states = [challenge.state]
  challenge.onChange((state) => states.push(state))
  return states
}

/** A handler that records the challenges it is called with. */
function recordingHandler(next: MfaHandler) {
  const records = new Map<MfaChallenge, MfaState[]>()
  const handler: MfaHandler = (challenge) => {
    if (!records.has(challenge)) records.set(challenge, recordStates(challenge))
    return next(challenge)
  }
  return { handler, records: () => [...records].map(([challenge, states]) => ({ challenge, states })) }
}

/** Runs a call with a handler and returns the states and the outcome of its only challenge. */
async function outcomeOf(
  reason: MfaChallenge['reason'],
  responses: readonly Responder[],
  next: MfaHandler,
  options: { readonly mfaTimeout?: number; readonly timeout?: number; readonly retry?: number } = {},
): Promise<{ states: MfaState[]; outcome: MfaOutcome; error: unknown; challenge: MfaChallenge }> {
  const { required, call } = USES[reason]
  const server = await serve(required, ...responses)
  const { handler, records } = recordingHandler(next)
  const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: handler, ...options })
  const error = await call(client).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  const [only, ...others] = records()
  if (only === undefined || others.length > 0) throw new Error('there is not exactly one challenge')
  return { ...only, outcome: await only.challenge.settled, error }
}

describe.each(REASONS)('a challenge of reason %s', (reason) => {
  it('it is seen by a handler as refused, verifying again and accepted', async () => {
    const seen: (number | undefined)[] = []
    const { states, outcome, error, challenge } = await outcomeOf(reason, [refused, accepted, noContent], (given) => {
      expect(given.state).toBe(given.attempt === 1 ? 'waiting' : 'refused')
      expect(isApiError(given.lastError)).toBe(given.attempt > 1)
      seen.push(given.attemptsLeft)
      return another(given)
    })

    expect(error).toBeUndefined()
    expect(states).toEqual(['waiting', 'verifying', 'refused', 'verifying', 'accepted'])
    expect(outcome).toEqual({ state: 'accepted' })
    expect(challenge.state).toBe('accepted')
    expect(seen).toEqual([3, 2])
  })

  it('fails with the error of the call after three refused answers', async () => {
    const { states, outcome, error, challenge } = await outcomeOf(reason, [refused, refused, refused], another)

    expect(error).toSatisfy(isMfaFailedError)
    expect(states.slice(-2)).toEqual(['refused', 'failed'])
    expect(outcome).toEqual({ state: 'failed', error })
    expect(challenge.attemptsLeft).toBe(0)
  })

  it('it is cancelled if the handler returns null', async () => {
    const { states, outcome, error } = await outcomeOf(reason, [], () => null)

    expect(error).toSatisfy(isMfaCancelledError)
    expect(states).toEqual(['waiting', 'cancelled'])
    expect(outcome).toEqual({ state: 'cancelled', error })
  })

  it('fails if mfaTimeout passes, also if the handler never returns', async () => {
    const { outcome, error } = await outcomeOf(reason, [], () => new Promise(() => {}), { mfaTimeout: 50 })

    expect(error).toSatisfy(isTimeoutError)
    expect(outcome).toEqual({ state: 'failed', error })
  })

  it('fails if the verification fails for another reason than the answer', async () => {
    const { states, outcome, error } = await outcomeOf(reason, [json(500, {})], () => answer, { retry: 0 })

    expect(states).toEqual(['waiting', 'verifying', 'failed'])
    expect(outcome).toEqual({ state: 'failed', error })
  })

  it('fails if its ticket has expired, and the handler receives a new one', async () => {
    const { required, call } = USES[reason]
    const server = await serve(required, json(401, {}), required, accepted, noContent)
    const { handler, records } = recordingHandler(() => answer)
    await call(new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: handler }))

    const [first, second] = records()
    expect(first?.states).toEqual(['waiting', 'verifying', 'failed'])
    expect(await first?.challenge.settled).toMatchObject({ state: 'failed', error: { status: 401 } })
    expect(await second?.challenge.settled).toEqual({ state: 'accepted' })
    expect(second?.challenge).toMatchObject({ attempt: 1, lastError: { status: 401 } })
  })

  it('changes its state and is accepted by verify() without a handler', async () => {
    const { required, challenge: challengeOf } = USES[reason]
    const server = await serve(required, refused, accepted)
    const challenge = await challengeOf(new Client({ baseUrl: server.url, token: 'ada' }))
    if (challenge === undefined) throw new Error('there is no challenge')
    const states = recordStates(challenge)

    const error = await rejectionOf(challenge.verify(answer), isApiError)
    expect(challenge).toMatchObject({ state: 'refused', attempt: 2, lastError: error, attemptsLeft: undefined })
    await challenge.verify(answer)

    expect(states).toEqual(['waiting', 'verifying', 'refused', 'verifying', 'accepted'])
    expect(await challenge.settled).toEqual({ state: 'accepted' })
  })

  it('fails if its ticket has expired when verify() is called without a handler', async () => {
    const { required, challenge: challengeOf } = USES[reason]
    const server = await serve(required, json(401, { message: 'expired' }))
    const challenge = await challengeOf(new Client({ baseUrl: server.url, token: 'ada' }))

    const error = await reasonOf(Promise.resolve(challenge?.verify(answer)))

    expect(await challenge?.settled).toEqual({ state: 'failed', error })
    expect(challenge?.state).toBe('failed')
  })

  it('verify() can be called again after a lost connection', async () => {
    const { required, challenge: challengeOf } = USES[reason]
    const server = await serve(required, resetConnection, accepted)
    const challenge = await challengeOf(new Client({ baseUrl: server.url, token: 'ada', retry: 0 }))
    if (challenge === undefined) throw new Error('there is no challenge')
    const states = recordStates(challenge)

    await reasonOf(challenge.verify(answer))
    await challenge.verify(answer)

    expect(states).toEqual(['waiting', 'verifying', 'waiting', 'verifying', 'accepted'])
  })

  it('it is cancelled by verify() if the session has changed', async () => {
    const { required, challenge: challengeOf } = USES[reason]
    const server = await serve(required)
    const client = new Client({ baseUrl: server.url, token: 'ada' })
    const challenge = await challengeOf(client)
    await client.session.setToken('grace')

    const error = await rejectionOf(Promise.resolve(challenge?.verify(answer)), isMfaCancelledError)

    expect(await challenge?.settled).toEqual({ state: 'cancelled', error })
  })
})

describe('the outcome of a challenge', () => {
  it.each(['prompt', 'verification'])('an abort during the %s cancels the challenge with its reason', async (phase) => {
    const server = await serve(pending, noResponse)
    const control = new AbortController()
    const opened = deferred<MfaChallenge>()
    const client = new Client({
      baseUrl: server.url,
      onMfaRequired(challenge) {
        opened.resolve(challenge)
        return phase === 'prompt' ? new Promise(() => {}) : answer
      },
    })
    const call = reasonOf(client.auth.login(credentials, { signal: control.signal }))
    const challenge = await opened.promise
    if (phase === 'verification') await vi.waitFor(() => expect(challenge.state).toBe('verifying'))
    const reason = new Error('left')
    control.abort(reason)

    expect(await call).toBe(reason)
    expect(await challenge.settled).toEqual({ state: 'cancelled', error: reason })
  })

  it.each<[string, (client: Client) => unknown]>([
    ['dispose()', (client) => client.dispose()],
    ['a change of the session', (client) => client.session.setToken('grace')],
  ])('%s cancels the challenge of an open prompt', async (_, change) => {
    const server = await serve(mfaRequired())
    const opened = deferred<MfaChallenge>()
    const client = new Client({
      baseUrl: server.url,
      token: 'ada',
      onMfaRequired(challenge) {
        opened.resolve(challenge)
        return new Promise(() => {})
      },
    })
    const call = reasonOf(client.relationships.delete('42'))
    const challenge = await opened.promise
    await change(client)

    expect((await challenge.settled).state).toBe('cancelled')
    await call
  })

  it.each(['waits', 'is verified'])('dispose() cancels a challenge without a handler that %s', async (phase) => {
    const server = await serve(pending, noResponse)
    const client = new Client({ baseUrl: server.url })
    const result = await client.auth.login(credentials)
    if (result.status !== 'mfa') throw new Error('the login required no second factor')
    const { challenge } = result
    const states: MfaState[] = []
    challenge.onChange((state) => states.push(state))
    const verified = phase === 'is verified' ? reasonOf(challenge.verify(answer)) : undefined
    client.dispose()

    const outcome = await challenge.settled
    expect(outcome).toEqual({
      state: 'cancelled',
      error: expect.objectContaining({ message: 'The client was disposed.' }),
    })
    expect([challenge.state, challenge.signal.aborted]).toEqual(['cancelled', true])
    expect(states.at(-1)).toBe('cancelled')
    await verified
  })

  it('a challenge that is first read after dispose() is cancelled', async () => {
    const server = await serve(mfaRequired(), pending)
    const client = new Client({ baseUrl: server.url, token: 'ada' })
    const { challenge } = await rejectionOf(client.relationships.delete('42'), isMfaRequiredError)
    const result = await client.auth.login(credentials)
    if (result.status !== 'mfa') throw new Error('the login required no second factor')
    client.dispose()

    expect(challenge?.state).toBe('cancelled')
    expect((await result.challenge.settled).state).toBe('cancelled')
  })

  it('a final state does not change any more', async () => {
    const server = await serve(pending, accepted, refused)
    const result = await new Client({ baseUrl: server.url }).auth.login(credentials)
    if (result.status !== 'mfa') throw new Error('the login required no second factor')
    await result.challenge.verify(answer)
    await reasonOf(result.challenge.verify(answer))

    expect(result.challenge.state).toBe('accepted')
  })

  it('a listener that throws is reported to the logger, and the call completes', async () => {
    const server = await serve(pending, accepted)
    const error = vi.fn()
    const thrown = new Error('broken listener')
    const others: MfaState[] = []
    const client = new Client({
      baseUrl: server.url,
      logger: { error },
      onMfaRequired(challenge) {
        challenge.onChange(() => {
          throw thrown
        })
        challenge.onChange((state) => others.push(state))
        return answer
      },
    })

    expect(await client.auth.login(credentials)).toMatchObject({ status: 'complete' })
    expect(error).toHaveBeenCalledWith('rapport: a listener threw', thrown)
    expect(others).toEqual(['verifying', 'accepted'])
  })

  it('an unsubscribed listener is not called', async () => {
    const server = await serve(pending, accepted)
    const listener = vi.fn()
    const client = new Client({
      baseUrl: server.url,
      onMfaRequired(challenge) {
        challenge.onChange(listener)()
        return answer
      },
    })
    await client.auth.login(credentials)
    expect(listener).not.toHaveBeenCalled()
  })
})
