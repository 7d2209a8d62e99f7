const assert = require('node:assert/strict')

const baseUrl = 'https://service.example/api'

/** Calls the mock through the global fetch, like the tests of an app. */
module.exports = async function mswScenario({ sdk, mocks, handlers, setupServer }) {
  const service = mocks.createMockService({ baseUrl })
  const user = service.users.create({ login: 'ada@example.com', password: 'correct horse battery' })
  const server = setupServer(...handlers(service))
  server.listen({ onUnhandledRequest: 'error' })
  const client = new sdk.Client({ baseUrl, token: service.token(user) })
  assert.deepEqual(await client.relationships.list(), [])
  await client.dispose()
  server.close()
}
