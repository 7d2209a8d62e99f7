import {
  type Button,
  type ButtonInput,
  type CheckpointCard,
  type ComponentSource,
  type ContainerChildInput,
  type ContainerInput,
  type ContentInventoryEntryComponent,
  container,
  findByCustomId,
  fromJSON,
  isButton,
  type LinkButton,
  type MessageComponentInput,
  type MessageV2,
  messageV2,
  parseComponents,
  type ReceivedActionRow,
  type ReceivedButton,
  type ReceivedComponent,
  type ReceivedContainer,
  type ReceivedFile,
  type ReceivedLabel,
  type ReceivedSection,
  type ReceivedTextInput,
  type ReceivedThumbnail,
  replaceByCustomId,
  row,
  type SectionInput,
  type SelectInput,
  type SendableOf,
  section,
  type TextDisplayInput,
  type ThumbnailInput,
  toSendable,
  type UnknownComponent,
} from 'rapport-sdk/components'
import { describe, expectTypeOf, test } from 'vitest'

/** Has the type of the sendable part of a received component. */
declare function sendable<T extends ComponentSource>(received: T): SendableOf<T>

declare const received: readonly ReceivedComponent[]
declare const button: ReceivedButton
declare const thumbnail: ReceivedThumbnail
declare const any: ReceivedComponent

describe('the type of toSendable()', () => {
  test('it is an array of message components for an array or a message', () => {
    expectTypeOf(toSendable(received).components).toEqualTypeOf<readonly MessageComponentInput[]>()
    expectTypeOf(toSendable(parseComponents([])).components).toEqualTypeOf<readonly MessageComponentInput[]>()
    expectTypeOf(toSendable({ components: received }).components).toEqualTypeOf<readonly MessageComponentInput[]>()
    const message = { id: '1' as string, type: 0 as number, components: received }
    expectTypeOf(toSendable(message).components).toEqualTypeOf<readonly MessageComponentInput[]>()
    messageV2(toSendable(received).components)
  })

  test('it is the same type of component for a component', () => {
    expectTypeOf(sendable(button)).toEqualTypeOf<ButtonInput>()
    expectTypeOf(sendable({} as SelectInput)).toEqualTypeOf<SelectInput<'message'>>()
    expectTypeOf(sendable(thumbnail)).toEqualTypeOf<ThumbnailInput>()
    expectTypeOf(sendable({} as ReceivedSection)).toEqualTypeOf<SectionInput>()
    expectTypeOf(sendable({} as ReceivedContainer)).toEqualTypeOf<ContainerInput>()
    expectTypeOf(sendable({ type: 10, content: 'A text' })).toEqualTypeOf<TextDisplayInput>()
    expectTypeOf(sendable({} as ReceivedActionRow)).toExtend<ContainerChildInput>()
    expectTypeOf(sendable({} as ReceivedFile)).toExtend<ContainerChildInput>()
  })

  test('compiles only where it is valid', () => {
    expectTypeOf(sendable(button)).not.toExtend<ContainerChildInput>()
    expectTypeOf(sendable(button)).not.toExtend<MessageComponentInput>()
    expectTypeOf(sendable(thumbnail)).not.toExtend<ContainerChildInput>()
    expectTypeOf(sendable({} as SelectInput)).not.toExtend<ContainerChildInput>()
    expectTypeOf(sendable({} as ReceivedContainer)).not.toExtend<ContainerChildInput>()
    expectTypeOf(sendable({} as ReceivedContainer)).toExtend<MessageComponentInput>()
    // A component of unknown type is valid nowhere.
    expectTypeOf(sendable(any)).not.toExtend<MessageComponentInput>()
    expectTypeOf(sendable({} as ComponentSource)).not.toExtend<MessageComponentInput>()
    expectTypeOf(sendable({} as UnknownComponent)).not.toExtend<MessageComponentInput>()

    for (const one of toSendable(button).components) row(one)
    for (const one of toSendable(thumbnail).components) section('A text').withAccessory(one)
    for (const one of toSendable({} as ReceivedSection).components) container(one)
  })

  test('it is never for receive-only types and for modals', () => {
    expectTypeOf(sendable({} as ContentInventoryEntryComponent)).toBeNever()
    expectTypeOf(sendable({} as CheckpointCard)).toBeNever()
    expectTypeOf(sendable({} as ReceivedTextInput)).toBeNever()
    expectTypeOf(sendable({} as ReceivedLabel)).toBeNever()
    expectTypeOf<Extract<MessageComponentInput, { readonly type: 16 | 20 }>>().toBeNever()
  })
})

test('fromJSON() takes what can be sent, and returns it with the methods of its type', () => {
  expectTypeOf(fromJSON(toSendable(button).components)).toExtend<readonly Button[]>()
  expectTypeOf(fromJSON({ type: 2, style: 5, url: 'https://example.test' })).toEqualTypeOf<LinkButton>()
  expectTypeOf(fromJSON(messageV2('A'))).toEqualTypeOf<MessageV2>()
  // @ts-expect-error: a received component has fields that cannot be sent
  fromJSON(received)
})

test('findByCustomId() returns methods only for what was built', () => {
  const found = findByCustomId(messageV2('A'), 'a')
  if (found && isButton(found)) expectTypeOf(found).toEqualTypeOf<Button>()
  const any = findByCustomId(received, 'a')
  // @ts-expect-error: a received button has no methods
  if (any && isButton(any)) any.withDisabled()
  const copied = findByCustomId({ ...messageV2('A'), components: [] }, 'a')
  // @ts-expect-error: the components of a copy may be literals
  if (copied && isButton(copied)) copied.withDisabled()
})

test('replaceByCustomId() reports a misspelt field of a literal', () => {
  // @ts-expect-error: the field is called label
  replaceByCustomId(received, 'a', { type: 2, style: 1, custom_id: 'a', lable: 'A' })
})
