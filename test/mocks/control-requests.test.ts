import { expect, it } from 'vitest'
import { type Problem, startControl } from './control'
import { password } from './set-up'

it('GET /requests waits for requests that come later, and GET /requests/count counts them', async () => {
  const { call, control } = await startControl()
  const endpoint = encodeURIComponent('Get Location Metadata')
  const waiting = control<{ items: object[] }>(`GET /requests?endpoint=${endpoint}&count=2&wait=30s`)
  await call('GET /api/auth/location-metadata')
  await call('POST /api/auth/login', { login: 'x', password })
  await call('GET /api/auth/location-metadata')
  expect((await waiting).body.items).toHaveLength(2)
  expect((await control(`GET /requests/count?endpoint=${endpoint}`)).body).toEqual({ count: 2 })
  expect((await control('GET /requests/count?status=4xx')).body).toEqual({ count: 1 })
  expect((await control('GET /requests?endpoint=Logout&wait=20ms')).body).toEqual({ items: [] })
})

it('POST /requests/verify names the requests that come closest', async () => {
  const { call, control } = await startControl()
  await call('POST /api/auth/login', { login: 'grace@example.com', password })
  const verify = (more: object) => control<Problem>('POST /requests/verify', { endpoint: 'Login Account', ...more })
  expect((await verify({})).status).toBe(204)
  expect((await verify({ params: { login: 'grace@example.com' }, times: 1 })).status).toBe(204)
  const missed = await verify({ status: '200', params: { login: 'ada@example.com' } })
  expect(missed.status).toBe(409)
  expect(missed.body.detail).toMatch(
    /^Expected at least one request, got 0; closest: POST \/auth\/login at \S+: status is 400, not "200", params\.login is "grace@example\.com", not "ada@example\.com"\.$/,
  )
  expect((await verify({ times: 2, wait: '20ms' })).body.detail).toMatch(
    /^Expected 2 requests, got 1: POST \/auth\/login at /,
  )
  expect((await verify({ times: 0 })).body.detail).toMatch(/^Expected 0 requests, got 1: POST \/auth\/login at \S+Z\.$/)
  const none = await control<Problem>('POST /requests/verify', { endpoint: 'Logout' })
  expect(none.body.detail).toContain('none comes close')
  const secret = await verify({ params: { password: 's3cret' } })
  expect(secret.body.detail).toContain('params.password is redacted and cannot be compared')
  expect(JSON.stringify(secret.body)).not.toContain('s3cret')
})

it('POST /requests/verify compares headers, the whole body and the order of requests', async () => {
  const { call, control } = await startControl()
  const login = { login: 'grace@example.com', password }
  await call('POST /api/auth/login', login, { 'Accept-Language': 'de' })
  await call('POST /api/auth/forgot?page=1', { login: 'grace@example.com' })
  await call('GET /api/auth/location-metadata')
  const verify = async (expected: object) => {
    const { status, body } = await control<Problem | undefined>('POST /requests/verify', expected)
    return [status, body?.errors[0]?.path, body?.detail.replaceAll(/ at \S+?(?=: |\.$)/g, '')]
  }
  const accepted = [204, undefined, undefined]
  const endpoint = 'Login Account'
  expect(await verify({ endpoint, headers: { 'accept-language': 'de', 'Content-Type': 'application/json' } })).toEqual(
    accepted,
  )
  expect(await verify({ endpoint, body: { ...login, password: '[redacted]' }, times: 1 })).toEqual(accepted)
  expect(await verify({ endpoint: 'Forgot Password', body: { login: 'grace@example.com' } })).toEqual(accepted)
  expect(await verify({ endpoint, headers: { 'Accept-Language': 'fr', authorization: 's3cret' } })).toEqual([
    409,
    '',
    'Expected at least one request, got 0; closest: POST /auth/login: headers.accept-language is "de", not "fr", headers.authorization is absent, not "[redacted]".',
  ])
  expect(await verify({ endpoint, body: { login: 'grace@example.com', undelete: true } })).toEqual([
    409,
    '',
    'Expected at least one request, got 0; closest: POST /auth/login: body.undelete is absent, not true, body.password is "[redacted]", not absent.',
  ])
  const order = [{ endpoint }, { endpoint: 'Get Location Metadata', status: '200' }]
  expect(await verify({ order })).toEqual(accepted)
  expect(await verify({ order: [...order].reverse() })).toEqual([
    409,
    '/order/1',
    'Expected 2 requests in this order, and number 2 did not follow; it came before: POST /auth/login.',
  ])
  expect(await verify({ order: [{ endpoint }, { endpoint: 'Forgot Password', status: '204' }] })).toEqual([
    409,
    '/order/1',
    'Expected 2 requests in this order, and number 2 did not follow; closest: POST /auth/forgot: status is 400, not "204".',
  ])
  expect((await verify({ order, times: 2 })).slice(0, 2)).toEqual([400, '/times'])
  expect((await verify({ order: [{ endpoint: 'Login' }] })).slice(0, 2)).toEqual([400, '/order/0/endpoint'])
  const waiting = verify({ order: [...order, { endpoint }], wait: '30s' })
  await call('POST /api/auth/login', login)
  expect(await waiting).toEqual(accepted)
})

it.each([
  [{ times: -1 }, '/times', 'must be at least 0, got -1'],
  [{ times: 1.5 }, '/times', 'expected an integer'],
  [{ order: [] }, '/order', 'must have at least one request, got none'],
])('POST /requests/verify refuses %j and says what is allowed', async (expected, path, message) => {
  const { control } = await startControl()
  const { status, body } = await control<Problem>('POST /requests/verify', expected)
  expect([status, body.errors]).toMatchObject([400, [{ path, message: expect.stringContaining(message) }]])
})

it('a token in the path of an unknown route is not in the response of the control API', async () => {
  const { control, service, ada } = await startControl()
  const { status, body } = await control<Problem>(`GET /tokens/${service.token(ada)}`)
  expect([status, body.detail]).toEqual([404, expect.stringContaining('There is no GET /tokens/[redacted]')])
})
