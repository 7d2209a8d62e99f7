import type { Issue } from '../../contract/issue'
import type { Breach } from '../../contract/rules'

/** Where what is checked is to stand; either, where nothing tells. */
export const EITHER = 0
export const MESSAGE = 1
export const MODAL = 2
export type Context = typeof EITHER | typeof MESSAGE | typeof MODAL

/** So many components, options and items are looked at: a value that is in itself has no end. */
export const MOST_WORK = 100_000
/** Keys and indexes; what fits the interface has six. */
export const DEEPEST = 20

/** One check, from the root of a value down. */
export interface Run {
  context: Context
  readonly isUtf16: boolean
  readonly warns: boolean
  /** The keys that lead to what is looked at are the first `depth`. */
  readonly path: (string | number)[]
  depth: number
  readonly issues: Issue[]
  isWrong: boolean
  /** What is unique: every `id`, a number, and every `custom_id`, a string. */
  ids: Set<unknown> | undefined
  /** The URLs of media. */
  media: Set<unknown> | undefined
  /** How many components there were. */
  components: number
  /** The contents of text displays. */
  readonly texts: string[]
  /** How long they are together, in UTF-16 units. */
  units: number
  work: number
}

export function newRun(context: Context, length: string | undefined, warns: boolean | undefined): Run {
  return {
    context,
    isUtf16: length === 'utf16',
    warns: warns !== false,
    path: [],
    depth: 0,
    issues: [],
    isWrong: false,
    ids: undefined,
    media: undefined,
    components: 0,
    texts: [],
    units: 0,
    work: 0,
  }
}

/** Reports what is wrong where the run is, or with a field of that. */
export function fail(run: Run, breach: Breach): void {
  run.isWrong = true
  report(run, breach, 'error')
}

/** Reports what is allowed and yet unwise. */
export function warn(run: Run, breach: Breach): void {
  if (run.warns) report(run, breach, 'warning')
}

function report(run: Run, { path = [], ...breach }: Breach, severity: Issue['severity']): void {
  run.issues.push({ path: [...run.path.slice(0, run.depth), ...path], ...breach, severity })
}

/** Reports a value of a wrong kind. */
export function failType(run: Run, expected: string, value: unknown): void {
  const isNested = typeof value === 'object' && value !== null
  fail(run, {
    code: 'invalid_type',
    message: `expected ${expected}, got ${isNested ? (Array.isArray(value) ? 'a list' : 'an object') : kindOf(value)}`,
    ...(!isNested && { actual: value }),
  })
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  return typeof value === 'number' ? `the number ${value}` : `a ${typeof value}`
}
