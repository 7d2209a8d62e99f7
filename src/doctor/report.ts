// What a check of a service has found, without secrets, names and IDs.
import { documentedValues } from '../contract/index'
import type { Schema } from '../contract/schema'
import { isObject } from '../internal/json'
import { responseSecrets } from '../internal/redact'
import { type ConventionName, conventions } from './conventions'
import { compareShape } from './drift'

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
  /** Path in the response; `[]` is any item of an array, `{key}` any key of a map. Empty for the response itself. */
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
  /** Whether it should have been: the service failed, refused a change, or answered with a 429. The check is then incomplete. */
  readonly isFailure: boolean
}

/** Result of a check. */
export interface ServiceReport {
  /** One finding for each convention. */
  readonly conventions: readonly ConventionFinding[]
  /** Differences of responses and events. */
  readonly differences: readonly ServiceDifference[]
  /** Endpoints that were not checked. */
  readonly skipped: readonly SkippedEndpoint[]
  /** Changes to the service that could not be undone. */
  readonly notUndone: readonly string[]
  /** What was learned, for `clientOptions` and `mockPolicy`. */
  readonly facts: Readonly<ServiceFacts>
}

/** What a check has learned of a service. Absent fields were not seen. Paths are names from the root of a body. */
export interface ServiceFacts {
  /** Scheme in `Authorization`; `null` for none. */
  scheme?: string | null
  /** Places of the code and the message of an error. */
  envelope?: { readonly code?: readonly string[]; readonly message: readonly string[] }
  /** Place and form of the field errors; `null` for another form. */
  fieldErrors?: FieldErrorsPlace | null
  /** Unit and place of the wait in the body of a 429. */
  retryAfter?: { readonly unit: 'seconds' | 'milliseconds'; readonly path: readonly string[] }
  /** Refusal of a request without a token. */
  unauthorized?: SeenError
  /** Refusal of a wrong code. */
  wrongCode?: SeenError
  /** Refusal of a call that requires a second factor: the endpoint, and the place of ticket and methods. */
  stepUp?: SeenError & { readonly endpoint: string; readonly path: readonly string[] }
  /** Close code for a token that has ended. */
  authenticationFailed?: number
  /** Other settings of the mock's policy. */
  readonly policy: Record<string, unknown>
  /** Settings of `gateway` of the mock's policy. */
  readonly gateway: Record<string, unknown>
}

/** Place and form of the field errors of a service. */
export interface FieldErrorsPlace {
  /** `tree` with `_errors` at each field, `map` from the names of fields to errors, `list` of errors with the name of the field. */
  readonly form: 'tree' | 'map' | 'list'
  /** Names from the root of the body. */
  readonly path: readonly string[]
  /** Name of the place of the field in an item of a list. */
  readonly field?: string
  /** Number of segments there before the name of the field, if it is an array, such as `query`. */
  readonly skip?: number
  /** Name of the code in an error that is no string. */
  readonly code?: string
  /** Name of the message there. */
  readonly message?: string
}

/** Status and code of an error. */
export interface SeenError {
  /** HTTP status. */
  readonly status: number
  /** Code in the body; absent if there is none. */
  readonly code?: number
}

/** A name that cannot be an ID, an address or a token. */
export const NAME = /^(?!.*\d{6})[A-Za-z_][\w-]{0,39}$/
/** Shown in place of a name or a value that may be private. */
const HIDDEN = '{name}'
/** A name that the service sent, marked until the report is made: what is private is known only then. */
const MARKED = /\ue000([^\ue001]*)\ue001/g
const mark = (name: string) => `\ue000${name}\ue001`
const SNOWFLAKES = /^(?:id|user_id|application_ids?|config_id|game_id)$/
const MAX_DIFFERENCES = 200
/** Minimum length of a secret that is searched within names. */
const MIN_SECRET = 4

const keyOf = ({ endpoint, path, kind }: ServiceDifference) => JSON.stringify([endpoint, path, kind])

/** Returns the strings in a value, with the names of their fields. */
function textsIn(root: unknown): (readonly [name: string, text: string])[] {
  const pending: (readonly [name: string, value: unknown])[] = [['', root]]
  for (const [name, value] of pending)
    for (const [key, item] of isObject(value) ? Object.entries(value) : [])
      pending.push([Array.isArray(value) ? name : key, item])
  return pending.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
}

/** Collects the findings of a check. Of what the service sent, it shows names and values of enumerations only. */
export class Findings {
  readonly facts: ServiceFacts = { policy: {}, gateway: {} }
  readonly #conventions = new Map<ConventionName, ConventionFinding>()
  readonly #differences = new Map<string, ServiceDifference>()
  readonly #skipped: SkippedEndpoint[] = []
  /** Secrets, and texts of the service. */
  readonly #secrets = new Set<string>()
  readonly #texts = new Set<string>()

  /** Notes what was seen of a convention, and whether options can be written for it. A difference stays one. */
  record(name: ConventionName, isAsAssumed: boolean, shown: string, isWritten = true): void {
    if (this.#conventions.get(name)?.status === 'different') return
    const seen = isAsAssumed || isWritten ? shown : `${shown}: write \`readError\` yourself`
    this.#conventions.set(name, { name, status: isAsAssumed ? 'confirmed' : 'different', seen })
  }

  skip(name: ConventionName, reason: string): void {
    if (!this.#conventions.has(name)) this.#conventions.set(name, { name, status: 'not seen', reason })
  }

  skipEndpoint(endpoint: string, reason: string, isFailure = true): void {
    this.#skipped.push({ endpoint, reason, isFailure })
  }

  differ(endpoint: string, path: string, kind: string): void {
    const difference = { endpoint, path, kind }
    if (this.#differences.size < MAX_DIFFERENCES) this.#differences.set(keyOf(difference), difference)
  }

  /** Compares a payload with its schema, and returns whether it matches. */
  compare(endpoint: string, schema: Schema<unknown>, value: unknown): boolean {
    this.hide(...responseSecrets(value))
    for (const [name, text] of textsIn(value)) {
      if (documentedValues(name).length === 0) this.#texts.add(text)
      if (!SNOWFLAKES.test(name)) continue
      const isDigits = /^\d{1,20}$/.test(text)
      this.record('snowflakesAreDigits', isDigits, isDigits ? 'digits' : 'other IDs')
    }
    // After all texts are known, because only so many differences are kept.
    const found = compareShape(schema, value, (seen) => this.name(seen))
    for (const { path, kind, seen } of found)
      this.differ(endpoint, path, seen === undefined ? kind : `${kind}: ${seen}`)
    return found.length === 0
  }

  /** Never shows a secret. */
  hide(...secrets: readonly unknown[]): void {
    for (const secret of secrets) if (typeof secret === 'string') this.#secrets.add(secret)
  }

  /** Returns a name or a value of an enumeration that the service sent, or what stands for it. */
  name(value: unknown): string {
    if (typeof value === 'number') return Number.isInteger(value) && Math.abs(value) < 1e6 ? String(value) : '{number}'
    const isShown = typeof value === 'string' && (NAME.test(value) || /^\d$/.test(value)) && !this.#isPrivate(value)
    return isShown ? mark(value) : HIDDEN
  }

  /** Returns the names of a path that the service sent, or what stands for them. */
  path(names: readonly string[]): readonly string[] {
    return names.map((name) => this.name(name))
  }

  #isPrivate(name: string): boolean {
    const isIn = (secret: string) => secret.length >= MIN_SECRET && name.includes(secret)
    return this.#texts.has(name) || [...this.#secrets].some(isIn)
  }

  report(notUndone: readonly string[]): ServiceReport {
    const all = conventions.map(({ name, seenBy }): ConventionFinding => {
      const reason = `needs ${seenBy}`.replace('needs nothing: ', '')
      return this.#conventions.get(name) ?? { name, status: 'not seen', reason }
    })
    const differences = [...this.#differences.values()]
    const json = JSON.stringify({ conventions: all, differences, skipped: this.#skipped, notUndone, facts: this.facts })
    const report: ServiceReport = JSON.parse(json.replace(MARKED, (_, name) => (this.#isPrivate(name) ? HIDDEN : name)))
    // A place that cannot be shown cannot be written.
    for (const [name, fact] of Object.entries(report.facts))
      if (JSON.stringify(fact).includes(`"${HIDDEN}"`)) Reflect.deleteProperty(report.facts, name)
    // Names that were not to be shown read the same now.
    const unique = new Map(report.differences.map((difference) => [keyOf(difference), difference]))
    return { ...report, differences: [...unique.values()] }
  }
}
