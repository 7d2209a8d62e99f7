import type {
  ApiPromise,
  AuthSessions,
  BulkAddResult,
  Client,
  FeaturedWidgetConfigs,
  FriendSuggestion,
  GameRelationship,
  GameWidget,
  HandoffExchange,
  LayoutDefinitions,
  LoginResult,
  PartialUser,
  Relationship,
  ResetResult,
  ResponseInfo,
  UserApplicationIdentities,
  UserApplicationProfile,
  WidgetConfig,
  WithResponse,
} from 'rapport-sdk'
import { isLayoutDefinition, type LayoutDefinition } from 'rapport-sdk'
import { expectTypeOf, test } from 'vitest'

declare const client: Client

test('a call resolves to the documented data', () => {
  expectTypeOf(client.auth.sessions.list()).toEqualTypeOf<ApiPromise<AuthSessions>>()
  expectTypeOf(
    client.auth.exchangeHandoffToken({ key: 'k', handoff_token: 't' }),
  ).resolves.toEqualTypeOf<HandoffExchange>()
  expectTypeOf(client.widgets.replace({ widgets: [] })).resolves.toEqualTypeOf<GameWidget[]>()
  expectTypeOf(client.identities.list('1')).resolves.toEqualTypeOf<UserApplicationIdentities>()
  expectTypeOf(client.identities.getProfile('1', '2', '3')).resolves.toEqualTypeOf<UserApplicationProfile>()
  expectTypeOf(client.widgetConfigs.featured()).resolves.toEqualTypeOf<FeaturedWidgetConfigs>()
  expectTypeOf(client.widgetConfigs.layoutDefinitions()).resolves.toEqualTypeOf<LayoutDefinitions>()
  expectTypeOf(client.widgetConfigs.publish('1', '2')).resolves.toEqualTypeOf<WidgetConfig>()
  expectTypeOf(client.relationships.list()).resolves.toEqualTypeOf<Relationship[]>()
  expectTypeOf(client.relationships.addBulk({ user_ids: [], token: 't' })).resolves.toEqualTypeOf<BulkAddResult>()
  expectTypeOf(client.gameRelationships.list()).resolves.toEqualTypeOf<GameRelationship[]>()
  expectTypeOf(client.friendSuggestions.list()).resolves.toEqualTypeOf<FriendSuggestion[]>()
})

test('a call with a 204 response resolves to undefined', () => {
  expectTypeOf(client.auth.sessions.logout({ session_id_hashes: ['a'] })).resolves.toEqualTypeOf<undefined>()
  expectTypeOf(client.auth.logout()).resolves.toEqualTypeOf<undefined>()
  expectTypeOf(client.identities.updateConfig('1', '2')).resolves.toEqualTypeOf<undefined>()
  expectTypeOf(client.widgetConfigs.delete('1', '2')).resolves.toEqualTypeOf<undefined>()
  expectTypeOf(client.relationships.create('1')).resolves.toEqualTypeOf<undefined>()
  expectTypeOf(client.relationships.accept('1')).resolves.toEqualTypeOf<undefined>()
  expectTypeOf(client.relationships.block('1')).resolves.toEqualTypeOf<undefined>()
  expectTypeOf(client.friendSuggestions.delete('1')).resolves.toEqualTypeOf<undefined>()
})

test('withResponse() resolves to the data and the response', () => {
  const promise = client.relationships.list().withResponse()
  expectTypeOf(promise).resolves.toEqualTypeOf<WithResponse<Relationship[]>>()
  expectTypeOf(promise).resolves.toHaveProperty('response').toEqualTypeOf<ResponseInfo>()
  expectTypeOf<ResponseInfo>().toEqualTypeOf<{
    readonly status: number
    readonly headers: Headers
    readonly url: string
    readonly attempts: number
    readonly elevated: boolean
  }>()
  expectTypeOf(client.auth.login({ login: 'a', password: 'b' }).withResponse()).resolves.toEqualTypeOf<
    WithResponse<LoginResult>
  >()
  expectTypeOf(client.auth.resetPassword({ token: 'a', password: 'b' }).withResponse()).resolves.toEqualTypeOf<
    WithResponse<ResetResult>
  >()
})

test('then() of an ApiPromise returns a plain promise', () => {
  const chained = client.relationships.list().then((relationships) => relationships.length)
  expectTypeOf(chained).toEqualTypeOf<Promise<number>>()
  expectTypeOf(chained).not.toHaveProperty('withResponse')
})

test('client.request resolves to its type argument, or to unknown', () => {
  expectTypeOf(client.request({ path: '/a' })).resolves.toBeUnknown()
  expectTypeOf(client.request<{ id: string }>({ path: '/a' })).resolves.toEqualTypeOf<{ id: string }>()
  expectTypeOf(client.suspended('t').request({ method: 'POST', path: '/a' })).resolves.toBeUnknown()
  expectTypeOf(client.as('t')).toEqualTypeOf<Client>()
})

test('open objects have unknown fields of type unknown', () => {
  expectTypeOf<PartialUser['id']>().toBeString()
  expectTypeOf<PartialUser['avatar']>().toBeUnknown()
  expectTypeOf<UserApplicationProfile['later']>().toBeUnknown()
  expectTypeOf<LayoutDefinitions['widget_top_hero']>().toBeUnknown()
  expectTypeOf(isLayoutDefinition).guards.toEqualTypeOf<LayoutDefinition>()
})

test('received surfaces have documented and unknown keys', () => {
  type Surfaces = WidgetConfig['surfaces']
  expectTypeOf<Surfaces['widget_top']>().toExtend<{ layout: string } | undefined>()
  expectTypeOf<Surfaces['hologram']>().toExtend<{ layout: string }>()
})
