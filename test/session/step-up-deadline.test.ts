import { setTimeout as pause } from 'node:timers/promises'
import { Client, isTimeoutError, type MfaAnswer, type MfaHandler } from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { deferred } from '../deferred'
import { delay, hold, json, mfaRequired, serve } from '../servers/http-server'
import { CODE, waitForPrompts } from '../servers/step-up-service'
import { rejectionOf } from '../transport/rejection'

const answer: MfaHandler = () => ({ type: 'totp', code: CODE })
const verified = json(200, { token: 'jwt' })
const pending = json(200, { user_id: '100', mfa: true, ticket: 'login-ticket', totp: true })
const signedIn = json(200, { token: 'ada', user_settings: {} })
const credentials = { login: 'ada@example.test', password: 'correct horse' }

describe('the deadline of a step-up', () => {
  it('the deadline of a call bounds the verification of its second factor', async () => {
    const server = await serve(mfaRequired(), delay(1500, verified))
    const client = new Client({ baseUrl: server.url, token: 'ada', deadline: 500, onMfaRequired: answer })

    const error = await rejectionOf(client.relationships.list(), isTimeoutError)

    expect(error).toMatchObject({ endpoint: 'Get Relationships', limit: 'deadline', limitMs: 500 })
    expect(server.requests.map(({ url }) => url)).toEqual(['/users/@me/relationships', '/mfa/finish'])
  })

  it('the deadline of a login bounds the verification of its second factor', async () => {
    const server = await serve(pending, delay(1500, signedIn))
    const client = new Client({ baseUrl: server.url, deadline: 500, onMfaRequired: answer })

    expect(await rejectionOf(client.auth.login(credentials), isTimeoutError)).toMatchObject({ limit: 'deadline' })
  })

  it('the deadline of a call excludes the time of every prompt', async () => {
    const rejectedCode = json(400, { code: 60008, message: 'Invalid two-factor code' })
    const server = await serve(mfaRequired(), rejectedCode, verified, json(200, []))
    const slow: MfaHandler = async ({ attempt }) => {
      await pause(600)
      return { type: 'totp', code: attempt === 1 ? '000000' : CODE }
    }
    const client = new Client({ baseUrl: server.url, token: 'ada', deadline: 500, onMfaRequired: slow })

    expect(await client.relationships.list()).toEqual([])
  })

  it('a deadline ends only its own call if others wait longer for the same verification', async () => {
    const slow = hold(verified)
    const server = await serve(mfaRequired(), mfaRequired(), slow.responder, json(200, []))
    const userAnswer = deferred<MfaAnswer>()
    const handler = vi.fn<MfaHandler>(() => userAnswer.promise)
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: handler })
    const both = waitForPrompts(client, 2)
    const patient = client.relationships.list()
    const hasty = rejectionOf(client.relationships.list({ deadline: 400 }), isTimeoutError)
    await both
    await pause(600)

    userAnswer.resolve({ type: 'totp', code: CODE })
    expect(await hasty).toMatchObject({ limit: 'deadline', limitMs: 400 })
    slow.release()

    expect(await patient).toEqual([])
    expect(handler).toHaveBeenCalledTimes(1)
  })

  it('the deadline is paused for a call that joins an open prompt', async () => {
    const server = await serve(mfaRequired(), mfaRequired(), verified, json(200, []), json(200, []))
    const userAnswer = deferred<MfaAnswer>()
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: () => userAnswer.promise })
    const first = client.relationships.list()
    await server.waitForRequests(1)
    await pause(50)
    const second = client.relationships.list({ deadline: 500 })
    await server.waitForRequests(2)
    await pause(800)

    userAnswer.resolve({ type: 'totp', code: CODE })

    expect(await Promise.all([first, second])).toEqual([[], []])
  })

  it('the deadline is not paused for a call that joins while the code is being verified', async () => {
    const slow = hold(verified)
    const server = await serve(mfaRequired(), slow.responder, mfaRequired(), json(200, []))
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: answer })
    const first = client.relationships.list()
    await server.waitForRequests(2)

    const late = client.relationships.list({ deadline: 1000 })

    expect(await rejectionOf(late, isTimeoutError)).toMatchObject({ limit: 'deadline', limitMs: 1000 })
    slow.release()
    expect(await first).toEqual([])
  })

  it('a longer deadline of the call replaces the deadline of the client for the verification', async () => {
    const server = await serve(mfaRequired(), delay(600, verified), json(200, []))
    const client = new Client({ baseUrl: server.url, token: 'ada', deadline: 300, onMfaRequired: answer })

    expect(await client.relationships.list({ deadline: 10_000 })).toEqual([])
  })

  it('the deadline of the client bounds a manually verified challenge', async () => {
    const server = await serve(mfaRequired(), delay(1500, verified))
    const client = new Client({ baseUrl: server.url, token: 'ada', deadline: 300 })
    const { challenge } = await client.relationships.list().then(
      () => ({ challenge: undefined }),
      (error) => error,
    )

    const error = await rejectionOf(challenge.verify({ type: 'totp', code: CODE }), isTimeoutError)

    expect(error).toMatchObject({ endpoint: 'Verify MFA', limit: 'deadline', limitMs: 300 })
  })
})
