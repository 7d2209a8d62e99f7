import { describe, expect, it } from 'vitest'
import { doors, gatewayPeople } from './bare-gateway'
import { password, start as since } from './calls'
import { all, BLOCKED, FRIEND, INCOMING, NONE, OUTGOING, partialUserOf as userOf } from './people'

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

  it('sends Friend Suggestion Delete if a request or a friendship ends a suggestion', async () => {
    const { service, ada, grace, mine, hers, toGrace, toAda, heard } = await connected()
    service.users.suggest(ada, grace)
    service.users.suggest(grace, ada)
    await mine(`PUT ${toGrace}`, { from_friend_suggestion: true })
    expect(await heard()).toEqual([
      [
        ['RELATIONSHIP_ADD', expect.anything()],
        ['FRIEND_SUGGESTION_DELETE', { suggested_user_id: grace.id }],
      ],
      [['RELATIONSHIP_ADD', expect.anything()]],
    ])
    await hers(`PUT ${toAda}`, {})
    expect(await heard()).toEqual([
      [['RELATIONSHIP_ADD', expect.anything()]],
      [
        ['RELATIONSHIP_ADD', expect.anything()],
        ['FRIEND_SUGGESTION_DELETE', { suggested_user_id: ada.id }],
      ],
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
