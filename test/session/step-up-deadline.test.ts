import { Client, isTimeoutError, type MfaAnswer, type MfaHandler } from 'rapport-sdk'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { deferred } from '../deferred'
import { hold, json, mfaRequired, noResponse, serve } from '../servers/http-server'
import { CODE, waitForPrompts } from '../servers/step-up-service'
import { pass, stopClock } from '../stopped-clock'
import { rejectionOf } from '../transport/rejection'

const answer: MfaHandler = () => ({ type: 'totp', code: CODE })
const verified = json(200, { token: 'jwt' })
const pending = json(200, { user_id: '100', mfa: true, ticket: 'login-ticket', totp: true })
const credentials = { login: 'ada@example.test', password: 'correct horse' }

describe('the deadline of a step-up', () => {
  beforeEach(stopClock)

  it('bounds the verification of the second factor of a call', async () => {
    const server = await serve(mfaRequired(), noResponse)
    const client = new Client({ baseUrl: server.url, token: 'ada', deadline: 500, onMfaRequired: answer })

    const call = rejectionOf(client.relationships.list(), isTimeoutError)
    await server.waitForRequests(2)
    await pass(500)
    const error = await call

    expect(error).toMatchObject({ endpoint: 'Get Relationships', limit: 'deadline', limitMs: 500 })
    expect(server.requests.map(({ url }) => url)).toEqual(['/users/@me/relationships', '/mfa/finish'])
  })

  it('bounds the verification of the second factor of a login', async () => {
    const server = await serve(pending, noResponse)
    const client = new Client({ baseUrl: server.url, deadline: 500, onMfaRequired: answer })

    const login = rejectionOf(client.auth.login(credentials), isTimeoutError)
    await server.waitForRequests(2)
    await pass(500)
    expect(await login).toMatchObject({ limit: 'deadline' })
  })

  it('excludes the time of every prompt', async () => {
    const rejectedCode = json(400, { code: 60008, message: 'Invalid two-factor code' })
    const server = await serve(mfaRequired(), rejectedCode, verified, json(200, []))
    const slow: MfaHandler = async ({ attempt }) => {
      await pass(600)
      return { type: 'totp', code: attempt === 1 ? '000000' : CODE }
    }
    const client = new Client({ baseUrl: server.url, token: 'ada', deadline: 500, onMfaRequired: slow })

    expect(await client.relationships.list()).toEqual([])
  })

  it('ends only its own call if others wait longer for the same verification', async () => {
    const slow = hold(verified)
    const server = await serve(mfaRequired(), mfaRequired(), slow.responder, json(200, []))
    const userAnswer = deferred<MfaAnswer>()
    const handler = vi.fn<MfaHandler>(() => userAnswer.promise)
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: handler })
    const both = waitForPrompts(client, 2)
    const patient = client.relationships.list()
    const hasty = rejectionOf(client.relationships.list({ deadline: 400 }), isTimeoutError)
    await both
    await pass(600)

    userAnswer.resolve({ type: 'totp', code: CODE })
    await server.waitForRequests(3)
    await pass(400)
    expect(await hasty).toMatchObject({ limit: 'deadline', limitMs: 400 })
    slow.release()

    expect(await patient).toEqual([])
    expect(handler).toHaveBeenCalledTimes(1)
  })

  it('it is paused for a call that joins an open prompt', async () => {
    const server = await serve(mfaRequired(), mfaRequired(), verified, json(200, []), json(200, []))
    const userAnswer = deferred<MfaAnswer>()
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: () => userAnswer.promise })
    const opened = waitForPrompts(client, 1)
    const first = client.relationships.list()
    await opened
    const joined = waitForPrompts(client, 1)
    const second = client.relationships.list({ deadline: 500 })
    await joined
    await pass(800)

    userAnswer.resolve({ type: 'totp', code: CODE })

    expect(await Promise.all([first, second])).toEqual([[], []])
  })

  it('it is not paused for a call that joins while the code is being verified', async () => {
    const slow = hold(verified)
    const server = await serve(mfaRequired(), slow.responder, mfaRequired(), json(200, []))
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: answer })
    const first = client.relationships.list()
    await server.waitForRequests(2)

    const joined = waitForPrompts(client, 1)
    const late = rejectionOf(client.relationships.list({ deadline: 1000 }), isTimeoutError)
    await joined
    await pass(1000)

    expect(await late).toMatchObject({ limit: 'deadline', limitMs: 1000 })
    slow.release()
    expect(await first).toEqual([])
  })

  it('one of the call replaces a shorter one of the client for the verification', async () => {
    const slow = hold(verified)
    const server = await serve(mfaRequired(), slow.responder, json(200, []))
    const client = new Client({ baseUrl: server.url, token: 'ada', deadline: 300, onMfaRequired: answer })

    const call = client.relationships.list({ deadline: 10_000 })
    await server.waitForRequests(2)
    await pass(600)
    slow.release()
    expect(await call).toEqual([])
  })

  it('one of the client bounds a manually verified challenge', async () => {
    const server = await serve(mfaRequired(), noResponse)
    const client = new Client({ baseUrl: server.url, token: 'ada', deadline: 300 })
    const { challenge } = await client.relationships.list().then(
      () => ({ challenge: undefined }),
      (error) => error,
    )

    const verification = rejectionOf(challenge.verify({ type: 'totp', code: CODE }), isTimeoutError)
    await server.waitForRequests(2)
    await pass(300)
    const error = await verification

    expect(error).toMatchObject({ endpoint: 'Verify MFA', limit: 'deadline', limitMs: 300 })
  })
})
