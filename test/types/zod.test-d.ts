import type * as api from 'rapport-sdk'
import type * as schemas from 'rapport-sdk/zod'
import { LoginParamsSchema, type PartialUserSchema, RegisterParamsSchema } from 'rapport-sdk/zod'
import { expectTypeOf, test } from 'vitest'
import * as z from 'zod'

/** The type of the values of each schema: the interface of the same name, if there is one. */
interface Values {
  AuthSessionClientInfoSchema: api.AuthSessionClientInfo
  AuthSessionSchema: api.AuthSession
  AuthSessionsSchema: api.AuthSessions
  LogoutSessionsParamsSchema: api.LogoutSessionsParams
  PasswordSchema: string
  LoginSettingsSchema: api.LoginSettings
  LoginParamsSchema: api.LoginParams
  LoginResponseSchema: api.LoginResponse
  VerifyMfaLoginParamsSchema: api.VerifyMfaLoginParams
  VerifyMfaLoginResponseSchema: api.VerifyMfaLoginResponse
  AuthorizeIpParamsSchema: api.AuthorizeIpParams
  PasswordlessLoginStartSchema: api.PasswordlessLoginStart
  FinishPasswordlessLoginParamsSchema: api.FinishPasswordlessLoginParams
  PasswordlessLoginResponseSchema: api.PasswordlessLoginResponse
  CreateHandoffTokenParamsSchema: api.CreateHandoffTokenParams
  HandoffTokenSchema: api.HandoffToken
  ExchangeHandoffTokenParamsSchema: api.ExchangeHandoffTokenParams
  HandoffExchangeSchema: api.HandoffExchange
  LogoutParamsSchema: api.LogoutParams
  RegisterParamsSchema: api.RegisterParams
  RegisterResponseSchema: api.RegisterResponse
  RegisterPhoneParamsSchema: api.RegisterPhoneParams
  PromotionalEmailMetadataSchema: api.PromotionalEmailMetadata
  LocationMetadataSchema: api.LocationMetadata
  ValidatePasswordParamsSchema: api.ValidatePasswordParams
  PasswordValidationSchema: api.PasswordValidation
  SuggestUsernameParamsSchema: api.SuggestUsernameParams
  UsernameSuggestionSchema: api.UsernameSuggestion
  CheckUsernameParamsSchema: api.CheckUsernameParams
  UsernameEligibilitySchema: api.UsernameEligibility
  ForgotPasswordParamsSchema: api.ForgotPasswordParams
  ForgotPasswordResponseSchema: api.ForgotPasswordResponse
  ResetPasswordParamsSchema: api.ResetPasswordParams
  ResetPasswordResponseSchema: api.ResetPasswordResponse
  OneTimeLoginParamsSchema: api.OneTimeLoginParams
  OneTimeLoginResponseSchema: api.OneTimeLoginResponse
  RevertAccountParamsSchema: api.RevertAccountParams
  RevertAccountResponseSchema: api.RevertAccountResponse
  MfaMethodSchema: api.MfaMethod
  MfaVerificationRequestSchema: api.MfaVerificationRequest
  FinishMfaParamsSchema: api.FinishMfaParams
  FinishMfaResponseSchema: api.FinishMfaResponse
  SendMfaSmsParamsSchema: api.SendMfaSmsParams
  SendMfaSmsResponseSchema: api.SendMfaSmsResponse
  PartialUserApplicationProfileSchema: api.PartialUserApplicationProfile
  UserApplicationIdentitySchema: api.UserApplicationIdentity
  UserApplicationIdentitiesSchema: api.UserApplicationIdentities
  PartialApplicationIdentitySchema: api.PartialApplicationIdentity
  UserApplicationProfileSchema: api.UserApplicationProfile
  ListBulkIdentitiesParamsSchema: api.ListBulkIdentitiesParams
  UpdateProfileParamsSchema: api.UpdateProfileParams
  ListIdentitiesParamsSchema: api.ListIdentitiesParams
  UpdateProfileConfigParamsSchema: api.UpdateProfileConfigParams
  UnfurledMediaItemSchema: api.UnfurledMediaItem
  MediaItemInputSchema: api.MediaItemInput
  PrimaryDataSchema: api.PrimaryData
  PrimaryDataInputSchema: api.PrimaryDataInput
  DynamicDataValueSchema: api.DynamicData['value']
  DynamicDataSchema: api.DynamicData
  DynamicDataInputSchema: api.DynamicDataInput | api.Immutable<api.DynamicData>
  ProfileDataSchema: api.ProfileData
  ProfileDataInputSchema: api.ProfileDataInput
  GameWidgetGameSchema: api.GameWidgetGame
  GameWidgetDataSchema: api.GameWidgetData
  GameWidgetSchema: api.GameWidget
  GameWidgetGameInputSchema: api.GameWidgetGameInput
  GameWidgetDataInputSchema: api.GameWidgetDataInput
  GameWidgetInputSchema: api.GameWidgetInput
  ExistingGameWidgetSchema: api.ExistingGameWidget
  ReplaceWidgetsParamsSchema: api.ReplaceWidgetsParams
  SuggestedGamesSchema: api.SuggestedGames
  WidgetComponentFieldSchema: api.WidgetComponentField
  WidgetSurfaceComponentSchema: api.WidgetSurfaceComponent
  WidgetSurfaceSchema: api.WidgetSurface
  WidgetConfigSchema: api.WidgetConfig
  WidgetConfigsByApplicationSchema: api.WidgetConfigsByApplication
  FeaturedWidgetConfigsSchema: api.FeaturedWidgetConfigs
  LayoutFieldSchema: api.LayoutField
  LayoutComponentSchema: api.LayoutComponent
  LayoutDefinitionSchema: api.LayoutDefinition
  CreateWidgetConfigParamsSchema: api.CreateWidgetConfigParams
  UpdateWidgetConfigParamsSchema: api.UpdateWidgetConfigParams
  PartialUserSchema: api.PartialUser
  RelationshipSchema: api.Relationship
  SendFriendRequestParamsSchema: api.SendFriendRequestParams
  CreateRelationshipParamsSchema: api.CreateRelationshipParams
  UpdateRelationshipParamsSchema: api.UpdateRelationshipParams
  DeleteBulkRelationshipsParamsSchema: api.DeleteBulkRelationshipsParams
  AddBulkRelationshipsParamsSchema: api.AddBulkRelationshipsParams
  BulkAddResultSchema: api.BulkAddResult
  GameRelationshipSchema: api.GameRelationship
  SendGameFriendRequestParamsSchema: api.SendGameFriendRequestParams
  CreateGameRelationshipParamsSchema: api.CreateGameRelationshipParams
  CreateGameRelationshipForApplicationParamsSchema: api.CreateGameRelationshipForApplicationParams
  FriendSuggestionReasonSchema: api.FriendSuggestionReason
  FriendSuggestionSchema: api.FriendSuggestion
  ReadyEventSchema: api.ReadyEvent
  AuthSessionChangeEventSchema: api.AuthSessionChangeEvent
  RelationshipUpdateEventSchema: api.RelationshipUpdateEvent
  RelationshipRemoveEventSchema: api.RelationshipRemoveEvent
  GameRelationshipRemoveEventSchema: api.GameRelationshipRemoveEvent
  FriendSuggestionDeleteEventSchema: api.FriendSuggestionDeleteEvent
  OpenObjectSchema: api.OpenObject
}

type Schemas = typeof schemas
type IsEqual<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** Names of the schemas whose `z.output` (which is `z.infer`) or `z.input` differs from the API. */
type Different<Side extends 'output' | 'input'> = {
  [K in keyof Values]: IsEqual<Schemas[K]['_zod'][Side], Values[K]> extends true ? never : K
}[keyof Values]

test('the table has every schema', () => {
  expectTypeOf<keyof Values>().toEqualTypeOf<keyof Schemas>()
})

test('z.infer and z.input of every schema equal the interface', () => {
  expectTypeOf<Different<'output'>>().toEqualTypeOf<never>()
  expectTypeOf<Different<'input'>>().toEqualTypeOf<never>()
  expectTypeOf<IsEqual<z.infer<typeof LoginParamsSchema>, api.RegisterParams>>().toEqualTypeOf<false>()
})

test('every schema of an interface is a Zod object', () => {
  type Others = { [K in keyof Schemas]: Schemas[K] extends z.ZodObject ? never : K }[keyof Schemas]
  expectTypeOf<Others>().toEqualTypeOf<'PasswordSchema' | 'DynamicDataValueSchema' | 'DynamicDataInputSchema'>()
})

test('shape has the fields of the API', () => {
  type Shape = (typeof LoginParamsSchema)['shape']
  expectTypeOf<keyof Shape>().toEqualTypeOf<keyof api.LoginParams>()
  expectTypeOf<z.infer<Shape['password']>>().toEqualTypeOf<string>()
  expectTypeOf<z.infer<ReturnType<Shape['undelete']['unwrap']>>>().toEqualTypeOf<boolean>()
  expectTypeOf<keyof (typeof PartialUserSchema)['shape']>().toEqualTypeOf<'id'>()
})

test('extended and picked schemas keep the types of the fields', () => {
  const extended = RegisterParamsSchema.safeExtend({ repeated: z.string() })
  expectTypeOf<z.infer<typeof extended>['repeated']>().toEqualTypeOf<string>()
  expectTypeOf<Omit<z.infer<typeof extended>, 'repeated'>>().toEqualTypeOf<Omit<api.RegisterParams, 'repeated'>>()
  const picked = LoginParamsSchema.pick({ login: true, undelete: true })
  expectTypeOf<z.infer<typeof picked>>().toEqualTypeOf<Pick<api.LoginParams, 'login' | 'undelete'>>()
})
