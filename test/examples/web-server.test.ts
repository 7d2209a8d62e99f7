import { createMockService, type MockService } from 'rapport-sdk/mocks'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createRoutes } from '../../examples/web-server/routes'
import { serve } from '../../examples/web-server/serve'

const password = 'correct horse'

/** The server of the example, its mock, and browsers with cookies of their own. */
async function setUp() {
  const service = createMockService()
  const server = await serve(createRoutes({ baseUrl: service.baseUrl, fetch: service.fetch }))
  onTestFinished(() => void server.close())
  const createUser = (username: string, mfa: 'totp'[] = []) => {
    const user = service.users.create({ login: `${username}@example.com`, username, password, mfa })
    const friend = service.users.create({
      login: `friend-of-${username}@example.com`,
      username: `friend-of-${username}`,
    })
    service.relationships.befriend(user, friend)
    return user
  }
  const createBrowser = () => {
    let cookie = ''
    return async (route: string, body?: unknown) => {
      const [method = '', path = ''] = route.split(' ')
      const headers = { cookie, 'content-type': 'application/json' }
      const response = await fetch(server.url + path, { method, headers, body: body ? JSON.stringify(body) : null })
      cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie
      return { status: response.status, headers: response.headers, data: JSON.parse(await response.text()) }
    }
  }
  /** Returns a browser in which a user is signed in. */
  const signIn = async (username: string, code?: string) => {
    const browse = createBrowser()
    const { status } = await browse('POST /api/login', { login: `${username}@example.com`, password, code })
    expect(status).toBe(200)
    return browse
  }
  return { service, createUser, createBrowser, signIn }
}

/** Whether the service accepts a token. */
async function isSignedIn({ baseUrl, fetch }: MockService, token: string): Promise<boolean> {
  return (await fetch(`${baseUrl}/users/@me/relationships`, { headers: { authorization: token } })).ok
}

const friendsOf = (data: { user: { username: string } }[]) => data.map(({ user }) => user.username)

describe('the example of a web server', () => {
  test('users who call at the same time never see the data of another one', async () => {
    const { service, createUser, signIn, createBrowser } = await setUp()
    const names = Array.from({ length: 5 }, (_, index) => `user${index}`)
    for (const name of names) createUser(name)
    const browsers = await Promise.all(names.map((name) => signIn(name)))
    const stranger = createBrowser()
    // Responses in another order than requests.
    service.faults.on('Get Relationships', { latency: 30, times: 7 })

    const rounds = Array.from({ length: 10 }, (_, round) => round)
    const lists = await Promise.all(
      rounds.flatMap(() => [
        ...browsers.map(async (browse, index) => [names[index], friendsOf((await browse('GET /api/friends')).data)]),
        stranger('GET /api/friends').then(({ status, data }) => [status, data]),
      ]),
    )
    expect(lists).toEqual(
      rounds.flatMap(() => [
        ...names.map((name) => [name, [`friend-of-${name}`]]),
        [401, { title: 'Signed out', action: 'signIn' }],
      ]),
    )
  })

  test('sign-ins at the same time give each browser its own session', async () => {
    const { service, createUser, signIn } = await setUp()
    service.faults.on('Login Account', { latency: 20, times: 2 })
    const names = ['ada', 'grace', 'linus', 'barbara']
    for (const name of names) createUser(name)
    const browsers = await Promise.all(names.map((name) => signIn(name)))
    const lists = await Promise.all(browsers.map(async (browse) => friendsOf((await browse('GET /api/friends')).data)))
    expect(lists).toEqual(names.map((name) => [`friend-of-${name}`]))
  })

  test('calls of several steps at the same time stay with their users', async () => {
    const { service, createUser, signIn } = await setUp()
    const users = ['ada', 'grace', 'linus', 'barbara'].map((name) => createUser(name, ['totp']))
    const browsers = await Promise.all(users.map((user) => signIn(user.username, service.users.totp(user))))
    const otherDevices = users.map((user) => service.token(user))
    service.faults.on('Get Auth Sessions', { latency: 20, times: 2 })

    const statuses = await Promise.all(
      users.map(async (user, index) => {
        const code = service.users.totp(user)
        return (await browsers[index]?.('POST /api/logout-elsewhere', { code }))?.status
      }),
    )
    expect(statuses).toEqual([200, 200, 200, 200])
    for (const token of otherDevices) expect(await isSignedIn(service, token)).toBe(false)
    for (const browse of browsers) expect((await browse('GET /api/friends')).status).toBe(200)
  })

  test('the second factor of one user verifies that user for five minutes, and no call of another one', async () => {
    const { service, createUser, signIn } = await setUp()
    const [ada, grace] = [createUser('ada', ['totp']), createUser('grace', ['totp'])]
    const asAda = await signIn('ada', service.users.totp(ada))
    const asGrace = await signIn('grace', service.users.totp(grace))
    for (const user of [ada, grace]) service.token(user)

    const path = 'POST /api/logout-elsewhere'
    const required = { status: 401, data: { action: 'verify', methods: [{ type: 'totp' }] } }
    const [verified, other] = await Promise.all([asAda(path, { code: service.users.totp(ada) }), asGrace(path, {})])
    expect(verified).toMatchObject({ status: 200, data: { count: 1 } })
    expect(other).toMatchObject(required)

    service.token(ada)
    expect(await asAda(path, {})).toMatchObject({ status: 200 })
    service.clock.advance('5m')
    service.token(ada)
    expect(await asAda(path, {})).toMatchObject(required)
  })

  test('a refused code is answered once, with the words for the page', async () => {
    const { service, createUser, createBrowser } = await setUp()
    createUser('ada', ['totp'])
    const login = { login: 'ada@example.com', password, code: '000000' }
    expect(await createBrowser()('POST /api/login', login)).toMatchObject({ status: 400, data: { action: 'edit' } })
    expect(service.journal.find('Verify MFA Login')).toHaveLength(1)
  })

  test('a sign-out ends the session of one browser', async () => {
    const { createUser, signIn } = await setUp()
    for (const name of ['ada', 'grace']) createUser(name)
    const [asAda, asGrace] = [await signIn('ada'), await signIn('grace')]
    expect((await asAda('POST /api/logout')).headers.get('set-cookie')).toContain('Max-Age=0')
    expect((await asAda('GET /api/friends')).status).toBe(401)
    expect((await asGrace('GET /api/friends')).status).toBe(200)
  })

  test('the token is in a cookie that scripts cannot read, and no response may be cached', async () => {
    const { createUser, createBrowser } = await setUp()
    createUser('ada')
    const { headers, data } = await createBrowser()('POST /api/login', { login: 'ada@example.com', password })
    expect(headers.get('set-cookie')).toMatch(/^__Host-session=[^;]+; Path=\/; Secure; HttpOnly; SameSite=Strict$/)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(Object.keys(data)).toEqual(['user_id'])
  })
})
