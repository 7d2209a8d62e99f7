import { describe, expect, it } from 'vitest'
import { doors, gatewayPeople, identify, inMemory } from './bare-gateway'
import { numbered, visitor } from './gateway-visitor'

const [HEARTBEAT, IDENTIFY, HELLO, ACK] = [1, 2, 10, 11]

describe.each(doors)('a session, $name', (door) => {
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
    const { client, emit, service, grace } = await visitor(door)
    emit(2)
    service.gateway.emit('Relationship Add', {}, { to: grace })
    emit(1, 3)
    expect(await numbered(client)).toEqual([
      [1, 'READY', undefined],
      [2, 'RELATIONSHIP_ADD', '1'],
      [3, 'RELATIONSHIP_ADD', '2'],
      [4, 'RELATIONSHIP_ADD', '3'],
    ])
  })

  it('is one of several that a user may have, and each hears all', async () => {
    const { client, adas, emit, service } = await visitor(door)
    const second = await adas()
    emit(1)
    expect((await numbered(client)).at(-1)).toEqual([2, 'RELATIONSHIP_ADD', '1'])
    expect((await numbered(second.client)).at(-1)).toEqual([2, 'RELATIONSHIP_ADD', '1'])
    expect(new Set(service.gateway.sessions.map(({ id }) => id)).size).toBe(2)
  })

  it('shows no snapshot in Ready unless the policy says so; applications see theirs', async () => {
    expect((await visitor(door)).ready).not.toHaveProperty('relationships')
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

  it('responds with 500 instead of sending an event that violates the contract', async () => {
    const partialUser = () => ({ id: 5 as unknown as string })
    const { adas, hers, toAda } = await gatewayPeople(door, { policy: { partialUser } })
    const { client } = await adas()
    const { status, body } = await hers(`PUT ${toAda}`, {})
    expect([status, body.message]).toEqual([
      500,
      expect.stringContaining('the event "Relationship Add" of the mock violates the contract:'),
    ])
    expect(await client.heard()).toEqual([])
  })

  it('is written down with what became of it, and without tokens', async () => {
    const { service, ada, token, ready, resume, open } = await visitor(door)
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
