import { type ProfileDataInput, RelationshipType, type WidgetSurfaceInput } from 'rapport-sdk'
import type { EndpointName } from 'rapport-sdk/mocks'
import { expect } from 'vitest'
import { accountRoundTrips, signInRoundTrips } from './accounts'
import type { RoundTrips, World } from './world'

const text = expect.any(String)
const games = [{ game_id: '1001', comment: 'Since 2009', tags: ['expert' as const, 'obsessed' as const] }]
const image = { url: 'https://cdn.example/hero.png' }
const data: ProfileDataInput = {
  primary: { season: 'Season 4', playtime_hours: 12.5, total_wins: 7, featured_played_character_image: image },
  dynamic: [
    { name: 'Motto', type: 1, value: 'Onwards' },
    { name: 'Streak', type: 2, value: 7 },
    { name: 'Badge', type: 3, value: image },
  ],
}

function createIdentity({ service, application, grace }: World): void {
  service.identities.create({ application, user: grace, externalUserId: 'player/7', username: 'Player' })
}

/** API, "H. Profile widgets and application identities". */
const profileRoundTrips: RoundTrips<
  | 'Modify Game Widgets'
  | 'Get Suggested Games'
  | 'List Bulk Application Identities'
  | 'Get User Application Profile'
  | 'Modify User Application Profile'
  | 'Get User Application Identities'
  | 'Modify User Application Profile Config'
> = {
  'Modify Game Widgets': async ({ client, application }) => {
    const favorite = { type: 'favorite_games' as const, games }
    const ofApplication = { type: 'application' as const, application_id: application.id }
    const first = await client.widgets.replace({ widgets: [{ data: favorite }, { data: ofApplication }] })
    expect(first).toEqual([
      { id: text, updated_at: text, data: favorite },
      { id: text, updated_at: text, data: ofApplication },
    ])
    const [widget] = first
    const sent = { id: widget?.id ?? '', updated_at: '1999-12-31T00:00:00Z', data: favorite }
    expect(await client.widgets.replace({ widgets: [sent] })).toEqual([widget])
  },

  'Get Suggested Games': async ({ client, service, ada }) => {
    service.users.suggestGames(ada, { games: ['1001', '1002'], wishlist: ['1003'] })
    const suggested = await client.widgets.suggestedGames()
    expect(suggested).toEqual({ suggested_games: ['1001', '1002'], suggested_wishlist_games: ['1003'] })
  },

  'List Bulk Application Identities': async (world) => {
    createIdentity(world)
    const { client, ada, grace } = world
    const identities = await client.identities.listBulk({ user_ids: [ada.id, grace.id, 'not a snowflake'] })
    expect(identities).toEqual([{ user_id: grace.id, external_user_id: 'player/7' }])
  },

  'Get User Application Profile': async (world) => {
    createIdentity(world)
    const { client, application, grace } = world
    const profile = await client.identities.getProfile(application.id, grace.id, 'player/7')
    expect(profile).toEqual({ username: 'Player', metadata: null, connection_visible: true })
  },

  'Modify User Application Profile': async (world) => {
    createIdentity(world)
    const { client, application, grace } = world
    const params = { username: 'Player 7', metadata: { guild: 'Foxes', level: 7 }, data }
    const profile = await client.identities.updateProfile(application.id, grace.id, 'player/7', params)
    expect(profile).toEqual({
      username: 'Player 7',
      metadata: '{"guild":"Foxes","level":7}',
      data,
      data_trusted: true,
      connection_visible: true,
    })
    expect(await client.identities.getProfile(application.id, grace.id, 'player/7')).toEqual(profile)
  },

  'Get User Application Identities': async (world) => {
    createIdentity(world)
    const { client, application, grace } = world
    const identity = { application_id: application.id, provider_issued_user_id: 'player/7' }
    const profile = { username: 'Player', metadata: null, connection_visible: true }
    expect(await client.identities.list(grace.id, { with_profiles: true })).toEqual({
      identities: [{ ...identity, profile, profiles: [profile] }],
    })
    expect(await client.identities.list(grace.id, { with_profiles: false })).toEqual({ identities: [identity] })
  },

  'Modify User Application Profile Config': async (world) => {
    createIdentity(world)
    const { client, other, application, grace } = world
    const call = other.identities.updateConfig(application.id, 'player/7', { connection_visible: 'false' })
    expect((await call.withResponse()).response.status).toBe(204)
    const profile = await client.identities.getProfile(application.id, grace.id, 'player/7')
    expect(profile.connection_visible).toBe(false)
  },
}

const field = { value_type: 'application_asset' as const, presentation_type: 'image' as const, value: '800' }
const missing = { value_type: 'custom_string' as const, presentation_type: 'text' as const, value: 'No image' }
const hero: WidgetSurfaceInput = {
  layout: 'widget_top_hero',
  components: { title: { fields: { picture: { ...field, fallback: missing } } } },
}
const draft = { display_name: 'Season 4', surfaces: { widget_top: hero, mini_profile: hero } }
const create = ({ client, application }: World) => client.widgetConfigs.create(application.id, draft)

/** API, "I. Widget configs". */
const widgetConfigRoundTrips: RoundTrips<
  | 'Get Featured Widget Configs'
  | 'Get Developer Widget Configs'
  | 'Get Layout Definitions'
  | 'Get Application Widget Configs'
  | 'Create Application Widget Config'
  | 'Modify Application Widget Config'
  | 'Delete Application Widget Config'
  | 'Publish Application Widget Config'
  | 'Unpublish Application Widget Config'
> = {
  'Get Featured Widget Configs': async (world) => {
    const { client, other, application } = world
    const { config_id } = await create(world)
    const published = await client.widgetConfigs.publish(application.id, config_id)
    const expected = { application_ids: [application.id], configs: { [application.id]: [published] } }
    expect(await other.widgetConfigs.featured()).toEqual(expected)
  },

  'Get Developer Widget Configs': async (world) => {
    const config = await create(world)
    const configs = { [world.application.id]: [config] }
    expect(await world.client.widgetConfigs.developer()).toEqual({ configs })
    expect(await world.other.widgetConfigs.developer()).toEqual({ configs: {} })
  },

  'Get Layout Definitions': async ({ client }) => {
    const layouts = await client.widgetConfigs.layoutDefinitions()
    expect(layouts.widget_top_hero).toMatchObject({ surface: 'widget_top', key: 'widget_top_hero' })
  },

  'Get Application Widget Configs': async (world) => {
    const config = await create(world)
    expect(await world.client.widgetConfigs.list(world.application.id)).toEqual([config])
    expect(await world.other.widgetConfigs.list(world.application.id)).toEqual([])
  },

  'Create Application Widget Config': async (world) => {
    expect(await create(world)).toEqual({
      application_id: world.application.id,
      config_id: text,
      ...draft,
      status: 'draft',
      resolved_assets: [{ id: '800', name: 'hero' }],
      published_at: null,
      updated_at: text,
    })
  },

  'Modify Application Widget Config': async (world) => {
    const { client, application } = world
    const { config_id } = await create(world)
    const params = { display_name: 'Season 5', surfaces: { widget_bottom: hero } }
    expect(await client.widgetConfigs.update(application.id, config_id, params)).toMatchObject({ config_id, ...params })
    const [config] = await client.widgetConfigs.list(application.id)
    expect(config?.surfaces).toEqual({ widget_bottom: hero })
  },

  'Delete Application Widget Config': async (world) => {
    const { client, application } = world
    const { config_id } = await create(world)
    const call = client.widgetConfigs.delete(application.id, config_id)
    expect((await call.withResponse()).response.status).toBe(204)
    expect(await client.widgetConfigs.list(application.id)).toEqual([])
  },

  'Publish Application Widget Config': async (world) => {
    const { config_id } = await create(world)
    const config = await world.client.widgetConfigs.publish(world.application.id, config_id)
    expect(config).toMatchObject({ config_id, status: 'published', published_at: text })
  },

  'Unpublish Application Widget Config': async (world) => {
    const { client, other, application } = world
    const { config_id } = await create(world)
    await client.widgetConfigs.publish(application.id, config_id)
    const config = await client.widgetConfigs.unpublish(application.id, config_id)
    expect(config).toMatchObject({ config_id, ...draft })
    expect(await other.widgetConfigs.list(application.id)).toEqual([])
  },
}

const { FRIEND, INCOMING_REQUEST, OUTGOING_REQUEST } = RelationshipType

/** API, "J. Relationships". */
const relationshipRoundTrips: RoundTrips<
  | 'Get Relationships'
  | 'Send Friend Request'
  | 'Create Relationship'
  | 'Modify Relationship'
  | 'Remove Relationship'
  | 'Ignore User'
  | 'Unignore User'
  | 'Bulk Remove Relationships'
  | 'Bulk Add Relationships'
> = {
  'Get Relationships': async ({ client, service, ada, grace }) => {
    service.relationships.request(grace, ada, { note: 'From the chess club', spam: true })
    expect(await client.relationships.list()).toEqual([
      {
        id: grace.id,
        type: INCOMING_REQUEST,
        user: expect.objectContaining({ id: grace.id, username: 'grace' }),
        nickname: null,
        is_spam_request: true,
        stranger_request: true,
        user_ignored: false,
        origin_application_id: null,
        since: text,
        note: 'From the chess club',
      },
    ])
  },

  'Send Friend Request': async ({ client, other, ada, grace, service }) => {
    const call = client.relationships.sendRequest({ username: 'grace', discriminator: null, note: 'Hello' })
    expect((await call.withResponse()).response.status).toBe(204)
    expect(service.relationships.between(ada, grace)).toBe(OUTGOING_REQUEST)
    expect(await other.relationships.list()).toMatchObject([{ id: ada.id, type: INCOMING_REQUEST, note: 'Hello' }])
  },

  'Create Relationship': async ({ client, other, service, ada, grace }) => {
    const params = { type: -1, from_friend_suggestion: true, confirm_stranger_request: true, note: 'Hello' } as const
    expect((await client.relationships.create(grace.id, params).withResponse()).response.status).toBe(204)
    expect(await other.relationships.list()).toMatchObject([{ id: ada.id, type: INCOMING_REQUEST, note: 'Hello' }])
    await other.relationships.accept(ada.id)
    expect(service.relationships.between(ada, grace)).toBe(FRIEND)
    await client.relationships.block(grace.id)
    expect(service.relationships.between(ada, grace)).toBe(RelationshipType.BLOCKED)
  },

  'Modify Relationship': async ({ client, other, service, ada, grace }) => {
    service.relationships.befriend(ada, grace)
    const call = client.relationships.update(grace.id, { nickname: 'Amazing Grace' })
    expect((await call.withResponse()).response.status).toBe(204)
    expect(await client.relationships.list()).toMatchObject([{ type: FRIEND, nickname: 'Amazing Grace' }])
    expect(await other.relationships.list()).toMatchObject([{ type: FRIEND, nickname: null }])
  },

  'Remove Relationship': async ({ client, other, service, ada, grace }) => {
    service.relationships.befriend(ada, grace)
    expect((await client.relationships.delete(grace.id).withResponse()).response.status).toBe(204)
    expect([await client.relationships.list(), await other.relationships.list()]).toEqual([[], []])
  },

  'Ignore User': async ({ client, service, ada, grace }) => {
    service.relationships.befriend(ada, grace)
    expect((await client.relationships.ignore(grace.id).withResponse()).response.status).toBe(204)
    expect(await client.relationships.list()).toMatchObject([{ id: grace.id, type: FRIEND, user_ignored: true }])
  },

  'Unignore User': async ({ client, service, ada, grace }) => {
    service.relationships.befriend(ada, grace)
    await client.relationships.ignore(grace.id)
    expect((await client.relationships.unignore(grace.id).withResponse()).response.status).toBe(204)
    expect(await client.relationships.list()).toMatchObject([{ id: grace.id, type: FRIEND, user_ignored: false }])
  },

  'Bulk Remove Relationships': async ({ client, service, ada, grace }) => {
    const mary = service.users.create({ login: 'mary@example.test', username: 'mary' })
    service.relationships.request(grace, ada, { spam: true })
    service.relationships.request(mary, ada)
    const call = client.relationships.deleteBulk({ relationship_type: 3, only_spam: true, filters: [1] })
    expect((await call.withResponse()).response.status).toBe(204)
    expect(await client.relationships.list()).toMatchObject([{ id: mary.id }])
    await client.relationships.deleteBulk()
    expect(await client.relationships.list()).toEqual([])
  },

  'Bulk Add Relationships': async ({ client, other, service, ada, grace }) => {
    const params = { user_ids: [grace.id, '404'], token: service.users.contactSyncToken(ada) }
    const result = await client.relationships.addBulk(params)
    expect(result).toEqual({ failed_requests: ['404'], successful_requests: [grace.id] })
    expect(await other.relationships.list()).toMatchObject([{ id: ada.id }])
  },
}

/** API, "K. Game relationships and suggestions". */
const gameRelationshipRoundTrips: RoundTrips<
  | 'Get Game Relationships'
  | 'Send Game Friend Request'
  | 'Create Game Relationship'
  | 'Create Game Relationship by Application'
  | 'Remove Game Relationship'
  | 'Remove Game Relationship by Application'
  | 'Get Friend Suggestions'
  | 'Remove Friend Suggestion'
> = {
  'Get Game Relationships': async ({ client, other, service, application, ada, grace }) => {
    await other.gameRelationships.create(ada.id)
    const relationship = {
      id: grace.id,
      application_id: application.id,
      type: INCOMING_REQUEST,
      since: text,
      dm_access_type: expect.any(Number),
      user_id: ada.id,
    }
    const user = expect.objectContaining({ id: grace.id, username: 'grace' })
    expect(await client.gameRelationships.list()).toEqual([{ ...relationship, user }])
    const inGame = client.as(service.token(ada, { oauth2: application }))
    expect(await inGame.gameRelationships.list()).toEqual([relationship])
  },

  'Send Game Friend Request': async ({ client, other, ada }) => {
    const call = client.gameRelationships.sendRequest({ username: 'grace' })
    expect((await call.withResponse()).response.status).toBe(204)
    expect(await other.gameRelationships.list()).toMatchObject([{ id: ada.id, type: INCOMING_REQUEST }])
  },

  'Create Game Relationship': async ({ client, other, ada, grace }) => {
    const call = client.gameRelationships.create(grace.id, { type: -1 })
    expect((await call.withResponse()).response.status).toBe(204)
    expect(await client.gameRelationships.list()).toMatchObject([{ id: grace.id, type: OUTGOING_REQUEST }])
    await other.gameRelationships.accept(ada.id)
    expect(await client.gameRelationships.list()).toMatchObject([{ id: grace.id, type: FRIEND }])
  },

  'Create Game Relationship by Application': async ({ client, other, application, ada, grace }) => {
    await other.gameRelationships.sendRequest({ username: 'ada' })
    const call = client.gameRelationships.createForApplication(grace.id, application.id, { type: FRIEND })
    expect((await call.withResponse()).response.status).toBe(204)
    expect(await other.gameRelationships.list()).toMatchObject([{ id: ada.id, type: FRIEND }])
  },

  'Remove Game Relationship': async ({ client, other, grace }) => {
    await client.gameRelationships.create(grace.id)
    expect((await client.gameRelationships.delete(grace.id).withResponse()).response.status).toBe(204)
    expect(await other.gameRelationships.list()).toEqual([])
  },

  'Remove Game Relationship by Application': async ({ client, other, application, grace }) => {
    await client.gameRelationships.create(grace.id)
    const call = client.gameRelationships.deleteForApplication(grace.id, application.id)
    expect((await call.withResponse()).response.status).toBe(204)
    expect(await other.gameRelationships.list()).toEqual([])
  },

  'Get Friend Suggestions': async ({ client, service, ada, grace }) => {
    const reasons = [{ type: 1, platform: 'chess', name: 'grace_h' }]
    service.users.suggest(ada, grace, { reasons, fromContacts: true })
    const suggested_user = expect.objectContaining({ id: grace.id })
    const expected = [{ suggested_user, reasons, from_suggested_user_contacts: true }]
    expect(await client.friendSuggestions.list()).toEqual(expected)
  },

  'Remove Friend Suggestion': async ({ client, service, ada, grace }) => {
    service.users.suggest(ada, grace)
    expect((await client.friendSuggestions.delete(grace.id).withResponse()).response.status).toBe(204)
    expect(await client.friendSuggestions.list()).toEqual([])
  },
}

/** A round trip for each endpoint of the API document; a missing one does not compile. */
export const roundTrips: RoundTrips<Exclude<EndpointName, 'Create Message'>> = {
  ...signInRoundTrips,
  ...accountRoundTrips,
  ...profileRoundTrips,
  ...widgetConfigRoundTrips,
  ...relationshipRoundTrips,
  ...gameRelationshipRoundTrips,
}
