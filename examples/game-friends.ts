// Friends inside games: requests, accepting one on a game's application, and what an application sees through OAuth2.
import assert from 'node:assert/strict'
import { Client, GameRelationshipType, RelationshipType } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'

const service = createMockService()
const create = (username: string) => service.users.create({ login: `${username}@example.com`, username })
const [ada, grace, studio] = [create('ada'), create('grace'), create('studio')]
const game = service.applications.create({ owner: studio, name: 'Bridge Builder' })
const connection = { baseUrl: service.baseUrl, fetch: service.fetch }

// Each player has authorized the game. The token tells the service which application a request is for.
const asAda = new Client({ ...connection, token: service.token(ada, { oauth2: game }) })
const asGrace = new Client({ ...connection, token: service.token(grace, { oauth2: game }) })

await asAda.gameRelationships.sendRequest({ username: 'grace' })
const [incoming] = await asGrace.gameRelationships.list()
assert(incoming !== undefined)
assert.equal(incoming.type, GameRelationshipType.INCOMING_REQUEST)
assert.equal(incoming.application_id, game.id)
console.log(`grace has a request from user ${incoming.id} in ${game.name}`)

await asGrace.gameRelationships.createForApplication(incoming.id, game.id, { type: RelationshipType.FRIEND })
const [friend] = await asAda.gameRelationships.list()
assert.equal(friend?.type, GameRelationshipType.FRIEND)
console.log('grace has accepted: the two are friends in the game')

// OAuth2 responses omit `user`; the service's own clients receive it.
assert.equal(friend?.user, undefined)
const app = new Client({ ...connection, token: service.token(ada) })
const [inApp] = await app.gameRelationships.list()
assert.equal(inApp?.user?.username, 'grace')
console.log(`The game sees user ${friend?.id}; ada's own app sees ${inApp?.user?.username}`)

// Friends in a game are not friends elsewhere.
assert.deepEqual(await app.relationships.list(), [])
console.log('Outside the game they have no relationship')

await app.gameRelationships.deleteForApplication(grace.id, game.id)
assert.deepEqual(await asGrace.gameRelationships.list(), [])
console.log('ada has ended the friendship, for both')

await asGrace.gameRelationships.create(ada.id)
await asAda.gameRelationships.accept(grace.id)
assert.equal((await asGrace.gameRelationships.list())[0]?.type, GameRelationshipType.FRIEND)
await asGrace.gameRelationships.delete(ada.id)
assert.deepEqual(await asAda.gameRelationships.list(), [])
console.log('Requested by ID, accepted, and ended again')
