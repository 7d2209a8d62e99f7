import type { ClockStart } from './clock'
import type { Policy, PolicyChanges } from './policy'
import { assertPolicy } from './policy-checks'
import { anything, assertSettings, boolean, callback, integer, type Kinds, text, times } from './set-up'
import type { PasskeyVerifier } from './webauthn-verifier'

/** How a mock service is to be. */
export interface MockServiceOptions {
  /** The base address that it answers at; may carry a path. @default 'https://service.example' */
  readonly baseUrl?: string
  /** What all IDs, tokens and codes follow from: the same seed and calls give the same ones. @default 1 */
  readonly seed?: number
  /** The time it starts at; its clock then stands still but for `clock.advance`. Default: the wall clock. */
  readonly now?: ClockStart
  /**
   * Whether fields and query parameters that the contract does not name are refused, and whether the msw handlers
   * answer 404 to unknown paths. Limits and types hold either way.
   * @default true
   */
  readonly strict?: boolean
  /** What it decides where the interface document is silent; see {@link Policy}. */
  readonly policy?: PolicyChanges
  /** Which calls need step-up; the same as `policy.requireMfa`. */
  readonly requireMfa?: Policy['requireMfa']
  /** Bytes that the body of a request may have; a larger one gets 413, and is not read. @default 1048576 */
  readonly maxBodyBytes?: number
  /** Requests that the journal keeps, the last ones; `Infinity` keeps all. @default 1000 */
  readonly maxJournalEntries?: number
  /** The relying party of passkeys. Default: the host of `baseUrl`. */
  readonly rpId?: string
  /**
   * What verifies the signatures of passkeys whose public key the service knows, such as `verifyPasskey` of
   * `rapport-sdk/mocks/node`. Default: nothing; `listen` brings one along. Without, the structure of an answer counts.
   */
  readonly verifyPasskey?: PasskeyVerifier
}

const kinds: Kinds = {
  baseUrl: { wanted: 'an absolute address', holds: (value) => typeof value === 'string' && URL.canParse(value) },
  seed: integer(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  now: anything,
  strict: boolean,
  policy: anything,
  requireMfa: callback,
  maxBodyBytes: integer(1, Number.MAX_SAFE_INTEGER),
  maxJournalEntries: {
    wanted: 'a whole number from 1, or Infinity',
    holds: (value) => times.holds(value) && Number(value) >= 1,
  },
  rpId: text,
  verifyPasskey: callback,
}

/**
 * Refuses options that do not exist or are of the wrong kind.
 * @throws TypeError that says what was given and what is allowed.
 */
export function assertOptions(options: MockServiceOptions): void {
  assertSettings('createMockService', options, kinds)
  if (options.policy !== undefined) assertPolicy(options.policy)
}
