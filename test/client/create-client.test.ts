import {
  Client,
  isApiError,
  isGatewayError,
  isMfaRequiredError,
  isRequestValidationError,
  isWebAuthnError,
  type MfaHandler,
  RapportError,
  RelationshipType,
} from 'rapport-sdk'
import * as core from 'rapport-sdk/core'
import { createMockService } from 'rapport-sdk/mocks'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { json, mfaRequired, serve } from '../servers/http-server'
import { CODE, MFA_HEADER, serveStepUp } from '../servers/step-up-service'
import { tokenOnly } from '../session-stores'
import { issueLines, rejectionOf } from '../transport/rejection'

const {
  auth,
  createClient,
  friendSuggestions,
  gameRelationships,
  gateway,
  live,
  mfa,
  passkeys,
  recovery,
  registration,
  relationships,
  request,
  widgets,
} = core
const baseUrl = 'https://service.example/api'
const password = 'correct horse battery'

/** Returns a mock with a user who has a friend and a TOTP app. */
function createWorld() {
  const service = createMockService({ baseUrl })
  onTestFinished(() => service.close())
  const ada = service.users.create({ login: 'ada@example.com', username: 'ada', password, mfa: ['totp'] })
  const grace = service.users.create({ login: 'grace@example.com', username: 'grace', password })
  service.relationships.befriend(ada, grace)
  const token = service.token(ada)
  const options = { baseUrl, fetch: service.fetch, token }
  const connection = { url: service.gateway.url, WebSocket: service.WebSocket }
  return { service, ada, grace, token, options, connection }
}

/** Returns the lines of the error that `create` throws. */
function issuesOf(create: () => unknown): string[] {
  try {
    create()
  } catch (error) {
    if (isRequestValidationError(error)) return issueLines(error)
    throw error
  }
  throw new Error('the client was created')
}

test('a client of parts calls the service', async () => {
  const { options, grace } = createWorld()
  const client = createClient(options, { relationships })
  const list = await client.relationships.list()
  expect(list.map(({ id, type }) => [id, type])).toEqual([[grace.id, RelationshipType.FRIEND]])
})

test('a client has exactly the namespaces of its parts, and a spread includes them', () => {
  const client = createClient({ baseUrl }, { auth, relationships })
  expect(Object.keys(client)).toEqual(['session', 'auth', 'relationships'])
  expect(Object.keys({ ...client })).toEqual(['session', 'auth', 'relationships'])
  expect(Object.keys(createClient({ baseUrl }, {}))).toEqual(['session'])
  expect(client).not.toHaveProperty('request')
})

test('every namespace of Client is a part', () => {
  const { createClient: _, inspectClient: _i, objectFirstLogger: _o, showInPerformancePanel: _s, ...parts } = core
  const { live: __, passkeys: _p, registration: _r, recovery: _a, ...members } = parts
  const { request: ___, ...namespaces } = members
  const client = createClient({ baseUrl }, parts)
  for (const name of Object.keys(namespaces)) {
    expect(new Client({ baseUrl })).toHaveProperty(name)
    expect(client, name).toHaveProperty(name, expect.anything())
  }
  expect(Object.keys(client).sort()).toEqual(
    ['resumeChallenge', 'session', 'suspended', ...Object.keys(members)].sort(),
  )
})

test('client.auth has exactly the methods of its parts, in any order', async () => {
  const names = (parts: object) => {
    const { auth: methods } = createClient({ baseUrl }, parts as { auth: typeof auth })
    return Object.getOwnPropertyNames(methods).filter((name) => name !== 'sessions')
  }
  const signIn = ['login', 'verifyMfaLogin', 'authorizeIp', 'createHandoffToken', 'exchangeHandoffToken', 'logout']
  const added = {
    passkeys: ['loginWithPasskey', 'startPasswordlessLogin', 'finishPasswordlessLogin'],
    registration: [
      'register',
      'registerPhone',
      'getLocationMetadata',
      'validatePassword',
      'suggestUsername',
      'checkUsername',
    ],
    recovery: ['forgotPassword', 'resetPassword', 'oneTimeLogin', 'revertAccount'],
  }
  expect(names({ auth })).toEqual(signIn)
  for (const [name, methods] of Object.entries(added)) {
    const part = Reflect.get(core, name)
    expect(names({ auth, [name]: part })).toEqual([...signIn, ...methods])
    expect(names({ [name]: part, auth })).toEqual([...signIn, ...methods])
  }
  const everything = [...signIn, ...Object.values(added).flat()]
  expect(names({ recovery, registration, passkeys, auth }).sort()).toEqual(everything.sort())
  const { auth: all } = new Client({ baseUrl })
  expect(Object.getOwnPropertyNames(all).sort()).toEqual([...everything, 'sessions'].sort())
})

test('the methods of parts work detached and store the token in the session of the client', async () => {
  const { service } = createWorld()
  const client = createClient({ baseUrl, fetch: service.fetch }, { registration, auth })
  expect(Object.keys(client)).toEqual(['session', 'auth'])
  const { register } = client.auth
  const { token } = await register({ username: 'linus', password, consent: true, email: 'linus@example.com' })
  expect(client.session.token).toBe(token)
})

test('a namespace is created once, on first use', () => {
  const client = createClient({ baseUrl }, { relationships })
  expect(client.relationships).toBe(client.relationships)
})

test('a test can replace a namespace by assignment', () => {
  const client = createClient({ baseUrl }, { relationships })
  const double = { list: async () => [] }
  Object.assign(client, { relationships: double })
  expect(client.relationships).toBe(double)
})

test('all members of a client of parts work detached', async () => {
  const { options } = createWorld()
  const { as, dispose, on, relationships: detached, session } = createClient(options, { relationships })
  const { list } = detached
  const sent = vi.fn()
  on('request', sent)
  await list()
  expect(sent).toHaveBeenCalledOnce()
  await session.setToken(null)
  expect(as('the-token-of-grace').session.token).toBe('the-token-of-grace')
  dispose()
  await expect(list()).rejects.toThrow('the client was disposed')
})

test('a client without step-up signs out the token of a call and keeps its own', async () => {
  const server = await serve(json(200, null))
  const client = createClient({ baseUrl: server.url, token: 'own' }, { auth })
  await client.auth.logout({}, { token: 'other' })
  expect(server.request().headers.authorization).toBe('other')
  expect(client.session.token).toBe('own')
})

test('ready resolves when the stored token is loaded', async () => {
  const tokenStore = tokenOnly({ get: async () => 'stored' })
  const client = createClient({ baseUrl, tokenStore }, {})
  expect(client.session.token).toBeNull()
  await client.ready
  expect(client.session.token).toBe('stored')
})

test('a sibling has the same parts and options, its own session, and shares the rate limits of an account', async () => {
  const server = await serve(json(429, {}, { 'retry-after': '60' }))
  const options = {
    baseUrl: server.url,
    token: 'ada',
    headers: { 'X-App': 'kept' },
    retry: { maxRateLimitWaitMs: 5 },
  }
  const ada = createClient(options, { relationships })
  const grace = ada.as('grace')
  expect(Object.keys(grace)).toEqual(Object.keys(ada))
  expect([ada.session.token, grace.session.token]).toEqual(['ada', 'grace'])
  expect(grace.relationships).not.toBe(ada.relationships)
  await expect(ada.relationships.list()).rejects.toSatisfy(isApiError)
  await expect(grace.as('ada').relationships.list()).rejects.toThrow('No request was sent')
  expect(server.requests).toHaveLength(1)
  for (const client of [ada, new Client(options)]) expect(() => client.as('')).toThrow('client.as')
})

test('await using disposes a client', async () => {
  const client = createClient({ baseUrl }, { relationships })
  await client[Symbol.asyncDispose]()
  await expect(client.relationships.list()).rejects.toThrow('the client was disposed')
})

describe('invalid options and parts', () => {
  const url = 'wss://gateway.example'

  test('they are all named by one error, of every client and of parts', () => {
    const create = () =>
      createClient({ baseUrl: 'x', timeout: 0, mfaTimeout: 0, gateway: { url: 'x' } }, { mfa, gateway })
    expect(issuesOf(create).map((line) => line.split(' ')[0])).toEqual([
      'timeout',
      'mfaTimeout',
      'baseUrl',
      'gateway.url',
    ])
    expect(create).toThrow('createClient: 4 problems')
  })

  test('an option of a missing part is refused as unknown', () => {
    const options = {
      baseUrl,
      onMfaRequired: () => null,
      mfaTimeout: 5,
      classifyMfaFailure: () => 'fatal',
      webauthn: {},
      mfaHeader: 'x-mfa',
      gateway: { url },
    }
    const unknown = (create: () => unknown) =>
      issuesOf(create).map((line) => /^(\w+) invalid_value: unknown;/.exec(line)?.[1])
    expect(unknown(() => createClient(options, { relationships }))).toEqual(Object.keys(options).slice(1))
  })

  test('an unknown option is refused', () => {
    // @ts-expect-error: there is no such option
    expect(issuesOf(() => createClient({ baseUrl, timeOut: 5 }, {}))).toEqual([
      expect.stringMatching(/^timeOut invalid_value: unknown; expected one of baseUrl, /),
    ])
  })

  test('options that are not an object are refused', () => {
    expect(issuesOf(() => createClient(undefined as never, {}))).toEqual([
      '(value) invalid_value: expected an object, got undefined',
    ])
  })
})

describe('second factors of a client of parts', () => {
  const answer: MfaHandler = () => ({ type: 'totp', code: CODE })

  test('answer a step-up with the part mfa', async () => {
    const service = await serveStepUp()
    const client = createClient({ baseUrl: service.url, token: 'ada', onMfaRequired: answer }, { mfa, relationships })
    const elevated = vi.fn()
    client.session.onChange(({ type }) => elevated(type))
    await client.relationships.list()
    expect(service.calls().map(({ headers }) => headers[MFA_HEADER])).toEqual([undefined, 'jwt-of-ada-1'])
    expect(elevated.mock.calls).toEqual([['elevated']])
  })

  test('they are required by an MfaRequiredError that says so without the part mfa, and the token is kept', async () => {
    const server = await serve(mfaRequired())
    const client = createClient({ baseUrl: server.url, token: 'kept', onMfaRequired: answer }, { auth })
    const unauthorized = vi.fn()
    client.on('unauthorized', unauthorized)
    const error = await rejectionOf(client.auth.sessions.list(), isMfaRequiredError)
    expect(error).toMatchObject({ status: 401, code: 60003, challenge: undefined })
    expect(error.message).toMatch(/Pass the part `mfa` to `createClient`/)
    expect(unauthorized).not.toHaveBeenCalled()
    expect(client.session.token).toBe('kept')
    expect(server.requests).toHaveLength(1)
  })

  test('those of a login need only the part auth', async () => {
    const { service, ada } = createWorld()
    const onMfaRequired = () => ({ type: 'totp', code: service.users.totp(ada) })
    const client = createClient({ baseUrl, fetch: service.fetch, onMfaRequired }, { auth })
    await client.auth.login({ login: 'ada@example.com', password })
    expect(client.session.isAuthenticated).toBe(true)
    await client.auth.logout()
    expect(client.session.token).toBeNull()
  })

  test('a passkey as second factor needs the part passkeys or an adapter, and the error says so', async () => {
    const webauthn = { get: async () => ({ id: 'credential' }) }
    const first = { user_id: '1', mfa: true, ticket: 'ticket-1', webauthn: '{"challenge":"AQ"}' }
    const factor = async (client: core.CoreClient<'auth'>) => {
      const result = await client.auth.login({ login: 'ada@example.com', password })
      if (result.status !== 'mfa') throw new Error('no second factor was required')
      expect(result.challenge.allows('webauthn')).toBe(true)
      return result.challenge.webauthn()
    }
    const server = await serve(json(200, first), json(200, first), json(200, first))
    const options = { baseUrl: server.url }
    const { reason, message } = await rejectionOf(factor(createClient(options, { auth })), isWebAuthnError)
    expect([reason, message]).toEqual(['unsupported', expect.stringContaining('or the part `passkeys`')])
    expect(await factor(createClient({ ...options, webauthn }, { auth }))).toMatchObject({ type: 'webauthn' })
    const inBrowser = await rejectionOf(factor(createClient(options, { auth, passkeys })), isWebAuthnError)
    expect(inBrowser.message).toContain('WebAuthn is not available here')
  })

  test('mfa.finish stores its JWT for later calls', async () => {
    const server = await serve(json(200, { token: 'the-jwt' }), json(200, {}))
    const client = createClient({ baseUrl: server.url, token: 'ada' }, { mfa, widgets })
    await client.mfa.finish({ ticket: 'ticket-1', mfa_type: 'totp', data: '123456' })
    await client.widgets.suggestedGames()
    expect(server.requests.map(({ headers }) => headers[MFA_HEADER])).toEqual([undefined, 'the-jwt'])
  })
})

describe('events of a client of parts', () => {
  test('a live store loads its list, and follows events', async () => {
    const { service, ada, grace, options, connection } = createWorld()
    const client = createClient({ ...options, gateway: connection }, { relationships, gateway, live })
    onTestFinished(() => client.dispose())
    const store = client.relationships.live()
    await client.gateway.connect()
    await store.ready
    expect(store.all().map(({ id }) => id)).toEqual([grace.id])
    const next = client.gateway.waitFor('relationshipAdd')
    const linus = service.users.create({ login: 'linus@example.com', username: 'linus', password })
    service.relationships.befriend(ada, linus)
    await next
    expect(store.all().map(({ id }) => id)).toEqual([grace.id, linus.id])
  })

  test('a gateway that connects on sign-in connects without being used', async () => {
    const { options, connection } = createWorld()
    const client = createClient({ ...options, gateway: { ...connection, connectOnSignIn: true } }, { gateway })
    onTestFinished(() => client.dispose())
    await vi.waitFor(() => expect(client.gateway.state).toBe('ready'))
  })

  test('all live stores open, and their errors name the method', async () => {
    const { options, connection } = createWorld()
    const lists = { relationships, gameRelationships, friendSuggestions }
    const client = createClient({ ...options, gateway: connection }, { ...lists, gateway, live })
    const stores = [client.relationships.live(), client.gameRelationships.live(), client.friendSuggestions.live()]
    await Promise.all(stores.map(({ ready }) => ready))
    client.dispose()
    for (const name of ['relationships', 'gameRelationships', 'friendSuggestions'] as const)
      expect(() => client[name].live()).toThrow(`client.${name}.live: the client was disposed`)
    await expect(client.gateway.connect()).rejects.toSatisfy(isGatewayError)
    const unconfigured = createClient({ baseUrl }, { relationships, gateway, live })
    expect(() => unconfigured.relationships.live()).toThrow('client.relationships.live needs events')
  })

  test('a member that is first used after dispose() is disposed', async () => {
    const { options, connection } = createWorld()
    const client = createClient({ ...options, gateway: connection }, { relationships, gateway, live })
    client.dispose()
    expect(() => client.relationships.live()).toThrow('the client was disposed')
    await expect(client.gateway.connect()).rejects.toThrow('the client was disposed')
  })
})

describe('the part request', () => {
  test('request() sends a custom request', async () => {
    const server = await serve(json(200, { sent: true }))
    const client = createClient({ baseUrl: server.url, token: 'ada' }, { request })
    expect(await client.request({ method: 'POST', path: '/x', body: { a: 1 } })).toEqual({ sent: true })
    expect(server.requests[0]).toMatchObject({ method: 'POST', url: '/x', headers: { authorization: 'ada' } })
  })

  test('suspended() sends the token in the body', async () => {
    const server = await serve(json(200, {}))
    const client = createClient({ baseUrl: server.url }, { request })
    await client.suspended('suspended-token').request({ method: 'POST', path: '/x' })
    expect(server.requests[0]?.headers.authorization).toBeUndefined()
    expect(String(server.requests[0]?.body)).toBe('{"token":"suspended-token"}')
    expect(() => client.suspended('')).toThrow(RapportError)
  })
})
