const assert = require('node:assert/strict')

const baseUrl = 'https://service.example/api'

/** Receives an event over a socket of the runtime, and in memory after a lost connection. */
module.exports = async function gatewayPart({ sdk, mocks }, { url, gatewayUrl, grace, alan }) {
  await receivesEvent(sdk, { baseUrl: url }, { url: gatewayUrl }, grace, alan)

  const service = mocks.createMockService({ baseUrl })
  const [one, other] = ['one', 'other'].map((username) => {
    const user = service.users.create({ login: `${username}@example.com`, username })
    return { id: user.id, token: service.token(user) }
  })
  const inMemory = { url: service.gateway.url, WebSocket: service.WebSocket }
  await receivesEvent(sdk, { baseUrl, fetch: service.fetch }, inMemory, one, other, () => service.gateway.drop())
}

async function receivesEvent(sdk, options, socket, receiver, sender, interrupt = () => {}) {
  const receiving = new sdk.Client({ ...options, token: receiver.token, gateway: socket })
  const sending = new sdk.Client({ ...options, token: sender.token })
  await receiving.gateway.connect()
  interrupt()
  const event = receiving.gateway.waitFor('relationshipAdd', { timeout: 120_000 })
  await sending.relationships.create(receiver.id)
  assert.equal((await event).id, sender.id)
  await receiving.gateway.disconnect()
  for (const client of [receiving, sending]) await client.dispose()
}
