import {
  AuthenticationError,
  Client,
  ConnectionError,
  type ErrorExplanation,
  errorFromJSON,
  explain,
  isRapportError,
  MfaCancelledError,
  type MfaHandler,
  type PartialErrorWords,
  WebAuthnError,
} from 'rapport-sdk'
import { assertMessage, messageV2, text } from 'rapport-sdk/components'
import { createMockService } from 'rapport-sdk/mocks'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { endpoints } from '../../src/contract/index'
import { reasonOf } from '../transport/rejection'

const password = 'correct horse'

function setUp(options: { readonly onMfaRequired?: MfaHandler } = {}) {
  const service = createMockService()
  onTestFinished(() => service.close())
  const ada = service.users.create({ login: 'ada@example.com', password, mfa: ['totp'] })
  const client = new Client({
    baseUrl: service.baseUrl,
    fetch: service.fetch,
    token: service.token(ada),
    retry: 0,
    gateway: { url: service.gateway.url, WebSocket: service.WebSocket },
    ...options,
  })
  return { service, ada, client }
}

/** Explains the error of a promise, without its empty fields. */
async function explanationOf(promise: Promise<unknown>): Promise<Partial<ErrorExplanation>> {
  const { fields, ...rest } = explain(await reasonOf(promise))
  return Object.keys(fields).length === 0 ? rest : { fields, ...rest }
}

describe('explain', () => {
  it('shows the message of the service for a wrong password, at both fields', async () => {
    const { client } = setUp()
    expect(await explanationOf(client.auth.login({ login: 'ada@example.com', password: 'wrong horse' }))).toEqual({
      title: 'Sign-in failed',
      message: 'Login or password is invalid.',
      fields: { login: 'Login or password is invalid.', password: 'Login or password is invalid.' },
      action: 'edit',
    })
  })

  it('says how long a password must be', async () => {
    const { client } = setUp()
    expect(await explanationOf(client.auth.login({ login: 'ada@example.com', password: 'short' }))).toEqual({
      title: 'Check your input',
      message: 'Enter at least 8 characters.',
      fields: { password: 'Enter at least 8 characters.' },
      action: 'edit',
    })
  })

  it('names each of several invalid fields, and asks to correct the marked ones', async () => {
    const { client } = setUp()
    const invalid = { username: 5 as never, discriminator: null, note: 'x'.repeat(121) }
    expect(await explanationOf(client.relationships.sendRequest(invalid))).toEqual({
      title: 'Check your input',
      message: 'Correct the marked fields.',
      fields: { username: 'expected a string, got the number 5', note: 'Enter at most 120 characters.' },
      action: 'edit',
    })
    expect((await explanationOf(client.auth.sessions.logout({ session_id_hashes: [] }))).message).toBe(
      'Choose at least 1.',
    )
    expect((await explanationOf(client.auth.login({ password } as never))).fields).toEqual({ login: 'Required.' })
  })

  it('shows field errors of the service, and of one field only its first', async () => {
    const { service, client } = setUp()
    const _errors = [{ message: 'Be kind.' }, { message: 'Be brief.' }]
    const body = { message: 'Invalid Form Body', errors: { note: { _errors }, _errors: [{ message: 'No.' }] } }
    service.faults.on('Send Friend Request', { status: 400, body })
    const request = client.relationships.sendRequest({ username: 'grace', discriminator: null, note: 'You!' })
    expect(await explanationOf(request)).toEqual({
      title: 'Check your input',
      message: 'Correct the marked fields.',
      fields: { note: 'Be kind.' },
      action: 'edit',
    })
  })

  it('shows the message of the service for a refused code', async () => {
    const { client } = setUp()
    const result = await client.auth.login({ login: 'ada@example.com', password })
    if (result.status !== 'mfa') throw new Error('no second factor was required')
    const expected = { title: 'Not accepted', message: 'Invalid two-factor code', action: 'edit' }
    expect(await explanationOf(result.challenge.verify({ type: 'totp', code: '000000' }))).toEqual(expected)
    expect(explain(result.challenge.lastError)).toEqual({ ...expected, fields: {} })
  })

  it('shows the message of the service for a refused code that a handler throws instead of asking again', async () => {
    const answerOnce: MfaHandler = ({ lastError }) => {
      if (lastError) throw lastError
      return { type: 'totp', code: '000000' }
    }
    const { client } = setUp({ onMfaRequired: answerOnce })
    expect(await explanationOf(client.auth.login({ login: 'ada@example.com', password }))).toEqual({
      title: 'Not accepted',
      message: 'Invalid two-factor code',
      action: 'edit',
    })
  })

  it('does not count the only code of a prompt that failed because its handler repeated it', async () => {
    const { client } = setUp({ onMfaRequired: () => ({ type: 'totp', code: '000000' }) })
    const call = client.auth.sessions.logout({ session_id_hashes: ['x'] })
    expect(await explanationOf(call)).toMatchObject({ message: 'The answer was not accepted. Start again.' })
  })

  it('counts the codes of a prompt that failed after three refusals', async () => {
    const { client } = setUp({ onMfaRequired: ({ attempt }) => ({ type: 'totp', code: `00000${attempt}` }) })
    const call = client.auth.sessions.logout({ session_id_hashes: ['x'] })
    expect(await explanationOf(call)).toEqual({
      title: 'Verification failed',
      message: '3 answers were not accepted. Start again.',
      action: 'retry',
    })
  })

  it('says that a verification has expired, also if that ended the prompt', async () => {
    const expired = {
      title: 'Verification expired',
      message: 'The verification has expired. Start again.',
      action: 'retry',
    }
    const { client, service } = setUp()
    const result = await client.auth.login({ login: 'ada@example.com', password })
    if (result.status !== 'mfa') throw new Error('no second factor was required')
    service.clock.advance('1h')
    expect(await explanationOf(result.challenge.verify({ type: 'totp', code: '000000' }))).toEqual(expired)

    const handler: MfaHandler = () => {
      service.clock.advance('1h')
      return { type: 'totp', code: '000000' }
    }
    const call = client.auth.login({ login: 'ada@example.com', password }, { onMfaRequired: handler })
    expect(await explanationOf(call)).toEqual(expired)
  })

  it('asks for a second factor if nothing obtained it', async () => {
    const { client } = setUp()
    expect(await explanationOf(client.auth.sessions.logout({ session_id_hashes: ['x'] }))).toEqual({
      title: 'Verification required',
      message: 'Confirm that it is you.',
      action: 'verify',
    })
  })

  it('asks to sign in if the token is not accepted, but not after a sign-in that was refused with 401', async () => {
    const { service, client } = setUp()
    const signedOut = { title: 'Signed out', message: 'Sign in to continue.', action: 'signIn' }
    expect(await explanationOf(client.as('another token').relationships.list())).toEqual(signedOut)
    expect(await explanationOf(client.as('another token').gateway.connect())).toEqual(signedOut)
    const { gateway } = client
    const ended = gateway.connect().then(() => reasonOf(gateway.waitFor('relationshipAdd')))
    await gateway.waitFor('ready')
    service.gateway.drop(4010)
    expect(explain(await ended)).toMatchObject({ title: 'Something went wrong', action: 'report' })
    const anonymous = new Client({ baseUrl: service.baseUrl, gateway: { url: service.gateway.url } })
    expect(await explanationOf(anonymous.gateway.connect())).toEqual(signedOut)

    service.faults.on('Login Account', { status: 401, body: { message: 'Who?' } })
    const login = client.auth.login({ login: 'ada@example.com', password })
    expect(await explanationOf(login)).toEqual({ title: 'Sign-in failed', message: 'Who?', action: 'edit' })
  })

  it('treats a 401 as a rejected token exactly for the calls that send one', async () => {
    for (const { endpoint } of endpoints) {
      const failure = { endpoint: endpoint.name, status: 401, serviceMessage: '', fieldErrors: [], body: undefined }
      const isSignedOut = explain(new AuthenticationError(failure)).action === 'signIn'
      expect([endpoint.name, isSignedOut]).toEqual([
        endpoint.name,
        endpoint.auth !== 'none' && !/MFA/.test(endpoint.name),
      ])
    }
  })

  it('offers to restore an account that is disabled or marked for deletion', async () => {
    const { service, client } = setUp()
    for (const [code, title, what] of [
      [20013, 'Account disabled', 'This account is disabled.'],
      [20011, 'Account marked for deletion', 'This account is marked for deletion.'],
    ] as const) {
      service.faults.on('Login Account', { status: 403, body: { code, message: 'No.' }, times: 1 })
      const login = client.auth.login({ login: 'ada@example.com', password })
      const message = `${what} Do you want to restore it?`
      expect(await explanationOf(login)).toEqual({ title, message, action: 'restore' })
    }
  })

  it.each([
    [90, 'Try again in 90 seconds.'],
    [1, 'Try again in 1 second.'],
    [0.2, 'Try again in 1 second.'],
    [60, 'Try again in 1 minute.'],
    [601, 'Try again in 11 minutes.'],
    [3600, 'Try again in 1 hour.'],
    [5400, 'Try again in 90 minutes.'],
    [200_000, 'Try again in 56 hours.'],
    [1e6, 'Try again later.'],
    [undefined, 'Try again later.'],
  ])('a rate limit of %s seconds says when to try again', async (retryAfter, message) => {
    const { service, client } = setUp()
    service.faults.on('Get Relationships', { status: 429, ...(retryAfter && { retryAfter }), body: { message: 'No.' } })
    const title = 'Too many attempts'
    expect(await explanationOf(client.relationships.list())).toEqual({ title, message, action: 'wait' })
  })

  it.each([
    [403, { message: 'Ask Grace.' }, { title: 'Not allowed', message: 'Ask Grace.', action: 'dismiss' }],
    [403, {}, { title: 'Not allowed', message: 'You do not have permission to do this.', action: 'dismiss' }],
    [404, { message: 'Unknown User' }, { title: 'Not found', message: 'Unknown User', action: 'reload' }],
    [404, {}, { title: 'Not found', message: 'This does not exist or was removed.', action: 'reload' }],
    [409, { code: 1, message: 'Busy.' }, { title: 'That did not work', message: 'Busy.', action: 'dismiss' }],
    [400, {}, { title: 'That did not work', message: 'The service refused this.', action: 'dismiss' }],
    [
      502,
      { message: '502: Bad Gateway' },
      { title: 'Service unavailable', message: 'The service has a problem. Try again later.', action: 'retry' },
    ],
  ])('status %i with %o is explained by its class and message', async (status, body, expected) => {
    const { service, client } = setUp()
    service.faults.on('Get Relationships', { status, body })
    expect(await explanationOf(client.relationships.list())).toEqual(expected)
  })

  it('distinguishes a device that is offline from a service that cannot be reached', async () => {
    const { service, client } = setUp()
    service.faults.on('Get Relationships', { network: true })
    const error = await reasonOf(client.relationships.list())
    expect(explain(error)).toMatchObject({ title: 'No connection', action: 'retry' })
    const blocked = new ConnectionError('Get Relationships', 'no response', { isCorsSuspected: true })
    expect(explain(blocked).message).toBe('The service cannot be reached. Try again.')
    vi.stubGlobal('navigator', { onLine: false })
    onTestFinished(() => void vi.unstubAllGlobals())
    expect(explain(error)).toMatchObject({
      title: 'You are offline',
      message: 'Check your connection and try again.',
      action: 'retry',
    })
    vi.stubGlobal('navigator', undefined)
    expect(explain(error)).toMatchObject({ title: 'No connection' })
  })

  it('says that a time limit has passed, of the client or of a signal of the platform', async () => {
    const { service, client } = setUp()
    const timedOut = { title: 'Timed out', message: 'This took too long. Try again.', action: 'retry' }
    service.faults.on('Get Relationships', { latency: '5s' })
    expect(await explanationOf(client.relationships.list({ timeout: 20 }))).toEqual(timedOut)
    expect(await explanationOf(client.relationships.list({ signal: AbortSignal.timeout(20) }))).toEqual(timedOut)
  })

  it('asks to ignore what the user or the app has cancelled', async () => {
    const { client } = setUp({ onMfaRequired: () => null })
    const cancelled = { title: 'Cancelled', message: 'This was cancelled.', action: 'ignore' }
    expect(await explanationOf(client.auth.sessions.logout({ session_id_hashes: ['x'] }))).toEqual(cancelled)
    expect(await explanationOf(client.relationships.list({ signal: AbortSignal.abort() }))).toEqual(cancelled)
    const onMfaRequired: MfaHandler = () => {
      throw new DOMException('closed', 'AbortError')
    }
    const call = client.auth.sessions.logout({ session_id_hashes: ['x'] }, { onMfaRequired })
    expect(await explanationOf(call)).toEqual(cancelled)
  })

  it('asks to ignore what the end of the client has aborted, also after the error was sent as JSON', async () => {
    const { service, client } = setUp()
    service.faults.on('Get Relationships', { latency: '5s' })
    const aborted = reasonOf(client.relationships.list())
    client.dispose()
    const error = await aborted
    expect(isRapportError(error)).toBe(true)
    for (const one of [error, errorFromJSON(JSON.parse(JSON.stringify(error)))])
      expect(explain(one)).toMatchObject({ title: 'Cancelled', action: 'ignore' })
  })

  it('says why a passkey failed', async () => {
    const message = 'The passkey did not work. Try again, or use another method.'
    const failed = { title: 'Passkey failed', message, action: 'otherMethod' }
    expect(explain(new WebAuthnError('no_credential', 'x'))).toEqual({ ...failed, fields: {} })
    expect(explain(new WebAuthnError('unsupported', 'x'))).toMatchObject({
      title: 'Passkeys unavailable',
      message: 'This device or browser cannot use passkeys here.',
    })
    expect(explain(new WebAuthnError('cancelled', 'x')).action).toBe('ignore')
  })

  it('says that a call whose response cannot be read may have taken effect', async () => {
    const { service, client } = setUp()
    service.faults.on('Get Relationships', { status: 200, html: true })
    expect(await explanationOf(client.relationships.list())).toMatchObject({ action: 'reload' })
  })

  it('lists invalid components by their fields', () => {
    let error: unknown
    try {
      assertMessage(messageV2(text('')))
    } catch (thrown) {
      error = thrown
    }
    expect(explain(error).fields).toEqual({ 'components[0].content': 'Required.' })
  })

  it('shows nothing of a bug, whatever was thrown', async () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    const bug = {
      title: 'Something went wrong',
      message: 'An unexpected error occurred.',
      action: 'report',
      fields: {},
    }
    for (const value of [new TypeError('x is not a function'), 'a string', null, undefined, proxy, { name: 1 }])
      expect(explain(value)).toEqual(bug)
    const { client } = setUp()
    client.dispose()
    expect(explain(await reasonOf(client.relationships.list()))).toEqual(bug)
  })

  it('texts that are undefined stay as they are', async () => {
    const words: PartialErrorWords = {
      cancelled: { title: undefined, message: 'Abgebrochen.' },
      invalidInput: undefined,
      fields: { too_long: undefined, too_short: 'Zu kurz.' },
    }
    expect(explain(new MfaCancelledError('Login Account'), { words })).toMatchObject({
      title: 'Cancelled',
      message: 'Abgebrochen.',
    })
    const client = new Client({ baseUrl: 'https://service.example' })
    const explained = async (password: string) =>
      explain(await reasonOf(client.auth.login({ login: 'ada@example.com', password })), { words })
    expect((await explained('short')).fields).toEqual({ password: 'Zu kurz.' })
    expect(await explained('x'.repeat(73))).toMatchObject({
      title: 'Check your input',
      fields: { password: 'Enter at most 72 characters.' },
    })
  })

  it('takes texts of the app in place of its own: a string for all, or a function of the service message', async () => {
    const { service, client } = setUp()
    const words: PartialErrorWords = {
      notFound: { message: 'Gibt es nicht.' },
      refused: { title: 'Abgelehnt', message: ({ detail }) => `Der Dienst sagt: ${detail}` },
      rateLimited: { title: 'Zu oft', message: ({ count }) => `Warte ${count} Sekunden.` },
      fields: { too_short: 'Mindestens {limit} Zeichen.' },
    }
    const inGerman = async (promise: Promise<unknown>) => explain(await reasonOf(promise), { words })
    service.faults.on('Get Relationships', { status: 404, body: { message: 'Unknown User' }, times: 1 })
    expect(await inGerman(client.relationships.list())).toMatchObject({ title: 'Not found', message: 'Gibt es nicht.' })
    service.faults.on('Get Relationships', { status: 400, body: { message: 'Nein.' }, times: 1 })
    expect(await inGerman(client.relationships.list())).toMatchObject({
      title: 'Abgelehnt',
      message: 'Der Dienst sagt: Nein.',
    })
    service.faults.on('Get Relationships', { status: 429, retryAfter: 3, times: 1 })
    expect(await inGerman(client.relationships.list())).toMatchObject({ title: 'Zu oft', message: 'Warte 3 Sekunden.' })
    const login = client.auth.login({ login: 'ada@example.com', password: 'short' })
    expect((await inGerman(login)).fields).toEqual({ password: 'Mindestens 8 Zeichen.' })
  })

  it('carries no control characters and no bidi overrides of the service, in any text', async () => {
    const { service, client } = setUp()
    const hostile = '\u001b[31mPay\u0000 \u202eevil\u2066\r\nnow\u2069\u202c\u0085\u2028\u009b '
    const errors = { 'na\u202eme\u0007': { _errors: [{ code: 'X', message: hostile }] } }
    for (const body of [{ message: hostile }, { message: hostile, errors }, { message: '\u202e\u0007' }]) {
      service.faults.on('Get Relationships', { status: 400, body, times: 1 })
      const { title, message, fields } = explain(await reasonOf(client.relationships.list()))
      for (const shown of [title, message, ...Object.entries(fields).flat()]) {
        expect(shown).not.toMatch(/[\p{Cc}\u2028-\u202e\u2066-\u2069]/u)
        expect(shown).not.toBe('')
      }
    }
  })

  it('keeps marks and isolates in texts of the app, and right-to-left text of the service', async () => {
    const { service, client } = setUp()
    service.faults.on('Get Relationships', { status: 400, body: { message: 'שלום \u200fעולם' }, times: 1 })
    const words: PartialErrorWords = { refused: { title: '\u2067לא\u2069\n' } }
    const { title, message } = explain(await reasonOf(client.relationships.list()), { words })
    expect([title, message]).toEqual(['\u2067לא\u2069\n', 'שלום \u200fעולם'])
  })
})
