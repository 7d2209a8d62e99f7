import { Client, isResponseMismatchError } from 'rapport-sdk'
import { describe, expect, it } from 'vitest'
import { json, serve } from '../servers/http-server'
import { rejectionOf } from '../transport/rejection'

const params = { token: 'mailed', password: 'correct horse' }
const pending = { mfa: true, ticket: 'reset-ticket', totp: true }
const answer = { type: 'totp', code: '123456' } as const

describe('what a password reset gives', () => {
  it('a password reset has an empty user ID if the service requires a second factor and names no user', async () => {
    const server = await serve(json(200, pending))
    const result = await new Client({ baseUrl: server.url }).auth.resetPassword(params)
    expect(result).toMatchObject({ status: 'mfa', user_id: '' })
  })

  it('a password reset has no user ID if no response names one', async () => {
    const server = await serve(json(200, { token: 'one' }), json(200, pending), json(200, { token: 'two' }))
    const client = new Client({ baseUrl: server.url, onMfaRequired: () => answer })
    expect(await client.auth.resetPassword(params)).toStrictEqual({ status: 'complete', token: 'one' })
    expect(await client.auth.resetPassword(params)).toStrictEqual({ status: 'complete', token: 'two' })
  })

  it('a password reset has the user ID of the last response if the first names none', async () => {
    const server = await serve(json(200, pending), json(200, { token: 'new', user_id: '100' }))
    const client = new Client({ baseUrl: server.url, onMfaRequired: () => answer })
    expect(await client.auth.resetPassword(params)).toMatchObject({ status: 'complete', user_id: '100' })
  })
})

describe('an answer that is to have a token', () => {
  it.each<[string, object, object]>([
    ['has none', {}, { path: ['token'], code: 'required', message: 'required: a token', severity: 'error' }],
    [
      'has one with a line break',
      { token: 'a\nb' },
      {
        path: ['token'],
        code: 'invalid_format',
        message: 'expected a token that a header can carry',
        severity: 'error',
      },
    ],
  ])('a response whose token %s is an error that says so without quoting it', async (_, body, issue) => {
    const server = await serve(json(200, body))
    const call = new Client({ baseUrl: server.url, onResponseMismatch: 'ignore' }).auth.resetPassword(params)
    const error = await rejectionOf(call, isResponseMismatchError)
    expect(error.issues).toEqual([issue])
    expect(error.endpoint).toBe('Reset Password')
  })
})
