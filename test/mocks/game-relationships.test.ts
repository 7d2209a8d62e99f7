import { expect, it } from 'vitest'
import { FRIEND, INCOMING, OUTGOING, problems, type Send, setUpPair, start } from './set-up'

interface GameRelationship {
  id: string
  type: number
  application_id: string
  [field: string]: unknown
}
const all = '/users/@me/game-relationships'

/** Sets up ada and grace, and two applications of a third user. */
function setUpPlayers(options: Parameters<typeof setUpPair>[0] = {}) {
  const setup = setUpPair(options)
  const { service, ada, grace } = setup
  const developer = service.users.create({ login: 'dev@example.com' })
  const [chess, bridge] = ['Chess', 'Bridge'].map((name) => service.applications.create({ owner: developer, name }))
  if (chess === undefined || bridge === undefined) throw new Error('both were just created')
  const list = async (by: Send) =>
    (await by<GameRelationship[]>(`GET ${all}`)).body.map(({ type, application_id }) => [type, application_id])
  return { ...setup, list, chess, bridge, toGrace: `${all}/${grace.id}`, toAda: `${all}/${ada.id}` } as const
}

it('a game relationship belongs to the application of the token', async () => {
  const { ada, grace, as, asAda, asGrace, bridge, list } = setUpPlayers()
  const { status } = await as(ada, { oauth2: bridge })(`POST ${all}`, { username: 'grace' })
  expect(status).toBe(204)
  expect((await asAda(`GET ${all}`)).body).toEqual([
    {
      id: grace.id,
      user_id: ada.id,
      application_id: bridge.id,
      type: OUTGOING,
      user: expect.objectContaining({ id: grace.id }),
      since: start,
      dm_access_type: 0,
    },
  ])
  expect(await list(asGrace)).toEqual([[INCOMING, bridge.id]])
})

it('an OAuth2 token lists the game relationships of its application only, without users', async () => {
  const { ada, as, asAda, chess, bridge, toGrace } = setUpPlayers()
  await as(ada, { oauth2: bridge })(`PUT ${toGrace}`, {})
  const { body } = await as(ada, { oauth2: bridge })<GameRelationship[]>(`GET ${all}`)
  expect(body).toHaveLength(1)
  expect(body[0]).not.toHaveProperty('user')
  expect((await as(ada, { oauth2: chess })(`GET ${all}`)).body).toEqual([])
  expect((await asAda<GameRelationship[]>(`GET ${all}`)).body[0]).toHaveProperty('user')
})

it.each([
  ['type -1', { type: -1 }],
  ['no type', {}],
  ['type FRIEND', { type: 1 }],
])('a game relationship is accepted with %s on the application of the request', async (_, body) => {
  const { ada, as, asAda, asGrace, bridge, toGrace, toAda, list } = setUpPlayers()
  await as(ada, { oauth2: bridge })(`PUT ${toGrace}`, {})
  expect((await asGrace(`PUT ${toAda}`, body)).status).toBe(204)
  expect(await list(asAda)).toEqual([[FRIEND, bridge.id]])
  expect(await list(asGrace)).toEqual([[FRIEND, bridge.id]])
})

it('a game relationship can be accepted by application if that application has a request', async () => {
  const { ada, as, asGrace, chess, bridge, toGrace, toAda, list } = setUpPlayers()
  await as(ada, { oauth2: bridge })(`PUT ${toGrace}`, {})
  expect((await asGrace(`PUT ${toAda}/${chess.id}`, {})).status).toBe(400)
  expect((await asGrace(`PUT ${toAda}/1`, {})).status).toBe(404)
  expect((await asGrace(`PUT ${toAda}/${bridge.id}`, { type: 1 })).status).toBe(204)
  expect(await list(asGrace)).toEqual([[FRIEND, bridge.id]])
  expect(problems((await asGrace(`PUT ${toAda}/${bridge.id}`, { type: 3 })).body)).toEqual(['type: INVALID_VALUE'])
})

it('a token without an application uses one that its user owns or has authorized, and else the first', async () => {
  const { service, ada, grace, asAda, chess, toGrace, list } = setUpPlayers()
  await asAda(`PUT ${toGrace}`, {})
  expect(await list(asAda)).toEqual([[OUTGOING, chess.id]])
  expect(service.relationships.between(ada, grace)).toBe(0)
})

it('two users can have one game relationship per application', async () => {
  const { ada, as, asAda, chess, bridge, toGrace, list } = setUpPlayers()
  for (const application of [chess, bridge]) await as(ada, { oauth2: application })(`PUT ${toGrace}`, {})
  expect(await list(asAda)).toEqual([
    [OUTGOING, chess.id],
    [OUTGOING, bridge.id],
  ])
  expect((await asAda(`DELETE ${toGrace}/${bridge.id}`)).status).toBe(204)
  expect(await list(asAda)).toEqual([[OUTGOING, chess.id]])
  expect((await asAda(`DELETE ${toGrace}`)).status).toBe(204)
  expect(await list(asAda)).toEqual([])
  expect((await asAda(`DELETE ${toGrace}`)).status).toBe(404)
  expect((await asAda(`DELETE ${toGrace}/${bridge.id}`)).status).toBe(404)
})

it('a game relationship is removed on both sides', async () => {
  const { asAda, asGrace, toGrace, toAda, list } = setUpPlayers()
  await asAda(`PUT ${toGrace}`, {})
  await asGrace(`DELETE ${toAda}`)
  expect(await list(asAda)).toEqual([])
})

it('a token of another application cannot accept or remove a game relationship', async () => {
  const { ada, grace, as, chess, bridge, toGrace, toAda } = setUpPlayers()
  await as(ada, { oauth2: bridge })(`PUT ${toGrace}`, {})
  const throughChess = as(grace, { oauth2: chess })
  expect((await throughChess(`PUT ${toAda}/${bridge.id}`, {})).status).toBe(403)
  expect((await throughChess(`DELETE ${toAda}`)).status).toBe(404)
})

it('a game relationship with oneself, an unknown user or a user who blocked you is rejected', async () => {
  const { service, ada, grace, asAda, toGrace, toAda } = setUpPlayers()
  expect((await asAda(`PUT ${toAda}`, {})).status).toBe(400)
  expect((await asAda(`POST ${all}`, { username: 'nobody' })).status).toBe(400)
  expect((await asAda(`PUT ${all}/1`, {})).status).toBe(404)
  service.relationships.block(grace, ada)
  expect((await asAda(`PUT ${toGrace}`, {})).status).toBe(400)
})

it('each reason to reject a game friend request has its own error code', async () => {
  const { service, ada, grace, asAda, asGrace, toGrace, toAda } = setUpPlayers()
  const codeOf = async (by: Send, path: `/${string}`, body = {}) => (await by(`PUT ${path}`, body)).body?.code
  expect(await codeOf(asAda, toAda)).toBe(80003)
  expect(await codeOf(asAda, toGrace, { type: FRIEND })).toBe(80008)
  await asAda(`PUT ${toGrace}`, {})
  expect(await codeOf(asAda, toGrace, { type: FRIEND })).toBe(80008)
  expect(await codeOf(asGrace, toAda)).toBeUndefined()
  expect(await codeOf(asGrace, toAda)).toBe(80007)
  expect(await codeOf(asAda, toGrace)).toBe(80007)
  await asAda(`DELETE ${toGrace}`)
  service.relationships.block(ada, grace)
  expect(await codeOf(asGrace, toAda)).toBe(80000)
  expect((await asAda(`PUT ${toGrace}`, {})).status).toBe(400)
})

it('accepting a game friend again succeeds and changes nothing', async () => {
  const { asAda, asGrace, toGrace, toAda, chess, list } = setUpPlayers()
  await asAda(`PUT ${toGrace}`, {})
  await asGrace(`PUT ${toAda}`, { type: FRIEND })
  expect((await asGrace(`PUT ${toAda}`, { type: FRIEND })).status).toBe(204)
  expect(await list(asGrace)).toEqual([[FRIEND, chess.id]])
  expect(await list(asAda)).toEqual([[FRIEND, chess.id]])
})

it('a game relationship accepts only the types -1 and FRIEND', async () => {
  const { asAda, toGrace } = setUpPlayers()
  expect(problems((await asAda(`PUT ${toGrace}`, { type: 2 })).body)).toEqual(['type: INVALID_VALUE'])
  for (const type of [INCOMING, OUTGOING]) {
    expect((await asAda(`PUT ${toGrace}`, { type })).body).toMatchObject({ code: 80009 })
  }
  expect((await asAda(`PUT ${toGrace}`, { type: FRIEND })).status).toBe(400)
})
