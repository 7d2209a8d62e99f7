import {
  Client,
  type ClientOptions,
  isConnectionError,
  isMfaCancelledError,
  isRapportError,
  isRequestValidationError,
  isWebAuthnError,
  type MfaChallenge,
  type RapportError,
  type StandardSchema,
  WebAuthnError,
} from 'rapport-sdk'
import { describe, expect, it } from 'vitest'
import { json, mfaRequired, type Responder, serve } from '../servers/http-server'
import { reasonOf, rejectionOf } from '../transport/rejection'
import { expectNoSecret, PLANTED, SIGNATURE } from './planted-secrets'

const credentials = { login: 'ada@example.test', password: PLANTED.password }
const asks = mfaRequired(PLANTED.ticket, [
  { type: 'totp' },
  { type: 'webauthn', challenge: JSON.stringify({ challenge: SIGNATURE, rpId: 'service.example' }) },
])
const refuses = json(400, { code: 60008, message: 'Invalid code' })
/** Whatever a callback may throw, with what it knows in each place that an error has. */
const thrown = (text: string) =>
  Object.assign(new TypeError(`it was ${text}`, { cause: new Error(text) }), { code: 'EFAILED', sent: { text } })

const fail = (text: string) => () => {
  throw new Error(text)
}

/** A class of errors that show a text by a getter. Their stack, which quotes the message, is empty. */
function errorClass(text: string, name: 'message' | 'stack') {
  class Disguised extends Error {}
  Object.defineProperty(Disguised.prototype, name, { get: () => text })
  return class extends Disguised {
    constructor() {
      super()
      Reflect.deleteProperty(this, 'stack')
    }
  }
}

/** A client of a service that gives the answers. */
async function clientFor(answers: Responder[], options: Partial<ClientOptions> = {}) {
  const server = await serve(...answers)
  return { client: new Client({ baseUrl: server.url, token: PLANTED.token, retry: 0, ...options }), server }
}

/** Expects an error of ours that says what failed and keeps what is left of the cause. */
function expectWrapped(error: RapportError, message: RegExp): void {
  expect(error.message).toMatch(message)
  expect(error.cause).toMatchObject({ name: 'TypeError', code: 'EFAILED' })
  expectNoSecret(error)
}

describe('an error of what the app plugs in becomes an error of this package', () => {
  it('says that `authorize` threw, without the token', async () => {
    const authorize = (token: string) => {
      throw thrown(token)
    }
    const { client, server } = await clientFor([], { authorize })
    expectWrapped(
      await rejectionOf(client.relationships.list(), isRapportError),
      /^Get Relationships: `authorize` threw/,
    )
    expect(server.requests).toEqual([])
  })

  it('keeps the error of `authorize` as the cause if it shows no secret', async () => {
    const cause = new TypeError('no key')
    const authorize = () => {
      throw cause
    }
    const { client } = await clientFor([], { authorize })
    expect((await rejectionOf(client.relationships.list(), isRapportError)).cause).toBe(cause)
  })

  /** Errors that show the text although no property of theirs has it. */
  const DISGUISES: [string, (text: string) => unknown][] = [
    ['a DOMException without a stack', (text) => Object.assign(new DOMException(text), { stack: '' })],
    ['an error whose class has a getter for the message', (text) => new (errorClass(text, 'message'))()],
    ['an error whose class has a getter for the stack', (text) => new (errorClass(text, 'stack'))()],
    [
      'an error whose class writes it as text',
      (text) => Object.create(Object.assign(new Error(), { toString: () => text })),
    ],
    ['an error whose message throws it', (text) => Object.defineProperty(new Error(), 'message', { get: fail(text) })],
    [
      'a proxy that throws it',
      (text) => new Proxy({}, { has: fail(text), ownKeys: fail(text), getPrototypeOf: fail(text) }),
    ],
  ]
  it.each(DISGUISES)('hides an answer in %s that a callback throws', async (_, make) => {
    const classifyMfaFailure = () => {
      throw make(PLANTED.code)
    }
    const onMfaRequired = () => ({ type: 'totp', code: PLANTED.code })
    const { client } = await clientFor([asks, refuses], { classifyMfaFailure, onMfaRequired })
    const error = await rejectionOf(client.relationships.list(), isRapportError)
    expect(error.message).toMatch(/^Get Relationships: `classifyMfaFailure` threw/)
    expectNoSecret(error)
  })

  it('refuses an `authorize` that returns a promise, even one that rejects', async () => {
    const authorize = (async () => Promise.reject(thrown(PLANTED.token))) as unknown as () => string
    const { client } = await clientFor([], { authorize })
    const error = await rejectionOf(client.relationships.list(), isRequestValidationError)
    expect(error.message).toContain('authorize: expected a string, got an object')
    expectNoSecret(error)
  })

  it('says that `classifyMfaFailure` threw, without the answer that was refused', async () => {
    const classifyMfaFailure = (error: Error) => {
      throw thrown(`${error.message} for ${PLANTED.code} and ${PLANTED.ticket}`)
    }
    const onMfaRequired = () => ({ type: 'totp', code: PLANTED.code })
    const { client } = await clientFor([asks, refuses], { classifyMfaFailure, onMfaRequired })
    const error = await rejectionOf(client.relationships.list(), isRapportError)
    expectWrapped(error, /^Get Relationships: `classifyMfaFailure` threw/)
  })

  it('says that `classifyMfaFailure` threw to those who verify a challenge by hand', async () => {
    const classifyMfaFailure = () => {
      throw thrown(PLANTED.code)
    }
    const pending = json(200, { user_id: '1', mfa: true, ticket: PLANTED.ticket, totp: true })
    const { client } = await clientFor([pending, refuses], { classifyMfaFailure })
    const result = await client.auth.login(credentials)
    const verified = result.status === 'mfa' && result.challenge.verify({ type: 'totp', code: PLANTED.code })
    expectWrapped(
      await rejectionOf(Promise.resolve(verified), isRapportError),
      /^Login Account: `classifyMfaFailure` threw/,
    )
  })

  it.each([
    ['nothing', undefined, 'undefined'],
    ['another word', 'retry', 'a string'],
    ['a promise that rejects', () => Promise.reject(new Error('no')), 'an object'],
  ])('says that `classifyMfaFailure` returned %s', async (_, kind, told) => {
    const classifyMfaFailure = (() => (typeof kind === 'function' ? kind() : kind)) as unknown as () => 'fatal'
    const onMfaRequired = () => ({ type: 'totp', code: PLANTED.code })
    const { client } = await clientFor([asks, refuses], { classifyMfaFailure, onMfaRequired })
    const error = await rejectionOf(client.relationships.list(), isRapportError)
    expect(error.message).toContain(`\`classifyMfaFailure\` returned ${told}, expected 'refused', 'expired' or 'fatal'`)
  })

  it('hides ticket, challenge and former answers in what a handler throws', async () => {
    const onMfaRequired = async (challenge: MfaChallenge) => {
      if (challenge.attempt === 1) return { type: 'totp', code: PLANTED.code }
      throw thrown(`${PLANTED.code} ${PLANTED.ticket} ${SIGNATURE} ${PLANTED.token}`)
    }
    const { client } = await clientFor([asks, refuses], { onMfaRequired })
    expectWrapped(await rejectionOf(client.relationships.list(), isMfaCancelledError), /the handler threw/)
  })

  it('keeps an error of this package that a handler throws as it is', async () => {
    const cause = new WebAuthnError('cancelled', 'The person closed the dialog.')
    const { client } = await clientFor([asks], { onMfaRequired: () => Promise.reject(cause) })
    expect((await rejectionOf(client.relationships.list(), isMfaCancelledError)).cause).toBe(cause)
  })

  it.each([
    ['JSON cannot carry', () => ({ type: 'webauthn', credential: { id: 1n } })],
    ['contains itself', () => ({ type: 'webauthn', credential: cyclic() })],
    ['has getters that throw', () => throwing('type', 'credential')],
  ])('refuses an answer that %s', async (_, answer) => {
    const { client } = await clientFor([asks, asks], { onMfaRequired: () => answer() as never })
    expectNoSecret(await rejectionOf(client.relationships.list(), isMfaCancelledError))
    const error = await reasonOf(client.relationships.list({ onMfaRequired: false }))
    const { challenge } = error as { challenge: MfaChallenge }
    expectNoSecret(await rejectionOf(challenge.verify(answer() as never), isRequestValidationError))
  })

  const start = json(200, { ticket: PLANTED.ticket, challenge: JSON.stringify({ challenge: SIGNATURE }) })

  it.each<[string, (options: object) => unknown]>([
    [
      'throws',
      (options) => {
        throw thrown(JSON.stringify(options))
      },
    ],
    ['rejects', (options) => Promise.reject(thrown(JSON.stringify(options)))],
  ])('says that a WebAuthn adapter %s, without the challenge', async (_, get) => {
    const { client } = await clientFor([start], { webauthn: { get: get as never } })
    const error = await rejectionOf(client.auth.loginWithPasskey(), isWebAuthnError)
    expect(error.reason).toBe('failed')
    expectWrapped(error, /`webauthn` adapter threw/)
  })

  it('keeps the reason of a WebAuthnError of an adapter, and hides the challenge in it', async () => {
    const get = async () => {
      throw new WebAuthnError('no_credential', `none for ${SIGNATURE}`, { cause: thrown(SIGNATURE) })
    }
    const { client } = await clientFor([start], { webauthn: { get } })
    const error = await rejectionOf(client.auth.loginWithPasskey(), isWebAuthnError)
    expect(error).toMatchObject({ reason: 'no_credential', message: 'none for [redacted]' })
    expectNoSecret(error)
  })

  it('takes a credential of an adapter that returns it without a promise', async () => {
    const get = (() => ({ id: 'x' })) as unknown as () => Promise<object>
    const { client, server } = await clientFor([start, json(200, { token: PLANTED.jwt, user_id: '1' })], {
      webauthn: { get },
    })
    await client.auth.loginWithPasskey()
    expect(server.request(1).json()).toMatchObject({ credential: '{"id":"x"}' })
  })

  it('refuses a credential that JSON cannot carry', async () => {
    const { client } = await clientFor([start], { webauthn: { get: async () => cyclic() } })
    const error = await rejectionOf(client.auth.loginWithPasskey(), isWebAuthnError)
    expect(error.message).toContain('returned a credential that JSON cannot represent')
  })

  it('says that an adapter failed to those who run the ceremony of a challenge', async () => {
    const get = async (options: object) => {
      throw thrown(JSON.stringify(options))
    }
    const onMfaRequired = (challenge: MfaChallenge) => challenge.webauthn()
    const { client } = await clientFor([asks], { webauthn: { get }, onMfaRequired })
    const error = await rejectionOf(client.relationships.list(), isMfaCancelledError)
    expect(error.cause).toSatisfy(isWebAuthnError)
    expectNoSecret(error)
  })

  const answer = { token: PLANTED.jwt, note: 'a-note-of-the-service', level: 123456, list: ['another-note'] }
  const schemaThat = (validate: (value: unknown) => unknown) =>
    ({ '~standard': { version: 1, vendor: 'test', validate } }) as StandardSchema
  it.each<[string, (value: unknown) => unknown]>([
    [
      'throws',
      (value) => {
        throw thrown(JSON.stringify(value))
      },
    ],
    ['rejects', (value) => Promise.reject(thrown(JSON.stringify(value)))],
  ])('says that a schema %s, without what the service answered', async (_, validate) => {
    const { client } = await clientFor([json(200, answer)])
    const error = await rejectionOf(client.request({ path: '/x', schema: schemaThat(validate) }), isRapportError)
    expectWrapped(error, /^GET \/x: `schema` threw, or returned no result of a Standard Schema/)
    expectNoSecret(error, [PLANTED.jwt, PLANTED.token, 'a-note-of-the-service', '123456', 'another-note'])
  })

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['issues that are no list', { issues: 5 }],
    ['an issue that is null', { issues: [null] }],
    ['a path with null in it', { issues: [{ message: 'no', path: [null] }] }],
  ])('says that a schema returned %s', async (_, result) => {
    const { client } = await clientFor([json(200, answer)], { onResponseMismatch: 'throw' })
    const call = client.request({ path: '/x', schema: schemaThat(() => result) })
    expect((await rejectionOf(call, isRapportError)).message).toMatch(/`schema` threw, or returned no result/)
  })

  it('does not wait for a schema that never answers longer than the deadline', async () => {
    const { client } = await clientFor([json(200, answer)])
    const schema = schemaThat(() => new Promise(() => {}))
    const error = await rejectionOf(client.request({ path: '/x', schema }, { deadline: 300 }), isRapportError)
    expect(error.name).toBe('TimeoutError')
  })

  it.each([
    [
      'throws',
      () => {
        throw thrown(PLANTED.token)
      },
    ],
    ['returns nothing', () => undefined],
  ])('says that a fetch which %s gave no answer', async (_, fetch) => {
    const { client } = await clientFor([], { fetch: fetch as never })
    expectNoSecret(await rejectionOf(client.relationships.list(), isConnectionError))
  })
})

/** Every call, given something in place of its last argument. */
const CALLS: Readonly<Record<string, (client: Client, given: never) => Promise<unknown>>> = {
  'options of login': (client, given) => client.auth.login(credentials, given),
  'options of resetPassword': (client, given) =>
    client.auth.resetPassword({ token: 't', password: 'long-enough' }, given),
  'options of loginWithPasskey': (client, given) => client.auth.loginWithPasskey(given),
  'options of authorizeIp': (client, given) => client.auth.authorizeIp({ token: 't' }, given),
  'options of logout': (client, given) => client.auth.logout({}, given),
  'options of register': (client, given) => client.auth.register({ username: 'ada', consent: true }, given),
  'options of list': (client, given) => client.relationships.list(given),
  'options of request': (client, given) => client.request({ path: '/x' }, given),
  'options of a suspended request': (client, given) =>
    client.suspended('t').request({ method: 'POST', path: '/x' }, given),
  'parameters of login': (client, given) => client.auth.login(given),
  'parameters of resetPassword': (client, given) => client.auth.resetPassword(given),
  'parameters of register': (client, given) => client.auth.register(given),
  'parameters of finish': (client, given) => client.mfa.finish(given),
  'parameters of replace': (client, given) => client.widgets.replace(given),
  'a request': (client, given) => client.request(given),
}

describe('invalid input rejects the call and never throws synchronously', () => {
  it.each(Object.entries(CALLS))('%s', async (_, call) => {
    const { client, server } = await clientFor([], { fingerprint: 'a-fingerprint', token: undefined } as object)
    // An empty list is as good as no options.
    server.fallback(() => json(400, {}))
    const getters = [
      'timeout',
      'signal',
      'token',
      'headers',
      'path',
      'method',
      'login',
      'fingerprint',
      'ticket',
      'widgets',
    ]
    const revoked = Proxy.revocable({}, {})
    revoked.revoke()
    const given = [null, 5, 'text', Symbol('s'), () => {}, [], throwing(...getters), hostile(), revoked.proxy]
    for (const value of given) {
      // A throw would not get as far as `reasonOf`.
      const error = await reasonOf(call(client, value as never)).catch(() => undefined)
      if (error === undefined) continue
      expect(error).toSatisfy(isRapportError)
      expectNoSecret(error)
    }
    expect(server.requests.length).toBeLessThanOrEqual(2)
  })

  it.each([
    ['a path that cannot be read as text', { path: Object.create(null) }],
    ['a method that cannot be read as text', { path: '/x', method: Symbol('m') }],
    ['a body whose getter throws', { path: '/x', method: 'POST', body: throwing('a') }],
    ['a query whose getter throws', { path: '/x', query: throwing('a') }],
    ['a value that cannot be read as text', { path: '/{a}', pathParams: { a: Object.create(null) } }],
  ])('refuses a request with %s', async (_, request) => {
    const { client } = await clientFor([])
    expectNoSecret(await rejectionOf(client.request(request as never), isRapportError))
  })

  it('names an option whose getter throws, and says nothing of what it threw', async () => {
    const { client } = await clientFor([])
    const error = await rejectionOf(client.relationships.list(throwing('timeout') as never), isRequestValidationError)
    expect(error.issues).toMatchObject([{ path: ['timeout'], message: 'cannot be read: its getter threw' }])
    expect(() => new Client(throwing('baseUrl') as never)).toThrow(/baseUrl: cannot be read/)
  })

  it('rejects with the reason that the caller aborted with, whatever it is', async () => {
    for (const reason of [new Error('mine'), 'mine', 5, undefined]) {
      const control = new AbortController()
      control.abort(reason)
      const { client } = await clientFor([])
      expect(await reasonOf(client.relationships.list({ signal: control.signal }))).toBe(control.signal.reason)
    }
  })

  it('refuses a signal of a challenge that is none', async () => {
    const onMfaRequired = (challenge: MfaChallenge) => challenge.webauthn({ signal: 5 as never })
    const { client } = await clientFor([asks], { onMfaRequired })
    const { cause } = await rejectionOf(client.relationships.list(), isMfaCancelledError)
    expect(cause).toSatisfy(isRequestValidationError)
  })
})

function cyclic(): object {
  const value: Record<string, unknown> = { secret: PLANTED.password }
  value.self = value
  return value
}

/** An object whose properties throw what quotes a secret. */
function throwing(...names: readonly string[]): object {
  const get = () => {
    throw thrown(PLANTED.token)
  }
  return Object.defineProperties({}, Object.fromEntries(names.map((name) => [name, { enumerable: true, get }])))
}

/** An object that throws whatever is done with it. */
function hostile(): object {
  const fail = () => {
    throw thrown('trap')
  }
  return new Proxy({}, { get: fail, has: fail, ownKeys: fail, getPrototypeOf: fail, getOwnPropertyDescriptor: fail })
}
