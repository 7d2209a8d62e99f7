import {
  Client,
  type ClientOptions,
  isConnectionError,
  isMfaCancelledError,
  isMfaRequiredError,
  isRapportError,
  isRequestValidationError,
  isWebAuthnError,
  type MfaChallenge,
  RapportError,
  type StandardSchema,
  WebAuthnError,
} from 'rapport-sdk'
import { expect, it } from 'vitest'
import { json, mfaRequired, type Responder, serve } from '../servers/http-server'
import { reasonOf, rejectionOf } from '../transport/rejection'
import { circularObject, errorWith, expectNoSecret, PLANTED, SIGNATURE, throwingObject } from './hostile-values'

const credentials = { login: 'ada@example.test', password: PLANTED.password }
const steppingUp = mfaRequired(PLANTED.ticket, [
  { type: 'totp' },
  { type: 'webauthn', challenge: JSON.stringify({ challenge: SIGNATURE, rpId: 'service.example' }) },
])
const rejectedCode = json(400, { code: 60008, message: 'Invalid code' })
/** Returns a function that throws an error with this message. */
const throwing = (text: string) => () => {
  throw new Error(text)
}

/** Returns an error class with a getter for `name`. Its stack, which would quote the message, is deleted. */
function errorClassWithGetter(text: string, name: 'message' | 'stack') {
  class WithGetter extends Error {}
  Object.defineProperty(WithGetter.prototype, name, { get: () => text })
  return class extends WithGetter {
    constructor() {
      super()
      Reflect.deleteProperty(this, 'stack')
    }
  }
}

/** Returns a client and a server with these responses. */
async function clientFor(responders: Responder[], options: Partial<ClientOptions> = {}) {
  const server = await serve(...responders)
  return { client: new Client({ baseUrl: server.url, token: PLANTED.token, retry: 0, ...options }), server }
}

/** Expects an error of this package with this message and a redacted cause, without secrets. */
function expectWrapped(error: RapportError, message: RegExp): void {
  expect(error.message).toMatch(message)
  expect(error.cause).toMatchObject({ name: 'TypeError', code: 'EFAILED' })
  expectNoSecret(error)
}

it('an error of authorize becomes a RapportError without the token', async () => {
  const authorize = (token: string) => {
    throw errorWith(token)
  }
  const { client, server } = await clientFor([], { authorize })
  expectWrapped(await rejectionOf(client.relationships.list(), isRapportError), /^Get Relationships: `authorize` threw/)
  expect(server.requests).toEqual([])
})

it('an error of authorize without a secret is the cause unchanged', async () => {
  const cause = new TypeError('no key')
  const authorize = () => {
    throw cause
  }
  const { client } = await clientFor([], { authorize })
  expect((await rejectionOf(client.relationships.list(), isRapportError)).cause).toBe(cause)
})

/** Errors that show the text although none of their own properties has it. */
const INDIRECT_ERRORS: [string, (text: string) => unknown][] = [
  ['a DOMException without a stack', (text) => Object.assign(new DOMException(text), { stack: '' })],
  ['an error with a message getter', (text) => new (errorClassWithGetter(text, 'message'))()],
  ['an error with a stack getter', (text) => new (errorClassWithGetter(text, 'stack'))()],
  ['an error with a toString method', (text) => Object.create(Object.assign(new Error(), { toString: () => text }))],
  [
    'an error whose message getter throws',
    (text) => Object.defineProperty(new Error(), 'message', { get: throwing(text) }),
  ],
  [
    'a proxy that throws',
    (text) => new Proxy({}, { has: throwing(text), ownKeys: throwing(text), getPrototypeOf: throwing(text) }),
  ],
]
it.each(INDIRECT_ERRORS)('a code in %s that classifyMfaFailure throws is redacted', async (_, make) => {
  const classifyMfaFailure = () => {
    throw make(PLANTED.code)
  }
  const onMfaRequired = () => ({ type: 'totp', code: PLANTED.code })
  const { client } = await clientFor([steppingUp, rejectedCode], { classifyMfaFailure, onMfaRequired })
  const error = await rejectionOf(client.relationships.list(), isRapportError)
  expect(error.message).toMatch(/^Get Relationships: `classifyMfaFailure` threw/)
  expectNoSecret(error)
})

it.each<[string, (token: string) => RapportError]>([
  ['its message', (token) => new RapportError(`no key for ${token}`)],
  ['its cause', (token) => new RapportError('no key', { cause: new Error(token) })],
  ['an error of this package as its cause', (token) => new RapportError('no key', { cause: new RapportError(token) })],
])('an error of this package that authorize throws is redacted if the token is in %s', async (_, create) => {
  const authorize = (token: string) => {
    throw create(token)
  }
  const { client } = await clientFor([], { authorize })
  const error = await rejectionOf(client.relationships.list(), isRapportError)
  expect(error.message).toBe('Get Relationships: `authorize` threw, nothing was sent.')
  expectNoSecret(error)
})

it('an error of this package that authorize throws is not wrapped, even with a challenge in it', async () => {
  const other = await clientFor([steppingUp])
  const thrown = await rejectionOf(other.client.relationships.list(), isMfaRequiredError)
  const authorize = () => {
    throw thrown
  }
  const { client } = await clientFor([], { authorize })
  expect(await rejectionOf(client.relationships.list(), isRapportError)).toBe(thrown)
})

it('a promise that authorize returns throws a RequestValidationError, even if it rejects', async () => {
  const authorize = (async () => Promise.reject(errorWith(PLANTED.token))) as unknown as () => string
  const { client } = await clientFor([], { authorize })
  const error = await rejectionOf(client.relationships.list(), isRequestValidationError)
  expect(error.message).toContain('authorize: expected a string, got an object')
  expectNoSecret(error)
})

it('null that authorize returns throws a RequestValidationError, and nothing is sent', async () => {
  const authorize = (() => null) as unknown as () => string
  const { client, server } = await clientFor([], { authorize })
  const error = await rejectionOf(client.relationships.list(), isRequestValidationError)
  expect(error.message).toContain('authorize: expected a string, got null')
  expect(server.requests).toEqual([])
})

it('an error of classifyMfaFailure becomes a RapportError without the rejected code', async () => {
  const classifyMfaFailure = (error: Error) => {
    throw errorWith(`${error.message} for ${PLANTED.code} and ${PLANTED.ticket}`)
  }
  const onMfaRequired = () => ({ type: 'totp', code: PLANTED.code })
  const { client } = await clientFor([steppingUp, rejectedCode], { classifyMfaFailure, onMfaRequired })
  const error = await rejectionOf(client.relationships.list(), isRapportError)
  expectWrapped(error, /^Get Relationships: `classifyMfaFailure` threw/)
})

it('an error of classifyMfaFailure rejects verify() of a challenge without a handler', async () => {
  const classifyMfaFailure = () => {
    throw errorWith(`${PLANTED.code} ${PLANTED.password} ${PLANTED.ticket}`)
  }
  const pending = json(200, { user_id: '1', mfa: true, ticket: PLANTED.ticket, totp: true })
  const { client } = await clientFor([pending, rejectedCode], { classifyMfaFailure })
  const result = await client.auth.login(credentials)
  const verified = result.status === 'mfa' && result.challenge.verify({ type: 'totp', code: PLANTED.code })
  expectWrapped(
    await rejectionOf(Promise.resolve(verified), isRapportError),
    /^Login Account: `classifyMfaFailure` threw/,
  )
})

it.each([
  ['undefined', undefined, 'undefined'],
  ['an unknown string', 'retry', 'a string'],
  ['a promise that rejects', () => Promise.reject(new Error('no')), 'an object'],
])('the error of a classifyMfaFailure that returns %s names the valid values', async (_, kind, received) => {
  const classifyMfaFailure = (() => (typeof kind === 'function' ? kind() : kind)) as unknown as () => 'fatal'
  const onMfaRequired = () => ({ type: 'totp', code: PLANTED.code })
  const { client } = await clientFor([steppingUp, rejectedCode], { classifyMfaFailure, onMfaRequired })
  const error = await rejectionOf(client.relationships.list(), isRapportError)
  expect(error.message).toContain(
    `\`classifyMfaFailure\` returned ${received}, expected 'refused', 'expired' or 'fatal'`,
  )
})

it('an error of onMfaRequired is redacted: ticket, challenge and earlier codes', async () => {
  const onMfaRequired = async (challenge: MfaChallenge) => {
    if (challenge.attempt === 1) return { type: 'totp', code: PLANTED.code }
    throw errorWith(`${PLANTED.code} ${PLANTED.ticket} ${SIGNATURE} ${PLANTED.token}`)
  }
  const { client } = await clientFor([steppingUp, rejectedCode], { onMfaRequired })
  expectWrapped(await rejectionOf(client.relationships.list(), isMfaCancelledError), /the handler threw/)
})

it('an error of this package that onMfaRequired throws is the cause unchanged', async () => {
  const cause = new WebAuthnError('cancelled', 'The user closed the dialog.')
  const { client } = await clientFor([steppingUp], { onMfaRequired: () => Promise.reject(cause) })
  const error = await rejectionOf(client.relationships.list(), isMfaCancelledError)
  expect(error.cause).toBe(cause)
  expect(error.message).toBe(`MFA was cancelled: the handler threw: ${cause.message.replace(/\.$/, '')}.`)
})

it('the message of an error of this package that onMfaRequired throws is not repeated if it shows a secret', async () => {
  const cause = new WebAuthnError('failed', `No passkey for ${PLANTED.ticket}.`)
  const { client } = await clientFor([steppingUp], { onMfaRequired: () => Promise.reject(cause) })
  const { message } = await rejectionOf(client.relationships.list(), isMfaCancelledError)
  expect(message).toBe('MFA was cancelled: the handler threw.')
})

it.each([
  ['JSON cannot represent', () => ({ type: 'webauthn', credential: { id: 1n } })],
  ['is circular', () => ({ type: 'webauthn', credential: circularObject() })],
  ['has getters that throw', () => throwingObject('type', 'credential')],
])('an MFA answer that %s is rejected', async (_, answer) => {
  const { client } = await clientFor([steppingUp, steppingUp], { onMfaRequired: () => answer() as never })
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
      throw errorWith(JSON.stringify(options))
    },
  ],
  ['rejects', (options) => Promise.reject(errorWith(JSON.stringify(options)))],
])('the error of a WebAuthn adapter that %s becomes a WebAuthnError without the challenge', async (_, get) => {
  const { client } = await clientFor([start], { webauthn: { get: get as never } })
  const error = await rejectionOf(client.auth.loginWithPasskey(), isWebAuthnError)
  expect(error.reason).toBe('failed')
  expectWrapped(error, /`webauthn` adapter threw/)
})

it('a WebAuthnError of an adapter keeps its reason, and the challenge is redacted', async () => {
  const get = async () => {
    throw new WebAuthnError('no_credential', `none for ${SIGNATURE}`, { cause: errorWith(SIGNATURE) })
  }
  const { client } = await clientFor([start], { webauthn: { get } })
  const error = await rejectionOf(client.auth.loginWithPasskey(), isWebAuthnError)
  expect(error).toMatchObject({ reason: 'no_credential', message: 'none for [redacted]' })
  expectNoSecret(error)
})

it('a credential that an adapter returns without a promise is accepted', async () => {
  const get = (() => ({ id: 'x' })) as unknown as () => Promise<object>
  const { client, server } = await clientFor([start, json(200, { token: PLANTED.jwt, user_id: '1' })], {
    webauthn: { get },
  })
  await client.auth.loginWithPasskey()
  expect(server.request(1).json()).toMatchObject({ credential: '{"id":"x"}' })
})

it('a credential that JSON cannot represent throws a WebAuthnError', async () => {
  const { client } = await clientFor([start], { webauthn: { get: async () => circularObject() } })
  const error = await rejectionOf(client.auth.loginWithPasskey(), isWebAuthnError)
  expect(error.message).toContain('returned a credential that JSON cannot represent')
})

it('an error of an adapter rejects webauthn() of a challenge with a WebAuthnError without secrets', async () => {
  const get = async (options: object) => {
    throw errorWith(JSON.stringify(options))
  }
  const onMfaRequired = (challenge: MfaChallenge) => challenge.webauthn()
  const { client } = await clientFor([steppingUp], { webauthn: { get }, onMfaRequired })
  const error = await rejectionOf(client.relationships.list(), isMfaCancelledError)
  expect(error.cause).toSatisfy(isWebAuthnError)
  expectNoSecret(error)
})

const body = { token: PLANTED.jwt, note: 'a-note-of-the-service', level: 123456, list: ['another-note'] }
const createSchema = (validate: (value: unknown) => unknown) =>
  ({ '~standard': { version: 1, vendor: 'test', validate } }) as StandardSchema
it.each<[string, (value: unknown) => unknown]>([
  [
    'throws',
    (value) => {
      throw errorWith(JSON.stringify(value))
    },
  ],
  ['rejects', (value) => Promise.reject(errorWith(JSON.stringify(value)))],
])('the error of a schema that %s becomes a RapportError without the response', async (_, validate) => {
  const { client } = await clientFor([json(200, body)])
  const error = await rejectionOf(client.request({ path: '/x', schema: createSchema(validate) }), isRapportError)
  expectWrapped(error, /^GET \/x: `schema` threw or did not return a Standard Schema result\./)
  expectNoSecret(error, [PLANTED.jwt, PLANTED.token, 'a-note-of-the-service', '123456', 'another-note'])
})

it.each([
  ['undefined', undefined],
  ['null', null],
  ['issues that are not an array', { issues: 5 }],
  ['an issue that is null', { issues: [null] }],
  ['an issue whose path has null', { issues: [{ message: 'no', path: [null] }] }],
])('the error of a schema that returns %s says so', async (_, result) => {
  const { client } = await clientFor([json(200, body)], { onResponseMismatch: 'throw' })
  const call = client.request({ path: '/x', schema: createSchema(() => result) })
  expect((await rejectionOf(call, isRapportError)).message).toMatch(
    /`schema` threw or did not return a Standard Schema result/,
  )
})

it('a schema that never settles does not delay a call beyond its deadline', async () => {
  const { client } = await clientFor([json(200, body)])
  const schema = createSchema(() => new Promise(() => {}))
  const error = await rejectionOf(client.request({ path: '/x', schema }, { deadline: 300 }), isRapportError)
  expect(error.name).toBe('TimeoutError')
})

it.each([
  [
    'throws',
    () => {
      throw errorWith(PLANTED.token)
    },
  ],
  ['returns undefined', () => undefined],
])('the error of a fetch that %s becomes a ConnectionError without secrets', async (_, fetch) => {
  const { client } = await clientFor([], { fetch: fetch as never })
  expectNoSecret(await rejectionOf(client.relationships.list(), isConnectionError))
})
