import { RelationshipType } from 'rapport-sdk'
import { describe, expect, it, test } from 'vitest'
import { BLOCKED, FRIEND, IMPLICIT, INCOMING, NONE, OUTGOING, problems, relationships, setUpPair } from './set-up'

describe('a block', () => {
  it('nobody can have a relationship with themselves through a seed function, and the error names the user', () => {
    const { service, ada } = setUpPair()
    const { befriend, request, block, remove, addImplicit } = service.relationships
    for (const act of [befriend, request, block, remove, addImplicit, service.users.suggest])
      expect(() => act(ada, ada.id)).toThrow('expected two different users, got ada twice')
    expect(service.relationships.between(ada, ada)).toBe(0)
    const { relationships, suggestions } = service.snapshot().database
    expect([relationships, suggestions]).toEqual([[], []])
  })

  it('ends a friendship and rejects requests of the blocked user', async () => {
    const { service, ada, grace, asAda, asGrace, toGrace, toAda, types } = setUpPair()
    service.relationships.befriend(ada, grace)
    expect((await asAda(`PUT ${toGrace}`, { type: BLOCKED })).status).toBe(204)
    expect(await types()).toEqual([BLOCKED, undefined])
    expect((await asGrace(`PUT ${toAda}`, {})).status).toBe(400)
    expect((await asGrace(`POST ${relationships}`, { username: 'ada', discriminator: null })).status).toBe(400)
  })

  it('rejects every kind of request to the user and stays', async () => {
    const { service, ada, grace, asAda, asGrace, toGrace, toAda, types } = setUpPair()
    await asAda(`PUT ${toGrace}`, { type: BLOCKED })
    const refused = { status: 400, body: { code: 80011 } }
    expect(await asAda(`PUT ${toGrace}`, {})).toMatchObject(refused)
    expect(await asAda(`PUT ${toGrace}`, { type: -1, from_friend_suggestion: true })).toMatchObject(refused)
    expect(await asAda(`POST ${relationships}`, { username: 'grace', discriminator: null })).toMatchObject(refused)
    const bulk = { user_ids: [grace.id], token: service.users.contactSyncToken(ada) }
    expect((await asAda(`POST ${relationships}/bulk`, bulk)).body).toMatchObject({ failed_requests: [grace.id] })
    expect((await asAda(`PUT ${toGrace}`, { type: FRIEND })).status).toBe(400)
    expect(await types()).toEqual([BLOCKED, undefined])
    expect((await asGrace(`PUT ${toAda}`, {})).status).toBe(400)
    await asAda(`DELETE ${toGrace}`)
    expect((await asAda(`PUT ${toGrace}`, {})).status).toBe(204)
  })

  it('rejects a game friend request to the user', async () => {
    const { service, ada, grace, asAda, toGrace } = setUpPair()
    service.applications.create({ owner: ada })
    await asAda(`PUT ${toGrace}`, { type: BLOCKED })
    const { status, body } = await asAda(`PUT /users/@me/game-relationships/${grace.id}`, {})
    expect([status, body]).toEqual([400, expect.objectContaining({ code: 80011 })])
  })

  it('drops the note and time of the earlier relationship', async () => {
    const { asAda, asGrace, list, toGrace, toAda } = setUpPair()
    await asAda(`PUT ${toGrace}`, { note: 'From the chess club' })
    await asGrace(`PUT ${toAda}`, {})
    await asGrace(`PUT ${toAda}`, { type: BLOCKED })
    expect((await list(asGrace))[0]).toMatchObject({ type: BLOCKED })
    expect((await list(asGrace))[0]).not.toHaveProperty('note')
    expect((await list(asGrace))[0]).not.toHaveProperty('since')
  })

  it('can be removed only by its own side', async () => {
    const { asAda, asGrace, toGrace, toAda, types } = setUpPair()
    await asAda(`PUT ${toGrace}`, { type: BLOCKED })
    await asGrace(`PUT ${toAda}`, { type: BLOCKED })
    expect(await types()).toEqual([BLOCKED, BLOCKED])
    await asGrace(`DELETE ${toAda}`)
    expect(await types()).toEqual([BLOCKED, undefined])
    await asAda(`DELETE ${toGrace}`)
    expect(await types()).toEqual([undefined, undefined])
  })
})

test('a nickname of a friend is visible only to the user who set it', async () => {
  const { service, ada, grace, asAda, asGrace, list, toGrace } = setUpPair()
  service.relationships.befriend(ada, grace)
  expect((await asAda(`PATCH ${toGrace}`, { nickname: 'Amazing' })).status).toBe(204)
  expect((await list(asAda))[0]?.nickname).toBe('Amazing')
  expect((await list(asGrace))[0]?.nickname).toBeNull()
  expect((await asAda(`PATCH ${toGrace}`, {})).status).toBe(204)
  expect((await list(asAda))[0]?.nickname).toBe('Amazing')
})

test('a nickname has 1 to 32 characters', async () => {
  const { service, ada, grace, asAda, toGrace } = setUpPair()
  service.relationships.befriend(ada, grace)
  const codes = async (nickname: unknown) => problems((await asAda(`PATCH ${toGrace}`, { nickname })).body)
  expect(await codes('')).toEqual(['nickname: TOO_SHORT'])
  expect(await codes('x')).toEqual([])
  expect(await codes('💛'.repeat(32))).toEqual([])
  expect(await codes('x'.repeat(33))).toEqual(['nickname: TOO_LONG'])
  expect(await codes(null)).toEqual(['nickname: INVALID_TYPE'])
})

test('a nickname can be set only for a friend', async () => {
  const { asAda, toGrace } = setUpPair()
  expect((await asAda(`PATCH ${toGrace}`, { nickname: 'Amazing' })).status).toBe(404)
  await asAda(`PUT ${toGrace}`, {})
  expect(problems((await asAda(`PATCH ${toGrace}`, { nickname: 'Amazing' })).body)).toEqual(['nickname: NOT_A_FRIEND'])
})

test('a nickname ends with the friendship', async () => {
  const { service, ada, grace, asAda, list, toGrace } = setUpPair()
  service.relationships.befriend(ada, grace)
  await asAda(`PATCH ${toGrace}`, { nickname: 'Amazing' })
  await asAda(`PUT ${toGrace}`, { type: BLOCKED })
  expect((await list(asAda))[0]?.nickname).toBeNull()
})

describe('Ignore User', () => {
  it('sets the flag of a relationship on one side only', async () => {
    const { service, ada, grace, asAda, asGrace, list, toGrace } = setUpPair()
    service.relationships.befriend(ada, grace)
    expect((await asAda(`PUT ${toGrace}/ignore`)).status).toBe(204)
    expect((await list(asAda))[0]).toMatchObject({ type: FRIEND, user_ignored: true })
    expect((await list(asGrace))[0]).toMatchObject({ type: FRIEND, user_ignored: false })
    expect((await asAda(`DELETE ${toGrace}/ignore`)).status).toBe(204)
    expect((await list(asAda))[0]).toMatchObject({ type: FRIEND, user_ignored: false })
  })

  it('creates a relationship if there is none, and Unignore User removes it', async () => {
    const { asAda, asGrace, list, toGrace } = setUpPair()
    await asAda(`PUT ${toGrace}/ignore`)
    const [relationship] = await list(asAda)
    expect(relationship).toMatchObject({ type: NONE, user_ignored: true })
    expect(relationship).not.toHaveProperty('since')
    expect(await list(asGrace)).toEqual([])
    await asAda(`DELETE ${toGrace}/ignore`)
    expect(await list(asAda)).toEqual([])
    expect((await asAda(`DELETE ${toGrace}/ignore`)).status).toBe(404)
  })

  it('creates a relationship of the type that the policy says', async () => {
    const { asAda, list, toGrace } = setUpPair({ policy: { ignoredType: RelationshipType.IMPLICIT } })
    await asAda(`PUT ${toGrace}/ignore`)
    expect(await list(asAda)).toMatchObject([{ type: IMPLICIT, user_ignored: true }])
    await asAda(`DELETE ${toGrace}/ignore`)
    expect(await list(asAda)).toEqual([])
  })

  it('lasts if the other side removes the relationship, but not if the same side does', async () => {
    const { service, ada, grace, asAda, asGrace, list, toGrace, toAda } = setUpPair()
    service.relationships.befriend(ada, grace)
    await asAda(`PUT ${toGrace}/ignore`)
    await asGrace(`DELETE ${toAda}`)
    expect((await list(asAda))[0]).toMatchObject({ type: NONE, user_ignored: true })
    await asAda(`DELETE ${toGrace}`)
    expect(await list(asAda)).toEqual([])
  })

  it('a user who stays ignored after a removal is listed last, because the events are a Remove and an Add', async () => {
    const { service, ada, grace, asAda, asGrace, list, toGrace, toAda } = setUpPair()
    const linus = service.users.create({ login: 'linus@example.com', username: 'linus' })
    for (const other of [grace, linus]) service.relationships.befriend(ada, other)
    const order = async () => (await list(asAda)).map(({ id }) => id)
    await asAda(`PUT ${toGrace}/ignore`)
    expect(await order()).toEqual([grace.id, linus.id])
    await asGrace(`DELETE ${toAda}`)
    expect(await order()).toEqual([linus.id, grace.id])
  })

  it('rejects oneself and unknown users', async () => {
    const { asAda, toAda } = setUpPair()
    expect((await asAda(`PUT ${toAda}/ignore`)).status).toBe(400)
    expect((await asAda(`PUT ${relationships}/1/ignore`)).status).toBe(404)
  })
})

describe('Bulk Remove Relationships', () => {
  const setUpRequests = async () => {
    const setup = setUpPair()
    const { service, ada, grace, asAda } = setup
    const from = (name: string) => service.users.create({ login: `${name}@example.com`, username: name })
    const [plain, spam, ignored, both] = [from('plain'), from('spam'), from('ignored'), from('both')]
    for (const user of [plain, spam, ignored, both]) {
      service.relationships.request(user, ada, { spam: user === spam || user === both })
    }
    for (const { id } of [ignored, both]) await asAda(`PUT ${relationships}/${id}/ignore`)
    service.relationships.befriend(ada, grace)
    const remaining = async () => (await setup.list(asAda)).filter(({ type }) => type === INCOMING).map(({ id }) => id)
    const ids = { plain: plain.id, spam: spam.id, ignored: ignored.id, both: both.id }
    return { ...setup, ...ids, remaining }
  }

  it('removes incoming requests and nothing else', async () => {
    const { asAda, remaining, list, grace } = await setUpRequests()
    expect((await asAda(`DELETE ${relationships}`)).status).toBe(204)
    expect(await remaining()).toEqual([])
    expect((await list(asAda)).find(({ id }) => id === grace.id)?.type).toBe(FRIEND)
  })

  it('combines its filters with AND', async () => {
    const { asAda, remaining, plain, spam, ignored } = await setUpRequests()
    await asAda(`DELETE ${relationships}?relationship_type=3`, { filters: [1, 2] })
    expect(await remaining()).toEqual([plain, spam, ignored])
    await asAda(`DELETE ${relationships}`, { filters: [2] })
    expect(await remaining()).toEqual([plain, spam])
  })

  it('takes only_spam for the spam filter', async () => {
    const { asAda, remaining, plain, ignored } = await setUpRequests()
    await asAda(`DELETE ${relationships}?only_spam=true`)
    expect(await remaining()).toEqual([plain, ignored])
    expect((await asAda(`DELETE ${relationships}?only_spam=false`, { filters: [1] })).status).toBe(204)
    expect(await remaining()).toEqual([plain, ignored])
  })

  it('rejects other relationship types, unknown filters and unknown fields', async () => {
    const { asAda } = await setUpRequests()
    expect(problems((await asAda(`DELETE ${relationships}?relationship_type=1`)).body)).toEqual([
      'relationship_type: INVALID_VALUE',
    ])
    expect(problems((await asAda(`DELETE ${relationships}`, { filters: [3] })).body)).toEqual([
      'filters.0: INVALID_VALUE',
    ])
    expect(problems((await asAda(`DELETE ${relationships}`, { only_spam: true })).body)).toEqual([
      'only_spam: UNKNOWN_FIELD',
    ])
  })
})

describe('Bulk Add Relationships', () => {
  it('returns which requests succeeded and which failed', async () => {
    const { service, ada, grace, asAda, types } = setUpPair()
    const blocker = service.users.create({ login: 'blocker@example.com' })
    service.relationships.block(blocker, ada)
    const user_ids = [grace.id, blocker.id, ada.id, 'nobody']
    const { body } = await asAda(`POST ${relationships}/bulk`, { user_ids, token: service.users.contactSyncToken(ada) })
    expect(body).toEqual({ successful_requests: [grace.id], failed_requests: [blocker.id, ada.id, 'nobody'] })
    expect(await types()).toEqual([OUTGOING, INCOMING])
  })

  it('requires a valid contact sync token of the user', async () => {
    const { service, ada, grace, asAda } = setUpPair()
    const add = async (token: string) => (await asAda(`POST ${relationships}/bulk`, { user_ids: [], token })).status
    expect(await add('made up')).toBe(400)
    expect(await add(service.users.contactSyncToken(grace))).toBe(403)
    const token = service.users.contactSyncToken(ada)
    service.clock.advance('1h')
    expect(await add(token)).toBe(400)
  })
})

describe('Get Relationships', () => {
  it('has_played_game is listed only in OAuth2 contexts', async () => {
    const { service, ada, grace, as, asAda, list } = setUpPair()
    service.relationships.befriend(ada, grace)
    const application = service.applications.create({ owner: ada })
    const throughGame = as(ada, { oauth2: application })
    expect((await list(throughGame))[0]).toMatchObject({ has_played_game: false })
    service.applications.authorize(application, grace)
    expect((await list(throughGame))[0]).toMatchObject({ has_played_game: true })
    expect((await list(asAda))[0]).not.toHaveProperty('has_played_game')
  })

  it('lists an implicit relationship on one side', async () => {
    const { service, ada, grace, types } = setUpPair()
    service.relationships.addImplicit(ada, grace)
    expect(await types()).toEqual([IMPLICIT, undefined])
    expect(service.relationships.between(ada, grace)).toBe(IMPLICIT)
    expect(service.relationships.between(grace, ada)).toBe(NONE)
  })
})

describe('friend suggestions', () => {
  const setUpSuggestions = () => {
    const setup = setUpPair()
    setup.service.users.suggest(setup.ada, setup.grace)
    setup.service.users.suggest(setup.grace, setup.ada)
    const other = setup.service.users.create({ login: 'other@example.com' })
    setup.service.users.suggest(setup.ada, other)
    const names = async (by: typeof setup.asAda) =>
      (await by<{ suggested_user: { id: string } }[]>('GET /friend-suggestions')).body.map(
        (each) => each.suggested_user.id,
      )
    return { ...setup, other, names }
  }

  it('a request from a suggestion ends the suggestion of the sender', async () => {
    const { ada, other, asAda, asGrace, toGrace, names } = setUpSuggestions()
    expect((await asAda(`PUT ${toGrace}`, { from_friend_suggestion: true })).status).toBe(204)
    expect(await names(asAda)).toEqual([other.id])
    expect(await names(asGrace)).toEqual([ada.id])
  })

  it('stay if a request does not refer to them or is rejected', async () => {
    const { service, ada, grace, other, asAda, toGrace, names } = setUpSuggestions()
    service.relationships.block(grace, ada)
    expect((await asAda(`PUT ${toGrace}`, { from_friend_suggestion: true })).status).toBe(400)
    expect(await names(asAda)).toEqual([grace.id, other.id])
    expect((await asAda(`PUT ${relationships}/${other.id}`, {})).status).toBe(204)
    expect(await names(asAda)).toEqual([grace.id, other.id])
  })

  it('end on both sides with a friendship', async () => {
    const { service, grace, other, as, asAda, asGrace, toGrace, toAda, names } = setUpSuggestions()
    await asAda(`PUT ${toGrace}`, {})
    await asGrace(`PUT ${toAda}`, { from_friend_suggestion: true })
    expect([await names(asAda), await names(asGrace)]).toEqual([[other.id], []])
    service.users.suggest(other, grace)
    service.relationships.befriend(grace, other)
    expect((await as(other)('GET /friend-suggestions')).body).toEqual([])
  })

  it('they are listed with their reasons and removed one by one', async () => {
    const { service, ada, grace, asAda, asGrace } = setUpPair()
    const reasons = [{ type: 1, platform: 'chess', name: 'ghopper' }]
    service.users.suggest(ada, grace, { reasons, fromContacts: true })
    expect((await asAda('GET /friend-suggestions')).body).toEqual([
      { suggested_user: expect.objectContaining({ id: grace.id }), reasons, from_suggested_user_contacts: true },
    ])
    expect((await asGrace('GET /friend-suggestions')).body).toEqual([])
    expect((await asAda(`DELETE /friend-suggestions/${grace.id}`)).status).toBe(204)
    expect((await asAda('GET /friend-suggestions')).body).toEqual([])
    expect((await asAda(`DELETE /friend-suggestions/${grace.id}`)).status).toBe(404)
  })
})
