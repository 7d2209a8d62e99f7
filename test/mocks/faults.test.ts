import { describe, expect, it } from 'vitest'
import { baseUrl, setUp } from './calls'

const path = 'GET /auth/location-metadata' as const
const url = `${baseUrl}/auth/location-metadata`

describe('a fault', () => {
  it('answers in the service’s place, as often as it is told', async () => {
    const { service, send } = setUp()
    service.faults.on('Get Location Metadata', { status: 503, times: 2, headers: { 'x-proxy': 'yes' } })
    const first = await send(path)
    expect([first.status, first.headers.get('x-proxy')]).toEqual([503, 'yes'])
    expect((await send(path)).status).toBe(503)
    expect((await send(path)).status).toBe(200)
  })

  it('is named by the endpoint, by method and template, or by method and path', async () => {
    const { service, ada, grace, as } = setUp()
    const mine = as(ada)
    const one = `/users/@me/relationships/${grace.id}` as const
    service.faults.on('Create Relationship', { status: 500, times: 1 })
    service.faults.on('PUT /users/@me/relationships/{user.id}', { status: 501, times: 1 })
    service.faults.on(`PUT ${one}`, { status: 502, times: 1 })
    const statuses: number[] = []
    for (let count = 0; count < 4; count++) statuses.push((await mine(`PUT ${one}`, {})).status)
    expect(statuses).toEqual([500, 501, 502, 204])
  })

  it('stands in for what the document does not show', async () => {
    const { service, send } = setUp()
    service.faults.on('POST /safety/standing', { status: 200, body: { state: 100 } })
    expect(await send('POST /safety/standing', { token: 'suspended' })).toMatchObject({
      status: 200,
      body: { state: 100 },
    })
    expect(service.journal.find('POST /safety/standing')[0]?.params).toEqual({ token: '[redacted]' })
  })

  it('is refused when it names nothing', () => {
    const { service } = setUp()
    expect(() => service.faults.on('Log In' as 'Logout', { network: true })).toThrow('"Log In" is neither')
  })

  it('is taken back alone, or with all others', async () => {
    const { service, send } = setUp()
    const takeBack = service.faults.on('Get Location Metadata', { status: 500 })
    service.faults.on('Get Location Metadata', { status: 502 })
    takeBack()
    expect((await send(path)).status).toBe(502)
    service.faults.clear()
    expect((await send(path)).status).toBe(200)
  })

  it('limits rates, with the wait in header and body', async () => {
    const { service, send } = setUp()
    service.faults.on('Get Location Metadata', { status: 429, retryAfter: 1.5, global: true })
    const { headers, body } = await send(path)
    expect(headers.get('retry-after')).toBe('1.5')
    expect(body).toEqual({ message: expect.any(String), retry_after: 1.5, global: true })
  })

  it('sends what it is given, nothing included', async () => {
    const { service, send } = setUp()
    service.faults.on('Get Location Metadata', { status: 418, body: { teapot: true }, times: 1 })
    service.faults.on('Get Location Metadata', { status: 204 })
    expect((await send(path)).body).toEqual({ teapot: true })
    expect(await send(path)).toMatchObject({ status: 204, body: undefined })
  })

  it('sends a page of HTML as proxies do', async () => {
    const { service } = setUp()
    service.faults.on('Get Location Metadata', { html: true })
    const response = await service.fetch(url)
    expect([response.status, response.headers.get('content-type')]).toEqual([502, 'text/html; charset=utf-8'])
    expect(await response.text()).toContain('<h1>502')
  })

  it('sends JSON that is none', async () => {
    const { service } = setUp()
    service.faults.on('Get Location Metadata', { malformedJson: true })
    const response = await service.fetch(url)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
    await expect(response.json()).rejects.toThrow(SyntaxError)
  })

  it.each([
    ['network', { network: true }],
    ['reset', { reset: true }],
  ] as const)('fails like the network does: %s', async (_, fault) => {
    const { service } = setUp()
    service.faults.on('Get Location Metadata', fault)
    await expect(service.fetch(url)).rejects.toThrow(new TypeError('fetch failed'))
    expect(service.journal.find('Get Location Metadata')).toMatchObject([{ status: null }])
  })

  it('breaks a body off, after the request has had its effect', async () => {
    const { service } = setUp()
    service.faults.on('Register Account', { truncate: true })
    const init = { method: 'POST', body: '{"username": "linus", "email": "linus@example.com"}' }
    const response = await service.fetch(`${baseUrl}/auth/register`, init)
    expect(response.status).toBe(200)
    const reader = response.body?.getReader()
    const { value } = (await reader?.read()) ?? {}
    expect(new TextDecoder().decode(value)).toMatch(/^\{"token":"[^"]+$/)
    await expect(reader?.read()).rejects.toThrow('fetch failed')
    expect(service.users.find('linus@example.com')).toMatchObject({ username: 'linus' })
  })

  it('lets a body go silent until the reader gives up', async () => {
    const { service } = setUp()
    service.faults.on('Get Location Metadata', { stall: true })
    const controller = new AbortController()
    const response = await service.fetch(url, { signal: controller.signal })
    const text = response.text()
    setTimeout(() => controller.abort(new Error('enough')), 5)
    await expect(text).rejects.toThrow('enough')
  })

  it('comes late, in real time, alone or with another fault', async () => {
    const { service, send } = setUp()
    service.faults.on('Get Location Metadata', { latency: 30, times: 1 })
    service.faults.on('Get Location Metadata', { latency: '30ms', status: 500, times: 1 })
    for (const status of [200, 500]) {
      const before = performance.now()
      expect((await send(path)).status).toBe(status)
      expect(performance.now() - before).toBeGreaterThanOrEqual(28)
    }
  })

  it('that comes late answers whoever the caller is by then', async () => {
    const { service, ada, grace, as } = setUp()
    const late = async (change: () => void) => {
      service.faults.on('Get Auth Sessions', { latency: 20, times: 1 })
      const answer = as(grace)('GET /auth/sessions')
      setTimeout(change, 5)
      return (await answer).status
    }
    expect(await late(() => service.users.suspend(ada))).toBe(200)
    expect(await late(() => service.users.suspend(grace))).toBe(401)
    expect(service.journal.find('Get Auth Sessions')).toMatchObject([{ user: grace.id }, { user: null }])
  })

  it('that answers in the service’s place uses no session', async () => {
    const { service, ada, as } = setUp()
    const mine = as(ada)

    const before = service.snapshot()
    service.clock.advance('1h')
    service.faults.on('Logout Auth Sessions', { status: 500 })
    await mine('POST /auth/sessions/logout', { session_id_hashes: ['x'] })
    expect(service.snapshot().database.sessions).toEqual(before.database.sessions)
  })

  it('changes nothing where it answers in the service’s place', async () => {
    const { service, ada, grace, as } = setUp()
    service.faults.on('Create Relationship', { status: 500, times: 1 })
    await as(ada)(`PUT /users/@me/relationships/${grace.id}`, {})
    expect(service.relationships.between(ada, grace)).toBe(0)
  })
})
