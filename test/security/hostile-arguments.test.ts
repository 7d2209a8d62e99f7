import {
  Client,
  type ClientOptions,
  isMfaCancelledError,
  isRapportError,
  isRequestValidationError,
  type MfaChallenge,
} from 'rapport-sdk'
import { expect, it } from 'vitest'
import { json, mfaRequired, type Responder, serve } from '../servers/http-server'
import { reasonOf, rejectionOf } from '../transport/rejection'
import { errorWith, expectNoSecret, PLANTED, throwingObject } from './hostile-values'

const credentials = { login: 'ada@example.test', password: PLANTED.password }
/** Returns a client and a server with these responses. */
async function clientFor(responders: Responder[] = [], options: Partial<ClientOptions> = {}) {
  const server = await serve(...responders)
  return { client: new Client({ baseUrl: server.url, token: PLANTED.token, retry: 0, ...options }), server }
}

/** Calls with an invalid value as their last argument. */
const CALLS: Readonly<Record<string, (client: Client, value: never) => Promise<unknown>>> = {
  'options of login': (client, value) => client.auth.login(credentials, value),
  'options of resetPassword': (client, value) =>
    client.auth.resetPassword({ token: 't', password: 'long-enough' }, value),
  'options of loginWithPasskey': (client, value) => client.auth.loginWithPasskey(value),
  'options of authorizeIp': (client, value) => client.auth.authorizeIp({ token: 't' }, value),
  'options of logout': (client, value) => client.auth.logout({}, value),
  'options of register': (client, value) => client.auth.register({ username: 'ada', consent: true }, value),
  'options of list': (client, value) => client.relationships.list(value),
  'options of request': (client, value) => client.request({ path: '/x' }, value),
  'options of a suspended request': (client, value) =>
    client.suspended('t').request({ method: 'POST', path: '/x' }, value),
  'parameters of login': (client, value) => client.auth.login(value),
  'parameters of resetPassword': (client, value) => client.auth.resetPassword(value),
  'parameters of register': (client, value) => client.auth.register(value),
  'parameters of finish': (client, value) => client.mfa.finish(value),
  'parameters of replace': (client, value) => client.widgets.replace(value),
  request: (client, value) => client.request(value),
}

it.each(Object.entries(CALLS))(
  'an invalid value for the %s rejects the call and never throws synchronously',
  async (_, call) => {
    const { client, server } = await clientFor([], { fingerprint: 'a-fingerprint', token: undefined } as object)
    // An empty array is valid: it has no options.
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
    const values = [
      null,
      5,
      'text',
      Symbol('s'),
      () => {},
      [],
      throwingObject(...getters),
      throwingProxy(),
      revoked.proxy,
    ]
    for (const value of values) {
      // A synchronous throw fails the test before `reasonOf`.
      const error = await reasonOf(call(client, value as never)).catch(() => undefined)
      if (error === undefined) continue
      expect(error).toSatisfy(isRapportError)
      expectNoSecret(error)
    }
    expect(server.requests.length).toBeLessThanOrEqual(2)
  },
)

it.each([
  ['a path that cannot become a string', { path: Object.create(null) }],
  ['a symbol as its method', { path: '/x', method: Symbol('m') }],
  ['a body whose getter throws', { path: '/x', method: 'POST', body: throwingObject('a') }],
  ['a query whose getter throws', { path: '/x', query: throwingObject('a') }],
  ['a path parameter that cannot become a string', { path: '/{a}', pathParams: { a: Object.create(null) } }],
])('client.request rejects %s', async (_, request) => {
  const { client } = await clientFor()
  expectNoSecret(await rejectionOf(client.request(request as never), isRapportError))
})

it('an aborted call rejects with the reason of its signal, of any type', async () => {
  for (const reason of [new Error('mine'), 'mine', 5, undefined]) {
    const control = new AbortController()
    control.abort(reason)
    const { client } = await clientFor()
    expect(await reasonOf(client.relationships.list({ signal: control.signal }))).toBe(control.signal.reason)
  }
})

it('webauthn() of a challenge rejects an invalid signal', async () => {
  const onMfaRequired = (challenge: MfaChallenge) => challenge.webauthn({ signal: 5 as never })
  const { client } = await clientFor([mfaRequired()], { onMfaRequired })
  const { cause } = await rejectionOf(client.relationships.list(), isMfaCancelledError)
  expect(cause).toSatisfy(isRequestValidationError)
})

/** Returns a proxy that throws on every operation. */
function throwingProxy(): object {
  const fail = () => {
    throw errorWith('trap')
  }
  return new Proxy({}, { get: fail, has: fail, ownKeys: fail, getPrototypeOf: fail, getOwnPropertyDescriptor: fail })
}
