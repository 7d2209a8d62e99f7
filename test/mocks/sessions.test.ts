import { describe, expect, it } from 'vitest'
import { baseUrl, problems, sender, setUp, start } from './set-up'

interface Sessions {
  user_sessions: { id_hash: string; approx_last_used_time: string; client_info: Record<string, string | null> }[]
}
const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36'

describe('authentication sessions', () => {
  it('show their last use, client and location', async () => {
    const { service, ada, as } = setUp({ policy: { location: (ip) => (ip === '203.0.113.9' ? 'Oslo, Norway' : null) } })
    service.token(ada, { userAgent: chrome, ip: '203.0.113.9' })
    service.clock.advance('1m')
    const { body } = await as(ada)<Sessions>('GET /auth/sessions')
    expect(body.user_sessions).toEqual([
      {
        id_hash: expect.any(String),
        approx_last_used_time: '2026-01-01T00:01:00.000Z',
        client_info: { os: null, platform: null, location: null },
      },
      {
        id_hash: expect.any(String),
        approx_last_used_time: start,
        client_info: { os: 'Windows', platform: 'Chrome', location: 'Oslo, Norway' },
      },
    ])
  })

  it.each([
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0', 'Windows', 'Edge'],
    ['Mozilla/5.0 (Linux; Android 14; Pixel 8) Chrome/130.0.0.0 Mobile Safari/537.36', 'Android', 'Chrome'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1', 'iOS', 'Safari'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Gecko/20100101 Firefox/131.0', 'Mac OS X', 'Firefox'],
    ['Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/131.0', 'Linux', 'Firefox'],
    ['Bun/1.2', null, 'Bun'],
    ['Deno/2.5', null, 'Deno'],
    ['node', null, 'Node.js'],
    ['undici', null, 'Node.js'],
    ['a node of a network', null, null],
  ])('show the system and platform of the user agent %j', async (userAgent, os, platform) => {
    const { service, ada } = setUp()
    const asAda = sender(service.fetch, baseUrl, service.token(ada, { userAgent }))
    const [session] = (await asAda<Sessions>('GET /auth/sessions', undefined, { 'user-agent': userAgent })).body
      .user_sessions
    expect(session?.client_info).toEqual({ os, platform, location: null })
  })

  it('have the last use, client and location of the latest call', async () => {
    const { service, ada } = setUp({ policy: { location: (ip) => (ip === '203.0.113.9' ? 'Oslo, Norway' : null) } })
    const token = service.token(ada)
    service.clock.advance('1h')
    const moved = sender(service.fetchFrom('203.0.113.9'), baseUrl, token)
    const { body } = await moved<Sessions>('GET /auth/sessions', undefined, { 'user-agent': chrome })
    expect(body.user_sessions).toMatchObject([
      {
        approx_last_used_time: '2026-01-01T01:00:00.000Z',
        client_info: { os: 'Windows', platform: 'Chrome', location: 'Oslo, Norway' },
      },
    ])
  })

  it('keep their client in a call without a user agent', async () => {
    const { service, ada } = setUp()
    const asAda = sender(service.fetch, baseUrl, service.token(ada, { userAgent: chrome }))
    const { body } = await asAda<Sessions>('GET /auth/sessions', undefined, { 'user-agent': '' })
    expect(body.user_sessions).toMatchObject([{ client_info: { os: 'Windows', platform: 'Chrome' } }])
  })

  it('they are listed up to 50, the last used first', async () => {
    const { service, ada, as } = setUp()
    for (let count = 0; count < 60; count++) {
      service.clock.advance(1000)
      service.token(ada)
    }
    const { user_sessions } = (await as(ada)<Sessions>('GET /auth/sessions')).body
    expect(user_sessions).toHaveLength(50)
    const times = user_sessions.map(({ approx_last_used_time }) => approx_last_used_time)
    expect(times).toEqual([...times].sort().reverse())
  })

  it('end by logout with their hashes, including the current one, and none of other users', async () => {
    const { service, ada, grace, as } = setUp()
    const [asAda, asGrace] = [as(ada), as(grace)]
    as(ada)
    const hashes = async (send: typeof asAda) =>
      (await send<Sessions>('GET /auth/sessions')).body.user_sessions.map(({ id_hash }) => id_hash)
    const [own, others] = [await hashes(asAda), await hashes(asGrace)]
    expect(own).toHaveLength(2)
    const { status } = await asAda('POST /auth/sessions/logout', { session_id_hashes: [...own, ...others, 'unknown'] })
    expect(status).toBe(204)
    expect((await asAda('GET /auth/sessions')).status).toBe(401)
    expect(await hashes(asGrace)).toEqual(others)
    expect(service.journal.find('Logout Auth Sessions')).toHaveLength(1)
  })

  it('logout by hash accepts 1 to 64 hashes', async () => {
    const { ada, as } = setUp()
    const end = async (count: number) =>
      as(ada)('POST /auth/sessions/logout', { session_id_hashes: Array.from({ length: count }, String) })
    expect(problems((await end(0)).body)).toEqual(['session_id_hashes: TOO_FEW'])
    expect((await end(1)).status).toBe(204)
    expect((await end(64)).status).toBe(204)
    expect(problems((await end(65)).body)).toEqual(['session_id_hashes: TOO_MANY'])
    const { body } = await as(ada)('POST /auth/sessions/logout', { session_id_hashes: [1] })
    expect(problems(body)).toEqual(['session_id_hashes.0: INVALID_TYPE'])
  })

  it('logout invalidates only its own token', async () => {
    const { ada, as } = setUp()
    const [one, other] = [as(ada), as(ada)]
    const push = { provider: 'gcm', token: 'push-token', voip_provider: 'apns_voip', voip_token: 'voip-token' }
    expect(await one('POST /auth/logout', push)).toMatchObject({ status: 204, body: undefined })
    expect((await one('GET /auth/sessions')).status).toBe(401)
    expect((await other('GET /auth/sessions')).status).toBe(200)
  })

  it('expire after the lifetime of the policy', async () => {
    const { service, ada, as } = setUp({ policy: { lifetimes: { session: '1d' } } })
    const asAda = as(ada)
    service.clock.advance('1d')
    expect((await asAda('GET /auth/sessions')).status).toBe(401)
    expect((await as(ada)<Sessions>('GET /auth/sessions')).body.user_sessions).toHaveLength(1)
  })

  it('a missing or unknown token responds with 401', async () => {
    const { service, send } = setUp()
    expect(await send('GET /auth/sessions')).toMatchObject({ status: 401, body: { message: expect.any(String) } })
    expect((await sender(service.fetch, baseUrl, 'unknown')('GET /auth/sessions')).status).toBe(401)
  })
})
