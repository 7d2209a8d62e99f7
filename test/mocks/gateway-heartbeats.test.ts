import { describe, expect, it } from 'vitest'
import { gatewayPeople, inMemory } from './bare-gateway'

const HEARTBEAT = 1

describe('heartbeats', () => {
  const gateway = { heartbeatInterval: '40s', heartbeatGrace: '20s' } as const
  const beating = () => gatewayPeople(inMemory, { policy: { gateway } })

  it('that are overdue are asked for; who answers stays', async () => {
    const { service, adas } = await beating()
    const { client } = await adas()
    service.clock.advance(59_999)
    expect(await client.heard()).toEqual([])
    service.clock.advance('1h')
    expect(await client.next()).toEqual({ op: HEARTBEAT, d: null, s: null, t: null })
    expect(await client.heard()).toEqual([])
    service.clock.advance('59s')
    expect(await client.heard()).toEqual([])
  })

  it('that never come close the connection, and end the session', async () => {
    const { service, adas, open } = await beating()
    const { client } = await adas()
    const silent = open()
    await silent.next()
    service.clock.advance('1m')
    service.clock.advance('20s')
    expect(await client.closed).toEqual({ code: 4009, reason: 'Session timed out.' })
    expect(await silent.closed).toMatchObject({ code: 4009 })
    expect(service.gateway.sessions).toEqual([])
  })

  it('are not missed where the policy says so', async () => {
    const policy = { gateway: { heartbeatGrace: Number.POSITIVE_INFINITY } }
    const { service, adas } = await gatewayPeople(inMemory, { policy })
    const { client } = await adas()
    for (let count = 0; count < 3; count++) service.clock.advance('1d')
    expect(await client.heard()).toEqual([])
  })

  it('go by a clock that is a function when a request comes, too', async () => {
    let time = 0
    const { send, adas } = await gatewayPeople(inMemory, { now: () => time, policy: { gateway } })
    const { client } = await adas()
    for (time of [60_000, 80_000]) await send('GET /auth/location-metadata')
    expect(await client.closed).toMatchObject({ code: 4009 })
  })

  it('go by the wall clock where the service does', async () => {
    const short = { heartbeatInterval: 300, heartbeatGrace: 300 }
    const { service, adas } = await gatewayPeople(inMemory, { now: undefined, policy: { gateway: short } } as object)
    const { client } = await adas()
    expect(await client.closed).toMatchObject({ code: 4009 })
    expect(service.gateway.sessions).toEqual([])
  })
})
