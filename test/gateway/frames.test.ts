import type { GatewayDispatch, GatewayWarning } from 'rapport-sdk'
import { describe, expect, it } from 'vitest'
import { clientOf, type Peer, READY, serveGateway } from './gateway-server'

const relationship = { id: '1', type: 1, user: { id: '1', username: 'grace' }, nickname: null, user_ignored: false }

async function connected() {
  const server = await serveGateway()
  const { gateway } = clientOf(server)
  const warnings: GatewayWarning[] = []
  const dispatched: GatewayDispatch[] = []
  gateway.on('warning', (warning) => warnings.push(warning))
  await gateway.connect()
  gateway.on('dispatch', (event) => dispatched.push(event))
  const peer = await server.peer()
  /** What comes after all that was sent before. */
  const flush = async () => {
    const flushed = gateway.waitFor('friendSuggestionDelete')
    peer.dispatch('FRIEND_SUGGESTION_DELETE', { suggested_user_id: 'flush' })
    await flushed
    dispatched.pop()
  }
  return { gateway, peer, warnings, dispatched, flush, server }
}

const FRAMES: Readonly<Record<string, readonly [(peer: Peer) => void, GatewayWarning['code']]>> = {
  'text that is no JSON': [(peer) => peer.raw('{"op":'), 'malformed_frame'],
  nothing: [(peer) => peer.raw(''), 'malformed_frame'],
  null: [(peer) => peer.raw('null'), 'malformed_frame'],
  'a number': [(peer) => peer.raw('5'), 'malformed_frame'],
  'a text': [(peer) => peer.raw('"op"'), 'malformed_frame'],
  bytes: [(peer) => peer.raw(Buffer.from('{"op":7}')), 'malformed_frame'],
  'an event without a name': [(peer) => peer.send({ op: 0, d: {} }), 'malformed_frame'],
  'a list': [(peer) => peer.raw('[]'), 'unknown_frame'],
  'an object without an operation': [(peer) => peer.raw('{}'), 'unknown_frame'],
  'an unknown operation': [(peer) => peer.send({ op: 99 }), 'unknown_frame'],
  'an operation of another kind': [(peer) => peer.raw('{"op":"0"}'), 'unknown_frame'],
  'an event of another name': [(peer) => peer.dispatch('GUILD_CREATE', {}), 'unknown_event'],
  'an event that is named like a member of objects': [(peer) => peer.dispatch('constructor', {}), 'unknown_event'],
  'an event named __proto__': [(peer) => peer.dispatch('__proto__', {}), 'unknown_event'],
}

describe('what the client does not understand is a warning and ends nothing', () => {
  it.each(Object.keys(FRAMES))('%s', async (what) => {
    const { gateway, peer, warnings, flush, server } = await connected()
    const [send, code] = FRAMES[what] ?? []
    send?.(peer)
    await flush()
    expect(warnings).toMatchObject([{ code }])
    expect(gateway.state).toBe('ready')
    expect(server.peers).toHaveLength(1)
  })

  it('an unknown event is warned about once, and every one of them is dispatched', async () => {
    const { peer, warnings, dispatched, flush } = await connected()
    for (const data of [1, 2, 3]) peer.dispatch('GUILD_CREATE', data)
    peer.dispatch('GUILD_DELETE', 4, 9)
    await flush()
    expect(warnings).toEqual([
      expect.objectContaining({ code: 'unknown_event', event: 'GUILD_CREATE' }),
      expect.objectContaining({ code: 'sequence_gap' }),
      expect.objectContaining({ code: 'unknown_event', event: 'GUILD_DELETE' }),
    ])
    expect(dispatched).toEqual([
      { type: 'GUILD_CREATE', data: 1, sequence: null },
      { type: 'GUILD_CREATE', data: 2, sequence: null },
      { type: 'GUILD_CREATE', data: 3, sequence: null },
      { type: 'GUILD_DELETE', data: 4, sequence: 9 },
    ])
  })

  it('any number of unknown event names is handled without remembering all of them', async () => {
    const { peer, warnings, flush } = await connected()
    for (let index = 0; index < 1_000; index++) peer.dispatch(`MADE_UP_${index}_${'x'.repeat(500)}`, {})
    await flush()
    expect(warnings).toHaveLength(256)
    expect(Math.max(...warnings.map(({ event = '' }) => event.length))).toBe(100)
  })

  it.each([
    ['RELATIONSHIP_ADD', { ...relationship, user: undefined }, 'user', 'relationshipAdd'],
    ['RELATIONSHIP_ADD', { ...relationship, since: 5 }, 'since', 'relationshipAdd'],
    ['RELATIONSHIP_ADD', [relationship], '', 'relationshipAdd'],
    ['RELATIONSHIP_UPDATE', { nickname: 'a' }, 'id', 'relationshipUpdate'],
    ['RELATIONSHIP_UPDATE', { id: '1', nickname: 5 }, 'nickname', 'relationshipUpdate'],
    ['RELATIONSHIP_REMOVE', { id: 1 }, 'id', 'relationshipRemove'],
    ['RELATIONSHIP_REMOVE', null, '', 'relationshipRemove'],
    ['GAME_RELATIONSHIP_ADD', { id: '1' }, 'application_id', 'gameRelationshipAdd'],
    ['GAME_RELATIONSHIP_REMOVE', { id: '1' }, 'application_id', 'gameRelationshipRemove'],
    ['FRIEND_SUGGESTION_DELETE', { user_id: '1' }, 'suggested_user_id', 'friendSuggestionDelete'],
    ['AUTH_SESSION_CHANGE', {}, 'auth_session_id_hash', 'authSessionChange'],
  ] as const)('an invalid payload of %s (%j) is emitted only as dispatch', async (type, data, path, event) => {
    const { gateway, peer, warnings, dispatched, flush } = await connected()
    const named: unknown[] = []
    gateway.on(event, (payload) => {
      if (!('suggested_user_id' in payload)) named.push(payload)
    })
    peer.dispatch(type, data)
    await flush()
    expect(named).toEqual([])
    expect(dispatched).toEqual([{ type: event, data: JSON.parse(JSON.stringify(data)), sequence: null }])
    expect(warnings).toMatchObject([{ code: 'invalid_payload', event }])
    expect(warnings[0]?.issues?.[0]?.path.join('.')).toBe(path)
    expect(gateway.sessionHash).toBe(READY.auth_session_id_hash)
  })

  it('a Ready with an invalid snapshot is still Ready', async () => {
    const ready = { ...READY, relationships: [{ id: 5 }], session_id: 7 }
    const server = await serveGateway({ identified: (peer) => peer.ready(ready) })
    const { gateway } = clientOf(server)
    const warned = gateway.waitFor('warning')
    await expect(gateway.connect()).resolves.toEqual(ready)
    expect(await warned).toMatchObject({ code: 'invalid_payload', event: 'ready' })
  })

  it('a Ready without its hash is emitted only as dispatch', async () => {
    const server = await serveGateway({ identified: (peer) => peer.ready({ session_id: 'a' }) })
    const { gateway } = clientOf(server)
    const connecting = gateway.connect()
    connecting.catch(() => {})
    const [dispatched, warned] = await Promise.all([gateway.waitFor('dispatch'), gateway.waitFor('warning')])
    expect(dispatched).toEqual({ type: 'ready', data: { session_id: 'a' }, sequence: 1 })
    expect(warned).toMatchObject({ code: 'invalid_payload', event: 'ready' })
    expect(gateway.state).toBe('identifying')
  })

  it('events before Hello are a warning', async () => {
    const server = await serveGateway({
      connected: (peer) => {
        peer.ready({ auth_session_id_hash: 'early' }).hello()
      },
    })
    const { gateway } = clientOf(server)
    const warned = gateway.waitFor('warning')
    await expect(gateway.connect()).resolves.toEqual(READY)
    expect(await warned).toMatchObject({ code: 'malformed_frame', message: 'an event before the greeting' })
  })
})

describe('events', () => {
  it.each([
    ['RELATIONSHIP_ADD', 'relationshipAdd', { ...relationship, later: [1] }],
    ['RELATIONSHIP_UPDATE', 'relationshipUpdate', { id: '1', nickname: 'a', note: null, later: {} }],
    ['RELATIONSHIP_REMOVE', 'relationshipRemove', { id: '1', type: 99 }],
    [
      'GAME_RELATIONSHIP_ADD',
      'gameRelationshipAdd',
      { id: '1', application_id: '2', type: 1, since: 's', dm_access_type: 1, user_id: '3' },
    ],
    ['GAME_RELATIONSHIP_REMOVE', 'gameRelationshipRemove', { id: '1', application_id: '2' }],
    ['FRIEND_SUGGESTION_DELETE', 'friendSuggestionDelete', { suggested_user_id: '1' }],
    ['AUTH_SESSION_CHANGE', 'authSessionChange', { auth_session_id_hash: 'h' }],
  ] as const)('%s is emitted as %s with its whole payload', async (wireName, name, payload) => {
    const { gateway, peer, warnings } = await connected()
    const told = gateway.waitFor(name)
    const dispatched = gateway.waitFor('dispatch')
    peer.dispatch(wireName, payload, 2)
    expect(await told).toEqual(payload)
    expect(await dispatched).toEqual({ type: name, data: payload, sequence: 2 })
    expect(warnings).toEqual([])
  })

  it('an event payload never sets a prototype', async () => {
    const { gateway, peer } = await connected()
    const told = gateway.waitFor('relationshipRemove')
    peer.raw('{"op":0,"t":"RELATIONSHIP_REMOVE","s":2,"d":{"id":"1","__proto__":{"admin":true}}}')
    const payload = await told
    expect(Object.assign({}, payload)).toEqual({ id: '1' })
    expect(payload.admin).toBeUndefined()
  })

  it('listeners of dispatch are called before listeners of the event', async () => {
    const { gateway, peer, flush } = await connected()
    const order: string[] = []
    gateway.on('relationshipRemove', () => order.push('named')).on('dispatch', ({ type }) => order.push(type))
    peer.dispatch('RELATIONSHIP_REMOVE', { id: '1' })
    await flush()
    expect(order.slice(0, 2)).toEqual(['relationshipRemove', 'named'])
  })
})
