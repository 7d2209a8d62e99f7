/** `createClient`: a client of only the parts that an app uses. */

export type { BaseClient } from './client/base-client'
export {
  type CoreClient,
  createClient,
  type OptionsOf,
  type Parts,
} from './client/create-client'
export { type CallState, type ClientState, inspectClient, type LimitState, type LiveState } from './client/inspect'
export type { CoreOptions, SessionOption, StepUpOptions } from './client/options'
export {
  type AuthOf,
  auth,
  friendSuggestions,
  gameRelationships,
  gateway,
  identities,
  live,
  type MembersOf,
  type MembersWith,
  mfa,
  type Part,
  type PartMembers,
  type PartName,
  passkeys,
  recovery,
  registration,
  relationships,
  request,
  type SuspendedClient,
  widgetConfigs,
  widgets,
} from './client/parts'
export { showInPerformancePanel } from './client/performance-panel'
export type { PartialUser } from './contract/relationships'
export type { MfaOptions } from './mfa/options'
export type { CookieAuth, SessionMode, WithoutToken } from './resources/auth'
export type { GameRelationships } from './resources/game-relationships'
export type { FriendSuggestions, Relationships } from './resources/relationships'
export { objectFirstLogger } from './transport/events'
