import { createMockService, type MockSnapshot } from 'rapport-sdk/mocks'
import { createMockControl } from 'rapport-sdk/mocks/control'
import { expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { cpuTimeOf } from '../cpu-time'
import { type Problem, startControl } from './control'
import { createFrameClient, identify } from './gateway-client'
import { password, start } from './set-up'

const seed = {
  $schema: './seed.schema.json',
  policy: { requireMfa: { 'Send Friend Request': true } },
  users: [
    { login: 'grace@example.com', username: 'grace', password, status: 'disabled' },
    { login: 'linus@example.com', username: 'linus', mfa: ['totp'] },
  ],
  applications: [{ owner: 'grace', name: 'Bridge Builder', authorizedBy: ['ada'] }],
  identities: [{ application: 'Bridge Builder', user: 'linus', externalUserId: '1' }],
  relationships: [{ action: 'befriend', user: 'linus', target: 'ada' }],
  suggestions: [{ user: 'grace', target: 'linus' }],
  gameSuggestions: [{ user: 'ada', games: ['Bridge Builder'] }],
  faults: [{ endpoint: 'Get Auth Sessions', status: 503, times: 1 }],
} as const

it('POST /seed adds data to a running mock, which keeps its own data and gateway sessions', async () => {
  const { control, call, service, ada, server } = await startControl()
  const authorization = service.token(ada)
  const client = createFrameClient(new WebSocket(server.gatewayUrl))
  await identify(client, authorization)
  const added = await control<{ items: { username: string; status: string }[] }>('POST /seed', seed)
  expect([added.status, added.body.items.map(({ username, status }) => [username, status])]).toEqual([
    200,
    [
      ['grace', 'disabled'],
      ['linus', 'active'],
    ],
  ])
  expect(service.users.all().map(({ username }) => username)).toContain('ada')
  expect(service.gateway.sessions).toMatchObject([{ user: ada.id, connected: true }])
  const relationships = await call('GET /api/users/@me/relationships', undefined, { authorization })
  expect(relationships.body).toMatchObject([{ type: 1, user: { username: 'linus' } }])
  expect((await call('GET /api/auth/sessions', undefined, { authorization })).status).toBe(503)
  expect((await call('GET /api/auth/sessions', undefined, { authorization })).status).toBe(200)
  const request = { username: 'grace', discriminator: null }
  const refused = await call('POST /api/users/@me/relationships', request, { authorization })
  expect(refused.body).toMatchObject({ code: 60003 })
  client.socket.close()
  await control('POST /seed', { now: '2031-01-01T00:00:00Z' })
  expect((await control('GET /clock')).body).toMatchObject({ now: '2031-01-01T00:00:00.000Z', frozen: true })
  await control('POST /reset')
  expect(service.users.all()).toHaveLength(1)
})

it('POST /seed adds data to one namespace, also from the typed client', async () => {
  const { control, server } = await startControl()
  const mock = createMockControl(server.url)
  const inOne = await mock.namespace('worker-1').seed(seed)
  expect(inOne.map(({ username }) => username)).toEqual(['grace', 'linus'])
  const byHeader = await control('POST /seed', seed, { 'x-mock-namespace': 'worker-2' })
  expect(byHeader.status).toBe(200)
  const counts = async (name: string) => (await mock.namespace(name).users.all()).length
  // The application of grace has a bot.
  expect([await counts('default'), await counts('worker-1'), await counts('worker-2')]).toEqual([1, 4, 4])
  const again = await mock.namespace('worker-3').seed(seed)
  expect(new Set([...inOne, ...again].map(({ id }) => id)).size).toBe(4)
})

it('POST /seed names each mistake with its path, and adds nothing', async () => {
  const { control, service } = await startControl()
  const before = service.snapshot()
  const refused = await control<Problem>('POST /seed', {
    ...seed,
    foo: 1,
    policy: { dmAccessType: 'x' },
    now: '2030-01-01 12:00',
    users: [{ login: 'grace@example.com', pasword: 'x' }, ...seed.users],
  })
  expect([refused.status, refused.body.errors.map(({ path }) => path)]).toEqual([
    400,
    ['/policy/dmAccessType', '/users/0/pasword', '/foo', '/now'],
  ])
  for (const [data, path] of [
    [{ ...seed, users: [...seed.users, { login: 'ada@example.com' }] }, '/users/2/login'],
    [{ ...seed, relationships: [{ action: 'befriend', user: 'linus', target: 'nobody' }] }, '/relationships/0/target'],
  ] as const) {
    const { status, body } = await control<Problem>('POST /seed', data)
    expect([status, body.errors.map((error) => error.path)]).toEqual([400, [path]])
  }
  const withSeed = await control<Problem>('POST /seed', { ...seed, seed: 7 })
  expect([withSeed.status, withSeed.body.errors[0]?.path]).toEqual([400, '/seed'])
  expect((await control('POST /seed', [seed])).status).toBe(400)
  expect(service.snapshot()).toEqual(before)
})

it.each([
  ['2030-01-01T12:30Z', '2030-01-01T12:30:00.000Z'],
  ['2030-01-01T12:30:15.5Z', '2030-01-01T12:30:15.500Z'],
  ['2030-01-01T12:30:15+02:00', '2030-01-01T10:30:15.000Z'],
  [0, '1970-01-01T00:00:00.000Z'],
  [253402300799999, '9999-12-31T23:59:59.999Z'],
])('POST /clock/set accepts %j', async (to, now) => {
  const { control } = await startControl({ service: { now: start } })
  expect(await control('POST /clock/set', { to })).toMatchObject({ status: 200, body: { now } })
})

it.each([
  ...[
    '2030',
    '2030-01',
    '2030-01-01',
    '2030-01-01T12:30',
    '2030-01-01 12:30:15Z',
    '2030-02-30T00:00:00Z',
    '2030-01-01T25:00Z',
    '1893456000000',
  ],
  ...[
    'January 1, 2030',
    '1/1/2030',
    ' 2030-01-01T00:00:00Z',
    '',
    'now',
    '+010000-01-01T00:00:00Z',
    '1969-12-31T23:59:59Z',
  ],
  ...[-1, 1.5, 253402300800000, 1e300, true, null, {}],
])('POST /clock/set refuses %j at /to, and the clock stays', async (to) => {
  const { control } = await startControl({ service: { now: start } })
  const refused = await control<Problem>('POST /clock/set', { to })
  expect([refused.status, refused.body.errors[0]?.path]).toEqual([400, '/to'])
  expect((await control('GET /clock')).body.now).toBe(start)
})

it.each([null, true, []])('POST /clock/set says what it accepts instead of %j', async (to) => {
  const { control } = await startControl()
  const { body } = await control<Problem>('POST /clock/set', { to })
  expect(body.errors[0]?.message).toMatch(
    /^expected a time with its zone, such as "\S+", or milliseconds since the epoch, got /,
  )
})

it('a snapshot larger than other bodies and deeper than requests can be stored as it was read', async () => {
  const { control, service, ada } = await startControl()
  for (let index = 0; index < 3200; index += 1) service.users.create({ login: `${index}@example.com` })
  const asset = JSON.parse(`${'{"a":'.repeat(98)}1${'}'.repeat(98)}`)
  service.applications.create({ owner: ada, assets: [{ id: '1', asset }] })
  await control('PUT /snapshots/large')
  const { body } = await control<MockSnapshot>('GET /snapshots/large')
  expect(JSON.stringify(body).length).toBeGreaterThan(2 ** 20)
  service.reset()
  for (const path of ['/snapshots/copy', '/namespaces/worker-1/snapshots/copy'] as const) {
    expect((await control(`PUT ${path}`, body)).status).toBe(200)
    expect((await control(`POST ${path}/restore`)).status).toBe(204)
  }
  expect(service.snapshot()).toEqual(body)
  const refused = await control('POST /users', JSON.stringify(body))
  expect(refused.status).toBe(413)
})

it('a stored snapshot says that it has no policy, and restoring one leaves the policy as it is', async () => {
  const { control, server } = await startControl()
  const excludes = ['policy', 'gateway_sessions']
  expect((await control('PUT /snapshots/one')).body).toMatchObject({ name: 'one', excludes })
  expect((await control('GET /snapshots')).body.items).toMatchObject([{ name: 'one', excludes }])
  const mock = createMockControl(server.url)
  await mock.policy.change({ dmAccessType: 7 })
  expect(await mock.snapshots.save('two')).toMatchObject({ excludes })
  await mock.snapshots.restore('one')
  expect((await mock.policy.get()).dmAccessType).toBe(7)
})

it('tickets, tokens and codes that have expired are removed when the next one is issued', async () => {
  const { control, call, service, ada } = await startControl({ service: { now: start } })
  await control('PATCH /policy', { requireMfa: { 'Get Auth Sessions': true } })
  const authorization = service.token(ada)
  const issue = async () => {
    await call('POST /api/auth/login', { login: 'ada@example.com', password })
    const { body } = await call<{ mfa: { ticket: string } }>('GET /api/auth/sessions', undefined, { authorization })
    const code = { ticket: body.mfa.ticket, mfa_type: 'totp', data: service.users.totp(ada) }
    expect((await call('POST /api/mfa/finish', code, { authorization })).status).toBe(200)
    await call('POST /api/auth/forgot', { login: 'ada@example.com' })
    await call('POST /api/auth/handoff', { key: 'k' }, { authorization })
    await call('POST /api/auth/register/phone', { phone: `+1555555${1000 + sizes.length}` })
    const { tickets, elevations, grants, handoffs, phoneCodes } = service.snapshot().database
    sizes.push([tickets, elevations, grants, handoffs, phoneCodes].map(({ length }) => length))
  }
  const sizes: number[][] = []
  for (const step of ['0m', '1m', '2h', '2h'] as const) {
    service.clock.advance(step)
    await issue()
  }
  const [first = [], second, ...later] = sizes
  expect(first.every((size) => size > 0)).toBe(true)
  expect(second).toEqual(first.map((size) => 2 * size))
  expect(later).toEqual([first, first])
})

/** Numbers of which each is invalid in most places of a snapshot. */
const NUMBERS = [-1e300, -1, 0.5, 2 ** 53, 253402300800000, 1e300]

/** Calls `visit` with each object or array in a value that has a number, and its key. */
function visitNumbers(value: unknown, visit: (parent: object, key: string) => void): void {
  for (const [key, part] of Object.entries(Object(value))) {
    if (typeof part === 'number') visit(Object(value), key)
    else if (typeof part === 'object') visitNumbers(part, visit)
  }
}

it('a snapshot with any other number is refused, or leaves a service that works and can be reset', async () => {
  const { control, call, service, ada } = await startControl({ service: { now: start } })
  const grace = service.users.create({ login: 'grace@example.com', username: 'grace', mfa: ['webauthn'] })
  service.relationships.request(grace, ada)
  service.users.suggest(ada, grace)
  service.faults.on('Get Location Metadata', { status: 503, times: 2, after: 1 })
  service.gateway.drop(4000, { at: 'identify', times: 2 })
  service.gateway.refuse({ times: 1, status: 503 })
  service.clock.freeze()
  const authorization = service.token(ada)
  await call('POST /api/auth/login', { login: 'ada@example.com', password })
  await call('POST /api/auth/forgot', { login: 'ada@example.com' })
  await call('POST /api/auth/handoff', { key: 'k' }, { authorization })
  const snapshot = service.snapshot()
  const { now } = (await control('GET /clock')).body
  let accepted = 0
  const numbers: [object, string][] = []
  const changed = structuredClone(snapshot)
  visitNumbers(changed, (parent, key) => numbers.push([parent, key]))
  expect(numbers.length).toBeGreaterThan(25)
  for (const [parent, key] of numbers) {
    const before: unknown = Reflect.get(parent, key)
    for (const number of NUMBERS) {
      Reflect.set(parent, key, number)
      const stored = await control('PUT /snapshots/changed', changed)
      if (stored.status === 400) continue
      accepted += 1
      expect((await control('POST /snapshots/changed/restore')).status).toBe(204)
      for (const route of ['/clock', '/users', '/requests', '/faults'] as const)
        expect([key, number, (await control(`GET ${route}`)).status]).toEqual([key, number, 200])
      for (const path of ['users/@me/relationships', 'auth/sessions', 'friend-suggestions'] as const) {
        const { status } = await call(`GET /api/${path}`, undefined, { authorization })
        expect([key, number, status < 500]).toEqual([key, number, true])
      }
    }
    Reflect.set(parent, key, before)
    expect((await control('POST /reset')).status).toBe(204)
  }
  expect(accepted).toBeGreaterThan(0)
  expect((await control('GET /clock')).body.now).toBe(now)
})

it.each([
  ['frozenAt', -1],
  ['frozenAt', 253402300800000],
  ['frozenAt', 0.5],
  ['offset', 0.5],
  ['offset', 253402300799999],
  ['offset', -253402300799999],
] as const)('restore() refuses the %s %d, and the service keeps its time', (name, value) => {
  for (const now of [undefined, start]) {
    const service = createMockService(now === undefined ? {} : { now })
    service.users.create({ login: 'ada@example.com' })
    const before = service.clock.now()
    expect(() => service.restore({ ...service.snapshot(), frozenAt: null, [name]: value })).toThrow(TypeError)
    expect(service.clock.now() - before).toBeLessThan(60_000)
    expect(service.users.all()).toHaveLength(1)
  }
})

it('a state without the records that others refer to can be reset', async () => {
  const { control, call, service, ada } = await startControl()
  const grace = service.users.create({ login: 'grace@example.com', username: 'grace' })
  service.relationships.befriend(ada, grace)
  const application = service.applications.create({ owner: grace })
  service.identities.create({ application, user: ada, externalUserId: '1' })
  const authorization = service.token(ada)
  const snapshot = service.snapshot()
  for (const table of ['users', 'applications', 'sessions', 'layouts'] as const) {
    const damaged = { ...snapshot, database: { ...snapshot.database, [table]: [] } }
    expect((await control('PUT /snapshots/damaged', damaged)).status).toBe(200)
    expect((await control('POST /snapshots/damaged/restore')).status).toBe(204)
    await call('GET /api/users/@me/relationships', undefined, { authorization })
    expect((await control('POST /reset')).status).toBe(204)
    expect(service.users.all().map(({ username }) => username)).toEqual(['ada'])
  }
})

it('`DELETE /users` takes as long for all accounts at once as for a few at a time', async () => {
  const { control, service } = await startControl()
  const removeAll = async (size: number) => {
    let last = service.users.create({ login: 'first@example.com' })
    for (let index = 1; index < size; index += 1) {
      const user = service.users.create({ login: `${index}@example.com`, username: `user_${index}` })
      service.relationships.befriend(user, last)
      last = user
    }
    expect((await control('DELETE /users')).status).toBe(204)
    expect(service.users.all()).toEqual([])
  }
  const total = 6000
  const inBatchesOf = (size: number) =>
    cpuTimeOf(async () => {
      for (let rest = total; rest > 0; rest -= size) await removeAll(size)
    })
  await inBatchesOf(60)
  // Linear is at most 1, quadratic about 5.
  const growth = async () => (await inBatchesOf(total)) / (await inBatchesOf(60))
  const measured: number[] = []
  while (measured.length < 3 && !measured.some((one) => one < 2)) measured.push(await growth())
  expect(Math.min(...measured)).toBeLessThan(2)
})

it('an account is removed with all that refers to it, and nothing else', async () => {
  const { control, service, ada } = await startControl()
  const [grace, linus] = ['grace', 'linus'].map((username) =>
    service.users.create({ login: `${username}@example.com`, username }),
  )
  if (grace === undefined || linus === undefined) throw new Error('two accounts were created')
  const application = service.applications.create({ owner: grace })
  service.identities.create({ application, user: linus, externalUserId: 'linus' })
  service.relationships.befriend(grace, ada)
  service.relationships.befriend(linus, ada)
  service.users.suggest(linus, grace)
  service.users.suggest(linus, ada)
  service.users.suspend(grace)
  service.token(linus, { oauth2: application })
  service.token(linus)
  expect((await control('DELETE /users/grace')).status).toBe(204)
  const { database } = service.snapshot()
  expect(JSON.stringify({ ...database, mail: [] })).not.toContain(grace.id)
  expect(JSON.stringify(database)).not.toContain(application.id)
  expect(service.users.all().map(({ username }) => username)).toEqual(['ada', 'linus'])
  expect(service.relationships.between(linus, ada)).toBe(1)
  expect(database.sessions).toHaveLength(1)
  expect(database.suggestions).toMatchObject([[linus.id, [{ suggestedId: ada.id }]]])
})
