import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { cpuNow } from '../cpu-time'
import { expectDocumented, type Problem, startControl } from './control'
import { createFrameClient, identify } from './gateway-client'
import { password, start } from './set-up'

const notATime =
  'not a point in time; pass ISO 8601 with time and zone, such as "2026-12-31T23:59:00Z", or milliseconds since the epoch'

describe('the control API', () => {
  it('POST /users creates an account that can sign in with the TOTP code of the control API', async () => {
    const { call, control } = await startControl()
    const options = { login: 'grace@example.com', password, username: 'grace', mfa: ['totp'] }
    const created = await control('POST /users', options)
    expect([created.status, created.body]).toEqual([201, expect.objectContaining({ username: 'grace', mfa: ['totp'] })])
    const { body: login } = await call('POST /api/auth/login', { login: 'grace@example.com', password })
    for (const name of ['grace', 'grace@example.com', String(created.body.id)]) {
      const { body } = await control(`GET /users/${encodeURIComponent(name)}/totp`)
      expect(body).toEqual({
        code: expect.stringMatching(/^\d{6}$/),
        expires_at: expect.any(String),
        secret: expect.any(String),
      })
      expect(Date.parse(String(body.expires_at)) % 30_000).toBe(0)
    }
    const { code } = (await control('GET /users/grace/totp')).body
    const signedIn = await call('POST /api/auth/mfa/totp', { ticket: login.ticket, code })
    expect(signedIn.body.token).toEqual(expect.any(String))
  })

  it('each action on an account changes it and returns it', async () => {
    const { control, call } = await startControl()
    const status = async (action: string) => (await control(`POST /users/ada/${action}`)).body.status
    expect(await status('lock')).toBe('locked')
    expect(await status('disable')).toBe('disabled')
    expect(await status('schedule-deletion')).toBe('deletion_scheduled')
    expect((await control('POST /users/ada/suspend')).body).toEqual({ token: expect.stringContaining('suspended.') })
    expect((await call('POST /api/auth/login', { login: 'ada@example.com', password })).status).toBe(403)
    expect(await status('enable')).toBe('active')
    expect((await control('POST /users/ada/factors', { mfa: ['sms'] })).body).toMatchObject({ mfa: ['sms'] })
    expect((await control('POST /users/ada/email', { email: 'new@example.com' })).body.email).toBe('new@example.com')
    expect((await control('POST /users/ada/phone', { phone: null })).body.phone).toBeNull()
    const passkey = { id: 'a2V5', publicKey: 'a2V5' }
    expect((await control('POST /users/ada/passkeys', passkey)).body.mfa).toEqual(['sms', 'webauthn'])
    expect((await control('DELETE /users/ada')).status).toBe(204)
    expect((await control('GET /users')).body).toEqual({ items: [] })
  })

  it('tokens, applications, relationships and suggestions are seeded as in process', async () => {
    const { control, call, service } = await startControl()
    await control('POST /users', { login: 'grace@example.com', username: 'grace' })
    const { token } = (await control('POST /tokens', { user: 'ada' })).body
    const asAda = { authorization: String(token) }
    expect((await control('POST /relationships/befriend', { user: 'ada', target: 'grace' })).status).toBe(204)
    expect((await control('GET /relationships?user=ada&target=grace')).body).toEqual({ type: 1 })
    expect((await call('GET /api/users/@me/relationships', undefined, asAda)).body).toHaveLength(1)
    await control('POST /relationships/remove', { user: 'ada', target: 'grace' })
    await control('POST /relationships/request', { user: 'grace', target: 'ada', note: 'Hi', spam: true })
    const requests = (await call<object[]>('GET /api/users/@me/relationships', undefined, asAda)).body
    expect(requests).toMatchObject([{ type: 3, note: 'Hi', is_spam_request: true }])
    await control('POST /suggestions', { user: 'ada', target: 'grace' })
    expect((await call('GET /api/friend-suggestions', undefined, asAda)).body).toHaveLength(1)

    const application = (await control('POST /applications', { owner: 'grace', name: 'Game', members: ['ada'] })).body
    expect((await control('GET /applications')).body).toEqual({ items: [application] })
    await control(`POST /applications/${application.id}/identities`, { user: 'ada', externalUserId: 'x' })
    const oauth2 = (await control('POST /tokens', { user: 'ada', oauth2: application.id })).body.token
    expect(oauth2).toEqual(expect.any(String))
    expect((await control(`POST /applications/${application.id}/bot-token`)).body.token).toEqual(expect.any(String))
    await control('POST /game-suggestions', { user: 'ada', games: [application.id] })
    const games = (await call('GET /api/users/@me/widgets/suggested-games', undefined, asAda)).body
    expect(games).toMatchObject({ suggested_games: [application.id] })
    expect((await control('POST /fingerprints')).body.fingerprint).toMatch(/^\d+\./)
    expect(service.applications.all()).toHaveLength(1)
    const toSelf = await control<Problem>('POST /relationships/request', { user: 'ada', target: 'ada' })
    expect([toSelf.status, toSelf.body.errors[0]?.path]).toEqual([409, '/target'])
  })

  it('GET /mail/last waits for a message that is sent later', async () => {
    const { call, control } = await startControl()
    const waiting = control('GET /mail/last?to=ada@example.com&kind=password_reset&wait=10s')
    await call('POST /api/auth/forgot', { login: 'ada@example.com' })
    const { token } = (await waiting).body
    expect((await call('POST /api/auth/reset', { token, password: 'a brand new password' })).status).toBe(200)
    expect((await control('GET /mail?to=ada@example.com')).body).toMatchObject({ items: [{ kind: 'password_reset' }] })
    expect((await control('GET /mail?to=x@example.com')).body).toEqual({ items: [] })
    expect((await control('DELETE /mail')).status).toBe(204)
    const none = await control<Problem>('GET /mail/last?wait=50ms')
    expect([none.status, none.body.detail]).toEqual([404, 'No mail was sent; none was sent at all.'])
    await call('POST /api/auth/register/phone', { phone: '+15555550100' })
    expect((await control('GET /sms/last?kind=phone_verification')).body).toMatchObject({ to: '+15555550100' })
    const tooLong = await control<Problem>('GET /sms/last?wait=2m')
    expect([tooLong.status, tooLong.body.errors[0]?.path]).toEqual([400, 'wait'])
  })

  it('faults are added, listed and removed, and GET /requests names the reason of each refusal', async () => {
    const { call, control, ada } = await startControl()
    const endpoint = 'Get Location Metadata'
    const { status, body } = await control('POST /faults', { endpoint, status: 503, times: 1 })
    expect([status, body]).toEqual([201, { id: expect.any(Number), endpoint, left: 1, after: 0, status: 503 }])
    expect((await call('GET /api/auth/location-metadata')).status).toBe(503)
    expect((await control('GET /faults')).body).toMatchObject({ items: [{ left: 0 }] })
    await control('POST /faults', { endpoint: 'POST /auth/login', status: 500, match: { params: { login: 'x' } } })
    expect((await call('POST /api/auth/login', { login: 'x', password })).status).toBe(500)
    expect((await call('POST /api/auth/login', { login: 'ada@example.com', password: 'wrong password' })).status).toBe(
      400,
    )
    expect((await control(`DELETE /faults/${body.id}`)).status).toBe(204)
    expect((await control(`DELETE /faults/${body.id}`)).status).toBe(404)
    await control('DELETE /faults')
    expect((await control('GET /faults')).body).toEqual({ items: [] })
    const { token } = (await control('POST /tokens', { user: 'ada' })).body
    await call('GET /api/auth/sessions', undefined, { authorization: String(token) })
    const list = async (query: string) =>
      (await control<{ items: Record<string, unknown>[] }>(`GET /requests${query}`)).body.items
    expect(await list('')).toHaveLength(4)
    expect(await list('?status=4xx')).toMatchObject([
      { params: { password: '[redacted]' }, reason: { source: 'service', fields: [{ path: 'login' }, {}] } },
    ])
    expect(await list('?status=503')).toMatchObject([
      { reason: { source: 'fault', message: '503: injected by a fault' } },
    ])
    expect(await list('?user=ada')).toMatchObject([{ user: ada.id, reason: null }])
    expect(await list(`?endpoint=${encodeURIComponent(endpoint)}&limit=1`)).toHaveLength(1)
    await control('DELETE /requests')
    expect(await list('')).toEqual([])
  })

  it('the clock is advanced, set and frozen', async () => {
    const { control } = await startControl({ service: { now: start } })
    expect((await control('GET /clock')).body).toMatchObject({ now: start, frozen: true })
    expect((await control('POST /clock/advance', { by: '1.5h' })).body.now).toBe('2026-01-01T01:30:00.000Z')
    expect((await control('POST /clock/set', { to: 0 })).body.now).toBe('1970-01-01T00:00:00.000Z')
    expect((await control('POST /clock/freeze', { frozen: false })).body.frozen).toBe(false)
    expect((await control('POST /clock/freeze')).body.frozen).toBe(true)
    const invalid = await control<Problem>('POST /clock/set', { to: 'tomorrow' })
    expect(invalid.body.errors).toEqual([{ path: '/to', message: `"tomorrow" is ${notATime}` }])
  })

  it('snapshots are stored, restored, downloaded and uploaded', async () => {
    const { control, service } = await startControl()
    expect((await control('PUT /snapshots/one')).status).toBe(200)
    await control('DELETE /users')
    expect((await control('POST /snapshots/one/restore')).status).toBe(204)
    expect(service.users.all()).toHaveLength(1)
    const snapshot = (await control('GET /snapshots/one')).body
    expect((await control('PUT /snapshots/two', snapshot)).status).toBe(200)
    await control('DELETE /users')
    await control('POST /snapshots/two/restore')
    expect(service.users.all()).toHaveLength(1)
    const stored = (await control('GET /snapshots')).body
    expect(stored).toMatchObject({ items: [{ name: 'one' }, { name: 'two' }] })
    const invalid = await control<Problem>('PUT /snapshots/three', { version: 7 })
    expect([invalid.status, invalid.body.detail]).toEqual([400, expect.stringContaining('has version 7')])
    expect((await control('POST /snapshots/three/restore')).status).toBe(404)
    await control('DELETE /snapshots/one')
    expect((await control('GET /snapshots')).body.items).toHaveLength(1)
  })

  it('PATCH /policy changes settings at run time, and POST /reset restores the start', async () => {
    const { call, control, service, server } = await startControl({ service: { policy: { dmAccessType: 5 } } })
    const before = (await control('GET /policy')).body
    const changes = {
      rateLimits: { 'Get Location Metadata': { limit: 1, per: '1m' } },
      requireMfa: { 'Get Auth Sessions': true },
      authorization: { scheme: 'Bearer' },
      lifetimes: { session: '1h', ticket: null },
      gateway: { heartbeatInterval: 1000 },
    }
    const { body } = await control('PATCH /policy', changes)
    expect(body).toMatchObject(changes)
    const location = async () => (await call('GET /api/auth/location-metadata')).status
    expect([await location(), await location()]).toEqual([200, 429])
    await control('POST /users', { login: 'x@example.com' })
    await control('POST /clock/advance', { by: '1d' })
    expect((await control('POST /reset')).status).toBe(204)
    expect((await control('GET /policy')).body).toEqual(before)
    expect(service.users.all().map(({ username }) => username)).toEqual(['ada'])
    expect(Math.abs(service.clock.now() - Date.now())).toBeLessThan(60_000)
    service.users.create({ login: 'seed@example.com', username: 'seed' })
    server.saveBaseline()
    await control('DELETE /users')
    await control('POST /reset')
    expect(service.users.all().map(({ username }) => username)).toEqual(['ada', 'seed'])
  })

  it('a token of a bot whose account was removed is refused with 409', async () => {
    const { control, service, ada } = await startControl()
    const { id } = service.applications.create({ owner: ada })
    for (const user of service.users.all()) if (user.id !== ada.id) service.users.remove(user)
    const refused = await control<Problem>(`POST /applications/${id}/bot-token`)
    expect([refused.status, refused.body.errors[0]?.path]).toEqual([409, 'id'])
  })

  it('gateway sessions are listed, frozen and dropped, and receive frames and events', async () => {
    const { control, server, service, ada } = await startControl()
    const client = createFrameClient(new WebSocket(server.gatewayUrl))
    await identify(client, service.token(ada))
    const sessions = async () =>
      (await control<{ items: { id: string; frozen: boolean }[] }>('GET /gateway/sessions')).body.items
    const [session] = await sessions()
    expect(session).toMatchObject({ user: ada.id, connected: true, frozen: false })
    expect((await control('POST /gateway/freeze', { session: session?.id })).body).toEqual({ count: 1 })
    expect((await control('POST /gateway/emit', { event: 'TEST', data: 1, user: 'ada' })).body).toEqual({ count: 1 })
    expect(await sessions()).toMatchObject([{ frozen: true }])
    expect((await control('POST /gateway/unfreeze')).body.count).toBe(1)
    expect(await client.next()).toMatchObject({ t: 'TEST', d: 1 })
    expect((await control('POST /gateway/raw', { frame: { op: 99 }, user: 'ada' })).body.count).toBe(1)
    expect(await client.next()).toEqual({ op: 99 })
    expect((await control('POST /gateway/reconnect', {})).body.count).toBe(1)
    expect(await client.next()).toMatchObject({ op: 7 })
    expect((await control('POST /gateway/invalid', { resumable: true })).body.count).toBe(1)
    expect(await client.next()).toMatchObject({ op: 9, d: true })
    expect((await control('POST /gateway/drop', { code: 4000 })).body.count).toBe(1)
    expect(await client.closed).toMatchObject({ code: 4000 })
    expect((await control('POST /gateway/refuse', { times: 2 })).body).toEqual({ count: 0 })
    expect(service.snapshot().gateway.faults).toMatchObject([{ effect: { kind: 'refuse' }, left: 2 }])
    await control('DELETE /gateway/faults')
    expect(service.snapshot().gateway.faults).toEqual([])
    const unknown = await control<Problem>('POST /gateway/drop', { session: 'nobody' })
    expect(unknown.body.errors[0]).toMatchObject({ path: '/session', allowed: [session?.id] })
    expect((await control('POST /gateway/drop', { code: 1 })).status).toBe(400)
  })

  it('GET /health returns the version, and GET /openapi.json describes every route', async () => {
    const { control } = await startControl()
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
    expect((await control('GET /health')).body).toEqual({ status: 'ok', version })
    const { body } = await control<{
      paths: Record<string, Record<string, { responses: object; operationId: string }>>
    }>('GET /openapi.json')
    const operations = Object.values(body.paths).flatMap((path) => Object.values(path))
    expect(operations.length).toBeGreaterThan(60)
    // Of this file, every accepted call is compared with the document.
    const health = { status: 'ok', version: '1.0.0' }
    expectDocumented('GET', '/health', undefined, 200, health)
    expect(() => expectDocumented('GET', '/health', undefined, 200, { ...health, more: 1 })).toThrow()
    expect(() => expectDocumented('GET', '/health', undefined, 200, { ...health, version: 1 })).toThrow()
    expect(() => expectDocumented('POST', '/users', { name: 'ada' }, 201, {})).toThrow()
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
    expect(body.paths['/users']?.post).toMatchObject({
      tags: ['users'],
      parameters: [{ $ref: '#/components/parameters/Namespace' }],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { required: ['login'], additionalProperties: false } } },
      },
      responses: { 201: {}, default: {} },
    })
  })
})

describe('refusals of the control API', () => {
  it.each([
    ['POST /users', { login: 'x@y.z', foo: 1 }, 400, '/foo', ['login', 'password', 'username']],
    ['POST /users', { login: 'x@y.z', mfa: ['fax'] }, 400, '/mfa/0', ['totp', 'sms', 'backup', 'webauthn', 'password']],
    ['POST /users', { login: 'x@y.z', password: 'short' }, 400, '/password', undefined],
    ['POST /users', { login: 'ADA@example.com' }, 409, '/login', undefined],
    ['POST /users', { login: 'x@y.z', username: 'Ada' }, 409, '/username', undefined],
    ['POST /users', {}, 400, '/login', undefined],
    ['POST /users', [], 400, '', undefined],
    ['POST /users', '{', 400, '', undefined],
    ['GET /users/nobody', undefined, 404, 'id', ['ada']],
    ['GET /users/%ff', undefined, 400, 'path', undefined],
    ['POST /tokens', { user: 'nobody' }, 400, '/user', ['ada']],
    ['POST /tokens', { user: 'ada', oauth2: '1' }, 400, '/oauth2', undefined],
    ['POST /clock/advance', { by: 'soon' }, 400, '/by', undefined],
    ['POST /clock/advance', { by: -1 }, 400, '/by', undefined],
    ['POST /clock/advance', { by: 0.5 }, 400, '/by', undefined],
    ['POST /clock/advance', { by: '0.5ms' }, 400, '/by', undefined],
    ['POST /clock/set', { to: '2030-01-01' }, 400, '/to', undefined],
    ['POST /clock/set', { to: 0.5 }, 400, '/to', undefined],
    ['POST /relationships/befriend', { user: 'ada', target: 'ADA@example.com' }, 409, '/target', undefined],
    ['POST /relationships/implicit', { user: 'ada', target: 'ada' }, 409, '/target', undefined],
    ['POST /suggestions', { user: 'ada', target: 'ada' }, 409, '/target', undefined],
    [
      'POST /seed',
      { relationships: [{ action: 'befriend', user: 'ada', target: 'ada' }] },
      400,
      '/relationships/0',
      undefined,
    ],
    ['POST /seed', { suggestions: [{ user: 'ada', target: 'ada' }] }, 400, '/suggestions/0', undefined],
    ['POST /reset', { all: true }, 400, '/all', []],
    ['GET /users?limit=1', undefined, 400, 'limit', []],
    ['GET /events?types=request,mails', undefined, 400, 'types', ['mail']],
    ['GET /events?type=request', undefined, 400, 'type', ['types']],
    ['GET /requests?status=teapot', undefined, 400, 'status', undefined],
    ['GET /requests?endpoint=Nope', undefined, 400, 'endpoint', ['Get Relationships']],
    ['POST /faults', { endpoint: 'Nope', status: 503 }, 400, '/endpoint', ['Get Relationships']],
    [
      'POST /faults',
      { endpoint: 'Login Account', status: 503, headers: { 'x-a': 'b\nc' } },
      400,
      '/headers/x-a',
      undefined,
    ],
    [
      'POST /faults',
      { endpoint: 'Login Account', status: 503, headers: { 'x a': 'b' } },
      400,
      '/headers/x a',
      undefined,
    ],
    ['POST /faults', { status: 503 }, 400, '/endpoint', undefined],
    ['POST /faults', { endpoint: 'GET /nothing', status: 503 }, 400, '/endpoint', undefined],
    ['POST /users', { login: 'x@y.z', 'a~b/c': 1 }, 400, '/a~0b~1c', ['login']],
    ['POST /faults', { endpoint: 'Login Account', stauts: 503 }, 400, '/stauts', ['endpoint', 'times', 'latency']],
    ['POST /faults', { endpoint: 'Login Account', status: 99 }, 400, '/status', undefined],
    ['POST /faults', { endpoint: 'Login Account' }, 400, '', undefined],
    ['PATCH /policy', { rateLimits: { '*': { limit: 0, per: '1m' } } }, 400, '/rateLimits/*/limit', undefined],
    ['PATCH /policy', { requireMFA: {} }, 400, '/requireMFA', ['authorization', 'dmAccessType']],
    ['PATCH /policy', { rateLimits: { Login: null } }, 400, '/rateLimits/Login', ['Login Account', '*']],
    ['PATCH /policy', { ignoredType: 6 }, 400, '/ignoredType', [0, 1, 2, 3, 4, 5]],
    ['PATCH /policy', { newConfigStatus: 'new' }, 400, '/newConfigStatus', ['published', 'draft']],
    ['PATCH /policy', { partialUser: 'x' }, 400, '/partialUser', ['authorization', 'requireMfa']],
    ['PUT /layouts/x', { surface: 'widget_top', components: {} }, 400, '/display_name', undefined],
    ['PUT /snapshots/a%20b', undefined, 400, 'id', undefined],
    ['GET /userz', undefined, 404, 'path', ['GET /users']],
    ['PUT /users', undefined, 405, 'method', ['GET', 'POST', 'DELETE']],
    ['DELETE /faults/7', undefined, 404, 'id', []],
  ] as const)(
    '%s with %j is a problem that names the mistake, and changes nothing',
    async (route, body, status, path, allowed) => {
      const { control, service } = await startControl()
      const state = () => JSON.stringify([service.snapshot().database, service.policySettings, service.faults.all()])
      const before = state()
      const refused = await control<Problem>(route, body)
      expect(refused.headers.get('content-type')).toBe('application/problem+json')
      expect(refused.body).toMatchObject({
        status,
        title: expect.any(String),
        detail: expect.stringMatching(/^\S.*\.$/s),
      })
      expect([refused.status, refused.body.errors[0]?.path]).toEqual([status, path])
      if (allowed !== undefined) expect(refused.body.errors[0]?.allowed).toEqual(expect.arrayContaining([...allowed]))
      expect(state()).toBe(before)
    },
  )

  it.each([
    ['POST /users', { login: 'ADA@example.com' }, 'ADA@example.com belongs to another account.'],
    ['POST /clock/set', { to: 'tomorrow' }, `"tomorrow" is ${notATime}.`],
    ['POST /users/ada/email', { email: 'ada@example.com' }, 'ada@example.com already belongs to an account.'],
    ['POST /gateway/emit', '{\n  "event": "x"', 'The body is not valid JSON, at line 2, column 15.'],
    ['POST /gateway/emit', 'x', 'The body is not valid JSON.'],
    ['POST /clock/freeze', { on: true }, 'The parameters are invalid.'],
  ] as const)('%s with %j is refused with the values as given: %s', async (route, body, detail) => {
    const { control } = await startControl()
    const refused = await control<Problem>(route, body)
    expect(refused.body.detail).toBe(detail)
    expect(refused.body.errors[0]?.message).not.toMatch(/[:;] $/)
  })

  it('5,000 accounts do not make a call slow', async () => {
    const { control, service } = await startControl()
    const measure = async () => {
      const start = cpuNow()
      for (let count = 0; count < 20; count++) await control('POST /tokens', { user: 'ada' })
      return cpuNow() - start
    }
    const before = await measure()
    for (let count = 0; count < 5000; count++) {
      service.users.create({ login: `user${count}@example.com`, username: `user${count}` })
    }
    expect(await measure()).toBeLessThan(4 * before + 100)
  })

  it('a body of another content type is 415, and that of `curl -d` is accepted', async () => {
    const { control } = await startControl()
    const post = (type: string) => control<Problem>('POST /users', '{"login": "x@y.z"}', { 'content-type': type })
    expect([(await post('text/plain')).status, (await post('multipart/form-data; boundary=x')).status]).toEqual([
      415, 415,
    ])
    expect((await post('application/x-www-form-urlencoded')).status).toBe(201)
  })

  it('a body of more than 1 MiB is 413', async () => {
    const { control, service } = await startControl()
    const refused = await control<Problem>('POST /users', { login: 'x@y.z', global_name: 'x'.repeat(2 ** 20) })
    expect([refused.status, refused.body.detail]).toEqual([413, 'The body is larger than 1 MiB.'])
    const nested = `${'['.repeat(5000)}${']'.repeat(5000)}`
    const deep = await control<Problem>('POST /users', nested)
    expect([deep.status, deep.body.detail]).toEqual([400, 'The body is nested too deeply.'])
    const snapshot = await control<Problem>('PUT /snapshots/x', nested)
    expect([snapshot.status, snapshot.body.detail]).toEqual([400, 'Expected a snapshot, got an array.'])
    expect(service.users.all()).toHaveLength(1)
  })
})
