import { once } from 'node:events'
import { createMockService, type MockSnapshot } from 'rapport-sdk/mocks'
import { createMockControl } from 'rapport-sdk/mocks/control'
import { listen } from 'rapport-sdk/mocks/node'
import { describe, expect, it, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { type Problem, startControl } from './control'
import { createFrameClient, identify } from './gateway-client'
import { password, start } from './set-up'

const login = { login: 'ada@example.com', password }

test('each namespace has its own users, clock, faults, mailbox, policy and requests', async () => {
  const { control, call } = await startControl()
  const inOne = { 'x-mock-namespace': 'worker-1' }
  await control('DELETE /users/ada', undefined, inOne)
  await control('POST /clock/set', { to: '2030-01-01T00:00:00Z' }, inOne)
  await control('POST /faults', { endpoint: 'Get Location Metadata', status: 503 }, inOne)
  await control('PATCH /policy', { resetEndsSessions: false }, inOne)
  expect((await call('POST /api/auth/login', login, inOne)).status).toBe(400)
  expect((await call('GET /api/auth/location-metadata', undefined, inOne)).status).toBe(503)
  expect((await call('POST /api/auth/login', login)).status).toBe(200)
  expect((await call('GET /api/auth/location-metadata')).status).toBe(200)
  await call('POST /api/auth/forgot', { login: 'ada@example.com' })
  expect((await control('GET /mail', undefined, inOne)).body).toEqual({ items: [] })
  expect((await control('GET /mail')).body.items).toHaveLength(1)
  expect((await control('GET /clock')).body.now).not.toContain('2030')
  expect((await control('GET /policy')).body.resetEndsSessions).toBe(true)
  expect((await control('GET /requests', undefined, inOne)).body.items).toHaveLength(2)
})

test('removing a namespace ends what waits for its requests, with an error', async () => {
  const { call, control, service } = await startControl()
  await control('POST /namespaces/w/users', { login: 'grace@example.com', username: 'grace' })
  const waiting = control<Problem>('GET /namespaces/w/requests?wait=30s')
  const verifying = control<Problem>('POST /namespaces/w/requests/verify', { endpoint: 'Logout', wait: '30s' })
  const other = control<{ items: object[] }>('GET /requests?wait=30s')
  await control('GET /namespaces')
  expect((await control('DELETE /namespaces/w')).status).toBe(204)
  for (const { status, body } of [await waiting, await verifying]) {
    expect([status, body.detail]).toEqual([410, 'The namespace was removed while the request waited.'])
  }
  await call('GET /api/auth/location-metadata')
  expect((await other).body.items).toHaveLength(1)
  expect(service.journal.requests).toHaveLength(1)
})

test('a path names the namespace for callers that cannot set headers, also for the gateway', async () => {
  const { control, call, server } = await startControl()
  await control('POST /namespaces/w.2/users', { login: 'grace@example.com', username: 'grace' })
  expect((await control('GET /users')).body.items).toHaveLength(1)
  expect((await call('POST /_ns/w.2/api/auth/login', login)).status).toBe(200)
  const { token } = (await control('POST /namespaces/w.2/tokens', { user: 'grace' })).body
  const url = server.gatewayUrl.replace('/api', '/_ns/w.2/api')
  const client = createFrameClient(new WebSocket(url))
  const ready = await identify(client, String(token))
  expect(ready).toMatchObject({ resume_gateway_url: url })
  expect((await control('GET /namespaces/w.2/gateway/sessions')).body.items).toHaveLength(1)
  expect((await control('GET /gateway/sessions')).body.items).toHaveLength(0)
  expect((await control('DELETE /namespaces/w.2')).status).toBe(204)
  expect(await client.closed).toMatchObject({ code: 1001 })
  const byHeader = new WebSocket(server.gatewayUrl, { headers: { 'x-mock-namespace': 'w.3' } })
  const other = createFrameClient(byHeader)
  expect(await other.next()).toMatchObject({ op: 10 })
  expect((await control('GET /namespaces')).body).toEqual({ items: [{ name: 'default' }, { name: 'w.3' }] })
  other.socket.close()
})

test('the namespace in the path counts if the header has another one', async () => {
  const { call, control, server } = await startControl()
  const inTwo = { 'x-mock-namespace': 'two' }
  expect((await call('GET /_ns/one/api/auth/location-metadata', undefined, inTwo)).status).toBe(200)
  expect((await control('GET /namespaces/three/users', undefined, inTwo)).status).toBe(200)
  const gateway = new WebSocket(server.gatewayUrl.replace('/api', '/_ns/four/api'), { headers: inTwo })
  await once(gateway, 'open')
  const items = ['default', 'one', 'three', 'four'].map((name) => ({ name }))
  expect((await control('GET /namespaces')).body).toEqual({ items })
  gateway.close()
})

test.each(['.', '..'])('a namespace "%s", which no URL can name, is refused', async (name) => {
  const { control } = await startControl()
  const answer = await control<Problem>('GET /users', undefined, { 'x-mock-namespace': name })
  expect([answer.status, answer.body.errors[0]?.message]).toEqual([400, expect.stringContaining('but not "." or ".."')])
  expect((await control('GET /namespaces')).body).toEqual({ items: [{ name: 'default' }] })
})

test('a namespace begins with the state at the start, and POST /reset restores it there alone', async () => {
  const { control, service } = await startControl()
  service.users.create({ login: 'later@example.com' })
  const count = async (route: `GET /${string}`) => (await control<{ items: object[] }>(route)).body.items.length
  expect(await count('GET /namespaces/a/users')).toBe(1)
  await control('DELETE /namespaces/a/users')
  expect(await count('GET /namespaces/a/users')).toBe(0)
  await control('POST /namespaces/a/reset')
  expect([await count('GET /namespaces/a/users'), await count('GET /users')]).toEqual([1, 2])
  expect((await control('DELETE /namespaces/default')).status).toBe(204)
  expect(await count('GET /users')).toBe(1)
})

test('more namespaces than allowed and invalid names are refused, by the service too', async () => {
  const { control, call } = await startControl({ maxNamespaces: 2 })
  expect((await control('GET /health', undefined, { 'x-mock-namespace': 'one' })).status).toBe(200)
  const refused = await control<Problem>('GET /health', undefined, { 'x-mock-namespace': 'two' })
  expect([refused.status, refused.body.errors[0]?.allowed]).toEqual([507, ['default', 'one']])
  const byService = await call('GET /api/auth/location-metadata', undefined, { 'x-mock-namespace': 'two' })
  expect(byService).toMatchObject({ status: 507, body: { code: 0, message: expect.stringContaining('maximum') } })
  expect((await call('GET /_ns/a%20b/api/auth/location-metadata')).status).toBe(400)
  expect((await call('GET /api/auth/location-metadata', undefined, { 'x-mock-namespace': 'a b' })).status).toBe(400)
  expect((await control('DELETE /namespaces/two')).status).toBe(404)
  await control('DELETE /namespaces/one')
  expect((await control('GET /health', undefined, { 'x-mock-namespace': 'two' })).status).toBe(200)
})

/** Replaces the time by which namespaces are unused. @returns a function that advances it. */
function controlUse() {
  const { now } = performance
  let ahead = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + ahead)
  onTestFinished(() => void vi.restoreAllMocks())
  return (minutes: number) => {
    ahead += minutes * 60_000
  }
}

const named = (name: string) => ({ 'x-mock-namespace': name })

test('a namespace unused for ten minutes makes room for another, and a request to its name gets 410', async () => {
  const advance = controlUse()
  const { control, call, server } = await startControl({ maxNamespaces: 3 })
  const create = async (name: string) => (await control('GET /users', undefined, named(name))).status
  expect(await create('oldest')).toBe(200)
  advance(1)
  expect(await create('later')).toBe(200)
  advance(8.9)
  expect(await create('refused')).toBe(507)
  advance(0.2)
  expect(await create('new')).toBe(200)
  expect((await control('GET /namespaces')).body.items).toEqual(['default', 'later', 'new'].map((name) => ({ name })))
  const gone = await control<Problem>('GET /users', undefined, named('oldest'))
  expect([gone.status, gone.body.title, gone.body.detail]).toEqual([410, 'Gone', expect.stringContaining('"oldest"')])
  for (const refused of [
    await call('GET /api/auth/location-metadata', undefined, named('oldest')),
    await call('GET /_ns/oldest/api/auth/location-metadata'),
  ]) {
    expect(refused).toMatchObject({ status: 410, body: { message: expect.stringContaining('"oldest"') } })
  }
  const socket = new WebSocket(server.gatewayUrl.replace('/api', '/_ns/oldest/api'))
  const error = await new Promise<Error>((resolve) => socket.once('error', resolve))
  expect(error.message).toContain('410')
  advance(9)
  expect(await create('next')).toBe(200)
  expect((await control('GET /users', undefined, named('later'))).status).toBe(410)
  expect(await create('refused')).toBe(507)
  expect((await control('DELETE /namespaces/new')).status).toBe(204)
  expect((await control('DELETE /namespaces/oldest')).status).toBe(204)
  expect((await control('DELETE /namespaces/oldest')).status).toBe(404)
  expect(await create('oldest')).toBe(200)
})

test('a namespace with a connection of the gateway, an open event stream or a waiting call keeps its place', async () => {
  const advance = controlUse()
  const { control, server, origin } = await startControl({ maxNamespaces: 4 })
  const client = createFrameClient(new WebSocket(server.gatewayUrl.replace('/api', '/_ns/gateway/api')))
  expect(await client.next()).toMatchObject({ op: 10 })
  const events = new AbortController()
  await fetch(`${origin}/_mock/namespaces/events/events`, { signal: events.signal })
  const waiting = new AbortController()
  const call = fetch(`${origin}/_mock/namespaces/waiting/mail/last?wait=60s`, { signal: waiting.signal })
  await vi.waitFor(async () => expect((await control('GET /namespaces')).body.items).toHaveLength(4))
  advance(60)
  expect((await control('GET /users', undefined, named('more'))).status).toBe(507)
  for (const end of [() => client.socket.close(), () => events.abort(), () => waiting.abort()]) {
    advance(60)
    end()
  }
  await expect(call).rejects.toThrow()
  // They were used until now.
  expect((await control('GET /users', undefined, named('more'))).status).toBe(507)
  await vi.waitFor(async () => {
    advance(11)
    expect((await control('GET /users', undefined, named('more'))).status).toBe(200)
  })
})

test('with a control token, only the control API creates namespaces', async () => {
  const { control, call, server } = await startControl({ control: { token: 's3cret' } })
  const authorization = 'Bearer s3cret'
  const get = () => call('GET /_ns/worker-1/api/auth/location-metadata')
  const refused = await get()
  expect(refused).toMatchObject({ status: 404, body: { message: expect.stringContaining('"worker-1"') } })
  expect((await call('GET /api/auth/location-metadata', undefined, named('worker-1'))).status).toBe(404)
  const socket = new WebSocket(server.gatewayUrl.replace('/api', '/_ns/worker-1/api'))
  expect((await new Promise<Error>((resolve) => socket.once('error', resolve))).message).toContain('404')
  expect((await control('GET /namespaces', undefined, { authorization })).body.items).toEqual([{ name: 'default' }])
  expect((await control('GET /health', undefined, { authorization, ...named('worker-1') })).status).toBe(200)
  expect((await get()).status).toBe(200)
})

/** IDs and tokens of a namespace: of the data that it began with, and of new ones. */
async function valuesOf(control: Awaited<ReturnType<typeof startControl>>['control'], name: string) {
  const inOne = named(name)
  await control('POST /users', { login: 'new@example.com', username: 'new' }, inOne)
  const [ada, created] = (await control<{ items: { id: string }[] }>('GET /users', undefined, inOne)).body.items
  const token = (await control<{ token: string }>('POST /tokens', { user: 'ada' }, inOne)).body.token
  await control('PUT /snapshots/now', undefined, inOne)
  const snapshot = (await control<MockSnapshot>('GET /snapshots/now', undefined, inOne)).body
  const { sessions, grants, relationships } = snapshot.database
  const keys = [...sessions, ...grants].map(([key]) => key)
  return { ids: [ada?.id, created?.id, ...sessions.map(([, { id }]) => id)], token, keys, relationships }
}

test('IDs and tokens differ between namespaces, and are the same in the next run', async () => {
  const run = async () => {
    const { control, call, service, ada, server } = await startControl({ service: { seed: 7, now: start } })
    service.relationships.befriend(ada, service.users.create({ login: 'grace@example.com', username: 'grace' }))
    const early = service.token(ada)
    await call('POST /api/auth/forgot', { login: 'ada@example.com' })
    server.saveBaseline()
    const names = ['default', 'worker-1', 'worker-2']
    const values = [await valuesOf(control, 'default'), await valuesOf(control, 'worker-1')]
    values.push(await valuesOf(control, 'worker-2'))
    const all = values.flatMap(({ ids, keys }) => [...ids, ...keys])
    expect(new Set(all).size).toBe(all.length)
    for (const [index, { token }] of values.entries()) {
      for (const name of names) {
        const reply = await call<unknown>(`GET /_ns/${name}/api/users/@me/relationships`, undefined, {
          authorization: token,
        })
        expect([reply.status, name]).toEqual([name === names[index] ? 200 : 401, name])
        if (reply.status === 200) expect(reply.body).toMatchObject([{ type: 1, user: { username: 'grace' } }])
      }
    }
    const elsewhere = await call('GET /_ns/worker-1/api/auth/sessions', undefined, { authorization: early })
    expect(elsewhere.status).toBe(401)
    // The token of the mail is the one of the namespace.
    const mail = await control('GET /mail/last', undefined, named('worker-1'))
    expect(mail.body.link).toContain(String(mail.body.token))
    const reset = { token: mail.body.token, password: 'a brand new one' }
    expect((await call('POST /api/auth/reset', reset)).status).toBe(400)
    expect((await call('POST /api/auth/reset', reset, named('worker-1'))).status).toBe(200)
    await control('POST /reset', undefined, named('worker-2'))
    const again = await valuesOf(control, 'worker-2')
    expect(again).toEqual(values[2])
    return values
  }
  expect(await run()).toEqual(await run())
})

test('sessions of the gateway have other IDs in another namespace', async () => {
  const { control, server } = await startControl()
  const idOf = async (name: string) => {
    const { token } = (await control('POST /tokens', { user: 'ada' }, named(name))).body
    const client = createFrameClient(new WebSocket(server.gatewayUrl.replace('/api', `/_ns/${name}/api`)))
    const { session_id } = (await identify(client, String(token))) as { session_id: string }
    client.socket.close()
    return session_id
  }
  const ids = [await idOf('default'), await idOf('worker-1'), await idOf('worker-2')]
  expect(new Set(ids).size).toBe(3)
})

test('`onNamespace` receives the service of each namespace', async () => {
  const created: string[] = []
  const { call } = await startControl({
    onNamespace: (service, name) => {
      created.push(`${name} ${service.users.all().length}`)
    },
  })
  await call('GET /_ns/x/api/auth/location-metadata')
  await call('GET /_ns/x/api/auth/location-metadata')
  expect(created).toEqual(['x 1'])
})

/** Reads server-sent events from a response. */
async function* readEvents(response: Response): AsyncGenerator<{ type: string }> {
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += new TextDecoder().decode(chunk)
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const block = text.slice(0, end)
      text = text.slice(end + 2)
      const [, data] = /^data: (.*)$/.exec(block) ?? []
      if (data !== undefined) yield JSON.parse(data)
    }
  }
}

describe('GET /events', () => {
  it('streams events as they happen, or only those of some types', async () => {
    const { call, control, origin } = await startControl()
    const response = await fetch(`${origin}/_mock/events`)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const events = readEvents(response)
    const filtered = readEvents(await fetch(`${origin}/_mock/events?types=user,clock`))
    await call('POST /api/auth/forgot', { login: 'ada@example.com' })
    await control('POST /clock/advance', { by: '1m' })
    const seen = [(await events.next()).value, (await events.next()).value, (await events.next()).value]
    expect(seen.map(({ type }) => type)).toEqual(['mail', 'request', 'clock'])
    await events.return(undefined)
    await control('POST /users/ada/lock')
    expect([(await filtered.next()).value, (await filtered.next()).value]).toMatchObject([
      { type: 'clock' },
      { type: 'user' },
    ])
    await filtered.return(undefined)
  })

  it('streams no events of another namespace', async () => {
    const { control, origin } = await startControl()
    const events = readEvents(await fetch(`${origin}/_mock/namespaces/w/events`))
    await control('POST /users/ada/lock')
    await control('POST /namespaces/w/users/ada/disable')
    expect((await events.next()).value).toMatchObject({ user: { status: 'disabled' } })
    await events.return(undefined)
  })
})

describe('the start of namespaces', () => {
  it('namespaces and POST /reset begin with the policy that the service had at the start', async () => {
    const service = createMockService({ baseUrl: 'http://localhost', policy: { dmAccessType: 5 } })
    service.changePolicy({ rateLimits: { 'Get Location Metadata': { limit: 7, per: '1m' } } })
    const server = await listen(service)
    onTestFinished(() => service.close())
    const mock = createMockControl(server.url)
    const expected = { dmAccessType: 5, rateLimits: { 'Get Location Metadata': { limit: 7, per: '1m' } } }
    for (const control of [mock, mock.namespace('worker-1')]) {
      expect(await control.policy.get()).toMatchObject(expected)
      await control.policy.change({ dmAccessType: 6, rateLimits: { 'Get Location Metadata': null } })
      await control.reset()
      expect(await control.policy.get()).toMatchObject(expected)
    }
  })

  it('snapshots() of a server are the namespaces of another one, and POST /reset restores them there', async () => {
    const { control, server } = await startControl()
    await control('DELETE /namespaces/one/users')
    await control('POST /namespaces/two/users', { login: 'grace@example.com', username: 'grace' })
    const saved = JSON.parse(JSON.stringify(server.snapshots()))
    expect(Object.keys(saved)).toEqual(['default', 'one', 'two'])

    const created: string[] = []
    const service = createMockService({ baseUrl: 'http://localhost' })
    const second = await listen(service, { namespaces: saved, onNamespace: (_, name) => created.push(name) })
    onTestFinished(() => service.close())
    const mock = createMockControl(second.url)
    const names = async (name: string) => (await mock.namespace(name).users.all()).map(({ username }) => username)
    expect([await names('default'), await names('one'), await names('two')]).toEqual([['ada'], [], ['ada', 'grace']])
    expect(created).toEqual(['one', 'two'])
    for (const name of ['default', 'one', 'two']) {
      await mock.namespace(name).users.create({ login: 'new@example.com', username: 'new' })
      await mock.namespace(name).reset()
    }
    expect([await names('default'), await names('one'), await names('two')]).toEqual([['ada'], [], ['ada', 'grace']])
    // A new namespace begins with the state of the default one.
    expect(await names('three')).toEqual(['ada'])
  })

  it('listen() rejects invalid namespaces with their name, and changes nothing', async () => {
    const service = createMockService({ baseUrl: 'http://localhost' })
    service.users.create({ login: 'ada@example.com' })
    const snapshot = createMockService().snapshot()
    const reject = (namespaces: object, max = 64) =>
      expect(listen(service, { namespaces: namespaces as Record<string, MockSnapshot>, maxNamespaces: max })).rejects
    await reject({ default: snapshot, 'a b': snapshot }).toThrow('listen: namespaces.a b: A name must be 1 to 64')
    await reject({ default: snapshot, one: { version: 7 } }).toThrow(
      'listen: namespaces.one: the snapshot has version 7',
    )
    await reject({ one: snapshot, two: snapshot }, 2).toThrow('listen: namespaces: 3 namespaces, at most 2')
    await reject([]).toThrow('listen: namespaces: expected an object of snapshots by name')
    expect(service.users.all()).toHaveLength(1)
  })
})
