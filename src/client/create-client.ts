import type { MfaOptions } from '../mfa/options'
import type { SessionMode } from '../resources/auth'
import { plainRetryLoop } from '../transport/retry'
import { BaseClient, type NEEDED, type PreparedClient, prepareClient } from './base-client'
import type { ClientOptions, CoreOptions, SessionOption, StepUpOptions } from './options'
import type { MembersOf, MembersWith, Part, PartName } from './parts'

type NeededBy<Names extends PartName> = (typeof NEEDED)[Names & keyof typeof NEEDED]

/** Parts of a client, by name. `live` needs `gateway`; `passkeys`, `registration` and `recovery` need `auth`. */
export type Parts<Names extends PartName> = { readonly [Name in Names]: Part<Name> } & {
  readonly [Name in NeededBy<Names>]: Part<Name>
}

/** Options of {@link createClient} with these parts: those of every client, and those that a part understands. */
export type OptionsOf<Names extends PartName, Mode extends SessionMode = SessionMode> = CoreOptions &
  SessionOption<Mode> &
  ([Names & ('auth' | 'mfa')] extends [never] ? unknown : MfaOptions) &
  ('mfa' extends Names ? StepUpOptions : unknown) &
  ('gateway' extends Names ? Pick<ClientOptions, 'gateway'> : unknown)

/** Client with the members of these parts; see {@link createClient}. */
export type CoreClient<Names extends PartName, Mode extends SessionMode = 'token'> = BaseClient<CoreClient<Names>> &
  Pick<MembersWith<Names, Mode>, MembersOf<Names>>

/**
 * Creates a client of the parts that it is given. A bundler leaves out the code of all others, so the client of a page
 * that only signs in is half as large as `Client`, which has all parts.
 *
 * @param options `baseUrl` must be given.
 * @param parts Parts, each under its own name.
 * @throws RequestValidationError naming every invalid option, also those of parts which are not given.
 *
 * @example
 * import { auth, createClient, relationships } from 'rapport-sdk/core'
 *
 * const client = createClient({ baseUrl: 'https://service.example', token: 'a token' }, { auth, relationships })
 * const friends = await client.relationships.list()
 */
export function createClient<Names extends PartName, Mode extends SessionMode = 'token'>(
  options: OptionsOf<NoInfer<Names>, Mode>,
  parts: Parts<Names>,
): CoreClient<Names, Mode> {
  const prepared = prepareClient('createClient', options, Object.values(parts), plainRetryLoop)
  const client: BaseClient = createBase(prepared)
  // A cast, because the members are added by name.
  return client as CoreClient<Names, Mode>
}

function createBase(prepared: PreparedClient): BaseClient {
  return new BaseClient(prepared, createBase)
}
