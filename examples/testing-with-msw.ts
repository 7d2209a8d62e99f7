// Testing an app that creates its own client: msw intercepts all requests and passes them to the mock. In a test runner, call
// `listen` before all tests and `close` after them.
import assert from 'node:assert/strict'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { Client, isServerError } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { handlers } from 'rapport-sdk/mocks/msw'

/** The app under test. It creates its own client. */
async function signInAndCount(login: string, password: string): Promise<number> {
  const client = new Client({ baseUrl: 'https://service.example/api', retry: 0 })
  const result = await client.auth.login({ login, password })
  if (result.status === 'mfa') throw new Error('this app has no dialog for second factors')
  return (await client.relationships.list()).length
}

const service = createMockService({ baseUrl: 'https://service.example/api' })
const server = setupServer(...handlers(service))
server.listen({ onUnhandledRequest: 'error' })

const password = 'correct horse battery'
const ada = service.users.create({ login: 'ada@example.com', username: 'ada', password })
const grace = service.users.create({ login: 'grace@example.com', username: 'grace', password })
service.relationships.befriend(ada, grace)

assert.equal(await signInAndCount('ada@example.com', password), 1)
assert.deepEqual(
  service.journal.find('Login Account').map(({ status }) => status),
  [200],
)
console.log('The app signed in and counted 1 friend')
for (const { method, path, status } of service.journal.requests) console.log(`  ${method} ${path} ${status}`)

// The mock also responds to requests that the app sends without the client.
const response = await fetch('https://service.example/api/users/@me/relationships', {
  headers: { authorization: service.token(grace) },
})
assert.equal(response.status, 200)
console.log(`A plain fetch got ${response.status}`)

// Your own handler takes precedence over the mock, for example in a single test.
server.use(
  http.get('https://service.example/api/users/@me/relationships', () => HttpResponse.json({}, { status: 503 })),
)
await assert.rejects(signInAndCount('ada@example.com', password), isServerError)
console.log('With a handler that returns 503, the app fails as expected')
server.resetHandlers()

service.reset()
assert.equal(service.users.all().length, 0)
server.close()
console.log('Reset: the next test starts with an empty service')
