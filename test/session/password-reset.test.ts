import { Client, explain, isResponseMismatchError } from 'rapport-sdk'
import { describe, expect, it } from 'vitest'
import { json, serve } from '../servers/http-server'
import { rejectionOf } from '../transport/rejection'

const params = { token: 'mailed', password: 'correct horse' }
const pending = { mfa: true, ticket: 'reset-ticket', totp: true }
const answer = { type: 'totp', code: '123456' } as const

describe('resetPassword()', () => {
  it('resolves with an empty user ID if the service requires a second factor and names no user', async () => {
    const server = await serve(json(200, pending))
    const result = await new Client({ baseUrl: server.url }).auth.resetPassword(params)
    expect(result).toMatchObject({ status: 'mfa', user_id: '' })
  })

  it('resolves with no user ID if no response names one', async () => {
    const server = await serve(json(200, { token: 'one' }), json(200, pending), json(200, { token: 'two' }))
    const client = new Client({ baseUrl: server.url, onMfaRequired: () => answer })
    expect(await client.auth.resetPassword(params)).toStrictEqual({ status: 'complete', token: 'one' })
    expect(await client.auth.resetPassword(params)).toStrictEqual({ status: 'complete', token: 'two' })
  })

  it('resolves with the user ID of the last response if the first names none', async () => {
    const server = await serve(json(200, pending), json(200, { token: 'new', user_id: '100' }))
    const client = new Client({ baseUrl: server.url, onMfaRequired: () => answer })
    expect(await client.auth.resetPassword(params)).toMatchObject({ status: 'complete', user_id: '100' })
  })

  it('it is sent again with the method, ticket and code of the second factor', async () => {
    const server = await serve(
      json(200, { user_id: '100', mfa: true, ticket: 'reset-ticket', totp: true }),
      json(200, { token: 'new-token' }),
    )
    const client = new Client({ baseUrl: server.url })

    const result = await client.auth.resetPassword({ token: 'reset-token', password: 'new password' })
    if (result.status !== 'mfa') throw new Error('the reset required no second factor')
    expect(result.challenge.reason).toBe('password_reset')

    const completed = await result.challenge.verify({ type: 'totp', code: '123456' })
    expect(completed).toEqual({ status: 'complete', token: 'new-token', user_id: '100' })
    expect(server.request(1).json()).toEqual({
      token: 'reset-token',
      password: 'new password',
      method: 'totp',
      ticket: 'reset-ticket',
      code: '123456',
    })
  })

  it('explain() lets the user correct a refused code, and start again if the ticket has expired', async () => {
    const refused = json(400, { code: 60008, message: 'Invalid two-factor code' })
    const server = await serve(json(200, pending), refused, json(401, { message: 'Expired' }), json(400, {}))
    const client = new Client({ baseUrl: server.url })
    const result = await client.auth.resetPassword(params)
    if (result.status !== 'mfa') throw new Error('the reset required no second factor')
    const explained = async (call: Promise<unknown>) => explain(await call.catch((error) => error))
    expect(await explained(result.challenge.verify(answer))).toMatchObject({ title: 'Not accepted', action: 'edit' })
    expect(explain(result.challenge.lastError).action).toBe('edit')
    const expired = { title: 'Verification expired', action: 'retry' }
    expect(await explained(result.challenge.verify(answer))).toMatchObject(expired)
    // Before its second factor, the reset itself is refused.
    expect(await explained(client.auth.resetPassword(params))).toMatchObject({ action: 'dismiss' })
  })
})

it.each<[string, object, object]>([
  ['is missing', {}, { path: ['token'], code: 'required', message: 'required: a token', severity: 'error' }],
  [
    'has a line break',
    { token: 'a\nb' },
    {
      path: ['token'],
      code: 'invalid_format',
      message: 'expected a token that is valid in a header',
      severity: 'error',
    },
  ],
])(
  'a sign-in response whose token %s throws an error that names the problem and does not quote the token',
  async (_, body, issue) => {
    const server = await serve(json(200, body))
    const call = new Client({ baseUrl: server.url, onResponseMismatch: 'ignore' }).auth.resetPassword(params)
    const error = await rejectionOf(call, isResponseMismatchError)
    expect(error.issues).toEqual([issue])
    expect(error.endpoint).toBe('Reset Password')
  },
)
