import { Client, type SessionChange, type TokenStore } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { memoryTokenStore } from 'rapport-sdk/storage'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { deferred } from '../deferred'
import { json, serve } from '../servers/http-server'
import { tokenOnly } from '../session-stores'
import { reasonOf } from '../transport/rejection'

const baseUrl = 'https://service.example'
const token = 'the token'
const params = { login: 'ada@example.com', password: 'correct horse' }

/** Creates a store with a token that loads when the promise settles, and the calls of its `set`. */
function slowStore(loading: Promise<string | null>) {
  const set = vi.fn<TokenStore['set']>()
  return { tokenStore: { ...tokenOnly({ get: () => loading }), set }, set }
}

/** Records the changes of a session. */
function changesOf({ session }: Client): SessionChange[] {
  const changes: SessionChange[] = []
  session.onChange((change) => changes.push(change))
  return changes
}

/** Creates a client of a mock service with a gateway and one user. */
function setUpGateway() {
  const service = createMockService()
  onTestFinished(() => void service.close())
  const ada = service.users.create({ ...params, username: 'ada' })
  const { url } = service.gateway
  const open = (tokenStore: TokenStore) => {
    const gateway = { url, WebSocket: service.WebSocket }
    const client = new Client({ baseUrl: service.baseUrl, fetch: service.fetch, gateway, tokenStore })
    onTestFinished(() => client.dispose())
    return client
  }
  return { service, ada, open }
}

describe('session.status', () => {
  it('it is signed out at once without a token store, and signed in with a token', async () => {
    const client = new Client({ baseUrl })
    expect(client.session.status).toBe('signedOut')
    await client.session.setToken('ada')
    expect(client.session.status).toBe('signedIn')
    expect(new Client({ baseUrl, token: 'ada' }).session.status).toBe('signedIn')
    expect(client.as('grace').session.status).toBe('signedIn')
  })

  it.each([
    ['token', 'stored', 'signedIn', 'signedIn'],
    ['null', null, 'signedOut', 'loaded'],
  ])('it is loading until the token store returns a %s', async (_, token, status, type) => {
    const loading = deferred<string | null>()
    const client = new Client({ baseUrl, tokenStore: slowStore(loading.promise).tokenStore })
    const changes = changesOf(client)
    expect(client.session.getSnapshot()).toEqual({ status: 'loading', user: null })
    loading.resolve(token)
    await client.ready
    expect(client.session.status).toBe(status)
    const previous = { status: 'loading', user: null }
    expect(changes).toEqual([{ type, status, user: null, previous, source: 'store' }])
  })

  it('it is signed out if the token store fails, not loading forever', async () => {
    const client = new Client({
      baseUrl,
      tokenStore: tokenOnly({ get: () => Promise.reject(new Error('locked')), set: () => {} }),
    })
    const changes = changesOf(client)
    await reasonOf(client.ready)
    expect([client.session.status, changes.map(({ type }) => type)]).toEqual(['signedOut', ['loaded']])
  })

  it('a sign-in or sign-out while the store loads ends the loading', async () => {
    for (const token of ['ada', null]) {
      const client = new Client({ baseUrl, tokenStore: slowStore(new Promise(() => {})).tokenStore })
      const changes = changesOf(client)
      await client.session.setToken(token)
      expect(client.session.status).toBe(token === null ? 'signedOut' : 'signedIn')
      expect(changes).toMatchObject([{ type: token === null ? 'loaded' : 'signedIn', source: 'client' }])
    }
  })
})

describe('session.user', () => {
  const ada = { id: '100', username: 'ada', badges: ['first'] }
  it.each<[string, object[], (client: Client) => Promise<unknown>, object | null]>([
    ['login()', [{ user_id: '100', token }], ({ auth }) => auth.login(params), { id: '100' }],
    [
      'login() with a second factor',
      [{ user_id: '100', mfa: true, ticket: 'a ticket', totp: true }, { token }],
      ({ auth }) => auth.login(params, { onMfaRequired: () => ({ type: 'totp', code: '123456' }) }),
      { id: '100' },
    ],
    [
      'resetPassword() with a second factor',
      [{ user_id: '100', mfa: true, ticket: 'a ticket', totp: true }, { token }],
      ({ auth }) =>
        auth.resetPassword(
          { token: 'mailed', password: params.password },
          { onMfaRequired: () => ({ type: 'totp', code: '123456' }) },
        ),
      { id: '100' },
    ],
    [
      'finishPasswordlessLogin()',
      [{ user_id: '100', token }],
      ({ auth }) => auth.finishPasswordlessLogin({ ticket: 'a ticket', credential: '{}' }),
      { id: '100' },
    ],
    [
      'exchangeHandoffToken()',
      [{ token, user: ada }],
      ({ auth }) => auth.exchangeHandoffToken({ key: 'key', handoff_token: 'handoff' }),
      ada,
    ],
    ['oneTimeLogin()', [{ token }], ({ auth }) => auth.oneTimeLogin({ ticket: 'mailed' }), null],
    ['login() with an invalid ID', [{ user_id: 100, token }], ({ auth }) => auth.login(params), null],
  ])('it is what the response of %s contains', async (_, responses, signIn, user) => {
    const server = await serve(...responses.map((body) => json(200, body)))
    const client = new Client({ baseUrl: server.url, onResponseMismatch: 'ignore' })
    const changes = changesOf(client)
    await signIn(client)
    expect(client.session.user).toEqual(user)
    expect(changes).toEqual([
      { type: 'signedIn', status: 'signedIn', user, previous: { status: 'signedOut', user: null }, source: 'client' },
    ])
  })

  it('it is reduced to its ID if it is nested too deeply to copy, and does not mix two accounts', async () => {
    const deep = `{"token":"second","user_id":"2","user":{"id":"2","x":${'['.repeat(9000)}${']'.repeat(9000)}}}`
    const fetch = async () => new Response(deep, { headers: { 'content-type': 'application/json' } })
    const client = new Client({ baseUrl, fetch, token: 'first' })
    const changes = changesOf(client)
    await client.auth.login(params)
    expect(client.session).toMatchObject({ token: 'second', user: { id: '2' } })
    expect(changes.map(({ type }) => type)).toEqual(['tokenChanged'])
  })

  it('it is deeply frozen, and changing the response does not change it', async () => {
    const server = await serve(json(200, { token, user: ada }))
    const client = new Client({ baseUrl: server.url })
    const { user } = await client.auth.exchangeHandoffToken({ key: 'key', handoff_token: 'handoff' })
    user.username = 'changed'
    expect(client.session.user).toEqual(ada)
    expect(Object.isFrozen(client.session.user?.badges)).toBe(true)
  })

  it('it is forgotten by a sign-out and another token, and a sign-out reports who it was', async () => {
    const server = await serve(json(200, { user_id: '100', token }), json(200, { user_id: '100', token }))
    const client = new Client({ baseUrl: server.url })
    await client.auth.login(params)
    const changes = changesOf(client)
    await client.session.setToken(token)
    expect(client.session.user).toEqual({ id: '100' })
    await client.session.setToken('another')
    expect(client.session.user).toBeNull()
    await client.auth.login(params)
    await client.session.setToken(null)
    expect(client.session.getSnapshot()).toEqual({ status: 'signedOut', user: null })
    expect(changes.map(({ type, previous }) => [type, previous.user?.id])).toEqual([
      ['tokenChanged', '100'],
      ['tokenChanged', undefined],
      ['signedOut', '100'],
    ])
  })

  it('it is provided by Ready after a reload, before its listeners are called', async () => {
    const { service, ada, open } = setUpGateway()
    const client = open(tokenOnly({ get: () => service.token(ada) }))
    await client.ready
    const changes = changesOf(client)
    const users: unknown[] = []
    client.gateway.on('ready', () => users.push(client.session.user?.id))
    expect(client.session.user).toBeNull()
    await client.gateway.connect()
    expect(client.session.user).toMatchObject({ id: ada.id, username: 'ada' })
    expect(users).toEqual([ada.id])
    expect(changes.map(({ type }) => type)).toEqual(['userChanged'])
    // The same user in the Ready of a later session is no change.
    await client.gateway.disconnect()
    await client.gateway.connect()
    expect(changes).toHaveLength(1)
  })

  it('gains fields by Ready after a sign-in, and keeps those that Ready does not contain', async () => {
    const { ada, open } = setUpGateway()
    const client = open(memoryTokenStore())
    await client.auth.login(params)
    expect(client.session.user).toEqual({ id: ada.id })
    await client.gateway.connect()
    expect(client.session.user).toMatchObject({ id: ada.id, username: 'ada' })
  })
})

describe('session.getSnapshot() and session.subscribe()', () => {
  it('a snapshot stays the same frozen object until status or user changes', async () => {
    const { session } = new Client({ baseUrl, token: 'ada' })
    const { getSnapshot, subscribe } = session
    const listener = vi.fn()
    const unsubscribe = subscribe(listener)
    const before = getSnapshot()
    expect(getSnapshot()).toBe(before)
    expect(Object.isFrozen(before)).toBe(true)
    await session.setToken(null)
    expect(getSnapshot()).not.toBe(before)
    expect(listener.mock.calls).toEqual([[]])
    unsubscribe()
    await session.setToken('grace')
    expect(listener).toHaveBeenCalledTimes(1)
  })

  it('a snapshot contains no token', () => {
    const { session } = new Client({ baseUrl, token: 'the-token-of-ada' })
    expect(JSON.stringify(session.getSnapshot())).not.toContain('the-token-of-ada')
  })
})

describe('a token store that keeps the ID of the user', () => {
  it('gives it to a client after a reload', async () => {
    const server = await serve(json(200, { user_id: '100', token }))
    const tokenStore = memoryTokenStore()
    await new Client({ baseUrl: server.url, tokenStore }).auth.login(params)
    const client = new Client({ baseUrl: server.url, tokenStore })
    const changes = changesOf(client)
    await client.ready
    expect(client.session.user).toEqual({ id: '100' })
    expect(changes).toMatchObject([{ type: 'signedIn', user: { id: '100' }, source: 'store' }])
  })

  it('a token that is emitted without an ID does not have that of the token before', async () => {
    const tokenStore = memoryTokenStore()
    await tokenStore.set({ token: 'ada', userId: '100' })
    const client = new Client({ baseUrl, tokenStore })
    await client.ready
    expect(client.session.user).toEqual({ id: '100' })
    await client.session.setToken('grace')
    expect([await tokenStore.get(), client.session.user]).toEqual([{ token: 'grace' }, null])
  })

  it.each([[5], [null], ['']])('a token is loaded if its ID is %j', async (userId) => {
    const tokenStore = { get: () => ({ token, userId: userId as string }), set: () => {} }
    const client = new Client({ baseUrl, tokenStore })
    await client.ready
    expect(client.session.token).toBe(token)
  })
})
