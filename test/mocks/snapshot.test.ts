import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMockService, type MockService, type MockSnapshot } from 'rapport-sdk/mocks'
import { describe, expect, it } from 'vitest'
import { baseUrl, password, sender, setUp, start } from './calls'

const throughJson = (snapshot: MockSnapshot): MockSnapshot => JSON.parse(JSON.stringify(snapshot))
const fresh = () => createMockService({ baseUrl, now: start })

/** A service in which every table has a row, and every part of a snapshot something to say. */
async function lived() {
  const world = setUp({ requireMfa: (endpoint) => endpoint === 'Logout Auth Sessions' })
  const { service, ada, grace, as, send } = world
  const carol = service.users.create({
    login: '+15550100123',
    username: 'carol',
    password,
    mfa: ['totp', 'sms', 'backup', 'webauthn'],
  })
  const application = service.applications.create({ owner: ada })
  const data = { dynamic: [{ name: 'Žofie \ud83d\udca1', value: null }], nothing: null }
  service.identities.create({ application, user: grace, externalUserId: 'a b/c', data: data as never })
  service.layouts.define({ key: 'extra', surface: 'widget_top', components: {}, display_name: 'Extra' })
  service.users.suggest(ada, carol)
  service.users.suspend(service.users.create({ login: 'gone@example.com', password }))
  const mine = as(ada)
  await mine(`PUT /users/@me/relationships/${grace.id}`, {})
  await mine('PUT /users/@me/widgets', { widgets: [{ data: { type: 'application', application_id: application.id } }] })
  await mine('POST /auth/handoff', { key: 'k' })
  await send('POST /auth/forgot', { login: 'ada@example.com' })
  const { body: login } = await send('POST /auth/login', { login: '+15550100123', password })
  await send('POST /auth/mfa/sms/send', { ticket: login.ticket })
  const carols = as(carol)
  const { body: refused } = await carols<{ mfa: { ticket: string } }>('POST /auth/sessions/logout', {
    session_id_hashes: ['x'],
  })
  const code = service.users.totp(carol)
  const finish = { ticket: refused.mfa.ticket, mfa_type: 'totp', data: code }
  const { body: elevated } = await carols('POST /mfa/finish', finish)
  service.faults.on('Get Location Metadata', { status: 500, times: 2 })
  service.faults.on('Get Auth Sessions', { latency: '1ms' })
  service.faults.on('GET /somewhere', { status: 418, times: Number.POSITIVE_INFINITY })
  service.gateway.drop(4000, { at: 'identify' })
  service.gateway.refuse({ times: 1 })
  service.clock.advance('90s')
  return { ...world, carol, application, ticket: login.ticket, token: service.token(carol), jwt: elevated.token }
}

describe('a snapshot', () => {
  it('is plain JSON: through JSON it is the same, and so is the one that is taken after it was restored', async () => {
    const { service } = await lived()
    const snapshot = service.snapshot()
    expect(throughJson(snapshot)).toStrictEqual(snapshot)
    service.reset()
    service.restore(throughJson(snapshot))
    expect(service.snapshot()).toStrictEqual(snapshot)
    const other = fresh()
    other.restore(throughJson(snapshot))
    expect(other.snapshot()).toStrictEqual(snapshot)
  })

  it('names the version of its format', () => {
    expect(fresh().snapshot().version).toBe(1)
  })

  it('gives another process the same tokens, factors, tickets, faults, random values and clock', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'snapshot-'))
    const { service, carol, ticket, token, jwt } = await lived()
    const file = join(folder, 'state.json')
    writeFileSync(file, JSON.stringify(service.snapshot()))
    const other = createMockService({ baseUrl, now: start, requireMfa: service.policy.requireMfa })
    other.restore(JSON.parse(readFileSync(file, 'utf8')))
    await rm(folder, { recursive: true })

    const story = async (where: MockService) => {
      const send = sender(where.fetch, baseUrl)
      const mine = sender(where.fetch, baseUrl, token)
      const told: unknown[] = [where.clock.now(), where.mail.all(), where.sms.all(), where.journal.requests]
      const tell = async (route: `${string} /${string}`, body?: unknown, headers?: Record<string, string>) =>
        told.push(await (headers === undefined ? send : mine)(route, body, headers).then((a) => [a.status, a.body]))
      await tell('POST /auth/mfa/sms', { ticket, code: where.sms.last('+15550100123', 'mfa').code })
      await tell('GET /auth/sessions', undefined, {})
      await tell(
        'POST /auth/sessions/logout',
        { session_id_hashes: ['x'] },
        { 'x-service-mfa-authorization': `${jwt}` },
      )
      await tell('POST /auth/login', { login: '+15550100123', password })
      await tell('POST /auth/reset', { token: where.mail.last('ada@example.com').token, password: 'a brand new one' })
      for (let count = 0; count < 3; count++) await tell('GET /auth/location-metadata')
      await tell('POST /auth/register', { username: 'new' })
      told.push(where.users.backupCodes(carol), where.users.totp(carol), where.users.all())
      return told
    }
    expect(await story(other)).toEqual(await story(service))
  })

  it('keeps a session and a fault that never end', async () => {
    const { service, ada, as } = setUp()
    const mine = as(ada)
    service.faults.on('Get Auth Sessions', { status: 503 })
    service.restore(throughJson(service.snapshot()))
    service.clock.advance('10000d')
    for (let count = 0; count < 3; count++) expect((await mine('GET /auth/sessions')).status).toBe(503)
    service.faults.clear()
    expect((await mine('GET /auth/sessions')).status).toBe(200)
  })

  it('is of its own: what is changed in it, or in the service, changes nothing in the other', async () => {
    const { service, ada, as } = setUp()
    const mine = as(ada)
    const snapshot = service.snapshot()
    const before = throughJson(snapshot)
    service.restore(snapshot)
    await mine('GET /auth/sessions')
    expect(snapshot).toStrictEqual(before)
  })
})

describe('restore', () => {
  const whole = () => JSON.parse(JSON.stringify(setUp().service.snapshot()))
  const changed = (change: (snapshot: ReturnType<typeof whole>) => void) => {
    const snapshot = whole()
    change(snapshot)
    return snapshot
  }
  const session = ['key', { id: '1', idHash: 'x', token: 't0p-s3cret', userId: '1', kind: 'user' }]

  it.each<readonly [string, unknown, string]>([
    ['nothing', undefined, 'expected a snapshot, got undefined'],
    ['null', null, 'expected a snapshot, got null'],
    ['a number', 7, 'expected a snapshot, got a number'],
    ['a function', () => 1, 'expected a snapshot, got a function'],
    ['a list', [], 'expected a snapshot, got an array'],
    ['text', JSON.stringify(whole()), 'got a string; parse the JSON first'],
    ['an empty object', {}, 'has no version'],
    [
      'another version',
      changed((it) => Object.assign(it, { version: 2 })),
      'the snapshot has version 2, this service restores version 1',
    ],
    ['a version of another kind', changed((it) => Object.assign(it, { version: '1' })), 'version'],
    ['no database', changed((it) => delete it.database), 'database: required'],
    ['no users', changed((it) => delete it.database.users), 'database.users: required'],
    ['a table too many', changed((it) => Object.assign(it.database, { more: [] })), 'database.more: unknown field'],
    [
      'a table as a Map',
      changed((it) => Object.assign(it.database, { users: new Map() })),
      'database.users: expected an array',
    ],
    ['a row as text', changed((it) => it.database.users.push('ada')), 'database.users[2]: expected'],
    ['a row without its key', changed((it) => it.database.users.push([])), 'database.users[2]'],
    ['half a row', changed((it) => it.database.sessions.push(session)), 'database.sessions[0][1].lastUsedAt: required'],
    [
      'a field too many',
      changed((it) => Object.assign(it.database.users[0][1], { more: 1 })),
      'database.users[0][1].more: unknown field',
    ],
    [
      'a wrong type',
      changed((it) => Object.assign(it.database.users[0][1], { password: 7 })),
      'database.users[0][1].password: expected',
    ],
    [
      'an unknown status',
      changed((it) => Object.assign(it.database.users[0][1], { status: 'x' })),
      'database.users[0][1].status: expected one of',
    ],
    ['no random state', changed((it) => Object.assign(it.database, { random: {} })), 'database.random.state: required'],
    [
      'an endless offset',
      changed((it) => Object.assign(it, { offset: Number.POSITIVE_INFINITY })),
      'offset: expected a number, got null',
    ],
    [
      'an offset of ages',
      changed((it) => Object.assign(it, { offset: 1e300 })),
      'offset: past the end of the year 9999',
    ],
    ['a negative offset', changed((it) => Object.assign(it, { offset: -1 })), 'offset: '],
    ['a fault of nothing', changed((it) => it.faults.push({})), 'faults[0].id: required'],
    [
      'a fault without an effect',
      changed((it) => it.faults.push({ id: 1, selector: 'Login Account', fault: {}, left: 1 })),
      'the fault has no effect',
    ],
    [
      'a fault of nowhere',
      changed((it) => it.faults.push({ id: 1, selector: 'Nowhere', fault: { status: 500 }, left: 1 })),
      '"Nowhere" is neither',
    ],
    ['a journal of texts', changed((it) => it.journal.push('x')), 'journal[0]: expected an object'],
    ['no gateway', changed((it) => delete it.gateway), 'gateway: required'],
    [
      'an unknown gateway fault',
      changed((it) => it.gateway.faults.push({ id: 1, effect: { kind: 'x' }, at: [], user: null, left: 1 })),
      'gateway.faults[0].effect',
    ],
    [
      'a value that JSON cannot write',
      changed((it) => Object.assign(it, { offset: 1n })),
      'expected a snapshot, which is plain JSON',
    ],
    [
      'one that contains itself',
      changed((it) => Object.assign(it, { journal: it })),
      'expected a snapshot, which is plain JSON',
    ],
  ])('refuses %s, says why, shows no secret, and changes nothing', async (_, given, message) => {
    const { service } = await lived()
    const before = service.snapshot()
    const gatewaySessions = service.gateway.sessions.length
    let error: unknown
    try {
      service.restore(given as MockSnapshot)
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

  it('says a few of many mistakes', () => {
    const rows = changed((it) => it.database.sessions.push(...Array.from({ length: 1000 }, () => session)))
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
