import {
  Client,
  createMfaPrompt,
  isMfaCancelledError,
  isMfaFailedError,
  isTimeoutError,
  type MfaAnswer,
  type MfaPrompt,
  type MfaPromptState,
} from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { hold, json, resetConnection, serve } from '../servers/http-server'
import { CODE, serveStepUp } from '../servers/step-up-service'
import { reasonOf, rejectionOf } from '../transport/rejection'

const credentials = { login: 'ada@example.test', password: 'correct horse' }
const right: MfaAnswer = { type: 'totp', code: CODE }
const wrong: MfaAnswer = { type: 'totp', code: '000000' }
const pending = json(200, { user_id: '100', mfa: true, ticket: 'ticket', totp: true })

/** Resolves to the first snapshot that matches. */
function waitFor(
  prompt: MfaPrompt,
  matches: (state: MfaPromptState | null) => boolean,
): Promise<MfaPromptState | null> {
  return new Promise((resolve) => {
    const check = () => {
      if (!matches(prompt.current)) return
      unsubscribe()
      resolve(prompt.current)
    }
    const unsubscribe = prompt.subscribe(check)
    check()
  })
}

const opened = (prompt: MfaPrompt) => waitFor(prompt, (state) => state !== null)
const closed = (prompt: MfaPrompt) => waitFor(prompt, (state) => state === null)

async function createWorld(options: { readonly mfaTimeout?: number } = {}) {
  const service = await serveStepUp()
  const prompt = createMfaPrompt()
  const client = new Client({ baseUrl: service.url, token: 'ada', onMfaRequired: prompt.handler, ...options })
  return { service, prompt, client }
}

describe('createMfaPrompt()', () => {
  it('shows no challenge before the first prompt', () => {
    expect(createMfaPrompt().current).toBeNull()
  })

  it('sends no answer to a challenge that is no longer shown, so that no other account receives it', async () => {
    const { service, prompt, client } = await createWorld()
    const control = new AbortController()
    const aborted = rejectionOf(client.relationships.list({ signal: control.signal }), (error) => error === 'enough')
    const shown = await opened(prompt)
    const other = client.as('grace').relationships.list()
    control.abort('enough')
    await aborted
    const next = await waitFor(prompt, (state) => state !== null && state !== shown)
    prompt.answer({ type: 'password', code: 'the password of ada' }, shown?.challenge)
    expect(prompt.current).toBe(next)
    prompt.answer(right, next?.challenge)
    await other
    expect(service.finishes()).toHaveLength(1)
  })

  it('stays open from a refused answer to an accepted one', async () => {
    const { prompt, client } = await createWorld()
    const shown: (string | null)[] = []
    prompt.subscribe(() => shown.push(prompt.current && `${prompt.current.state} ${prompt.current.attemptsLeft}`))

    const call = client.relationships.list()
    const first = await opened(prompt)
    expect(first).toMatchObject({ state: 'waiting', attempt: 1, attemptsLeft: 3, lastError: undefined })
    prompt.answer(wrong)
    const second = await waitFor(prompt, (state) => state?.state === 'refused')
    expect(second).toMatchObject({
      attempt: 2,
      attemptsLeft: 2,
      lastError: { serviceMessage: 'Invalid two-factor code' },
    })
    expect(second?.challenge).toBe(first?.challenge)
    prompt.answer(right)

    expect(await call).toEqual([])
    expect(prompt.current).toBeNull()
    expect(shown).toEqual(['waiting 3', 'verifying 3', 'refused 2', 'verifying 2', 'accepted 2', null])
  })

  it('a snapshot is frozen and stays the same object until something in it changes', async () => {
    const { prompt, client } = await createWorld()
    const call = client.relationships.list()
    const first = await opened(prompt)

    expect(Object.isFrozen(first)).toBe(true)
    expect(prompt.current).toBe(first)
    prompt.answer(right)
    await call
    expect(first?.state).toBe('waiting')
  })

  it('all methods work detached', async () => {
    const service = await serveStepUp()
    const { handler, subscribe, answer, cancel } = createMfaPrompt()
    const client = new Client({ baseUrl: service.url, token: 'ada', onMfaRequired: handler })
    const unsubscribe = subscribe(() => answer(right))
    expect(await client.relationships.list()).toEqual([])
    unsubscribe()
    cancel()
  })

  it('an answer that a listener gives as soon as the last one is refused is used', async () => {
    const { prompt, client } = await createWorld()
    prompt.subscribe(() => {
      if (prompt.current?.state === 'waiting') prompt.answer(wrong)
      if (prompt.current?.state === 'refused') prompt.answer(right)
    })
    expect(await client.relationships.list()).toEqual([])
  })

  it('a second answer is ignored while the first one is verified', async () => {
    const { service, prompt, client } = await createWorld()
    const call = client.relationships.list()
    await opened(prompt)
    prompt.answer(wrong)
    prompt.answer(right)
    await waitFor(prompt, (state) => state?.state === 'verifying')
    prompt.answer(right)
    await waitFor(prompt, (state) => state?.state === 'refused')
    expect(service.finishes()).toHaveLength(1)
    prompt.answer(right)
    expect(await call).toEqual([])
    expect(service.finishes()).toHaveLength(2)
  })

  it('cancel() closes the prompt at once and rejects its call', async () => {
    const { prompt, client } = await createWorld()
    const call = rejectionOf(client.relationships.list(), isMfaCancelledError)
    await opened(prompt)
    prompt.cancel()
    expect(prompt.current).toBeNull()
    await call
  })

  it.each([
    ['accepted completes the call', json(200, { token: 'new' }), 'complete'],
    ['refused rejects the call', json(400, { code: 60008 }), 'MfaCancelledError'],
  ])('cancel() during a verification that is %s', async (_, response, result) => {
    const { responder, release } = hold(response)
    const server = await serve(pending, responder)
    const prompt = createMfaPrompt()
    const client = new Client({ baseUrl: server.url, onMfaRequired: prompt.handler })
    const call = client.auth.login(credentials).then(
      ({ status }) => status,
      (error: Error) => error.name,
    )
    await opened(prompt)
    prompt.answer(right)
    await waitFor(prompt, (state) => state?.state === 'verifying')
    prompt.cancel()
    expect(prompt.current).toBeNull()
    release()

    expect(await call).toBe(result)
    expect(prompt.current).toBeNull()
  })

  it('closes after three refused answers, and the next call opens it again', async () => {
    const { prompt, client } = await createWorld()
    const unsubscribe = prompt.subscribe(() => prompt.answer(wrong))
    await rejectionOf(client.relationships.list(), isMfaFailedError)
    expect(prompt.current).toBeNull()
    unsubscribe()

    const call = client.relationships.list()
    expect(await opened(prompt)).toMatchObject({ attempt: 1, attemptsLeft: 3, lastError: undefined })
    prompt.answer(right)
    expect(await call).toEqual([])
  })

  it('closes if the only call is aborted', async () => {
    const { prompt, client } = await createWorld()
    const control = new AbortController()
    const call = reasonOf(client.relationships.list({ signal: control.signal }))
    await opened(prompt)
    control.abort('left')
    expect(await call).toBe('left')
    expect(await closed(prompt)).toBeNull()
  })

  it('closes if the client is disposed', async () => {
    const { prompt, client } = await createWorld()
    const call = reasonOf(client.relationships.list())
    await opened(prompt)
    client.dispose()
    await call
    expect(await closed(prompt)).toBeNull()
  })

  it('closes if mfaTimeout passes', async () => {
    const { prompt, client } = await createWorld({ mfaTimeout: 50 })
    await rejectionOf(client.relationships.list(), isTimeoutError)
    expect(await closed(prompt)).toBeNull()
  })

  it('shows prompts of two accounts one after the other', async () => {
    const { service, prompt, client } = await createWorld()
    const calls = [client.relationships.list(), client.as('grace').relationships.list()]
    const first = await opened(prompt)
    await vi.waitFor(() => expect(service.calls()).toHaveLength(2))
    expect(prompt.current).toBe(first)
    prompt.answer(right)
    const second = await waitFor(prompt, (state) => state !== null && state.challenge !== first?.challenge)
    expect(second).toMatchObject({ state: 'waiting', attempt: 1 })
    prompt.answer(right)

    expect(await Promise.all(calls)).toEqual([[], []])
    expect(
      service
        .finishes()
        .map(({ headers }) => headers.authorization)
        .sort(),
    ).toEqual(['ada', 'grace'])
  })

  it('never shows a waiting prompt whose call was aborted', async () => {
    const { service, prompt, client } = await createWorld()
    const call = client.relationships.list()
    const first = await opened(prompt)
    const control = new AbortController()
    const other = reasonOf(client.as('grace').relationships.list({ signal: control.signal }))
    await vi.waitFor(() => expect(service.calls()).toHaveLength(2))
    control.abort('left')
    expect(await other).toBe('left')
    expect(prompt.current).toBe(first)
    prompt.answer(right)
    await call
    expect(prompt.current).toBeNull()
  })

  it.each([
    ['a status 5xx', json(503, { message: 'broken' }), 'ServerError'],
    ['a lost connection', resetConnection, 'ConnectionError'],
    ['a rate limit', json(429, {}, { 'retry-after': '30' }), 'RateLimitError'],
  ])(
    'with keepOpen, %s leaves the prompt open, and the same answer then completes the call',
    async (_, fault, name) => {
      const server = await serve(pending, fault, json(200, { token: 'new' }))
      const prompt = createMfaPrompt({ keepOpen: true })
      const client = new Client({ baseUrl: server.url, onMfaRequired: prompt.handler })
      const login = client.auth.login(credentials).catch((error: Error) => error)
      const first = await opened(prompt)
      prompt.answer(right)
      const failed = await waitFor(prompt, (state) => state?.lastError !== undefined)
      expect(failed).toMatchObject({ state: 'waiting', attempt: 1, attemptsLeft: 3, lastError: { name } })
      expect(failed?.challenge).toBe(first?.challenge)
      prompt.answer(right)
      if (name === 'RateLimitError') {
        // The client remembers the limit, and sends nothing before its end.
        await waitFor(prompt, (state) => state !== failed && state?.state === 'waiting')
        prompt.cancel()
        await login
        return expect(server.requests).toHaveLength(2)
      }
      expect(await login).toMatchObject({ status: 'complete' })
    },
  )

  it('with keepOpen, a response that is not readable still closes the prompt', async () => {
    const server = await serve(pending, json(200, {}))
    const prompt = createMfaPrompt({ keepOpen: true })
    const client = new Client({ baseUrl: server.url, onMfaRequired: prompt.handler })
    const login = client.auth.login(credentials).catch((error: Error) => error.name)
    await opened(prompt)
    prompt.answer(right)
    expect(await login).toBe('ResponseMismatchError')
    expect(prompt.current).toBeNull()
  })

  it('with keepOpen, a failure after cancel() ends the call', async () => {
    const { responder, release } = hold(json(503, {}))
    const server = await serve(pending, responder)
    const prompt = createMfaPrompt({ keepOpen: true })
    const client = new Client({ baseUrl: server.url, onMfaRequired: prompt.handler })
    const login = client.auth.login(credentials).catch((error: Error) => error.name)
    await opened(prompt)
    prompt.answer(right)
    await waitFor(prompt, (state) => state?.state === 'verifying')
    prompt.cancel()
    release()
    expect(await login).toBe('MfaCancelledError')
    expect(prompt.current).toBeNull()
  })

  it('without keepOpen, a status 5xx rejects the call', async () => {
    const server = await serve(pending, json(503, {}))
    const prompt = createMfaPrompt()
    const client = new Client({ baseUrl: server.url, onMfaRequired: prompt.handler })
    const login = client.auth.login(credentials).catch((error: Error) => error.name)
    await opened(prompt)
    prompt.answer(right)
    expect(await login).toBe('ServerError')
  })
})
