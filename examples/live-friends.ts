// A list of friends that stays up to date: loaded once, then updated by the gateway's events, even over a lost connection.
// It works with React's `useSyncExternalStore`; here a few lines stand in for a component.
import assert from 'node:assert/strict'
import { Client, type Immutable, type Relationship, RelationshipType } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { until } from './story/until'

const service = createMockService()
const create = (username: string) => service.users.create({ login: `${username}@example.com`, username })
const [ada, grace, linus] = [create('ada'), create('grace'), create('linus')]
service.relationships.befriend(ada, grace)

const connection = { baseUrl: service.baseUrl, fetch: service.fetch }
const gateway = { url: service.gateway.url, WebSocket: service.WebSocket }
const asAda = new Client({ ...connection, gateway, token: service.token(ada) })
const asGrace = new Client({ ...connection, token: service.token(grace) })
const asLinus = new Client({ ...connection, token: service.token(linus) })

const relationships = asAda.relationships.live()
await asAda.gateway.connect()
await relationships.ready

// In React, with `relationships` as one store for the whole app:
//
//   const friends = useSyncExternalStore(relationships.subscribe, () => relationships.filter(RelationshipType.FRIEND))
//   const isStale = useSyncExternalStore(relationships.subscribe, () => relationships.stale)
//
// A list is the same array until one of its items changes, so a block, for example, does not render the friends again.
let shown: readonly Immutable<Relationship>[] = []
const render = () => {
  const friends = relationships.filter(RelationshipType.FRIEND)
  if (friends === shown) return
  shown = friends
  const names = friends.map(({ nickname, user }) => nickname ?? user.username)
  console.log(`  friends: ${names.join(', ') || 'nobody'}`)
}
relationships.subscribe(render)
render()

console.log('ada sets a nickname for grace:')
await asAda.relationships.update(grace.id, { nickname: 'Amazing Grace' })
await until(relationships, () => relationships.get(grace.id)?.nickname === 'Amazing Grace')

console.log('linus sends a request, and ada accepts:')
relationships.on('change', ({ added }) => {
  for (const { user, type } of added) console.log(`  added: ${user.username}, type ${type}`)
})
await asLinus.relationships.sendRequest({ username: 'ada', discriminator: null })
await until(relationships, () => relationships.filter(RelationshipType.INCOMING_REQUEST).length === 1)
await asAda.relationships.accept(linus.id)
await until(relationships, () => shown.length === 2)

console.log('The connection breaks. grace ends the friendship, and the event arrives after the resume:')
service.gateway.drop()
await until(relationships, () => relationships.stale)
await asGrace.relationships.delete(ada.id)
await until(relationships, () => !relationships.stale)
assert.deepEqual(
  shown.map(({ user }) => user.username),
  ['linus'],
)
// Loaded when it was opened, and possibly again once the gateway had connected.
assert(service.journal.find('Get Relationships').length <= 2)
console.log('The list was not reloaded for that')

relationships.close()
asAda.dispose()
await service.close()
