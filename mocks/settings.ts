import { type Duration, milliseconds } from './clock'

/** Type of an option: a check, and its description for error messages. */
export interface OptionType {
  /** Completes the sentence "<option> must be …". */
  readonly expected: string
  test(value: unknown): boolean
}

/** Types of the options of one object, by name. */
export type OptionTypes = Readonly<Record<string, OptionType>>

/**
 * Throws for unknown options and options of the wrong type; otherwise a typo in a test would go unnoticed. An option
 * that is `undefined` counts as omitted. A password is never shown.
 * @throws TypeError with the invalid value and the allowed ones.
 */
export function validateOptions(
  subject: string,
  options: unknown,
  types: OptionTypes,
  required: readonly string[] = [],
): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new TypeError(`${subject}: expected an object, got ${describeValue(options)}`)
  }
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue
    const type = Object.hasOwn(types, name) ? types[name] : undefined
    if (type === undefined) {
      throw new TypeError(`${subject}: unknown option "${name}"; known are ${Object.keys(types).sort().join(', ')}`)
    }
    if (type.test(value)) continue
    const got = name === 'password' ? '' : `, got ${describeValue(value)}`
    throw new TypeError(`${subject}: ${name} must be ${type.expected}${got}`)
  }
  const missing = required.find((name) => (options as Record<string, unknown>)[name] === undefined)
  if (missing !== undefined) throw new TypeError(`${subject}: ${missing} is required`)
}

/** Returns a copy without the properties that are `undefined`. */
export function omitUndefined<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T
}

const ofType = (type: string, expected: string): OptionType => ({ expected, test: (value) => typeof value === type })

export const boolean = ofType('boolean', 'true or false')
export const callback = ofType('function', 'a function')
export const number = ofType('number', 'a number')
export const string: OptionType = {
  expected: 'a non-empty string',
  test: (value) => typeof value === 'string' && value !== '',
}
export const stringOrNull: OptionType = {
  expected: 'a string or null',
  test: (value) => value === null || typeof value === 'string',
}
export const anyValue: OptionType = { expected: 'any value', test: () => true }
export const literalTrue: OptionType = { expected: 'true', test: (value) => value === true }
export const array: OptionType = { expected: 'an array', test: Array.isArray }

export function oneOf(...values: readonly unknown[]): OptionType {
  return { expected: values.map(describeValue).join(' or '), test: (value) => values.includes(value) }
}

export function integer(min: number, max: number): OptionType {
  return {
    expected: `an integer from ${min} to ${max}`,
    test: (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
  }
}

/** Number of times that something happens. */
export const times: OptionType = {
  expected: 'an integer of at least 0, or Infinity',
  test: (value) => value === Number.POSITIVE_INFINITY || (Number.isSafeInteger(value) && Number(value) >= 0),
}

/** A {@link Duration} of at most `max` milliseconds. */
export function duration(max = Number.POSITIVE_INFINITY): OptionType {
  const limit = max === Number.POSITIVE_INFINITY ? '' : `, at most ${max} ms`
  return {
    expected: `milliseconds or a string such as "30s", "5m" or "2d"${limit}`,
    test(value) {
      if (typeof value !== 'number' && typeof value !== 'string') return false
      try {
        const length = milliseconds(value as Duration)
        return length >= 0 && length <= max
      } catch {
        return false
      }
    },
  }
}

function describeValue(value: unknown): string {
  if (typeof value === 'string') return value.length > 60 ? 'a long string' : JSON.stringify(value)
  if (typeof value === 'function') return 'a function'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}
