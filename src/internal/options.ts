import { createIssue, type Issue } from './issue'
import { describeType } from './json'

/** Says of an option what is wrong with it. */
type Check = (name: string, value: unknown) => Issue[]

/** What each option must be. */
export type Checks<Options> = Readonly<Record<keyof Options, Check>>

// @__NO_SIDE_EFFECTS__
export function expect(what: string, fits: (value: unknown) => boolean): Check {
  return (name, value) => {
    if (fits(value)) return []
    // A text in the wrong place may be a secret.
    const given = ['number', 'boolean'].includes(typeof value) ? String(value) : describeType(value)
    return [createIssue([name], 'invalid_value', `expected ${what}, got ${given}`)]
  }
}

// @__NO_SIDE_EFFECTS__
export function oneOf(...values: readonly string[]): Check {
  return expect(values.map((one) => `'${one}'`).join(', '), (value) => values.some((one) => one === value))
}

/** For what is checked where it is read. */
export const anyValue: Check = () => []

export const booleanOption = expect('a boolean', (value) => typeof value === 'boolean')

export const functionOption = expect('a function', (value) => typeof value === 'function')

export const objectOption = expect('an object', isObject)

export const positiveNumber = expect('a number above 0', (value) => typeof value === 'number' && value > 0)

export const signalOption = expect(
  'an AbortSignal',
  (value) => isObject(value) && typeof Reflect.get(value, 'addEventListener') === 'function',
)

/** How often something is repeated. */
export const nonNegativeInteger = expect(
  'a whole number, 0 or more',
  (value) => Number.isInteger(value) && Number(value) >= 0,
)

/**
 * Reads options, inherited ones included, each once: `given` may have getters, and may be changed later. Adds to `issues`
 * what is not an option at all, since a misspelt one is as good as none, or is of the wrong kind. `path` is where they are.
 */
export function readOptions<T>(
  given: T,
  checks: Readonly<Record<string, Check>>,
  issues: Issue[],
  path: readonly string[] = [],
): NonNullable<T> {
  const taken = Object.create(null)
  const add = (found: readonly Issue[]) =>
    issues.push(...found.map((issue) => ({ ...issue, path: [...path, ...issue.path] })))
  if (!isObject(given)) add(objectOption('', given).map((issue) => ({ ...issue, path: [] })))
  else
    for (const name of new Set([...Object.keys(given), ...Object.keys(checks)])) {
      const check = Object.hasOwn(checks, name) ? checks[name] : undefined
      try {
        taken[name] = Reflect.get(given, name)
      } catch {
        // Its error may quote anything.
        add([createIssue([name], 'invalid_value', 'cannot be read: its getter threw')])
        continue
      }
      if (check === undefined)
        add([createIssue([name], 'invalid_value', `unknown; known here: ${Object.keys(checks).join(', ')}`)])
      // What is undefined is as good as not given.
      else if (taken[name] !== undefined) add(check(name, taken[name]))
    }
  return taken
}

/** What is wrong with options; see {@link readOptions}. */
export function validateOptions(given: unknown, checks: Readonly<Record<string, Check>>): Issue[] {
  const issues: Issue[] = []
  readOptions(given, checks, issues)
  return issues
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** What is wrong with a name that is none of those known. */
export function validateEventName(path: readonly string[], name: unknown, known: readonly unknown[]): Issue[] {
  return known.includes(name) ? [] : [createIssue(path, 'invalid_value', `unknown; known here: ${known.join(', ')}`)]
}
