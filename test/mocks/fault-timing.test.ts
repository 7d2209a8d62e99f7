import { listen } from 'rapport-sdk/mocks/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { baseUrl, settle, setUp } from './set-up'

const path = 'GET /auth/location-metadata' as const

it('latency delays the answer and not the effect, also if the client has gone', async () => {
  const { service, ada, grace, as } = setUp()
  service.faults.on('Create Relationship', { latency: '1h' })
  const gone = new AbortController()
  const request = { method: 'PUT', headers: { authorization: service.token(ada) }, body: '{}', signal: gone.signal }
  const waiting = service.fetch(`${baseUrl}/users/@me/relationships/${grace.id}`, request)
  await expect.poll(() => service.relationships.between(ada, grace)).toBe(4)
  gone.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  expect((await as(grace)<object[]>('GET /users/@me/relationships')).body).toHaveLength(1)
  expect(service.journal.find('Create Relationship')).toMatchObject([
    { status: null, fault: 'latency', reason: { source: 'fault', message: expect.stringContaining('took effect') } },
  ])
})

it('delayRequest delays the effect, which does not happen if the client has gone', async () => {
  const { service, ada, grace, as } = setUp()
  service.faults.on('Create Relationship', { delayRequest: '1h', times: 1 })
  const gone = new AbortController()
  const request = { method: 'PUT', headers: { authorization: service.token(ada) }, body: '{}', signal: gone.signal }
  const waiting = service.fetch(`${baseUrl}/users/@me/relationships/${grace.id}`, request)
  const rejected = expect(waiting).rejects.toThrow('gone')
  await settle()
  gone.abort(new Error('gone'))
  await rejected
  expect(service.relationships.between(ada, grace)).toBe(0)
  service.faults.on('Create Relationship', { delayRequest: 20 })
  const before = performance.now()
  expect((await as(ada)(`PUT /users/@me/relationships/${grace.id}`, {})).status).toBe(204)
  expect(performance.now() - before).toBeGreaterThanOrEqual(18)
})

it('a range of delays is chosen from by the seed of the service', async () => {
  const delays = async () => {
    const { service, send } = setUp({ seed: 7 })
    service.faults.on(path, { latency: [5, '30ms'] })
    const measured: number[] = []
    for (let count = 0; count < 3; count++) {
      const before = performance.now()
      await send(path)
      measured.push(performance.now() - before)
    }
    return measured
  }
  for (const delay of await delays()) expect(delay).toBeGreaterThanOrEqual(4)
  const { service } = setUp()
  expect(() => service.faults.on(path, { latency: ['2s', '1s'] })).toThrow('latency: expected')
})

describe('which requests a fault affects', () => {
  it('`after` lets a number of matching requests pass, and a snapshot keeps how many are left', async () => {
    const { service, send } = setUp()
    service.faults.on(path, { status: 503, after: 2, times: 1 })
    expect((await send(path)).status).toBe(200)
    expect(service.faults.all()).toMatchObject([{ after: 1, left: 1 }])
    const other = setUp()
    other.service.restore(service.snapshot())
    const statuses: number[] = []
    for (let count = 0; count < 3; count++) statuses.push((await other.send(path)).status)
    expect(statuses).toEqual([200, 503, 200])
  })

  it('`probability` affects the same requests of every run with the same seed', async () => {
    const run = async (seed: number) => {
      const { service, send } = setUp({ seed })
      service.faults.on(path, { status: 503, probability: 0.5 })
      const statuses: number[] = []
      for (let count = 0; count < 40; count++) statuses.push((await send(path)).status)
      return statuses
    }
    const statuses = await run(1)
    expect(await run(1)).toEqual(statuses)
    expect(await run(2)).not.toEqual(statuses)
    expect(new Set(statuses)).toEqual(new Set([200, 503]))
    const { service } = setUp()
    expect(() => service.faults.on(path, { status: 503, probability: 2 })).toThrow('probability: expected')
  })

  it('a fault with a probability draws other values than the accounts and tokens of the service', async () => {
    const [one, other] = [setUp(), setUp()]
    one.service.faults.on(path, { status: 503, probability: 0.5 })
    await one.send(path)
    expect(one.service.users.create({ login: 'x@y.z' })).toEqual(other.service.users.create({ login: 'x@y.z' }))
  })

  it.each([
    ['*', [true, true, true, true]],
    ['GET', [true, false, false, true]],
    ['/users/@me/relationships/{user.id}', [false, true, true, false]],
    ['/users/@me/relationships', [true, false, false, false]],
  ] as const)('a fault can be set on %s', async (selector, expected) => {
    const { service, ada, grace, as } = setUp()
    service.faults.on(selector, { status: 503 })
    const one = `/users/@me/relationships/${grace.id}` as const
    const asAda = as(ada)
    const routes = ['GET /users/@me/relationships', `PUT ${one}`, `DELETE ${one}`, 'GET /nowhere'] as const
    const hit: boolean[] = []
    for (const route of routes) hit.push((await asAda(route, undefined)).status === 503)
    expect(hit).toEqual(expected)
    expect(service.journal.find(selector)).toHaveLength(expected.filter(Boolean).length)
  })

  it.each(['FETCH', '/nope/{user.id}', '/auth/sessions?page=1', 'nothing', ''])(
    'faults.on() rejects %s, which matches no request',
    (selector) => {
      const { service } = setUp()
      expect(() => service.faults.on(selector as '*', { status: 503 })).toThrow()
    },
  )

  it('parameters match by meaning: a boolean or number in a query is a string', async () => {
    const { service, ada, as } = setUp()
    const match = { params: { with_profiles: true } }
    service.faults.on('Get User Application Identities', { status: 503, match })
    expect((await as(ada)(`GET /users/${ada.id}/application-identities?with_profiles=true`)).status).toBe(503)
    expect((await as(ada)(`GET /users/${ada.id}/application-identities?with_profiles=false`)).status).toBe(200)
  })
})

it.each(['in process', 'HTTP'])('bandwidth sends a body piece by piece, %s', async (transport) => {
  const { service } = setUp()
  service.faults.on(path, { status: 200, body: 'x'.repeat(100), bandwidth: 1000 })
  const server = await listen(service)
  onTestFinished(() => service.close())
  const [url, request] = transport === 'HTTP' ? [server.url, fetch] : [baseUrl, service.fetch]
  const before = performance.now()
  const { body } = await request(`${url}/auth/location-metadata`)
  const reader = body?.getReader()
  const pieces: number[] = []
  for (let next = await reader?.read(); next?.value; next = await reader?.read()) pieces.push(next.value.length)
  expect(pieces.reduce((sum, length) => sum + length, 0)).toBe(102)
  // The first piece is sent at once, each of the others after a tenth of a second.
  expect(performance.now() - before).toBeGreaterThanOrEqual(90)
})
