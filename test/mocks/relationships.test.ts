import { describe, expect, it } from 'vitest'
import { problems, setUp, start } from './calls'

interface Relationship {
  id: string
  type: number
  nickname: string | null
  [field: string]: unknown
}
const [NONE, FRIEND, BLOCKED, INCOMING, OUTGOING, IMPLICIT] = [0, 1, 2, 3, 4, 5]
const all = '/users/@me/relationships'

function people(options: Parameters<typeof setUp>[0] = {}) {
  const { service, ada, grace, as, send } = setUp(options)
  const [mine, hers] = [as(ada), as(grace)]
  const seen = async (by: typeof mine) => (await by<Relationship[]>(`GET ${all}`)).body
  const types = async () => [(await seen(mine))[0]?.type, (await seen(hers))[0]?.type]
  return {
    service,
    ada,
    grace,
    as,
    send,
    mine,
    hers,
    seen,
    types,
    toGrace: `${all}/${grace.id}`,
    toAda: `${all}/${ada.id}`,
  } as const
}

describe('a friend request', () => {
  it('reaches the other with its note, and both see it from their side', async () => {
    const { ada, grace, mine, hers, seen } = people()
    const sent = await mine(`POST ${all}`, { username: 'Grace', discriminator: null, note: 'Hello' })
    expect(sent).toMatchObject({ status: 204, body: undefined })
    const shared = { nickname: null, user_ignored: false, origin_application_id: null, since: start, note: 'Hello' }
    expect(await seen(mine)).toEqual([
      { ...shared, id: grace.id, type: OUTGOING, user: expect.objectContaining({ id: grace.id, username: 'grace' }) },
    ])
    expect(await seen(hers)).toEqual([
      {
        ...shared,
        id: ada.id,
        type: INCOMING,
        user: expect.objectContaining({ id: ada.id, global_name: 'Ada' }),
        is_spam_request: false,
        stranger_request: true,
      },
    ])
  })

  it.each([
    ['type -1', { type: -1 }],
    ['no type', {}],
    ['type FRIEND', { type: 1 }],
  ])('is accepted with %s', async (_, body) => {
    const { mine, hers, toGrace, toAda, types } = people()
    await mine(`PUT ${toGrace}`, {})
    expect((await hers(`PUT ${toAda}`, body)).status).toBe(204)
    expect(await types()).toEqual([FRIEND, FRIEND])
  })

  it('is accepted by a request from the other side', async () => {
    const { mine, hers, types } = people()
    await mine(`POST ${all}`, { username: 'grace', discriminator: null })
    await hers(`POST ${all}`, { username: 'ada', discriminator: null })
    expect(await types()).toEqual([FRIEND, FRIEND])
  })

  it('is withdrawn or declined by removing it, on both sides', async () => {
    const { mine, hers, toGrace, toAda, types } = people()
    await mine(`PUT ${toGrace}`, {})
    expect((await mine(`DELETE ${toGrace}`)).status).toBe(204)
    expect(await types()).toEqual([undefined, undefined])
    await mine(`PUT ${toGrace}`, {})
    expect((await hers(`DELETE ${toAda}`)).status).toBe(204)
    expect(await types()).toEqual([undefined, undefined])
  })

  it('is no stranger’s where the two have a friend in common', async () => {
    const { service, ada, grace, mine, hers, seen, toGrace } = people()
    const linus = service.users.create({ login: 'linus@example.com' })
    service.relationships.befriend(ada, linus)
    service.relationships.befriend(grace, linus)
    await mine(`PUT ${toGrace}`, {})
    expect((await seen(hers)).find(({ id }) => id === ada.id)).toMatchObject({ stranger_request: false })
  })

  it('to a stranger waits for confirmation where the policy asks for it', async () => {
    const { mine, toGrace, types } = people({ policy: { requireStrangerConfirmation: () => true } })
    expect((await mine(`PUT ${toGrace}`, {})).status).toBe(400)
    expect((await mine(`PUT ${toGrace}`, { confirm_stranger_request: true })).status).toBe(204)
    expect(await types()).toEqual([OUTGOING, INCOMING])
  })

  it('has a note of up to 120 characters, or none', async () => {
    const { mine, toGrace } = people()
    const codes = async (note: unknown) => problems((await mine(`PUT ${toGrace}`, { note })).body)
    expect(await codes('💌'.repeat(120))).toEqual([])
    expect(await codes(null)).toEqual([])
    expect(await codes('x'.repeat(121))).toEqual(['note: TOO_LONG'])
    expect(await codes(1)).toEqual(['note: INVALID_TYPE'])
  })

  it('names the application that it was made through', async () => {
    const { service, ada, grace, as, seen, hers } = people()
    const application = service.applications.create({ owner: ada })
    await as(ada, { oauth2: application })(`PUT ${all}/${grace.id}`, {})
    expect((await seen(hers))[0]).toMatchObject({ origin_application_id: application.id })
  })

  it('fails to oneself, to a friend, to an unknown user and with an unknown username', async () => {
    const { service, ada, grace, mine, toGrace, toAda } = people()
    expect((await mine(`PUT ${toAda}`, {})).status).toBe(400)
    expect((await mine(`PUT ${all}/1`, {})).status).toBe(404)
    expect((await mine(`POST ${all}`, { username: 'nobody', discriminator: null })).status).toBe(400)
    expect(problems((await mine(`POST ${all}`, { username: 'grace' })).body)).toEqual(['discriminator: REQUIRED'])
    service.relationships.befriend(ada, grace)
    expect((await mine(`PUT ${toGrace}`, {})).status).toBe(400)
  })

  it('cannot be accepted where there is none, nor set to types that are not a user’s to set', async () => {
    const { mine, toGrace } = people()
    expect((await mine(`PUT ${toGrace}`, { type: FRIEND })).status).toBe(400)
    for (const type of [NONE, INCOMING, OUTGOING, IMPLICIT]) {
      expect((await mine(`PUT ${toGrace}`, { type })).body).toMatchObject({ code: 80009 })
    }
    expect(problems((await mine(`PUT ${toGrace}`, { type: 6 })).body)).toEqual(['type: INVALID_VALUE'])
    expect(problems((await mine(`PUT ${toGrace}`, { type: '1' })).body)).toEqual(['type: INVALID_VALUE'])
  })
})

describe('a block', () => {
  it('ends a friendship and keeps the blocked from asking again', async () => {
    const { service, ada, grace, mine, hers, toGrace, toAda, types } = people()
    service.relationships.befriend(ada, grace)
    expect((await mine(`PUT ${toGrace}`, { type: BLOCKED })).status).toBe(204)
    expect(await types()).toEqual([BLOCKED, undefined])
    expect((await hers(`PUT ${toAda}`, {})).status).toBe(400)
    expect((await hers(`POST ${all}`, { username: 'ada', discriminator: null })).status).toBe(400)
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
    service.relationships.imply(ada, grace)
    expect(await types()).toEqual([IMPLICIT, undefined])
    expect(service.relationships.between(ada, grace)).toBe(IMPLICIT)
    expect(service.relationships.between(grace, ada)).toBe(NONE)
  })
})

describe('friend suggestions', () => {
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
