import fc from 'fast-check'
import type { Client, MfaHandler } from 'rapport-sdk'
import { expect, test } from 'vitest'
import { anyEcho, createEchoFetch, SECRET_NAMES, type Secrets } from './echo-service'
import { LeakDetector } from './leak-detector'
import { runs } from './runs'

/** Punctuation, letters and digits that are valid in a header. */
const opaque = fc.stringMatching(/^[A-Za-z0-9]{6}[-A-Za-z0-9"'\\/%&+=<>{}$]{8,20}[A-Za-z0-9]{2}$/)
/** Any characters. */
const password = fc.string({ unit: 'grapheme', minLength: 10, maxLength: 20 }).map((text) => `pw${text}`)
const oneTimeCode = fc.stringMatching(/^[1-9][0-9]{11}$/)
const secrets: fc.Arbitrary<Secrets> = fc
  .record(Object.fromEntries(SECRET_NAMES.map((name) => [name, opaque])) as Record<keyof Secrets, typeof opaque>)
  .chain((rest) => fc.record({ password, code: oneTimeCode }).map((people) => ({ ...rest, ...people })))

type Call = (client: Client, secrets: Secrets) => Promise<unknown>

/** Calls that send secrets. */
const calls: Readonly<Record<string, Call>> = {
  'a call with the token of the session': (client) => client.relationships.list(),
  'a call with its own token': (client, { newToken }) => client.relationships.list({ token: newToken }),
  'a login': (client, { password }) => client.auth.login({ login: 'ada@example.test', password }),
  'mfa.finish()': (client, { ticket, code }) => client.mfa.finish({ ticket, mfa_type: 'totp', data: code }),
  'finishPasswordlessLogin()': (client, { ticket, credential }) =>
    client.auth.finishPasswordlessLogin({
      ticket,
      credential: JSON.stringify({ response: { signature: credential } }),
    }),
  'loginWithPasskey()': (client) => client.auth.loginWithPasskey(),
  'a handoff': (client, { key }) => client.auth.createHandoffToken({ key }),
  'the exchange of a handoff': (client, { key, handoffToken }) =>
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

test('no response makes the client show a secret', async () => {
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
      const detector = new LeakDetector()
      const onMfaRequired: MfaHandler = async (challenge) => {
        detector.recordChallenge(challenge)
        await challenge.sendSms().catch((error: unknown) => detector.record('an error of an SMS', error))
        return challenge.attempt > 2 ? null : { type: 'totp', code: secrets.code }
      }
      const client = detector.createClient({
        baseUrl: 'https://service.example',
        fetch: createEchoFetch(secrets, echoes),
        retry: 0,
        headers: { 'x-api-key': secrets.apiKey },
        authorize: AUTHORIZE[authorize],
        onResponseMismatch: isStrict ? 'throw' : 'report',
        webauthn: { get: async () => ({ response: { signature: secrets.credential } }) },
        onMfaRequired,
        ...(isSignedIn ? { token: secrets.token } : { fingerprint: secrets.fingerprint }),
      })
      // The result of a call is not checked: it belongs to the caller.
      await calls[call]?.(client, secrets).catch((error: unknown) => detector.record('an error', error))
      detector.record('the client', client)
      detector.record('the session', client.session)
      expect(detector.findLeaks({ ...secrets, encodedToken: btoa(secrets.token) })).toEqual([])
    }),
    runs(4),
  )
})
