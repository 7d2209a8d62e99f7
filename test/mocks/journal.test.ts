import { describe, expect, it } from 'vitest'
import { password, setUp, start } from './calls'

describe('the journal', () => {
  it('tells who called what, when, with what and how it went', async () => {
    const { service, ada, as, send } = setUp()
    await as(ada)('GET /users/1/application-identities?with_profiles=true')
    await send('GET /nowhere')
    expect(service.journal.requests).toEqual([
      {
        endpoint: 'Get User Application Identities',
        method: 'GET',
        path: '/users/1/application-identities',
        status: 404,
        user: ada.id,
        params: { with_profiles: 'true' },
        at: start,
      },
      { endpoint: null, method: 'GET', path: '/nowhere', status: 404, user: null, params: null, at: start },
    ])
  })

  it('holds no secret, whatever was sent', async () => {
    const { service, ada, as, send } = setUp()
    const secrets = ['s3cret-password', 's3cret-ticket', 's3cret-code', 's3cret-key', 's3cret-print']
    await send('POST /auth/login', { login: 'ada@example.com', password: 's3cret-password' })
    await send('POST /auth/mfa/totp', { ticket: 's3cret-ticket', code: 's3cret-code' })
    await send('POST /auth/register', { username: 'x', fingerprint: 's3cret-print', phone_token: ['s3cret-key'] })
    await send('POST /mfa/finish', { ticket: { nested: 's3cret-ticket' }, mfa_type: 'totp', data: 's3cret-code' })
    await as(ada)('POST /auth/handoff', { key: 's3cret-key' })
    await as(ada)('POST /auth/handoff', '{"key": "s3cret-key"')
    await send('POST /auth/one-time-login?ticket=s3cret-ticket', {})
    const text = JSON.stringify(service.journal.requests)
    for (const secret of secrets) expect(text).not.toContain(secret)
    expect(service.journal.find('Login Account')[0]?.params).toEqual({
      login: 'ada@example.com',
      password: '[redacted]',
    })
  })

  it('expects calls, and says what there was instead', async () => {
    const { service, send } = setUp()
    const { journal } = service
    journal.expect('Login Account').notToHaveBeenCalled()
    expect(() => journal.expect('Login Account').toHaveBeenCalled()).toThrow(
      'expected Login Account to have been called, but it was called 0 times. Nothing was received.',
    )
    await send('POST /auth/login', { login: 'ada@example.com', password })
    journal.expect('Login Account').toHaveBeenCalled()
    journal.expect('POST /auth/login').toHaveBeenCalledTimes(1)
    journal.expect('Login Account').toHaveBeenCalledWith({ login: 'ada@example.com' })
    expect(() => journal.expect('Login Account').toHaveBeenCalledTimes(2)).toThrow(
      'expected Login Account to have been called 2 times, but it was called once. Received:\n  200 POST /auth/login (Login Account)',
    )
    expect(() => journal.expect('Login Account').notToHaveBeenCalled()).toThrow('not to have been called')
    expect(() => journal.expect('Login Account').toHaveBeenCalledWith({ login: 'x' })).toThrow('{"login":"x"}')
    expect(() => journal.expect('Login Account').toHaveBeenCalledWith({ login: 'x' })).toThrow(
      '(Login Account) with {"login":"ada@example.com","password":"[redacted]"}',
    )
  })

  it('compares nested parameters, and redacts those it is given', async () => {
    const { service, ada, as } = setUp()
    const widgets = [{ data: { type: 'application', application_id: '1' } }]
    await as(ada)('PUT /users/@me/widgets', { widgets })
    const expectation = service.journal.expect('Modify Game Widgets')
    expectation.toHaveBeenCalledWith({ widgets })
    expectation.toHaveBeenCalledWith({ widgets: [{ data: { type: 'application' } }] })
    expect(() => expectation.toHaveBeenCalledWith({ widgets: [] })).toThrow()
    expect(() => expectation.toHaveBeenCalledWith({ widgets: [{ data: { type: 'played_games' } }] })).toThrow()
    expect(() => expectation.toHaveBeenCalledWith({ password: 'hunter22' })).toThrow('"password":"[redacted]"')
  })

  it('forgets when it is told to', async () => {
    const { service, send } = setUp()
    await send('GET /auth/location-metadata')
    service.journal.clear()
    expect(service.journal.requests).toEqual([])
  })
})
