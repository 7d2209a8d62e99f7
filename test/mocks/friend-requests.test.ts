import { describe, expect, it } from 'vitest'
import { problems, start } from './calls'
import { all, FRIEND, IMPLICIT, INCOMING, NONE, OUTGOING, people } from './people'

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

  it('finds a user by username and discriminator: null of migrated users, their own of legacy users', async () => {
    const { service, mine, seen } = people()
    const legacy = { login: 'legacy@example.com', username: 'legacy', discriminator: '0042' }
    const user = service.users.create(legacy)
    expect(user.discriminator).toBe('0042')
    const request = (username: string, discriminator: string | null) => mine(`POST ${all}`, { username, discriminator })
    for (const discriminator of ['1234', '0', '']) {
      expect(await request('grace', discriminator)).toMatchObject({ status: 400, body: { code: 80004 } })
    }
    for (const discriminator of ['0043', '42', null]) {
      expect(await request('legacy', discriminator)).toMatchObject({ status: 400, body: { code: 80004 } })
    }
    expect(await seen(mine)).toEqual([])
    expect((await request('legacy', '0042')).status).toBe(204)
    expect((await request('grace', null)).status).toBe(204)
    expect((await seen(mine)).map(({ user }) => user)).toMatchObject([
      { username: 'legacy', discriminator: '0042' },
      { username: 'grace', discriminator: '0' },
    ])
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
