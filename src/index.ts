/** `Client`, its errors, and the types and enumerations of the interface; how the package works is not exported. */
export { ApiPromise, type ResponseInfo, type WithResponse } from './api-promise'
export { Client, type SuspendedClient } from './client'
export type { Method } from './contract/endpoint'
export {
  type FriendSuggestion,
  type FriendSuggestionReason,
  FriendSuggestionReasonType,
} from './contract/friend-suggestions'
export {
  type CreateGameRelationshipForApplicationParams,
  type CreateGameRelationshipParams,
  type GameRelationship,
  GameRelationshipType,
  type SendGameFriendRequestParams,
} from './contract/game-relationships'
export type {
  AuthSessionChangeEvent,
  FriendSuggestionDeleteEvent,
  GameRelationshipRemoveEvent,
  ReadyEvent,
  RelationshipRemoveEvent,
  RelationshipUpdateEvent,
} from './contract/gateway-events'
export type {
  CreateHandoffTokenParams,
  ExchangeHandoffTokenParams,
  HandoffExchange,
  HandoffToken,
} from './contract/handoff'
export {
  type ListBulkIdentitiesParams,
  type ListIdentitiesParams,
  type PartialApplicationIdentity,
  type PartialUserApplicationProfile,
  PROFILE_METADATA,
  type UpdateProfileConfigParams,
  type UpdateProfileParams,
  type UserApplicationIdentities,
  type UserApplicationIdentity,
  type UserApplicationProfile,
} from './contract/identities'
export { formatPath, type Issue, type IssueCode } from './contract/issue'
export {
  type AuthorizeIpParams,
  type LoginOrigin,
  type LoginParams,
  LoginRequiredActionType,
  type LoginResponse,
  type LoginSettings,
  LoginSource,
  type MfaFlags,
  PASSWORD_LENGTH,
  type VerifyMfaLoginParams,
  type VerifyMfaLoginResponse,
} from './contract/login'
export type { LogoutParams } from './contract/logout'
export { type MediaItemInput, MediaLoadingState, type UnfurledMediaItem } from './contract/media'
export {
  AuthenticatorType,
  type FinishMfaParams,
  type FinishMfaResponse,
  MFA_REQUIRED_CODE,
  type MfaMethod,
  type MfaRequiredResponse,
  type MfaVerificationRequest,
  type SendMfaSmsParams,
  type SendMfaSmsResponse,
} from './contract/mfa'
export type { PartialUser } from './contract/partial-user'
export type {
  FinishPasswordlessLoginParams,
  PasswordlessLoginResponse,
  PasswordlessLoginStart,
} from './contract/passwordless'
export {
  type DynamicData,
  type DynamicDataInput,
  DynamicDataType,
  type PrimaryData,
  type PrimaryDataInput,
  type PrimaryDataOf,
  type ProfileData,
  type ProfileDataInput,
} from './contract/profile-data'
export {
  type ForgotPasswordParams,
  type ForgotPasswordResponse,
  type OneTimeLoginParams,
  type OneTimeLoginResponse,
  PasswordResetMethod,
  type ResetPasswordParams,
  type ResetPasswordResponse,
  type RevertAccountParams,
  type RevertAccountResponse,
} from './contract/recovery'
export type {
  LocationMetadata,
  PasswordValidation,
  PromotionalEmailMetadata,
  RegisterParams,
  RegisterPhoneParams,
  RegisterResponse,
  ValidatePasswordParams,
} from './contract/registration'
export {
  ACCEPT_OR_REQUEST,
  type AddBulkRelationshipsParams,
  type BulkAddResult,
  type CreateRelationshipParams,
  type DeleteBulkRelationshipsParams,
  type Relationship,
  RelationshipRemovalFilter,
  RelationshipType,
  type SendFriendRequestParams,
  type UpdateRelationshipParams,
} from './contract/relationships'
export type { Immutable, Open, OpenObject, ValueOf } from './contract/schema'
export type { AuthSession, AuthSessionClientInfo, AuthSessions, LogoutSessionsParams } from './contract/sessions'
export type {
  CheckUsernameParams,
  SuggestUsernameParams,
  UsernameEligibility,
  UsernameSuggestion,
} from './contract/usernames'
export {
  type CreateWidgetConfigParams,
  type FeaturedWidgetConfigs,
  isLayoutDefinition,
  type LayoutComponent,
  type LayoutDefinition,
  type LayoutDefinitions,
  type LayoutField,
  type UpdateWidgetConfigParams,
  type WidgetConfig,
  WidgetConfigStatus,
  type WidgetConfigsByApplication,
  type WidgetSurfacesInput,
} from './contract/widget-configs'
export {
  LayoutDefinitionKey,
  PresentationType,
  SurfaceType,
  ValueType,
  type WidgetComponentField,
  type WidgetComponentFieldInput,
  type WidgetSurface,
  type WidgetSurfaceComponent,
  type WidgetSurfaceComponentInput,
  type WidgetSurfaceInput,
} from './contract/widget-surfaces'
export {
  type ExistingGameWidget,
  GAME_WIDGET_MAX_GAMES,
  type GameWidget,
  type GameWidgetData,
  type GameWidgetDataInput,
  type GameWidgetGame,
  type GameWidgetGameInput,
  type GameWidgetInput,
  GameWidgetSkillTag,
  GameWidgetTag,
  GameWidgetType,
  type ReplaceWidgetsParams,
  type SuggestedGames,
} from './contract/widgets'
export {
  AccountDeletionScheduledError,
  AccountDisabledError,
  AccountRecoverableError,
  isAccountDeletionScheduledError,
  isAccountDisabledError,
  isAccountRecoverableError,
} from './errors/account-errors'
export { ApiError, type FieldError, isApiError } from './errors/api-error'
export { ComponentError, isComponentError } from './errors/component-error'
export {
  ConnectionError,
  isConnectionError,
  isResponseParseError,
  isTimeoutError,
  ResponseParseError,
  type TimeLimit,
  TimeoutError,
} from './errors/connection-errors'
export { GatewayError, type GatewayFailure, isGatewayError } from './errors/gateway-error'
export {
  isMfaCancelledError,
  isMfaFailedError,
  isMfaRequiredError,
  MfaCancelledError,
  MfaFailedError,
  MfaRequiredError,
} from './errors/mfa-errors'
export { isRapportError, RapportError } from './errors/rapport-error'
export {
  AuthenticationError,
  isAuthenticationError,
  isNotFoundError,
  isPermissionError,
  isRateLimitError,
  isServerError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
} from './errors/status-errors'
export {
  isRequestValidationError,
  isResponseMismatchError,
  RequestValidationError,
  ResponseMismatchError,
} from './errors/validation-errors'
export { isWebAuthnError, WebAuthnError, type WebAuthnFailure } from './errors/webauthn-error'
export { defaultGatewayProtocol } from './gateway/default-protocol'
export type { GatewayDispatch, GatewayEvents, GatewayMessage, GatewayServiceEvents } from './gateway/events'
export type { Gateway } from './gateway/gateway'
export type {
  GatewayBackoffOptions,
  GatewayCallOptions,
  GatewayConnectOptions,
  GatewayOptions,
  WaitForOptions,
} from './gateway/options'
export type { GatewayCloseAction, GatewayFrame, GatewayProtocol } from './gateway/protocol'
export type { GatewaySocket, GatewaySocketClass, GatewaySocketEvent } from './gateway/socket'
export type { GatewayResumed, GatewayState, GatewayStateChange } from './gateway/state'
export type { GatewayWarning, GatewayWarningCode } from './gateway/warning'
export type { FriendSuggestionStore } from './live/friend-suggestions'
export type { GameRelationshipKey, GameRelationshipStore } from './live/game-relationships'
export type { LiveChange, LiveStore } from './live/live-store'
export type { RelationshipStore } from './live/relationships'
export type { ClientOptions, HeaderValues, MaybePromise, MfaFailureKind, RequestOptions, RetryOptions } from './options'
export type { Auth, LoginResult, ResetResult, WithMfaHandler } from './resources/auth'
export type { AuthSessions as AuthSessionsResource } from './resources/auth-sessions'
export type { FriendSuggestions } from './resources/friend-suggestions'
export type { GameRelationships } from './resources/game-relationships'
export type { Identities } from './resources/identities'
export type { Mfa } from './resources/mfa'
export type { Relationships } from './resources/relationships'
export type { WidgetConfigs } from './resources/widget-configs'
export type { Widgets } from './resources/widgets'
export type {
  Elevated,
  LoginCompleted,
  MfaAnswer,
  MfaChallenge,
  MfaChallengeMethod,
  MfaHandler,
  ResetCompleted,
} from './session/challenge'
export type { MfaPending } from './session/mfa-flow'
export type { Session, SessionChange } from './session/session'
export type { PasskeyLoginOptions } from './session/sign-in'
export type { TokenStore } from './session/token-store'
export type { CustomRequest, QueryValue, StandardResult, StandardSchema } from './transport/custom-request'
export type { CallInfo, ClientEvents, Logger } from './transport/events'
export type { Fetch, FetchInit, FetchResponse } from './transport/fetch'
export type { PublicKeyRequestOptions, WebAuthnAdapter, WebAuthnRequest } from './webauthn/adapter'
