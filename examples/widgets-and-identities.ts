// A profile: game widgets from suggested games, and a user's account in a game, with data that the game's bot updates.
import assert from 'node:assert/strict'
import { Client, DynamicDataType, GameWidgetTag, GameWidgetType, isRequestValidationError } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'

const service = createMockService()
const ada = service.users.create({ login: 'ada@example.com', username: 'ada' })
const studio = service.users.create({ login: 'studio@example.com', username: 'studio' })
const game = service.applications.create({ owner: studio, name: 'Bridge Builder' })
const wished = service.applications.create({ owner: studio, name: 'Tunnel Digger' })
service.users.suggestGames(ada, { games: [game.id], wishlist: [wished.id] })
service.identities.create({ application: game, user: ada, externalUserId: 'player/7', username: 'ada_1815' })

const client = new Client({ baseUrl: service.baseUrl, fetch: service.fetch, token: service.token(ada) })
const bot = client.as(service.applications.botToken(game))

const { suggested_games, suggested_wishlist_games } = await client.widgets.suggestedGames()
const [favourite = game.id] = suggested_games
const widgets = await client.widgets.replace({
  widgets: [
    {
      data: {
        type: GameWidgetType.favorite_games,
        games: [{ game_id: favourite, comment: 'Every evening', tags: [GameWidgetTag.expert, GameWidgetTag.love_it] }],
      },
    },
    {
      data: {
        type: GameWidgetType.want_to_play_games,
        games: suggested_wishlist_games.map((game_id) => ({ game_id })),
      },
    },
    { data: { type: GameWidgetType.application, application_id: game.id } },
  ],
})
assert.equal(widgets.length, 3)
console.log(`On the profile: ${widgets.map(({ data }) => data.type).join(', ')}`)

try {
  const { expert, noob } = GameWidgetTag
  const games = [{ game_id: game.id, tags: [expert, noob] }, { game_id: wished.id }]
  await client.widgets.replace({ widgets: [{ data: { type: 'favorite_games', games } }] })
  assert.fail('only one favourite game and one skill tag are allowed')
} catch (error) {
  if (!isRequestValidationError(error)) throw error
  console.log('Nothing was sent:')
  for (const { path, message } of error.issues) console.log(`  ${path.join('.')}: ${message}`)
}

// An external ID can be any string. This one contains a slash, which is encoded in the path.
const profile = await bot.identities.updateProfile(game.id, ada.id, 'player/7', {
  metadata: { guild: 'Difference Engineers' },
  data: {
    primary: { season: '4', rank_name: 'Gold', total_wins: 12, playtime_hours: 31.5 },
    dynamic: [{ name: 'Longest span', type: DynamicDataType.NUMBER, value: 420 }],
  },
})
assert.equal(profile.data_trusted, true)
console.log(`The bot has updated: ${profile.data?.primary?.rank_name}, ${profile.data?.primary?.total_wins} wins`)

const known = await client.as(service.token(studio)).identities.listBulk({ user_ids: [ada.id, studio.id] })
assert.deepEqual(known, [{ user_id: ada.id, external_user_id: 'player/7' }])
console.log(`The game knows ${known.length} of two users`)

await client.identities.updateConfig(game.id, 'player/7', { connection_visible: 'false' })
const { identities } = await client.identities.list(ada.id, { with_profiles: true })
for (const { provider_issued_user_id, profile } of identities) {
  console.log(`${provider_issued_user_id}: ${profile?.username}, visible: ${profile?.connection_visible}`)
}
const same = await client.identities.getProfile(game.id, ada.id, 'player/7')
assert.equal(same.connection_visible, false)
