import { describe, expect, it } from 'vitest'
import { problems } from './calls'
import { all, BLOCKED, FRIEND, IMPLICIT, INCOMING, NONE, OUTGOING, people } from './people'

describe('a block', () => {
  it('ends a friendship and keeps the blocked from asking again', async () => {
    const { service, ada, grace, mine, hers, toGrace, toAda, types } = people()
    service.relationships.befriend(ada, grace)
    expect((await mine(`PUT ${toGrace}`, { type: BLOCKED })).status).toBe(204)
    expect(await types()).toEqual([BLOCKED, undefined])
    expect((await hers(`PUT ${toAda}`, {})).status).toBe(400)
    expect((await hers(`POST ${all}`, { username: 'ada', discriminator: null })).status).toBe(400)
  })

  it('refuses a request to a user you blocked and keeps the block, in whichever way it is sent', async () => {
    const { service, ada, grace, mine, hers, toGrace, toAda, types } = people()
    await mine(`PUT ${toGrace}`, { type: BLOCKED })
    const refused = { status: 400, body: { code: 80011 } }
    expect(await mine(`PUT ${toGrace}`, {})).toMatchObject(refused)
    expect(await mine(`PUT ${toGrace}`, { type: -1, from_friend_suggestion: true })).toMatchObject(refused)
    expect(await mine(`POST ${all}`, { username: 'grace', discriminator: null })).toMatchObject(refused)
    const bulk = { user_ids: [grace.id], token: service.users.contactSyncToken(ada) }
    expect((await mine(`POST ${all}/bulk`, bulk)).body).toMatchObject({ failed_requests: [grace.id] })
    expect((await mine(`PUT ${toGrace}`, { type: FRIEND })).status).toBe(400)
    expect(await types()).toEqual([BLOCKED, undefined])
    expect((await hers(`PUT ${toAda}`, {})).status).toBe(400)
    await mine(`DELETE ${toGrace}`)
    expect((await mine(`PUT ${toGrace}`, {})).status).toBe(204)
  })

  it('refuses a game friend request to a user you blocked', async () => {
    const { service, ada, grace, mine, toGrace } = people()
    service.applications.create({ owner: ada })
    await mine(`PUT ${toGrace}`, { type: BLOCKED })
    const { status, body } = await mine(`PUT /users/@me/game-relationships/${grace.id}`, {})
    expect([status, body]).toEqual([400, expect.objectContaining({ code: 80011 })])
  })

  it('keeps nothing of the request that it ends', async () => {
    const { mine, hers, seen, toGrace, toAda } = people()
    await mine(`PUT ${toGrace}`, { note: 'From the chess club' })
    await hers(`PUT ${toAda}`, {})
    await hers(`PUT ${toAda}`, { type: BLOCKED })
    expect((await seen(hers))[0]).toMatchObject({ type: BLOCKED })
    expect((await seen(hers))[0]).not.toHaveProperty('note')
    expect((await seen(hers))[0]).not.toHaveProperty('since')
  })

  it('is not lifted by the other side', async () => {
    const { mine, hers, toGrace, toAda, types } = people()
    await mine(`PUT ${toGrace}`, { type: BLOCKED })
    await hers(`PUT ${toAda}`, { type: BLOCKED })
    expect(await types()).toEqual([BLOCKED, BLOCKED])
    await hers(`DELETE ${toAda}`)
    expect(await types()).toEqual([BLOCKED, undefined])
    await mine(`DELETE ${toGrace}`)
    expect(await types()).toEqual([undefined, undefined])
  })
})

describe('a nickname', () => {
  it('is given to a friend, seen by its giver alone', async () => {
    const { service, ada, grace, mine, hers, seen, toGrace } = people()
    service.relationships.befriend(ada, grace)
    expect((await mine(`PATCH ${toGrace}`, { nickname: 'Amazing' })).status).toBe(204)
    expect((await seen(mine))[0]?.nickname).toBe('Amazing')
    expect((await seen(hers))[0]?.nickname).toBeNull()
    expect((await mine(`PATCH ${toGrace}`, {})).status).toBe(204)
    expect((await seen(mine))[0]?.nickname).toBe('Amazing')
  })

  it('has 1 to 32 characters', async () => {
    const { service, ada, grace, mine, toGrace } = people()
    service.relationships.befriend(ada, grace)
    const codes = async (nickname: unknown) => problems((await mine(`PATCH ${toGrace}`, { nickname })).body)
    expect(await codes('')).toEqual(['nickname: TOO_SHORT'])
    expect(await codes('x')).toEqual([])
    expect(await codes('💛'.repeat(32))).toEqual([])
    expect(await codes('x'.repeat(33))).toEqual(['nickname: TOO_LONG'])
    expect(await codes(null)).toEqual(['nickname: INVALID_TYPE'])
  })

  it('is for friends alone', async () => {
    const { mine, toGrace } = people()
    expect((await mine(`PATCH ${toGrace}`, { nickname: 'Amazing' })).status).toBe(404)
    await mine(`PUT ${toGrace}`, {})
    expect(problems((await mine(`PATCH ${toGrace}`, { nickname: 'Amazing' })).body)).toEqual(['nickname: NOT_A_FRIEND'])
  })

  it('is gone when the friendship is', async () => {
    const { service, ada, grace, mine, seen, toGrace } = people()
    service.relationships.befriend(ada, grace)
    await mine(`PATCH ${toGrace}`, { nickname: 'Amazing' })
    await mine(`PUT ${toGrace}`, { type: BLOCKED })
    expect((await seen(mine))[0]?.nickname).toBeNull()
  })
})

describe('ignoring', () => {
  it('sets the flag of a relationship, on one side alone', async () => {
    const { service, ada, grace, mine, hers, seen, toGrace } = people()
    service.relationships.befriend(ada, grace)
    expect((await mine(`PUT ${toGrace}/ignore`)).status).toBe(204)
    expect((await seen(mine))[0]).toMatchObject({ type: FRIEND, user_ignored: true })
    expect((await seen(hers))[0]).toMatchObject({ type: FRIEND, user_ignored: false })
    expect((await mine(`DELETE ${toGrace}/ignore`)).status).toBe(204)
    expect((await seen(mine))[0]).toMatchObject({ type: FRIEND, user_ignored: false })
  })

  it('makes a relationship of its own where there is none, which disappears with it', async () => {
    const { mine, hers, seen, toGrace } = people()
    await mine(`PUT ${toGrace}/ignore`)
    const [relationship] = await seen(mine)
    expect(relationship).toMatchObject({ type: NONE, user_ignored: true })
    expect(relationship).not.toHaveProperty('since')
    expect(await seen(hers)).toEqual([])
    await mine(`DELETE ${toGrace}/ignore`)
    expect(await seen(mine)).toEqual([])
    expect((await mine(`DELETE ${toGrace}/ignore`)).status).toBe(404)
  })

  it('outlives what the other side removes, and not what oneself removes', async () => {
    const { service, ada, grace, mine, hers, seen, toGrace, toAda } = people()
    service.relationships.befriend(ada, grace)
    await mine(`PUT ${toGrace}/ignore`)
    await hers(`DELETE ${toAda}`)
    expect((await seen(mine))[0]).toMatchObject({ type: NONE, user_ignored: true })
    await mine(`DELETE ${toGrace}`)
    expect(await seen(mine)).toEqual([])
  })

  it('lists a user last who stays ignored after a removal, since the events are a Remove and an Add', async () => {
    const { service, ada, grace, mine, hers, seen, toGrace, toAda } = people()
    const linus = service.users.create({ login: 'linus@example.com', username: 'linus' })
    for (const other of [grace, linus]) service.relationships.befriend(ada, other)
    const order = async () => (await seen(mine)).map(({ id }) => id)
    await mine(`PUT ${toGrace}/ignore`)
    expect(await order()).toEqual([grace.id, linus.id])
    await hers(`DELETE ${toAda}`)
    expect(await order()).toEqual([linus.id, grace.id])
  })

  it('is of existing users other than oneself', async () => {
    const { mine, toAda } = people()
    expect((await mine(`PUT ${toAda}/ignore`)).status).toBe(400)
    expect((await mine(`PUT ${all}/1/ignore`)).status).toBe(404)
  })
})

describe('removing in bulk', () => {
  const requested = async () => {
    const world = people()
    const { service, ada, grace, mine } = world
    const from = (name: string) => service.users.create({ login: `${name}@example.com`, username: name })
    const [plain, spam, ignored, both] = [from('plain'), from('spam'), from('ignored'), from('both')]
    for (const user of [plain, spam, ignored, both]) {
      service.relationships.request(user, ada, { spam: user === spam || user === both })
    }
    for (const { id } of [ignored, both]) await mine(`PUT ${all}/${id}/ignore`)
    service.relationships.befriend(ada, grace)
    const left = async () => (await world.seen(mine)).filter(({ type }) => type === INCOMING).map(({ id }) => id)
    const ids = { plain: plain.id, spam: spam.id, ignored: ignored.id, both: both.id }
    return { ...world, ...ids, left }
  }

  it('takes all incoming requests, and nothing else', async () => {
    const { mine, left, seen, grace } = await requested()
    expect((await mine(`DELETE ${all}`)).status).toBe(204)
    expect(await left()).toEqual([])
    expect((await seen(mine)).find(({ id }) => id === grace.id)?.type).toBe(FRIEND)
  })

  it('combines filters with AND', async () => {
    const { mine, left, plain, spam, ignored } = await requested()
    await mine(`DELETE ${all}?relationship_type=3`, { filters: [1, 2] })
    expect(await left()).toEqual([plain, spam, ignored])
    await mine(`DELETE ${all}`, { filters: [2] })
    expect(await left()).toEqual([plain, spam])
  })

  it('takes only_spam for the spam filter', async () => {
    const { mine, left, plain, ignored } = await requested()
    await mine(`DELETE ${all}?only_spam=true`)
    expect(await left()).toEqual([plain, ignored])
    expect((await mine(`DELETE ${all}?only_spam=false`, { filters: [1] })).status).toBe(204)
    expect(await left()).toEqual([plain, ignored])
  })

  it('removes incoming requests alone, with documented filters alone', async () => {
    const { mine } = await requested()
    expect(problems((await mine(`DELETE ${all}?relationship_type=1`)).body)).toEqual([
      'relationship_type: INVALID_VALUE',
    ])
    expect(problems((await mine(`DELETE ${all}`, { filters: [3] })).body)).toEqual(['filters.0: INVALID_VALUE'])
    expect(problems((await mine(`DELETE ${all}`, { only_spam: true })).body)).toEqual(['only_spam: UNKNOWN_FIELD'])
  })
})

describe('adding in bulk', () => {
  it('tells which requests were sent and which failed', async () => {
    const { service, ada, grace, mine, types } = people()
    const blocker = service.users.create({ login: 'blocker@example.com' })
    service.relationships.block(blocker, ada)
    const user_ids = [grace.id, blocker.id, ada.id, 'nobody']
    const { body } = await mine(`POST ${all}/bulk`, { user_ids, token: service.users.contactSyncToken(ada) })
    expect(body).toEqual({ successful_requests: [grace.id], failed_requests: [blocker.id, ada.id, 'nobody'] })
    expect(await types()).toEqual([OUTGOING, INCOMING])
  })

  it('needs a contact sync token that is one’s own and alive', async () => {
    const { service, ada, grace, mine } = people()
    const add = async (token: string) => (await mine(`POST ${all}/bulk`, { user_ids: [], token })).status
    expect(await add('made up')).toBe(400)
    expect(await add(service.users.contactSyncToken(grace))).toBe(403)
    const token = service.users.contactSyncToken(ada)
    service.clock.advance('1h')
    expect(await add(token)).toBe(400)
  })
})

describe('what the list shows', () => {
  it('has has_played_game in OAuth2 contexts alone', async () => {
    const { service, ada, grace, as, mine, seen } = people()
    service.relationships.befriend(ada, grace)
    const application = service.applications.create({ owner: ada })
    const throughGame = as(ada, { oauth2: application })
    expect((await seen(throughGame))[0]).toMatchObject({ has_played_game: false })
    service.applications.authorize(application, grace)
    expect((await seen(throughGame))[0]).toMatchObject({ has_played_game: true })
    expect((await seen(mine))[0]).not.toHaveProperty('has_played_game')
  })

  it('has implicit relationships, on one side', async () => {
    const { service, ada, grace, types } = people()
    service.relationships.addImplicit(ada, grace)
    expect(await types()).toEqual([IMPLICIT, undefined])
    expect(service.relationships.between(ada, grace)).toBe(IMPLICIT)
    expect(service.relationships.between(grace, ada)).toBe(NONE)
  })
})

describe('friend suggestions', () => {
  const suggested = () => {
    const world = people()
    world.service.users.suggest(world.ada, world.grace)
    world.service.users.suggest(world.grace, world.ada)
    const other = world.service.users.create({ login: 'other@example.com' })
    world.service.users.suggest(world.ada, other)
    const names = async (by: typeof world.mine) =>
      (await by<{ suggested_user: { id: string } }[]>('GET /friend-suggestions')).body.map(
        (each) => each.suggested_user.id,
      )
    return { ...world, other, names }
  }

  it('ends a suggestion for whoever sends a request from it', async () => {
    const { ada, other, mine, hers, toGrace, names } = suggested()
    expect((await mine(`PUT ${toGrace}`, { from_friend_suggestion: true })).status).toBe(204)
    expect(await names(mine)).toEqual([other.id])
    expect(await names(hers)).toEqual([ada.id])
  })

  it('keeps a suggestion if the request does not name it or is refused', async () => {
    const { service, ada, grace, other, mine, toGrace, names } = suggested()
    service.relationships.block(grace, ada)
    expect((await mine(`PUT ${toGrace}`, { from_friend_suggestion: true })).status).toBe(400)
    expect(await names(mine)).toEqual([grace.id, other.id])
    expect((await mine(`PUT ${all}/${other.id}`, {})).status).toBe(204)
    expect(await names(mine)).toEqual([grace.id, other.id])
  })

  it('ends suggestions on both sides once the two are friends, however they became so', async () => {
    const { service, grace, other, as, mine, hers, toGrace, toAda, names } = suggested()
    await mine(`PUT ${toGrace}`, {})
    await hers(`PUT ${toAda}`, { from_friend_suggestion: true })
    expect([await names(mine), await names(hers)]).toEqual([[other.id], []])
    service.users.suggest(other, grace)
    service.relationships.befriend(grace, other)
    expect((await as(other)('GET /friend-suggestions')).body).toEqual([])
  })

  it('are listed with their reasons and removed one by one', async () => {
    const { service, ada, grace, mine, hers } = people()
    const reasons = [{ type: 1, platform: 'chess', name: 'ghopper' }]
    service.users.suggest(ada, grace, { reasons, fromContacts: true })
    expect((await mine('GET /friend-suggestions')).body).toEqual([
      { suggested_user: expect.objectContaining({ id: grace.id }), reasons, from_suggested_user_contacts: true },
    ])
    expect((await hers('GET /friend-suggestions')).body).toEqual([])
    expect((await mine(`DELETE /friend-suggestions/${grace.id}`)).status).toBe(204)
    expect((await mine('GET /friend-suggestions')).body).toEqual([])
    expect((await mine(`DELETE /friend-suggestions/${grace.id}`)).status).toBe(404)
  })
})
