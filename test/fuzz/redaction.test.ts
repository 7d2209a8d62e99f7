import fc from 'fast-check'
import type { Client, MfaHandler } from 'rapport-sdk'
import { expect, test } from 'vitest'
import { anyEcho } from './echo'
import { echoingFetch, SECRET_NAMES, type Secrets } from './echoing-service'
import { Witness } from './leaks'
import { runs } from './runs'

/** Signs, letters and digits; what a header can carry. */
const opaque = fc.stringMatching(/^[A-Za-z0-9]{6}[-A-Za-z0-9"'\\/%&+=<>{}$]{8,20}[A-Za-z0-9]{2}$/)
/** Any characters, since people choose them. */
const password = fc.string({ unit: 'grapheme', minLength: 10, maxLength: 20 }).map((text) => `pw${text}`)
const oneTimeCode = fc.stringMatching(/^[1-9][0-9]{11}$/)
const secrets: fc.Arbitrary<Secrets> = fc
  .record(Object.fromEntries(SECRET_NAMES.map((name) => [name, opaque])) as Record<keyof Secrets, typeof opaque>)
  .chain((rest) => fc.record({ password, code: oneTimeCode }).map((people) => ({ ...rest, ...people })))

type Call = (client: Client, secrets: Secrets) => Promise<unknown>

/** Calls that carry secrets. */
const calls: Readonly<Record<string, Call>> = {
  'a call of one who is signed in': (client) => client.relationships.list(),
  'a call with a token of its own': (client, { newToken }) => client.relationships.list({ token: newToken }),
  'a login': (client, { password }) => client.auth.login({ login: 'ada@example.test', password }),
  'a second factor, by hand': (client, { ticket, code }) => client.mfa.finish({ ticket, mfa_type: 'totp', data: code }),
  'a passkey, by hand': (client, { ticket, credential }) =>
    client.auth.finishPasswordlessLogin({
      ticket,
      credential: JSON.stringify({ response: { signature: credential } }),
    }),
  'a passkey': (client) => client.auth.loginWithPasskey(),
  'a handoff': (client, { key }) => client.auth.createHandoffToken({ key }),
  'the end of a handoff': (client, { key, handoffToken }) =>
    client.auth.exchangeHandoffToken({ key, handoff_token: handoffToken }),
  'a registration': (client, { password, phoneToken }) =>
    client.auth.register({ username: 'ada', password, phone_token: phoneToken, consent: true }),
  'a reset': (client, { newToken, password }) => client.auth.resetPassword({ token: newToken, password }),
  'a call of a suspended user': (client, { newToken }) =>
    client.suspended(newToken).request({ method: 'POST', path: '/standing' }),
  'a custom call': (client, { password, key }) =>
    client.request({ method: 'PUT', path: '/secrets', body: { deep: [{ password }], key }, query: { ticket: key } }),
  'a form': (client, { password }) =>
    client.request({ method: 'POST', path: '/form', body: new URLSearchParams({ password }) }),
}

const AUTHORIZE = {
  verbatim: (token: string) => token,
  bearer: (token: string) => `Bearer ${token}`,
  basic: (token: string) => `Basic ${btoa(token)}`,
}

test('no answer makes the client show a secret', async () => {
  const run = fc.record({
    call: fc.constantFrom(...Object.keys(calls)),
    secrets,
    echoes: fc.array(anyEcho, { maxLength: 5 }),
    isSignedIn: fc.boolean(),
    authorize: fc.constantFrom(...(Object.keys(AUTHORIZE) as (keyof typeof AUTHORIZE)[])),
    isStrict: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(run, async ({ call, secrets, echoes, isSignedIn, authorize, isStrict }) => {
      const witness = new Witness()
      const onMfaRequired: MfaHandler = async (challenge) => {
        witness.lookAtChallenge(challenge)
        await challenge.sendSms().catch((error: unknown) => witness.look('an error of an SMS', error))
        return challenge.attempt > 2 ? null : { type: 'totp', code: secrets.code }
      }
      const client = witness.client({
        baseUrl: 'https://service.example',
        fetch: echoingFetch(secrets, echoes),
        retry: 0,
        headers: { 'x-api-key': secrets.apiKey },
        authorize: AUTHORIZE[authorize],
        onResponseMismatch: isStrict ? 'throw' : 'report',
        webauthn: { get: async () => ({ response: { signature: secrets.credential } }) },
        onMfaRequired,
        ...(isSignedIn ? { token: secrets.token } : { fingerprint: secrets.fingerprint }),
      })
      // What a call resolves with is the caller's own.
      await calls[call]?.(client, secrets).catch((error: unknown) => witness.look('an error', error))
      witness.look('the client', client)
      witness.look('the session', client.session)
      expect(witness.leaksOf({ ...secrets, encodedToken: btoa(secrets.token) })).toEqual([])
    }),
    runs(4),
  )
})
