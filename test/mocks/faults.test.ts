import { expect, it } from 'vitest'
import { baseUrl, settle, setUp } from './set-up'

const path = 'GET /auth/location-metadata' as const
const url = `${baseUrl}/auth/location-metadata`

it('a fault replaces the response as often as its `times` says', async () => {
  const { service, send } = setUp()
  service.faults.on('Get Location Metadata', { status: 503, times: 2, headers: { 'x-proxy': 'yes' } })
  const first = await send(path)
  expect([first.status, first.headers.get('x-proxy')]).toEqual([503, 'yes'])
  expect((await send(path)).status).toBe(503)
  expect((await send(path)).status).toBe(200)
})

it('a fault can name an endpoint, a method and path template, or a method and path', async () => {
  const { service, ada, grace, as } = setUp()
  const asAda = as(ada)
  const one = `/users/@me/relationships/${grace.id}` as const
  service.faults.on('Create Relationship', { status: 500, times: 1 })
  service.faults.on('PUT /users/@me/relationships/{user.id}', { status: 501, times: 1 })
  service.faults.on(`PUT ${one}`, { status: 502, times: 1 })
  const statuses: number[] = []
  for (let count = 0; count < 4; count++) statuses.push((await asAda(`PUT ${one}`, {})).status)
  expect(statuses).toEqual([500, 501, 502, 204])
})

it('a fault on a path that no endpoint and no stub has is refused with the nearest one, until there is a stub', async () => {
  const { service, send } = setUp()
  const fault = { status: 503, body: { state: 100 } }
  const message = /^no endpoint and no stub has the path \/safety\/standing; add a stub first$/
  expect(() => service.faults.on('POST /auth/logn', fault)).toThrow(
    '/auth/logn; add a stub first, or use POST /auth/login',
  )
  expect(() => service.faults.on('/safety/standing', fault)).toThrow(message)
  expect(() => service.faults.on('/auth/logn', fault)).toThrow('or use POST /auth/login')
  service.stubs.on('POST /safety/{thing}', {})
  expect(() => service.faults.on('GET /safty/standing', fault)).toThrow('or use POST /safety/{thing}')
  service.faults.on('POST /safety/standing', fault)
  service.faults.on('/safety/{thing}', { ...fault, status: 502 })
  expect(await send('POST /safety/standing', { token: 'suspended' })).toMatchObject({ status: 503, body: fault.body })
  expect((await send('POST /safety/other')).status).toBe(502)
  expect(service.journal.find('POST /safety/standing')[0]?.params).toEqual({ token: '[redacted]' })
})

it('a fault on a literal path applies to requests of this path, however it is encoded', async () => {
  const { service, send } = setUp()
  service.faults.on('POST /auth/%6Cogin', { status: 418, times: 1 })
  expect((await send('POST /auth/login', {})).status).toBe(418)
  service.faults.on('/auth/login', { status: 418 })
  expect((await send('POST /auth/log%69n', {})).status).toBe(418)
})

it('a fault on a method that a path does not have is refused with those that it has', () => {
  const { service } = setUp()
  const on = (selector: string) => () => service.faults.on(selector as '*', { network: true })
  expect(on('GET /auth/login')).toThrow('/auth/login has no GET; use POST /auth/login')
  expect(on('PUT /friend-suggestions')).toThrow('use GET /friend-suggestions')
  expect(on('OPTIONS')).toThrow('no endpoint and no stub has the method OPTIONS')
  service.stubs.on('GET /auth/{thing}', {})
  expect(on('PATCH /auth/login')).toThrow('use POST /auth/login or GET /auth/login')
  expect(on('GET /auth/login')).not.toThrow()
  expect(service.faults.all()).toHaveLength(1)
})

it('a fault with an unknown name throws', () => {
  const { service } = setUp()
  expect(() => service.faults.on('Log In' as 'Logout', { network: true })).toThrow('"Log In" is neither')
})

it('a fault is removed by its function, and all faults by clear()', async () => {
  const { service, send } = setUp()
  const remove = service.faults.on('Get Location Metadata', { status: 500 })
  service.faults.on('Get Location Metadata', { status: 502 })
  remove()
  expect((await send(path)).status).toBe(502)
  service.faults.clear()
  expect((await send(path)).status).toBe(200)
})

it('a 429 fault sends the wait in the header and the body', async () => {
  const { service, send } = setUp()
  service.faults.on('Get Location Metadata', { status: 429, retryAfter: 1.5, global: true })
  const { headers, body } = await send(path)
  expect(headers.get('retry-after')).toBe('1.5')
  expect(body).toEqual({ message: expect.any(String), retry_after: 1.5, global: true })
})

it('a fault sends its body, or none with 204', async () => {
  const { service, send } = setUp()
  service.faults.on('Get Location Metadata', { status: 418, body: { teapot: true }, times: 1 })
  service.faults.on('Get Location Metadata', { status: 204 })
  expect((await send(path)).body).toEqual({ teapot: true })
  expect(await send(path)).toMatchObject({ status: 204, body: undefined })
})

it('an html fault sends a page of a proxy', async () => {
  const { service } = setUp()
  service.faults.on('Get Location Metadata', { html: true })
  const response = await service.fetch(url)
  expect([response.status, response.headers.get('content-type')]).toEqual([502, 'text/html; charset=utf-8'])
  expect(await response.text()).toContain('<h1>502')
})

it('a malformedJson fault sends invalid JSON', async () => {
  const { service } = setUp()
  service.faults.on('Get Location Metadata', { malformedJson: true })
  const response = await service.fetch(url)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
  await expect(response.json()).rejects.toThrow(SyntaxError)
})

it.each([
  ['network', { network: true }],
  ['reset', { reset: true }],
] as const)('a %s fault rejects like a network failure', async (_, fault) => {
  const { service } = setUp()
  service.faults.on('Get Location Metadata', fault)
  await expect(service.fetch(url)).rejects.toThrow(new TypeError('fetch failed'))
  expect(service.journal.find('Get Location Metadata')).toMatchObject([{ status: null }])
})

it('a truncate fault cuts the body after the request took effect', async () => {
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

it('a stall fault pauses the body until the reader aborts', async () => {
  const { service } = setUp()
  service.faults.on('Get Location Metadata', { stall: true })
  const controller = new AbortController()
  const response = await service.fetch(url, { signal: controller.signal })
  const text = expect(response.text()).rejects.toThrow('enough')
  await settle()
  controller.abort(new Error('enough'))
  await text
})

it('latency delays a response or another fault in real time', async () => {
  const { service, send } = setUp()
  service.faults.on('Get Location Metadata', { latency: 30, times: 1 })
  service.faults.on('Get Location Metadata', { latency: '30ms', status: 500, times: 1 })
  for (const status of [200, 500]) {
    const before = performance.now()
    expect((await send(path)).status).toBe(status)
    expect(performance.now() - before).toBeGreaterThanOrEqual(28)
  }
})

it('a delayed request checks the token after the delay', async () => {
  const { service, ada, grace, as } = setUp()
  const delayed = async (change: () => void) => {
    service.faults.on('Get Auth Sessions', { delayRequest: 20, times: 1 })
    const response = as(grace)('GET /auth/sessions')
    setTimeout(change, 5)
    return (await response).status
  }
  expect(await delayed(() => service.users.suspend(ada))).toBe(200)
  expect(await delayed(() => service.users.suspend(grace))).toBe(401)
  expect(service.journal.find('Get Auth Sessions')).toMatchObject([{ user: grace.id }, { user: null }])
})

it('a fault that replaces a response does not update the session', async () => {
  const { service, ada, as } = setUp()
  const asAda = as(ada)

  const before = service.snapshot()
  service.clock.advance('1h')
  service.faults.on('Logout Auth Sessions', { status: 500 })
  await asAda('POST /auth/sessions/logout', { session_id_hashes: ['x'] })
  expect(service.snapshot().database.sessions).toEqual(before.database.sessions)
})

it('a fault that replaces a response changes nothing', async () => {
  const { service, ada, grace, as } = setUp()
  service.faults.on('Create Relationship', { status: 500, times: 1 })
  await as(ada)(`PUT /users/@me/relationships/${grace.id}`, {})
  expect(service.relationships.between(ada, grace)).toBe(0)
})
