import { describe, expect, it } from 'vitest'
import { numberedEvents, setUpSession, transports } from './gateway-client'

const [IDENTIFY, RESUME, INVALID_SESSION] = [2, 6, 9]

describe.each(transports)('resuming a session, $name', (transport) => {
  it('replays all missed events at its sequence number', async () => {
    const { service, client, emit, resume, ready } = await setUpSession(transport)
    emit(1)
    await client.nextEvents()
    client.socket.close(4000)
    await client.closed
    await expect.poll(() => service.gateway.sessions[0]?.connected).toBe(false)
    emit(2, 2)
    const resumed = await resume(2)
    expect(await numberedEvents(resumed)).toEqual([
      [3, 'RELATIONSHIP_ADD', '2'],
      [4, 'RELATIONSHIP_ADD', '3'],
      [5, 'RESUMED', undefined],
    ])
    emit(1, 4)
    expect((await numberedEvents(resumed)).at(-1)).toEqual([6, 'RELATIONSHIP_ADD', '4'])
    expect(service.gateway.sessions).toMatchObject([{ id: ready.session_id, connected: true, sequence: 6 }])
  })

  it('replays events after the sequence number of the client, without an earlier Resumed', async () => {
    const { emit, resume } = await setUpSession(transport)
    emit(2)
    const first = await resume(1)
    await first.nextEvents()
    emit(1, 3)
    expect(await numberedEvents(await resume(2))).toEqual([
      [3, 'RELATIONSHIP_ADD', '2'],
      [4, 'RELATIONSHIP_ADD', '3'],
      [5, 'RESUMED', undefined],
    ])
  })

  it('Ready has the address that the client connected to, to resume there', async () => {
    const { ready, resume } = await setUpSession(transport)
    expect(ready.resume_gateway_url).toMatch(/\/gateway$/)
    expect(await (await resume(1, {}, `${ready.resume_gateway_url}?v=1`)).nextEvents()).toEqual([['RESUMED', {}]])
  })

  it('closes the first connection if it is on another one', async () => {
    const { client, emit, resume } = await setUpSession(transport)
    const resumed = await resume(1)
    expect(await client.closed).toMatchObject({ code: 4009 })
    emit(1)
    expect((await numberedEvents(resumed)).at(-1)).toEqual([3, 'RELATIONSHIP_ADD', '1'])
  })

  it.each([
    ['an unknown session', { session_id: 'made up' }],
    ['a session of another user', {}],
  ])('Resume of %s is rejected, and the client can identify on the same connection', async (session, more) => {
    const { service, grace, resume } = await setUpSession(transport)
    const token = session.endsWith('another user') ? { token: service.token(grace) } : {}
    const client = await resume(1, { ...more, ...token })
    expect(await client.next()).toEqual({ op: INVALID_SESSION, d: false, s: null, t: null })
    client.send(IDENTIFY, { token: service.token(grace) })
    expect(await client.next()).toMatchObject({ t: 'READY', s: 1 })
  })

  it('works on the same connection after a resumable Invalid Session', async () => {
    const { service, client, token, ready, emit } = await setUpSession(transport)
    service.gateway.invalidSession(true)
    expect(await client.next()).toEqual({ op: INVALID_SESSION, d: true, s: null, t: null })
    expect(service.gateway.sessions).toMatchObject([{ id: ready.session_id, connected: false }])
    emit(2)
    client.send(RESUME, { token, session_id: ready.session_id, seq: 1 })
    expect(await numberedEvents(client)).toEqual([
      [1, 'READY', undefined],
      [2, 'RELATIONSHIP_ADD', '1'],
      [3, 'RELATIONSHIP_ADD', '2'],
      [4, 'RESUMED', undefined],
    ])
    expect(service.gateway.sessions).toMatchObject([{ id: ready.session_id, connected: true }])
    emit(1, 3)
    expect((await numberedEvents(client)).at(-1)).toEqual([5, 'RELATIONSHIP_ADD', '3'])
  })

  it('works at the second attempt on one connection after a resumable Invalid Session', async () => {
    const { service, client, token, ready, resume } = await setUpSession(transport)
    client.socket.close(4000)
    await client.closed
    service.gateway.invalidSession(true, { times: 1 })
    const resumed = await resume(1)
    expect(await resumed.next()).toMatchObject({ op: INVALID_SESSION, d: true })
    resumed.send(RESUME, { token, session_id: ready.session_id, seq: 1 })
    expect(await resumed.next()).toMatchObject({ t: 'RESUMED' })
  })

  it('a client can identify on the same connection after either kind of Invalid Session', async () => {
    const { service, client, token, ready } = await setUpSession(transport)
    for (const resumable of [true, false]) {
      service.gateway.invalidSession(resumable)
      expect(await client.next()).toMatchObject({ op: INVALID_SESSION, d: resumable })
      client.send(IDENTIFY, { token })
      const { t, d } = await client.next<{ session_id: string }>()
      expect(t).toBe('READY')
      expect(d.session_id).not.toBe(ready.session_id)
    }
    expect(service.gateway.sessions.map(({ connected }) => connected)).toEqual([false, true])
  })

  it('replays as many events as the replayLimit of the policy', async () => {
    const { emit, resume, client, service } = await setUpSession(transport, { policy: { gateway: { replayLimit: 5 } } })
    client.socket.close(4000)
    await client.closed
    emit(30)
    const late = await resume(25)
    expect(await late.next()).toMatchObject({ op: INVALID_SESSION, d: false })
    expect(service.gateway.sessions).toEqual([])
    const again = await setUpSession(transport, { policy: { gateway: { replayLimit: 5 } } })
    again.emit(30)
    const frames = await numberedEvents(await again.resume(26))
    expect(frames.map(([s, , id]) => [s, id])).toEqual([
      ...['26', '27', '28', '29', '30'].map((id, index) => [27 + index, id]),
      [32, undefined],
    ])
  })

  it('works within the resumeWindow of the policy', async () => {
    const { client, resume, service } = await setUpSession(transport, { policy: { gateway: { resumeWindow: '1m' } } })
    client.socket.close(4000)
    await client.closed
    await expect.poll(() => service.gateway.sessions[0]?.connected).toBe(false)
    service.clock.advance(59_999)
    const second = await resume(1)
    expect(await second.next()).toMatchObject({ t: 'RESUMED' })
    second.socket.close(4000)
    await second.closed
    await expect.poll(() => service.gateway.sessions[0]?.connected).toBe(false)
    service.clock.advance('1m')
    expect(service.gateway.sessions).toEqual([])
    expect(await (await resume(2)).next()).toMatchObject({ op: INVALID_SESSION, d: false })
  })

  it.each([1000, undefined, 4000])(
    'is possible after its client closes it with %s, unless that is code 1000',
    async (code) => {
      const { client, service, resume } = await setUpSession(transport)
      client.socket.close(code)
      await client.closed
      const ends = code === 1000
      await expect.poll(() => service.gateway.sessions.map(({ connected }) => connected)).toEqual(ends ? [] : [false])
      expect(await (await resume(1)).next()).toMatchObject(ends ? { op: INVALID_SESSION } : { t: 'RESUMED' })
    },
  )
})
