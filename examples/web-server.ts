// A server for many users, in the style of Next.js: route handlers with web `Request` and `Response`, and a client per
// request with `client.as(token)`. Two users at once never share anything. The code of the app is in `web-server/`.
import assert from 'node:assert/strict'
import { createMockService } from 'rapport-sdk/mocks'
import { createRoutes } from './web-server/routes'
import { serve } from './web-server/serve'

const service = createMockService()
const create = (username: string) =>
  service.users.create({ login: `${username}@example.com`, username, password: 'correct horse', mfa: ['totp'] })
const [ada, grace] = [create('ada'), create('grace')]
service.relationships.befriend(ada, create('barbara'))
service.relationships.befriend(grace, create('linus'))

const server = await serve(createRoutes({ baseUrl: service.baseUrl, fetch: service.fetch }))

/** A browser of a user, with its own cookie. */
function createBrowser(name: string) {
  let cookie = ''
  return async (method: string, path: string, body?: unknown) => {
    const response = await fetch(server.url + path, {
      method,
      headers: { cookie, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    })
    cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie
    const data = await response.json()
    console.log(`  ${name.padEnd(6)} ${response.status} ${method} ${path}`)
    return data
  }
}
const [asAda, asGrace] = [createBrowser('ada'), createBrowser('grace')]

console.log('The page learns that a code is needed, asks for it and sends the request again:')
const login = { login: 'ada@example.com', password: 'correct horse' }
const { action, methods } = await asAda('POST', '/api/login', login)
assert.deepEqual([action, methods], ['verify', [{ type: 'totp' }]])
const refused = await asAda('POST', '/api/login', { ...login, code: '000000' })
console.log(`         ${refused.message}`)
await asAda('POST', '/api/login', { ...login, code: service.users.totp(ada) })

console.log('Two users at once:')
await asGrace('POST', '/api/login', { ...login, login: 'grace@example.com', code: service.users.totp(grace) })
const lists = await Promise.all([asAda, asGrace].map((browse) => browse('GET', '/api/friends')))
const names = lists.map((list: { user: { username: string } }[]) => list.map(({ user }) => user.username).join())
console.log(`         ada: ${names[0]}; grace: ${names[1]}`)
assert.deepEqual(names, ['barbara', 'linus'])

console.log('A sensitive call, for one of them:')
service.token(ada) // another device of Ada's
await asAda('POST', '/api/logout-elsewhere', {})
const { count } = await asAda('POST', '/api/logout-elsewhere', { code: service.users.totp(ada) })
assert.equal(count, 1)

console.log('Signing out ends the session of one:')
await asAda('POST', '/api/logout')
await asAda('GET', '/api/friends')
await asGrace('GET', '/api/friends')
await server.close()
