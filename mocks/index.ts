// The service in a box. Its parts (state, routes, pipeline) are deliberately not exported: `policy` replaces decisions.
export type { Clock, ClockStart, Duration } from './clock'
export { defaultPolicy } from './default-policy'
export type {
  ApplicationRef,
  CreateApplicationOptions,
  MockApplication,
  MockApplications,
  MockLayouts,
} from './doors/applications'
export type { CreateIdentityOptions, MockIdentities } from './doors/identities'
export type { AddPasskeyOptions } from './doors/new-passkey'
export type { CreateUserOptions } from './doors/new-user'
export type { MockRelationships, SeedRequestOptions } from './doors/relationships'
export type { TokenDoor, TokenOptions } from './doors/tokens'
export type { MockUsers, SuggestGamesOptions, SuggestOptions } from './doors/users'
export type { EndpointName, EndpointSelector } from './endpoint-names'
export type { ErrorName, PolicyError } from './errors'
export type { ServiceAnswer, ServiceFailure, ServiceOutcome, ServiceRequest } from './exchange'
export type {
  AnswerFault,
  Fault,
  Faults,
  FaultTiming,
  HtmlFault,
  LatencyFault,
  MalformedJsonFault,
  NetworkFault,
  PendingFault,
  ResetFault,
  StallFault,
  TruncateFault,
} from './faults'
export type { GatewayEventName } from './gateway/events'
export type { GatewayEffect, GatewayMoment, PendingGatewayFault } from './gateway/fault-queue'
export type { GatewayFaultOptions, InjectedGatewayFault } from './gateway/faults'
export type { GatewaySnapshot } from './gateway/gateway'
export type { GatewayJournalEntry } from './gateway/journal'
export type { MockGateway, MockGatewaySession } from './gateway/mock-gateway'
export type { GatewayLink, GatewayPeer } from './gateway/peer'
export type { GatewayCloseCodes, GatewayPolicy, GatewayPolicyChanges } from './gateway/policy'
export type { Journal, JournalEntry, JournalExpectation } from './journal'
export type { MockAttachment, MockMessage } from './messages'
export type { MockUser, UserRef } from './mock-user'
export type { MockServiceOptions } from './options'
export type { MailKind, Message, MessageContents, MessageHead, Outbox, SmsKind } from './outbox'
export type { Lifetimes, Policy, PolicyApplication, PolicyCaller, PolicyChanges } from './policy'
export type { RelationshipChange, RelationshipOutcome } from './relationship-policy'
export { createMockService, type MockService } from './service'
export type { MockSnapshot } from './snapshot'
export type { AccountStatus } from './state/database'
export type { PasskeyCredential } from './state/webauthn'
export type {
  MockCloseEvent,
  MockMessageEvent,
  MockWebSocket,
  MockWebSocketClass,
  MockWebSocketData,
  MockWebSocketEvents,
} from './web-socket/types'
export type { PasskeyAssertion, PasskeyVerdict, PasskeyVerifier } from './webauthn-verifier'
