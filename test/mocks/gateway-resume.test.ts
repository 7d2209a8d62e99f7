import { describe, expect, it } from 'vitest'
import { doors } from './bare-gateway'
import { numbered, visitor } from './gateway-visitor'

const [IDENTIFY, RESUME, INVALID_SESSION] = [2, 6, 9]

describe.each(doors)('a session, $name', (door) => {
  it('is resumed where its client left off, with all that it missed', async () => {
    const { service, client, emit, resume, ready } = await visitor(door)
    emit(1)
    await client.heard()
    client.socket.close(4000)
    await client.closed
    await expect.poll(() => service.gateway.sessions[0]?.connected).toBe(false)
    emit(2, 2)
    const resumed = await resume(2)
    expect(await numbered(resumed)).toEqual([
      [3, 'RELATIONSHIP_ADD', '2'],
      [4, 'RELATIONSHIP_ADD', '3'],
      [5, 'RESUMED', undefined],
    ])
    emit(1, 4)
    expect((await numbered(resumed)).at(-1)).toEqual([6, 'RELATIONSHIP_ADD', '4'])
    expect(service.gateway.sessions).toMatchObject([{ id: ready.session_id, connected: true, sequence: 6 }])
  })

  it('sends again what its client does not know of, and no word of an earlier resume', async () => {
    const { emit, resume } = await visitor(door)
    emit(2)
    const first = await resume(1)
    await first.heard()
    emit(1, 3)
    expect(await numbered(await resume(2))).toEqual([
      [3, 'RELATIONSHIP_ADD', '2'],
      [4, 'RELATIONSHIP_ADD', '3'],
      [5, 'RESUMED', undefined],
    ])
  })

  it('is resumed at the address that the policy tells, or tells of none', async () => {
    const { ready, resume } = await visitor(door, { policy: { gateway: { resumeUrl: (url) => `${url}/resume` } } })
    expect(ready.resume_gateway_url).toMatch(/\/gateway\/resume$/)
    expect(await (await resume(1, {}, `${ready.resume_gateway_url}?v=1`)).heard()).toEqual([['RESUMED', {}]])
    const without = await visitor(door, { policy: { gateway: { resumeUrl: () => null } } })
    expect(without.ready).not.toHaveProperty('resume_gateway_url')
  })

  it('leaves the connection that it had when it is resumed on another', async () => {
    const { client, emit, resume } = await visitor(door)
    const resumed = await resume(1)
    expect(await client.closed).toMatchObject({ code: 4009 })
    emit(1)
    expect((await numbered(resumed)).at(-1)).toEqual([3, 'RELATIONSHIP_ADD', '1'])
  })

  it.each([
    ['is another one', { session_id: 'made up' }],
    ['is somebody else’s', {}],
  ])('is not resumed where it %s; its client can identify on that connection', async (what, more) => {
    const { service, grace, resume } = await visitor(door)
    const token = what.startsWith('is somebody') ? { token: service.token(grace) } : {}
    const client = await resume(1, { ...more, ...token })
    expect(await client.next()).toEqual({ op: INVALID_SESSION, d: false, s: null, t: null })
    client.send(IDENTIFY, { token: service.token(grace) })
    expect(await client.next()).toMatchObject({ t: 'READY', s: 1 })
  })

  it('resumes a session on the same connection after a resumable Invalid Session', async () => {
    const { service, client, token, ready, emit } = await visitor(door)
    service.gateway.invalidSession(true)
    expect(await client.next()).toEqual({ op: INVALID_SESSION, d: true, s: null, t: null })
    expect(service.gateway.sessions).toMatchObject([{ id: ready.session_id, connected: false }])
    emit(2)
    client.send(RESUME, { token, session_id: ready.session_id, seq: 1 })
    expect(await numbered(client)).toEqual([
      [1, 'READY', undefined],
      [2, 'RELATIONSHIP_ADD', '1'],
      [3, 'RELATIONSHIP_ADD', '2'],
      [4, 'RESUMED', undefined],
    ])
    expect(service.gateway.sessions).toMatchObject([{ id: ready.session_id, connected: true }])
    emit(1, 3)
    expect((await numbered(client)).at(-1)).toEqual([5, 'RELATIONSHIP_ADD', '3'])
  })

  it('resumes a session at the second attempt on one connection if the first was answered by Invalid Session', async () => {
    const { service, client, token, ready, resume } = await visitor(door)
    client.socket.close(4000)
    await client.closed
    service.gateway.invalidSession(true, { times: 1 })
    const resumed = await resume(1)
    expect(await resumed.next()).toMatchObject({ op: INVALID_SESSION, d: true })
    resumed.send(RESUME, { token, session_id: ready.session_id, seq: 1 })
    expect(await resumed.next()).toMatchObject({ t: 'RESUMED' })
  })

  it('accepts Identify on the same connection after either Invalid Session', async () => {
    const { service, client, token, ready } = await visitor(door)
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

  it('keeps as many events as the policy says', async () => {
    const { emit, resume, client, service } = await visitor(door, { policy: { gateway: { replayLimit: 5 } } })
    client.socket.close(4000)
    await client.closed
    emit(30)
    const late = await resume(25)
    expect(await late.next()).toMatchObject({ op: INVALID_SESSION, d: false })
    expect(service.gateway.sessions).toEqual([])
    const again = await visitor(door, { policy: { gateway: { replayLimit: 5 } } })
    again.emit(30)
    const frames = await numbered(await again.resume(26))
    expect(frames.map(([s, , id]) => [s, id])).toEqual([
      ...['26', '27', '28', '29', '30'].map((id, index) => [27 + index, id]),
      [32, undefined],
    ])
  })

  it('can be resumed for as long as the policy says', async () => {
    const { client, resume, service } = await visitor(door, { policy: { gateway: { resumeWindow: '1m' } } })
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

  it.each([1000, undefined, 4000])('ends when its client closes with %s, if that says so', async (code) => {
    const { client, service, resume } = await visitor(door)
    client.socket.close(code)
    await client.closed
    const ends = code === 1000
    await expect.poll(() => service.gateway.sessions.map(({ connected }) => connected)).toEqual(ends ? [] : [false])
    expect(await (await resume(1)).next()).toMatchObject(ends ? { op: INVALID_SESSION } : { t: 'RESUMED' })
  })
})
