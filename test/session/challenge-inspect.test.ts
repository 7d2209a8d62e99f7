import { inspect } from 'node:util'
import { Client, isMfaRequiredError, type MfaChallenge } from 'rapport-sdk'
import { expect, test } from 'vitest'
import { json, mfaRequired, serve } from '../servers/http-server'
import { rejectionOf } from '../transport/rejection'

const methods = [
  { type: 'totp', backup_codes_allowed: true },
  { type: 'webauthn', challenge: '{"challenge":"a-secret"}' },
]

test('inspect() and JSON of a challenge show what is public, and never the ticket or an answer', async () => {
  const server = await serve(mfaRequired('a-secret-ticket', methods), json(400, { message: 'No.' }))
  const client = new Client({ baseUrl: server.url, token: 'a-secret-token' })
  const { challenge } = await rejectionOf(client.auth.logout(), isMfaRequiredError)
  const shown = {
    reason: 'elevation',
    endpoint: 'Logout',
    methods: [{ type: 'totp', backup_codes_allowed: true }, { type: 'webauthn' }],
  }
  expect(inspect(challenge)).toBe(`MfaChallenge ${inspect({ ...shown, attempt: 1, state: 'waiting' })}`)
  expect(JSON.parse(JSON.stringify(challenge))).toEqual({ ...shown, attempt: 1, state: 'waiting' })

  await challenge?.verify({ type: 'totp', code: 'a-secret-code' }).catch(() => {})
  expect(inspect(challenge)).toContain("attempt: 2,\n  state: 'refused'")
  const everything =
    inspect(challenge, { depth: Infinity, showHidden: true, getters: true }) + JSON.stringify(challenge)
  expect(everything).not.toContain('a-secret')
})

test('inspect() of a value that contains a challenge keeps its indentation, and a runtime without it shows the fields', async () => {
  const server = await serve(json(200, { user_id: '1', mfa: true, ticket: 'a-secret-ticket', sms: true }))
  const client = new Client({ baseUrl: server.url })
  const result = await client.auth.login({ login: 'ada@example.com', password: 'correct horse' })
  if (result.status !== 'mfa') throw new Error('no second factor was required')
  expect(inspect(result, { breakLength: Infinity })).toContain(
    "challenge: MfaChallenge { reason: 'login', endpoint: 'Login Account'",
  )
  const show: (this: MfaChallenge<unknown>) => unknown = Reflect.get(
    result.challenge,
    Symbol.for('nodejs.util.inspect.custom'),
  )
  expect(show.call(result.challenge)).toEqual(JSON.parse(JSON.stringify(result.challenge)))
})
