import { writeFileSync } from 'node:fs'
import { Client } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { listen } from 'rapport-sdk/mocks/node'
import { expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { mockCommand, newFile, startRecording, urlOf } from './command'
import { createFrameClient, type Ready } from './gateway-client'
import { baseUrl, password, sender } from './set-up'

const { startMock } = mockCommand()
const headers = { 'content-type': 'application/json' }

/** Returns an entry of a recording: a call with its response. */
function call(order: number, account: string | null, endpoint: string, path: string, status: number, body?: unknown) {
  const authorization = account === null ? {} : { authorization: account.replace('account', 'token') }
  const request = { path, query: {}, headers: authorization }
  return { kind: 'call', order, account, endpoint, request, response: { status, headers, body } }
}

const sessions = (order: number, account: string, id_hash: string) =>
  call(order, account, 'Get Auth Sessions', '/auth/sessions', 200, { user_sessions: [{ id_hash }] })

/** Records a sign-in with a second factor, a friend request and its event; returns the file. */
async function record(): Promise<string> {
  const service = createMockService({ baseUrl: 'http://localhost' })
  const ada = service.users.create({ login: 'ada@example.com', username: 'ada', password, mfa: ['totp'] })
  const grace = service.users.create({ login: 'grace@example.com', username: 'grace', password })
  const hedy = service.users.create({ login: 'hedy@example.com', username: 'hedy', password })
  service.relationships.befriend(ada, grace)
  service.relationships.request(hedy, ada)
  const server = await listen(service)
  onTestFinished(() => service.close())
  const recording = await startRecording(startMock, server.url)
  const client = new Client({
    baseUrl: recording.url,
    gateway: { url: recording.gatewayUrl, WebSocket },
    logger: { error() {} },
  })
  const login = await client.auth.login({ login: 'ada@example.com', password })
  if (login.status !== 'mfa') throw new Error('expected a challenge')
  await login.challenge.verify({ type: 'totp', code: service.users.totp(ada) })
  await client.gateway.connect()
  const updated = client.gateway.waitFor('relationshipUpdate')
  await client.relationships.list()
  await client.relationships.update(grace.id, { nickname: 'Amazing Grace' })
  await updated
  await client.relationships.list()
  await client.relationships.accept(hedy.id)
  await client.relationships.delete(grace.id)
  await client.dispose()
  await recording.stop()
  return recording.file
}

it('a replayed mock signs in with the names of the recording and repeats responses and events', async () => {
  const file = await record()
  const { output } = startMock('--port', '0', '--replay', file, '--log', 'json')
  const url = await urlOf(output)
  const client = new Client({
    baseUrl: url,
    gateway: { url: `${url.replace('http', 'ws')}/gateway`, WebSocket },
    logger: { error() {} },
  })
  onTestFinished(() => client.dispose())
  const login = await client.auth.login({ login: 'anyone@example.com', password: 'any password' })
  if (login.status !== 'mfa') throw new Error('expected a challenge')
  await login.challenge.verify({ type: 'totp', code: '000000' })
  expect(client.session.token).toBe('token-1')
  await client.gateway.connect()
  const updated = client.gateway.waitFor('relationshipUpdate')
  const [friend, request] = await client.relationships.list()
  const [friendId, requestId] = [friend?.id ?? '', request?.id ?? '']
  expect(friend).toMatchObject({
    id: expect.stringMatching(/^\d{18}$/),
    user: { id: friendId },
    type: 1,
    nickname: null,
  })
  expect(request).toMatchObject({ id: expect.stringMatching(/^\d{18}$/), type: 3 })
  expect(requestId).not.toBe(friendId)
  expect(client.session.user?.id).toMatch(/^\d{18}$/)
  await client.relationships.update(friendId, { nickname: 'Other' })
  expect(await updated).toMatchObject({ id: friendId, nickname: 'name-1' })
  expect(await client.relationships.list()).toMatchObject([{ id: friendId, nickname: 'name-1' }, { id: requestId }])
  const removed = client.gateway.waitFor('relationshipRemove')
  await client.relationships.accept(requestId)
  await client.relationships.delete(friendId)
  expect(await removed).toMatchObject({ id: friendId })
  const send = sender(fetch, url, 'token-1')
  const more = await send('GET /users/@me/relationships')
  expect([more.status, more.body.message]).toEqual([
    404,
    'The recording has no more Get Relationships of account-1: it had 2. Nothing else is left.',
  ])
  const journal = await (await fetch(`${url}/_mock/requests?endpoint=Get%20Relationships`)).json()
  const { items } = journal as { items: { status: number; user: string; reason: { message: string } | null }[] }
  expect(items.map(({ status, user }) => [status, user])).toEqual([
    [200, 'account-1'],
    [200, 'account-1'],
    [404, 'account-1'],
  ])
  expect(items.at(-1)?.reason?.message).toContain('The recording has no more Get Relationships')
  // From the beginning.
  await fetch(`${url}/_mock/reset`, { method: 'POST' })
  expect((await send('GET /users/@me/relationships')).status).toBe(200)
})

it('responses are repeated by endpoint, account and order, and the path decides between several', async () => {
  const path = (id: string) => `/users/${id}/application-identities`
  const list = (order: number, id: string) =>
    call(order, 'account-1', 'Get User Application Identities', path(id), 200, { identities: [{ order }] })
  const entries = [
    sessions(6, 'account-1', 'id-3'),
    sessions(1, 'account-1', 'id-1'),
    sessions(2, 'account-2', 'id-2'),
    list(3, 'id-7'),
    list(4, 'id-8'),
    list(5, 'id-7'),
  ]
  const service = createMockService({ baseUrl, replay: { version: 1, entries } })
  const [one, other] = ['token-1', 'Bearer token-2'].map((token) => sender(service.fetch, baseUrl, token))
  const hash = async (send = one) => (await send?.('GET /auth/sessions'))?.body.user_sessions
  expect(await hash()).toEqual([{ id_hash: 'id-1' }])
  expect(await hash()).toEqual([{ id_hash: 'id-3' }])
  expect(await hash(other)).toEqual([{ id_hash: 'id-2' }])
  const identities = async (id: string) => (await one?.(`GET /users/${id}/application-identities`))?.body.identities
  expect(await identities('id-8')).toEqual([{ order: 4 }])
  // The digits of `id-7`.
  expect(await identities('200000000000000007')).toEqual([{ order: 3 }])
  expect(await identities('id-1')).toEqual([{ order: 5 }])
})

it('names of IDs are the same digits everywhere, and tokens, texts, and IDs of other services stay', async () => {
  const identity = { user_id: 'account-1', external_user_id: 'id-2' }
  const configs = { 'id-1': [{ application_id: 'id-1', config_id: 'id-12', display_name: 'id-1' }] }
  const entries = [
    call(1, 'account-1', 'Get Featured Widget Configs', '/widget-configs/featured', 200, {
      application_ids: ['id-1', 'id-12'],
      configs,
    }),
    call(2, 'account-1', 'List Bulk Application Identities', '/application-identities', 200, [identity]),
  ]
  const service = createMockService({ baseUrl, replay: { version: 1, entries } })
  const send = sender(service.fetch, baseUrl, 'token-1')
  const [first, other] = ['200000000000000001', '200000000000000012']
  expect((await send('GET /widget-configs/featured')).body).toEqual({
    application_ids: [first, other],
    configs: { '200000000000000001': [{ application_id: first, config_id: other, display_name: 'id-1' }] },
  })
  expect((await send('POST /application-identities')).body).toEqual([
    { user_id: '100000000000000001', external_user_id: 'id-2' },
  ])
})

it('two accounts that sign in with names of the recording get their own responses in any order', async () => {
  const signIn = (order: number, login: string, token: string) => {
    const entry = call(order, null, 'Login Account', '/auth/login', 200, { user_id: `account-${order}`, token })
    return { ...entry, request: { ...entry.request, body: { login, password: 'password-1' } } }
  }
  const entries = [signIn(1, 'login-1', 'token-1'), signIn(2, 'login-2', 'token-2')]
  const service = createMockService({ baseUrl, replay: { version: 1, entries } })
  const send = sender(service.fetch, baseUrl)
  expect((await send('POST /auth/login', { login: 'login-2', password })).body.token).toBe('token-2')
  expect((await send('POST /auth/login', { login: 'login-2', password })).body.token).toBe('token-1')
})

it('a request that the recording does not have gets an error that says what it has', async () => {
  const entries = [sessions(1, 'account-1', 'id-1'), call(2, null, 'Login Account', '/auth/login', 400, { code: 1 })]
  const service = createMockService({ baseUrl, replay: { version: 1, entries } })
  const problem = async (route: `${string} /${string}`, token?: string) => {
    const { status, body } = await sender(service.fetch, baseUrl, token)(route)
    return [status, body.message]
  }
  expect(await problem('GET /friend-suggestions', 'token-1')).toEqual([
    404,
    'The recording has no Get Friend Suggestions of account-1. Next is Get Auth Sessions (/auth/sessions, entry 1).',
  ])
  expect(await problem('GET /friend-suggestions', 's3cret')).toEqual([
    401,
    'The token of this Get Friend Suggestions is not one of the recording, whose tokens are token-1 (account-1).',
  ])
  expect(await problem('GET /auth/location-metadata')).toEqual([
    404,
    'The recording has no Get Location Metadata of a client without a token. Next is Login Account (/auth/login, entry 2).',
  ])
  expect((await problem('GET /unknown'))[0]).toBe(404)
})

it('values of fields that the contract does not list have their type, and other bodies are text', async () => {
  const extra = { count: '<number>', flag: true, text: '<string>', list: ['<number>'], none: null }
  const response = { status: 502, headers: { 'content-type': 'text/html', 'retry-after': '7' }, unparsed: true }
  const failed = { ...sessions(2, 'account-1', ''), response }
  const deleted = call(3, 'account-1', 'Remove Relationship', '/users/@me/relationships/id-1', 204)
  const started = call(4, null, 'Start Passwordless Login', '/auth/conditional/start', 200, {
    challenge: 'challenge-1',
  })
  const entries = [call(1, 'account-1', 'Get Auth Sessions', '/auth/sessions', 200, extra), failed, deleted, started]
  const service = createMockService({ baseUrl, replay: { version: 1, entries } })
  const send = sender(service.fetch, baseUrl, 'token-1')
  expect((await send('GET /auth/sessions')).body).toEqual({
    count: 0,
    flag: true,
    text: '<string>',
    list: [0],
    none: null,
  })
  const other = await service.fetch(`${baseUrl}/auth/sessions`, { headers: { authorization: 'token-1' } })
  expect([other.status, other.headers.get('content-type'), await other.text()]).toEqual([502, 'text/html', '<text>'])
  expect(other.headers.get('retry-after')).toBe('7')
  expect((await send('DELETE /users/@me/relationships/id-1')).status).toBe(204)
  const { challenge } = (await sender(service.fetch, baseUrl)('POST /auth/conditional/start')).body
  expect(JSON.parse(String(challenge))).toEqual({ challenge: btoa('challenge-1') })
})

it('a gateway connection that the recording does not have is closed with a fatal code and the reason', async () => {
  const on = (order: number, from: string, frame: unknown) =>
    ({ kind: 'frame', order, connection: 1, account: 'account-1', from, frame }) as const
  const entries = [
    on(1, 'service', { op: 10, d: { heartbeat_interval: 1234 } }),
    on(2, 'client', { op: 2, d: { token: 'token-1', properties: {} } }),
    on(3, 'service', { op: 0, s: 1, t: 'READY', d: { session_id: 'id-1', resume_gateway_url: 'url-1' } }),
    { kind: 'close', order: 4, connection: 1, account: 'account-1', from: 'service', code: 4009 },
  ]
  const service = createMockService({ baseUrl, replay: { version: 1, entries } })
  onTestFinished(() => service.close())
  const open = () => createFrameClient(new service.WebSocket(service.gateway.url))
  const client = open()
  expect((await client.next()).d).toEqual({ heartbeat_interval: 1234 })
  client.send(1)
  expect((await client.next()).op).toBe(11)
  client.send(2, { token: 'token-1', properties: {} })
  expect((await client.next<Ready>()).d).toEqual({ session_id: 'id-1' })
  expect((await client.closed).code).toBe(4009)
  const again = open()
  await again.next()
  again.send(2, { token: 'token-1' })
  expect(await again.closed).toEqual({ code: 4004, reason: 'The recording has no further identify of account-1.' })
  const resumed = open()
  await resumed.next()
  resumed.send(6, { token: 's3cret', session_id: 'id-1', seq: 1 })
  expect(await resumed.closed).toEqual({ code: 4004, reason: 'The recording has no further resume of this token.' })
  service.reset()
  const fresh = open()
  await fresh.next()
  fresh.send(2, { token: 'token-1' })
  expect((await fresh.next()).t).toBe('READY')
})

it.each<readonly [unknown, string]>([
  [{ version: 2, entries: [] }, 'is not a recording of version 1: its "version" is 2'],
  [[], 'is not a recording of version 1'],
  [{ version: 1 }, 'entries: required'],
  [
    { version: 1, entries: [{ kind: 'calls' }] },
    'entries[0].kind: expected one of "call", "frame", "close", got "calls"',
  ],
  [{ version: 1, entries: [{ ...sessions(1, 'account-1', ''), order: 0 }] }, 'entries[0].order: must be from 1'],
  [{ version: 1, entries: [{ ...sessions(1, 'a', ''), endpoint: 'Get' }] }, 'entries[0].endpoint: expected'],
  [{ version: 1, entries: [{ kind: 'frame', order: 1, account: null }] }, 'entries[0].connection: required'],
  [
    { version: 1, entries: [{ ...call(1, null, 'Logout', '/', 99) }] },
    'entries[0].response.status: must be from 200 to 599',
  ],
])('the recording %j is refused with the path of the mistake', (replay, message) => {
  expect(() => createMockService({ replay })).toThrow(message)
})

it('the command refuses a file that is not a recording, with the paths of the problems', async () => {
  const file = newFile()
  writeFileSync(file, JSON.stringify({ version: 1, entries: [{ kind: 'call' }] }))
  const { output, ended } = startMock('--port', '0', '--replay', file)
  expect(await ended).toEqual([2, null])
  expect(output.stderr).toContain('entries[0].order: required')
})
