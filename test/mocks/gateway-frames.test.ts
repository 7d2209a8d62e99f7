import { describe, expect, it } from 'vitest'
import { doors, gatewayPeople, inMemory } from './bare-gateway'
import { pairAt } from './gateway-visitor'

const [IDENTIFY, RECONNECT, INVALID_SESSION] = [2, 7, 9]

describe.each(doors)('what tests send, $name', (door) => {
  it('invalidSession ends sessions that are not resumable; clients can identify on the same connection', async () => {
    const { a, g, ada, token, gateway } = await pairAt(door)
    const [session] = gateway.sessions
    gateway.invalidSession(false, { user: ada })
    expect(await a.next()).toEqual({ op: INVALID_SESSION, d: false, s: null, t: null })
    expect(await g.heard()).toEqual([])
    expect(gateway.sessions).toHaveLength(1)
    a.send(IDENTIFY, { token })
    expect(await a.next()).toMatchObject({ t: 'READY', s: 1 })
    expect(gateway.sessions.map(({ id }) => id)).not.toContain(session?.id)
  })

  it('invalidSession keeps sessions that are resumable', async () => {
    const { a, ada, gateway, resume } = await pairAt(door)
    gateway.invalidSession(true, { user: ada })
    expect(await a.next()).toMatchObject({ op: INVALID_SESSION, d: true })
    expect(await (await resume()).heard()).toEqual([['RESUMED', {}]])
  })

  it('invalidSession with times answers that many attempts; resumed sessions end by it', async () => {
    const { gateway, resume } = await pairAt(door)
    gateway.invalidSession(true, { times: 1, at: 'resume' })
    const client = await resume()
    expect(await client.next()).toMatchObject({ op: INVALID_SESSION, d: true })
    gateway.invalidSession(false, { times: 1 })
    expect(await (await resume()).next()).toMatchObject({ op: INVALID_SESSION, d: false })
    expect(await (await resume()).next()).toMatchObject({ op: INVALID_SESSION, d: false })
    expect(gateway.journal.map(({ outcome }) => outcome).slice(2)).toEqual(['fault', 'fault', 'invalid_session'])
  })

  it('reconnect asks clients to connect anew', async () => {
    const { a, gateway, resume } = await pairAt(door)
    gateway.reconnect()
    expect(await a.next()).toEqual({ op: RECONNECT, d: null, s: null, t: null })
    expect(await (await resume()).heard()).toEqual([['RESUMED', {}]])
    expect(await a.closed).toMatchObject({ code: 4009 })
  })

  it('duplicate sends the last event again, or each of the next ones twice, with the same number', async () => {
    const { a, g, ada, gateway } = await pairAt(door)
    gateway.emit('Relationship Add', { id: '1' }, { to: ada })
    expect(gateway.duplicate({ user: ada }).count).toBe(1)
    gateway.duplicate({ user: ada, times: 1 })
    for (const id of ['2', '3']) gateway.emit('Relationship Add', { id })
    await a.heard()
    const frames = a.frames.filter(({ t }) => t === 'RELATIONSHIP_ADD')
    expect(frames.map(({ s, d }) => [s, d])).toEqual([
      [2, { id: '1' }],
      [2, { id: '1' }],
      [3, { id: '2' }],
      [3, { id: '2' }],
      [4, { id: '3' }],
    ])
    expect(await g.heard()).toHaveLength(2)
  })

  it('raw sends what it is given', async () => {
    const { a, g, ada, gateway } = await pairAt(door)
    const received: unknown[] = []
    a.socket.addEventListener('message', ({ data }) => received.push(String(data)))
    expect(gateway.sendRaw({ op: 99 }, { user: ada })).toBe(1)
    expect(gateway.sendRaw('"no frame"', { user: ada })).toBe(1)
    expect(gateway.sendRaw('{}')).toBe(2)
    await expect.poll(() => received).toEqual(['{"op":99}', '"no frame"', '{}'])
    expect(await g.heard()).toEqual([])
  })

  it('emit sends an event of any name to the sessions of a user, or to all', async () => {
    const { a, g, ada, gateway } = await pairAt(door)
    expect(gateway.emit('Friend Suggestion Delete', { suggested_user_id: '1' }, { to: ada })).toBe(1)
    expect(gateway.emit('SOMETHING_ELSE', undefined)).toBe(2)
    expect(await a.heard()).toEqual([
      ['FRIEND_SUGGESTION_DELETE', { suggested_user_id: '1' }],
      ['SOMETHING_ELSE', null],
    ])
    expect(await g.heard()).toEqual([['SOMETHING_ELSE', null]])
  })
})

it('sendRaw sends bytes as bytes', async () => {
  const { service } = await gatewayPeople(inMemory)
  const socket = new service.WebSocket(service.gateway.url)
  const received: unknown[] = []
  socket.binaryType = 'arraybuffer'
  socket.addEventListener('message', ({ data }) => received.push(data))
  await expect.poll(() => received).toHaveLength(1)
  service.gateway.sendRaw(new Uint8Array([1, 2]))
  await expect.poll(() => received).toHaveLength(2)
  expect(new Uint8Array(received[1] as ArrayBuffer)).toEqual(new Uint8Array([1, 2]))
})
