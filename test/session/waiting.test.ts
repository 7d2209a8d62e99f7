import {
  Client,
  isMfaCancelledError,
  isMfaRequiredError,
  isTimeoutError,
  type MfaAnswer,
  type MfaChallenge,
  type MfaHandler,
} from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { deferred } from '../deferred'
import { delay, json, mfaRequired, serve } from '../servers/http-server'
import { CODE, serveStepUp, waitForPrompts } from '../servers/step-up-service'
import { reasonOf, rejectionOf } from '../transport/rejection'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe('while a prompt is open', () => {
  it('the time of a prompt counts against neither timeout nor deadline', async () => {
    const service = await serveStepUp()
    const slow: MfaHandler = async () => {
      await pause(1200)
      return { type: 'totp', code: CODE }
    }
    const client = new Client({ baseUrl: service.url, token: 'ada', timeout: 700, deadline: 900, onMfaRequired: slow })

    expect(await client.relationships.list()).toEqual([])
  })

  it('step-up works with retry 0 and uses none of the retries of the replay', async () => {
    const server = await serve(mfaRequired(), json(200, { token: 'jwt' }), json(200, []))
    const onMfaRequired: MfaHandler = () => ({ type: 'totp', code: CODE })
    const client = new Client({ baseUrl: server.url, token: 'ada', retry: 0, onMfaRequired })
    expect(await client.relationships.list()).toEqual([])

    const fails = json(503, {})
    const flaky = await serve(fails, mfaRequired(), json(200, { token: 'jwt' }), fails, json(200, []))
    const retrying = new Client({ baseUrl: flaky.url, token: 'ada', retry: 1, onMfaRequired })
    expect(await retrying.relationships.list()).toEqual([])
  })

  it('aborting one waiting call rejects only that call', async () => {
    const service = await serveStepUp()
    const given = deferred<MfaAnswer>()
    const opened = deferred<MfaChallenge>()
    const handler = vi.fn<MfaHandler>((challenge) => {
      opened.resolve(challenge)
      return given.promise
    })
    const client = new Client({ baseUrl: service.url, token: 'ada', onMfaRequired: handler })
    const control = new AbortController()
    const both = waitForPrompts(client, 2)

    const first = client.relationships.list({ signal: control.signal })
    const challenge = await opened.promise
    const second = client.friendSuggestions.list()
    await both
    const reason = new Error('left')
    control.abort(reason)

    expect(await reasonOf(first)).toBe(reason)
    expect(challenge.signal.aborted).toBe(false)
    given.resolve({ type: 'totp', code: CODE })
    expect(await second).toEqual([])
    expect(handler).toHaveBeenCalledTimes(1)
  })

  it('aborting the last waiting call aborts challenge.signal, and the next call opens a new prompt', async () => {
    const service = await serveStepUp()
    const challenges: MfaChallenge[] = []
    const handler: MfaHandler = (challenge) => {
      challenges.push(challenge)
      return challenges.length === 1 ? new Promise(() => {}) : { type: 'totp', code: CODE }
    }
    const client = new Client({ baseUrl: service.url, token: 'ada', onMfaRequired: handler })
    const both = waitForPrompts(client, 2)
    const controls = [new AbortController(), new AbortController()]
    const calls = controls.map(({ signal }) => reasonOf(client.relationships.list({ signal })))
    await both

    controls[0]?.abort('one')
    expect(challenges[0]?.signal.aborted).toBe(false)
    controls[1]?.abort('two')

    expect(await Promise.all(calls)).toEqual(['one', 'two'])
    expect(challenges[0]?.signal.aborted).toBe(true)
    expect(await client.relationships.list()).toEqual([])
    expect(service.finishes()).toHaveLength(1)
  })

  it.each<[string, MfaHandler]>([
    [
      'throws',
      () => {
        throw new Error('no dialog')
      },
    ],
    ['rejects', () => Promise.reject(new Error('no dialog'))],
    ['gives null', () => null],
    ['gives undefined', () => undefined as unknown as null],
    ['gives an empty object', () => ({}) as MfaAnswer],
    ['gives a number', () => 123456 as unknown as MfaAnswer],
    ['gives a number for the code', () => ({ type: 'totp', code: 123456 }) as unknown as MfaAnswer],
    ['gives a credential that contains itself', () => ({ type: 'webauthn', credential: circular() })],
  ])('a handler that %s rejects every waiting call, and the next call opens a new prompt', async (_, handler) => {
    const service = await serveStepUp()
    const prompts = vi.fn<MfaHandler>(async (challenge) => {
      await all
      return handler(challenge)
    })
    const client = new Client({ baseUrl: service.url, token: 'ada', onMfaRequired: prompts })
    const all = waitForPrompts(client, 3)

    const calls = Array.from({ length: 3 }, () => rejectionOf(client.relationships.list(), isMfaCancelledError))
    const errors = await Promise.all(calls)

    expect(prompts).toHaveBeenCalledTimes(1)
    expect(service.finishes()).toHaveLength(0)
    if (_ === 'throws' || _ === 'rejects') for (const { cause } of errors) expect(cause).toEqual(new Error('no dialog'))
    prompts.mockResolvedValueOnce({ type: 'totp', code: CODE })
    expect(await client.relationships.list()).toEqual([])
    expect(prompts).toHaveBeenCalledTimes(2)
  })

  it('calls inside the handler with onMfaRequired: false never join its own step-up', async () => {
    const service = await serveStepUp()
    const inner: unknown[] = []
    const client = new Client({
      baseUrl: service.url,
      token: 'ada',
      mfaTimeout: 3000,
      onMfaRequired: async () => {
        inner.push(await reasonOf(client.friendSuggestions.list({ onMfaRequired: false })))
        return { type: 'totp', code: CODE }
      },
    })

    await client.relationships.list()

    expect(inner[0]).toSatisfy(isMfaRequiredError)
  })

  it('a handler that waits for its own prompt fails after mfaTimeout with advice', async () => {
    const service = await serveStepUp()
    const client = new Client({
      baseUrl: service.url,
      token: 'ada',
      mfaTimeout: 200,
      onMfaRequired: async () => {
        await client.friendSuggestions.list()
        return { type: 'totp', code: CODE }
      },
    })

    const error = await rejectionOf(client.relationships.list(), isTimeoutError)

    expect(error).toMatchObject({ limit: 'mfaTimeout', limitMs: 200 })
    expect(error.message).toContain('onMfaRequired: false')
  })

  it('the methods of the challenge bypass the prompt', async () => {
    const server = await serve(
      mfaRequired('t', [{ type: 'sms' }]),
      json(200, { phone: '+1***' }),
      json(200, { token: 'jwt' }),
    )
    server.fallback(() => delay(5, json(200, [])))
    const client = new Client({
      baseUrl: server.url,
      token: 'ada',
      mfaTimeout: 3000,
      onMfaRequired: async (challenge) => {
        await challenge.sendSms()
        return { type: 'sms', code: CODE }
      },
    })

    expect(await client.relationships.list()).toEqual([])
  })
})

function circular(): object {
  const value: { self?: object } = {}
  value.self = value
  return value
}
