import fc from 'fast-check'
import {
  attachment,
  channelSelect,
  mentionableSelect,
  option,
  roleSelect,
  stringSelect,
  text,
  userSelect,
} from 'rapport-sdk/components'
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

const selectOption = maybeLiteral(
  withSteps(
    fc.tuple(textOf(0, 100), textOf(1, 100)).map(([name, value]) => option(name, value)),
    textOf(0, 100).map((value) => (component) => component.withDescription(value)),
    emoji.map((value) => (component) => component.withEmoji(value)),
    flag.map((value) => (component) => component.withDefault(value)),
  ),
)
const defaultValues = fc.array(
  fc.record({ id: fc.nat().map(String), type: fc.constantFrom('user', 'role', 'channel') }),
  { maxLength: 25 },
)

const strings = fc
  .tuple(fc.array(selectOption, { maxLength: 25 }), customId)
  .map(([options, id]) => stringSelect(id, options))
const automatic = fc
  .tuple(fc.constantFrom(userSelect, roleSelect, mentionableSelect), customId)
  .map(([make, id]) => make(id) as ReturnType<typeof userSelect>)
const channels = fc
  .tuple(customId, fc.array(fc.nat(20)))
  .map(([id, types]) => channelSelect(id).withChannelTypes(types))
const placeholder = textOf(0, 150)
export const select = fc.oneof(
  withSteps(
    strings,
    placeholder.map((value) => (component) => component.withPlaceholder(value)),
    range(25).map(
      ([min, max]) =>
        (component) =>
          component.withMinValues(min).withMaxValues(max),
    ),
  ),
  withSteps(
    automatic,
    defaultValues.map((values) => (component) => component.withDefaultValues(values)),
    range(25).map(
      ([min, max]) =>
        (component) =>
          component.withMaxValues(max).withMinValues(min),
    ),
  ),
  withSteps(
    channels,
    placeholder.map((value) => (component) => component.withPlaceholder(value)),
    defaultValues.map((values) => (component) => component.withDefaultValues(...values)),
  ),
)

export const anyText = maybeLiteral(textOf(1, 60).map((content) => text(content)))
