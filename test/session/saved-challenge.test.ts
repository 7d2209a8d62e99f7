import { inspect } from 'node:util'
import {
  Client,
  type ClientOptions,
  explain,
  isApiError,
  isMfaFailedError,
  isMfaRequiredError,
  isRapportError,
  type MfaAnswer,
  type MfaChallenge,
} from 'rapport-sdk'
import { auth, createClient, mfa, relationships } from 'rapport-sdk/core'
import { createMockService } from 'rapport-sdk/mocks'
import { describe, expect, it, vi } from 'vitest'
import { json, mfaRequired, serve } from '../servers/http-server'
import { CODE, MFA_HEADER, serveStepUp } from '../servers/step-up-service'
import { rejectionOf } from '../transport/rejection'

const newKey = (id = 'k1') => ({ id, key: crypto.getRandomValues(new Uint8Array(32)) })
const keys = [newKey()]
const password = 'correct horse'

/** A service with a user who has these factors, and a function that creates the client of one HTTP request. */
function setUp(...factors: readonly string[]) {
  const policy = { requireMfa: { 'Logout Auth Sessions': true } }
  const service = createMockService({ now: '2030-01-01T12:00:00Z', policy })
  const user = service.users.create({ login: 'ada@example.com', password, mfa: Object(factors) })
  const request = (options: Partial<ClientOptions> = {}) =>
    new Client({ baseUrl: service.baseUrl, fetch: service.fetch, retry: 0, ...options })
  return { service, user, request }
}

type World = ReturnType<typeof setUp>

/** Signs in up to the second factor, as one HTTP request does. */
async function startSignIn({ request }: World, context?: string) {
  const result = await request().auth.login({ login: 'ada@example.com', password })
  if (result.status !== 'mfa') throw new Error('the login required no second factor')
  return { challenge: result.challenge, saved: await result.challenge.save({ keys, context }) }
}

/** Makes a sensitive call, as one HTTP request does. */
async function startStepUp(client: Client) {
  const error = await rejectionOf(client.auth.sessions.logout({ session_id_hashes: ['other'] }), isMfaRequiredError)
  if (error.challenge === undefined) throw new Error('there is no challenge')
  return { challenge: error.challenge, saved: await error.challenge.save({ keys }) }
}

/** Every second factor, with how it is answered: by other requests, each with a client of its own. */
const FACTORS: [string, (world: World, resume: () => Promise<MfaChallenge>) => Promise<MfaAnswer>][] = [
  ['totp', async ({ service, user }) => ({ type: 'totp', code: service.users.totp(user) })],
  ['backup', async ({ service, user }) => ({ type: 'backup', code: service.users.backupCodes(user)[0] ?? '' })],
  [
    'sms',
    async ({ service }, resume) => {
      // One request sends the SMS, the next one verifies its code.
      expect(await (await resume()).sendSms()).toMatchObject({ phone: expect.stringContaining('*') })
      return { type: 'sms', code: service.sms.last(service.sms.all()[0]?.to ?? '', 'mfa').code }
    },
  ],
]

describe('a saved challenge', () => {
  it.each(FACTORS)('one of a sign-in is completed by %s in other requests', async (factor, answer) => {
    const world = setUp(...(factor === 'backup' ? ['totp', 'backup'] : [factor]))
    const { saved } = await startSignIn(world, 'the session of the browser')
    const options = { keys, context: 'the session of the browser' }
    const resume = () => world.request().resumeChallenge(saved, options)
    const client = world.request()

    const challenge = await client.resumeChallenge(saved, options)
    expect(challenge).toMatchObject({ reason: 'login', endpoint: 'Login Account', attempt: 1, attemptsLeft: 3 })
    expect(challenge.allows(factor)).toBe(true)
    const result = await challenge.verify(await answer(world, resume))

    expect(result).toMatchObject({ status: 'complete', user_id: world.user.id, token: client.session.token })
    expect(client.session.user).toMatchObject({ id: world.user.id })
    expect(await client.relationships.list()).toEqual([])
  })

  it.each([
    ...FACTORS,
    ['password', async () => ({ type: 'password', code: password })] satisfies (typeof FACTORS)[number],
  ])('one of a step-up is completed by %s in other requests, and repeating the call passes', async (factor, answer) => {
    const world = setUp(...(factor === 'backup' ? ['totp', 'backup'] : factor === 'password' ? [] : [factor]))
    const { service, user } = world
    const parent = world.request()
    const token = service.token(user)
    const { saved } = await startStepUp(parent.as(token))

    const resume = () => parent.as(token).resumeChallenge(saved, { keys })
    const challenge = await resume()
    expect(challenge).toMatchObject({ reason: 'elevation', endpoint: 'Logout Auth Sessions' })
    const result = await challenge.verify(await answer(world, resume))

    expect(result).toMatchObject({ status: 'elevated' })
    await parent.as(token).auth.sessions.logout({ session_id_hashes: ['other'] })
  })

  it('one of a password reset keeps the arguments of the reset', async () => {
    const world = setUp('totp')
    const { service, user } = world
    await world.request().auth.forgotPassword({ login: 'ada@example.com' })
    const { token } = service.mail.last('ada@example.com', 'password_reset')
    const result = await world.request().auth.resetPassword({ token, password: 'another password' })
    if (result.status !== 'mfa') throw new Error('the reset required no second factor')
    const saved = await result.challenge.save({ keys })

    const client = world.request()
    const challenge = await client.resumeChallenge(saved, { keys })
    expect(challenge.reason).toBe('password_reset')
    await challenge.verify({ type: 'totp', code: service.users.totp(user) })

    expect(client.session.isAuthenticated).toBe(true)
    const again = await world.request().auth.login({ login: 'ada@example.com', password: 'another password' })
    expect(again.status).toBe('mfa')
  })

  it('has the options of a passkey, and verifies with the credential that the browser returns', async () => {
    const options = { challenge: 'Y2hhbGxlbmdl', rpId: 'service.example', allowCredentials: [] }
    const methods = [{ type: 'webauthn', challenge: JSON.stringify(options) }]
    const server = await serve(mfaRequired('ticket-one', methods), json(200, { token: 'jwt' }), json(200, []))
    const parent = new Client({ baseUrl: server.url })
    const error = await rejectionOf(parent.as('ada').relationships.list(), isMfaRequiredError)
    const saved = (await error.challenge?.save({ keys })) ?? ''

    const challenge = await parent.as('ada').resumeChallenge(saved, { keys })
    expect(challenge.webauthnOptions()).toEqual(options)
    await challenge.verify({ type: 'webauthn', credential: { id: 'credential' } })
    await parent.as('ada').relationships.list()

    expect(server.request(1).json()).toEqual({
      ticket: 'ticket-one',
      mfa_type: 'webauthn',
      data: '{"id":"credential"}',
    })
    expect(server.request(2).headers[MFA_HEADER]).toBe('jwt')
  })

  it('counts the attempts of all requests if it is saved again, as advice: the service limits them', async () => {
    const service = await serveStepUp()
    const parent = new Client({ baseUrl: service.url })
    const error = await rejectionOf(parent.as('ada').relationships.list(), isMfaRequiredError)
    let saved = (await error.challenge?.save({ keys })) ?? ''
    const left: unknown[] = []
    for (let attempt = 0; attempt < 4; attempt++) {
      const challenge = await parent.as('ada').resumeChallenge(saved, { keys })
      left.push(challenge.attemptsLeft)
      await rejectionOf(challenge.verify({ type: 'totp', code: '000000' }), isApiError)
      saved = await challenge.save({ keys })
    }

    const challenge = await parent.as('ada').resumeChallenge(saved, { keys })
    await challenge.verify({ type: 'totp', code: CODE })

    expect(left).toEqual([3, 2, 1, 0])
    expect(challenge).toMatchObject({ attempt: 5, attemptsLeft: 0, state: 'accepted' })
    expect(new Set(service.finishes().map((request) => Object(request.json()).ticket)).size).toBe(1)
  })

  it('with a ticket that has expired fails with the refusal of the service, and repeating the call renews the ticket', async () => {
    const world = setUp('totp')
    const { service, user } = world
    const client = world.request({ token: service.token(user) })
    const { saved } = await startStepUp(client)
    service.clock.advance('1h')

    const challenge = await client.resumeChallenge(saved, { keys })
    await rejectionOf(challenge.verify({ type: 'totp', code: service.users.totp(user) }), isApiError)

    const renewed = await client.resumeChallenge((await startStepUp(client)).saved, { keys })
    await renewed.verify({ type: 'totp', code: service.users.totp(user) })
    await client.auth.sessions.logout({ session_id_hashes: ['other'] })
  })

  it('with a used ticket fails with the refusal of the service', async () => {
    const world = setUp('totp')
    const { service, user } = world
    const { saved } = await startSignIn(world)
    const verify = async () =>
      (await world.request().resumeChallenge(saved, { keys })).verify({ type: 'totp', code: service.users.totp(user) })
    await verify()

    const error = await rejectionOf(verify(), isApiError)

    expect(error.endpoint).toBe('Verify MFA Login')
  })

  it('does not replace a session that has changed since it was resumed', async () => {
    const world = setUp('totp')
    const { service, user } = world
    const { saved } = await startSignIn(world)
    const client = world.request()
    const challenge = await client.resumeChallenge(saved, { keys })
    await client.session.setToken('another token')

    await rejectionOf(challenge.verify({ type: 'totp', code: service.users.totp(user) }), isRapportError)

    expect(client.session.token).toBe('another token')
    expect(service.journal.find('Verify MFA Login')).toHaveLength(0)
  })
})

describe('resumeChallenge() refuses', () => {
  const messageOf = async (promise: Promise<unknown>) => (await rejectionOf(promise, isRapportError)).message

  it.each<[string, (saved: string) => string]>([
    ['one changed character', (saved) => `${saved.slice(0, 40)}${saved[40] === 'A' ? 'B' : 'A'}${saved.slice(41)}`],
    ['a cut value', (saved) => saved.slice(0, -10)],
    ['another value of the same key', (saved) => `${saved.slice(0, 30)}${saved.slice(40)}`],
  ])('an altered challenge: %s', async (_, alter) => {
    const world = setUp('totp')
    const { saved } = await startSignIn(world)

    const message = await messageOf(world.request().resumeChallenge(alter(saved), { keys }))

    expect(message).toBe('MFA failed: the saved challenge was altered.')
  })

  it.each(['', 'k1', 'k1.', '.', 'a challenge', '{}', 'k1.AAAAAAAAAAAAAAAAAAAAAAAAAAAA%AAAAAAAAAAAAAAAA'])(
    'a value that is not a saved challenge: %j',
    async (value) => {
      const message = await messageOf(setUp('totp').request().resumeChallenge(value, { keys }))
      expect(message).toBe('MFA failed: the saved challenge is malformed.')
    },
  )

  it('a challenge whose key is not in the ring, and opens one whose key is no longer the first', async () => {
    const world = setUp('totp')
    const { saved } = await startSignIn(world)

    expect(await messageOf(world.request().resumeChallenge(saved, { keys: [newKey('k2')] }))).toContain(
      'the saved challenge was sealed with a key that is not in `keys`',
    )
    expect(await messageOf(world.request().resumeChallenge(saved, { keys: [newKey('k1')] }))).toContain('was altered')
    expect(await world.request().resumeChallenge(saved, { keys: [newKey('k2'), ...keys] })).toBeDefined()
  })

  it('a challenge that has expired: `mfaTimeout` after the service sent it, also if it was saved again', async () => {
    const world = setUp('totp')
    const { challenge, saved } = await startSignIn(world)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 299_000 })
    try {
      const again = await (await world.request().resumeChallenge(saved, { keys })).save({ keys })
      vi.setSystemTime(Date.now() + 2_000)
      for (const value of [saved, again, await challenge.save({ keys })])
        expect(await messageOf(world.request().resumeChallenge(value, { keys }))).toBe(
          'MFA failed: the saved challenge has expired.',
        )
    } finally {
      vi.useRealTimers()
    }
  })

  it.each<[string, (world: World) => Promise<[saved: string, client: Client, context?: string]>]>([
    [
      'of another service',
      async (world) => [(await startSignIn(world)).saved, new Client({ baseUrl: 'https://other.example' })],
    ],
    [
      'of another path of the service',
      async (world) => [(await startSignIn(world)).saved, world.request({ baseUrl: `${world.service.baseUrl}/v2` })],
    ],
    ['of another browser', async (world) => [(await startSignIn(world, 'victim')).saved, world.request(), 'attacker']],
    ['with a context, without one', async (world) => [(await startSignIn(world, 'victim')).saved, world.request()]],
    ['without a context, with one', async (world) => [(await startSignIn(world)).saved, world.request(), 'victim']],
    [
      'of another account',
      async (world) => [
        (await startStepUp(world.request({ token: world.service.token(world.user) }))).saved,
        world.request({ token: world.service.token(world.user) }),
      ],
    ],
    [
      'of an account, without one',
      async (world) => [
        (await startStepUp(world.request({ token: world.service.token(world.user) }))).saved,
        world.request(),
      ],
    ],
  ])('a challenge %s', async (_, create) => {
    const world = setUp('totp')
    const [saved, client, context] = await create(world)
    const sent = world.service.journal.requests.length

    const message = await messageOf(client.resumeChallenge(saved, { keys, context }))

    expect(message).toBe('MFA failed: the saved challenge belongs to another service, account or `context`.')
    expect(world.service.journal.requests).toHaveLength(sent)
  })

  it('invalid options, without quoting them', async () => {
    const client = setUp('totp').request()
    for (const options of [undefined, {}, { keys: [] }, { keys: 'horse' }, { keys, other: 1 }])
      expect(await messageOf(client.resumeChallenge('saved', Object(options)))).toMatch(/^client.resumeChallenge: /)
    expect(await messageOf(client.resumeChallenge('saved', Object({ keys: 'horse' })))).not.toContain('horse')
  })
})

it('explain() lets the user start again if a saved challenge was altered, has expired or belongs to another browser', async () => {
  const world = setUp('totp')
  const { saved } = await startSignIn(world, 'a browser')
  const explainResumed = async (value: string, context = 'a browser') =>
    explain(await rejectionOf(world.request().resumeChallenge(value, { keys, context }), isMfaFailedError))
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  try {
    const explained = [await explainResumed(saved.slice(0, -4)), await explainResumed(saved, 'another browser')]
    vi.setSystemTime(Date.now() + 301_000)
    explained.push(await explainResumed(saved))
    const message = 'The verification has expired. Start again.'
    expect(explained).toEqual(Array(3).fill({ title: 'Verification expired', message, fields: {}, action: 'retry' }))
  } finally {
    vi.useRealTimers()
  }
})

it('a challenge of a client without the part `mfa` cannot be saved, and the error says what is missing', async () => {
  const { service } = setUp('totp')
  const client = createClient({ baseUrl: service.baseUrl, fetch: service.fetch }, { auth })
  const result = await client.auth.login({ login: 'ada@example.com', password })
  if (result.status !== 'mfa') throw new Error('the login required no second factor')

  expect((await rejectionOf(result.challenge.save({ keys }), isRapportError)).message).toContain('the part `mfa`')
  expect(client).not.toHaveProperty('resumeChallenge')
})

it('a client without the part `auth` resumes a step-up, and says that a sign-in needs the part', async () => {
  const world = setUp('totp')
  const { service, user } = world
  const options = { baseUrl: service.baseUrl, fetch: service.fetch, token: service.token(user) }
  const client = createClient(options, { mfa, relationships })
  const { saved } = await startStepUp(world.request({ token: options.token }))

  expect((await client.resumeChallenge(saved, { keys })).reason).toBe('elevation')
  const signIn = await rejectionOf(client.resumeChallenge((await startSignIn(world)).saved, { keys }), isRapportError)
  expect(signIn.message).toContain('this challenge needs the part `auth`')
})

it('a saved challenge shows no ticket, password or token, nor do logs, inspect and JSON of the resumed one', async () => {
  const lines: string[] = []
  const write = (...line: unknown[]) => lines.push(inspect(line, { depth: Infinity }))
  const logger = { debug: write, info: write, warn: write, error: write }
  const pending = { user_id: '1', mfa: true, ticket: 'planted-ticket', totp: true }
  const server = await serve(json(200, pending), json(400, { message: 'planted-ticket planted-code' }))
  const client = new Client({ baseUrl: server.url, logger })
  const result = await client.auth.login({ login: 'ada@example.com', password: 'planted-password' })
  if (result.status !== 'mfa') throw new Error('the login required no second factor')
  const saved = await result.challenge.save({ keys, context: 'planted-context' })

  const challenge = await client.resumeChallenge(saved, { keys, context: 'planted-context' })
  const error = await challenge.verify({ type: 'totp', code: 'planted-code' }).catch((reason) => reason)

  const seen = [saved, atob(saved.slice(3).replace(/-/g, '+').replace(/_/g, '/')), inspect(error, { depth: Infinity })]
  seen.push(JSON.stringify([error, challenge, client]), inspect([challenge, client], { depth: 9, showHidden: true }))
  expect([...seen, ...lines].join('\n')).not.toContain('planted')
  expect(lines.join('\n')).not.toContain(saved)
  expect(server.request(0).json()).toMatchObject({ password: 'planted-password' })
})
