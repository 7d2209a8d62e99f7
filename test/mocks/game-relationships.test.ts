import { describe, expect, it } from 'vitest'
import { problems, setUp, start } from './calls'

interface GameRelationship {
  id: string
  type: number
  application_id: string
  [field: string]: unknown
}
const [FRIEND, INCOMING, OUTGOING] = [1, 3, 4]
const all = '/users/@me/game-relationships'

function players(options: Parameters<typeof setUp>[0] = {}) {
  const { service, ada, grace, as } = setUp(options)
  const developer = service.users.create({ login: 'dev@example.com' })
  const [chess, bridge] = ['Chess', 'Bridge'].map((name) => service.applications.create({ owner: developer, name }))
  if (chess === undefined || bridge === undefined) throw new Error('both were just created')
  const [mine, hers] = [as(ada), as(grace)]
  const seen = async (by: typeof mine) =>
    (await by<GameRelationship[]>(`GET ${all}`)).body.map(({ type, application_id }) => [type, application_id])
  return {
    service,
    ada,
    grace,
    as,
    mine,
    hers,
    seen,
    chess,
    bridge,
    toGrace: `${all}/${grace.id}`,
    toAda: `${all}/${ada.id}`,
  } as const
}

describe('a game relationship', () => {
  it('is made through the application of the token', async () => {
    const { ada, grace, as, mine, hers, bridge, seen } = players()
    const { status } = await as(ada, { oauth2: bridge })(`POST ${all}`, { username: 'grace' })
    expect(status).toBe(204)
    expect((await mine(`GET ${all}`)).body).toEqual([
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
    expect(await seen(hers)).toEqual([[INCOMING, bridge.id]])
  })

  it('comes without its user, and of that application alone, in an OAuth2 context', async () => {
    const { ada, as, mine, chess, bridge, toGrace } = players()
    await as(ada, { oauth2: bridge })(`PUT ${toGrace}`, {})
    const { body } = await as(ada, { oauth2: bridge })<GameRelationship[]>(`GET ${all}`)
    expect(body).toHaveLength(1)
    expect(body[0]).not.toHaveProperty('user')
    expect((await as(ada, { oauth2: chess })(`GET ${all}`)).body).toEqual([])
    expect((await mine<GameRelationship[]>(`GET ${all}`)).body[0]).toHaveProperty('user')
  })

  it.each([
    ['type -1', { type: -1 }],
    ['no type', {}],
    ['type FRIEND', { type: 1 }],
  ])('is accepted with %s, on the application it was asked on', async (_, body) => {
    const { ada, as, mine, hers, bridge, toGrace, toAda, seen } = players()
    await as(ada, { oauth2: bridge })(`PUT ${toGrace}`, {})
    expect((await hers(`PUT ${toAda}`, body)).status).toBe(204)
    expect(await seen(mine)).toEqual([[FRIEND, bridge.id]])
    expect(await seen(hers)).toEqual([[FRIEND, bridge.id]])
  })

  it('is accepted by application, where there is a request on that one', async () => {
    const { ada, as, hers, chess, bridge, toGrace, toAda, seen } = players()
    await as(ada, { oauth2: bridge })(`PUT ${toGrace}`, {})
    expect((await hers(`PUT ${toAda}/${chess.id}`, {})).status).toBe(400)
    expect((await hers(`PUT ${toAda}/1`, {})).status).toBe(404)
    expect((await hers(`PUT ${toAda}/${bridge.id}`, { type: 1 })).status).toBe(204)
    expect(await seen(hers)).toEqual([[FRIEND, bridge.id]])
    expect(problems((await hers(`PUT ${toAda}/${bridge.id}`, { type: 3 })).body)).toEqual(['type: INVALID_VALUE'])
  })

  it('goes where the policy says when the token names no application', async () => {
    const { service, ada, grace, mine, chess, toGrace, seen } = players()
    await mine(`PUT ${toGrace}`, {})
    expect(await seen(mine)).toEqual([[OUTGOING, chess.id]])
    expect(service.relationships.between(ada, grace)).toBe(0)
    const nowhere = players({ policy: { applicationOf: () => null } })
    expect((await nowhere.mine(`PUT ${nowhere.toGrace}`, {})).status).toBe(403)
  })

  it('exists once an application', async () => {
    const { ada, as, mine, chess, bridge, toGrace, seen } = players()
    for (const application of [chess, bridge]) await as(ada, { oauth2: application })(`PUT ${toGrace}`, {})
    expect(await seen(mine)).toEqual([
      [OUTGOING, chess.id],
      [OUTGOING, bridge.id],
    ])
    expect((await mine(`DELETE ${toGrace}/${bridge.id}`)).status).toBe(204)
    expect(await seen(mine)).toEqual([[OUTGOING, chess.id]])
    expect((await mine(`DELETE ${toGrace}`)).status).toBe(204)
    expect(await seen(mine)).toEqual([])
    expect((await mine(`DELETE ${toGrace}`)).status).toBe(404)
    expect((await mine(`DELETE ${toGrace}/${bridge.id}`)).status).toBe(404)
  })

  it('is removed on both sides', async () => {
    const { mine, hers, toGrace, toAda, seen } = players()
    await mine(`PUT ${toGrace}`, {})
    await hers(`DELETE ${toAda}`)
    expect(await seen(mine)).toEqual([])
  })

  it('is out of reach for a token of another application', async () => {
    const { ada, grace, as, chess, bridge, toGrace, toAda } = players()
    await as(ada, { oauth2: bridge })(`PUT ${toGrace}`, {})
    const throughChess = as(grace, { oauth2: chess })
    expect((await throughChess(`PUT ${toAda}/${bridge.id}`, {})).status).toBe(403)
    expect((await throughChess(`DELETE ${toAda}`)).status).toBe(404)
  })

  it('cannot be had with oneself, a blocker or nobody', async () => {
    const { service, ada, grace, mine, toGrace, toAda } = players()
    expect((await mine(`PUT ${toAda}`, {})).status).toBe(400)
    expect((await mine(`POST ${all}`, { username: 'nobody' })).status).toBe(400)
    expect((await mine(`PUT ${all}/1`, {})).status).toBe(404)
    service.relationships.block(grace, ada)
    expect((await mine(`PUT ${toGrace}`, {})).status).toBe(400)
  })

  it('takes documented types alone, of which a user sets -1 and FRIEND', async () => {
    const { mine, toGrace } = players()
    expect(problems((await mine(`PUT ${toGrace}`, { type: 2 })).body)).toEqual(['type: INVALID_VALUE'])
    for (const type of [INCOMING, OUTGOING]) {
      expect((await mine(`PUT ${toGrace}`, { type })).body).toMatchObject({ code: 80009 })
    }
    expect((await mine(`PUT ${toGrace}`, { type: FRIEND })).status).toBe(400)
  })
})
