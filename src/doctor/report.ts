// What a check of a service has found, without secrets, names and IDs.
import type { Schema } from '../contract/schema'
import { compileSecrets } from '../internal/redact'
import { type ConventionName, conventions } from './conventions'
import { compareShape, type ShapeDifference } from './shape'

/** What was seen of a convention. */
export interface ConventionFinding {
  /** Name of the convention. */
  readonly name: ConventionName
  /** Whether the service behaves as assumed. */
  readonly status: 'confirmed' | 'different' | 'not seen'
  /** Observation; absent if there is none. */
  readonly seen?: string
  /** Why there is no observation. */
  readonly reason?: string
}

/** Difference between the service and the API document. */
export interface ServiceDifference {
  /** Name of the endpoint, or `Gateway: ` and the name of an event. */
  readonly endpoint: string
  /** Path in the response; `[]` is any item of an array, `{key}` any key of a map. Empty for the response as a whole. */
  readonly path: string
  /** How it differs; unknown values and other types are named. */
  readonly kind: string
}

/** Endpoint that was not checked. */
export interface SkippedEndpoint {
  /** Name of the endpoint. */
  readonly endpoint: string
  /** Why not. */
  readonly reason: string
}

/** Result of a check. */
export interface ServiceReport {
  /** One finding for each convention. */
  readonly conventions: readonly ConventionFinding[]
  /** Differences of responses and events. */
  readonly differences: readonly ServiceDifference[]
  /** Endpoints that were to be checked and were not. */
  readonly skipped: readonly SkippedEndpoint[]
  /** Changes to the service that could not be undone. */
  readonly notUndone: readonly string[]
  /** Why the check ended early; absent if it did not. */
  readonly stopped?: string
  /** What was learned, for `clientOptions` and `mockPolicy`. */
  readonly facts: Readonly<ServiceFacts>
}

/** Result of an earlier check: the JSON that the command prints. */
export type KnownReport = {
  /** Findings that are no longer differences if they are the same. */
  readonly conventions: readonly Pick<ConventionFinding, 'name' | 'seen'>[]
  /** Differences that are no longer reported. */
  readonly differences: readonly ServiceDifference[]
}

/** What a check has learned of a service. Absent fields were not seen. Paths are names from the root of a body. */
export interface ServiceFacts {
  /** Scheme in `Authorization`; `null` for none. */
  scheme?: string | null
  /** Places of the code and the message of an error. */
  envelope?: { readonly code?: readonly string[]; readonly message: readonly string[] }
  /** Place of the list of field errors, and the names in each. */
  fieldErrors?: {
    readonly path: readonly string[]
    readonly field: string
    readonly code: string
    readonly message: string
  }
  /** Error of a request without a token. */
  unauthorized?: SeenError
  /** Unit and place of the wait in the body of a 429. */
  retryAfter?: { readonly unit: 'seconds' | 'milliseconds'; readonly path: readonly string[] }
  /** Refusal of a call that requires a second factor: the endpoint, and the place of ticket and methods. */
  stepUp?: SeenError & { readonly endpoint: string; readonly path: readonly string[] }
  /** Whether Logout Auth Sessions requires a second factor. */
  logoutNeedsStepUp?: boolean
  /** Refusal of a wrong code. */
  wrongCode?: SeenError
  /** Interval of heartbeats, in milliseconds. */
  heartbeatInterval?: number
  /** Whether Ready has the user. */
  readyUser?: boolean
  /** Whether Ready has lists. */
  readySnapshot?: boolean
  /** Whether a session of the gateway can be resumed. */
  resumes?: boolean
  /** Close code for a token that has ended. */
  authenticationFailed?: number
  /** Status of a new widget config. */
  newConfigStatus?: 'draft' | 'published'
}

/** Status and code of an error. */
export interface SeenError {
  /** HTTP status. */
  readonly status: number
  /** Code in the body; absent if there is none. */
  readonly code?: number
}

/** Why a check that could have seen a convention did not. */
const REASONS: Readonly<Partial<Record<ConventionName, string>>> = {
  errorCodes: 'the client decides by the status',
  stepUpEndpoints: 'no call required a second factor',
  retryAfterUnit: 'no response was a 429, and none is provoked',
  globalRateLimit: 'no response was a 429, and none is provoked',
  rateLimitHeaders: 'no response has such headers',
  requestId: 'no error has such a header',
  gatewayCloseCodes: 'needs --sign-in, for a token that has ended',
}

/** A name that cannot be an ID, an address or a token. */
const NAME = /^(?!.*\d{6})[A-Za-z_][\w-]{0,39}$/
/** Fields that contain snowflakes. */
const SNOWFLAKES = /^(?:id|user_id|application_ids?|config_id|game_id)$/
/** Maximum number of differences. */
const MAX_DIFFERENCES = 200

/** Collects the findings of a check. Whatever the service sent is masked on its way in. */
export class Findings {
  readonly facts: ServiceFacts = {}
  readonly #conventions = new Map<ConventionName, ConventionFinding>()
  readonly #differences = new Map<string, ServiceDifference>()
  readonly #skipped: SkippedEndpoint[] = []
  readonly #known: KnownReport | undefined
  /** Secrets, and texts of the service. */
  readonly #texts = new Set<string>()

  constructor(known: KnownReport | undefined) {
    this.#known = known
  }

  /** Notes what was seen of a convention. A difference stays one. */
  record(name: ConventionName, isAsAssumed: boolean, seen: string): void {
    if (this.#conventions.get(name)?.status === 'different') return
    const isKnown = this.#known?.conventions.some((finding) => finding.name === name && finding.seen === seen)
    const status = isAsAssumed || isKnown ? 'confirmed' : 'different'
    this.#conventions.set(name, { name, status, seen })
  }

  /** Notes why nothing was seen of a convention. */
  skip(name: ConventionName, reason: string): void {
    if (!this.#conventions.has(name)) this.#conventions.set(name, { name, status: 'not seen', reason })
  }

  /** Notes why an endpoint was not checked. */
  skipEndpoint(endpoint: string, reason: string): void {
    this.#skipped.push({ endpoint, reason })
  }

  /** Notes a difference. */
  differ(endpoint: string, path: string, kind: string): void {
    const key = JSON.stringify([endpoint, path, kind])
    const isKnown = this.#known?.differences.some((one) => JSON.stringify([one.endpoint, one.path, one.kind]) === key)
    if (!isKnown && this.#differences.size < MAX_DIFFERENCES) this.#differences.set(key, { endpoint, path, kind })
  }

  /** Compares a payload with its schema, and returns whether it matches. */
  compare(endpoint: string, schema: Schema<unknown>, value: unknown): boolean {
    const found: [path: string, kind: ShapeDifference, seen: unknown][] = []
    compareShape(schema, value, {
      differ: (...difference) => void found.push(difference),
      text: (name, text) => {
        this.hide(text)
        if (SNOWFLAKES.test(name)) {
          const isDigits = /^\d{1,20}$/.test(text)
          this.record('snowflakesAreDigits', isDigits, isDigits ? 'digits' : 'other IDs')
        }
      },
    })
    // After all texts are known.
    for (const [path, kind, seen] of found) {
      if (kind === 'unknown field')
        this.differ(endpoint, path === '' ? this.name(seen) : `${path}.${this.name(seen)}`, kind)
      else if (kind === 'missing field') this.differ(endpoint, path, kind)
      else this.differ(endpoint, path, `${kind}: ${kind === 'other type' ? seen : this.value(seen)}`)
    }
    return found.length === 0
  }

  /** Never shows a text: a secret, a name, an ID. */
  hide(...texts: readonly unknown[]): void {
    for (const text of texts) if (typeof text === 'string' && text !== '') this.#texts.add(text)
  }

  /** Returns a name that the service sent, or what stands for it. */
  name(name: unknown): string {
    return typeof name === 'string' && NAME.test(name) && !this.#texts.has(name) ? name : '{name}'
  }

  /** Returns a value of an enumeration that the service sent, or what stands for it. */
  value(value: unknown): string {
    if (typeof value === 'number') return Number.isInteger(value) && Math.abs(value) < 1e6 ? String(value) : '{number}'
    return typeof value === 'string' && NAME.test(value) && !this.#texts.has(value) ? value : '{text}'
  }

  /** Returns the report. */
  report(notUndone: readonly string[], stopped?: string): ServiceReport {
    // Not short words, which the words of this package may contain.
    const { text } = compileSecrets([...this.#texts].filter((hidden) => hidden.length > 11 || /\d{4}/.test(hidden)))
    const findings = conventions.map((convention): ConventionFinding => {
      const { name, seenBy } = convention
      const reason = REASONS[name] ?? seenBy.replace(/^(nothing: )?/, (nothing) => (nothing ? '' : 'needs '))
      return this.#conventions.get(name) ?? { name, status: 'not seen', reason }
    })
    return JSON.parse(
      JSON.stringify(
        {
          conventions: findings,
          differences: [...this.#differences.values()],
          skipped: this.#skipped,
          notUndone,
          stopped,
          facts: this.facts,
        },
        // The last line of defense: all of this is made of words of this package and of masked names.
        (_, value) => (typeof value === 'string' ? text(value) : value),
      ),
    )
  }
}
