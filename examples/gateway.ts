// The service's events over a real socket: listeners, waiting for one event, a stream of events, and a lost connection
// without lost events. The API document names the events but shows no frames: the wire format follows common industry
// practice, and `gateway.protocol` replaces it.
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
gateway.on('warning', ({ code, message }) => console.log(`  warning: ${code}, ${message}`))
gateway.on('error', ({ reason, message }) => console.error(`  ${reason}: ${message}`))
const { auth_session_id_hash: hash } = await gateway.connect()
assert.equal(gateway.sessionHash, hash)

console.log('A listener, and waiting for one event:')
gateway.on('relationshipRemove', ({ id }) => console.log(`  ${id === grace.id ? 'grace' : id} is removed`))
const [request] = await Promise.all([
  gateway.waitFor('relationshipAdd', { filter: ({ id }) => id === grace.id, timeout: 60_000 }),
  asGrace.relationships.sendRequest({ username: 'ada', discriminator: null, note: 'From the chess club' }),
])
console.log(`  ${request.user.username} wrote: "${request.note}"`)
assert.equal(request.note, 'From the chess club')

// The stream buffers events from here on, up to 1,024.
const events = gateway.stream(['relationshipAdd', 'relationshipRemove'])

console.log('The connection is lost, and events happen meanwhile:')
const outage = service.gateway.refuse()
const resumed = gateway.waitFor('resumed')
service.gateway.drop()
await asGrace.relationships.delete(ada.id)
await asLinus.relationships.sendRequest({ username: 'ada', discriminator: null })
outage.remove()
const { replayed } = await resumed
console.log(`  ${replayed} events were replayed, in the same session`)
assert.equal(replayed, 2)
assert.equal(gateway.sessionHash, hash)
assert.deepEqual(
  service.gateway.journal.map(({ op, outcome }) => `${op}: ${outcome}`),
  ['identify: ready', 'resume: resumed'],
)

console.log('A stream, which ends when the gateway disconnects:')
const received: string[] = []
for await (const { type, data } of events) {
  const name = type === 'relationshipAdd' ? data.user.username : data.id === grace.id ? 'grace' : data.id
  received.push(`${type} ${name}`)
  console.log(`  ${type}: ${name}`)
  if (received.length === 2) await gateway.disconnect()
}
assert.deepEqual(received, ['relationshipRemove grace', 'relationshipAdd linus'])
assert.equal(gateway.state, 'closed')

for (const client of [asAda, asGrace, asLinus]) client.dispose()
await server.close()
