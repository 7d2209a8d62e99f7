import { createIssue, type Issue } from '../internal/issue'
import { isObject } from '../internal/json'
import type { Check } from '../internal/options'
import { plainRetryLoop } from '../transport/retry'
import { BaseClient, ClientCore, type PreparedClient, prepareClient } from './base-client'
import type { ClientOptions, CoreOptions, SessionOption } from './options'
import { type MembersOf, type MembersWith, type Part, type PartName, requireToken, type SessionMode } from './parts'

/** Parts that add methods to the members of another part, with that part. */
const NEEDED = {
  live: 'gateway',
  passkeys: 'auth',
  registration: 'auth',
  recovery: 'auth',
} as const satisfies { readonly [Name in PartName]?: PartName }

type NeededBy<Names extends PartName> = (typeof NEEDED)[Names & keyof typeof NEEDED]

/** Parts of a client, by name. `live` needs `gateway`; `passkeys`, `registration` and `recovery` need `auth`. */
export type Parts<Names extends PartName> = { readonly [Name in Names]: Part<Name> } & {
  readonly [Name in NeededBy<Names>]: Part<Name>
}

/** Type of an option that none of the client's parts understands: pass one of the named parts, or omit the option. */
export interface NeedsPart<Name extends PartName> {
  /** Parts that understand the option. */
  readonly needsPart: Name
}

/** Options that only some parts understand, with these parts. */
const OPTION_PARTS = {
  onMfaRequired: ['auth', 'mfa'],
  mfaTimeout: ['auth', 'mfa'],
  classifyMfaFailure: ['auth', 'mfa'],
  webauthn: ['auth', 'mfa'],
  mfaHeader: ['mfa'],
  verifications: ['mfa'],
  gateway: ['gateway'],
} as const satisfies { readonly [O in keyof ClientOptions]?: readonly PartName[] }

type OptionName = keyof typeof OPTION_PARTS
type PartsOf<Option extends OptionName> = (typeof OPTION_PARTS)[Option][number]
type OptionsFor<Names extends PartName> = {
  [Option in OptionName]: [Names & PartsOf<Option>] extends [never] ? never : Option
}[OptionName]

/** Options of {@link createClient} with these parts: those of every client, and those that a part understands. */
export type OptionsOf<Names extends PartName, Mode extends SessionMode = SessionMode> = CoreOptions &
  SessionOption<Mode> &
  Pick<ClientOptions, OptionsFor<Names>> & {
    readonly [Option in Exclude<OptionName, OptionsFor<Names>>]?: NeedsPart<PartsOf<Option>> | undefined
  }

/** Client with the members of these parts; see {@link createClient}. */
export type CoreClient<Names extends PartName, Mode extends SessionMode = 'token'> = BaseClient &
  Pick<MembersWith<Names, Mode>, MembersOf<Names>> & {
    /**
     * Creates a client for another account with the same options and parts. It has its own session and never
     * writes to this client's token store. Clients with the same token share rate limits, prompts and verification. With
     * `gateway.connectOnSignIn`, it connects when its `gateway` or a live store is first used; then dispose of it.
     *
     * @param userId ID of the token's user, if you know it: `session.user` is otherwise `null` until the gateway's Ready.
     * @throws RequestValidationError if the token is not a valid header value.
     */
    as(token: string, userId?: string): CoreClient<Names>
  }

/**
 * Creates a client of the parts that it is given. A bundler leaves out the code of all others, so the client of a page
 * that only signs in is half as large as `Client`, which has all parts.
 *
 * @param options `baseUrl` must be given.
 * @param parts Parts, each under its own name.
 * @throws RequestValidationError naming every invalid option, and every option that needs a part which is not given.
 *
 * @example
 * import { auth, createClient, relationships } from 'rapport-sdk/core'
 *
 * const client = createClient({ baseUrl: 'https://service.example', token: 'a token' }, { auth, relationships })
 * const friends = await client.relationships.list()
 */
export function createClient<Names extends PartName, Mode extends SessionMode = 'token'>(
  options: OptionsOf<Names, Mode>,
  parts: Parts<Names>,
): CoreClient<Names, Mode> {
  const client: BaseClient = new PartsClient(prepareParts(options, parts))
  // A cast, because the members are added by name.
  return client as CoreClient<Names, Mode>
}

/** A client whose members are those of its parts. */
class PartsClient extends BaseClient {
  readonly #core: ClientCore

  constructor(prepared: PreparedClient) {
    const core = new ClientCore(prepared)
    super(
      core,
      Object.keys(prepared.members).filter((name) => !Object.hasOwn(NEEDED, name)),
    )
    this.#core = core
  }

  as(token: string, userId?: string): PartsClient {
    return createWithToken(this.#core.prepareWithToken(requireToken('as', token), userId))
  }
}

/** Outside of the class: bundlers rename a class that refers to itself, and consoles would show that name. */
function createWithToken(prepared: PreparedClient): PartsClient {
  return new PartsClient(prepared)
}

/** Validates options and parts together, so that one error names every problem. */
function prepareParts(options: ClientOptions, parts: object): PreparedClient {
  const issues: Issue[] = []
  const addIssue = (path: readonly string[], message: string) =>
    issues.push(createIssue(['parts', ...path], 'invalid_value', message))
  const valid: Part<never>[] = []
  if (!isObject(parts)) addIssue([], 'expected an object of parts')
  else {
    for (const [name, part] of Object.entries(parts)) {
      if (Object(part).name === name) valid.push(part)
      else addIssue([name], 'expected the part of this name from `rapport-sdk/core`')
    }
    for (const [name, needed] of Object.entries(NEEDED))
      if (Object.hasOwn(parts, name) && !Object.hasOwn(parts, needed)) addIssue([name], `needs the part \`${needed}\``)
  }
  const checks = Object.entries(OPTION_PARTS).map(([option, names]) => [option, needsPart(names)])
  return prepareClient('createClient', options, valid, plainRetryLoop, Object.fromEntries(checks), issues)
}

/** Returns the check of an option that only these parts understand. */
function needsPart(names: readonly PartName[]): Check {
  const parts = names.map((name) => `\`${name}\``).join(' or ')
  return (option) => [createIssue([option], 'invalid_value', `needs the part ${parts}`)]
}
