import { describe, expect, it } from 'vitest'
import { setUpGateway, transports } from './gateway-client'
import { FRIEND, INCOMING, OUTGOING, sender, start as since, partialUser as userOf } from './set-up'

describe.each(transports)('the Ready event, $name', (transport) => {
  it('has the hash of the authentication session, a new session ID and the user', async () => {
    const { service, ada, as, open, connect, url } = await setUpGateway(transport)
    const { ready, token } = await connect(ada)
    const { body } = await as(ada)<{ user_sessions: { id_hash: string }[] }>('GET /auth/sessions')
    expect(body.user_sessions.map(({ id_hash }) => id_hash)).toContain(ready.auth_session_id_hash)
    expect(ready).toEqual({
      auth_session_id_hash: expect.any(String),
      session_id: expect.any(String),
      resume_gateway_url: url,
      user: userOf(ada.id, 'ada', 'Ada'),
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

describe.each(transports)('game relationship events, $name', (transport) => {
  const games = '/users/@me/game-relationships'
  const connected = async () => {
    const setup = await setUpGateway(transport)
    const game = setup.service.applications.create({ owner: setup.ada })
    const [ada, grace] = [await setup.connectAda(), await setup.connectGrace()]
    const nextEvents = async () => [await ada.client.nextEvents(), await grace.client.nextEvents()]
    return { ...setup, game, nextEvents }
  }

  it('they are an Add to both sides for Send Game Friend Request and both forms of Create Game Relationship', async () => {
    const { ada, grace, game, asAda, asGrace, nextEvents } = await connected()
    const common = { application_id: game.id, since, dm_access_type: 0 }
    const ofGrace = { ...common, id: grace.id, user: userOf(grace.id, 'grace'), user_id: ada.id }
    const ofAda = { ...common, id: ada.id, user: userOf(ada.id, 'ada', 'Ada'), user_id: grace.id }
    const added = (typeOfAda: number, typeOfGrace: number) => [
      [['GAME_RELATIONSHIP_ADD', { ...ofGrace, type: typeOfAda }]],
      [['GAME_RELATIONSHIP_ADD', { ...ofAda, type: typeOfGrace }]],
    ]
    await asAda(`POST ${games}`, { username: 'grace' })
    expect(await nextEvents()).toEqual(added(OUTGOING, INCOMING))
    await asGrace(`PUT ${games}/${ada.id}/${game.id}`, { type: FRIEND })
    expect(await nextEvents()).toEqual(added(FRIEND, FRIEND))
    // A repeated acceptance sends an event only to the side that accepts.
    await asGrace(`PUT ${games}/${ada.id}/${game.id}`, { type: FRIEND })
    expect(await nextEvents()).toEqual([[], added(FRIEND, FRIEND)[1]])
    await asAda(`DELETE ${games}/${grace.id}`)
    await nextEvents()
    await asGrace(`PUT ${games}/${ada.id}`, {})
    expect(await nextEvents()).toEqual(added(INCOMING, OUTGOING))
  })

  it.each(['Remove Game Relationship', 'Remove Game Relationship by application'])(
    '%s sends a Remove to both sides',
    async (endpoint) => {
      const { ada, grace, game, asAda, nextEvents } = await connected()
      await asAda(`POST ${games}`, { username: 'grace' })
      await nextEvents()
      await asAda(`DELETE ${games}/${grace.id}${endpoint.endsWith('by application') ? `/${game.id}` : ''}`)
      expect(await nextEvents()).toEqual([
        [['GAME_RELATIONSHIP_REMOVE', { id: grace.id, application_id: game.id }]],
        [['GAME_RELATIONSHIP_REMOVE', { id: ada.id, application_id: game.id }]],
      ])
    },
  )

  it('reach only sessions of their application, without the user', async () => {
    const { service, ada, grace, game, asAda, connect } = await connected()
    const other = service.applications.create({ owner: grace })
    const [inGame, elsewhere] = [await connect(ada, { oauth2: game }), await connect(ada, { oauth2: other })]
    await asAda(`POST ${games}`, { username: 'grace' })
    const [[name, data] = ['', {}]] = await inGame.client.nextEvents()
    expect([name, data]).toEqual(['GAME_RELATIONSHIP_ADD', expect.objectContaining({ id: grace.id })])
    expect(data).not.toHaveProperty('user')
    expect(await elsewhere.client.nextEvents()).toEqual([])
  })
})

describe.each(transports)('account events, $name', (transport) => {
  it('Remove Friend Suggestion sends an event to the user', async () => {
    const { service, ada, grace, asAda, connectAda, connectGrace } = await setUpGateway(transport)
    service.users.suggest(ada, grace)
    const [a, g] = [await connectAda(), await connectGrace()]
    await asAda(`DELETE /friend-suggestions/${grace.id}`)
    expect(await a.client.nextEvents()).toEqual([['FRIEND_SUGGESTION_DELETE', { suggested_user_id: grace.id }]])
    expect(await g.client.nextEvents()).toEqual([])
  })

  it('Reset Password sends an Auth Session Change with the session of the new token', async () => {
    const { service, send, connectAda, connectGrace, open } = await setUpGateway(transport)
    const [a, g] = [await connectAda(), await connectGrace()]
    await send('POST /auth/forgot', { login: 'ada@example.com' })
    const { token } = service.mail.last('ada@example.com')
    const { body } = await send<{ token: string }>('POST /auth/reset', { token, password: 'a brand new password' })
    const [[name, data] = ['', {}]] = await a.client.nextEvents()
    expect([name, data]).toEqual(['AUTH_SESSION_CHANGE', { auth_session_id_hash: expect.any(String) }])
    expect(await g.client.nextEvents()).toEqual([])

    const asAda = sender(service.fetch, service.baseUrl, body.token)
    const [session] = (await asAda<{ user_sessions: { id_hash: string }[] }>('GET /auth/sessions')).body.user_sessions
    expect(data).toEqual({ auth_session_id_hash: session?.id_hash })
    expect(a.ready.auth_session_id_hash).not.toBe(session?.id_hash)
    // The old token is invalid; the gateway session continues with the new one.
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

  it('Reset Password sends no event if the policy keeps other sessions', async () => {
    const { service, send, connectAda } = await setUpGateway(transport, { policy: { resetEndsSessions: false } })
    const a = await connectAda()
    await send('POST /auth/forgot', { login: 'ada@example.com' })
    await send('POST /auth/reset', {
      token: service.mail.last('ada@example.com').token,
      password: 'brand new password',
    })
    expect(await a.client.nextEvents()).toEqual([])
  })

  it('Revert Account ends the gateway sessions of the user under every policy', async () => {
    const options = { policy: { gateway: { logoutEndsSessions: false } } }
    const { service, ada, send, connectAda, connectGrace, open } = await setUpGateway(transport, options)
    const [first, second, other] = [await connectAda(), await connectAda(), await connectGrace()]
    service.users.changeEmail(ada, 'stolen@example.com')
    const { token } = service.mail.last('ada@example.com', 'account_recovery')
    await send('POST /auth/revert', { token, password: 'a brand new password' })
    for (const { client } of [first, second]) expect(await client.closed).toMatchObject({ code: 4004 })
    expect(await other.client.nextEvents()).toEqual([])
    expect(service.gateway.sessions.map(({ id }) => id)).toEqual([other.ready.session_id])
    const client = open()
    await client.next()
    client.send(6, { token: service.token(ada), session_id: first.ready.session_id, seq: 1 })
    expect(await client.next()).toMatchObject({ op: 9, d: false })
  })

  it.each([
    ['Logout', 'POST /auth/logout'],
    ['Logout Auth Sessions', 'POST /auth/sessions/logout'],
  ] as const)('%s closes the gateway sessions of the ended session unless the policy keeps them', async (_, route) => {
    for (const logoutEndsSessions of [true, false]) {
      const { service, connect, ada } = await setUpGateway(transport, { policy: { gateway: { logoutEndsSessions } } })
      const [ended, kept] = [await connect(ada), await connect(ada)]
      const asAda = sender(service.fetch, service.baseUrl, ended.token)
      await asAda(route, route.includes('sessions') ? { session_id_hashes: [ended.ready.auth_session_id_hash] } : {})
      if (logoutEndsSessions) expect(await ended.client.closed).toMatchObject({ code: 4004 })
      else expect(await ended.client.nextEvents()).toEqual([])
      expect(await kept.client.nextEvents()).toEqual([])
    }
  })

  it('a suspended account and an expired session close their gateway sessions', async () => {
    const lifetimes = { session: '1h' } as const
    const { service, ada, connectAda, connectGrace } = await setUpGateway(transport, { policy: { lifetimes } })
    const [a, g] = [await connectAda(), await connectGrace()]
    service.users.suspend(ada)
    expect(await a.client.closed).toMatchObject({ code: 4004 })
    expect(await g.client.nextEvents()).toEqual([])
    service.clock.advance('1h')
    expect(await g.client.closed).toMatchObject({ code: 4004 })
  })
})
