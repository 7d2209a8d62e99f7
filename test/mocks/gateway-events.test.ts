import { describe, expect, it } from 'vitest'
import { doors, gatewayPeople } from './bare-gateway'
import { sender, start as since } from './calls'
import { FRIEND, INCOMING, OUTGOING, partialUserOf as userOf } from './people'

describe.each(doors)('Ready, $name', (door) => {
  it('carries the hash of the authentication session', async () => {
    const { service, ada, as, open, enter, url } = await gatewayPeople(door)
    const { ready, token } = await enter(ada)
    const { body } = await as(ada)<{ user_sessions: { id_hash: string }[] }>('GET /auth/sessions')
    expect(body.user_sessions.map(({ id_hash }) => id_hash)).toContain(ready.auth_session_id_hash)
    expect(ready).toEqual({
      auth_session_id_hash: expect.any(String),
      session_id: expect.any(String),
      resume_gateway_url: url,
    })
    const again = open(`${url}?v=1&encoding=json`)
    await again.next()
    again.send(2, { token })
    const second = (await again.next<typeof ready>()).d
    expect(second).toEqual({ ...ready, session_id: expect.any(String) })
    expect(second.session_id).not.toBe(ready.session_id)
    expect(service.gateway.sessions.map(({ user }) => user)).toEqual([ada.id, ada.id])
  })
})

describe.each(doors)('game relationships, $name', (door) => {
  const games = '/users/@me/game-relationships'
  const connected = async () => {
    const world = await gatewayPeople(door)
    const game = world.service.applications.create({ owner: world.ada })
    const [ada, grace] = [await world.adas(), await world.graces()]
    const heard = async () => [await ada.client.heard(), await grace.client.heard()]
    return { ...world, game, heard }
  }

  it('Send Game Friend Request, and Create Game Relationship in both forms, add on both sides', async () => {
    const { ada, grace, game, mine, hers, heard } = await connected()
    const common = { application_id: game.id, since, dm_access_type: 0 }
    const ofGrace = { ...common, id: grace.id, user: userOf(grace.id, 'grace'), user_id: ada.id }
    const ofAda = { ...common, id: ada.id, user: userOf(ada.id, 'ada', 'Ada'), user_id: grace.id }
    const added = (mineIs: number, hersIs: number) => [
      [['GAME_RELATIONSHIP_ADD', { ...ofGrace, type: mineIs }]],
      [['GAME_RELATIONSHIP_ADD', { ...ofAda, type: hersIs }]],
    ]
    await mine(`POST ${games}`, { username: 'grace' })
    expect(await heard()).toEqual(added(OUTGOING, INCOMING))
    await hers(`PUT ${games}/${ada.id}/${game.id}`, { type: FRIEND })
    expect(await heard()).toEqual(added(FRIEND, FRIEND))
    // An acceptance of what is accepted is told to the side that asked.
    await hers(`PUT ${games}/${ada.id}/${game.id}`, { type: FRIEND })
    expect(await heard()).toEqual([[], added(FRIEND, FRIEND)[1]])
    await mine(`DELETE ${games}/${grace.id}`)
    await heard()
    await hers(`PUT ${games}/${ada.id}`, {})
    expect(await heard()).toEqual(added(INCOMING, OUTGOING))
  })

  it.each(['', 'by application'])('Remove Game Relationship %s removes on both sides', async (form) => {
    const { ada, grace, game, mine, heard } = await connected()
    await mine(`POST ${games}`, { username: 'grace' })
    await heard()
    await mine(`DELETE ${games}/${grace.id}${form === '' ? '' : `/${game.id}`}`)
    expect(await heard()).toEqual([
      [['GAME_RELATIONSHIP_REMOVE', { id: grace.id, application_id: game.id }]],
      [['GAME_RELATIONSHIP_REMOVE', { id: ada.id, application_id: game.id }]],
    ])
  })

  it('are told to applications without the user, and to none that they are not of', async () => {
    const { service, ada, grace, game, mine, enter } = await connected()
    const other = service.applications.create({ owner: grace })
    const [inGame, elsewhere] = [await enter(ada, { oauth2: game }), await enter(ada, { oauth2: other })]
    await mine(`POST ${games}`, { username: 'grace' })
    const [[name, data] = ['', {}]] = await inGame.client.heard()
    expect([name, data]).toEqual(['GAME_RELATIONSHIP_ADD', expect.objectContaining({ id: grace.id })])
    expect(data).not.toHaveProperty('user')
    expect(await elsewhere.client.heard()).toEqual([])
  })
})

describe.each(doors)('the account, $name', (door) => {
  it('Remove Friend Suggestion tells the user', async () => {
    const { service, ada, grace, mine, adas, graces } = await gatewayPeople(door)
    service.users.suggest(ada, grace)
    const [a, g] = [await adas(), await graces()]
    await mine(`DELETE /friend-suggestions/${grace.id}`)
    expect(await a.client.heard()).toEqual([['FRIEND_SUGGESTION_DELETE', { suggested_user_id: grace.id }]])
    expect(await g.client.heard()).toEqual([])
  })

  it('Reset Password changes the authentication session of the user, which the new token belongs to', async () => {
    const { service, send, adas, graces, open } = await gatewayPeople(door)
    const [a, g] = [await adas(), await graces()]
    await send('POST /auth/forgot', { login: 'ada@example.com' })
    const { token } = service.mail.last('ada@example.com')
    const { body } = await send<{ token: string }>('POST /auth/reset', { token, password: 'a brand new password' })
    const [[name, data] = ['', {}]] = await a.client.heard()
    expect([name, data]).toEqual(['AUTH_SESSION_CHANGE', { auth_session_id_hash: expect.any(String) }])
    expect(await g.client.heard()).toEqual([])

    const mine = sender(service.fetch, service.baseUrl, body.token)
    const [session] = (await mine<{ user_sessions: { id_hash: string }[] }>('GET /auth/sessions')).body.user_sessions
    expect(data).toEqual({ auth_session_id_hash: session?.id_hash })
    expect(a.ready.auth_session_id_hash).not.toBe(session?.id_hash)
    // The old token has ended, and the session goes on with the new one.
    for (const [resumedBy, op] of [
      [a.token, undefined],
      [body.token, 0],
    ] as const) {
      const client = open()
      await client.next()
      client.send(6, { token: resumedBy, session_id: a.ready.session_id, seq: 2 })
      if (op === undefined) expect(await client.closed).toMatchObject({ code: 4004 })
      else expect(await client.next()).toMatchObject({ op, t: 'RESUMED' })
    }
  })

  it('Reset Password that leaves the other sessions leaves theirs at the gateway', async () => {
    const { service, send, adas } = await gatewayPeople(door, { policy: { resetEndsSessions: false } })
    const a = await adas()
    await send('POST /auth/forgot', { login: 'ada@example.com' })
    await send('POST /auth/reset', {
      token: service.mail.last('ada@example.com').token,
      password: 'brand new password',
    })
    expect(await a.client.heard()).toEqual([])
  })

  it('Revert Account ends the gateway sessions of the user, whatever the policy', async () => {
    const options = { policy: { gateway: { logoutEndsSessions: false } } }
    const { service, ada, send, adas, graces, open } = await gatewayPeople(door, options)
    const [first, second, other] = [await adas(), await adas(), await graces()]
    service.users.changeEmail(ada, 'stolen@example.com')
    const { token } = service.mail.last('ada@example.com', 'account_recovery')
    await send('POST /auth/revert', { token, password: 'a brand new password' })
    for (const { client } of [first, second]) expect(await client.closed).toMatchObject({ code: 4004 })
    expect(await other.client.heard()).toEqual([])
    expect(service.gateway.sessions.map(({ id }) => id)).toEqual([other.ready.session_id])
    const client = open()
    await client.next()
    client.send(6, { token: service.token(ada), session_id: first.ready.session_id, seq: 1 })
    expect(await client.next()).toMatchObject({ op: 9, d: false })
  })

  it.each([
    ['Logout', 'POST /auth/logout'],
    ['Logout Auth Sessions', 'POST /auth/sessions/logout'],
  ] as const)('%s closes the gateway sessions of that session, unless the policy keeps them', async (_, route) => {
    for (const logoutEndsSessions of [true, false]) {
      const { service, enter, ada } = await gatewayPeople(door, { policy: { gateway: { logoutEndsSessions } } })
      const [left, stays] = [await enter(ada), await enter(ada)]
      const mine = sender(service.fetch, service.baseUrl, left.token)
      await mine(route, route.includes('sessions') ? { session_id_hashes: [left.ready.auth_session_id_hash] } : {})
      if (logoutEndsSessions) expect(await left.client.closed).toMatchObject({ code: 4004 })
      else expect(await left.client.heard()).toEqual([])
      expect(await stays.client.heard()).toEqual([])
    }
  })

  it('an account that is closed, and a session that has outlived its time, close theirs', async () => {
    const lifetimes = { session: '1h' } as const
    const { service, ada, adas, graces } = await gatewayPeople(door, { policy: { lifetimes } })
    const [a, g] = [await adas(), await graces()]
    service.users.suspend(ada)
    expect(await a.client.closed).toMatchObject({ code: 4004 })
    expect(await g.client.heard()).toEqual([])
    service.clock.advance('1h')
    expect(await g.client.closed).toMatchObject({ code: 4004 })
  })
})
