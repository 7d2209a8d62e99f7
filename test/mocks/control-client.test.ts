import { createMockControl, type MockControl, MockControlError } from 'rapport-sdk/mocks/control'
import { describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { startControl } from './control'
import { createFrameClient, identify } from './gateway-client'
import { password, start } from './set-up'

async function setUpClient(options: Parameters<typeof startControl>[0] = {}) {
  const setup = await startControl(options)
  return { ...setup, mock: createMockControl(setup.server.url) }
}

describe('createMockControl()', () => {
  it('accounts are created, changed and removed by record, ID, login or username', async () => {
    const { mock, service } = await setUpClient()
    const grace = await mock.users.create({ login: 'grace@example.com', password, username: 'grace', mfa: ['totp'] })
    expect(await mock.users.totp(grace)).toBe(service.users.totp(grace))
    expect(await mock.users.totpSecret(grace)).toBe(service.users.totpSecret(grace))
    expect([await mock.users.find('grace'), await mock.users.find('nobody')]).toEqual([grace, undefined])
    expect(await mock.users.get('grace')).toEqual(grace)
    const status = () => service.users.get(grace).status
    await mock.users.lock('grace@example.com')
    expect(status()).toBe('locked')
    await mock.users.enable(grace.id)
    expect(status()).toBe('active')
    expect(await mock.users.suspend('grace')).toContain('suspended.')
    await mock.users.scheduleDeletion(grace)
    expect(status()).toBe('deletion_scheduled')
    await mock.users.disable(grace)
    expect(status()).toBe('disabled')
    await mock.users.setFactors(grace, ['backup', 'webauthn'])
    expect(service.users.get(grace).mfa).toEqual(['backup', 'webauthn'])
    expect(await mock.users.backupCodes(grace)).toHaveLength(10)
    expect(await mock.users.passkey(grace, { challenge: 'x' })).toMatchObject({ type: 'public-key' })
    await mock.users.addPasskey(grace, { id: 'a2V5', publicKey: 'a2V5' })
    await mock.users.changeEmail(grace, 'new@example.com')
    await mock.users.changePhone(grace, '+15555550100')
    expect(service.users.get(grace)).toMatchObject({ email: 'new@example.com', phone: '+15555550100' })
    for (const token of [
      await mock.users.verificationToken(grace),
      await mock.users.contactSyncToken(grace),
      await mock.users.phoneToken('+15555550101'),
      await mock.token(grace, { ip: '203.0.113.9' }),
      await mock.fingerprint(),
    ]) {
      expect(token.length).toBeGreaterThan(10)
    }
    await mock.users.remove(grace)
    expect((await mock.users.all()).map(({ username }) => username)).toEqual(['ada'])
    await mock.users.clear()
    expect(service.users.all()).toEqual([])
    await mock.reset()
    expect(service.users.all()).toHaveLength(1)
  })

  it('relationships, suggestions, applications and layouts are seeded', async () => {
    const { mock, ada, service } = await setUpClient()
    const grace = await mock.users.create({ login: 'grace@example.com', username: 'grace' })
    await mock.relationships.befriend(ada, grace)
    expect(await mock.relationships.between('ada', grace)).toBe(1)
    await mock.relationships.remove(ada, grace)
    await mock.relationships.request(grace, 'ada', { note: 'Hi' })
    expect(await mock.relationships.between(ada, 'grace')).toBe(3)
    await mock.relationships.block(ada, grace)
    expect(await mock.relationships.between(ada, grace)).toBe(2)
    await mock.relationships.addImplicit(grace, ada)
    expect(await mock.relationships.between(grace, ada)).toBe(5)
    await mock.users.suggest(ada, grace, { fromContacts: true })
    await mock.users.suggestGames(ada, { games: ['1'] })
    const application = await mock.applications.create({
      owner: grace,
      members: [ada],
      name: 'Game',
      assets: [{ id: 'asset' }],
      featured: true,
    })
    expect(await mock.applications.all()).toEqual([application])
    await mock.applications.authorize(application, ada)
    await mock.identities.create({ application, user: ada, externalUserId: 'x', username: 'ada_x' })
    expect(await mock.applications.botToken(application)).toEqual(expect.any(String))
    expect(await mock.token(ada, { oauth2: application })).toEqual(expect.any(String))
    const key = 'widget_top_hero'
    await mock.layouts.define({ key, surface: 'widget_top', display_name: 'Top', components: {} } as never)
    expect(JSON.stringify(service.snapshot().database.layouts)).toContain('"Top"')
  })

  it('mails, faults, requests, the clock, snapshots and the policy are controlled', async () => {
    const { mock, call, ada } = await setUpClient({ service: { now: start } })
    const waiting = mock.mail.last({ to: 'ada@example.com', kind: 'password_reset', wait: '10s' })
    await call('POST /api/auth/forgot', { login: 'ada@example.com' })
    expect((await waiting).token).toEqual(expect.any(String))
    expect(await mock.mail.all()).toHaveLength(1)
    await mock.mail.clear()
    expect([await mock.mail.all(), await mock.sms.all({ kind: 'mfa' })]).toEqual([[], []])
    await mock.sms.clear()

    const fault = await mock.faults.on('Get Auth Sessions', { status: 503, match: { user: ada } })
    const authorization = await mock.token(ada)
    expect((await call('GET /api/auth/sessions', undefined, { authorization })).status).toBe(503)
    expect((await call('GET /api/auth/sessions')).status).toBe(401)
    expect(await mock.faults.all()).toEqual([fault])
    await mock.faults.remove(fault.id)
    await mock.faults.clear()
    expect((await mock.requests.all({ status: 503, user: ada })).map(({ endpoint }) => endpoint)).toEqual([
      'Get Auth Sessions',
    ])
    expect(await mock.requests.all({ status: '4xx', limit: 1 })).toMatchObject([{ reason: { code: 0 } }])
    await mock.requests.clear()
    expect(await mock.requests.all()).toEqual([])

    await mock.snapshots.save('before')
    await mock.clock.advance('1h')
    await mock.clock.set(new Date('2027-01-01'))
    expect(await mock.clock.freeze()).toMatchObject({ now: '2027-01-01T00:00:00.000Z', frozen: true })
    expect((await mock.clock.freeze(false)).frozen).toBe(false)
    await mock.snapshots.restore('before')
    expect((await mock.clock.get()).now).toBe(start)
    await mock.snapshots.save('copy', await mock.snapshots.get('before'))
    await mock.snapshots.remove('before')
    expect((await mock.snapshots.all()).map(({ name }) => name)).toEqual(['copy'])
    const settings = await mock.policy.change({ authorization: { scheme: 'Bearer' } })
    expect(await mock.policy.get()).toEqual(settings)
    expect(settings.authorization).toEqual({ scheme: 'Bearer' })
    expect(await mock.health()).toMatchObject({ status: 'ok', version: expect.any(String) })
  })

  it('requests.verify() compares order, body and headers, and rejects with the requests that come closest', async () => {
    const { mock, call, ada } = await setUpClient()
    const authorization = await mock.token(ada)
    await call('GET /api/auth/sessions', undefined, { authorization, 'accept-language': 'de' })
    await call('POST /api/auth/forgot', { login: 'ada@example.com' })
    const order = [
      { endpoint: 'Get Auth Sessions', user: ada, status: 200, headers: { 'Accept-Language': 'de' } },
      { endpoint: 'Forgot Password', body: { login: 'ada@example.com' } },
    ] as const
    await mock.requests.verify({ order })
    await expect(mock.requests.verify({ order: [...order, { ...order[1], body: {} }] })).rejects.toThrow(
      /Expected 3 requests in this order, and number 3 did not follow; none comes close/,
    )
    const error: unknown = await mock.requests.verify({ ...order[1], body: { login: 1 } }).catch((e: unknown) => e)
    expect(error).toBeInstanceOf(MockControlError)
    expect(error).toMatchObject({
      status: 409,
      message: expect.stringContaining('body.login is "ada@example.com", not 1'),
    })
  })

  it('gateway sessions receive faults, frames and events', async () => {
    const { mock, server, service, ada } = await setUpClient()
    const client = createFrameClient(new WebSocket(server.gatewayUrl))
    await identify(client, service.token(ada))
    const [session] = await mock.gateway.sessions()
    expect(session?.user).toBe(ada.id)
    const target = { session: String(session?.id) }
    expect(await mock.gateway.freeze({ user: ada })).toEqual({ count: 1 })
    expect((await mock.gateway.unfreeze(target)).count).toBe(1)
    expect(await mock.gateway.emit('TEST', { user: { id: '1' } }, { to: ada })).toBe(1)
    expect(await client.next()).toMatchObject({ t: 'TEST', d: { user: { id: '1' } } })
    await mock.gateway.duplicate(target)
    expect(await client.next()).toMatchObject({ t: 'TEST' })
    await mock.gateway.sendRaw({ op: 50 }, target)
    expect(await client.next()).toEqual({ op: 50 })
    await mock.gateway.reconnect()
    expect(await client.next()).toMatchObject({ op: 7 })
    await mock.gateway.invalidSession(true, { user: 'ada' })
    expect(await client.next()).toMatchObject({ op: 9 })
    await mock.gateway.drop(4001)
    expect(await client.closed).toMatchObject({ code: 4001 })
    expect(await mock.gateway.refuse({ times: 1 })).toEqual({ count: 0 })
    expect(service.snapshot().gateway.faults).toHaveLength(1)
    await mock.gateway.clear()
    expect(service.snapshot().gateway.faults).toEqual([])
    expect((await mock.gateway.journal())[0]?.op).toBe('identify')
    expect((await mock.gateway.frames(session?.id))[0]).toMatchObject({ from: 'service', frame: { op: 10 } })
    expect(await mock.gateway.frames('another')).toEqual([])
  })

  it('events() returns events until it is ended, or its signal is aborted', async () => {
    const { mock, server } = await setUpClient()
    const responses = vi.fn(fetch)
    const events = createMockControl(server.url, { fetch: responses }).events({ types: ['user', 'clock'] })
    const first = events.next()
    await vi.waitFor(() => expect(responses).toHaveResolved())
    await mock.users.lock('ada')
    await mock.clock.advance('1s')
    expect((await first).value).toMatchObject({ type: 'user', user: { status: 'locked' } })
    expect((await events.next()).value).toMatchObject({ type: 'clock' })
    await events.return(undefined)
    const aborted = new AbortController()
    const rest = mock.events({ signal: aborted.signal }).next()
    aborted.abort()
    await expect(rest).rejects.toThrow('abort')
  })

  it('events() reads characters and events that arrive in parts', async () => {
    const sent = new TextEncoder().encode(
      ': comment\n\ndata: {"type":"user","user":{"username":"ådå"}}\n\ndata: {"type":"clock"}\n\n',
    )
    const parts = Array.from(sent, (byte) => Uint8Array.of(byte))
    const body = () => new ReadableStream({ start: (to) => [...parts.map((part) => to.enqueue(part)), to.close()] })
    const mock = createMockControl('http://localhost', { fetch: async () => new Response(body()) })
    const received: unknown[] = []
    for await (const event of mock.events()) received.push(event)
    expect(received).toEqual([{ type: 'user', user: { username: 'ådå' } }, { type: 'clock' }])
  })

  it('events() of some types have their fields, and an unknown type is an error', async () => {
    const { mock, call, server } = await setUpClient()
    const responses = vi.fn(fetch)
    const events = createMockControl(server.url, { fetch: responses }).events({ types: ['request'] })
    const next = events.next()
    await vi.waitFor(() => expect(responses).toHaveResolved())
    await mock.users.lock('ada')
    await call('GET /api/auth/location-metadata')
    const { value } = await next
    const path: string | undefined = value?.request.path
    expect([value?.type, path]).toEqual(['request', '/auth/location-metadata'])
    await events.return(undefined)
    // @ts-expect-error there are no events of this type
    await expect(mock.events({ types: ['requests'] }).next()).rejects.toThrow(
      'GET /events?types=requests: 400 There are no events of the type "requests".',
    )
  })

  it('each namespace has its own control', async () => {
    const { mock, service } = await setUpClient()
    const worker = mock.namespace('worker-1')
    await worker.users.clear()
    expect([await worker.users.all(), service.users.all().length]).toEqual([[], 1])
    expect(await mock.namespaces.all()).toEqual(['default', 'worker-1'])
    await mock.namespaces.remove('worker-1')
    expect(await mock.namespaces.all()).toEqual(['default'])
  })

  // As in plain JavaScript.
  const nothing = undefined as never
  it.each<readonly [string, (mock: MockControl) => Promise<unknown>, string]>([
    [
      'users.get()',
      (mock) => mock.users.get(nothing),
      'GET /users/{id}: expected a record with an id, or an ID or name, got undefined',
    ],
    [
      'users.remove("")',
      (mock) => mock.users.remove(''),
      'DELETE /users/{id}: expected a record with an id, or an ID or name, got an empty string',
    ],
    [
      'users.totp(7)',
      (mock) => mock.users.totp(7 as never),
      'GET /users/{id}/totp: expected a record with an id, or an ID or name, got a number',
    ],
    ['namespaces.remove()', (mock) => mock.namespaces.remove(nothing), 'DELETE /namespaces/{id}: expected'],
    ['namespace()', async (mock) => mock.namespace(nothing), 'namespace: expected'],
    [
      'relationships.between()',
      (mock) => mock.relationships.between(nothing, nothing),
      'GET /relationships: 400 The parameters are invalid.',
    ],
    ['users.create()', (mock) => mock.users.create(nothing), 'login'],
    ['clock.set()', (mock) => mock.clock.set(nothing), '/to: '],
  ])('mock.%s says what to give', async (_, call, message) => {
    const { mock } = await setUpClient()
    const error: unknown = await call(mock).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(MockControlError)
    expect(String(error)).toContain(message)
  })

  it('a refusal is an error with the path of each mistake, and the token is sent', async () => {
    const { server, mock } = await setUpClient({ control: { token: 's3cret' } })
    const refused: unknown = await mock.users.all().catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(MockControlError)
    expect(refused).toMatchObject({ name: 'MockControlError', status: 403, errors: [{ path: 'authorization' }] })
    const trusted = createMockControl(server.url, { token: 's3cret' })
    const error: unknown = await trusted.users
      .create({ login: 'x@y.z', foo: 1 } as { login: string })
      .catch((e: unknown) => e)
    expect(String(error)).toContain(
      'POST /users: 400 The parameters are invalid.\n  /foo: unknown; expected one of login, ',
    )
    expect(String(error)).not.toContain('s3cret')
    await server.close()
    const unreachable: unknown = await trusted.reset().catch((e: unknown) => e)
    expect(unreachable).toMatchObject({
      status: null,
      message: expect.stringContaining('the mock cannot be reached'),
      cause: expect.any(TypeError),
    })
    expect(() => createMockControl('localhost')).toThrow(TypeError)
  })
})
