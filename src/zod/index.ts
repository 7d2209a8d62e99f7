/**
 * Params, responses and events of the API as Zod schemas, for forms and servers. Each `z.infer` equals the
 * interface of the same name in `rapport-sdk`, except that of `DynamicDataInputSchema`, which also is the
 * `DynamicData` that a call returned.
 */

import * as gameRelationships from '../contract/game-relationships'
import * as gatewayEvents from '../contract/gateway-events'
import * as identities from '../contract/identities'
import * as login from '../contract/login'
import * as mfa from '../contract/mfa'
import * as profileData from '../contract/profile-data'
import * as recovery from '../contract/recovery'
import * as registration from '../contract/registration'
import * as friendSuggestions from '../contract/relationships'
import * as relationships from '../contract/relationships'
import * as schema from '../contract/schema'
import * as sessions from '../contract/sessions'
import * as widgetConfigs from '../contract/widget-configs'
import * as widgets from '../contract/widgets'
import { toZod, toZodObject } from './to-zod'

export type { ZodObjectOf, ZodOptionalField, ZodOptionalFieldInternals } from './to-zod'

/** Client that last used a session. API, "Auth Session". */
export const AuthSessionClientInfoSchema = /*@__PURE__*/ toZodObject(sessions.AuthSessionClientInfoSchema)
/** Authentication session. Belongs to exactly one authentication token. API, "Auth Session". */
export const AuthSessionSchema = /*@__PURE__*/ toZodObject(sessions.AuthSessionSchema)
/** Response of `auth.sessions.list`. API, "A. Sessions". */
export const AuthSessionsSchema = /*@__PURE__*/ toZodObject(sessions.AuthSessionsSchema)
/** Parameters of `auth.sessions.logout`. API, "A. Sessions". */
export const LogoutSessionsParamsSchema = /*@__PURE__*/ toZodObject(sessions.LogoutSessionsParamsSchema)
/** Password, 8–72 characters. API, "Limits". */
export const PasswordSchema = /*@__PURE__*/ toZod(login.PasswordSchema)
/** User settings returned by a sign-in. API, "Login Settings". */
export const LoginSettingsSchema = /*@__PURE__*/ toZodObject(login.LoginSettingsSchema)
/** Parameters of `auth.login`. API, "B. Login". */
export const LoginParamsSchema = /*@__PURE__*/ toZodObject(login.LoginParamsSchema)
/** Response of Login Account: a completed login, or a second factor is required. API, "B. Login". */
export const LoginResponseSchema = /*@__PURE__*/ toZodObject(login.LoginResponseSchema)
/** Parameters of `auth.verifyMfaLogin`. API, "B. Login". */
export const VerifyMfaLoginParamsSchema = /*@__PURE__*/ toZodObject(login.VerifyMfaLoginParamsSchema)
/** Login completed by a second factor. API, "B. Login". */
export const VerifyMfaLoginResponseSchema = /*@__PURE__*/ toZodObject(login.VerifyMfaLoginResponseSchema)
/** Parameters of `auth.authorizeIp`. API, "B. Login". */
export const AuthorizeIpParamsSchema = /*@__PURE__*/ toZodObject(login.AuthorizeIpParamsSchema)
/** WebAuthn ceremony started by the service. API, "B. Login". */
export const PasswordlessLoginStartSchema = /*@__PURE__*/ toZodObject(login.PasswordlessLoginStartSchema)
/** Parameters of `auth.finishPasswordlessLogin`. API, "B. Login". */
export const FinishPasswordlessLoginParamsSchema = /*@__PURE__*/ toZodObject(login.FinishPasswordlessLoginParamsSchema)
/** Completed passwordless login. API, "B. Login". */
export const PasswordlessLoginResponseSchema = /*@__PURE__*/ toZodObject(login.PasswordlessLoginResponseSchema)
/** Parameters of `auth.createHandoffToken`. API, "B. Login". */
export const CreateHandoffTokenParamsSchema = /*@__PURE__*/ toZodObject(login.CreateHandoffTokenParamsSchema)
/** Handoff for another client. API, "Handoff token". */
export const HandoffTokenSchema = /*@__PURE__*/ toZodObject(login.HandoffTokenSchema)
/** Parameters of `auth.exchangeHandoffToken`. API, "B. Login". */
export const ExchangeHandoffTokenParamsSchema = /*@__PURE__*/ toZodObject(login.ExchangeHandoffTokenParamsSchema)
/** Completed handoff. API, "B. Login". */
export const HandoffExchangeSchema = /*@__PURE__*/ toZodObject(login.HandoffExchangeSchema)
/** Parameters of `auth.logout`: push notifications to unregister. API, "D. Logout". */
export const LogoutParamsSchema = /*@__PURE__*/ toZodObject(login.LogoutParamsSchema)
/** Parameters of `auth.register`; `username` or `global_name` is required. API, "C. Registration". */
export const RegisterParamsSchema = /*@__PURE__*/ toZodObject(registration.RegisterParamsSchema)
/** Completed registration. API, "C. Registration". */
export const RegisterResponseSchema = /*@__PURE__*/ toZodObject(registration.RegisterResponseSchema)
/** Parameters of `auth.registerPhone`. API, "C. Registration". */
export const RegisterPhoneParamsSchema = /*@__PURE__*/ toZodObject(registration.RegisterPhoneParamsSchema)
/** Consent that promotional emails require. API, "Promotional Email Metadata". */
export const PromotionalEmailMetadataSchema = /*@__PURE__*/ toZodObject(registration.PromotionalEmailMetadataSchema)
/** Registration requirements at the caller's location. API, "C. Registration". */
export const LocationMetadataSchema = /*@__PURE__*/ toZodObject(registration.LocationMetadataSchema)
/** Parameters of `auth.validatePassword`. API, "C. Registration". */
export const ValidatePasswordParamsSchema = /*@__PURE__*/ toZodObject(registration.ValidatePasswordParamsSchema)
/** Result of a password validation. API, "C. Registration". */
export const PasswordValidationSchema = /*@__PURE__*/ toZodObject(registration.PasswordValidationSchema)
/** Parameters of `auth.suggestUsername`. API, "C. Registration". */
export const SuggestUsernameParamsSchema = /*@__PURE__*/ toZodObject(registration.SuggestUsernameParamsSchema)
/** Available username. API, "C. Registration". */
export const UsernameSuggestionSchema = /*@__PURE__*/ toZodObject(registration.UsernameSuggestionSchema)
/** Parameters of `auth.checkUsername`. API, "C. Registration". */
export const CheckUsernameParamsSchema = /*@__PURE__*/ toZodObject(registration.CheckUsernameParamsSchema)
/** Availability of a username. API, "C. Registration". */
export const UsernameEligibilitySchema = /*@__PURE__*/ toZodObject(registration.UsernameEligibilitySchema)
/** Parameters of `auth.forgotPassword`. API, "E. Password recovery". */
export const ForgotPasswordParamsSchema = /*@__PURE__*/ toZodObject(recovery.ForgotPasswordParamsSchema)
/** Response of `auth.forgotPassword`. API, "E. Password recovery". */
export const ForgotPasswordResponseSchema = /*@__PURE__*/ toZodObject(recovery.ForgotPasswordResponseSchema)
/** Parameters of `auth.resetPassword`. API, "E. Password recovery". */
export const ResetPasswordParamsSchema = /*@__PURE__*/ toZodObject(recovery.ResetPasswordParamsSchema)
/** Response of Reset Password. API, "E. Password recovery". */
export const ResetPasswordResponseSchema = /*@__PURE__*/ toZodObject(recovery.ResetPasswordResponseSchema)
/** Parameters of `auth.oneTimeLogin`. API, "E. Password recovery". */
export const OneTimeLoginParamsSchema = /*@__PURE__*/ toZodObject(recovery.OneTimeLoginParamsSchema)
/** Completed one-time login. API, "E. Password recovery". */
export const OneTimeLoginResponseSchema = /*@__PURE__*/ toZodObject(recovery.OneTimeLoginResponseSchema)
/** Parameters of `auth.revertAccount`. API, "F. Account recovery". */
export const RevertAccountParamsSchema = /*@__PURE__*/ toZodObject(recovery.RevertAccountParamsSchema)
/** Restored account. API, "F. Account recovery". */
export const RevertAccountResponseSchema = /*@__PURE__*/ toZodObject(recovery.RevertAccountResponseSchema)
/** Second factor that the service accepts. API, "MFA Required Response". */
export const MfaMethodSchema = /*@__PURE__*/ toZodObject(mfa.MfaMethodSchema)
/** Verification required by the service. API, "MFA Required Response". */
export const MfaVerificationRequestSchema = /*@__PURE__*/ toZodObject(mfa.MfaVerificationRequestSchema)
/** Parameters of `mfa.finish`. API, "G. Multi-factor verification". */
export const FinishMfaParamsSchema = /*@__PURE__*/ toZodObject(mfa.FinishMfaParamsSchema)
/** Verified second factor. API, "G. Multi-factor verification". */
export const FinishMfaResponseSchema = /*@__PURE__*/ toZodObject(mfa.FinishMfaResponseSchema)
/** Parameters of `mfa.sendSms`. API, "G. Multi-factor verification". */
export const SendMfaSmsParamsSchema = /*@__PURE__*/ toZodObject(mfa.SendMfaSmsParamsSchema)
/** Confirmation that an SMS was sent. API, "G. Multi-factor verification". */
export const SendMfaSmsResponseSchema = /*@__PURE__*/ toZodObject(mfa.SendMfaSmsResponseSchema)
/** Partial profile of a user in an application. API, "User Application Identity". */
export const PartialUserApplicationProfileSchema = /*@__PURE__*/ toZodObject(
  identities.PartialUserApplicationProfileSchema,
)
/** Account of a user in an application. API, "User Application Identity". */
export const UserApplicationIdentitySchema = /*@__PURE__*/ toZodObject(identities.UserApplicationIdentitySchema)
/** Response of `identities.list`. API, "H. Profile widgets and application identities". */
export const UserApplicationIdentitiesSchema = /*@__PURE__*/ toZodObject(identities.UserApplicationIdentitiesSchema)
/** External account of a user in the authorized application. API, "User Application Identity". */
export const PartialApplicationIdentitySchema = /*@__PURE__*/ toZodObject(identities.PartialApplicationIdentitySchema)
/** Full profile; all fields are kept. API, "H. Profile widgets and application identities". */
export const UserApplicationProfileSchema = /*@__PURE__*/ toZodObject(identities.UserApplicationProfileSchema)
/** Parameters of `identities.listBulk`. API, "H. Profile widgets and application identities". */
export const ListBulkIdentitiesParamsSchema = /*@__PURE__*/ toZodObject(identities.ListBulkIdentitiesParamsSchema)
/** Parameters of `identities.updateProfile`. API, "H. Profile widgets and application identities". */
export const UpdateProfileParamsSchema = /*@__PURE__*/ toZodObject(identities.UpdateProfileParamsSchema)
/** Parameters of `identities.list`. API, "H. Profile widgets and application identities". */
export const ListIdentitiesParamsSchema = /*@__PURE__*/ toZodObject(identities.ListIdentitiesParamsSchema)
/** Parameters of `identities.updateConfig`. API, "H. Profile widgets and application identities". */
export const UpdateProfileConfigParamsSchema = /*@__PURE__*/ toZodObject(identities.UpdateProfileConfigParamsSchema)
/** Media in a response. API, "Unfurled Media Item". */
export const UnfurledMediaItemSchema = /*@__PURE__*/ toZodObject(profileData.UnfurledMediaItemSchema)
/** Media in a request; other fields are accepted. API, "Unfurled Media Item". */
export const MediaItemInputSchema = /*@__PURE__*/ toZodObject(profileData.MediaItemInputSchema)
/** Primary statistics of a profile. API, "User Application Identity". */
export const PrimaryDataSchema = /*@__PURE__*/ toZodObject(profileData.PrimaryDataSchema)
/** Primary statistics to set on a profile. API, "User Application Identity". */
export const PrimaryDataInputSchema = /*@__PURE__*/ toZodObject(profileData.PrimaryDataInputSchema)
/** Value of a custom statistic. API, "User Application Identity". */
export const DynamicDataValueSchema = /*@__PURE__*/ toZod(profileData.DynamicDataValueSchema)
/** Custom statistic of a game. API, "User Application Identity". */
export const DynamicDataSchema = /*@__PURE__*/ toZodObject(profileData.DynamicDataSchema)
/** Custom statistic to set on a profile, or one that a call returned. API, "User Application Identity". */
export const DynamicDataInputSchema = /*@__PURE__*/ toZod(profileData.DynamicDataInputSchema)
/** Data of an application on a user's profile. API, "User Application Identity". */
export const ProfileDataSchema = /*@__PURE__*/ toZodObject(profileData.ProfileDataSchema)
/** Data to set on a user's profile. API, "User Application Identity". */
export const ProfileDataInputSchema = /*@__PURE__*/ toZodObject(profileData.ProfileDataInputSchema)
/** Game on a widget. API, "Game Widget". */
export const GameWidgetGameSchema = /*@__PURE__*/ toZodObject(widgets.GameWidgetGameSchema)
/** Data of a widget. API, "Game Widget". */
export const GameWidgetDataSchema = /*@__PURE__*/ toZodObject(widgets.GameWidgetDataSchema)
/** Widget on a user's profile. API, "Game Widget". */
export const GameWidgetSchema = /*@__PURE__*/ toZodObject(widgets.GameWidgetSchema)
/** Game to set on a widget. API, "Game Widget". */
export const GameWidgetGameInputSchema = /*@__PURE__*/ toZodObject(widgets.GameWidgetGameInputSchema)
/** Data to set on a widget. API, "Game Widget". */
export const GameWidgetDataInputSchema = /*@__PURE__*/ toZodObject(widgets.GameWidgetDataInputSchema)
/** Widget to set on the profile. API, "H. Profile widgets and application identities". */
export const GameWidgetInputSchema = /*@__PURE__*/ toZodObject(widgets.GameWidgetInputSchema)
/** Widget returned by a call, to be kept. API, "H. Profile widgets and application identities". */
export const ExistingGameWidgetSchema = /*@__PURE__*/ toZodObject(widgets.ExistingGameWidgetSchema)
/** Parameters of `widgets.replace`. API, "H. Profile widgets and application identities". */
export const ReplaceWidgetsParamsSchema = /*@__PURE__*/ toZodObject(widgets.ReplaceWidgetsParamsSchema)
/** Games suggested for widgets. API, "H. Profile widgets and application identities". */
export const SuggestedGamesSchema = /*@__PURE__*/ toZodObject(widgets.SuggestedGamesSchema)
/** Field of a surface. API, "Widget Config". */
export const WidgetComponentFieldSchema = /*@__PURE__*/ toZodObject(widgetConfigs.WidgetComponentFieldSchema)
/** Component of a surface. API, "Widget Config". */
export const WidgetSurfaceComponentSchema = /*@__PURE__*/ toZodObject(widgetConfigs.WidgetSurfaceComponentSchema)
/** Look of a widget in one place. API, "Widget Config". */
export const WidgetSurfaceSchema = /*@__PURE__*/ toZodObject(widgetConfigs.WidgetSurfaceSchema)
/** Look of an application's data on profiles. API, "Widget Config". */
export const WidgetConfigSchema = /*@__PURE__*/ toZodObject(widgetConfigs.WidgetConfigSchema)
/** Configs by application. API, "I. Widget configs". */
export const WidgetConfigsByApplicationSchema = /*@__PURE__*/ toZodObject(
  widgetConfigs.WidgetConfigsByApplicationSchema,
)
/** Configs featured by the service. API, "I. Widget configs". */
export const FeaturedWidgetConfigsSchema = /*@__PURE__*/ toZodObject(widgetConfigs.FeaturedWidgetConfigsSchema)
/** Field of a layout. API, "Widget Config". */
export const LayoutFieldSchema = /*@__PURE__*/ toZodObject(widgetConfigs.LayoutFieldSchema)
/** Component of a layout. API, "Widget Config". */
export const LayoutComponentSchema = /*@__PURE__*/ toZodObject(widgetConfigs.LayoutComponentSchema)
/** Definition of a layout. API, "Widget Config". */
export const LayoutDefinitionSchema = /*@__PURE__*/ toZodObject(widgetConfigs.LayoutDefinitionSchema)
/** Parameters of `widgetConfigs.create`. API, "I. Widget configs". */
export const CreateWidgetConfigParamsSchema = /*@__PURE__*/ toZodObject(widgetConfigs.CreateWidgetConfigParamsSchema)
/** Parameters of `widgetConfigs.update`; the surfaces are required. API, "I. Widget configs". */
export const UpdateWidgetConfigParamsSchema = /*@__PURE__*/ toZodObject(widgetConfigs.UpdateWidgetConfigParamsSchema)
/** Partial data of a user. The API document does not show the fields. API, "Open shapes". */
export const PartialUserSchema = /*@__PURE__*/ toZodObject(relationships.PartialUserSchema)
/** Friendship, friend request or block between the current user and another. API, "Relationship". */
export const RelationshipSchema = /*@__PURE__*/ toZodObject(relationships.RelationshipSchema)
/** Parameters of `relationships.sendRequest`. API, "J. Relationships". */
export const SendFriendRequestParamsSchema = /*@__PURE__*/ toZodObject(relationships.SendFriendRequestParamsSchema)
/** Parameters of `relationships.create`. API, "J. Relationships". */
export const CreateRelationshipParamsSchema = /*@__PURE__*/ toZodObject(relationships.CreateRelationshipParamsSchema)
/** Parameters of `relationships.update`. API, "J. Relationships". */
export const UpdateRelationshipParamsSchema = /*@__PURE__*/ toZodObject(relationships.UpdateRelationshipParamsSchema)
/** Parameters of `relationships.deleteBulk`. API, "J. Relationships". */
export const DeleteBulkRelationshipsParamsSchema = /*@__PURE__*/ toZodObject(
  relationships.DeleteBulkRelationshipsParamsSchema,
)
/** Parameters of `relationships.addBulk`. API, "J. Relationships". */
export const AddBulkRelationshipsParamsSchema = /*@__PURE__*/ toZodObject(
  relationships.AddBulkRelationshipsParamsSchema,
)
/** Result of a bulk add. API, "J. Relationships". */
export const BulkAddResultSchema = /*@__PURE__*/ toZodObject(relationships.BulkAddResultSchema)
/** Friendship or friend request inside a game, created through an application. API, "Game Relationship". */
export const GameRelationshipSchema = /*@__PURE__*/ toZodObject(gameRelationships.GameRelationshipSchema)
/** Parameters of `gameRelationships.sendRequest`. API, "K. Game relationships and suggestions". */
export const SendGameFriendRequestParamsSchema = /*@__PURE__*/ toZodObject(
  gameRelationships.SendGameFriendRequestParamsSchema,
)
/** Parameters of `gameRelationships.create`. API, "K. Game relationships and suggestions". */
export const CreateGameRelationshipParamsSchema = /*@__PURE__*/ toZodObject(
  gameRelationships.CreateGameRelationshipParamsSchema,
)
/** Parameters of `gameRelationships.createForApplication`. API, "K. Game relationships and suggestions". */
export const CreateGameRelationshipForApplicationParamsSchema = /*@__PURE__*/ toZodObject(
  gameRelationships.CreateGameRelationshipForApplicationParamsSchema,
)
/** Reason for a friend suggestion. API, "Friend Suggestion". */
export const FriendSuggestionReasonSchema = /*@__PURE__*/ toZodObject(friendSuggestions.FriendSuggestionReasonSchema)
/** User whom the current user may know. API, "Friend Suggestion". */
export const FriendSuggestionSchema = /*@__PURE__*/ toZodObject(friendSuggestions.FriendSuggestionSchema)
/** Sent when a Gateway session starts; all fields are kept. API, "Events". */
export const ReadyEventSchema = /*@__PURE__*/ toZodObject(gatewayEvents.ReadyEventSchema)
/** Sent when the authentication session of the Gateway session changes. API, "Events". */
export const AuthSessionChangeEventSchema = /*@__PURE__*/ toZodObject(gatewayEvents.AuthSessionChangeEventSchema)
/** Changes of a relationship: an absent field is unchanged, `null` removes it. API, "Events". */
export const RelationshipUpdateEventSchema = /*@__PURE__*/ toZodObject(gatewayEvents.RelationshipUpdateEventSchema)
/** Removed relationship. API, "Events". */
export const RelationshipRemoveEventSchema = /*@__PURE__*/ toZodObject(gatewayEvents.RelationshipRemoveEventSchema)
/** Removed game relationship. API, "Events". */
export const GameRelationshipRemoveEventSchema = /*@__PURE__*/ toZodObject(
  gatewayEvents.GameRelationshipRemoveEventSchema,
)
/** Removed friend suggestion. API, "Events". */
export const FriendSuggestionDeleteEventSchema = /*@__PURE__*/ toZodObject(
  gatewayEvents.FriendSuggestionDeleteEventSchema,
)
/** Object whose fields the API document does not show; all are kept. API, "Open shapes". */
export const OpenObjectSchema = /*@__PURE__*/ toZodObject(schema.OpenObjectSchema)
