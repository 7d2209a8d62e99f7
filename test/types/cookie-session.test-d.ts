import type { ApiPromise, Client, ClientOptions, CookieAuth, LoginResult, MfaChallenge, MfaHandler } from 'rapport-sdk'
import { Client as AnyClient } from 'rapport-sdk'
import { auth, createClient, mfa, recovery } from 'rapport-sdk/core'
import { expectTypeOf, test } from 'vitest'

declare const options: ClientOptions
declare const onMfaRequired: MfaHandler
const baseUrl = 'https://app.example/rapport'
const credentials = { login: 'a', password: 'b' }
const reset = { token: 'a', password: 'b' }

test('the result of a sign-in has no token', async () => {
  const client = new AnyClient({ baseUrl, session: 'cookie' })
  expectTypeOf(client.auth).toEqualTypeOf<CookieAuth>()
  const result = await client.auth.login(credentials)
  expectTypeOf(result.user_id).toBeString()
  if (result.status === 'complete') expectTypeOf(result).not.toHaveProperty('token')
  else {
    const verified = await result.challenge.verify({ type: 'totp', code: '123456' })
    expectTypeOf(verified.status).toEqualTypeOf<'complete'>()
    expectTypeOf(verified).not.toHaveProperty('token')
  }
  expectTypeOf(await client.auth.login(credentials, { onMfaRequired })).not.toHaveProperty('token')
  expectTypeOf(await client.auth.loginWithPasskey()).not.toHaveProperty('token')
  expectTypeOf(await client.auth.resetPassword(reset, { onMfaRequired })).not.toHaveProperty('token')
  expectTypeOf(await client.auth.oneTimeLogin({ ticket: 'a' })).not.toHaveProperty('token')
  const answer = { ticket: 'a', code: '123456' }
  expectTypeOf(await client.auth.verifyMfaLogin('totp', answer)).not.toHaveProperty('token')
})

test('a resumed challenge has no token in its result', async () => {
  const given = { keys: [{ id: '1', key: new Uint8Array(32) }] }
  const clients = [new AnyClient({ baseUrl, session: 'cookie' }), createClient({ baseUrl, session: 'cookie' }, { mfa })]
  for (const client of clients) {
    const result = await (await client.resumeChallenge('saved', given)).verify({ type: 'totp', code: '123456' })
    if (result.status === 'elevated') expectTypeOf(result.expiresInMs).toBeNumber()
    else expectTypeOf(result).not.toHaveProperty('token')
  }
  const challenge = await new AnyClient({ baseUrl }).resumeChallenge('saved', given)
  expectTypeOf(challenge).toEqualTypeOf<MfaChallenge>()
})

test('a client of parts has the methods of its parts, without a token in their results', async () => {
  const client = createClient({ baseUrl, session: 'cookie' }, { auth, mfa, recovery })
  expectTypeOf(await client.auth.login(credentials, { onMfaRequired })).not.toHaveProperty('token')
  expectTypeOf(await client.auth.resetPassword(reset, { onMfaRequired })).not.toHaveProperty('token')
  expectTypeOf(client.auth.sessions.list).toBeFunction()
  // @ts-expect-error: the part `registration` is missing
  client.auth.register
})

test('the challenge of a handler has no result, because verify throws there', () => {
  const handler: MfaHandler = (challenge) => {
    expectTypeOf(challenge.verify).returns.resolves.toBeNever()
    return null
  }
  const takesAny = (_challenge: MfaChallenge) => null
  new AnyClient({ baseUrl, session: 'cookie', onMfaRequired: handler })
  new AnyClient({ baseUrl, session: 'cookie', onMfaRequired: takesAny })
})

test('all other clients have it, also those of options whose type does not say', () => {
  expectTypeOf(new AnyClient({ baseUrl })).toEqualTypeOf<Client>()
  expectTypeOf(new AnyClient({ baseUrl, session: 'token' })).toEqualTypeOf<Client>()
  const create = (): Client => new AnyClient(options)
  expectTypeOf(create().auth.login(credentials)).toEqualTypeOf<ApiPromise<LoginResult>>()
  expectTypeOf(new AnyClient(options).auth.login(credentials)).toEqualTypeOf<ApiPromise<LoginResult>>()
})
