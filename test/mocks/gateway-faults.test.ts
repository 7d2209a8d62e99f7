import type { GatewayFaultOptions, MockGateway } from 'rapport-sdk/mocks'
import { describe, expect, it } from 'vitest'
import { type BareClient, doors, gatewayPeople, inMemory } from './bare-gateway'
import { pairAt } from './gateway-visitor'

const [HEARTBEAT, IDENTIFY, HELLO, ACK] = [1, 2, 10, 11]

/** Whether nothing answers a client: a while is enough, as what does answer would be in memory or on loopback. */
async function isSilent(client: BareClient): Promise<boolean> {
  const before = client.frames.length
  client.send(HEARTBEAT)
  await new Promise((resolve) => setTimeout(resolve, 30))
  return client.frames.length === before
}

describe.each(doors)('faults of the gateway, $name', (door) => {
  it.each([
    [undefined, { code: 1006, reason: '' }],
    [1012, { code: 1012, reason: 'Dropped by a fault.' }],
    [4900, { code: 4900, reason: 'Dropped by a fault.' }],
  ])('drop(%s) closes connections, whose sessions can be resumed', async (code, expected) => {
    const { a, g, gateway, resume } = await pairAt(door)
    const fault = gateway.drop(code)
    expect([await a.closed, await g.closed]).toEqual([expected, expected])
    expect(fault.count).toBe(2)
    expect(gateway.sessions.map(({ connected }) => connected)).toEqual([false, false])
    expect(await (await resume()).heard()).toEqual([['RESUMED', {}]])
  })

  it('drop takes a reason, and a user', async () => {
    const { a, g, ada, gateway } = await pairAt(door)
    gateway.drop(4001, { user: ada, reason: 'Because.' })
    expect(await a.closed).toEqual({ code: 4001, reason: 'Because.' })
    expect(await g.heard()).toEqual([])
  })

  it('drop with times drops who is about to identify or to resume, as often', async () => {
    const { a, gateway, open, token, resume } = await pairAt(door)
    const fault = gateway.drop(4004, { times: 2 })
    expect(await a.heard()).toEqual([])
    const client = open()
    await client.next()
    client.send(IDENTIFY, { token })
    expect(await client.closed).toMatchObject({ code: 4004 })
    expect(await (await resume()).closed).toMatchObject({ code: 4004 })
    expect(fault.count).toBe(2)
    expect(await (await resume()).heard()).toEqual([['RESUMED', {}]])
    expect(gateway.journal.slice(2).map(({ op, outcome }) => [op, outcome])).toEqual([
      ['identify', 'fault'],
      ['resume', 'fault'],
      ['resume', 'resumed'],
    ])
  })

  it('drop with at drops each time, before Hello too, until it is taken back', async () => {
    const { gateway, open } = await pairAt(door)
    const fault = gateway.drop(1006, { at: 'connect' })
    for (let count = 0; count < 3; count++) {
      const client = open()
      expect(await client.closed).toMatchObject({ code: 1006 })
      expect(client.frames).toEqual([])
    }
    expect(fault.count).toBe(3)
    fault.remove()
    expect(await open().next()).toMatchObject({ op: HELLO })
  })

  it('freeze neither reads nor writes, and leaves connections open; what waits passes when it is taken back', async () => {
    const { a, g, ada, gateway } = await pairAt(door)
    const fault = gateway.freeze({ user: ada })
    gateway.emit('Relationship Add', { id: '1' }, { to: ada })
    expect([await isSilent(a), await g.heard()]).toEqual([true, []])
    expect([a.socket.readyState, fault.count]).toEqual([1, 1])
    fault.remove()
    expect(await a.heard()).toEqual([['RELATIONSHIP_ADD', { id: '1' }]])
    expect(gateway.sessions[0]?.connected).toBe(true)
  })

  it('freeze does not hear that its client closes; the client resumes beside it', async () => {
    const { a, ada, gateway, resume } = await pairAt(door)
    const fault = gateway.freeze({ user: ada })
    a.socket.close(4000)
    gateway.emit('Relationship Add', { id: '1' }, { to: ada })
    expect(gateway.sessions[0]?.connected).toBe(true)
    const resumed = await resume()
    expect(await resumed.heard()).toEqual([
      ['RELATIONSHIP_ADD', { id: '1' }],
      ['RESUMED', {}],
    ])
    expect(a.socket.readyState).toBe(2)
    fault.remove()
    await a.closed
    expect(await resumed.heard()).toEqual([])
    expect(gateway.sessions[0]?.connected).toBe(true)
  })

  it('freeze with at keeps from clients Hello, Ready or Resumed', async () => {
    const { gateway, open, token } = await pairAt(door)
    const atConnect = gateway.freeze({ at: 'connect', times: 1 })
    const silent = open()
    await expect.poll(() => silent.socket.readyState).toBe(1)
    expect(await isSilent(silent)).toBe(true)
    atConnect.remove()
    expect([(await silent.next()).op, (await silent.next()).op]).toEqual([HELLO, ACK])

    const atIdentify = gateway.freeze({ at: 'identify', times: 1 })
    silent.send(IDENTIFY, { token })
    expect(await isSilent(silent)).toBe(true)
    expect(gateway.sessions).toHaveLength(2)
    atIdentify.remove()
    while ((await silent.next()).t !== 'READY');
    expect(gateway.sessions).toHaveLength(3)
  })

  it('drop ends frozen connections too', async () => {
    const { a, g, ada, gateway } = await pairAt(door)
    gateway.freeze()
    gateway.drop(1006, { user: ada })
    gateway.drop(4000)
    expect([(await a.closed).code, (await g.closed).code]).toEqual([1006, 4000])
  })

  it('refuse lets nobody connect, as often as it says or until it is taken back', async () => {
    const { a, gateway, open } = await pairAt(door)
    gateway.refuse({ times: 2 })
    for (let count = 0; count < 2; count++) expect(await open().closed).toEqual({ code: 1006, reason: '' })
    expect(await open().next()).toMatchObject({ op: HELLO })
    const outage = gateway.refuse()
    await open().closed
    expect([outage.count, await a.heard()]).toEqual([1, []])
    outage.remove()
    expect(await open().next()).toMatchObject({ op: HELLO })
  })

  it('clear takes all of them back', async () => {
    const { a, ada, gateway, open } = await pairAt(door)
    gateway.freeze({ user: ada })
    gateway.refuse()
    gateway.drop(1006, { times: 5 })
    gateway.clear()
    expect(await a.heard()).toEqual([])
    expect(await open().next()).toMatchObject({ op: HELLO })
  })
})

describe('a mistake in a fault of the gateway', () => {
  it.each<[string, (gateway: MockGateway, user: { id: string }) => unknown]>([
    ['gateway.drop: a server cannot close with code 1005', (gateway) => gateway.drop(1005)],
    ['gateway.drop: a server cannot close with code 42', (gateway) => gateway.drop(42)],
    ['gateway.drop: a server cannot close with code 4000.5', (gateway) => gateway.drop(4000.5)],
    ['gateway.drop: unknown option "time"', (gateway) => gateway.drop(1006, { time: 1 } as GatewayFaultOptions)],
    [
      'gateway.drop: reason must be a string of at most 123 bytes',
      (gateway) => gateway.drop(4000, { reason: 'é'.repeat(62) }),
    ],
    [
      'gateway.freeze: times must be an integer of at least 0, or Infinity, got -1',
      (gateway) => gateway.freeze({ times: -1 }),
    ],
    [
      'gateway.reconnect: at must be "connect" or "identify" or "resume", got "event"',
      (gateway) => gateway.reconnect({ at: 'event' as 'resume' }),
    ],
    [
      'gateway.freeze: the user of a connecting client is not known yet',
      (gateway, user) => gateway.freeze({ user, at: 'connect' }),
    ],
    ['the mock service has no user 1', (gateway) => gateway.invalidSession(true, { user: '1' })],
    ['the mock service has no user 1', (gateway) => gateway.emit('x', {}, { to: '1' })],
    ['gateway.emit: unknown option "user"', (gateway) => gateway.emit('x', {}, { user: '1' } as object)],
  ])('is refused at once: %s', async (message, act) => {
    const { service, ada } = await gatewayPeople(inMemory)
    expect(() => act(service.gateway, ada)).toThrow(message)
  })
})
