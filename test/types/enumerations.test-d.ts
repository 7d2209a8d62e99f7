import type {
  AuthenticatorType,
  Client,
  CreateGameRelationshipForApplicationParams,
  CreateGameRelationshipParams,
  CreateRelationshipParams,
  CreateWidgetConfigParams,
  DeleteBulkRelationshipsParams,
  FinishMfaParams,
  ForgotPasswordResponse,
  GameRelationshipType,
  GameWidgetDataInput,
  GameWidgetGameInput,
  GameWidgetSkillTag,
  GameWidgetTag,
  GameWidgetType,
  LayoutDefinitionKey,
  LoginParams,
  LoginSettings,
  LoginSource,
  MfaMethod,
  PresentationType,
  Relationship,
  RelationshipRemovalFilter,
  ResetPasswordParams,
  SurfaceType,
  ValueType,
  WidgetComponentFieldInput,
  WidgetConfig,
  WidgetSurfaceInput,
} from 'rapport-sdk'
import { RelationshipType } from 'rapport-sdk'
import { describe, expectTypeOf, test } from 'vitest'

declare const client: Client

describe('enumerations in requests', () => {
  test('they are closed in those of sign-in', () => {
    expectTypeOf<LoginParams['login_source']>().toEqualTypeOf<LoginSource | null | undefined>()
    // @ts-expect-error: no such source
    client.auth.login({ login: 'a', password: 'b', login_source: 'billboard' })
  })

  test('they are closed in those of widgets', () => {
    expectTypeOf<GameWidgetDataInput['type']>().toEqualTypeOf<GameWidgetType>()
    expectTypeOf<GameWidgetGameInput['tags']>().toEqualTypeOf<readonly GameWidgetTag[] | undefined>()
    expectTypeOf<GameWidgetSkillTag>().toExtend<GameWidgetTag>()
    // @ts-expect-error: no such type
    client.widgets.replace({ widgets: [{ data: { type: 'lost_games' } }] })
    const played = 'played_games'
    // @ts-expect-error: no such tag
    client.widgets.replace({ widgets: [{ data: { type: played, games: [{ game_id: '1', tags: ['tired'] }] } }] })
  })

  test('they are closed in those of widget configs', () => {
    expectTypeOf<keyof CreateWidgetConfigParams['surfaces']>().toEqualTypeOf<SurfaceType>()
    expectTypeOf<WidgetSurfaceInput['layout']>().toEqualTypeOf<LayoutDefinitionKey>()
    expectTypeOf<WidgetComponentFieldInput['value_type']>().toEqualTypeOf<ValueType>()
    expectTypeOf<WidgetComponentFieldInput['presentation_type']>().toEqualTypeOf<PresentationType>()
    // @ts-expect-error: no such surface
    client.widgetConfigs.create('1', { display_name: 'a', surfaces: { hologram: { layout: 'widget_top_hero' } } })
  })

  test('they are closed in those of relationships', () => {
    expectTypeOf<CreateRelationshipParams['type']>().toEqualTypeOf<RelationshipType | -1 | undefined>()
    expectTypeOf<CreateGameRelationshipParams['type']>().toEqualTypeOf<GameRelationshipType | -1 | undefined>()
    expectTypeOf<CreateGameRelationshipForApplicationParams['type']>().toEqualTypeOf<1 | undefined>()
    expectTypeOf<DeleteBulkRelationshipsParams['relationship_type']>().toEqualTypeOf<3 | undefined>()
    expectTypeOf<DeleteBulkRelationshipsParams['filters']>().toEqualTypeOf<
      readonly RelationshipRemovalFilter[] | undefined
    >()
    // @ts-expect-error: no such type
    client.relationships.create('1', { type: 6 })
    // @ts-expect-error: a game relationship cannot be BLOCKED
    client.gameRelationships.create('1', { type: RelationshipType.BLOCKED })
    // @ts-expect-error: FRIEND is the only type by application
    client.gameRelationships.createForApplication('1', '2', { type: -1 })
    // @ts-expect-error: only incoming requests can be removed in bulk
    client.relationships.deleteBulk({ relationship_type: RelationshipType.FRIEND })
  })
})

test('authenticator types are open in requests', () => {
  expectTypeOf<'retina'>().toExtend<FinishMfaParams['mfa_type']>()
  expectTypeOf<'retina'>().toExtend<NonNullable<ResetPasswordParams['method']>>()
  expectTypeOf<'retina'>().toExtend<Parameters<Client['auth']['verifyMfaLogin']>[0]>()
  expectTypeOf<AuthenticatorType>().toEqualTypeOf<'totp' | 'sms' | 'backup' | 'webauthn' | 'password'>()
})

test('enumerations are open in responses', () => {
  expectTypeOf<99>().toExtend<Relationship['type']>()
  expectTypeOf<RelationshipType>().toExtend<Relationship['type']>()
  expectTypeOf<string>().not.toExtend<Relationship['type']>()
  expectTypeOf<'archived'>().toExtend<WidgetConfig['status']>()
  expectTypeOf<'pigeon'>().toExtend<ForgotPasswordResponse['method']>()
  expectTypeOf<'midnight'>().toExtend<LoginSettings['theme']>()
  expectTypeOf<'retina'>().toExtend<MfaMethod['type']>()
})

test('an enumeration is an object of names and a union of its values', () => {
  expectTypeOf(RelationshipType.INCOMING_REQUEST).toEqualTypeOf<3>()
  expectTypeOf<RelationshipType>().toEqualTypeOf<0 | 1 | 2 | 3 | 4 | 5>()
  expectTypeOf<GameRelationshipType>().toEqualTypeOf<1 | 3 | 4>()
  expectTypeOf<RelationshipRemovalFilter>().toEqualTypeOf<1 | 2>()
})
