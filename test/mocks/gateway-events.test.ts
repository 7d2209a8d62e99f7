import { describe, expect, it } from 'vitest'
import { doors, gatewayPeople } from './bare-gateway'
import { password, sender, start } from './calls'
import { all, BLOCKED, FRIEND, INCOMING, NONE, OUTGOING } from './people'

const since = start
const userOf = (id: string, username: string, global_name: string | null = null) => ({
  id,
  username,
  global_name,
  discriminator: '0',
  avatar: null,
})

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

describe.each(doors)('relationships, $name', (door) => {
  const connected = async () => {
    const world = await gatewayPeople(door)
    const [ada, grace] = [await world.adas(), await world.graces()]
    const heard = async () => [await ada.client.heard(), await grace.client.heard()]
    const { ada: a, grace: g } = world
    const ofGrace = { id: g.id, user: userOf(g.id, 'grace'), nickname: null, user_ignored: false }
    const ofAda = { id: a.id, user: userOf(a.id, 'ada', 'Ada'), nickname: null, user_ignored: false }
    const { user: _g, ...partialGrace } = ofGrace
    const { user: _a, ...partialAda } = ofAda
    const rest = { origin_application_id: null }
    return { ...world, heard, ofGrace, ofAda, partialGrace, partialAda, rest }
  }

  it('Send Friend Request adds on both sides', async () => {
    const { mine, heard, ofGrace, ofAda, rest } = await connected()
    const note = 'From the chess club'
    await mine(`POST ${all}`, { username: 'grace', discriminator: null, note })
    expect(await heard()).toEqual([
      [['RELATIONSHIP_ADD', { ...ofGrace, ...rest, type: OUTGOING, since, note }]],
      [
        [
          'RELATIONSHIP_ADD',
          { ...ofAda, ...rest, type: INCOMING, since, note, is_spam_request: false, stranger_request: true },
        ],
      ],
    ])
  })

  it('Create Relationship adds on both sides, for a request and for its acceptance', async () => {
    const { mine, hers, toGrace, toAda, heard, ofGrace, ofAda } = await connected()
    await mine(`PUT ${toGrace}`, {})
    expect(await heard()).toMatchObject([
      [['RELATIONSHIP_ADD', { ...ofGrace, type: OUTGOING }]],
      [['RELATIONSHIP_ADD', { ...ofAda, type: INCOMING }]],
    ])
    await hers(`PUT ${toAda}`, {})
    expect(await heard()).toMatchObject([
      [['RELATIONSHIP_ADD', { ...ofGrace, type: FRIEND }]],
      [['RELATIONSHIP_ADD', { ...ofAda, type: FRIEND }]],
    ])
  })

  it('Create Relationship that changes nothing adds on the side that asked', async () => {
    const { mine, toGrace, heard, ofGrace } = await connected()
    await mine(`PUT ${toGrace}`, {})
    await heard()
    await mine(`PUT ${toGrace}`, {})
    expect(await heard()).toMatchObject([[['RELATIONSHIP_ADD', { ...ofGrace, type: OUTGOING }]], []])
  })

  it('Create Relationship that is refused tells nobody', async () => {
    const { service, ada, grace, mine, toGrace, heard } = await connected()
    service.relationships.block(grace, ada)
    await heard()
    expect((await mine(`PUT ${toGrace}`, {})).status).toBe(400)
    expect(await heard()).toEqual([[], []])
  })

  it('a block adds on one side, and removes from the other what it ends', async () => {
    const { service, ada, grace, mine, toGrace, heard, ofGrace, rest, partialAda } = await connected()
    service.relationships.befriend(ada, grace)
    await heard()
    await mine(`PUT ${toGrace}`, { type: BLOCKED })
    expect(await heard()).toEqual([
      [['RELATIONSHIP_ADD', { ...ofGrace, ...rest, type: BLOCKED }]],
      [['RELATIONSHIP_REMOVE', { ...partialAda, ...rest, type: FRIEND, since }]],
    ])
  })

  it('a block of somebody with whom there was nothing tells them nothing', async () => {
    const { mine, toGrace, heard } = await connected()
    await mine(`PUT ${toGrace}`, { type: BLOCKED })
    expect(await heard()).toEqual([[['RELATIONSHIP_ADD', expect.anything()]], []])
  })

  it('Modify Relationship updates on the side that asked, without the user', async () => {
    const { service, ada, grace, mine, toGrace, heard, partialGrace, rest } = await connected()
    service.relationships.befriend(ada, grace)
    await heard()
    await mine(`PATCH ${toGrace}`, { nickname: 'Amazing' })
    const updated = { ...partialGrace, ...rest, type: FRIEND, since, nickname: 'Amazing' }
    expect(await heard()).toEqual([[['RELATIONSHIP_UPDATE', updated]], []])
    await mine(`PATCH ${toGrace}`, {})
    expect(await heard()).toEqual([[['RELATIONSHIP_UPDATE', updated]], []])
  })

  it('Ignore User adds where there was nothing, Unignore User then removes', async () => {
    const { mine, toGrace, heard, ofGrace, partialGrace, rest } = await connected()
    await mine(`PUT ${toGrace}/ignore`)
    const ignored = { ...rest, type: NONE, user_ignored: true }
    expect(await heard()).toEqual([[['RELATIONSHIP_ADD', { ...ofGrace, ...ignored }]], []])
    await mine(`DELETE ${toGrace}/ignore`)
    expect(await heard()).toEqual([[['RELATIONSHIP_REMOVE', { ...partialGrace, ...ignored }]], []])
  })

  it('Ignore User and Unignore User update where there was a relationship', async () => {
    const { service, ada, grace, mine, toGrace, heard } = await connected()
    service.relationships.befriend(ada, grace)
    await heard()
    for (const [method, user_ignored] of [
      ['PUT', true],
      ['PUT', true],
      ['DELETE', false],
    ] as const) {
      await mine(`${method} ${toGrace}/ignore`)
      const [[event] = [], others] = await heard()
      expect(event).toEqual(['RELATIONSHIP_UPDATE', expect.objectContaining({ id: grace.id, user_ignored })])
      expect(event?.[1]).not.toHaveProperty('user')
      expect(others).toEqual([])
    }
  })

  it('Remove Relationship removes on both sides, once each, without the user', async () => {
    const { service, ada, grace, mine, toGrace, heard, partialGrace, partialAda } = await connected()
    service.relationships.befriend(ada, grace)
    await mine(`PUT ${toGrace}/ignore`)
    await heard()
    await mine(`DELETE ${toGrace}`)
    const [adas = [], graces = []] = await heard()
    expect(adas).toMatchObject([['RELATIONSHIP_REMOVE', { ...partialGrace, user_ignored: true, type: FRIEND }]])
    expect(graces).toMatchObject([['RELATIONSHIP_REMOVE', { ...partialAda, type: FRIEND }]])
    for (const [, data] of [...adas, ...graces]) expect(data).not.toHaveProperty('user')
  })

  it('Remove Relationship leaves to the other side that it ignores, as a relationship of its own', async () => {
    const { service, ada, grace, mine, hers, toGrace, toAda, heard, ofAda, rest } = await connected()
    service.relationships.befriend(ada, grace)
    await hers(`PUT ${toAda}/ignore`)
    await heard()
    await mine(`DELETE ${toGrace}`)
    const [, graces] = await heard()
    expect(graces).toEqual([
      ['RELATIONSHIP_REMOVE', expect.objectContaining({ id: ada.id, type: FRIEND })],
      ['RELATIONSHIP_ADD', { ...ofAda, ...rest, type: NONE, user_ignored: true }],
    ])
    expect((await hers('GET /users/@me/relationships')).body).toEqual([graces?.[1]?.[1]])
  })

  it('Bulk Remove Relationships removes one by one, on both sides', async () => {
    const { service, ada, mine, enter, adas } = await gatewayPeople(door)
    const from = ['one', 'two'].map((name) => service.users.create({ login: `${name}@example.com`, password }))
    for (const user of from) service.relationships.request(user, ada)
    const [sender] = from
    const clients = [await adas(), await enter(sender ?? ada)]
    await mine(`DELETE ${all}`)
    const [removed, theirs] = await Promise.all(clients.map(({ client }) => client.heard()))
    expect(removed?.map(([name]) => name)).toEqual(['RELATIONSHIP_REMOVE', 'RELATIONSHIP_REMOVE'])
    expect(removed).toMatchObject(from.map(({ id }) => ['RELATIONSHIP_REMOVE', { id, type: INCOMING }]))
    expect(theirs).toMatchObject([['RELATIONSHIP_REMOVE', { id: ada.id, type: OUTGOING }]])
  })

  it('Bulk Add Relationships adds for each that succeeds, on both sides', async () => {
    const { service, ada, grace, mine, heard } = await connected()
    const blocker = service.users.create({ login: 'blocker@example.com' })
    service.relationships.block(blocker, ada)
    const user_ids = [grace.id, blocker.id]
    await mine(`POST ${all}/bulk`, { user_ids, token: service.users.contactSyncToken(ada) })
    expect(await heard()).toMatchObject([
      [['RELATIONSHIP_ADD', { id: grace.id, type: OUTGOING }]],
      [['RELATIONSHIP_ADD', { id: ada.id, type: INCOMING }]],
    ])
  })

  it('what tests set up without a call is told too', async () => {
    const { service, ada, grace, heard } = await connected()
    service.relationships.request(ada, grace)
    service.relationships.befriend(ada, grace)
    expect((await heard()).map((events) => events.map(([name]) => name))).toEqual([
      ['RELATIONSHIP_ADD', 'RELATIONSHIP_ADD'],
      ['RELATIONSHIP_ADD', 'RELATIONSHIP_ADD'],
    ])
  })

  it('has_played_game is told to applications alone, each of its own', async () => {
    const { service, ada, grace, enter, mine, toGrace } = await gatewayPeople(door)
    const application = service.applications.create({ owner: ada })
    service.applications.authorize(application, grace)
    const [own, throughGame] = [await enter(ada), await enter(ada, { oauth2: application })]
    await mine(`PUT ${toGrace}`, {})
    expect((await own.client.heard())[0]?.[1]).not.toHaveProperty('has_played_game')
    expect((await throughGame.client.heard())[0]?.[1]).toMatchObject({ has_played_game: true })
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
