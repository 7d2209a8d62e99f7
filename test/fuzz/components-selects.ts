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
import { after, customId, emoji, flag, maybeLiteral, range, textOf } from './components-texts'

const selectOption = maybeLiteral(
  after(
    fc.tuple(textOf(0, 100), textOf(1, 100)).map(([name, value]) => option(name, value)),
    textOf(0, 100).map((value) => (made) => made.withDescription(value)),
    emoji.map((value) => (made) => made.withEmoji(value)),
    flag.map((value) => (made) => made.withDefault(value)),
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
  after(
    strings,
    placeholder.map((value) => (made) => made.withPlaceholder(value)),
    range(25).map(
      ([least, most]) =>
        (made) =>
          made.withMinValues(least).withMaxValues(most),
    ),
  ),
  after(
    automatic,
    defaultValues.map((values) => (made) => made.withDefaultValues(values)),
    range(25).map(
      ([least, most]) =>
        (made) =>
          made.withMaxValues(most).withMinValues(least),
    ),
  ),
  after(
    channels,
    placeholder.map((value) => (made) => made.withPlaceholder(value)),
    defaultValues.map((values) => (made) => made.withDefaultValues(...values)),
  ),
)

export const anyText = maybeLiteral(textOf(1, 60).map((content) => text(content)))
