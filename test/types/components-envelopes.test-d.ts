import {
  type ActionRowInput,
  type ButtonInput,
  button,
  type Child,
  type ComponentInput,
  checkbox,
  container,
  isButton,
  isSection,
  label,
  type MessageComponentInput,
  type MessageInput,
  type MessageV2Fields,
  messageLegacy,
  messageV2,
  modal,
  parseComponents,
  type ReceivedComponent,
  row,
  section,
  separator,
  text,
  textInput,
  thumbnail,
  toSendable,
  userSelect,
  validateComponent,
  validateMessage,
  validateModal,
  walk,
} from 'rapport-sdk/components'
import { describe, expectTypeOf, test } from 'vitest'

const go = row(button.primary('go'))
const isAdmin = false as boolean
const many: readonly Child<MessageComponentInput>[] = [go, [null, [go]]]

describe('a valid message', () => {
  test('compiles as a v2 message', () => {
    const messages: MessageInput[] = [
      messageV2(),
      messageV2(text('A text'), separator(), go, container(text('A text'))),
      messageV2([text('A text'), section('A text').withAccessory(thumbnail('https://example.test'))]),
      { flags: 32768, components: [{ type: 10, content: 'A text' }, text('Another')] },
      { ...messageV2(text('A text')), allowed_mentions: { parse: [] } },
      messageV2({ flags: 64, allowed_mentions: { parse: [] } }, 'A text'),
      messageV2(isAdmin ? { flags: 64 } : undefined, isAdmin && go, [null, ['A text']]),
      messageV2('A text', many, [...many]),
    ]
    expectTypeOf(messages).toBeArray()
  })

  test('compiles as a legacy message', () => {
    const messages: MessageInput[] = [
      messageLegacy({ content: 'Sure?' }, go, go),
      messageLegacy({ content: 'Sure?', embeds: [{ title: 'An embed' }] }, [go]),
      messageLegacy({ content: 'Whom?' }, row(userSelect('u').withDisabled())),
      messageLegacy({ content: 'Nothing to do' }),
      { content: 'Sure?', components: [{ type: 1, components: [button.danger('no')] }] },
    ]
    expectTypeOf(messages).toBeArray()
  })
})

test('a function with a type parameter passes components to a message', () => {
  const shown = <T extends MessageComponentInput>(x: T) => messageV2(x, [x], isAdmin && x)
  const secret = <T extends MessageComponentInput>(x: T) => messageV2({ flags: 64 }, x)
  const sent = <T extends MessageV2Fields>(x: T) => messageV2(x, 'A text')
  const all = <T extends readonly MessageComponentInput[]>(...x: T) => messageV2(...x)
  const buttons = <T extends ButtonInput>(x: T) => messageV2(container(row(x)), row([x]))
  const legacy = <T extends ActionRowInput>(x: T) => messageLegacy({ content: 'Sure?' }, x)
  const messages: MessageInput[] = [
    shown(go),
    secret(go),
    sent({ flags: 64 }),
    all(go, go),
    buttons(button.primary('a')),
    legacy(go),
  ]
  expectTypeOf(messages).toBeArray()
})

describe('an invalid message', () => {
  test('does not compile as a v2 message', () => {
    // @ts-expect-error: a button needs a row
    messageV2(button.primary('a'))
    // @ts-expect-error: a select needs a row
    messageV2(userSelect('u'))
    // @ts-expect-error: a section without an accessory
    messageV2(section('A text'))
    // @ts-expect-error: a thumbnail is an accessory
    messageV2(thumbnail('https://example.test'))
    // @ts-expect-error: a label is for a modal
    messageV2(label('A', checkbox('c')))
    // @ts-expect-error: a checkbox is for a modal
    messageV2(checkbox('c'))
    // @ts-expect-error: a row of a text input is for a modal
    messageV2(row(textInput.small('t')))
    // @ts-expect-error: a number is not a component
    messageV2(5)
    // @ts-expect-error: flags are a number
    messageV2({ flags: 'a' })
    // @ts-expect-error: content does not work with the flag
    messageV2({ content: 'A text' }, go)
    // @ts-expect-error: fields are the first argument
    messageV2(go, { flags: 64 })
    // @ts-expect-error: the type is receive-only
    messageV2({ type: 16, content_inventory_entry: {} })
  })

  test('does not compile as a legacy message', () => {
    // @ts-expect-error: a text display requires the flag
    messageLegacy({ content: 'Hello' }, text('A text'))
    // @ts-expect-error: a container requires the flag
    messageLegacy({}, container(text('A text')))
    // @ts-expect-error: a button needs a row
    messageLegacy({ content: 'Hello' }, button.primary('a'))
    // @ts-expect-error: pass the rows after the body
    messageLegacy({ content: 'Hello', components: [go] }, go)
    // @ts-expect-error: content is a string
    messageLegacy({ content: 5 }, go)
  })
})

test('a select that is disabled and required does not compile', () => {
  const disabled: ComponentInput = { type: 3, custom_id: 's', options: [], disabled: true }
  const required: ComponentInput = { type: 3, custom_id: 's', options: [], required: true }
  // @ts-expect-error: one is for messages, the other for modals
  const both: ComponentInput = { type: 3, custom_id: 's', options: [], required: true, disabled: true }
  expectTypeOf([disabled, required, both]).toBeArray()
})

describe('the result of a validation', () => {
  test('it is the typed value or issues', () => {
    const result = validateMessage({})
    if (result.ok) expectTypeOf(result.value).toEqualTypeOf<MessageInput>()
    else expectTypeOf(result.issues[0]?.severity).toEqualTypeOf<'error' | 'warning' | undefined>()
    validateMessage('anything', { length: 'utf16' })
    validateModal(null)
    validateComponent({}, { context: 'modal' })
  })

  test('does not compile with invalid options', () => {
    // @ts-expect-error: expected code points or UTF-16 units
    validateMessage({}, { length: 'bytes' })
    // @ts-expect-error: a message has no context option
    validateMessage({}, { context: 'modal' })
    // @ts-expect-error: expected message or modal
    validateComponent({}, { context: 'thread' })
    // @ts-expect-error: the value exists only if ok is true
    expectTypeOf(validateModal({}).value).toBeObject()
  })
})

describe('received components', () => {
  const [first] = parseComponents([])

  test('a received component is narrowed by guards and by its type', () => {
    if (first === undefined) return
    expectTypeOf(first).toExtend<ReceivedComponent>()
    if (isSection(first)) expectTypeOf(first.accessory).toBeObject()
    if (isButton(first)) expectTypeOf(first.type).toEqualTypeOf<2>()
    for (const { component, path, parent } of walk(first)) expectTypeOf([component.type, path, parent]).toBeArray()
  })

  test('can be sent after toSendable()', () => {
    const { components, dropped } = toSendable(parseComponents([]))
    messageV2(components)
    expectTypeOf(dropped[0]?.path).toEqualTypeOf<readonly (string | number)[] | undefined>()
  })

  test('cannot be sent unchanged', () => {
    // @ts-expect-error: received components may not be sendable
    messageV2(parseComponents([]))
    // @ts-expect-error: nor in a container
    container(parseComponents([]))
    // @ts-expect-error: nor in a modal
    modal('m', 'A modal', parseComponents([]))
  })
})
