// Friends, seen from both sides: a request with a note, accepting it, a nickname, ignoring, blocking, removing spam, and
// friend suggestions.
import assert from 'node:assert/strict'
import { Client, isApiError, RelationshipRemovalFilter, RelationshipType } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'

const service = createMockService()
const create = (username: string) => service.users.create({ login: `${username}@example.com`, username })
const [ada, grace, linus, barbara, mary] = [
  create('ada'),
  create('grace'),
  create('linus'),
  create('barbara'),
  create('mary'),
]
const connection = { baseUrl: service.baseUrl, fetch: service.fetch }
const asAda = new Client({ ...connection, token: service.token(ada) })
const asGrace = asAda.as(service.token(grace))

/** Prints and returns the relationships that a client sees. */
async function show(who: string, client: Client) {
  const relationships = await client.relationships.list()
  const lines = relationships.map(({ type, user, nickname, note, user_ignored }) => {
    const kind = Object.entries(RelationshipType).find(([, value]) => value === type)?.[0] ?? `type ${type}`
    const facts = [kind, nickname && `"${nickname}"`, note && `note: ${note}`, user_ignored && 'ignored']
    return `${user.username} (${facts.filter(Boolean).join(', ')})`
  })
  console.log(`  ${who} sees: ${lines.join('; ') || 'nobody'}`)
  return relationships
}

console.log('A request with a note:')
await asAda.relationships.sendRequest({ username: 'grace', discriminator: null, note: 'From the chess club' })
assert.equal((await show('ada', asAda))[0]?.type, RelationshipType.OUTGOING_REQUEST)
assert.equal((await show('grace', asGrace))[0]?.note, 'From the chess club')

console.log('Accepted, with a nickname:')
await asGrace.relationships.accept(ada.id)
await asAda.relationships.update(grace.id, { nickname: 'Amazing Grace' })
assert.equal((await show('ada', asAda))[0]?.nickname, 'Amazing Grace')
assert.equal((await show('grace', asGrace))[0]?.nickname, null)

console.log('Ignored, and no longer ignored:')
await asAda.relationships.ignore(grace.id)
assert.equal((await show('ada', asAda))[0]?.user_ignored, true)
await asAda.relationships.unignore(grace.id)
assert.equal((await show('ada', asAda))[0]?.user_ignored, false)

console.log('Requests flagged as spam, removed at once:')
service.relationships.request(linus, ada, { spam: true, note: 'Buy now' })
service.relationships.request(barbara, ada, { note: 'We met in Boston' })
await show('ada', asAda)
await asAda.relationships.deleteBulk({ filters: [RelationshipRemovalFilter.SPAM] })
assert.deepEqual(
  (await show('ada', asAda)).map(({ id }) => id),
  [grace.id, barbara.id],
)

console.log('Blocked. Grace does not see the block, but her request is refused:')
await asAda.relationships.block(grace.id)
await show('ada', asAda)
assert.deepEqual(await show('grace', asGrace), [])
const refused: unknown = await asGrace.relationships.create(ada.id).catch((error: unknown) => error)
assert(isApiError(refused))
console.log(`  grace receives: ${refused.serviceMessage}`)
await asAda.relationships.delete(grace.id)

console.log('Friend suggestions, and friends added from contacts:')
service.users.suggest(ada, linus, { reasons: [{ type: 1, platform: 'chess', name: 'linus64' }] })
service.users.suggest(ada, mary, { reasons: [{ type: 1, platform: 'chess', name: 'mary_s' }] })
for (const { suggested_user, reasons } of await asAda.friendSuggestions.list()) {
  console.log(`  ${suggested_user.username}: ${reasons.map(({ name, platform }) => `${name} on ${platform}`).join()}`)
  // A request to a suggested user removes the suggestion.
  if (suggested_user.id === linus.id) await asAda.relationships.create(linus.id, { from_friend_suggestion: true })
  else await asAda.friendSuggestions.delete(suggested_user.id)
}
assert.deepEqual(await asAda.friendSuggestions.list(), [])
// The token comes from a contact sync, which the API document does not show.
const added = await asAda.relationships.addBulk({
  user_ids: [barbara.id, linus.id],
  token: service.users.contactSyncToken(ada),
})
console.log(`  added ${added.successful_requests.length}, failed ${added.failed_requests.length}`)
assert.equal(service.relationships.between(ada, barbara), RelationshipType.FRIEND)
