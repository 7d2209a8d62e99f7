import type { ClockStart } from './clock'
import type { Policy, PolicyChanges } from './policy'

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
  /** The relying party of passkeys. Default: the host of `baseUrl`. */
  readonly rpId?: string
}
