/** Public API: `Client`, its errors, and the types and enumerations of the API. */

export type { BaseClient } from './client/base-client'
export { Client } from './client/client'
export { type CallState, type ClientState, inspectClient, type LimitState, type LiveState } from './client/inspect'
export type { ClientOptions, CoreOptions, SessionOption, StepUpOptions } from './client/options'
export type { PartMembers, SuspendedClient } from './client/parts'
export { showInPerformancePanel } from './client/performance-panel'
export type { Method } from './contract/endpoint'
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
export type {
  CreateHandoffTokenParams,
  ExchangeHandoffTokenParams,
  FinishPasswordlessLoginParams,
  HandoffExchange,
  HandoffToken,
  LogoutParams,
  PasswordlessLoginResponse,
  PasswordlessLoginStart,
} from './contract/login'
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
export {
  type DynamicData,
  type DynamicDataInput,
  DynamicDataType,
  type MediaItemInput,
  MediaLoadingState,
  type PrimaryData,
  type PrimaryDataInput,
  type PrimaryDataOf,
  type ProfileData,
  type ProfileDataInput,
  type UnfurledMediaItem,
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
  CheckUsernameParams,
  LocationMetadata,
  PasswordValidation,
  PromotionalEmailMetadata,
  RegisterParams,
  RegisterPhoneParams,
  RegisterResponse,
  SuggestUsernameParams,
  UsernameEligibility,
  UsernameSuggestion,
  ValidatePasswordParams,
} from './contract/registration'
export type { PartialUser } from './contract/relationships'
export {
  ACCEPT_OR_REQUEST,
  type AddBulkRelationshipsParams,
  type BulkAddResult,
  type CreateRelationshipParams,
  type DeleteBulkRelationshipsParams,
  type FriendSuggestion,
  type FriendSuggestionReason,
  FriendSuggestionReasonType,
  type Relationship,
  RelationshipRemovalFilter,
  RelationshipType,
  type SendFriendRequestParams,
  type UpdateRelationshipParams,
} from './contract/relationships'
export type { Immutable, Open, OpenObject, ValueOf } from './contract/schema'
export type { AuthSession, AuthSessionClientInfo, AuthSessions, LogoutSessionsParams } from './contract/sessions'
export {
  type CreateWidgetConfigParams,
  type FeaturedWidgetConfigs,
  isLayoutDefinition,
  type LayoutComponent,
  type LayoutDefinition,
  LayoutDefinitionKey,
  type LayoutDefinitions,
  type LayoutField,
  PresentationType,
  SurfaceType,
  type UpdateWidgetConfigParams,
  ValueType,
  type WidgetComponentField,
  type WidgetComponentFieldInput,
  type WidgetConfig,
  WidgetConfigStatus,
  type WidgetConfigsByApplication,
  type WidgetSurface,
  type WidgetSurfaceComponent,
  type WidgetSurfaceComponentInput,
  type WidgetSurfaceInput,
  type WidgetSurfacesInput,
} from './contract/widget-configs'
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
  ApiError,
  AuthenticationError,
  isAccountDeletionScheduledError,
  isAccountDisabledError,
  isAccountRecoverableError,
  isApiError,
  isAuthenticationError,
  isMfaRequiredError,
  isNotFoundError,
  isPermissionError,
  isRateLimitError,
  isServerError,
  MfaRequiredError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
} from './errors/api-errors'
export { isRapportError, RapportError } from './errors/base'
export {
  ComponentError,
  ConnectionError,
  GatewayError,
  type GatewayFailure,
  isComponentError,
  isConnectionError,
  isGatewayError,
  isMfaCancelledError,
  isMfaFailedError,
  isRequestValidationError,
  isResponseMismatchError,
  isResponseParseError,
  isTimeoutError,
  isWebAuthnError,
  MfaCancelledError,
  MfaFailedError,
  RequestValidationError,
  ResponseMismatchError,
  ResponseParseError,
  type TimeLimit,
  TimeoutError,
  WebAuthnError,
  type WebAuthnFailure,
} from './errors/client-errors'
export {
  type ErrorAction,
  type ErrorDetails,
  type ErrorExplanation,
  type ErrorText,
  type ErrorWords,
  type ExplainOptions,
  explain,
  type PartialErrorWords,
} from './errors/explain'
export { errorFromJSON } from './errors/from-json'
export type {
  CustomEvent,
  CustomEventName,
  CustomEvents,
  GatewayDispatch,
  GatewayEvents,
  GatewayMessage,
  GatewayResumed,
  GatewayServiceEvents,
  GatewayState,
  GatewayStateChange,
  GatewayWarning,
  GatewayWarningCode,
} from './gateway/events'
export type { Gateway } from './gateway/gateway'
export type {
  GatewayBackoffOptions,
  GatewayCallOptions,
  GatewayConnectOptions,
  GatewayOptions,
  WaitForOptions,
} from './gateway/options'
export type { GatewayCloseAction, GatewayFrame, GatewayProtocol } from './gateway/protocol'
export { defaultGatewayProtocol } from './gateway/protocol'
export type { GatewaySocket, GatewaySocketClass, GatewaySocketEvent } from './gateway/socket'
export { formatPath, type Issue, type IssueCode } from './internal/issue'
export type { HeaderValues } from './internal/options'
export type { KeyRing, SealingKey } from './internal/seal'
export type { InitialLists, InitialState, LiveChange, LiveOptions } from './live/collection'
export type { InitialView, LiveSelection, LiveStore, LiveView } from './live/live-store'
export type { LiveStatus } from './live/shared-store'
export type {
  FriendSuggestionStore,
  GameRelationshipKey,
  GameRelationshipStore,
  RelationshipStore,
} from './live/stores'
export type { MfaOptions } from './mfa/options'
export { type CreateMfaPromptOptions, createMfaPrompt, type MfaPrompt, type MfaPromptState } from './mfa/prompt'
export type { MfaPending, PasskeyLoginOptions, WithMfaHandler } from './mfa/sign-in'
export type {
  Auth,
  AuthIn,
  AuthSessionsResource,
  CookieAuth,
  LoginResult,
  Passkeys,
  Recovery,
  Registration,
  ResetResult,
  SessionMode,
  SignIn,
  WithoutToken,
} from './resources/auth'
export type { GameRelationships } from './resources/game-relationships'
export type { Identities } from './resources/identities'
export type { Mfa } from './resources/mfa'
export type { FriendSuggestions, Relationships } from './resources/relationships'
export type { WidgetConfigs } from './resources/widget-configs'
export type { Widgets } from './resources/widgets'
export type { Session, SessionChange, SessionSnapshot, SessionStatus, SessionUser } from './session/session'
export { ApiPromise, type ResponseInfo, type WithResponse } from './transport/call'
export type { CustomRequest, QueryValue } from './transport/custom-request'
export type { CallEnd, CallWait, ClientEvents, Drift, RequestFailure } from './transport/events'
export { objectFirstLogger } from './transport/events'
export type {
  ChallengeIn,
  Elevated,
  LoginCompleted,
  MfaAnswer,
  MfaChallenge,
  MfaChallengeMethod,
  MfaFailureKind,
  MfaHandler,
  MfaOutcome,
  MfaState,
  PublicKeyRequestOptions,
  ResetCompleted,
  SaveChallengeOptions,
} from './types/mfa'
export type {
  CallInfo,
  ErrorContent,
  ErrorResponse,
  Fetch,
  FetchInit,
  FetchResponse,
  FieldError,
  Logger,
  MaybePromise,
  ObjectFirstLogger,
  RateLimit,
  RateLimitCall,
  RateLimitFollower,
  RateLimitResponse,
  RateLimitStore,
  RequestOptions,
  RetryOptions,
  StandardResult,
  StandardSchema,
  StoreWarning,
  TokenRecord,
  TokenStore,
  VerificationStore,
} from './types/options'
export type { WebAuthnAdapter, WebAuthnRequest } from './webauthn/ceremony'
