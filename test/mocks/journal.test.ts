import { describe, expect, it } from 'vitest'
import { setUp, start } from './calls'

describe('the journal', () => {
  it('records endpoint, user, parameters, status and time of each request', async () => {
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

  it('is empty after clear()', async () => {
    const { service, send } = setUp()
    await send('GET /auth/location-metadata')
    service.journal.clear()
    expect(service.journal.requests).toEqual([])
  })
})
