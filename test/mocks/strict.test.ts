import { describe, expect, it } from 'vitest'
import { password, problems, setUp } from './calls'

const login = { login: 'ada@example.com', password }

describe('a strict service', () => {
  it('answers 404 to unknown paths, and to paths outside its base address', async () => {
    const { send, service } = setUp()
    expect(await send('GET /nowhere')).toMatchObject({ status: 404, body: { code: 0, message: expect.any(String) } })
    expect((await send('GET /auth/sessions/')).status).toBe(404)
    expect((await send('GET /users/%E0%A4%A/application-identities')).status).toBe(404)
    expect((await service.fetch('https://service.example/auth/sessions')).status).toBe(404)
    expect((await service.fetch('https://service.example/api/v90/auth/sessions')).status).toBe(404)
  })

  it('answers 405 to a method that a path has not, and names those that it has', async () => {
    const { send } = setUp()
    const { status, headers } = await send('PATCH /users/@me/relationships')
    expect([status, headers.get('allow')]).toEqual([405, 'GET, POST, DELETE'])
  })

  it('answers 400 to a body that is no JSON, or no object', async () => {
    const { send } = setUp()
    for (const body of ['{"login": ', 'null', '[]', '"text"', '7']) {
      expect((await send('POST /auth/login', body)).status).toBe(400)
    }
  })

  it('answers 401 to a missing token before it looks at the body', async () => {
    const { send } = setUp()
    expect((await send('POST /auth/handoff', '{')).status).toBe(401)
  })

  it('names every field that is wrong, nested as the body is', async () => {
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

  it('never says a secret again', async () => {
    const { send } = setUp()
    const { body } = await send('POST /auth/login', { login: 'x', password: 'sesame!', ticket: 'ticket-0' })
    expect(JSON.stringify(body)).not.toMatch(/sesame|ticket-0/)
    const wrongType = await send('POST /auth/mfa/totp', { ticket: ['ticket-0'], code: 424242 })
    expect(JSON.stringify(wrongType.body)).not.toMatch(/ticket-0|424242/)
  })

  it('refuses fields and query parameters that the contract does not name', async () => {
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

  it('is not led astray by fields named like the prototype’s', async () => {
    const { send } = setUp()
    const { status } = await send('POST /auth/login', '{"login": "a", "password": "12345678", "__proto__": {"x": 1}}')
    expect(status).toBe(400)
    expect(({} as { x?: number }).x).toBeUndefined()
  })
})

describe('a service that is not strict', () => {
  it('lets unnamed fields pass, and still holds limits and types', async () => {
    const { send, as, ada } = setUp({ strict: false })
    expect((await send('POST /auth/login', { ...login, remember: true })).status).toBe(200)
    expect((await as(ada)('GET /auth/sessions?page=2')).status).toBe(200)
    expect(problems((await send('POST /auth/login', { ...login, password: 'short' })).body)).toEqual([
      'password: TOO_SHORT',
    ])
    expect((await send('GET /nowhere')).status).toBe(404)
  })
})

describe('the policy', () => {
  it('says which endpoints need a token', async () => {
    const { send } = setUp({
      policy: { requiresToken: (name, contractSays) => name !== 'Get Layout Definitions' && contractSays },
    })
    expect((await send('GET /widget-configs/layout-definitions')).status).toBe(200)
    expect((await send('GET /widget-configs/featured')).status).toBe(401)
  })

  it('says how Authorization carries the token', async () => {
    const { service, ada, send } = setUp({ policy: { tokenOf: (value) => value.replace(/^Bearer /, '') } })
    const token = service.token(ada)
    for (const authorization of [`Bearer ${token}`, token]) {
      expect((await send('GET /auth/sessions', undefined, { authorization })).status).toBe(200)
    }
    const strict = setUp()
    const authorization = `Bearer ${strict.service.token(strict.ada)}`
    expect((await strict.send('GET /auth/sessions', undefined, { authorization })).status).toBe(401)
  })

  it('that fails while it reads the token is an answer, and noted', async () => {
    const tokenOf = () => {
      throw new Error('no idea')
    }
    const { service, ada, as } = setUp({ policy: { tokenOf } })
    const { status, body } = await as(ada)('GET /auth/sessions')
    expect([status, body.message]).toEqual([500, 'the mock service failed: no idea'])
    expect(service.journal.requests).toMatchObject([{ status: 500, user: null }])
  })

  it('words errors', async () => {
    const { send } = setUp({ policy: { errors: { unknownPath: { status: 410, code: 7, message: 'Gone' } } } })
    expect(await send('GET /nowhere')).toMatchObject({ status: 410, body: { code: 7, message: 'Gone' } })
    expect((await send('GET /auth/sessions')).status).toBe(401)
  })

  it('says which fields a partial user has', async () => {
    const { as, ada, grace } = setUp({ policy: { partialUser: ({ id }) => ({ id, badge: 'gold' }) } })
    await as(ada)(`PUT /users/@me/relationships/${grace.id}`, {})
    const { body } = await as(ada)('GET /users/@me/relationships')
    expect(body).toMatchObject([{ user: { id: grace.id, badge: 'gold' } }])
  })

  it('that breaks the contract is found out before the answer leaves', async () => {
    const { send } = setUp({ policy: { checkPassword: () => ({ valid: true, password_strength: 1.5 }) } })
    const { status, body } = await send('POST /auth/password/validate', { password })
    expect(status).toBe(500)
    expect(body.message).toContain('the response of the mock to "Validate Password" violates the contract')
    expect(JSON.stringify(body)).not.toContain(password)
  })
})
