import {
  Client,
  isMfaCancelledError,
  isMfaRequiredError,
  isRequestValidationError,
  type MfaAnswer,
  type MfaHandler,
} from 'rapport-sdk'
import { describe, expect, it } from 'vitest'
import { json, mfaRequired, serve } from '../servers/http-server'
import { rejectionOf } from '../transport/rejection'

const ANSWERS = 'an answer is `{ type, code }` with strings, or `{ type: "webauthn", credential }`; `null` cancels'

/** What a call is rejected with whose handler does this. */
async function cancelledBy(onMfaRequired: MfaHandler) {
  const server = await serve(mfaRequired())
  const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired })
  return rejectionOf(client.relationships.list(), isMfaCancelledError)
}

const UNUSABLE: [string, unknown, string][] = [
  ['undefined', undefined, 'type'],
  ['nothing in it', {}, 'type'],
  ['a code alone', { code: '123456' }, 'type'],
  ['a kind that is a number', { type: 5, code: '123456' }, 'type'],
  ['a credential of a kind that is a number', { type: 5, credential: {} }, 'type'],
  ['a kind alone', { type: 'totp' }, 'code'],
  ['a code that is a number', { type: 'totp', code: 123456 }, 'code'],
  ['a code that is null', { type: 'totp', code: null }, 'code'],
  ['a credential that is null', { type: 'webauthn', credential: null }, 'code'],
]

describe('the return value of an MFA handler', () => {
  it('a handler that returns null rejects with an MfaCancelledError that says so', async () => {
    const { message, cause } = await cancelledBy(() => null)
    expect(message).toBe('The second factor was not given: the handler gave null. The next call asks again.')
    expect(cause).toBeUndefined()
  })

  it('an error of a handler becomes the cause, and the message does not repeat it', async () => {
    const reason = new Error('no dialog')
    const { message, cause } = await cancelledBy(() => Promise.reject(reason))
    expect(message).toBe('The second factor was not given: the handler threw. The next call asks again.')
    expect(cause).toBe(reason)
  })

  it.each(UNUSABLE)(
    'a handler that returns %s is rejected, and the error names the valid answers and the problem',
    async (_, given, place) => {
      const error = await cancelledBy(() => given as MfaAnswer)

      expect(error.message).toBe(
        `The second factor was not given: the handler gave no answer; ${ANSWERS}. The next call asks again.`,
      )
      expect(error.cause).toSatisfy(isRequestValidationError)
      expect(error.cause).toMatchObject({ endpoint: 'onMfaRequired', issues: [{ path: [place], message: ANSWERS }] })
    },
  )

  it.each(UNUSABLE)('verify() rejects %s without a request', async (_, given, place) => {
    const server = await serve(mfaRequired())
    const client = new Client({ baseUrl: server.url, token: 'ada' })
    const { challenge } = await rejectionOf(client.relationships.list(), isMfaRequiredError)

    const verifying = challenge?.verify(given as MfaAnswer) ?? Promise.resolve()
    const { issues } = await rejectionOf(verifying, isRequestValidationError)

    expect(issues).toEqual([{ path: [place], code: 'invalid_type', message: ANSWERS, severity: 'error' }])
    expect(server.requests).toHaveLength(1)
    expect(challenge?.attempt).toBe(1)
    expect(challenge?.lastError).toBeUndefined()
  })

  it('a credential that is already a string is sent unchanged', async () => {
    const server = await serve(mfaRequired(), json(200, { token: 'jwt' }), json(200, []))
    const onMfaRequired: MfaHandler = () => ({ type: 'webauthn', credential: '{"id":"credential"}' })
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired })

    await client.relationships.list()

    expect(server.request(1).json()).toMatchObject({ mfa_type: 'webauthn', data: '{"id":"credential"}' })
  })

  it('a code is sent if the credential next to it is null', async () => {
    const server = await serve(mfaRequired(), json(200, { token: 'jwt' }), json(200, []))
    const answer = { type: 'totp', code: '123456', credential: null }
    const client = new Client({ baseUrl: server.url, token: 'ada', onMfaRequired: () => answer })

    await client.relationships.list()

    expect(server.request(1).json()).toMatchObject({ mfa_type: 'totp', data: '123456' })
  })
})
