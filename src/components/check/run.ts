import type { Issue, IssueCode } from '../../contract/issue'
import type { Bounds } from '../../contract/rules'
import { sizeBreach } from '../../contract/size'
import type { Places } from '../table/field'

/** So many items of lists are looked at: a value that is in itself has no end. */
export const MAX_STEPS = 100_000
/** Keys and indexes of a path; what fits the interface has six. */
export const MAX_DEPTH = 20

/** Where something is. */
export type Path = readonly (string | number)[]

/** One check, from the root of a value down. */
export interface ValidationContext {
  /** Where the whole is to stand. */
  places: Places
  readonly isUtf16: boolean
  readonly warns: boolean
  /** The keys that lead to what is looked at: the first `depth` of them. */
  readonly path: (string | number)[]
  depth: number
  readonly issues: Issue[]
  /** What is there once alone: every `id`, a number, and every `custom_id`, a string. */
  readonly ids: Set<unknown>
  /** The URLs of media, and the contents of text displays. */
  readonly urls: unknown[]
  readonly texts: string[]
  /** How many components there were. */
  count: number
  work: number
}

/** What an issue may tell beside its message. */
interface Facts {
  readonly actual?: unknown
  readonly limit?: number
}

/** Reports what is wrong; `path` leads on from where the run is. */
export function fail(
  run: ValidationContext,
  code: IssueCode,
  message: string,
  path: Path = [],
  facts?: Facts,
  severity: Issue['severity'] = 'error',
): void {
  run.issues.push({ path: [...run.path.slice(0, run.depth), ...path], code, message, ...facts, severity })
}

/** Reports what is allowed and yet unwise. */
export function warn(run: ValidationContext, code: IssueCode, message: string, path?: Path, facts?: Facts): void {
  if (run.warns) fail(run, code, message, path, facts, 'warning')
}

/** Reports a value of a wrong kind. */
export function failKind(run: ValidationContext, kind: string, value: unknown, given = kindOf(value)): void {
  const facts = typeof value === 'object' ? {} : { actual: value }
  fail(run, 'invalid_type', `expected ${kind}, got ${given}`, [], facts)
}

/** Reports a `type` that no component has. */
export function failType(run: ValidationContext, actual: unknown): void {
  const code = actual === undefined ? 'required' : typeof actual === 'number' ? 'invalid_value' : 'invalid_type'
  fail(run, code, `expected a type of component, got ${kindOf(actual)}`, ['type'], { actual })
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'list' : `${typeof value === 'number' ? value : typeof value}`
}

/** Reports a size outside its limit, if it is. */
export function checkSize(run: ValidationContext, size: number, unit: string, limit: Bounds, path?: Path): void {
  for (const { code, message, ...facts } of sizeBreach(size, unit, limit)) fail(run, code, message, path, facts)
}
