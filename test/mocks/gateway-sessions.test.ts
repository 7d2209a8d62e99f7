import { describe, expect, it } from 'vitest'
import { type BareClient, doors, gatewayPeople, identify, inMemory, type Ready } from './bare-gateway'

const [HEARTBEAT, IDENTIFY, RESUME, INVALID_SESSION, HELLO, ACK] = [1, 2, 6, 9, 10, 11]

/** Sends events to Ada, numbered from the first. */
const events = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => ({ event: 'Relationship Add', data: { id: String(from + index) } }))

describe.each(doors)('a session, $name', (door) => {
  const entered = async (options: Parameters<typeof gatewayPeople>[1] = {}) => {
    const world = await gatewayPeople(door, options)
    const { service, ada, open } = world
    const { client, token, ready } = await world.adas()
    const emit = (count: number, from?: number) => {
      for (const { event, data } of events(count, from)) service.gateway.emit(event, data, { to: ada })
    }
    const resume = async (seq: unknown, more: object = {}, at?: string) => {
      const resumed = open(at)
      await resumed.next()
      resumed.send(RESUME, { token, session_id: ready.session_id, seq, ...more })
      return resumed
    }
    return { ...world, client, token, ready, emit, resume }
  }
  const rest = async (client: BareClient) => {
    await client.heard()
    return client.frames.filter(({ op }) => op === 0).map(({ s, t, d }) => [s, t, (d as { id?: string }).id])
  }

  it('is greeted with the interval of heartbeats, which are acknowledged before and after it identified', async () => {
    const { open, service, ada } = await gatewayPeople(door, { policy: { gateway: { heartbeatInterval: '30s' } } })
    const client = open()
    expect(await client.next()).toEqual({ op: HELLO, d: { heartbeat_interval: 30_000 }, s: null, t: null })
    client.send(HEARTBEAT)
    expect(await client.next()).toEqual({ op: ACK, d: null, s: null, t: null })
    client.send(IDENTIFY, { token: service.token(ada) })
    expect(await client.next()).toMatchObject({ op: 0, s: 1, t: 'READY' })
    client.send(HEARTBEAT, 1)
    expect(await client.next()).toMatchObject({ op: ACK })
  })

  it('numbers its events, whatever is sent to others', async () => {
    const { client, emit, service, grace } = await entered()
    emit(2)
    service.gateway.emit('Relationship Add', {}, { to: grace })
    emit(1, 3)
    expect(await rest(client)).toEqual([
      [1, 'READY', undefined],
      [2, 'RELATIONSHIP_ADD', '1'],
      [3, 'RELATIONSHIP_ADD', '2'],
      [4, 'RELATIONSHIP_ADD', '3'],
    ])
  })

  it('is one of several that a user may have, and each hears all', async () => {
    const { client, adas, emit, service } = await entered()
    const second = await adas()
    emit(1)
    expect((await rest(client)).at(-1)).toEqual([2, 'RELATIONSHIP_ADD', '1'])
    expect((await rest(second.client)).at(-1)).toEqual([2, 'RELATIONSHIP_ADD', '1'])
    expect(new Set(service.gateway.sessions.map(({ id }) => id)).size).toBe(2)
  })

  it('is resumed where its client left off, with all that it missed', async () => {
    const { service, client, emit, resume, ready } = await entered()
    emit(1)
    await client.heard()
    client.socket.close(4000)
    await client.closed
    await expect.poll(() => service.gateway.sessions[0]?.connected).toBe(false)
    emit(2, 2)
    const resumed = await resume(2)
    expect(await rest(resumed)).toEqual([
      [3, 'RELATIONSHIP_ADD', '2'],
      [4, 'RELATIONSHIP_ADD', '3'],
      [5, 'RESUMED', undefined],
    ])
    emit(1, 4)
    expect((await rest(resumed)).at(-1)).toEqual([6, 'RELATIONSHIP_ADD', '4'])
    expect(service.gateway.sessions).toMatchObject([{ id: ready.session_id, connected: true, sequence: 6 }])
  })

  it('sends again what its client does not know of, and no word of an earlier resume', async () => {
    const { emit, resume } = await entered()
    emit(2)
    const first = await resume(1)
    await first.heard()
    emit(1, 3)
    expect(await rest(await resume(2))).toEqual([
      [3, 'RELATIONSHIP_ADD', '2'],
      [4, 'RELATIONSHIP_ADD', '3'],
      [5, 'RESUMED', undefined],
    ])
  })

  it('is resumed at the address that the policy tells, or tells of none', async () => {
    const { ready, resume } = await entered({ policy: { gateway: { resumeUrl: (url) => `${url}/resume` } } })
    expect(ready.resume_gateway_url).toMatch(/\/gateway\/resume$/)
    expect(await (await resume(1, {}, `${ready.resume_gateway_url}?v=1`)).heard()).toEqual([['RESUMED', {}]])
    const without = await entered({ policy: { gateway: { resumeUrl: () => null } } })
    expect(without.ready).not.toHaveProperty('resume_gateway_url')
  })

  it('leaves the connection that it had when it is resumed on another', async () => {
    const { client, emit, resume } = await entered()
    const resumed = await resume(1)
    expect(await client.closed).toMatchObject({ code: 4009 })
    emit(1)
    expect((await rest(resumed)).at(-1)).toEqual([3, 'RELATIONSHIP_ADD', '1'])
  })

  it.each([
    ['is another one', { session_id: 'made up' }],
    ['is somebody else’s', {}],
  ])('is not resumed where it %s; its client can identify on that connection', async (what, more) => {
    const { service, grace, resume } = await entered()
    const token = what.startsWith('is somebody') ? { token: service.token(grace) } : {}
    const client = await resume(1, { ...more, ...token })
    expect(await client.next()).toEqual({ op: INVALID_SESSION, d: false, s: null, t: null })
    client.send(IDENTIFY, { token: service.token(grace) })
    expect(await client.next()).toMatchObject({ t: 'READY', s: 1 })
  })

  it('keeps as many events as the policy says', async () => {
    const { emit, resume, client, service } = await entered({ policy: { gateway: { replayLimit: 5 } } })
    client.socket.close(4000)
    await client.closed
    emit(30)
    const late = await resume(25)
    expect(await late.next()).toMatchObject({ op: INVALID_SESSION, d: false })
    expect(service.gateway.sessions).toEqual([])
    const again = await entered({ policy: { gateway: { replayLimit: 5 } } })
    again.emit(30)
    const frames = await rest(await again.resume(26))
    expect(frames.map(([s, , id]) => [s, id])).toEqual([
      ...['26', '27', '28', '29', '30'].map((id, index) => [27 + index, id]),
      [32, undefined],
    ])
  })

  it('can be resumed for as long as the policy says', async () => {
    const { client, resume, service } = await entered({ policy: { gateway: { resumeWindow: '1m' } } })
    client.socket.close(4000)
    await client.closed
    await expect.poll(() => service.gateway.sessions[0]?.connected).toBe(false)
    service.clock.advance(59_999)
    const second = await resume(1)
    expect(await second.next()).toMatchObject({ t: 'RESUMED' })
    second.socket.close(4000)
    await second.closed
    await expect.poll(() => service.gateway.sessions[0]?.connected).toBe(false)
    service.clock.advance('1m')
    expect(service.gateway.sessions).toEqual([])
    expect(await (await resume(2)).next()).toMatchObject({ op: INVALID_SESSION, d: false })
  })

  it.each([1000, undefined, 4000])('ends when its client closes with %s, if that says so', async (code) => {
    const { client, service, resume } = await entered()
    client.socket.close(code)
    await client.closed
    const ends = code === 1000
    await expect.poll(() => service.gateway.sessions.map(({ connected }) => connected)).toEqual(ends ? [] : [false])
    expect(await (await resume(1)).next()).toMatchObject(ends ? { op: INVALID_SESSION } : { t: 'RESUMED' })
  })

  it('shows no snapshot in Ready unless the policy says so; applications see theirs', async () => {
    expect((await entered()).ready).not.toHaveProperty('relationships')
    const { service, ada, grace, mine, enter } = await gatewayPeople(door, {
      policy: { gateway: { readySnapshot: true } },
    })
    const [game, other] = [1, 2].map(() => service.applications.create({ owner: ada }))
    service.relationships.befriend(ada, grace)
    await mine('POST /users/@me/game-relationships', { username: 'grace' })
    const relationships = (await mine('GET /users/@me/relationships')).body
    const game_relationships = (await mine('GET /users/@me/game-relationships')).body
    expect((await enter(ada)).ready).toMatchObject({ relationships, game_relationships })
    expect(game_relationships).toMatchObject([{ application_id: game?.id }])
    const { ready } = await enter(ada, { oauth2: other ?? ada })
    expect(ready).toMatchObject({ relationships: [{ has_played_game: false }], game_relationships: [] })
  })

  it.each<[string, (client: BareClient, token: string, ready: Ready) => void, number]>([
    ['a token that is not valid', (client) => client.send(IDENTIFY, { token: 'made up' }), 4004],
    ['a resume with one', (client) => client.send(RESUME, { token: '', session_id: 'x', seq: 1 }), 4004],
    ['what is no JSON', (client) => client.socket.send('{"op":'), 4002],
    ['what is no frame', (client) => client.socket.send('[]'), 4002],
    ['what goes too deep', (client) => client.socket.send('['.repeat(5000)), 4002],
    ['identifying without a token', (client) => client.send(IDENTIFY, {}), 4002],
    [
      'a resume without a number',
      (client, token, { session_id }) => client.send(RESUME, { token, session_id, seq: null }),
      4002,
    ],
    [
      'a resume from what was never sent',
      (client, token, { session_id }) => client.send(RESUME, { token, session_id, seq: 2 }),
      4007,
    ],
    [
      'a resume from below nothing',
      (client, token, { session_id }) => client.send(RESUME, { token, session_id, seq: -1 }),
      4007,
    ],
    ['a frame of an unknown kind', (client) => client.send(3, {}), 4003],
  ])('is refused for %s', async (_, act, code) => {
    const { open, token, ready, service } = await entered()
    const client = open()
    await client.next()
    act(client, token, ready)
    const { reason, ...closed } = await client.closed
    expect(closed).toEqual({ code })
    expect(reason).not.toBe('')
    expect(JSON.stringify([reason, service.gateway.journal])).not.toContain(token)
  })

  it('has a connection to itself: a second one is refused', async () => {
    for (const op of [IDENTIFY, RESUME]) {
      const { client, token, ready } = await entered()
      client.send(op, { token, session_id: ready.session_id, seq: 1 })
      expect(await client.closed).toMatchObject({ code: 4005 })
    }
  })

  it('takes frames of unknown kinds where the service is not strict', async () => {
    const strict = await entered()
    strict.client.send(3, {})
    expect(await strict.client.closed).toMatchObject({ code: 4001 })
    const loose = await entered({ strict: false })
    loose.client.send(3, {})
    expect(await loose.client.heard()).toEqual([])
  })

  it('is closed with the codes of the policy', async () => {
    const { open } = await gatewayPeople(door, { policy: { gateway: { closeCodes: { authenticationFailed: 4901 } } } })
    const client = open()
    await client.next()
    client.send(IDENTIFY, { token: 'made up' })
    expect(await client.closed).toMatchObject({ code: 4901 })
  })

  it('is refused with 1011 for a mistake of the policy, which it tells as far as there is room', async () => {
    const resumeUrl = () => {
      throw new Error(`resumeUrl ${'é'.repeat(100)}`)
    }
    const { open, service, ada } = await gatewayPeople(door, { policy: { gateway: { resumeUrl } } })
    const client = open()
    await client.next()
    client.send(IDENTIFY, { token: service.token(ada) })
    const { code, reason } = await client.closed
    expect([code, reason]).toEqual([1011, expect.stringMatching(/^the mock service failed: resumeUrl é+$/)])
  })

  it('sends no event that breaks the contract: the call is answered with what is wrong', async () => {
    const partialUser = () => ({ id: 5 as unknown as string })
    const { adas, hers, toAda } = await gatewayPeople(door, { policy: { partialUser } })
    const { client } = await adas()
    const { status, body } = await hers(`PUT ${toAda}`, {})
    expect([status, body.message]).toEqual([
      500,
      expect.stringContaining('its event "Relationship Add" breaks the contract:'),
    ])
    expect(await client.heard()).toEqual([])
  })

  it('is written down with what became of it, and without tokens', async () => {
    const { service, ada, token, ready, resume, open } = await entered()
    await (await resume(1)).heard()
    await (await resume(9)).closed
    await (await resume(0, { session_id: 'gone' })).next()
    const stranger = open()
    await stranger.next()
    stranger.send(IDENTIFY, { token: 'made up' })
    await stranger.closed
    const at = '2026-01-01T00:00:00.000Z'
    const [user, session] = [ada.id, ready.session_id]
    expect(service.gateway.journal).toEqual([
      { op: 'identify', user, session, outcome: 'ready', at },
      { op: 'resume', user, session, outcome: 'resumed', at },
      { op: 'resume', user, session, outcome: 'closed', at },
      { op: 'resume', user, session: 'gone', outcome: 'invalid_session', at },
      { op: 'identify', user: null, session: null, outcome: 'closed', at },
    ])
    expect(JSON.stringify([service.gateway.journal, service.gateway.sessions])).not.toContain(token)
  })
})

describe('heartbeats', () => {
  const gateway = { heartbeatInterval: '40s', heartbeatGrace: '20s' } as const
  const beating = () => gatewayPeople(inMemory, { policy: { gateway } })

  it('that are overdue are asked for; who answers stays', async () => {
    const { service, adas } = await beating()
    const { client } = await adas()
    service.clock.advance(59_999)
    expect(await client.heard()).toEqual([])
    service.clock.advance('1h')
    expect(await client.next()).toEqual({ op: HEARTBEAT, d: null, s: null, t: null })
    expect(await client.heard()).toEqual([])
    service.clock.advance('59s')
    expect(await client.heard()).toEqual([])
  })

  it('that never come close the connection, and end the session', async () => {
    const { service, adas, open } = await beating()
    const { client } = await adas()
    const silent = open()
    await silent.next()
    service.clock.advance('1m')
    service.clock.advance('20s')
    expect(await client.closed).toEqual({ code: 4009, reason: 'Session timed out.' })
    expect(await silent.closed).toMatchObject({ code: 4009 })
    expect(service.gateway.sessions).toEqual([])
  })

  it('are not missed where the policy says so', async () => {
    const policy = { gateway: { heartbeatGrace: Number.POSITIVE_INFINITY } }
    const { service, adas } = await gatewayPeople(inMemory, { policy })
    const { client } = await adas()
    for (let count = 0; count < 3; count++) service.clock.advance('1d')
    expect(await client.heard()).toEqual([])
  })

  it('go by a clock that is a function when a request comes, too', async () => {
    let time = 0
    const { send, adas } = await gatewayPeople(inMemory, { now: () => time, policy: { gateway } })
    const { client } = await adas()
    for (time of [60_000, 80_000]) await send('GET /auth/location-metadata')
    expect(await client.closed).toMatchObject({ code: 4009 })
  })

  it('go by the wall clock where the service does', async () => {
    const short = { heartbeatInterval: 20, heartbeatGrace: 20 }
    const { service, adas } = await gatewayPeople(inMemory, { now: undefined, policy: { gateway: short } } as object)
    const { client } = await adas()
    expect(await client.closed).toMatchObject({ code: 4009 })
    expect(service.gateway.sessions).toEqual([])
  })
})

it('a service of one seed gives the same IDs to its sessions, and other IDs do not depend on them', async () => {
  const run = async (visits: boolean) => {
    const { service, ada, open } = await gatewayPeople(inMemory)
    const token = service.token(ada)
    const ready = visits ? await identify(open(), token) : undefined
    return { session: ready?.session_id, user: service.users.create({ login: 'x@example.com' }).id }
  }
  const [one, other, none] = [await run(true), await run(true), await run(false)]
  expect(one).toEqual(other)
  expect(one.session).toMatch(/^\w{32}$/)
  expect(none.user).toBe(one.user)
})
