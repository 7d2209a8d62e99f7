import type { GatewayDispatch, GatewayWarning } from 'rapport-sdk'
import { describe, expect, it, test, vi } from 'vitest'
import { createGatewayClient, type Peer, READY, serveGateway } from '../servers/gateway-server'

const relationship = { id: '1', type: 1, user: { id: '1', username: 'grace' }, nickname: null, user_ignored: false }

async function connected() {
  const server = await serveGateway()
  const { gateway } = createGatewayClient(server)
  const warnings: GatewayWarning[] = []
  const dispatched: GatewayDispatch[] = []
  gateway.on('warning', (warning) => warnings.push(warning))
  await gateway.connect()
  gateway.on('dispatch', (event) => dispatched.push(event))
  const peer = await server.peer()
  /** Resolves when everything sent before has been received. */
  const flush = async () => {
    const flushed = gateway.waitFor('friendSuggestionDelete')
    peer.dispatch('FRIEND_SUGGESTION_DELETE', { suggested_user_id: 'flush' })
    await flushed
    dispatched.pop()
  }
  return { gateway, peer, warnings, dispatched, flush, server }
}

const FRAMES: Readonly<Record<string, readonly [(peer: Peer) => void, GatewayWarning['code']]>> = {
  'text that is not JSON': [(peer) => peer.raw('{"op":'), 'malformed_frame'],
  'an empty text': [(peer) => peer.raw(''), 'malformed_frame'],
  'the JSON value null': [(peer) => peer.raw('null'), 'malformed_frame'],
  'a number': [(peer) => peer.raw('5'), 'malformed_frame'],
  'a string': [(peer) => peer.raw('"op"'), 'malformed_frame'],
  'binary data': [(peer) => peer.raw(Buffer.from('{"op":7}')), 'malformed_frame'],
  'an event without a name': [(peer) => peer.send({ op: 0, d: {} }), 'malformed_frame'],
  'an array': [(peer) => peer.raw('[]'), 'unknown_frame'],
  'an object without an operation': [(peer) => peer.raw('{}'), 'unknown_frame'],
  'an unknown operation': [(peer) => peer.send({ op: 99 }), 'unknown_frame'],
  'an operation that is a string': [(peer) => peer.raw('{"op":"0"}'), 'unknown_frame'],
  'an event with an unknown name': [(peer) => peer.dispatch('GUILD_CREATE', {}), 'unknown_event'],
  'an event named constructor': [(peer) => peer.dispatch('constructor', {}), 'unknown_event'],
  'an event named __proto__': [(peer) => peer.dispatch('__proto__', {}), 'unknown_event'],
}

describe('a frame that the client does not understand', () => {
  it.each(Object.keys(FRAMES))('causes a warning and ends nothing: %s', async (what) => {
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

  it('a Ready with an invalid snapshot still starts the session', async () => {
    const ready = { ...READY, relationships: [{ id: 5 }], session_id: 7 }
    const server = await serveGateway({ onIdentify: (peer) => peer.ready(ready) })
    const { gateway } = createGatewayClient(server)
    const warned = gateway.waitFor('warning')
    await expect(gateway.connect()).resolves.toEqual(ready)
    expect(await warned).toMatchObject({ code: 'invalid_payload', event: 'ready' })
  })

  it('a Ready without its hash is emitted only as dispatch', async () => {
    const server = await serveGateway({ onIdentify: (peer) => peer.ready({ session_id: 'a' }) })
    const { gateway } = createGatewayClient(server)
    const connecting = gateway.connect()
    connecting.catch(() => {})
    const [dispatched, warned] = await Promise.all([gateway.waitFor('dispatch'), gateway.waitFor('warning')])
    expect(dispatched).toEqual({ type: 'ready', data: { session_id: 'a' }, sequence: 1 })
    expect(warned).toMatchObject({ code: 'invalid_payload', event: 'ready' })
    expect(gateway.state).toBe('identifying')
  })

  it('a second Ready without a session ID is emitted, because it may be of another session', async () => {
    const ready = { auth_session_id_hash: 'hash' }
    const server = await serveGateway({ onIdentify: (peer) => peer.ready(ready).ready(ready) })
    const { gateway } = createGatewayClient(server)
    let begun = 0
    gateway.on('ready', () => begun++)
    await gateway.connect()
    await vi.waitFor(() => expect(begun).toBe(2))
  })

  it('a Ready without a payload that has the number of the session causes a warning', async () => {
    const { peer, gateway, warnings, flush } = await connected()
    peer.dispatch('READY', null, 1)
    await flush()
    expect(warnings).toMatchObject([{ code: 'invalid_payload', event: 'ready' }])
    expect(gateway.state).toBe('ready')
  })

  it('an acknowledgement before Hello is ignored', async () => {
    const server = await serveGateway({ onConnect: (peer) => peer.send({ op: 11 }).hello() })
    const { gateway } = createGatewayClient(server)
    await expect(gateway.connect()).resolves.toEqual(READY)
  })

  it('an event before Hello causes a warning', async () => {
    const server = await serveGateway({
      onConnect: (peer) => {
        peer.ready({ auth_session_id_hash: 'early' }).hello()
      },
    })
    const { gateway } = createGatewayClient(server)
    const warned = gateway.waitFor('warning')
    await expect(gateway.connect()).resolves.toEqual(READY)
    expect(await warned).toMatchObject({ code: 'malformed_frame', message: 'received an event before Hello' })
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
    const emitted = gateway.waitFor(name)
    const dispatched = gateway.waitFor('dispatch')
    peer.dispatch(wireName, payload, 2)
    expect(await emitted).toEqual(payload)
    expect(await dispatched).toEqual({ type: name, data: payload, sequence: 2 })
    expect(warnings).toEqual([])
  })

  it('an event payload never sets a prototype', async () => {
    const { gateway, peer } = await connected()
    const emitted = gateway.waitFor('relationshipRemove')
    peer.raw('{"op":0,"t":"RELATIONSHIP_REMOVE","s":2,"d":{"id":"1","__proto__":{"admin":true}}}')
    const payload = await emitted
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

test.each([99, 99.999, 1, 0, -1, '5000', null, undefined, true, [5_000]])(
  'a Hello with an interval of %j causes a warning, and the next Hello counts',
  async (heartbeat_interval) => {
    const server = await serveGateway({
      onConnect: (peer) => peer.send({ op: 10, d: { heartbeat_interval } }).hello(),
    })
    const { gateway } = createGatewayClient(server)
    const warnings: GatewayWarning[] = []
    gateway.on('warning', (warning) => warnings.push(warning))
    await gateway.connect()
    expect(warnings).toEqual([
      { code: 'malformed_frame', message: 'received a Hello without a heartbeat interval of at least 100 ms' },
    ])
  },
)

test('a Hello with an infinite interval causes a warning', async () => {
  const server = await serveGateway({
    onConnect: (peer) => peer.raw('{"op":10,"d":{"heartbeat_interval":1e999}}').hello(),
  })
  const { gateway } = createGatewayClient(server)
  const warned = gateway.waitFor('warning')
  await gateway.connect()
  expect(await warned).toMatchObject({ code: 'malformed_frame' })
})

test('a Hello with an interval of 100 ms is accepted', async () => {
  const server = await serveGateway({ onConnect: (peer) => peer.hello(100) })
  const { gateway } = createGatewayClient(server)
  const warnings: unknown[] = []
  gateway.on('warning', (warning) => warnings.push(warning))
  await gateway.connect()
  await (await server.peer()).expect(1)
  expect(warnings).toEqual([])
})
