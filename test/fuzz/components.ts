import fc from 'fast-check'
import {
  attachment,
  button,
  type ContainerChildInput,
  channelSelect,
  checkbox,
  checkboxGroup,
  container,
  file,
  fileUpload,
  galleryItem,
  groupOption,
  type LabelChildInput,
  label,
  type ModalComponentInput,
  mediaGallery,
  mentionableSelect,
  option,
  radioGroup,
  roleSelect,
  row,
  section,
  separator,
  stringSelect,
  text,
  textInput,
  thumbnail,
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
function withSteps<T>(start: fc.Arbitrary<T>, ...steps: readonly fc.Arbitrary<(value: T) => T>[]): fc.Arbitrary<T> {
  const taken = fc.shuffledSubarray([...steps]).chain((some) => fc.tuple(...some))
  return fc.tuple(start, taken).map(([value, changes]) => changes.reduce((last, change) => change(last), value))
}

/** A value of a factory, or the same as a literal. */
function maybeLiteral<T extends object>(made: fc.Arbitrary<T>): fc.Arbitrary<T> {
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

const interactive = withSteps(
  fc
    .tuple(fc.constantFrom('primary', 'secondary', 'success', 'danger'), customId)
    .map(([kind, id]) => button[kind as 'primary'](id)),
  textOf(0, 80).map((value) => (component) => component.withLabel(value)),
  emoji.map((value) => (component) => component.withEmoji(value)),
  flag.map((value) => (component) => component.withDisabled(value)),
)
const link = withSteps(
  url.map((value) => button.link(value)),
  textOf(0, 80).map((value) => (component) => component.withLabel(value)),
  flag.map((value) => (component) => component.withDisabled(value)),
)
const premium = withSteps(
  fc.nat().map((id) => button.premium(`${id}`)),
  flag.map((value) => (component) => component.withDisabled(value)),
)
const anyButton = maybeLiteral(fc.oneof(interactive, link, premium))

const buttons = maybeLiteral(fc.array(anyButton, { maxLength: 5 }).map((list) => row(list)))
const selects = maybeLiteral(
  fc.tuple(select, flag).map(([component, isDisabled]) => row([isDisabled ? component.withDisabled() : component])),
)
const picture = withSteps(
  media.map((value) => thumbnail(value)),
  textOf(0, 1024).map((value) => (component) => component.withDescription(value)),
  flag.map((value) => (component) => component.withSpoiler(value)),
)
const sections = maybeLiteral(
  fc
    .tuple(
      fc.array(fc.oneof(anyText, textOf(1, 60)), { minLength: 1, maxLength: 3 }),
      fc.oneof(anyButton, maybeLiteral(picture)),
    )
    .map(([texts, accessory]) => section(texts).withAccessory(accessory)),
)
const item = maybeLiteral(
  withSteps(
    media.map((value) => galleryItem(value)),
    textOf(0, 1024).map((value) => (component) => component.withDescription(value)),
    flag.map((value) => (component) => component.withSpoiler(value)),
  ),
)
const gallery = maybeLiteral(fc.array(item, { minLength: 1, maxLength: 10 }).map((items) => mediaGallery(items)))
const files = maybeLiteral(
  withSteps(
    textOf(1, 50).map((name) => file(attachment(name))),
    flag.map((value) => (component) => component.withSpoiler(value)),
  ),
)
const line = maybeLiteral(
  withSteps(
    fc.constant(null).map(() => separator()),
    fc.constantFrom('small' as const, 'large' as const).map((value) => (component) => component.withSpacing(value)),
    flag.map((value) => (component) => component.withDivider(value)),
  ),
)
const child: fc.Arbitrary<ContainerChildInput> = fc.oneof(buttons, selects, anyText, sections, gallery, files, line)
const containers = maybeLiteral(
  withSteps(
    fc.array(child, { minLength: 1, maxLength: 10 }).map((children) => container(children)),
    fc.option(fc.nat(0xffffff)).map((value) => (component) => component.withAccentColor(value)),
    flag.map((value) => (component) => component.withSpoiler(value)),
  ),
)

/** Top-level components of a message, with unique custom_ids. */
export const messagePart = fc.oneof({ weight: 3, arbitrary: child }, containers)
/** Top-level components of a legacy message. */
export const legacyPart = fc.oneof(buttons, selects)

const groupOptions = fc.array(
  maybeLiteral(
    withSteps(
      fc.tuple(textOf(0, 100), textOf(1, 100)).map(([name, value]) => groupOption(name, value)),
      textOf(0, 100).map((value) => (component) => component.withDescription(value)),
      flag.map((value) => (component) => component.withDefault(value)),
    ),
  ),
  { minLength: 2, maxLength: 10 },
)
const input = withSteps(
  fc.tuple(fc.constantFrom('small', 'paragraph'), customId).map(([kind, id]) => textInput[kind as 'small'](id)),
  textOf(0, 100).map((value) => (component) => component.withPlaceholder(value)),
  range(4000).map(
    ([min, max]) =>
      (component) =>
        component.withMinLength(min).withMaxLength(max),
  ),
  textOf(0, 4000).map((value) => (component) => component.withValue(value)),
  flag.map((value) => (component) => component.withRequired(value)),
)
const uploads = withSteps(
  customId.map((id) => fileUpload(id)),
  range(10).map(
    ([min, max]) =>
      (component) =>
        component.withMinValues(min).withMaxValues(max),
  ),
  flag.map((value) => (component) => component.withRequired(value)),
)
const radios = fc
  .tuple(customId, groupOptions, flag)
  .map(([id, options, value]) => radioGroup(id, options).withRequired(value))
const boxes = fc.tuple(customId, groupOptions, range(10)).map(([id, options, [min, max]]) => {
  return checkboxGroup(id, options).withMinValues(min).withMaxValues(max)
})
const box = fc.tuple(customId, flag).map(([id, value]) => checkbox(id).withDefault(value))
const fields: fc.Arbitrary<LabelChildInput> = maybeLiteral(
  fc.oneof(
    input,
    uploads,
    radios,
    boxes,
    box,
    fc.tuple(select, flag).map(([component, value]) => component.withRequired(value)),
  ),
)
const labels = maybeLiteral(
  withSteps(
    fc.tuple(textOf(0, 45), fields).map(([name, field]) => label(name, field)),
    textOf(0, 100).map((value) => (component) => component.withDescription(value)),
  ),
)

/** Top-level components of a modal. */
export const modalPart: fc.Arbitrary<ModalComponentInput> = fc.oneof(
  { weight: 4, arbitrary: labels },
  anyText,
  input.map((component) => row(component)),
)
