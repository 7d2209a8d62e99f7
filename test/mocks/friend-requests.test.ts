import { expect, it } from 'vitest'
import { FRIEND, IMPLICIT, INCOMING, NONE, OUTGOING, problems, relationships, setUpPair, start } from './set-up'

it('a friend request appears on both sides with its note', async () => {
  const { ada, grace, asAda, asGrace, list } = setUpPair()
  const sent = await asAda(`POST ${relationships}`, { username: 'Grace', discriminator: null, note: 'Hello' })
  expect(sent).toMatchObject({ status: 204, body: undefined })
  const shared = { nickname: null, user_ignored: false, origin_application_id: null, since: start, note: 'Hello' }
  expect(await list(asAda)).toEqual([
    { ...shared, id: grace.id, type: OUTGOING, user: expect.objectContaining({ id: grace.id, username: 'grace' }) },
  ])
  expect(await list(asGrace)).toEqual([
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
])('a friend request is accepted with %s', async (_, body) => {
  const { asAda, asGrace, toGrace, toAda, types } = setUpPair()
  await asAda(`PUT ${toGrace}`, {})
  expect((await asGrace(`PUT ${toAda}`, body)).status).toBe(204)
  expect(await types()).toEqual([FRIEND, FRIEND])
})

it('a friend request is accepted by a request from the other side', async () => {
  const { asAda, asGrace, types } = setUpPair()
  await asAda(`POST ${relationships}`, { username: 'grace', discriminator: null })
  await asGrace(`POST ${relationships}`, { username: 'ada', discriminator: null })
  expect(await types()).toEqual([FRIEND, FRIEND])
})

it('a friend request is removed on both sides when one withdraws or declines it', async () => {
  const { asAda, asGrace, toGrace, toAda, types } = setUpPair()
  await asAda(`PUT ${toGrace}`, {})
  expect((await asAda(`DELETE ${toGrace}`)).status).toBe(204)
  expect(await types()).toEqual([undefined, undefined])
  await asAda(`PUT ${toGrace}`, {})
  expect((await asGrace(`DELETE ${toAda}`)).status).toBe(204)
  expect(await types()).toEqual([undefined, undefined])
})

it('a friend request of users with a common friend is not a stranger request', async () => {
  const { service, ada, grace, asAda, asGrace, list, toGrace } = setUpPair()
  const linus = service.users.create({ login: 'linus@example.com' })
  service.relationships.befriend(ada, linus)
  service.relationships.befriend(grace, linus)
  await asAda(`PUT ${toGrace}`, {})
  expect((await list(asGrace)).find(({ id }) => id === ada.id)).toMatchObject({ stranger_request: false })
})

it('a friend request is a stranger request if the only common contact is not a friend of both', async () => {
  const { service, ada, grace, asAda, asGrace, list, toGrace } = setUpPair()
  const asked = service.users.create({ login: 'asked@example.com' })
  const blocked = service.users.create({ login: 'blocked@example.com' })
  service.relationships.befriend(ada, asked)
  service.relationships.request(asked, grace)
  service.relationships.block(ada, blocked)
  service.relationships.befriend(grace, blocked)
  await asAda(`PUT ${toGrace}`, {})
  expect((await list(asGrace)).find(({ id }) => id === ada.id)).toMatchObject({ stranger_request: true })
})

it('a friend request that is repeated keeps its note and its time', async () => {
  const { service, asAda, asGrace, list, toGrace } = setUpPair()
  await asAda(`PUT ${toGrace}`, { note: 'Hello' })
  service.clock.advance('1h')
  await asAda(`PUT ${toGrace}`, { note: 'Hello again' })
  for (const by of [asAda, asGrace]) expect(await list(by)).toMatchObject([{ note: 'Hello', since: start }])
})

it('the note of a friend request can have up to 120 characters', async () => {
  const { asAda, toGrace } = setUpPair()
  const codes = async (note: unknown) => problems((await asAda(`PUT ${toGrace}`, { note })).body)
  expect(await codes('💌'.repeat(120))).toEqual([])
  expect(await codes(null)).toEqual([])
  expect(await codes('x'.repeat(121))).toEqual(['note: TOO_LONG'])
  expect(await codes(1)).toEqual(['note: INVALID_TYPE'])
})

it('a friend request names the application it was sent through', async () => {
  const { service, ada, grace, as, list, asGrace } = setUpPair()
  const application = service.applications.create({ owner: ada })
  await as(ada, { oauth2: application })(`PUT ${relationships}/${grace.id}`, {})
  expect((await list(asGrace))[0]).toMatchObject({ origin_application_id: application.id })
})

it('a friend request finds migrated users by the discriminator null and legacy users by their own', async () => {
  const { service, asAda, list } = setUpPair()
  const legacy = { login: 'legacy@example.com', username: 'legacy', discriminator: '0042' }
  const user = service.users.create(legacy)
  expect(user.discriminator).toBe('0042')
  const request = (username: string, discriminator: string | null) =>
    asAda(`POST ${relationships}`, { username, discriminator })
  for (const discriminator of ['1234', '0', '']) {
    expect(await request('grace', discriminator)).toMatchObject({ status: 400, body: { code: 80004 } })
  }
  for (const discriminator of ['0043', '42', null]) {
    expect(await request('legacy', discriminator)).toMatchObject({ status: 400, body: { code: 80004 } })
  }
  expect(await list(asAda)).toEqual([])
  expect((await request('legacy', '0042')).status).toBe(204)
  expect((await request('grace', null)).status).toBe(204)
  expect((await list(asAda)).map(({ user }) => user)).toMatchObject([
    { username: 'legacy', discriminator: '0042' },
    { username: 'grace', discriminator: '0' },
  ])
})

it('a friend request to oneself, a friend, an unknown user or an unknown username fails', async () => {
  const { service, ada, grace, asAda, toGrace, toAda } = setUpPair()
  expect((await asAda(`PUT ${toAda}`, {})).status).toBe(400)
  expect((await asAda(`PUT ${relationships}/1`, {})).status).toBe(404)
  expect((await asAda(`POST ${relationships}`, { username: 'nobody', discriminator: null })).status).toBe(400)
  expect(problems((await asAda(`POST ${relationships}`, { username: 'grace' })).body)).toEqual([
    'discriminator: REQUIRED',
  ])
  service.relationships.befriend(ada, grace)
  expect((await asAda(`PUT ${toGrace}`, {})).status).toBe(400)
})

it('a missing friend request cannot be accepted, and types that users cannot set are rejected', async () => {
  const { asAda, toGrace } = setUpPair()
  expect((await asAda(`PUT ${toGrace}`, { type: FRIEND })).status).toBe(400)
  for (const type of [NONE, INCOMING, OUTGOING, IMPLICIT]) {
    expect((await asAda(`PUT ${toGrace}`, { type })).body).toMatchObject({ code: 80009 })
  }
  expect(problems((await asAda(`PUT ${toGrace}`, { type: 6 })).body)).toEqual(['type: INVALID_VALUE'])
  expect(problems((await asAda(`PUT ${toGrace}`, { type: '1' })).body)).toEqual(['type: INVALID_VALUE'])
})
