const assert = require('node:assert/strict')

const baseUrl = 'https://service.example/api'

/** Over a socket of the runtime and in memory: one hears what another does. In memory also after the connection was lost. */
module.exports = async function gateway({ sdk, mocks }, { url, gatewayUrl, grace, alan }) {
  await hears(sdk, { baseUrl: url }, { url: gatewayUrl }, grace, alan)

  const service = mocks.createMockService({ baseUrl })
  const [one, other] = ['one', 'other'].map((username) => {
    const user = service.users.create({ login: `${username}@example.com`, username })
    return { id: user.id, token: service.token(user) }
  })
  const inMemory = { url: service.gateway.url, WebSocket: service.WebSocket }
  await hears(sdk, { baseUrl, fetch: service.fetch }, inMemory, one, other, () => service.gateway.drop())
}

async function hears(sdk, options, socket, listener, sender, disturb = () => {}) {
  const listening = new sdk.Client({ ...options, token: listener.token, gateway: socket })
  const acting = new sdk.Client({ ...options, token: sender.token })
  await listening.gateway.connect()
  disturb()
  const asked = listening.gateway.waitFor('relationshipAdd', { timeout: 10_000 })
  await acting.relationships.create(listener.id)
  assert.equal((await asked).id, sender.id)
  await listening.gateway.disconnect()
  for (const client of [listening, acting]) await client.dispose()
}
