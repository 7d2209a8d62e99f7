import { describe, expect, it } from 'vitest'
import { setUpGateway, transports } from './gateway-client'
import {
  BLOCKED,
  FRIEND,
  INCOMING,
  NONE,
  OUTGOING,
  password,
  relationships,
  start as since,
  partialUser as userOf,
} from './set-up'

describe.each(transports)('relationship events, $name', (transport) => {
  const connected = async () => {
    const setup = await setUpGateway(transport)
    const [ada, grace] = [await setup.connectAda(), await setup.connectGrace()]
    const nextEvents = async () => [await ada.client.nextEvents(), await grace.client.nextEvents()]
    const { ada: a, grace: g } = setup
    const ofGrace = { id: g.id, user: userOf(g.id, 'grace'), nickname: null, user_ignored: false }
    const ofAda = { id: a.id, user: userOf(a.id, 'ada', 'Ada'), nickname: null, user_ignored: false }
    const { user: _g, ...partialGrace } = ofGrace
    const { user: _a, ...partialAda } = ofAda
    const rest = { origin_application_id: null }
    return { ...setup, nextEvents, ofGrace, ofAda, partialGrace, partialAda, rest }
  }

  it('Send Friend Request sends an Add to both sides', async () => {
    const { asAda, nextEvents, ofGrace, ofAda, rest } = await connected()
    const note = 'From the chess club'
    await asAda(`POST ${relationships}`, { username: 'grace', discriminator: null, note })
    expect(await nextEvents()).toEqual([
      [['RELATIONSHIP_ADD', { ...ofGrace, ...rest, type: OUTGOING, since, note }]],
      [
        [
          'RELATIONSHIP_ADD',
          { ...ofAda, ...rest, type: INCOMING, since, note, is_spam_request: false, stranger_request: true },
        ],
      ],
    ])
  })

  it('Create Relationship sends an Add to both sides for a request and for its acceptance', async () => {
    const { asAda, asGrace, toGrace, toAda, nextEvents, ofGrace, ofAda } = await connected()
    await asAda(`PUT ${toGrace}`, {})
    expect(await nextEvents()).toMatchObject([
      [['RELATIONSHIP_ADD', { ...ofGrace, type: OUTGOING }]],
      [['RELATIONSHIP_ADD', { ...ofAda, type: INCOMING }]],
    ])
    await asGrace(`PUT ${toAda}`, {})
    expect(await nextEvents()).toMatchObject([
      [['RELATIONSHIP_ADD', { ...ofGrace, type: FRIEND }]],
      [['RELATIONSHIP_ADD', { ...ofAda, type: FRIEND }]],
    ])
  })

  it('Create Relationship without a change sends an Add only to the caller', async () => {
    const { asAda, toGrace, nextEvents, ofGrace } = await connected()
    await asAda(`PUT ${toGrace}`, {})
    await nextEvents()
    await asAda(`PUT ${toGrace}`, {})
    expect(await nextEvents()).toMatchObject([[['RELATIONSHIP_ADD', { ...ofGrace, type: OUTGOING }]], []])
  })

  it('Create Relationship sends no event if it is rejected', async () => {
    const { service, ada, grace, asAda, toGrace, nextEvents } = await connected()
    service.relationships.block(grace, ada)
    await nextEvents()
    expect((await asAda(`PUT ${toGrace}`, {})).status).toBe(400)
    expect(await nextEvents()).toEqual([[], []])
  })

  it('a block sends an Add to the caller and a Remove of the ended relationship to the other side', async () => {
    const { service, ada, grace, asAda, toGrace, nextEvents, ofGrace, rest, partialAda } = await connected()
    service.relationships.befriend(ada, grace)
    await nextEvents()
    await asAda(`PUT ${toGrace}`, { type: BLOCKED })
    expect(await nextEvents()).toEqual([
      [['RELATIONSHIP_ADD', { ...ofGrace, ...rest, type: BLOCKED }]],
      [['RELATIONSHIP_REMOVE', { ...partialAda, ...rest, type: FRIEND, since }]],
    ])
  })

  it('a block without an earlier relationship sends no event to the other side', async () => {
    const { asAda, toGrace, nextEvents } = await connected()
    await asAda(`PUT ${toGrace}`, { type: BLOCKED })
    expect(await nextEvents()).toEqual([[['RELATIONSHIP_ADD', expect.anything()]], []])
  })

  it('Modify Relationship sends an Update without the user to the caller', async () => {
    const { service, ada, grace, asAda, toGrace, nextEvents, partialGrace, rest } = await connected()
    service.relationships.befriend(ada, grace)
    await nextEvents()
    await asAda(`PATCH ${toGrace}`, { nickname: 'Amazing' })
    const updated = { ...partialGrace, ...rest, type: FRIEND, since, nickname: 'Amazing' }
    expect(await nextEvents()).toEqual([[['RELATIONSHIP_UPDATE', updated]], []])
    await asAda(`PATCH ${toGrace}`, {})
    expect(await nextEvents()).toEqual([[['RELATIONSHIP_UPDATE', updated]], []])
  })

  it('Ignore User sends an Add and Unignore User a Remove if there was no relationship', async () => {
    const { asAda, toGrace, nextEvents, ofGrace, partialGrace, rest } = await connected()
    await asAda(`PUT ${toGrace}/ignore`)
    const ignored = { ...rest, type: NONE, user_ignored: true }
    expect(await nextEvents()).toEqual([[['RELATIONSHIP_ADD', { ...ofGrace, ...ignored }]], []])
    await asAda(`DELETE ${toGrace}/ignore`)
    expect(await nextEvents()).toEqual([[['RELATIONSHIP_REMOVE', { ...partialGrace, ...ignored }]], []])
  })

  it('Ignore User and Unignore User send an Update if there was a relationship', async () => {
    const { service, ada, grace, asAda, toGrace, nextEvents } = await connected()
    service.relationships.befriend(ada, grace)
    await nextEvents()
    for (const [method, user_ignored] of [
      ['PUT', true],
      ['PUT', true],
      ['DELETE', false],
    ] as const) {
      await asAda(`${method} ${toGrace}/ignore`)
      const [[event] = [], others] = await nextEvents()
      expect(event).toEqual(['RELATIONSHIP_UPDATE', expect.objectContaining({ id: grace.id, user_ignored })])
      expect(event?.[1]).not.toHaveProperty('user')
      expect(others).toEqual([])
    }
  })

  it('Remove Relationship sends one Remove without the user to each side', async () => {
    const { service, ada, grace, asAda, toGrace, nextEvents, partialGrace, partialAda } = await connected()
    service.relationships.befriend(ada, grace)
    await asAda(`PUT ${toGrace}/ignore`)
    await nextEvents()
    await asAda(`DELETE ${toGrace}`)
    const [ofAdaSide = [], ofGraceSide = []] = await nextEvents()
    expect(ofAdaSide).toMatchObject([['RELATIONSHIP_REMOVE', { ...partialGrace, user_ignored: true, type: FRIEND }]])
    expect(ofGraceSide).toMatchObject([['RELATIONSHIP_REMOVE', { ...partialAda, type: FRIEND }]])
    for (const [, data] of [...ofAdaSide, ...ofGraceSide]) expect(data).not.toHaveProperty('user')
  })

  it('Remove Relationship sends an Add to the other side if that side ignores the user', async () => {
    const { service, ada, grace, asAda, asGrace, toGrace, toAda, nextEvents, ofAda, rest } = await connected()
    service.relationships.befriend(ada, grace)
    await asGrace(`PUT ${toAda}/ignore`)
    await nextEvents()
    await asAda(`DELETE ${toGrace}`)
    const [, ofGraceSide] = await nextEvents()
    expect(ofGraceSide).toEqual([
      ['RELATIONSHIP_REMOVE', expect.objectContaining({ id: ada.id, type: FRIEND })],
      ['RELATIONSHIP_ADD', { ...ofAda, ...rest, type: NONE, user_ignored: true }],
    ])
    expect((await asGrace('GET /users/@me/relationships')).body).toEqual([ofGraceSide?.[1]?.[1]])
  })

  it('Bulk Remove Relationships sends one Remove per relationship to each side', async () => {
    const { service, ada, asAda, connect, connectAda } = await setUpGateway(transport)
    const from = ['one', 'two'].map((name) => service.users.create({ login: `${name}@example.com`, password }))
    for (const user of from) service.relationships.request(user, ada)
    const [sender] = from
    const clients = [await connectAda(), await connect(sender ?? ada)]
    await asAda(`DELETE ${relationships}`)
    const [removed, theirs] = await Promise.all(clients.map(({ client }) => client.nextEvents()))
    expect(removed?.map(([name]) => name)).toEqual(['RELATIONSHIP_REMOVE', 'RELATIONSHIP_REMOVE'])
    expect(removed).toMatchObject(from.map(({ id }) => ['RELATIONSHIP_REMOVE', { id, type: INCOMING }]))
    expect(theirs).toMatchObject([['RELATIONSHIP_REMOVE', { id: ada.id, type: OUTGOING }]])
  })

  it('Bulk Add Relationships sends an Add to both sides for each success', async () => {
    const { service, ada, grace, asAda, nextEvents } = await connected()
    const blocker = service.users.create({ login: 'blocker@example.com' })
    service.relationships.block(blocker, ada)
    const user_ids = [grace.id, blocker.id]
    await asAda(`POST ${relationships}/bulk`, { user_ids, token: service.users.contactSyncToken(ada) })
    expect(await nextEvents()).toMatchObject([
      [['RELATIONSHIP_ADD', { id: grace.id, type: OUTGOING }]],
      [['RELATIONSHIP_ADD', { id: ada.id, type: INCOMING }]],
    ])
  })

  it('relationships that a test sets up without a call send events too', async () => {
    const { service, ada, grace, nextEvents } = await connected()
    service.relationships.request(ada, grace)
    service.relationships.befriend(ada, grace)
    expect((await nextEvents()).map((events) => events.map(([name]) => name))).toEqual([
      ['RELATIONSHIP_ADD', 'RELATIONSHIP_ADD'],
      ['RELATIONSHIP_ADD', 'RELATIONSHIP_ADD'],
    ])
  })

  it('a request or friendship that ends a suggestion sends Friend Suggestion Delete', async () => {
    const { service, ada, grace, asAda, asGrace, toGrace, toAda, nextEvents } = await connected()
    service.users.suggest(ada, grace)
    service.users.suggest(grace, ada)
    await asAda(`PUT ${toGrace}`, { from_friend_suggestion: true })
    expect(await nextEvents()).toEqual([
      [
        ['RELATIONSHIP_ADD', expect.anything()],
        ['FRIEND_SUGGESTION_DELETE', { suggested_user_id: grace.id }],
      ],
      [['RELATIONSHIP_ADD', expect.anything()]],
    ])
    await asGrace(`PUT ${toAda}`, {})
    expect(await nextEvents()).toEqual([
      [['RELATIONSHIP_ADD', expect.anything()]],
      [
        ['RELATIONSHIP_ADD', expect.anything()],
        ['FRIEND_SUGGESTION_DELETE', { suggested_user_id: ada.id }],
      ],
    ])
  })

  it('has_played_game is sent only to sessions of an application', async () => {
    const { service, ada, grace, connect, asAda, toGrace } = await setUpGateway(transport)
    const application = service.applications.create({ owner: ada })
    service.applications.authorize(application, grace)
    const [own, throughGame] = [await connect(ada), await connect(ada, { oauth2: application })]
    await asAda(`PUT ${toGrace}`, {})
    expect((await own.client.nextEvents())[0]?.[1]).not.toHaveProperty('has_played_game')
    expect((await throughGame.client.nextEvents())[0]?.[1]).toMatchObject({ has_played_game: true })
  })
})
