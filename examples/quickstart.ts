// The main tasks over HTTP and WebSocket on loopback, with the mock of the service: sign-in with password and TOTP, step-up
// during a call, friends that arrive live over a lost connection, widgets and widget configs.
import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { Client, isRequestValidationError, RelationshipType } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { listen } from 'rapport-sdk/mocks/node'
import { mfaPrompt } from 'rapport-sdk/node'
import { createNarrator } from './story/narrator'
import { until } from './story/until'

const service = createMockService({ seed: 7 })
await using server = await listen(service)
const ada = service.users.create({
  login: 'ada@example.test',
  username: 'ada',
  password: 'correct horse',
  mfa: ['totp'],
})
const grace = service.users.create({ login: 'grace@example.test', username: 'grace', password: 'battery staple' })
const chess = service.applications.create({ name: 'Chess', owner: ada })

const { step, say, follow } = createNarrator()
console.log(`The mock service listens at ${server.url}. Ada has a TOTP app, Grace has none.`)

const keyboard = new PassThrough()
const client = new Client({
  baseUrl: server.url,
  gateway: { url: server.gatewayUrl },
  // One handler for every second factor: a prompt in the terminal. In a browser it is a dialog.
  onMfaRequired: mfaPrompt({ input: keyboard, output: process.stdout }),
})
follow('ada', client)
// Here the mock types, so that the demo needs nobody: the code of Ada's phone, which the prompt does not show.
client.on('mfaRequired', () => keyboard.write(`${service.users.totp(ada)}\n`))

await step('Ada signs in with her password; the account has a second factor', async () => {
  const { status } = await client.auth.login({ login: 'ada@example.test', password: 'correct horse' })
  say(`${status}; the token is in client.session`)
})

const graceClient = new Client({ baseUrl: server.url, gateway: { url: server.gatewayUrl } })
follow('grace', graceClient)

await step('Grace signs in with only her password', async () => {
  const { status } = await graceClient.auth.login({ login: 'grace@example.test', password: 'battery staple' })
  say(status)
})

await step('Ada signs out an old laptop: a sensitive call with step-up, invisible to the call site', async () => {
  service.token(ada)
  const { user_sessions } = await client.auth.sessions.list()
  // The mock lists the session of the request first; elsewhere, compare with `gateway.sessionHash`.
  const [, ...others] = user_sessions.map(({ id_hash }) => id_hash)
  const { response } = await client.auth.sessions.logout({ session_id_hashes: others }).withResponse()
  say(`status ${response.status} after ${response.attempts} attempts, elevated: ${response.elevated}`)
})

await step('Another sensitive call within five minutes does not prompt', async () => {
  await client.auth.sessions.logout({ session_id_hashes: ['the hash of another session'] })
})

await step('Both connect to the gateway, to receive events', async () => {
  await Promise.all([client.gateway.connect(), graceClient.gateway.connect()])
  say(`${client.gateway.state} and ${graceClient.gateway.state}`)
})

const adasFriends = client.relationships.live()
const gracesFriends = graceClient.relationships.live()

await step('Each opens a list that is loaded once and stays up to date', async () => {
  await Promise.all([adasFriends.ready, gracesFriends.ready])
  say(`${adasFriends.all().length} and ${gracesFriends.all().length} relationships`)
})

await step('Ada’s connection breaks, and Grace sends a friend request at that moment', async () => {
  const resumed = client.gateway.waitFor('resumed')
  const arrives = client.gateway.waitFor('relationshipAdd')
  service.gateway.drop(undefined, { user: ada })
  await graceClient.relationships.sendRequest({ username: 'ada', discriminator: null, note: 'From the chess club' })
  const { user, note } = await arrives
  say(`Ada’s session is resumed, events replayed: ${(await resumed).replayed}; ${user?.username} wrote: “${note}”`)
})

await step('Ada accepts and sets a nickname; both lists match, and neither was reloaded', async () => {
  await client.relationships.accept(grace.id)
  await client.relationships.update(grace.id, { nickname: 'Amazing Grace' })
  await until(adasFriends, () => adasFriends.get(grace.id)?.nickname === 'Amazing Grace')
  await until(gracesFriends, () => gracesFriends.filter(RelationshipType.FRIEND).length === 1)
  for (const [name, friends] of Object.entries({ Ada: adasFriends, Grace: gracesFriends })) {
    const names = friends.filter(RelationshipType.FRIEND).map(({ nickname, user }) => nickname ?? user.username)
    say(`${name}’s friends: ${names.join(', ')}`)
  }
  assert.equal(service.journal.find('Get Relationships').length, 2)
})

await step('Ada puts games on her profile', async () => {
  const widgets = await client.widgets.replace({
    widgets: [
      { data: { type: 'favorite_games', games: [{ game_id: chess.id, comment: 'Since 1843', tags: ['obsessed'] }] } },
      { data: { type: 'current_games', games: [{ game_id: chess.id, tags: ['expert', 'open_to_teach'] }] } },
    ],
  })
  say(`${widgets.length} widgets: ${widgets.map(({ data }) => data.type).join(', ')}`)
})

await step('Ada’s application gets a widget config, from draft to published', async () => {
  const title = { value_type: 'custom_string', presentation_type: 'text', value: 'Rating' } as const
  const config = await client.widgetConfigs.create(chess.id, {
    display_name: 'Rating card',
    surfaces: { widget_top: { layout: 'widget_top_hero', components: { headline: { fields: { title } } } } },
  })
  const published = await client.widgetConfigs.publish(chess.id, config.config_id)
  say(`${config.display_name}: ${config.status}, then ${published.status}`)
})

await step('An invalid call is refused before anything is sent', async () => {
  try {
    await client.relationships.update(grace.id, { nickname: '' })
  } catch (error) {
    if (!isRequestValidationError(error)) throw error
    for (const line of error.message.split('\n')) say(line)
  }
})

await step('Ada signs out', async () => {
  await client.auth.logout()
  say(`signed in: ${client.session.isAuthenticated}`)
})

client.dispose()
graceClient.dispose()
