// A bot that answers with components: it accepts each friend request that the gateway delivers, and greets the new friend
// with a message. The API document shows no endpoint for messages: the path is the mock's. It shows no interactions
// either, so the bot does not learn of clicks; component-interactions.ts shows how an app can handle them.
import assert from 'node:assert/strict'
import { Client, explain, type Relationship, RelationshipType } from 'rapport-sdk'
import { assertMessage, button, container, messageV2, parseComponents, row, text, walk } from 'rapport-sdk/components'
import { createMockService } from 'rapport-sdk/mocks'
import { listen } from 'rapport-sdk/mocks/node'

const service = createMockService()
const server = await listen(service)
const create = (username: string) => service.users.create({ login: `${username}@example.com`, username })
const [account, ada, grace, linus] = [create('bot'), create('ada'), create('grace'), create('linus')]
const requestFrom = (user: typeof ada) => service.relationships.request(user, account)

const CHANNEL = '300'
const bot = new Client({
  baseUrl: server.url,
  token: service.token(account),
  gateway: { url: server.gatewayUrl },
})

/** Builds the answer to a friend request. A name is text of a stranger: it must not mention anyone. */
function greeting(id: string, username: string) {
  const message = messageV2(
    container(
      text(`## Hello, ${username}!`),
      text('I announce the tournaments of the chess club.'),
      row(button.primary(`subscribe:${id}`, 'Subscribe'), button.link('https://example.test/calendar', 'Calendar')),
    ).withAccentColor(0x3366ff),
  )
  assertMessage(message)
  return { ...message, allowed_mentions: { parse: [] } }
}

const greeted = new Set<string>()

async function answer({ id, type, user }: Relationship): Promise<void> {
  if (type !== RelationshipType.INCOMING_REQUEST || greeted.has(id)) return
  greeted.add(id)
  await bot.relationships.accept(id)
  const sent = await bot.request<{ components: unknown }>({
    method: 'POST',
    path: '/channels/{channel.id}/messages',
    pathParams: { 'channel.id': CHANNEL },
    body: greeting(id, String(user.username)),
  })
  const kinds = [...walk(parseComponents(sent.components))].map(({ component }) => component.type)
  console.log(`  greeted ${user.username} with components of the types ${kinds.join(', ')}`)
}

/** Answers, and goes on after a failure: one bad request must not stop the bot. */
async function tryToAnswer(relationship: Relationship): Promise<void> {
  await answer(relationship).catch((error) => console.log(`  failed: ${explain(error).title}`))
}

requestFrom(ada)
console.log('The bot starts, and answers the request that it has missed:')
// The stream buffers events from here on, so that none is lost while the list loads.
const events = bot.gateway.stream(['relationshipAdd'])
await bot.gateway.connect()
for (const relationship of await bot.relationships.list()) await tryToAnswer(relationship)

console.log('Requests arrive. The service fails once, and a connection is lost:')
service.faults.on('Create Message', { status: 500, times: 1 })
requestFrom(grace)
service.gateway.drop()
requestFrom(linus)
for await (const { data } of events) {
  await tryToAnswer(data)
  if (greeted.size === 3) await bot.gateway.disconnect() // a bot: process.once('SIGTERM', () => bot.gateway.disconnect())
}

const friends = await bot.relationships.list()
console.log(`Friends: ${friends.map(({ user }) => user.username).join(', ')}`)
assert.deepEqual(
  friends.map(({ type }) => type),
  [RelationshipType.FRIEND, RelationshipType.FRIEND, RelationshipType.FRIEND],
)
assert.equal(service.journal.find('Create Message').length, 3)
bot.dispose()
await server.close()
