/**
 * Params, responses and events of the API as Zod schemas, for forms and servers. Each `z.infer` equals the
 * interface of the same name in `rapport-sdk`, except that of `DynamicDataInputSchema`, which also is the
 * `DynamicData` that a call returned.
 */

import type * as z from 'zod/v4'
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

/** Client that last used a session. API, "Auth Session". */
export const AuthSessionClientInfoSchema = toZodObject(sessions.AuthSessionClientInfoSchema)
/** Authentication session. Belongs to exactly one authentication token. API, "Auth Session". */
export const AuthSessionSchema = toZodObject(sessions.AuthSessionSchema)
/** Response of `auth.sessions.list`. API, "A. Sessions". */
export const AuthSessionsSchema = toZodObject(sessions.AuthSessionsSchema)
/** Parameters of `auth.sessions.logout`. API, "A. Sessions". */
export const LogoutSessionsParamsSchema = toZodObject(sessions.LogoutSessionsParamsSchema)
/** Password, 8–72 characters. API, "Limits". */
export const PasswordSchema: z.ZodType<string, string> = toZod(login.PasswordSchema)
/** User settings returned by a sign-in. API, "Login Settings". */
export const LoginSettingsSchema = toZodObject(login.LoginSettingsSchema)
/** Parameters of `auth.login`. API, "B. Login". */
export const LoginParamsSchema = toZodObject(login.LoginParamsSchema)
/** Response of Login Account: a completed login, or a second factor is required. API, "B. Login". */
export const LoginResponseSchema = toZodObject(login.LoginResponseSchema)
/** Parameters of `auth.verifyMfaLogin`. API, "B. Login". */
export const VerifyMfaLoginParamsSchema = toZodObject(login.VerifyMfaLoginParamsSchema)
/** Login completed by a second factor. API, "B. Login". */
export const VerifyMfaLoginResponseSchema = toZodObject(login.VerifyMfaLoginResponseSchema)
/** Parameters of `auth.authorizeIp`. API, "B. Login". */
export const AuthorizeIpParamsSchema = toZodObject(login.AuthorizeIpParamsSchema)
/** WebAuthn ceremony started by the service. API, "B. Login". */
export const PasswordlessLoginStartSchema = toZodObject(login.PasswordlessLoginStartSchema)
/** Parameters of `auth.finishPasswordlessLogin`. API, "B. Login". */
export const FinishPasswordlessLoginParamsSchema = toZodObject(login.FinishPasswordlessLoginParamsSchema)
/** Completed passwordless login. API, "B. Login". */
export const PasswordlessLoginResponseSchema = toZodObject(login.PasswordlessLoginResponseSchema)
/** Parameters of `auth.createHandoffToken`. API, "B. Login". */
export const CreateHandoffTokenParamsSchema = toZodObject(login.CreateHandoffTokenParamsSchema)
/** Handoff for another client. API, "Handoff token". */
export const HandoffTokenSchema = toZodObject(login.HandoffTokenSchema)
/** Parameters of `auth.exchangeHandoffToken`. API, "B. Login". */
export const ExchangeHandoffTokenParamsSchema = toZodObject(login.ExchangeHandoffTokenParamsSchema)
/** Completed handoff. API, "B. Login". */
export const HandoffExchangeSchema = toZodObject(login.HandoffExchangeSchema)
/** Parameters of `auth.logout`: push notifications to unregister. API, "D. Logout". */
export const LogoutParamsSchema = toZodObject(login.LogoutParamsSchema)
/** Parameters of `auth.register`; `username` or `global_name` is required. API, "C. Registration". */
export const RegisterParamsSchema = toZodObject(registration.RegisterParamsSchema)
/** Completed registration. API, "C. Registration". */
export const RegisterResponseSchema = toZodObject(registration.RegisterResponseSchema)
/** Parameters of `auth.registerPhone`. API, "C. Registration". */
export const RegisterPhoneParamsSchema = toZodObject(registration.RegisterPhoneParamsSchema)
/** Consent that promotional emails require. API, "Promotional Email Metadata". */
export const PromotionalEmailMetadataSchema = toZodObject(registration.PromotionalEmailMetadataSchema)
/** Registration requirements at the caller's location. API, "C. Registration". */
export const LocationMetadataSchema = toZodObject(registration.LocationMetadataSchema)
/** Parameters of `auth.validatePassword`. API, "C. Registration". */
export const ValidatePasswordParamsSchema = toZodObject(registration.ValidatePasswordParamsSchema)
/** Result of a password validation. API, "C. Registration". */
export const PasswordValidationSchema = toZodObject(registration.PasswordValidationSchema)
/** Parameters of `auth.suggestUsername`. API, "C. Registration". */
export const SuggestUsernameParamsSchema = toZodObject(registration.SuggestUsernameParamsSchema)
/** Available username. API, "C. Registration". */
export const UsernameSuggestionSchema = toZodObject(registration.UsernameSuggestionSchema)
/** Parameters of `auth.checkUsername`. API, "C. Registration". */
export const CheckUsernameParamsSchema = toZodObject(registration.CheckUsernameParamsSchema)
/** Availability of a username. API, "C. Registration". */
export const UsernameEligibilitySchema = toZodObject(registration.UsernameEligibilitySchema)
/** Parameters of `auth.forgotPassword`. API, "E. Password recovery". */
export const ForgotPasswordParamsSchema = toZodObject(recovery.ForgotPasswordParamsSchema)
/** Response of `auth.forgotPassword`. API, "E. Password recovery". */
export const ForgotPasswordResponseSchema = toZodObject(recovery.ForgotPasswordResponseSchema)
/** Parameters of `auth.resetPassword`. API, "E. Password recovery". */
export const ResetPasswordParamsSchema = toZodObject(recovery.ResetPasswordParamsSchema)
/** Response of Reset Password. API, "E. Password recovery". */
export const ResetPasswordResponseSchema = toZodObject(recovery.ResetPasswordResponseSchema)
/** Parameters of `auth.oneTimeLogin`. API, "E. Password recovery". */
export const OneTimeLoginParamsSchema = toZodObject(recovery.OneTimeLoginParamsSchema)
/** Completed one-time login. API, "E. Password recovery". */
export const OneTimeLoginResponseSchema = toZodObject(recovery.OneTimeLoginResponseSchema)
/** Parameters of `auth.revertAccount`. API, "F. Account recovery". */
export const RevertAccountParamsSchema = toZodObject(recovery.RevertAccountParamsSchema)
/** Restored account. API, "F. Account recovery". */
export const RevertAccountResponseSchema = toZodObject(recovery.RevertAccountResponseSchema)
/** Second factor that the service accepts. API, "MFA Required Response". */
export const MfaMethodSchema = toZodObject(mfa.MfaMethodSchema)
/** Verification required by the service. API, "MFA Required Response". */
export const MfaVerificationRequestSchema = toZodObject(mfa.MfaVerificationRequestSchema)
/** Parameters of `mfa.finish`. API, "G. Multi-factor verification". */
export const FinishMfaParamsSchema = toZodObject(mfa.FinishMfaParamsSchema)
/** Verified second factor. API, "G. Multi-factor verification". */
export const FinishMfaResponseSchema = toZodObject(mfa.FinishMfaResponseSchema)
/** Parameters of `mfa.sendSms`. API, "G. Multi-factor verification". */
export const SendMfaSmsParamsSchema = toZodObject(mfa.SendMfaSmsParamsSchema)
/** Confirmation that an SMS was sent. API, "G. Multi-factor verification". */
export const SendMfaSmsResponseSchema = toZodObject(mfa.SendMfaSmsResponseSchema)
/** Partial profile of a user in an application. API, "User Application Identity". */
export const PartialUserApplicationProfileSchema = toZodObject(identities.PartialUserApplicationProfileSchema)
/** Account of a user in an application. API, "User Application Identity". */
export const UserApplicationIdentitySchema = toZodObject(identities.UserApplicationIdentitySchema)
/** Response of `identities.list`. API, "H. Profile widgets and application identities". */
export const UserApplicationIdentitiesSchema = toZodObject(identities.UserApplicationIdentitiesSchema)
/** External account of a user in the authorized application. API, "User Application Identity". */
export const PartialApplicationIdentitySchema = toZodObject(identities.PartialApplicationIdentitySchema)
/** Full profile; all fields are kept. API, "H. Profile widgets and application identities". */
export const UserApplicationProfileSchema = toZodObject(identities.UserApplicationProfileSchema)
/** Parameters of `identities.listBulk`. API, "H. Profile widgets and application identities". */
export const ListBulkIdentitiesParamsSchema = toZodObject(identities.ListBulkIdentitiesParamsSchema)
/** Parameters of `identities.updateProfile`. API, "H. Profile widgets and application identities". */
export const UpdateProfileParamsSchema = toZodObject(identities.UpdateProfileParamsSchema)
/** Parameters of `identities.list`. API, "H. Profile widgets and application identities". */
export const ListIdentitiesParamsSchema = toZodObject(identities.ListIdentitiesParamsSchema)
/** Parameters of `identities.updateConfig`. API, "H. Profile widgets and application identities". */
export const UpdateProfileConfigParamsSchema = toZodObject(identities.UpdateProfileConfigParamsSchema)
/** Media in a response. API, "Unfurled Media Item". */
export const UnfurledMediaItemSchema = toZodObject(profileData.UnfurledMediaItemSchema)
/** Media in a request; other fields are accepted. API, "Unfurled Media Item". */
export const MediaItemInputSchema = toZodObject(profileData.MediaItemInputSchema)
/** Primary statistics of a profile. API, "User Application Identity". */
export const PrimaryDataSchema = toZodObject(profileData.PrimaryDataSchema)
/** Primary statistics to set on a profile. API, "User Application Identity". */
export const PrimaryDataInputSchema = toZodObject(profileData.PrimaryDataInputSchema)
/** Value of a custom statistic. API, "User Application Identity". */
export const DynamicDataValueSchema = toZod(profileData.DynamicDataValueSchema)
/** Custom statistic of a game. API, "User Application Identity". */
export const DynamicDataSchema = toZodObject(profileData.DynamicDataSchema)
/** Custom statistic to set on a profile, or one that a call returned. API, "User Application Identity". */
export const DynamicDataInputSchema = toZod(profileData.DynamicDataInputSchema)
/** Data of an application on a user's profile. API, "User Application Identity". */
export const ProfileDataSchema = toZodObject(profileData.ProfileDataSchema)
/** Data to set on a user's profile. API, "User Application Identity". */
export const ProfileDataInputSchema = toZodObject(profileData.ProfileDataInputSchema)
/** Game on a widget. API, "Game Widget". */
export const GameWidgetGameSchema = toZodObject(widgets.GameWidgetGameSchema)
/** Data of a widget. API, "Game Widget". */
export const GameWidgetDataSchema = toZodObject(widgets.GameWidgetDataSchema)
/** Widget on a user's profile. API, "Game Widget". */
export const GameWidgetSchema = toZodObject(widgets.GameWidgetSchema)
/** Game to set on a widget. API, "Game Widget". */
export const GameWidgetGameInputSchema = toZodObject(widgets.GameWidgetGameInputSchema)
/** Data to set on a widget. API, "Game Widget". */
export const GameWidgetDataInputSchema = toZodObject(widgets.GameWidgetDataInputSchema)
/** Widget to set on the profile. API, "H. Profile widgets and application identities". */
export const GameWidgetInputSchema = toZodObject(widgets.GameWidgetInputSchema)
/** Widget returned by a call, to be kept. API, "H. Profile widgets and application identities". */
export const ExistingGameWidgetSchema = toZodObject(widgets.ExistingGameWidgetSchema)
/** Parameters of `widgets.replace`. API, "H. Profile widgets and application identities". */
export const ReplaceWidgetsParamsSchema = toZodObject(widgets.ReplaceWidgetsParamsSchema)
/** Games suggested for widgets. API, "H. Profile widgets and application identities". */
export const SuggestedGamesSchema = toZodObject(widgets.SuggestedGamesSchema)
/** Field of a surface. API, "Widget Config". */
export const WidgetComponentFieldSchema = toZodObject(widgetConfigs.WidgetComponentFieldSchema)
/** Component of a surface. API, "Widget Config". */
export const WidgetSurfaceComponentSchema = toZodObject(widgetConfigs.WidgetSurfaceComponentSchema)
/** Look of a widget in one place. API, "Widget Config". */
export const WidgetSurfaceSchema = toZodObject(widgetConfigs.WidgetSurfaceSchema)
/** Look of an application's data on profiles. API, "Widget Config". */
export const WidgetConfigSchema = toZodObject(widgetConfigs.WidgetConfigSchema)
/** Configs by application. API, "I. Widget configs". */
export const WidgetConfigsByApplicationSchema = toZodObject(widgetConfigs.WidgetConfigsByApplicationSchema)
/** Configs featured by the service. API, "I. Widget configs". */
export const FeaturedWidgetConfigsSchema = toZodObject(widgetConfigs.FeaturedWidgetConfigsSchema)
/** Field of a layout. API, "Widget Config". */
export const LayoutFieldSchema = toZodObject(widgetConfigs.LayoutFieldSchema)
/** Component of a layout. API, "Widget Config". */
export const LayoutComponentSchema = toZodObject(widgetConfigs.LayoutComponentSchema)
/** Definition of a layout. API, "Widget Config". */
export const LayoutDefinitionSchema = toZodObject(widgetConfigs.LayoutDefinitionSchema)
/** Parameters of `widgetConfigs.create`. API, "I. Widget configs". */
export const CreateWidgetConfigParamsSchema = toZodObject(widgetConfigs.CreateWidgetConfigParamsSchema)
/** Parameters of `widgetConfigs.update`; the surfaces are required. API, "I. Widget configs". */
export const UpdateWidgetConfigParamsSchema = toZodObject(widgetConfigs.UpdateWidgetConfigParamsSchema)
/** Partial data of a user. The API document does not show the fields. API, "Open shapes". */
export const PartialUserSchema = toZodObject(relationships.PartialUserSchema)
/** Friendship, friend request or block between the current user and another. API, "Relationship". */
export const RelationshipSchema = toZodObject(relationships.RelationshipSchema)
/** Parameters of `relationships.sendRequest`. API, "J. Relationships". */
export const SendFriendRequestParamsSchema = toZodObject(relationships.SendFriendRequestParamsSchema)
/** Parameters of `relationships.create`. API, "J. Relationships". */
export const CreateRelationshipParamsSchema = toZodObject(relationships.CreateRelationshipParamsSchema)
/** Parameters of `relationships.update`. API, "J. Relationships". */
export const UpdateRelationshipParamsSchema = toZodObject(relationships.UpdateRelationshipParamsSchema)
/** Parameters of `relationships.deleteBulk`. API, "J. Relationships". */
export const DeleteBulkRelationshipsParamsSchema = toZodObject(relationships.DeleteBulkRelationshipsParamsSchema)
/** Parameters of `relationships.addBulk`. API, "J. Relationships". */
export const AddBulkRelationshipsParamsSchema = toZodObject(relationships.AddBulkRelationshipsParamsSchema)
/** Result of a bulk add. API, "J. Relationships". */
export const BulkAddResultSchema = toZodObject(relationships.BulkAddResultSchema)
/** Friendship or friend request inside a game, created through an application. API, "Game Relationship". */
export const GameRelationshipSchema = toZodObject(gameRelationships.GameRelationshipSchema)
/** Parameters of `gameRelationships.sendRequest`. API, "K. Game relationships and suggestions". */
export const SendGameFriendRequestParamsSchema = toZodObject(gameRelationships.SendGameFriendRequestParamsSchema)
/** Parameters of `gameRelationships.create`. API, "K. Game relationships and suggestions". */
export const CreateGameRelationshipParamsSchema = toZodObject(gameRelationships.CreateGameRelationshipParamsSchema)
/** Parameters of `gameRelationships.createForApplication`. API, "K. Game relationships and suggestions". */
export const CreateGameRelationshipForApplicationParamsSchema = toZodObject(
  gameRelationships.CreateGameRelationshipForApplicationParamsSchema,
)
/** Reason for a friend suggestion. API, "Friend Suggestion". */
export const FriendSuggestionReasonSchema = toZodObject(relationships.FriendSuggestionReasonSchema)
/** User whom the current user may know. API, "Friend Suggestion". */
export const FriendSuggestionSchema = toZodObject(relationships.FriendSuggestionSchema)
/** Sent when a Gateway session starts; all fields are kept. API, "Events". */
export const ReadyEventSchema = toZodObject(gatewayEvents.ReadyEventSchema)
/** Sent when the authentication session of the Gateway session changes. API, "Events". */
export const AuthSessionChangeEventSchema = toZodObject(gatewayEvents.AuthSessionChangeEventSchema)
/** Changes of a relationship: an absent field is unchanged, `null` removes it. API, "Events". */
export const RelationshipUpdateEventSchema = toZodObject(gatewayEvents.RelationshipUpdateEventSchema)
/** Removed relationship. API, "Events". */
export const RelationshipRemoveEventSchema = toZodObject(gatewayEvents.RelationshipRemoveEventSchema)
/** Removed game relationship. API, "Events". */
export const GameRelationshipRemoveEventSchema = toZodObject(gatewayEvents.GameRelationshipRemoveEventSchema)
/** Removed friend suggestion. API, "Events". */
export const FriendSuggestionDeleteEventSchema = toZodObject(gatewayEvents.FriendSuggestionDeleteEventSchema)
/** Object whose fields the API document does not show; all are kept. API, "Open shapes". */
export const OpenObjectSchema = toZodObject(schema.OpenObjectSchema)
