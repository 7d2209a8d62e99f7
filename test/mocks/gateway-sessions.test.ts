import type { MockServiceEvent } from 'rapport-sdk/mocks'
import { describe, expect, it } from 'vitest'
import {
  type FrameClient,
  identify,
  inMemory,
  numberedEvents,
  type Ready,
  setUpGateway,
  setUpSession,
  transports,
} from './gateway-client'

const [HEARTBEAT, IDENTIFY, RESUME, HELLO, ACK] = [1, 2, 6, 10, 11]

describe.each(transports)('a gateway session, $name', (transport) => {
  it('Hello has the heartbeat interval, and heartbeats are acknowledged before and after Identify', async () => {
    const { open, service, ada } = await setUpGateway(transport, { policy: { gateway: { heartbeatInterval: '30s' } } })
    const client = open()
    expect(await client.next()).toEqual({ op: HELLO, d: { heartbeat_interval: 30_000 }, s: null, t: null })
    client.send(HEARTBEAT)
    expect(await client.next()).toEqual({ op: ACK, d: null, s: null, t: null })
    client.send(IDENTIFY, { token: service.token(ada) })
    expect(await client.next()).toMatchObject({ op: 0, s: 1, t: 'READY' })
    client.send(HEARTBEAT, 1)
    expect(await client.next()).toMatchObject({ op: ACK })
  })

  it('numbers its own events', async () => {
    const { client, emit, service, grace } = await setUpSession(transport)
    emit(2)
    service.gateway.emit('Relationship Add', {}, { to: grace })
    emit(1, 3)
    expect(await numberedEvents(client)).toEqual([
      [1, 'READY', undefined],
      [2, 'RELATIONSHIP_ADD', '1'],
      [3, 'RELATIONSHIP_ADD', '2'],
      [4, 'RELATIONSHIP_ADD', '3'],
    ])
  })

  it('every session of a user receives all events of the user', async () => {
    const { client, connectAda, emit, service } = await setUpSession(transport)
    const second = await connectAda()
    emit(1)
    expect((await numberedEvents(client)).at(-1)).toEqual([2, 'RELATIONSHIP_ADD', '1'])
    expect((await numberedEvents(second.client)).at(-1)).toEqual([2, 'RELATIONSHIP_ADD', '1'])
    expect(new Set(service.gateway.sessions.map(({ id }) => id)).size).toBe(2)
  })

  it('Ready has a snapshot only if the policy says so, filtered by the application', async () => {
    expect((await setUpSession(transport)).ready).not.toHaveProperty('relationships')
    const { service, ada, grace, asAda, connect } = await setUpGateway(transport, {
      policy: { gateway: { readySnapshot: true } },
    })
    const [game, other] = [1, 2].map(() => service.applications.create({ owner: ada }))
    service.relationships.befriend(ada, grace)
    await asAda('POST /users/@me/game-relationships', { username: 'grace' })
    const relationships = (await asAda('GET /users/@me/relationships')).body
    const game_relationships = (await asAda('GET /users/@me/game-relationships')).body
    expect((await connect(ada)).ready).toMatchObject({ relationships, game_relationships })
    expect(game_relationships).toMatchObject([{ application_id: game?.id }])
    const { ready } = await connect(ada, { oauth2: other ?? ada })
    expect(ready).toMatchObject({ relationships: [{ has_played_game: false }], game_relationships: [] })
  })

  it('a call responds with 500 instead of sending an event that violates the contract', async () => {
    let id: unknown = '5'
    const partialUser = () => ({ id: id as string })
    const { connectAda, asGrace, toAda } = await setUpGateway(transport, { policy: { partialUser } })
    const { client } = await connectAda()
    id = 5
    const { status, body } = await asGrace(`PUT ${toAda}`, {})
    expect([status, body.message]).toEqual([
      500,
      expect.stringContaining('the event "Relationship Add" of the mock violates the contract:'),
    ])
    expect(await client.nextEvents()).toEqual([])
  })

  it('the gateway journal records every attempt and its outcome, without tokens', async () => {
    const { service, ada, token, ready, resume, open } = await setUpSession(transport)
    await (await resume(1)).nextEvents()
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

it('services with one seed create the same session IDs, and other IDs do not depend on them', async () => {
  const run = async (connects: boolean) => {
    const { service, ada, open } = await setUpGateway(inMemory)
    const token = service.token(ada)
    const ready = connects ? await identify(open(), token) : undefined
    return { session: ready?.session_id, user: service.users.create({ login: 'x@example.com' }).id }
  }
  const [one, other, none] = [await run(true), await run(true), await run(false)]
  expect(one).toEqual(other)
  expect(one.session).toMatch(/^\w{32}$/)
  expect(none.user).toBe(one.user)
})

describe.each(transports)('close codes of the gateway, $name', (transport) => {
  it.each<[string, (client: FrameClient, token: string, ready: Ready) => void, number]>([
    ['an invalid token', (client) => client.send(IDENTIFY, { token: 'made up' }), 4004],
    ['Resume with an invalid token', (client) => client.send(RESUME, { token: '', session_id: 'x', seq: 1 }), 4004],
    ['invalid JSON', (client) => client.socket.send('{"op":'), 4002],
    ['a frame that is an array', (client) => client.socket.send('[]'), 4002],
    ['a frame that is nested too deeply', (client) => client.socket.send('['.repeat(5000)), 4002],
    ['Identify without a token', (client) => client.send(IDENTIFY, {}), 4002],
    ['Resume without a session', (client, token) => client.send(RESUME, { token, seq: 1 }), 4002],
    ['Resume without a token', (client, _, { session_id }) => client.send(RESUME, { session_id, seq: 1 }), 4002],
    [
      'Resume without a sequence number',
      (client, token, { session_id }) => client.send(RESUME, { token, session_id, seq: null }),
      4002,
    ],
    [
      'Resume with a sequence number that was never sent',
      (client, token, { session_id }) => client.send(RESUME, { token, session_id, seq: 2 }),
      4007,
    ],
    [
      'Resume with a negative sequence number',
      (client, token, { session_id }) => client.send(RESUME, { token, session_id, seq: -1 }),
      4007,
    ],
    ['an unknown operation', (client) => client.send(3, {}), 4003],
  ])('the gateway closes a connection on %s with a documented code', async (_, act, code) => {
    const { open, token, ready, service } = await setUpSession(transport)
    const client = open()
    await client.next()
    act(client, token, ready)
    const { reason, ...closed } = await client.closed
    expect(closed).toEqual({ code })
    expect(reason).not.toBe('')
    expect(JSON.stringify([reason, service.gateway.journal])).not.toContain(token)
  })

  it('they are 4005 for a connection that identifies or resumes twice', async () => {
    for (const op of [IDENTIFY, RESUME]) {
      const { client, token, ready } = await setUpSession(transport)
      client.send(op, { token, session_id: ready.session_id, seq: 1 })
      expect(await client.closed).toMatchObject({ code: 4005 })
    }
  })

  it('they are used for an unknown operation only if the service is strict', async () => {
    const strict = await setUpSession(transport)
    strict.client.send(3, {})
    expect(await strict.client.closed).toMatchObject({ code: 4001 })
    const loose = await setUpSession(transport, { strict: false })
    loose.client.send(3, {})
    expect(await loose.client.nextEvents()).toEqual([])
  })

  it('they are those of the policy', async () => {
    const { open } = await setUpGateway(transport, {
      policy: { gateway: { closeCodes: { authenticationFailed: 4901 } } },
    })
    const client = open()
    await client.next()
    client.send(IDENTIFY, { token: 'made up' })
    expect(await client.closed).toMatchObject({ code: 4901 })
  })

  it('they are 1011 with a truncated message if the policy throws', async () => {
    const partialUser = () => {
      throw new Error(`partialUser ${'é'.repeat(100)}`)
    }
    const { open, service, ada } = await setUpGateway(transport, { policy: { partialUser } })
    const client = open()
    await client.next()
    client.send(IDENTIFY, { token: service.token(ada) })
    const { code, reason } = await client.closed
    expect([code, reason]).toEqual([1011, expect.stringMatching(/^the mock service failed: partialUser é+$/)])
  })
})

it('onEvent() reports the user and the session of what happens at the gateway', async () => {
  const { service, ada, open } = await setUpGateway(inMemory)
  const events: MockServiceEvent[] = []
  service.onEvent((event) => event.type === 'gateway' && events.push(event))
  const client = open()
  const { session_id: session } = await identify(client, service.token(ada))
  client.socket.close(4000)
  await expect.poll(() => events.length).toBe(4)
  const ids = { user: ada.id, session }
  expect(events).toMatchObject([
    { action: 'connected' },
    { action: 'identify', ...ids, outcome: 'ready' },
    { action: 'event', ...ids, event: 'READY', sequence: 1 },
    { action: 'disconnected', ...ids, code: 4000 },
  ])
})

describe('heartbeats', () => {
  const gateway = { heartbeatInterval: '40s', heartbeatGrace: '20s' } as const
  const setUp = () => setUpGateway(inMemory, { policy: { gateway } })

  it('they are asked for if they are overdue, and a client that sends one is kept', async () => {
    const { service, connectAda } = await setUp()
    const { client } = await connectAda()
    service.clock.advance(59_999)
    expect(await client.nextEvents()).toEqual([])
    expect(client.frames.map(({ op }) => op)).not.toContain(HEARTBEAT)
    service.clock.advance('1h')
    expect(await client.next()).toEqual({ op: HEARTBEAT, d: null, s: null, t: null })
    expect(await client.nextEvents()).toEqual([])
    service.clock.advance('59s')
    expect(await client.nextEvents()).toEqual([])
  })

  it('a client that never sends a heartbeat loses its connection and its session', async () => {
    const { service, connectAda, open } = await setUp()
    const { client } = await connectAda()
    const silent = open()
    await silent.next()
    service.clock.advance('1m')
    service.clock.advance('20s')
    expect(await client.closed).toEqual({ code: 4009, reason: 'Session timed out.' })
    expect(await silent.closed).toMatchObject({ code: 4009 })
    expect(service.gateway.sessions).toEqual([])
  })

  it('they are not needed with an infinite heartbeatGrace', async () => {
    const policy = { gateway: { heartbeatGrace: Number.POSITIVE_INFINITY } }
    const { service, connectAda } = await setUpGateway(inMemory, { policy })
    const { client } = await connectAda()
    for (let count = 0; count < 3; count++) service.clock.advance('1d')
    expect(await client.nextEvents()).toEqual([])
  })

  it('follow the wall clock if the service does', async () => {
    const short = { heartbeatInterval: 300, heartbeatGrace: 300 }
    const { service, connectAda } = await setUpGateway(inMemory, {
      now: undefined,
      policy: { gateway: short },
    } as object)
    const { client } = await connectAda()
    expect(await client.closed).toMatchObject({ code: 4009 })
    expect(service.gateway.sessions).toEqual([])
  })
})
