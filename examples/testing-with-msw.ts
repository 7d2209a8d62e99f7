// Testing an app whose client you cannot hand a `fetch`: msw catches its requests, whoever sends them, and the mock answers.
// The same works in a test runner, with `listen` before all tests and `close` after them.
import assert from 'node:assert/strict'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { Client, isServerError } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { handlers } from 'rapport-sdk/mocks/msw'

/** The app: it makes its own client, as apps do. */
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
service.journal.expect('Login Account').toHaveBeenCalledWith({ login: 'ada@example.com' })
console.log('The app signed in and counted 1 friend')
for (const { method, path, status } of service.journal.requests) console.log(`  ${method} ${path} ${status}`)

// Not the client alone: whatever the app fetches from the service is answered.
const response = await fetch('https://service.example/api/users/@me/relationships', {
  headers: { authorization: service.token(grace) },
})
assert.equal(response.status, 200)
console.log(`A bare fetch got ${response.status}`)

// A handler of your own goes before the mock's, for one test.
server.use(
  http.get('https://service.example/api/users/@me/relationships', () => HttpResponse.json({}, { status: 503 })),
)
await assert.rejects(signInAndCount('ada@example.com', password), isServerError)
console.log('With a handler that answers 503 the app failed as it should')
server.resetHandlers()

service.reset()
assert.equal(service.users.all().length, 0)
server.close()
console.log('Reset: the next test starts with an empty service')
