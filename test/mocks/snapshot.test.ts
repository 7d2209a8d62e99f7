import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMockService, type MockService, type MockSnapshot } from 'rapport-sdk/mocks'
import { describe, expect, it, test } from 'vitest'
import { baseUrl, password, sender, setUp, start } from './set-up'

const throughJson = (snapshot: MockSnapshot): MockSnapshot => JSON.parse(JSON.stringify(snapshot))
const fresh = () => createMockService({ baseUrl, now: start })

/** Sets up a service whose snapshot has a row in every table and every other part. */
async function setUpFull() {
  const setup = setUp({ policy: { requireMfa: (endpoint) => endpoint === 'Logout Auth Sessions' } })
  const { service, ada, grace, as, send } = setup
  const carol = service.users.create({
    login: '+15550100123',
    username: 'carol',
    password,
    mfa: ['totp', 'sms', 'backup', 'webauthn'],
  })
  const application = service.applications.create({ owner: ada })
  const data = { dynamic: [{ name: 'Žofie \ud83d\udca1', type: 1, value: '', more: null }], nothing: null }
  service.identities.create({ application, user: grace, externalUserId: 'a b/c', data: data as never })
  service.layouts.define({ key: 'extra', surface: 'widget_top', components: {}, display_name: 'Extra' })
  service.users.suggest(ada, carol)
  service.users.suspend(service.users.create({ login: 'gone@example.com', password }))
  const asAda = as(ada)
  await asAda(`PUT /users/@me/relationships/${grace.id}`, {})
  await asAda('PUT /users/@me/widgets', {
    widgets: [{ data: { type: 'application', application_id: application.id } }],
  })
  await asAda('POST /auth/handoff', { key: 'k' })
  await send('POST /auth/forgot', { login: 'ada@example.com' })
  const { body: login } = await send('POST /auth/login', { login: '+15550100123', password })
  await send('POST /auth/mfa/sms/send', { ticket: login.ticket })
  const asCarol = as(carol)
  const { body: refused } = await asCarol<{ mfa: { ticket: string } }>('POST /auth/sessions/logout', {
    session_id_hashes: ['x'],
  })
  const code = service.users.totp(carol)
  const finish = { ticket: refused.mfa.ticket, mfa_type: 'totp', data: code }
  const { body: elevated } = await asCarol('POST /mfa/finish', finish)
  service.faults.on('Get Location Metadata', { status: 500, times: 2 })
  service.faults.on('Get Auth Sessions', { latency: '1ms' })
  service.stubs.on('GET /somewhere', {})
  service.faults.on('GET /somewhere', { status: 418, times: Number.POSITIVE_INFINITY })
  service.gateway.drop(4000, { at: 'identify' })
  service.gateway.refuse({ times: 1 })
  service.clock.advance('90s')
  return { ...setup, carol, application, ticket: login.ticket, token: service.token(carol), jwt: elevated.token }
}

test('a snapshot is plain JSON, and a restored one leads to an equal snapshot', async () => {
  const { service } = await setUpFull()
  const snapshot = service.snapshot()
  expect(throughJson(snapshot)).toStrictEqual(snapshot)
  service.reset()
  service.restore(throughJson(snapshot))
  expect(service.snapshot()).toStrictEqual(snapshot)
  const other = fresh()
  other.restore(throughJson(snapshot))
  expect(other.snapshot()).toStrictEqual(snapshot)
})

test('a snapshot has the version of its format', () => {
  expect(fresh().snapshot().version).toBe(1)
})

test('a snapshot restores tokens, factors, tickets, faults, random values and the clock in another service', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'snapshot-'))
  const { service, carol, ticket, token, jwt } = await setUpFull()
  const file = join(folder, 'state.json')
  writeFileSync(file, JSON.stringify(service.snapshot()))
  const other = createMockService({ baseUrl, now: start, policy: { requireMfa: service.policy.requireMfa } })
  other.restore(JSON.parse(readFileSync(file, 'utf8')))
  await rm(folder, { recursive: true })

  const replay = async (target: MockService) => {
    const send = sender(target.fetch, baseUrl)
    const asAda = sender(target.fetch, baseUrl, token)
    const results: unknown[] = [target.clock.now(), target.mail.all(), target.sms.all(), target.journal.requests]
    const call = async (route: `${string} /${string}`, body?: unknown, headers?: Record<string, string>) =>
      results.push(await (headers === undefined ? send : asAda)(route, body, headers).then((a) => [a.status, a.body]))
    await call('POST /auth/mfa/sms', { ticket, code: target.sms.last('+15550100123', 'mfa').code })
    await call('GET /auth/sessions', undefined, {})
    await call('POST /auth/sessions/logout', { session_id_hashes: ['x'] }, { 'x-service-mfa-authorization': `${jwt}` })
    await call('POST /auth/login', { login: '+15550100123', password })
    await call('POST /auth/reset', { token: target.mail.last('ada@example.com').token, password: 'a brand new one' })
    for (let count = 0; count < 3; count++) await call('GET /auth/location-metadata')
    await call('POST /auth/register', { username: 'new' })
    results.push(target.users.backupCodes(carol), target.users.totp(carol), target.users.all())
    return results
  }
  expect(await replay(other)).toEqual(await replay(service))
})

test.each([undefined, '2040-01-01T00:00:00Z'])(
  'a snapshot of a clock that stands still restores its time in a service that starts at %s',
  (now) => {
    const service = fresh()
    service.clock.advance('5m')
    const other = createMockService({ baseUrl, ...(now && { now }) })
    other.restore(throughJson(service.snapshot()))
    expect([other.clock.now(), other.clock.isFrozen]).toEqual([service.clock.now(), true])
  },
)

test('a snapshot of a clock that runs restores one that runs, also in a service whose clock stood still', () => {
  const service = fresh()
  service.clock.freeze(false)
  const snapshot = service.snapshot()
  service.reset()
  expect(service.clock.isFrozen).toBe(true)
  service.restore(snapshot)
  expect(service.clock.isFrozen).toBe(false)
})

test('a snapshot keeps sessions and faults without an end', async () => {
  const { service, ada, as } = setUp()
  const asAda = as(ada)
  service.faults.on('Get Auth Sessions', { status: 503 })
  service.restore(throughJson(service.snapshot()))
  service.clock.advance('10000d')
  for (let count = 0; count < 3; count++) expect((await asAda('GET /auth/sessions')).status).toBe(503)
  service.faults.clear()
  expect((await asAda('GET /auth/sessions')).status).toBe(200)
})

test('a snapshot does not change with the service it was restored to', async () => {
  const { service, ada, as } = setUp()
  const asAda = as(ada)
  const snapshot = service.snapshot()
  const before = throughJson(snapshot)
  service.restore(snapshot)
  await asAda('GET /auth/sessions')
  expect(snapshot).toStrictEqual(before)
})

describe('restore() of an invalid snapshot', () => {
  const createSnapshot = () => JSON.parse(JSON.stringify(setUp().service.snapshot()))
  const edit = (change: (snapshot: ReturnType<typeof createSnapshot>) => void) => {
    const snapshot = createSnapshot()
    change(snapshot)
    return snapshot
  }
  const relationship = (userId: string, targetId: string) => ({
    ...{ userId, targetId, type: 1, nickname: null, ignored: false, spam: false, stranger: false },
    ...{ originApplicationId: null, since: null, note: null },
  })
  const session = ['key', { id: '1', idHash: 'x', token: 't0p-s3cret', userId: '1', kind: 'user' }]

  it.each<readonly [string, unknown, string]>([
    ['undefined', undefined, 'expected a snapshot, got undefined'],
    ['null', null, 'expected a snapshot, got null'],
    ['a number', 7, 'expected a snapshot, got a number'],
    ['a function', () => 1, 'expected a snapshot, got a function'],
    ['an array', [], 'expected a snapshot, got an array'],
    ['a string', JSON.stringify(createSnapshot()), 'got a string; parse the JSON first'],
    ['an empty object', {}, 'has no version'],
    [
      'another version',
      edit((it) => Object.assign(it, { version: 2 })),
      'the snapshot has version 2, this service restores version 1',
    ],
    ['a version that is a string', edit((it) => Object.assign(it, { version: '1' })), 'version'],
    ['a missing database', edit((it) => delete it.database), 'database: required'],
    ['a missing table', edit((it) => delete it.database.users), 'database.users: required'],
    ['an unknown table', edit((it) => Object.assign(it.database, { more: [] })), 'database.more: unknown field'],
    [
      'a table as a Map',
      edit((it) => Object.assign(it.database, { users: new Map() })),
      'database.users: expected an array',
    ],
    ['a row that is a string', edit((it) => it.database.users.push('ada')), 'database.users[2]: expected'],
    ['a row without its key', edit((it) => it.database.users.push([])), 'database.users[2]'],
    ...(['', '__proto__', '7'] as const).map(
      (key) =>
        [
          `a user whose key is "${key}" and ID another`,
          edit((it) => Object.assign(it.database.users[0], [key])),
          'database.users[0][0]: not ',
        ] as const,
    ),
    ...(['', '__proto__'] as const).map(
      (key) =>
        [
          `a user whose key and ID are "${key}"`,
          edit((it) => Object.assign(it.database.users, [[key, { ...it.database.users[0][1], id: key }]])),
          'database.users[0][0]: not a key',
        ] as const,
    ),
    ...(['', '__proto__'] as const).map(
      (key) =>
        [
          `widgets with the key "${key}"`,
          edit((it) => it.database.widgets.push([key, []])),
          'database.widgets[0][0]: not a key',
        ] as const,
    ),
    [
      'a relationship whose key has other users',
      edit((it) => it.database.relationships.push(['1 2', relationship('2', '1')])),
      'database.relationships[0][0]: not the key of its record',
    ],
    [
      'a user who is their own friend',
      edit((it) => it.database.relationships.push(['1 1', relationship('1', '1')])),
      'database.relationships[0][1].targetId: must be another user',
    ],
    [
      'a layout without a key',
      edit((it) => Object.assign(it.database.layouts, [['x', it.database.layouts[0]?.[1]]])),
      'database.layouts[0][0]: not the key of its record',
    ],
    [
      'a layout that is none',
      edit((it) => Object.assign(it.database.layouts[0]?.[1] ?? {}, { components: null })),
      'database.layouts[0][1].components: expected an object, got null',
    ],
    [
      'an incomplete row',
      edit((it) => it.database.sessions.push(session)),
      'database.sessions[0][1].lastUsedAt: required',
    ],
    [
      'an unknown field',
      edit((it) => Object.assign(it.database.users[0][1], { more: 1 })),
      'database.users[0][1].more: unknown field',
    ],
    [
      'a wrong type',
      edit((it) => Object.assign(it.database.users[0][1], { password: 7 })),
      'database.users[0][1].password: expected',
    ],
    [
      'an unknown status',
      edit((it) => Object.assign(it.database.users[0][1], { status: 'x' })),
      'database.users[0][1].status: expected one of',
    ],
    [
      'a missing random state',
      edit((it) => Object.assign(it.database, { random: {} })),
      'database.random.state: required',
    ],
    [
      'an infinite offset',
      edit((it) => Object.assign(it, { offset: Number.POSITIVE_INFINITY })),
      'offset: expected a number, got null',
    ],
    [
      'an offset past the year 9999',
      edit((it) => Object.assign(it, { offset: 253402300800000 })),
      'offset: must be from -253402300799999 to 253402300799999',
    ],
    ['an offset with a fraction', edit((it) => Object.assign(it, { offset: 0.5 })), 'offset: expected an integer'],
    [
      'a frozen time with a fraction',
      edit((it) => Object.assign(it, { frozenAt: 0.5 })),
      'frozenAt: expected an integer',
    ],
    [
      'a time of a relationship with a fraction',
      edit((it) => it.database.relationships.push(['1 2', { ...relationship('1', '2'), since: 0.5 }])),
      'database.relationships[0][1].since: expected an integer',
    ],
    ['an offset too far in the past', edit((it) => Object.assign(it, { offset: -1e300 })), 'offset: '],
    ['an empty fault', edit((it) => it.faults.push({})), 'faults[0].id: required'],
    [
      'a fault without an effect',
      edit((it) => it.faults.push({ id: 1, selector: 'Login Account', fault: {}, left: 1, after: 0 })),
      'the fault has no effect',
    ],
    [
      'a fault with an unknown selector',
      edit((it) => it.faults.push({ id: 1, selector: 'Nowhere', fault: { status: 500 }, left: 1, after: 0 })),
      '"Nowhere" is neither',
    ],
    ['a journal of strings', edit((it) => it.journal.push('x')), 'journal[0]: expected an object'],
    ['a missing gateway', edit((it) => delete it.gateway), 'gateway: required'],
    [
      'an unknown gateway fault',
      edit((it) => it.gateway.faults.push({ id: 1, effect: { kind: 'x' }, at: [], user: null, left: 1 })),
      'gateway.faults[0].effect',
    ],
    [
      'a value that JSON cannot represent',
      edit((it) => Object.assign(it, { offset: 1n })),
      'expected a snapshot, which is plain JSON',
    ],
    [
      'a circular snapshot',
      edit((it) => Object.assign(it, { journal: it })),
      'expected a snapshot, which is plain JSON',
    ],
  ])('rejects %s without showing a secret or changing the service', async (_, snapshot, message) => {
    const { service } = await setUpFull()
    const before = service.snapshot()
    const gatewaySessions = service.gateway.sessions.length
    let error: unknown
    try {
      service.restore(snapshot as MockSnapshot)
    } catch (thrown) {
      error = thrown
    }
    expect(error).toBeInstanceOf(TypeError)
    expect(String(error)).toContain('service.restore')
    expect(String(error)).toContain(message)
    expect(String(error)).not.toContain('t0p-s3cret')
    expect(String(error)).not.toContain(password)
    expect(service.snapshot()).toStrictEqual(before)
    expect(service.gateway.sessions).toHaveLength(gatewaySessions)
  })

  it('lists only the first of many problems', () => {
    const rows = edit((it) => it.database.sessions.push(...Array.from({ length: 1000 }, () => session)))
    let message = ''
    try {
      fresh().restore(rows)
    } catch (error) {
      message = String(error)
    }
    expect(message).toContain('lastUsedAt')
    expect(message.length).toBeLessThan(2000)
  })
})
