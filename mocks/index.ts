// Public API of the mock. State, routes and pipeline are deliberately not exported: use `policy` to change decisions.
export type { Clock, Duration } from './clock'
export type { EventDetails, GatewayEventDetails, GatewayEventName, MockServiceEvent } from './core'
export type {
  Mail,
  MailKind,
  MailParts,
  Message,
  MessageContents,
  MessageHead,
  MockUser,
  SmsKind,
  UserRef,
} from './database'
export type { ErrorEnvelope, ErrorName, PolicyError, RetryAfterUnit } from './errors'
export type { Fault, FaultDelay, FaultMatch, Faults, PendingFault } from './faults'
export type { GatewayEffect, GatewayLink, GatewayMoment, GatewayPeer, PendingGatewayFault } from './gateway/connection'
export type {
  GatewayFaultOptions,
  GatewaySnapshot,
  InjectedGatewayFault,
  MockGateway,
  MockGatewaySession,
} from './gateway/gateway'
export type { GatewayJournalEntry, MockGatewayFrame } from './gateway/hub'
export type { Journal, JournalAnswer, JournalEntry, JournalReason } from './journal'
export type { MockSocketEvent, MockWebSocket, MockWebSocketClass } from './memory-socket'
export type { MessageQuery, Outbox, WaitForMessageOptions } from './outbox'
export type {
  GatewayCloseCodes,
  GatewayPolicy,
  GatewayPolicyChanges,
  Lifetimes,
  MfaRequirements,
  PasswordRules,
  Policy,
  PolicyChanges,
  PolicySettings,
  RateLimit,
  RateLimits,
  RelationshipChange,
  RelationshipOutcome,
} from './policy'
export { defaultPolicy } from './policy'
export type {
  PasskeyAssertion,
  PasskeyCredential,
  PasskeyVerdict,
  PasskeyVerifier,
  ServiceAnswer,
  ServiceFailure,
  ServiceOutcome,
  ServiceRequest,
} from './request'
export type { EndpointName, EndpointSelector, MockAttachment, MockMessage } from './router'
export type {
  ApplicationRef,
  CreateApplicationOptions,
  CreateIdentityOptions,
  IssueToken,
  MockApplication,
  MockApplications,
  MockIdentities,
  MockLayouts,
  MockRelationships,
  SeedRequestOptions,
  SuggestGamesOptions,
  SuggestOptions,
  TokenOptions,
} from './seed/data'
export type { AddPasskeyOptions, CreateUserOptions, MockUsers } from './seed/users'
export type { MockServiceOptions } from './service'
export { createMockService, type MockService } from './service'
export type { MockSnapshot } from './snapshot'
export type { Stub, StubAnswer, StubEndpoint, StubFunction, StubRequest, Stubs } from './stubs/stubs'
export type { AccountStatus } from './table'
