import { createMockService } from 'rapport-sdk/mocks'
import { createSessionHandler } from 'rapport-sdk/server'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { endpoints } from '../../src/contract/index'
import { deferred } from '../deferred'
import { keys, login, newKey, ORIGIN, Page, setUp, type Upstream } from './page'

const DAY_MS = 24 * 60 * 60 * 1000

describe('the cookie', () => {
  test('a sign-in sets a sealed cookie that no script can read, and its answer has no token', async () => {
    const { page, signIn, requests, user } = setUp()

    const { status, json, headers } = await signIn()

    expect(status).toBe(200)
    expect(json).toMatchObject({ user_id: user.id, user_settings: expect.anything() })
    expect(json).not.toHaveProperty('token')
    const [line = ''] = headers.getSetCookie()
    expect(line).toMatch(/^__Host-rapport=k1\.[\w-]+; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=\d+$/)
    expect((await page.call('GET', '/users/@me/relationships')).json).toEqual([])
    const token = requests.at(-1)?.headers.get('authorization') ?? ''
    expect(token.length).toBeGreaterThan(10)
    expect(line + page.seen.join()).not.toContain(token)
  })

  test('its name is an option, for two mounts on one origin', async () => {
    const { create } = setUp({ cookie: { name: '__Host-other' } })
    const page = new Page(create())

    await page.call('POST', '/auth/login', { body: login })

    expect([...page.jar.keys()]).toEqual(['__Host-other'])
    expect((await page.call('GET', '/session')).json.status).toBe('signedIn')
  })

  test('only sign-in, verification, sign-out and `GET session` set it', async () => {
    const { page, signIn } = setUp()
    await signIn()
    for (const { endpoint } of endpoints) {
      if (['Login Account', 'Logout', 'Verify MFA', 'Verify MFA Login', 'Revert Account'].includes(endpoint.name))
        continue
      const path = endpoint.path.replace(/\{[^}]+\}/g, '1')
      const answer = await page.send(endpoint.method, path, endpoint.method === 'GET' ? {} : { body: {} })
      expect(answer.headers.getSetCookie(), endpoint.name).toEqual([])
    }
  })

  test('it ends after its idle time without `GET session`, which renews it, and at the latest after its maximum', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const { page, signIn } = setUp({ cookie: { idleMs: 2 * DAY_MS, maxMs: 5 * DAY_MS } })
    const statusAfter = async (days: number) => {
      vi.setSystemTime(Date.now() + days * DAY_MS)
      return (await page.call('GET', '/session')).json.status
    }
    await signIn()
    expect([await statusAfter(1.5), await statusAfter(1.5), await statusAfter(1.5)]).toEqual(Array(3).fill('signedIn'))
    expect(await statusAfter(0.6)).toBe('signedOut')

    await signIn()
    expect(await statusAfter(2.1)).toBe('signedOut')
  })

  test('each visit prolongs it to its idle time, at most a tenth shorter', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const { page, signIn } = setUp()
    await signIn()
    const statuses: unknown[] = []
    for (const days of [1, 2, 3.9, 12.6, 12.6, 14.1]) {
      vi.setSystemTime(Date.now() + days * DAY_MS)
      statuses.push((await page.call('GET', '/session')).json.status)
    }
    expect(statuses).toEqual([...Array(5).fill('signedIn'), 'signedOut'])
  })

  test('one that an older key has sealed is valid until that key is removed, and new ones have the first key', async () => {
    const { page, signIn, create } = setUp()
    await signIn()
    const current = newKey('k2')

    page.handler = create({ keys: [current, ...keys] })
    expect((await page.call('GET', '/session')).json.status).toBe('signedIn')
    const renewed = await signIn()
    expect(renewed.headers.getSetCookie()[0]).toMatch(/=k2\./)
    page.handler = create({ keys: [current] })

    expect((await page.call('GET', '/users/@me/relationships')).status).toBe(200)
  })

  test('a session of one service is none of another, whose handler has the same keys', async () => {
    const { page, signIn, create } = setUp()
    await signIn()
    expect((await page.call('GET', '/session')).json).toMatchObject({ status: 'signedIn' })

    page.handler = create({ baseUrl: 'https://other.example/api' })

    expect((await page.call('GET', '/session')).json).toMatchObject({ status: 'signedOut' })
  })

  test('a session needs the key that has sealed it until its maximum, because only a sign-in seals it', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const { page, signIn, create } = setUp()
    const [current, cookie] = [newKey('k2'), { idleMs: 2 * DAY_MS, maxMs: 5 * DAY_MS }]
    const withKeys = (...ring: typeof keys) => create({ keys: ring, cookie })
    const status = async () => (await page.call('GET', '/session')).json.status
    await signIn()
    page.handler = withKeys(current, ...keys)
    const sealed = page.jar.get('__Host-rapport')
    for (const _ of [1.5, 3, 4.5]) {
      vi.setSystemTime(Date.now() + 1.5 * DAY_MS)
      expect(await status()).toBe('signedIn')
    }
    expect(page.jar.get('__Host-rapport')).toBe(sealed)
    expect(page.jar.get('__Host-rapport-state')).toMatch(/=k2\./)

    const early = new Page(withKeys(current))
    for (const [name, pair] of page.jar) early.jar.set(name, pair)
    expect((await early.call('GET', '/session')).json.status).toBe('signedOut')
    expect(await status()).toBe('signedIn')
    vi.setSystemTime(Date.now() + 0.5 * DAY_MS)
    expect(await status()).toBe('signedOut')
  })

  test.each<[string, (pair: string) => string]>([
    ['cut', (pair) => pair.slice(0, -8)],
    ['altered', (pair) => pair.replace(/(?<=\.)./, (first) => (first === 'A' ? 'B' : 'A'))],
    ['of another key', (pair) => pair.replace('=k1.', '=k9.')],
    ['plain', () => '__Host-rapport={"token":"planted"}'],
    ['too large', (pair) => pair + 'A'.repeat(8_000)],
    ['duplicated', (pair) => `${pair}; ${pair}`],
    ['duplicated with another value', (pair) => `__Host-rapport=k1.planted; ${pair}`],
    ['empty', () => '__Host-rapport='],
  ])('one that is %s is refused, and stays until the next sign-in', async (_, change) => {
    const { page, signIn, requests } = setUp()
    await signIn()
    const cookie = change(page.cookie ?? '')
    requests.length = 0

    const call = await page.call('GET', '/users/@me/relationships', { headers: { cookie } })
    const session = await page.call('GET', '/session', { headers: { cookie } })

    expect(call.status).toBe(401)
    expect(requests).toEqual([])
    expect(session.json).toEqual({ status: 'signedOut', user: null })
    expect(session.headers.getSetCookie()).toEqual([])
  })

  test('a session that does not fit into a cookie is refused, and says so', async () => {
    const fetch: Upstream = async () => Response.json({ user_id: '1', token: 'a'.repeat(4_000), user_settings: {} })
    const { page, signIn } = setUp({ fetch })

    expect(await signIn()).toMatchObject({ status: 502, json: { message: 'The session does not fit into a cookie.' } })
    expect(page.jar.size).toBe(0)
  })

  test('every answer is private, is not stored, and varies by cookie', async () => {
    const { page, signIn } = setUp()
    const answers = [
      await signIn(),
      await page.call('GET', '/session'),
      await page.call('GET', '/users/@me/relationships'),
    ]
    answers.push(await page.call('GET', '/unknown'), await page.call('POST', '/auth/logout', { body: {} }))
    for (const { headers } of answers) {
      expect(headers.get('cache-control')).toBe('private, no-store')
      expect(headers.get('vary')).toBe('Cookie')
    }
  })
})

describe('a sign-out', () => {
  test('invalidates the token at the service and removes the cookie', async () => {
    const { page, signIn, service } = setUp()
    await signIn()
    const other = new Page(page.handler)
    for (const [name, pair] of page.jar) other.jar.set(name, pair)

    expect((await page.call('POST', '/auth/logout', { body: {} })).status).toBe(204)

    expect(page.jar.size).toBe(0)
    expect(service.journal.find('Logout')).toMatchObject([{ status: 204 }])
    expect((await other.call('GET', '/users/@me/relationships')).status).toBe(401)
  })

  test.each([
    ['fails', { status: 503 }],
    ['cannot be reached', { network: true }],
  ])('removes the cookie even if the service %s', async (_, fault) => {
    const { page, signIn, service } = setUp()
    await signIn()
    service.faults.on('Logout', Object(fault))

    expect((await page.call('POST', '/auth/logout', { body: {} })).status).toBeGreaterThanOrEqual(500)

    expect(page.jar.size).toBe(0)
  })

  test.each(['in order', 'in reverse order', 'with the sign-out first'])(
    'while 20 slow calls, a verification and a poll of the session are in flight leaves no cookie, if the answers come %s',
    async (order) => {
      vi.useFakeTimers({ toFake: ['Date'] })
      onTestFinished(() => void vi.useRealTimers())
      const release = deferred<undefined>()
      let isSlow = false
      const { page, signIn, upstream, create } = setUp()
      const slow: Upstream = async (url, init) => {
        if (isSlow && !url.endsWith('/auth/logout')) await release.promise
        if (url.endsWith('/mfa/finish')) return Response.json({ token: 'jwt' })
        return upstream(url, init)
      }
      page.handler = create({ fetch: slow })
      await signIn()
      isSlow = true
      // The poll would renew the cookie.
      vi.setSystemTime(Date.now() + 10 * DAY_MS)

      const calls = Array.from({ length: 20 }, () => page.send('GET', '/users/@me/relationships'))
      calls.push(page.send('POST', '/mfa/finish', { body: { ticket: 't', mfa_type: 'totp', data: '123456' } }))
      const signOut = page.send('POST', '/auth/logout', { body: {} })
      const poll = page.send('GET', '/session')
      const signedOut = await signOut
      release.resolve(undefined)
      const answers = [...(await Promise.all(calls)), await poll, signedOut]
      const rest = answers.slice(0, -1)
      const ordered = { 'in order': answers, 'in reverse order': [...answers].reverse() }[order] ?? [signedOut, ...rest]
      for (const answer of ordered) page.receive(answer)

      expect(page.jar.size).toBe(0)
    },
  )

  test.each([
    ['the same process', false],
    ['another process', true],
  ])('a verification and a poll of %s that answer after a sign-out restore nothing', async (_, isOther) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const verified = deferred<undefined>()
    const { page, signIn, upstream, create, requests } = setUp()
    const slow: Upstream = async (url, init) => {
      if (!url.endsWith('/mfa/finish')) return upstream(url, init)
      await verified.promise
      return Response.json({ token: 'late-jwt' })
    }
    const [one, two] = [create({ fetch: slow }), create({ fetch: slow })]
    page.handler = one
    await signIn()
    // The poll renews the session.
    vi.setSystemTime(Date.now() + 10 * DAY_MS)
    if (isOther) page.handler = two
    const verification = page.send('POST', '/mfa/finish', { body: { ticket: 't', mfa_type: 'totp', data: '123456' } })
    const poll = await page.send('GET', '/session')
    page.handler = one

    await page.call('POST', '/auth/logout', { body: {} })
    verified.resolve(undefined)
    const answer = await verification
    for (const late of [answer, poll]) page.receive(late)

    expect(answer.status).toBe(isOther ? 200 : 401)
    expect(page.jar.has('__Host-rapport')).toBe(false)
    requests.length = 0
    expect((await page.call('GET', '/users/@me/relationships')).status).toBe(401)
    expect(requests).toEqual([])
    await signIn()
    page.receive(answer)
    expect((await page.call('GET', '/users/@me/relationships')).status).toBe(200)
    expect(requests.at(-1)?.headers.has('x-service-mfa-authorization')).toBe(false)
    await page.call('POST', '/auth/logout', { body: {} })
    page.receive(answer)
    expect((await page.call('GET', '/session')).json.status).toBe('signedOut')
    expect(page.jar.size).toBe(0)
  })
})

describe('verification', () => {
  test('a login with a second factor is completed with a sealed ticket, which the service gets as its own', async () => {
    const { page, signIn, service, user, requests } = setUp({}, ['totp'])
    const first = await signIn()
    expect(first.json).toMatchObject({ mfa: true, totp: true })
    expect(page.jar.size).toBe(0)

    const code = service.users.totp(user)
    const { status } = await page.call('POST', '/auth/mfa/totp', { body: { ticket: first.json.ticket, code } })

    expect(status).toBe(200)
    expect((await page.call('GET', '/session')).json).toEqual({ status: 'signedIn', user: { id: user.id } })
    expect(first.json.ticket).toMatch(/^k1\./)
    expect(requests).toHaveLength(2)
  })

  test('a step-up goes on after its verification, whose JWT the page never has', async () => {
    const { page, signIn, service, user, requests } = setUp({}, ['totp'])
    const first = await signIn()
    const totp = () => service.users.totp(user)
    await page.call('POST', '/auth/mfa/totp', { body: { ticket: first.json.ticket, code: totp() } })
    const body = { session_id_hashes: ['other'] }
    const required = await page.call('POST', '/auth/sessions/logout', { body })
    expect(required).toMatchObject({ status: 401, json: { code: 60003 } })

    const answer = { ticket: required.json.mfa.ticket, mfa_type: 'totp', data: totp() }
    const verified = await page.call('POST', '/mfa/finish', { body: answer })
    const again = await page.call('POST', '/auth/sessions/logout', { body })

    expect([verified.status, again.status]).toEqual([200, 204])
    expect(verified.json).not.toHaveProperty('token')
    const jwt = requests.at(-1)?.headers.get('x-service-mfa-authorization') ?? ''
    expect(jwt.length).toBeGreaterThan(10)
    expect(page.seen.join()).not.toContain(jwt)
  })
})

describe('bad input', () => {
  test('a body beyond the limit is refused before and while it is read', async () => {
    const { page, requests } = setUp({ maxRequestBytes: 100 })
    const large = await page.call('POST', '/auth/login', { body: { ...login, more: 'x'.repeat(200) } })
    const body = new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(64))
      },
    })
    const init = { method: 'POST', headers: { origin: ORIGIN }, body, duplex: 'half' }
    const endless = await page.handler(new Request(`${ORIGIN}/rapport/auth/login`, Object(init)))

    expect([large.status, endless.status]).toEqual([413, 413])
    expect(requests).toEqual([])
  })

  test('a body that does not arrive in time is refused', async () => {
    const { page, requests } = setUp({ timeout: 20 })
    const init = { method: 'POST', headers: { origin: ORIGIN }, body: new ReadableStream(), duplex: 'half' }

    expect((await page.handler(new Request(`${ORIGIN}/rapport/auth/login`, Object(init)))).status).toBe(408)
    expect(requests).toEqual([])
  })

  test.each<[string, Upstream, number]>([
    ['cannot be reached', () => Promise.reject(new TypeError('planted')), 502],
    [
      'does not respond',
      (_, { signal }) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
      504,
    ],
    ['answers with HTML', async () => new Response('<h1>Bad gateway</h1>', { status: 502 }), 502],
  ])('while the service %s, the page is told so and stays signed in', async (_, broken, status) => {
    const { page, signIn, create } = setUp()
    await signIn()
    page.handler = create({ fetch: broken, timeout: 50 })

    const answer = await page.call('GET', '/users/@me/relationships')

    expect(answer.status).toBe(status)
    expect(answer.text).not.toContain('planted')
    expect((await page.call('GET', '/session')).json.status).toBe('signedIn')
  })

  test('100 users in parallel each receive their own data', async () => {
    const service = createMockService()
    const handler = createSessionHandler({
      baseUrl: service.baseUrl,
      keys,
      origin: ORIGIN,
      fetch: (url, init) => service.fetch(url, init),
    })
    const users = Array.from({ length: 100 }, (_, index) => {
      const given = { login: `user-${index}@example.com`, password: 'correct horse' }
      return { given, user: service.users.create(given), page: new Page(handler) }
    })
    await Promise.all(users.map(({ page, given }) => page.call('POST', '/auth/login', { body: given })))

    const sessions = await Promise.all(users.map(({ page }) => page.call('GET', '/session')))

    expect(sessions.map(({ json }) => json.user.id)).toEqual(users.map(({ user }) => user.id))
  })

  test('invalid options are reported together, without quoting a key', () => {
    const options = {
      baseUrl: 'http://service.example',
      keys: 'a-secret',
      origin: 'https://app.example/',
      mount: 'x',
      cookie: { name: 'plain' },
    }
    expect(() => createSessionHandler(Object(options))).toThrow(/baseUrl: .*keys: .*origin: .*mount: .*name: /s)
    expect(() => createSessionHandler(Object(options))).not.toThrow(/a-secret/)
    expect(() => createSessionHandler(Object({}))).toThrow(
      /baseUrl: is required.*keys: is required.*origin: is required/s,
    )
  })
})
