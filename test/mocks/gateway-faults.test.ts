import type { GatewayFaultOptions, MockGateway } from 'rapport-sdk/mocks'
import { listen } from 'rapport-sdk/mocks/node'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { type FrameClient, inMemory, setUpGateway, setUpSessions, transports } from './gateway-client'
import { setUp } from './set-up'

const [HEARTBEAT, IDENTIFY, RECONNECT, INVALID_SESSION, HELLO, ACK] = [1, 2, 7, 9, 10, 11]

/** Whether a client receives no response before another one, which receives no event, has five in a row. */
async function isSilent(client: FrameClient, other: FrameClient): Promise<boolean> {
  const before = client.frames.length
  client.send(HEARTBEAT)
  for (let count = 0; count < 5; count++) expect(await other.nextEvents()).toEqual([])
  return client.frames.length === before
}

describe.each(transports)('gateway faults, $name', (transport) => {
  it.each([
    [undefined, { code: 1006, reason: '' }],
    [1012, { code: 1012, reason: 'Dropped by a fault.' }],
    [4900, { code: 4900, reason: 'Dropped by a fault.' }],
  ])('drop(%s) closes connections and keeps their sessions resumable', async (code, expected) => {
    const { a, g, gateway, resume } = await setUpSessions(transport)
    const fault = gateway.drop(code)
    expect([await a.closed, await g.closed]).toEqual([expected, expected])
    expect(fault.count).toBe(2)
    expect(gateway.sessions.map(({ connected }) => connected)).toEqual([false, false])
    expect(await (await resume()).nextEvents()).toEqual([['RESUMED', {}]])
  })

  it('drop() accepts a user', async () => {
    const { a, g, ada, gateway } = await setUpSessions(transport)
    gateway.drop(4001, { user: ada })
    expect(await a.closed).toMatchObject({ code: 4001 })
    expect(await g.nextEvents()).toEqual([])
  })

  it('drop() with `times` drops that many clients that identify or resume', async () => {
    const { a, gateway, open, token, resume } = await setUpSessions(transport)
    const fault = gateway.drop(4004, { times: 2 })
    expect(await a.nextEvents()).toEqual([])
    const client = open()
    await client.next()
    client.send(IDENTIFY, { token })
    expect(await client.closed).toMatchObject({ code: 4004 })
    expect(await (await resume()).closed).toMatchObject({ code: 4004 })
    expect(fault.count).toBe(2)
    expect(await (await resume()).nextEvents()).toEqual([['RESUMED', {}]])
    expect(gateway.journal.slice(2).map(({ op, outcome }) => [op, outcome])).toEqual([
      ['identify', 'fault'],
      ['resume', 'fault'],
      ['resume', 'resumed'],
    ])
  })

  it('drop() with `at: connect` drops every connection before Hello until it is removed', async () => {
    const { gateway, open } = await setUpSessions(transport)
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

  it('freeze() stops reading and writing until it is removed, and keeps connections open', async () => {
    const { a, g, ada, gateway } = await setUpSessions(transport)
    const fault = gateway.freeze({ user: ada })
    gateway.emit('Relationship Add', { id: '1' }, { to: ada })
    expect([await isSilent(a, g), await g.nextEvents()]).toEqual([true, []])
    expect([a.socket.readyState, fault.count]).toEqual([1, 1])
    fault.remove()
    expect(await a.nextEvents()).toEqual([['RELATIONSHIP_ADD', { id: '1' }]])
    expect(gateway.sessions[0]?.connected).toBe(true)
  })

  it('freeze() ignores a close frame, and the client can resume on another connection', async () => {
    const { a, ada, gateway, resume } = await setUpSessions(transport)
    const fault = gateway.freeze({ user: ada })
    a.socket.close(4000)
    gateway.emit('Relationship Add', { id: '1' }, { to: ada })
    expect(gateway.sessions[0]?.connected).toBe(true)
    const resumed = await resume()
    expect(await resumed.nextEvents()).toEqual([
      ['RELATIONSHIP_ADD', { id: '1' }],
      ['RESUMED', {}],
    ])
    expect(a.socket.readyState).toBe(2)
    fault.remove()
    await a.closed
    expect(await resumed.nextEvents()).toEqual([])
    expect(gateway.sessions[0]?.connected).toBe(true)
  })

  it('freeze() with `at` withholds Hello or Ready until it is removed', async () => {
    const { a, gateway, open, token } = await setUpSessions(transport)
    const atConnect = gateway.freeze({ at: 'connect', times: 1 })
    const silent = open()
    await expect.poll(() => silent.socket.readyState).toBe(1)
    expect(await isSilent(silent, a)).toBe(true)
    atConnect.remove()
    expect([(await silent.next()).op, (await silent.next()).op]).toEqual([HELLO, ACK])

    const atIdentify = gateway.freeze({ at: 'identify', times: 1 })
    silent.send(IDENTIFY, { token })
    expect(await isSilent(silent, a)).toBe(true)
    expect(gateway.sessions).toHaveLength(2)
    atIdentify.remove()
    while ((await silent.next()).t !== 'READY');
    expect(gateway.sessions).toHaveLength(3)
  })

  it('drop() closes frozen connections too', async () => {
    const { a, g, ada, gateway } = await setUpSessions(transport)
    gateway.freeze()
    gateway.drop(1006, { user: ada })
    gateway.drop(4000)
    expect([(await a.closed).code, (await g.closed).code]).toEqual([1006, 4000])
  })

  it('refuse() rejects connections as often as `times` says or until it is removed', async () => {
    const { a, gateway, open } = await setUpSessions(transport)
    gateway.refuse({ times: 2 })
    for (let count = 0; count < 2; count++) expect(await open().closed).toEqual({ code: 1006, reason: '' })
    expect(await open().next()).toMatchObject({ op: HELLO })
    const outage = gateway.refuse()
    await open().closed
    expect([outage.count, await a.nextEvents()]).toEqual([1, []])
    outage.remove()
    expect(await open().next()).toMatchObject({ op: HELLO })
  })

  it('clear() removes all gateway faults', async () => {
    const { a, ada, gateway, open } = await setUpSessions(transport)
    gateway.freeze({ user: ada })
    gateway.refuse()
    gateway.drop(1006, { times: 5 })
    gateway.clear()
    expect(await a.nextEvents()).toEqual([])
    expect(await open().next()).toMatchObject({ op: HELLO })
  })
})

test.each<[string, (gateway: MockGateway, user: { id: string }) => unknown]>([
  ['gateway.drop: a server cannot close with code 1005', (gateway) => gateway.drop(1005)],
  ['gateway.drop: a server cannot close with code 42', (gateway) => gateway.drop(42)],
  ['gateway.drop: a server cannot close with code 4000.5', (gateway) => gateway.drop(4000.5)],
  [
    'gateway.invalidSession: resumable: expected true or false, got "yes"',
    (gateway) => gateway.invalidSession(Object('yes').valueOf()),
  ],
  [
    'gateway.drop: time: unknown; expected one of user, times, after, at,',
    (gateway) => gateway.drop(1006, { time: 1 } as GatewayFaultOptions),
  ],
  [
    'gateway.freeze: times: expected an integer of at least 1, or Infinity, got -1',
    (gateway) => gateway.freeze({ times: -1 }),
  ],
  [
    'gateway.reconnect: at: expected "connect" or "identify" or "resume", got "event"',
    (gateway) => gateway.reconnect({ at: 'event' as 'resume' }),
  ],
  [
    'gateway.freeze: the user of a connecting client is not known yet',
    (gateway, user) => gateway.freeze({ user, at: 'connect' }),
  ],
  [
    'gateway.drop: a session is connected now, so "session" excludes "times", "after" and "at"',
    (gateway) => gateway.drop(4000, { session: 'x', after: 1 }),
  ],
  [
    'gateway.unfreeze: times: unknown; expected one of user, session',
    (gateway) => gateway.unfreeze({ times: 1 } as object),
  ],
  ['the mock service has no user 1', (gateway) => gateway.invalidSession(true, { user: '1' })],
  ['the mock service has no user 1', (gateway) => gateway.emit('x', {}, { to: '1' })],
  ['gateway.emit: user: unknown; expected one of to', (gateway) => gateway.emit('x', {}, { user: '1' } as object)],
])('an invalid gateway fault throws at once: %s', async (message, act) => {
  const { service, ada } = await setUpGateway(inMemory)
  expect(() => act(service.gateway, ada)).toThrow(message)
})

describe.each(transports)('frames that tests send, $name', (transport) => {
  it('invalidSession(false) ends sessions, and clients can identify again on the same connection', async () => {
    const { a, g, ada, token, gateway } = await setUpSessions(transport)
    const [session] = gateway.sessions
    gateway.invalidSession(false, { user: ada })
    expect(await a.next()).toEqual({ op: INVALID_SESSION, d: false, s: null, t: null })
    expect(await g.nextEvents()).toEqual([])
    expect(gateway.sessions).toHaveLength(1)
    a.send(IDENTIFY, { token })
    expect(await a.next()).toMatchObject({ t: 'READY', s: 1 })
    expect(gateway.sessions.map(({ id }) => id)).not.toContain(session?.id)
  })

  it('invalidSession(true) keeps sessions resumable', async () => {
    const { a, ada, gateway, resume } = await setUpSessions(transport)
    gateway.invalidSession(true, { user: ada })
    expect(await a.next()).toMatchObject({ op: INVALID_SESSION, d: true })
    expect(await (await resume()).nextEvents()).toEqual([['RESUMED', {}]])
  })

  it('invalidSession() with `times` rejects that many attempts, and ends the sessions if they are not resumable', async () => {
    const { gateway, resume } = await setUpSessions(transport)
    gateway.invalidSession(true, { times: 1, at: 'resume' })
    const client = await resume()
    expect(await client.next()).toMatchObject({ op: INVALID_SESSION, d: true })
    gateway.invalidSession(false, { times: 1 })
    expect(await (await resume()).next()).toMatchObject({ op: INVALID_SESSION, d: false })
    expect(await (await resume()).next()).toMatchObject({ op: INVALID_SESSION, d: false })
    expect(gateway.journal.map(({ outcome }) => outcome).slice(2)).toEqual(['fault', 'fault', 'invalid_session'])
  })

  it('reconnect() asks clients to reconnect', async () => {
    const { a, gateway, resume } = await setUpSessions(transport)
    gateway.reconnect()
    expect(await a.next()).toEqual({ op: RECONNECT, d: null, s: null, t: null })
    expect(await (await resume()).nextEvents()).toEqual([['RESUMED', {}]])
    expect(await a.closed).toMatchObject({ code: 4009 })
  })

  it('duplicate() repeats the last event or the next ones, with the same sequence number', async () => {
    const { a, g, ada, gateway } = await setUpSessions(transport)
    gateway.emit('Relationship Add', { id: '1' }, { to: ada })
    expect(gateway.duplicate({ user: ada }).count).toBe(1)
    gateway.duplicate({ user: ada, times: 1 })
    for (const id of ['2', '3']) gateway.emit('Relationship Add', { id })
    await a.nextEvents()
    const frames = a.frames.filter(({ t }) => t === 'RELATIONSHIP_ADD')
    expect(frames.map(({ s, d }) => [s, d])).toEqual([
      [2, { id: '1' }],
      [2, { id: '1' }],
      [3, { id: '2' }],
      [3, { id: '2' }],
      [4, { id: '3' }],
    ])
    expect(await g.nextEvents()).toHaveLength(2)
  })

  it('they are sent unchanged by sendRaw(), and so are strings', async () => {
    const { a, g, ada, gateway } = await setUpSessions(transport)
    const received: unknown[] = []
    a.socket.addEventListener('message', ({ data }) => received.push(String(data)))
    expect(gateway.sendRaw({ op: 99 }, { user: ada })).toBe(1)
    expect(gateway.sendRaw('"no frame"', { user: ada })).toBe(1)
    expect(gateway.sendRaw('{}')).toBe(2)
    await expect.poll(() => received).toEqual(['{"op":99}', '"no frame"', '{}'])
    expect(await g.nextEvents()).toEqual([])
  })

  it('emit() sends an event of any name to the sessions of a user or to all', async () => {
    const { a, g, ada, gateway } = await setUpSessions(transport)
    expect(gateway.emit('Friend Suggestion Delete', { suggested_user_id: '1' }, { to: ada })).toBe(1)
    expect(gateway.emit('SOMETHING_ELSE', undefined)).toBe(2)
    expect(await a.nextEvents()).toEqual([
      ['FRIEND_SUGGESTION_DELETE', { suggested_user_id: '1' }],
      ['SOMETHING_ELSE', null],
    ])
    expect(await g.nextEvents()).toEqual([['SOMETHING_ELSE', null]])
  })
})

it('sendRaw() sends bytes as a binary message', async () => {
  const { service } = await setUpGateway(inMemory)
  const socket = new service.WebSocket(service.gateway.url)
  const received: unknown[] = []
  socket.binaryType = 'arraybuffer'
  socket.addEventListener('message', ({ data }) => received.push(data))
  await expect.poll(() => received).toHaveLength(1)
  service.gateway.sendRaw(new Uint8Array([1, 2]))
  await expect.poll(() => received).toHaveLength(2)
  expect(new Uint8Array(received[1] as ArrayBuffer)).toEqual(new Uint8Array([1, 2]))
})

it('a refused upgrade has the status and the body of the fault over HTTP, and only a reason in process', async () => {
  const { service } = setUp()
  const server = await listen(service)
  onTestFinished(() => service.close())
  service.gateway.refuse({ status: 503, body: { message: 'Busy' }, after: 1, times: 2 })
  const upgrade = (url: string) =>
    new Promise<string>((resolve) => {
      const client = new WebSocket(url)
      client.on('error', () => {})
      client.on('open', () => {
        client.terminate()
        resolve('open')
      })
      client.on('unexpected-response', (request, response) => {
        response.setEncoding('utf8').once('data', (text) => {
          request.destroy()
          resolve(`${response.statusCode} ${text}`)
        })
      })
    })
  expect(await upgrade(server.gatewayUrl)).toBe('open')
  expect(await upgrade(server.gatewayUrl)).toBe('503 {"message":"Busy"}')
  const socket = new service.WebSocket(service.gateway.url)
  const failed = await new Promise((resolve) => socket.addEventListener('error', resolve))
  expect(failed).toMatchObject({ message: 'the gateway refused the connection with the status 503' })
  expect(service.snapshot().gateway.faults).toMatchObject([{ left: 0, effect: { kind: 'refuse', status: 503 } }])
})
