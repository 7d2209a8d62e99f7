import { createMockControl } from 'rapport-sdk/mocks/control'
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
  expect((await control('GET /requests?endpoint=Logout&wait=20ms')).body).toEqual({ items: [], dropped: 0 })
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
  [{ times: -1 }, '/times', 'expected an integer from 0 to 9007199254740991, got -1'],
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

it('counts of requests that the journal no longer keeps are refused, with their number and the option that keeps more', async () => {
  const { call, control } = await startControl({ service: { maxJournalEntries: 2 } })
  const endpoint = 'Get Location Metadata'
  const encoded = encodeURIComponent(endpoint)
  const verify = (more: object) => control<Problem | undefined>('POST /requests/verify', { endpoint, ...more })
  await call('GET /api/auth/location-metadata')
  await call('GET /api/auth/location-metadata')
  expect((await control('GET /requests/count')).body).toEqual({ count: 2 })
  expect((await verify({ times: 2 })).status).toBe(204)
  await call('GET /api/auth/location-metadata')
  const reason =
    'The journal keeps 2 requests, and 1 earlier one made room; --max-journal-entries (maxJournalEntries of createMockService) keeps more, DELETE /_mock/requests clears it.'
  const dropped = { status: 409, body: { detail: reason } }
  expect(await control(`GET /requests/count?endpoint=${encoded}`)).toMatchObject(dropped)
  expect(await verify({ times: 2 })).toMatchObject(dropped)
  expect(await control(`GET /requests?endpoint=${encoded}&count=3&wait=20ms`)).toMatchObject(dropped)
  expect((await verify({ times: 3, wait: '20ms' })).body?.detail).toMatch(
    /^Expected 3 requests, got 2: .*; the journal/,
  )
  expect((await verify({ status: 404 })).body?.detail).toContain('; the journal keeps 2 requests, and 1 earlier one')
  expect((await verify({ times: 1 })).body?.detail).toContain('Expected 1 request, got 2: ')
  expect((await verify({})).status).toBe(204)
  expect((await control(`GET /requests?count=2`)).body.items).toHaveLength(2)
  const snapshot = (await control('PUT /snapshots/full')).status
  await control('DELETE /requests')
  expect([snapshot, (await control('GET /requests/count')).body]).toEqual([200, { count: 0 }])
  await control('POST /snapshots/full/restore')
  expect(await control('GET /requests/count')).toMatchObject(dropped)
})

it('a status is a number, a text or a class, for curl and the typed client', async () => {
  const { call, control, server } = await startControl()
  await call('GET /api/nowhere')
  const mock = createMockControl(server.url)
  for (const status of [404, '404', '4xx']) {
    expect([status, (await control('POST /requests/verify', { status, times: 1 })).status]).toEqual([status, 204])
    expect((await control(`GET /requests/count?status=${status}`)).body).toEqual({ count: 1 })
    await mock.requests.verify({ status, order: [{ status }] })
    expect(await mock.requests.count({ status })).toBe(1)
  }
  for (const status of [42, 600, 404.5, '40x', true]) {
    const refused = await control<Problem>('POST /requests/verify', { status })
    expect([status, refused.status, refused.body.errors[0]?.path]).toEqual([status, 400, '/status'])
  }
})

it('a secret that is expected, or sent to the control API in a wrong place, is not in its answer', async () => {
  const { call, control, service, ada } = await startControl()
  const token = service.token(ada)
  await call('POST /api/auth/login', { login: token, password })
  const answers = [
    await control('POST /requests/verify', { params: { login: token } }),
    await control('POST /requests/verify', { params: { login: `${'x'.repeat(190)}${token}` } }),
    await control('POST /requests/verify', { body: { login: 'ada', note: token, [token]: 1 } }),
    await control('POST /requests/verify', { [token]: 1 }),
    await control(`GET /requests?endpoint=${token}`),
    await control(`GET /users/${token}`),
    await control(`DELETE /mail/${token}`),
    await control('POST /tokens', { user: token }),
    await control('GET /requests'),
  ]
  expect(answers.map(({ status }) => status)).toEqual([409, 409, 409, 400, 400, 404, 404, 400, 200])
  expect(JSON.stringify(answers.map(({ body }) => body))).not.toContain(token.slice(0, 27))
})

it('a parameter that is sent twice to the control API is refused', async () => {
  const { control } = await startControl()
  const { status, body } = await control<Problem>('GET /requests?status=4xx&status=5xx')
  expect([status, body.errors]).toEqual([400, [{ path: 'status', message: 'must not be repeated' }]])
})

it('a user who does not exist is refused, so that a misspelt one proves nothing', async () => {
  const { call, control, service } = await startControl()
  const linus = service.users.create({ login: 'linus@example.com', username: 'linus' })
  const detail = expect.stringContaining('o account has the ID, login or username "nobody"')
  const verify = (more: object) => control<Problem>('POST /requests/verify', more)
  expect(await verify({ user: 'nobody', times: 0 })).toMatchObject({ status: 400, body: { detail } })
  expect(await verify({ order: [{ user: 'linus' }, { user: 'nobody' }] })).toMatchObject({
    status: 400,
    body: { detail, errors: [{ path: '/order/1/user' }] },
  })
  for (const path of ['', '/count']) {
    expect(await control(`GET /requests${path}?user=nobody`)).toMatchObject({ status: 404, body: { detail } })
  }
  const Authorization = service.token(linus)
  await call('GET /api/users/@me/relationships', undefined, { Authorization })
  service.users.remove(linus)
  expect((await verify({ user: linus.id, times: 1 })).status).toBe(204)
})

it('a request with 50,000 unknown fields gets the first 50 problems, and that there are more', async () => {
  const { control } = await startControl()
  const fields = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`field${index}`, index]))
  const { status, body } = await control<Problem>('POST /users', { login: 'grace@example.com', ...fields })
  expect([status, body.errors.length]).toEqual([400, 50])
  expect(body.detail).toBe('The parameters are invalid; the first 50 problems are listed.')
})
