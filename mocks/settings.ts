import { type Duration, milliseconds } from './clock'

/** What a setting may be: whether it is, and how one says so. */
export interface Kind {
  readonly wanted: string
  test(value: unknown): boolean
}

/** The settings of something, by name. */
export type Kinds = Readonly<Record<string, Kind>>

/**
 * Refuses settings that do not exist or are of the wrong kind: a mistake in a test's set-up would otherwise pass in
 * silence, and the test with it. A setting that is `undefined` counts as left out. A password is never shown.
 * @throws TypeError that says what was given and what is allowed.
 */
export function validateOptions(what: string, given: unknown, kinds: Kinds, required: readonly string[] = []): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new TypeError(`${what}: expected an object, got ${shown(given)}`)
  }
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
    if (kind === undefined) {
      throw new TypeError(`${what}: there is no "${name}"; there are ${Object.keys(kinds).sort().join(', ')}`)
    }
    if (kind.test(value)) continue
    throw new TypeError(`${what}: ${name} is ${kind.wanted}${name === 'password' ? '' : `, not ${shown(value)}`}`)
  }
  const missing = required.find((name) => (given as Record<string, unknown>)[name] === undefined)
  if (missing !== undefined) throw new TypeError(`${what}: ${missing} is left out`)
}

/** The settings of an object that are not `undefined`. */
export function omitUndefined<T extends object>(settings: T): T {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as T
}

const typed = (type: string, wanted: string): Kind => ({ wanted, test: (value) => typeof value === type })

export const boolean = typed('boolean', 'true or false')
export const callback = typed('function', 'a function')
export const number = typed('number', 'a number')
export const text: Kind = { wanted: 'a text', test: (value) => typeof value === 'string' && value !== '' }
export const textOrNull: Kind = {
  wanted: 'a text or null',
  test: (value) => value === null || typeof value === 'string',
}
export const anything: Kind = { wanted: 'anything', test: () => true }
export const yes: Kind = { wanted: 'true', test: (value) => value === true }
export const list: Kind = { wanted: 'a list', test: Array.isArray }

export function oneOf(...values: readonly unknown[]): Kind {
  return { wanted: values.map(shown).join(' or '), test: (value) => values.includes(value) }
}

export function integer(min: number, max: number): Kind {
  return {
    wanted: `an integer from ${min} to ${max}`,
    test: (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
  }
}

/** How often something happens. */
export const times: Kind = {
  wanted: 'a whole number or Infinity',
  test: (value) => value === Number.POSITIVE_INFINITY || (Number.isSafeInteger(value) && Number(value) >= 0),
}

/** A length of time of at most `max` milliseconds. */
export function duration(max = Number.POSITIVE_INFINITY): Kind {
  const limit = max === Number.POSITIVE_INFINITY ? '' : `, at most ${max} ms`
  return {
    wanted: `milliseconds or a text such as "30s", "5m" or "2d"${limit}`,
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

function shown(value: unknown): string {
  if (typeof value === 'string') return value.length > 60 ? 'a long text' : JSON.stringify(value)
  if (typeof value === 'function') return 'a function'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}
