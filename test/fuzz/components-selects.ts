import fc from 'fast-check'
import {
  channelSelect,
  mentionableSelect,
  option,
  roleSelect,
  stringSelect,
  text,
  userSelect,
} from 'rapport-sdk/components'
import { customId, emoji, flag, maybeLiteral, range, textOf, withSteps } from './components-texts'

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
