import { describe, expect, it, test } from 'vitest'
import { routeOf } from '../../mocks/routes/index'
import { endpoints } from '../../src/contract/index'
import { password, problems, setUp } from './set-up'

const login = { login: 'ada@example.com', password }

describe('a strict service', () => {
  it('responds with 404 to unknown paths and to paths outside the base URL', async () => {
    const { send, service } = setUp()
    expect(await send('GET /nowhere')).toMatchObject({ status: 404, body: { code: 0, message: expect.any(String) } })
    expect((await send('GET /auth/sessions/')).status).toBe(404)
    expect((await send('GET /users/%E0%A4%A/application-identities')).status).toBe(404)
    expect((await service.fetch('https://service.example/auth/sessions')).status).toBe(404)
    expect((await service.fetch('https://service.example/api/v90/auth/sessions')).status).toBe(404)
  })

  it('responds with 405 and the allowed methods to another method', async () => {
    const { send } = setUp()
    const { status, headers } = await send('PATCH /users/@me/relationships')
    expect([status, headers.get('allow')]).toEqual([405, 'GET, POST, DELETE'])
  })

  it('a body that is not a JSON object responds with 400', async () => {
    const { send } = setUp()
    for (const body of ['{"login": ', 'null', '[]', '"text"', '7']) {
      expect((await send('POST /auth/login', body)).status).toBe(400)
    }
  })

  it('a missing token responds with 401 before the body is parsed', async () => {
    const { send } = setUp()
    expect((await send('POST /auth/handoff', '{')).status).toBe(401)
  })

  it('an error names every invalid field, nested like the body', async () => {
    const { send } = setUp()
    const { body } = await send('POST /auth/login', { login: 7, password: 'short', undelete: 'yes' })
    expect(body).toEqual({
      code: 50035,
      message: 'Invalid Form Body',
      errors: {
        login: { _errors: [{ code: 'INVALID_TYPE', message: expect.any(String) }] },
        password: { _errors: [{ code: 'TOO_SHORT', message: expect.stringContaining('at least 8') }] },
        undelete: { _errors: [{ code: 'INVALID_TYPE', message: expect.any(String) }] },
      },
    })
  })

  it('an error never repeats a secret', async () => {
    const { send } = setUp()
    const { body } = await send('POST /auth/login', { login: 'x', password: 'sesame!', ticket: 'ticket-0' })
    expect(JSON.stringify(body)).not.toMatch(/sesame|ticket-0/)
    const wrongType = await send('POST /auth/mfa/totp', { ticket: ['ticket-0'], code: 424242 })
    expect(JSON.stringify(wrongType.body)).not.toMatch(/ticket-0|424242/)
  })

  it('rejects unknown fields and query parameters', async () => {
    const { send, as, ada } = setUp()
    expect(problems((await send('POST /auth/login', { ...login, remember: true })).body)).toEqual([
      'remember: UNKNOWN_FIELD',
    ])
    expect(problems((await as(ada)('GET /auth/sessions?page=2')).body)).toEqual(['page: UNKNOWN_FIELD'])
    expect(problems((await as(ada)('POST /widget-configs/featured')).body)).toEqual(['405: Method Not Allowed'])
    expect(problems((await send('POST /auth/login?undelete=true', login)).body)).toEqual(['undelete: UNKNOWN_FIELD'])
    expect(problems((await send('POST /auth/conditional/start', { login: 'x' })).body)).toEqual([
      'login: UNKNOWN_FIELD',
    ])
  })

  it('a __proto__ field is rejected and sets no prototype', async () => {
    const { send } = setUp()
    const { status } = await send('POST /auth/login', '{"login": "a", "password": "12345678", "__proto__": {"x": 1}}')
    expect(status).toBe(400)
    expect(({} as { x?: number }).x).toBeUndefined()
  })
})

test('a non-strict service ignores unknown fields and still validates types and limits', async () => {
  const { send, as, ada } = setUp({ strict: false })
  expect((await send('POST /auth/login', { ...login, remember: true })).status).toBe(200)
  expect((await as(ada)('GET /auth/sessions?page=2')).status).toBe(200)
  expect(problems((await send('POST /auth/login', { ...login, password: 'short' })).body)).toEqual([
    'password: TOO_SHORT',
  ])
  expect((await send('GET /nowhere')).status).toBe(404)
})

describe('the policy', () => {
  it('decides which endpoints require a token', async () => {
    const { send } = setUp({
      policy: { requiresToken: (name, contractSays) => name !== 'Get Layout Definitions' && contractSays },
    })
    expect((await send('GET /widget-configs/layout-definitions')).status).toBe(200)
    expect((await send('GET /widget-configs/featured')).status).toBe(401)
  })

  it('responds with 500 and is recorded if it throws', async () => {
    const requiresToken = () => {
      throw new Error('no idea')
    }
    const { service, send } = setUp({ policy: { requiresToken } })
    const { status, body } = await send('GET /auth/sessions')
    expect([status, body.message]).toEqual([500, 'the mock service failed: no idea'])
    expect(service.journal.requests).toMatchObject([{ status: 500, user: null }])
  })

  it('a 404 names the nearest route if it is near, with the path of the base URL', async () => {
    const { send, service } = setUp()
    const nearest = async (route: `${string} /${string}`) => (await send(route)).body.message
    const base = new URL(service.baseUrl).pathname
    expect(await nearest('POST /auth/logn')).toBe(`404: Not Found. The nearest route is POST ${base}/auth/login`)
    expect(await nearest('PUT /users/@me/relationship/42')).toMatch(/PUT \S+\/users\/@me\/relationships\/\{user\.id\}$/)
    expect(await nearest('GET /auth/sessions/')).toMatch(/nearest route is GET \S+\/auth\/sessions$/)
    expect(await nearest('POST /friend-suggestion')).toMatch(/nearest route is GET \S+\/friend-suggestions$/)
    for (const far of ['GET /guilds/42', 'POST /auth/token', 'GET /orders', `GET /${'a'.repeat(5000)}`] as const)
      expect(await nearest(far)).toBe('404: Not Found')
  })

  it('can change errors', async () => {
    const { send } = setUp({ policy: { errors: { unknownPath: { status: 410, code: 7, message: 'Gone' } } } })
    expect(await send('GET /nowhere')).toMatchObject({ status: 410, body: { code: 7, message: 'Gone' } })
    expect((await send('GET /auth/sessions')).status).toBe(401)
  })

  it('decides the fields of a partial user', async () => {
    const { as, ada, grace } = setUp({ policy: { partialUser: ({ id }) => ({ id, badge: 'gold' }) } })
    await as(ada)(`PUT /users/@me/relationships/${grace.id}`, {})
    const { body } = await as(ada)('GET /users/@me/relationships')
    expect(body).toMatchObject([{ user: { id: grace.id, badge: 'gold' } }])
  })

  it('responds with 500 if it violates the contract', async () => {
    const { send, as, ada, grace, service } = setUp({
      policy: { partialUser: () => ({ id: 7, username: password }) as never },
    })
    service.relationships.befriend(ada, grace)
    expect((await send('GET /auth/location-metadata')).status).toBe(200)
    const { status, body } = await as(ada)('GET /users/@me/relationships')
    expect(status).toBe(500)
    expect(body.message).toContain('the response of the mock to "Get Relationships" violates the contract')
    expect(JSON.stringify(body)).not.toContain(password)
  })
})

describe('the mock and the contract', () => {
  it.each(endpoints.map(({ call, endpoint }) => [call, endpoint] as const))(
    'the mock has a route for %s',
    (_, endpoint) => {
      expect(routeOf(endpoint)).toBeTypeOf('function')
    },
  )

  it('the mock responds at the path of every endpoint, with 401 if the contract requires a token', async () => {
    const { send } = setUp()
    for (const { endpoint } of endpoints) {
      const path = endpoint.path.replaceAll(/\{[^{}]+\}/g, '1')
      const { status } = await send(`${endpoint.method} ${path}` as 'GET /')
      const expected = endpoint.auth === 'token' ? [401] : [200, 400]
      expect(expected, `${endpoint.method} ${endpoint.path}`).toContain(status)
    }
  })
})
