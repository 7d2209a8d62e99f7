import fc from 'fast-check'
import { attachment } from 'rapport-sdk/components'
import { anyString } from './arbitraries'

/** A string of `min` to `max` characters, often of the maximum. */
export const textOf = (min: number, max: number): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 8, arbitrary: anyString({ minLength: min, maxLength: Math.min(max, 20) }) },
    fc.constantFrom('x', '😀', '漢', '\ud800').map((character) => character.repeat(max)),
  )

/** A value to which some of the steps were applied, in any order. */
export function withSteps<T>(
  start: fc.Arbitrary<T>,
  ...steps: readonly fc.Arbitrary<(value: T) => T>[]
): fc.Arbitrary<T> {
  const taken = fc.shuffledSubarray([...steps]).chain((some) => fc.tuple(...some))
  return fc.tuple(start, taken).map(([value, changes]) => changes.reduce((last, change) => change(last), value))
}

/** A value of a factory, or the same as a literal. */
export function maybeLiteral<T extends object>(made: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.tuple(made, fc.boolean()).map(([value, isLiteral]) => (isLiteral ? structuredClone(value) : value))
}

export const flag = fc.boolean()
export const emoji = fc.oneof(
  fc.constant({ name: '🔥' }),
  fc.record({ id: fc.constant('1'), name: textOf(1, 5), animated: flag }),
)
export const url = textOf(0, 60).map((rest) => `https://example.test/${rest}`)
export const media = fc.oneof(
  url,
  textOf(1, 20).map((name) => attachment(name)),
)
/** Two numbers in ascending order; the second is at least 1. */
export const range = (max: number) =>
  fc.tuple(fc.nat(max), fc.integer({ min: 1, max })).map(([a, b]) => [Math.min(a, b), b] as const)

let counter = 0
/** A unique `custom_id` of any valid length. */
export const customId = textOf(0, 80).map((rest) => `${++counter}-${[...rest].slice(0, 80).join('')}`)
