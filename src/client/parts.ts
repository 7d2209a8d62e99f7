import { Gateway } from '../gateway/gateway'
import { readGatewayOptions } from '../gateway/options'
import { bindMembers } from '../internal/bind-members'
import type { Issue } from '../internal/issue'
import { anyValue, type Check, objectOption, validateHeaderName } from '../internal/options'
import { Live } from '../live/stores'
import { MFA_CHECKS } from '../mfa/options'
import { type ResumableFlows, resumeChallenge, saveChallenge } from '../mfa/saved-challenge'
import { flowSource, resetFlow, signInFlow } from '../mfa/sign-in'
import { createStepUp, readMfaConfig } from '../mfa/step-up'
import {
  type Auth,
  type AuthIn,
  type CookieAuth,
  Passkeys,
  Recovery,
  Registration,
  type SessionMode,
  SignIn,
} from '../resources/auth'
import { GameRelationships } from '../resources/game-relationships'
import { Identities } from '../resources/identities'
import { Mfa } from '../resources/mfa'
import { FriendSuggestions, Relationships } from '../resources/relationships'
import { WidgetConfigs } from '../resources/widget-configs'
import { Widgets } from '../resources/widgets'
import type { SessionManager } from '../session/session'
import type { ApiPromise } from '../transport/call'
import { type CustomRequest, sendCustomRequest } from '../transport/custom-request'
import type { StepUp, Transport } from '../transport/transport'
import type { ChallengeIn, SaveChallengeOptions } from '../types/mfa'
import type { RequestOptions } from '../types/options'
import { browserWebAuthn } from '../webauthn/browser-adapter'
import { type ClientOptions, requireToken } from './options'

/** Client of a suspended user: sends requests with the suspended token in the body. */
export interface SuspendedClient {
  /** Sends a request to any endpoint. GET is refused: it has no body for the token. */
  request<T = unknown>(request: CustomRequest<T>, options?: RequestOptions): ApiPromise<T>
}

/** Members that parts add to a client. */
export interface PartMembers<Mode extends SessionMode = SessionMode> {
  /** Sign-in and sign-out, registration, account recovery. */
  readonly auth: AuthIn<Mode>
  /** Second factors, step by step. */
  readonly mfa: Mfa
  /** Game widgets on the profile. */
  readonly widgets: Widgets
  /** Accounts and profiles in applications. */
  readonly identities: Identities
  /** Layouts of applications' data on profiles. */
  readonly widgetConfigs: WidgetConfigs
  /** Friends, requests, blocks and ignored users. */
  readonly relationships: Relationships
  /** Friends and requests inside games. */
  readonly gameRelationships: GameRelationships
  /** People the user may know. */
  readonly friendSuggestions: FriendSuggestions
  /** Events of the service. */
  readonly gateway: Gateway
  /** Opens the live stores of the lists. */
  readonly live: Live
  /** Methods of `auth`: sign-in with a passkey. */
  readonly passkeys: Passkeys
  /** Methods of `auth`: registration. */
  readonly registration: Registration
  /** Methods of `auth`: account recovery. */
  readonly recovery: Recovery
  /**
   * Sends a request to an endpoint that the API does not describe, through the same pipeline: validation,
   * step-up, retries, typed errors.
   *
   * @example
   * import { Client } from 'rapport-sdk'
   *
   * const client = new Client({ baseUrl: 'https://service.example', token: 'a token' })
   * await client.request({
   *   method: 'POST',
   *   path: '/channels/{channel.id}/messages',
   *   pathParams: { 'channel.id': '300' },
   *   body: { content: 'Hello' },
   * })
   */
  request<T = unknown>(request: CustomRequest<T>, options?: RequestOptions): ApiPromise<T>
  /**
   * Continues a challenge that another request or process has saved with `challenge.save`. The client must have the same
   * `baseUrl`, and for a step-up the same token. For a sign-in or reset `verify` completes it; for a step-up it records
   * the verification, and repeating the call passes. Needs WebCrypto.
   *
   * @throws RapportError if the value was altered or has expired, or belongs to another service, account or `context`.
   * @throws RequestValidationError if an option is invalid.
   *
   * @example
   * import { Client } from 'rapport-sdk'
   *
   * const client = new Client({ baseUrl: 'https://service.example' })
   * const keys = [{ id: '2026', key: Buffer.from(process.env.SEALING_KEY ?? '', 'base64') }]
   *
   * // In one request: returns what the form of the next one sends back.
   * async function signIn(login: string, password: string) {
   *   const result = await client.auth.login({ login, password })
   *   return result.status === 'mfa' ? result.challenge.save({ keys }) : undefined
   * }
   *
   * // In the next one.
   * async function verify(saved: string, code: string) {
   *   const challenge = await client.resumeChallenge(saved, { keys })
   *   await challenge.verify({ type: 'totp', code })
   * }
   */
  resumeChallenge(saved: string, options: SaveChallengeOptions): Promise<ChallengeIn<Mode>>
  /**
   * Creates a client for a suspended user's token, which is sent in the JSON body as `token`, never in `Authorization`.
   * The API document does not show the paths of the permitted calls. API, "Authentication", 2.
   *
   * @throws RequestValidationError if the token is not a valid header value.
   */
  suspended(token: string): SuspendedClient
}

/** A list as the parts with these names make it: only `live` adds its live stores. */
type ListOf<List, Names extends PartName> = 'live' extends Names ? List : Omit<List, 'live'>

/** The methods of `client.auth` that parts with these names add. */
export type AuthOf<Names extends PartName, Mode extends SessionMode = 'token'> = [Mode] extends ['cookie']
  ? Pick<CookieAuth, keyof CookieAuth & keyof AuthOf<Names>>
  : SignIn &
      ('passkeys' extends Names ? Passkeys : unknown) &
      ('registration' extends Names ? Registration : unknown) &
      ('recovery' extends Names ? Recovery : unknown)

/** Members of a client of parts with these names, some of which add methods to the members of others. */
export interface MembersWith<Names extends PartName, Mode extends SessionMode = 'token'>
  extends Omit<PartMembers<Mode>, 'auth' | 'relationships' | 'gameRelationships' | 'friendSuggestions'> {
  /** Sign-in and sign-out; registration, account recovery and passkeys with their parts. */
  readonly auth: AuthOf<Names, Mode>
  /** Friends, requests, blocks and ignored users. */
  readonly relationships: ListOf<Relationships, Names>
  /** Friends and requests inside games. */
  readonly gameRelationships: ListOf<GameRelationships, Names>
  /** People the user may know. */
  readonly friendSuggestions: ListOf<FriendSuggestions, Names>
}

/** Names of the parts that add methods to `client.auth`. */
type AuthPartName = 'passkeys' | 'registration' | 'recovery'

/** Names of the parts of a client. */
export type PartName = Exclude<keyof PartMembers, 'suspended' | 'resumeChallenge'>

/** Names of the members that parts with these names add. The other parts add methods to `auth` and the lists. */
export type MembersOf<Names extends PartName> =
  | Exclude<Names, 'live' | AuthPartName>
  | ('request' extends Names ? 'suspended' : never)
  | ('mfa' extends Names ? 'resumeChallenge' : never)

/** A part of a client; see {@link createClient}. */
export interface Part<Name extends PartName> {
  /** Name of the part. */
  readonly name: Name
  /** @internal Options of the other parts, unless the app sets them. */
  readonly defaults?: Partial<ClientOptions>
  /** @internal Returns the checks of the options that not every client has. */
  checks?(): Readonly<Record<string, Check>>
  /** @internal Reads the options of the part, adds their issues, and returns what it adds to each client. */
  prepare(options: ClientOptions, issues: Issue[]): PreparedPart<Name>
}

/** Members that a part with its options adds to a client. */
export interface PreparedPart<Name extends PartName> {
  /** Creates the members, each on first use. */
  readonly members: { readonly [M in Name | MembersOf<Name>]: (context: PartContext) => PartMembers[M] }
  /** Whether to create the members with the client. */
  readonly isEager?: boolean
  readonly stepUp?: StepUp
  readonly flows?: ResumableFlows
}

/** The client that a part belongs to. */
export interface PartContext {
  readonly session: SessionManager
  readonly transport: Transport
  /** Members of all parts, each created on first use. */
  readonly members: PartMembers
  readonly flows: ResumableFlows
  /** Calls `callback` when the client is disposed. */
  onDispose(callback: () => void): void
}

/** Sign-in, also with second factors, sign-out and sessions. */
export const auth: Part<'auth'> = {
  name: 'auth',
  checks: () => MFA_CHECKS,
  prepare(options) {
    const config = readMfaConfig(options)
    return {
      flows: { login: signInFlow, flowSource },
      members: {
        auth({ transport, members }) {
          const auth = new SignIn(transport, config)
          for (const name of ['passkeys', 'registration', 'recovery'] as const)
            if (Object.hasOwn(members, name)) bindMembers(members[name], auth)
          // A cast, because the methods are added by name; the type of a client has those of its parts.
          return auth as Auth
        },
      },
    }
  },
}

/** Sign-in with a passkey, and passkeys as second factors in a browser. Adds methods to the part `auth`, which it needs. */
export const passkeys: Part<'passkeys'> = {
  name: 'passkeys',
  defaults: { webauthn: browserWebAuthn },
  prepare(options) {
    const config = readMfaConfig(options)
    return { members: { passkeys: ({ transport }) => new Passkeys({ transport, config }) } }
  },
}

/** Returns a part without options, with one member of its name. */
function simplePart<Name extends keyof PartMembers & PartName>(
  name: Name,
  create: (context: PartContext) => PartMembers[Name],
): Part<Name> {
  // A cast, because the type of a computed name is `string`.
  return { name, prepare: () => ({ members: { [name]: create } }) as PreparedPart<Name> }
}

/** Registration. Adds methods to the part `auth`, which it needs. */
export const registration: Part<'registration'> = simplePart(
  'registration',
  (context) => new Registration(context.transport),
)

/** Recovery of an account: password reset, one-time login. Adds methods to the part `auth`, which it needs. */
export const recovery: Part<'recovery'> = {
  name: 'recovery',
  prepare(options) {
    const config = readMfaConfig(options)
    return {
      flows: { password_reset: resetFlow },
      members: { recovery: ({ transport }) => new Recovery({ transport, config }) },
    }
  },
}

/** Second factors: step by step, and for calls that the service refuses without one (step-up). */
export const mfa: Part<'mfa'> = {
  name: 'mfa',
  checks: () => ({ ...MFA_CHECKS, mfaHeader: validateHeaderName, verifications: objectOption }),
  prepare(options) {
    const config = readMfaConfig(options)
    const { verifications, baseUrl } = options
    const shared =
      verifications &&
      import('../session/shared-verifications').then(
        ({ SharedVerifications }) => new SharedVerifications(verifications, String(baseUrl)),
      )
    return {
      members: {
        mfa: ({ transport }) => new Mfa(transport),
        resumeChallenge:
          ({ transport, flows }) =>
          (saved, options) =>
            resumeChallenge({ transport, config }, flows, saved, options),
      },
      stepUp: { ...createStepUp(config, shared), save: saveChallenge },
    }
  },
}

/** Game widgets on the profile. */
export const widgets: Part<'widgets'> = simplePart('widgets', ({ transport }) => new Widgets(transport))

/** Accounts and profiles in applications. */
export const identities: Part<'identities'> = simplePart('identities', ({ transport }) => new Identities(transport))

/** Layouts of applications' data on profiles. */
export const widgetConfigs: Part<'widgetConfigs'> = simplePart(
  'widgetConfigs',
  ({ transport }) => new WidgetConfigs(transport),
)

/** Friends, requests, blocks and ignored users. */
export const relationships: Part<'relationships'> = simplePart(
  'relationships',
  (context) => new Relationships(context.transport, () => context.members.live),
)

/** Friends and requests inside games. */
export const gameRelationships: Part<'gameRelationships'> = simplePart(
  'gameRelationships',
  (context) => new GameRelationships(context.transport, () => context.members.live),
)

/** People the user may know. */
export const friendSuggestions: Part<'friendSuggestions'> = simplePart(
  'friendSuggestions',
  (context) => new FriendSuggestions(context.transport, () => context.members.live),
)

/** Events of the service. */
export const gateway: Part<'gateway'> = {
  name: 'gateway',
  checks: () => ({ gateway: anyValue }),
  prepare({ gateway: options, allowInsecureHttp = false }, issues) {
    const config = options === undefined ? undefined : readGatewayOptions(options, allowInsecureHttp, issues)
    return {
      members: {
        gateway({ session, transport, onDispose }) {
          const { userSchema } = transport.config
          const gateway = new Gateway(config && { ...config, userSchema }, session, transport.events)
          onDispose(() => gateway.dispose())
          return gateway
        },
      },
      // The gateway observes the session from the start.
      isEager: config?.connectOnSignIn ?? false,
    }
  },
}

/** Live stores of the lists, which events keep up to date: `client.relationships.live()`. Needs the part `gateway`. */
export const live: Part<'live'> = simplePart('live', ({ session, transport, members, onDispose }) => {
  const live = new Live(transport, { gateway: members.gateway, session, report: transport.events.report })
  onDispose(() => live.dispose())
  return live
})

/** Requests to endpoints that the API does not describe, also for suspended users. */
export const request: Part<'request'> = {
  name: 'request',
  prepare: () => ({
    members: {
      request:
        ({ transport }) =>
        (request, options) =>
          sendCustomRequest(transport, request, options),
      suspended:
        ({ transport }) =>
        (token) => {
          requireToken('suspended', token)
          return { request: (request, options) => sendCustomRequest(transport, request, options, token) }
        },
    },
  }),
}

/** The parts of `Client`. */
export const ALL_PARTS = [
  auth,
  passkeys,
  registration,
  recovery,
  mfa,
  widgets,
  identities,
  widgetConfigs,
  relationships,
  gameRelationships,
  friendSuggestions,
  gateway,
  live,
  request,
]
