// The service's events as they happen, over a real socket: listeners, waiting for one event, a stream of them, and a
// connection that is cut, after which nothing is lost. The interface names the events and shows no frames: how they travel
// is a convention, which `gateway.protocol` replaces.
import assert from 'node:assert/strict'
import { Client } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { listen } from 'rapport-sdk/mocks/node'

const service = createMockService()
const server = await listen(service)
const create = (username: string) => service.users.create({ login: `${username}@example.com`, username })
const [ada, grace, linus] = [create('ada'), create('grace'), create('linus')]

const connection = { baseUrl: server.url, gateway: { url: server.gatewayUrl } }
const asAda = new Client({ ...connection, token: service.token(ada) })
const asGrace = new Client({ ...connection, token: service.token(grace) })
const asLinus = new Client({ ...connection, token: service.token(linus) })
const { gateway } = asAda

console.log('Connected:')
gateway.on('stateChange', ({ state, reason }) => console.log(`  ${state}${reason ? `: ${reason}` : ''}`))
gateway.on('warning', ({ code, message }) => console.log(`  odd, but no reason to stop: ${code}, ${message}`))
gateway.on('error', ({ reason, message }) => console.error(`  ${reason}: ${message}`))
const { auth_session_id_hash: hash } = await gateway.connect()
assert.equal(gateway.sessionHash, hash)

console.log('A listener, and one event that is waited for:')
gateway.on('relationshipRemove', ({ id }) => console.log(`  ${id === grace.id ? 'grace' : id} is gone`))
const [asked] = await Promise.all([
  gateway.waitFor('relationshipAdd', { filter: ({ id }) => id === grace.id, timeout: 5_000 }),
  asGrace.relationships.sendRequest({ username: 'ada', discriminator: null, note: 'From the chess club' }),
])
console.log(`  ${asked.user.username} asks: "${asked.note}"`)
assert.equal(asked.note, 'From the chess club')

// It takes events from here on, whenever they are read; 1,024 may wait.
const events = gateway.stream(['relationshipAdd', 'relationshipRemove'])

console.log('The connection is cut, and much happens before it is back:')
const outage = service.gateway.refuse()
const resumed = gateway.waitFor('resumed')
service.gateway.drop()
await asGrace.relationships.delete(ada.id)
await asLinus.relationships.sendRequest({ username: 'ada', discriminator: null })
outage.remove()
const { replayed } = await resumed
console.log(`  ${replayed} events were sent again, in the same session`)
assert.equal(replayed, 2)
assert.equal(gateway.sessionHash, hash)
assert.deepEqual(
  service.gateway.journal.map(({ op, outcome }) => `${op}: ${outcome}`),
  ['identify: ready', 'resume: resumed'],
)

console.log('A stream, which ends when the gateway is disconnected:')
const heard: string[] = []
for await (const { type, data } of events) {
  const name = type === 'relationshipAdd' ? data.user.username : data.id === grace.id ? 'grace' : data.id
  heard.push(`${type} ${name}`)
  console.log(`  ${type}: ${name}`)
  if (heard.length === 2) await gateway.disconnect()
}
assert.deepEqual(heard, ['relationshipRemove grace', 'relationshipAdd linus'])
assert.equal(gateway.state, 'closed')

for (const client of [asAda, asGrace, asLinus]) client.dispose()
await server.close()
