/**
 * Params, responses and events of the interface as Zod schemas, for forms and servers. Each `z.infer` equals the
 * interface of the same name in `rapport-sdk`, except that of `DynamicDataInputSchema`, which also is the
 * `DynamicData` that a call returned.
 */

import * as friendSuggestions from '../contract/friend-suggestions'
import * as gameRelationships from '../contract/game-relationships'
import * as gatewayEvents from '../contract/gateway-events'
import * as identities from '../contract/identities'
import * as login from '../contract/login'
import * as mfa from '../contract/mfa'
import * as profileData from '../contract/profile-data'
import * as recovery from '../contract/recovery'
import * as registration from '../contract/registration'
import * as relationships from '../contract/relationships'
import * as schema from '../contract/schema'
import * as sessions from '../contract/sessions'
import * as widgetConfigs from '../contract/widget-configs'
import * as widgets from '../contract/widgets'
import { toZod, toZodObject } from './to-zod'

export type { ZodObjectOf, ZodOptionalField, ZodOptionalFieldInternals } from './to-zod'

/** Client that last used a session. Interface, "Auth Session". */
export const AuthSessionClientInfoSchema = /*@__PURE__*/ toZodObject(sessions.AuthSessionClientInfoSchema)
/** Authentication session. Belongs to exactly one authentication token. Interface, "Auth Session". */
export const AuthSessionSchema = /*@__PURE__*/ toZodObject(sessions.AuthSessionSchema)
/** Response of `auth.sessions.list`. Interface, "A. Sessions". */
export const AuthSessionsSchema = /*@__PURE__*/ toZodObject(sessions.AuthSessionsSchema)
/** Parameters of `auth.sessions.logout`. Interface, "A. Sessions". */
export const LogoutSessionsParamsSchema = /*@__PURE__*/ toZodObject(sessions.LogoutSessionsParamsSchema)
/** Password, 8–72 characters. Interface, "Limits". */
export const PasswordSchema = /*@__PURE__*/ toZod(login.PasswordSchema)
/** User settings returned by a sign-in. Interface, "Login Settings". */
export const LoginSettingsSchema = /*@__PURE__*/ toZodObject(login.LoginSettingsSchema)
/** Parameters of `auth.login`. Interface, "B. Login". */
export const LoginParamsSchema = /*@__PURE__*/ toZodObject(login.LoginParamsSchema)
/** Response of Login Account: a completed login, or a second factor is required. Interface, "B. Login". */
export const LoginResponseSchema = /*@__PURE__*/ toZodObject(login.LoginResponseSchema)
/** Parameters of `auth.verifyMfaLogin`. Interface, "B. Login". */
export const VerifyMfaLoginParamsSchema = /*@__PURE__*/ toZodObject(login.VerifyMfaLoginParamsSchema)
/** Login completed by a second factor. Interface, "B. Login". */
export const VerifyMfaLoginResponseSchema = /*@__PURE__*/ toZodObject(login.VerifyMfaLoginResponseSchema)
/** Parameters of `auth.authorizeIp`. Interface, "B. Login". */
export const AuthorizeIpParamsSchema = /*@__PURE__*/ toZodObject(login.AuthorizeIpParamsSchema)
/** WebAuthn ceremony started by the service. Interface, "B. Login". */
export const PasswordlessLoginStartSchema = /*@__PURE__*/ toZodObject(login.PasswordlessLoginStartSchema)
/** Parameters of `auth.finishPasswordlessLogin`. Interface, "B. Login". */
export const FinishPasswordlessLoginParamsSchema = /*@__PURE__*/ toZodObject(login.FinishPasswordlessLoginParamsSchema)
/** Completed passwordless login. Interface, "B. Login". */
export const PasswordlessLoginResponseSchema = /*@__PURE__*/ toZodObject(login.PasswordlessLoginResponseSchema)
/** Parameters of `auth.createHandoffToken`. Interface, "B. Login". */
export const CreateHandoffTokenParamsSchema = /*@__PURE__*/ toZodObject(login.CreateHandoffTokenParamsSchema)
/** Handoff for another client. Interface, "Handoff token". */
export const HandoffTokenSchema = /*@__PURE__*/ toZodObject(login.HandoffTokenSchema)
/** Parameters of `auth.exchangeHandoffToken`. Interface, "B. Login". */
export const ExchangeHandoffTokenParamsSchema = /*@__PURE__*/ toZodObject(login.ExchangeHandoffTokenParamsSchema)
/** Completed handoff. Interface, "B. Login". */
export const HandoffExchangeSchema = /*@__PURE__*/ toZodObject(login.HandoffExchangeSchema)
/** Parameters of `auth.logout`: push notifications to unregister. Interface, "D. Logout". */
export const LogoutParamsSchema = /*@__PURE__*/ toZodObject(login.LogoutParamsSchema)
/** Parameters of `auth.register`; `username` or `global_name` is required. Interface, "C. Registration". */
export const RegisterParamsSchema = /*@__PURE__*/ toZodObject(registration.RegisterParamsSchema)
/** Completed registration. Interface, "C. Registration". */
export const RegisterResponseSchema = /*@__PURE__*/ toZodObject(registration.RegisterResponseSchema)
/** Parameters of `auth.registerPhone`. Interface, "C. Registration". */
export const RegisterPhoneParamsSchema = /*@__PURE__*/ toZodObject(registration.RegisterPhoneParamsSchema)
/** Consent that promotional emails require. Interface, "Promotional Email Metadata". */
export const PromotionalEmailMetadataSchema = /*@__PURE__*/ toZodObject(registration.PromotionalEmailMetadataSchema)
/** Registration requirements at the caller's location. Interface, "C. Registration". */
export const LocationMetadataSchema = /*@__PURE__*/ toZodObject(registration.LocationMetadataSchema)
/** Parameters of `auth.validatePassword`. Interface, "C. Registration". */
export const ValidatePasswordParamsSchema = /*@__PURE__*/ toZodObject(registration.ValidatePasswordParamsSchema)
/** Result of a password validation. Interface, "C. Registration". */
export const PasswordValidationSchema = /*@__PURE__*/ toZodObject(registration.PasswordValidationSchema)
/** Parameters of `auth.suggestUsername`. Interface, "C. Registration". */
export const SuggestUsernameParamsSchema = /*@__PURE__*/ toZodObject(registration.SuggestUsernameParamsSchema)
/** Available username. Interface, "C. Registration". */
export const UsernameSuggestionSchema = /*@__PURE__*/ toZodObject(registration.UsernameSuggestionSchema)
/** Parameters of `auth.checkUsername`. Interface, "C. Registration". */
export const CheckUsernameParamsSchema = /*@__PURE__*/ toZodObject(registration.CheckUsernameParamsSchema)
/** Availability of a username. Interface, "C. Registration". */
export const UsernameEligibilitySchema = /*@__PURE__*/ toZodObject(registration.UsernameEligibilitySchema)
/** Parameters of `auth.forgotPassword`. Interface, "E. Password recovery". */
export const ForgotPasswordParamsSchema = /*@__PURE__*/ toZodObject(recovery.ForgotPasswordParamsSchema)
/** Response of `auth.forgotPassword`. Interface, "E. Password recovery". */
export const ForgotPasswordResponseSchema = /*@__PURE__*/ toZodObject(recovery.ForgotPasswordResponseSchema)
/** Parameters of `auth.resetPassword`. Interface, "E. Password recovery". */
export const ResetPasswordParamsSchema = /*@__PURE__*/ toZodObject(recovery.ResetPasswordParamsSchema)
/** Response of Reset Password. Interface, "E. Password recovery". */
export const ResetPasswordResponseSchema = /*@__PURE__*/ toZodObject(recovery.ResetPasswordResponseSchema)
/** Parameters of `auth.oneTimeLogin`. Interface, "E. Password recovery". */
export const OneTimeLoginParamsSchema = /*@__PURE__*/ toZodObject(recovery.OneTimeLoginParamsSchema)
/** Completed one-time login. Interface, "E. Password recovery". */
export const OneTimeLoginResponseSchema = /*@__PURE__*/ toZodObject(recovery.OneTimeLoginResponseSchema)
/** Parameters of `auth.revertAccount`. Interface, "F. Account recovery". */
export const RevertAccountParamsSchema = /*@__PURE__*/ toZodObject(recovery.RevertAccountParamsSchema)
/** Restored account. Interface, "F. Account recovery". */
export const RevertAccountResponseSchema = /*@__PURE__*/ toZodObject(recovery.RevertAccountResponseSchema)
/** Second factor that the service accepts. Interface, "MFA Required Response". */
export const MfaMethodSchema = /*@__PURE__*/ toZodObject(mfa.MfaMethodSchema)
/** Verification required by the service. Interface, "MFA Required Response". */
export const MfaVerificationRequestSchema = /*@__PURE__*/ toZodObject(mfa.MfaVerificationRequestSchema)
/** Parameters of `mfa.finish`. Interface, "G. Multi-factor verification". */
export const FinishMfaParamsSchema = /*@__PURE__*/ toZodObject(mfa.FinishMfaParamsSchema)
/** Verified second factor. Interface, "G. Multi-factor verification". */
export const FinishMfaResponseSchema = /*@__PURE__*/ toZodObject(mfa.FinishMfaResponseSchema)
/** Parameters of `mfa.sendSms`. Interface, "G. Multi-factor verification". */
export const SendMfaSmsParamsSchema = /*@__PURE__*/ toZodObject(mfa.SendMfaSmsParamsSchema)
/** Confirmation that an SMS was sent. Interface, "G. Multi-factor verification". */
export const SendMfaSmsResponseSchema = /*@__PURE__*/ toZodObject(mfa.SendMfaSmsResponseSchema)
/** Partial profile of a user in an application. Interface, "User Application Identity". */
export const PartialUserApplicationProfileSchema = /*@__PURE__*/ toZodObject(
  identities.PartialUserApplicationProfileSchema,
)
/** Account of a user in an application. Interface, "User Application Identity". */
export const UserApplicationIdentitySchema = /*@__PURE__*/ toZodObject(identities.UserApplicationIdentitySchema)
/** Response of `identities.list`. Interface, "H. Profile widgets and application identities". */
export const UserApplicationIdentitiesSchema = /*@__PURE__*/ toZodObject(identities.UserApplicationIdentitiesSchema)
/** External account of a user in the authorized application. Interface, "User Application Identity". */
export const PartialApplicationIdentitySchema = /*@__PURE__*/ toZodObject(identities.PartialApplicationIdentitySchema)
/** Full profile; all fields are kept. Interface, "H. Profile widgets and application identities". */
export const UserApplicationProfileSchema = /*@__PURE__*/ toZodObject(identities.UserApplicationProfileSchema)
/** Parameters of `identities.listBulk`. Interface, "H. Profile widgets and application identities". */
export const ListBulkIdentitiesParamsSchema = /*@__PURE__*/ toZodObject(identities.ListBulkIdentitiesParamsSchema)
/** Parameters of `identities.updateProfile`. Interface, "H. Profile widgets and application identities". */
export const UpdateProfileParamsSchema = /*@__PURE__*/ toZodObject(identities.UpdateProfileParamsSchema)
/** Parameters of `identities.list`. Interface, "H. Profile widgets and application identities". */
export const ListIdentitiesParamsSchema = /*@__PURE__*/ toZodObject(identities.ListIdentitiesParamsSchema)
/** Parameters of `identities.updateConfig`. Interface, "H. Profile widgets and application identities". */
export const UpdateProfileConfigParamsSchema = /*@__PURE__*/ toZodObject(identities.UpdateProfileConfigParamsSchema)
/** Media in a response. Interface, "Unfurled Media Item". */
export const UnfurledMediaItemSchema = /*@__PURE__*/ toZodObject(profileData.UnfurledMediaItemSchema)
/** Media in a request; other fields are accepted. Interface, "Unfurled Media Item". */
export const MediaItemInputSchema = /*@__PURE__*/ toZodObject(profileData.MediaItemInputSchema)
/** Primary statistics of a profile. Interface, "User Application Identity". */
export const PrimaryDataSchema = /*@__PURE__*/ toZodObject(profileData.PrimaryDataSchema)
/** Primary statistics to set on a profile. Interface, "User Application Identity". */
export const PrimaryDataInputSchema = /*@__PURE__*/ toZodObject(profileData.PrimaryDataInputSchema)
/** Value of a custom statistic. Interface, "User Application Identity". */
export const DynamicDataValueSchema = /*@__PURE__*/ toZod(profileData.DynamicDataValueSchema)
/** Custom statistic of a game. Interface, "User Application Identity". */
export const DynamicDataSchema = /*@__PURE__*/ toZodObject(profileData.DynamicDataSchema)
/** Custom statistic to set on a profile, or one that a call returned. Interface, "User Application Identity". */
export const DynamicDataInputSchema = /*@__PURE__*/ toZod(profileData.DynamicDataInputSchema)
/** Data of an application on a user's profile. Interface, "User Application Identity". */
export const ProfileDataSchema = /*@__PURE__*/ toZodObject(profileData.ProfileDataSchema)
/** Data to set on a user's profile. Interface, "User Application Identity". */
export const ProfileDataInputSchema = /*@__PURE__*/ toZodObject(profileData.ProfileDataInputSchema)
/** Game on a widget. Interface, "Game Widget". */
export const GameWidgetGameSchema = /*@__PURE__*/ toZodObject(widgets.GameWidgetGameSchema)
/** Data of a widget. Interface, "Game Widget". */
export const GameWidgetDataSchema = /*@__PURE__*/ toZodObject(widgets.GameWidgetDataSchema)
/** Widget on a user's profile. Interface, "Game Widget". */
export const GameWidgetSchema = /*@__PURE__*/ toZodObject(widgets.GameWidgetSchema)
/** Game to set on a widget. Interface, "Game Widget". */
export const GameWidgetGameInputSchema = /*@__PURE__*/ toZodObject(widgets.GameWidgetGameInputSchema)
/** Data to set on a widget. Interface, "Game Widget". */
export const GameWidgetDataInputSchema = /*@__PURE__*/ toZodObject(widgets.GameWidgetDataInputSchema)
/** Widget to set on the profile. Interface, "H. Profile widgets and application identities". */
export const GameWidgetInputSchema = /*@__PURE__*/ toZodObject(widgets.GameWidgetInputSchema)
/** Widget returned by a call, to be kept. Interface, "H. Profile widgets and application identities". */
export const ExistingGameWidgetSchema = /*@__PURE__*/ toZodObject(widgets.ExistingGameWidgetSchema)
/** Parameters of `widgets.replace`. Interface, "H. Profile widgets and application identities". */
export const ReplaceWidgetsParamsSchema = /*@__PURE__*/ toZodObject(widgets.ReplaceWidgetsParamsSchema)
/** Games suggested for widgets. Interface, "H. Profile widgets and application identities". */
export const SuggestedGamesSchema = /*@__PURE__*/ toZodObject(widgets.SuggestedGamesSchema)
/** Field of a surface. Interface, "Widget Config". */
export const WidgetComponentFieldSchema = /*@__PURE__*/ toZodObject(widgetConfigs.WidgetComponentFieldSchema)
/** Component of a surface. Interface, "Widget Config". */
export const WidgetSurfaceComponentSchema = /*@__PURE__*/ toZodObject(widgetConfigs.WidgetSurfaceComponentSchema)
/** Look of a widget in one place. Interface, "Widget Config". */
export const WidgetSurfaceSchema = /*@__PURE__*/ toZodObject(widgetConfigs.WidgetSurfaceSchema)
/** Look of an application's data on profiles. Interface, "Widget Config". */
export const WidgetConfigSchema = /*@__PURE__*/ toZodObject(widgetConfigs.WidgetConfigSchema)
/** Configs by application. Interface, "I. Widget configs". */
export const WidgetConfigsByApplicationSchema = /*@__PURE__*/ toZodObject(
  widgetConfigs.WidgetConfigsByApplicationSchema,
)
/** Configs featured by the service. Interface, "I. Widget configs". */
export const FeaturedWidgetConfigsSchema = /*@__PURE__*/ toZodObject(widgetConfigs.FeaturedWidgetConfigsSchema)
/** Field of a layout. Interface, "Widget Config". */
export const LayoutFieldSchema = /*@__PURE__*/ toZodObject(widgetConfigs.LayoutFieldSchema)
/** Component of a layout. Interface, "Widget Config". */
export const LayoutComponentSchema = /*@__PURE__*/ toZodObject(widgetConfigs.LayoutComponentSchema)
/** Definition of a layout. Interface, "Widget Config". */
export const LayoutDefinitionSchema = /*@__PURE__*/ toZodObject(widgetConfigs.LayoutDefinitionSchema)
/** Parameters of `widgetConfigs.create`. Interface, "I. Widget configs". */
export const CreateWidgetConfigParamsSchema = /*@__PURE__*/ toZodObject(widgetConfigs.CreateWidgetConfigParamsSchema)
/** Parameters of `widgetConfigs.update`; the surfaces are required. Interface, "I. Widget configs". */
export const UpdateWidgetConfigParamsSchema = /*@__PURE__*/ toZodObject(widgetConfigs.UpdateWidgetConfigParamsSchema)
/** Partial data of a user. The interface document does not show the fields. Interface, "Open shapes". */
export const PartialUserSchema = /*@__PURE__*/ toZodObject(relationships.PartialUserSchema)
/** Friendship, friend request or block between the current user and another. Interface, "Relationship". */
export const RelationshipSchema = /*@__PURE__*/ toZodObject(relationships.RelationshipSchema)
/** Parameters of `relationships.sendRequest`. Interface, "J. Relationships". */
export const SendFriendRequestParamsSchema = /*@__PURE__*/ toZodObject(relationships.SendFriendRequestParamsSchema)
/** Parameters of `relationships.create`. Interface, "J. Relationships". */
export const CreateRelationshipParamsSchema = /*@__PURE__*/ toZodObject(relationships.CreateRelationshipParamsSchema)
/** Parameters of `relationships.update`. Interface, "J. Relationships". */
export const UpdateRelationshipParamsSchema = /*@__PURE__*/ toZodObject(relationships.UpdateRelationshipParamsSchema)
/** Parameters of `relationships.deleteBulk`. Interface, "J. Relationships". */
export const DeleteBulkRelationshipsParamsSchema = /*@__PURE__*/ toZodObject(
  relationships.DeleteBulkRelationshipsParamsSchema,
)
/** Parameters of `relationships.addBulk`. Interface, "J. Relationships". */
export const AddBulkRelationshipsParamsSchema = /*@__PURE__*/ toZodObject(
  relationships.AddBulkRelationshipsParamsSchema,
)
/** Result of a bulk add. Interface, "J. Relationships". */
export const BulkAddResultSchema = /*@__PURE__*/ toZodObject(relationships.BulkAddResultSchema)
/** Friendship or friend request inside a game, created through an application. Interface, "Game Relationship". */
export const GameRelationshipSchema = /*@__PURE__*/ toZodObject(gameRelationships.GameRelationshipSchema)
/** Parameters of `gameRelationships.sendRequest`. Interface, "K. Game relationships and suggestions". */
export const SendGameFriendRequestParamsSchema = /*@__PURE__*/ toZodObject(
  gameRelationships.SendGameFriendRequestParamsSchema,
)
/** Parameters of `gameRelationships.create`. Interface, "K. Game relationships and suggestions". */
export const CreateGameRelationshipParamsSchema = /*@__PURE__*/ toZodObject(
  gameRelationships.CreateGameRelationshipParamsSchema,
)
/** Parameters of `gameRelationships.createForApplication`. Interface, "K. Game relationships and suggestions". */
export const CreateGameRelationshipForApplicationParamsSchema = /*@__PURE__*/ toZodObject(
  gameRelationships.CreateGameRelationshipForApplicationParamsSchema,
)
/** Reason for a friend suggestion. Interface, "Friend Suggestion". */
export const FriendSuggestionReasonSchema = /*@__PURE__*/ toZodObject(friendSuggestions.FriendSuggestionReasonSchema)
/** User whom the current user may know. Interface, "Friend Suggestion". */
export const FriendSuggestionSchema = /*@__PURE__*/ toZodObject(friendSuggestions.FriendSuggestionSchema)
/** Sent when a Gateway session starts; all fields are kept. Interface, "Events". */
export const ReadyEventSchema = /*@__PURE__*/ toZodObject(gatewayEvents.ReadyEventSchema)
/** Sent when the authentication session of the Gateway session changes. Interface, "Events". */
export const AuthSessionChangeEventSchema = /*@__PURE__*/ toZodObject(gatewayEvents.AuthSessionChangeEventSchema)
/** Changes of a relationship: an absent field is unchanged, `null` removes it. Interface, "Events". */
export const RelationshipUpdateEventSchema = /*@__PURE__*/ toZodObject(gatewayEvents.RelationshipUpdateEventSchema)
/** Removed relationship. Interface, "Events". */
export const RelationshipRemoveEventSchema = /*@__PURE__*/ toZodObject(gatewayEvents.RelationshipRemoveEventSchema)
/** Removed game relationship. Interface, "Events". */
export const GameRelationshipRemoveEventSchema = /*@__PURE__*/ toZodObject(
  gatewayEvents.GameRelationshipRemoveEventSchema,
)
/** Removed friend suggestion. Interface, "Events". */
export const FriendSuggestionDeleteEventSchema = /*@__PURE__*/ toZodObject(
  gatewayEvents.FriendSuggestionDeleteEventSchema,
)
/** Object whose fields the interface document does not show; all are kept. Interface, "Open shapes". */
export const OpenObjectSchema = /*@__PURE__*/ toZodObject(schema.OpenObjectSchema)
