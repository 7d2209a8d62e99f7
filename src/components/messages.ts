import type { BuiltMethods } from './base'
import type { Button, ButtonInput, InteractiveButton } from './buttons'
import { MessageFlags } from './constants'
import {
  type FileDisplay,
  type MediaGallery,
  type Separator,
  type TextDisplay,
  type TextDisplayInput,
  type Thumbnail,
  type ThumbnailInput,
  toTextDisplays,
} from './content'
import { concatFrozen, toFrozen, toFrozenArray } from './factory'
import type {
  ActionRow,
  ActionRowInput,
  Container,
  ContainerChildInput,
  ContainerInput,
  LabelChildInput,
  LabelInput,
  Section,
  SectionDraft,
  TextInputRowInput,
} from './layouts'
import { isObject, type PlainObject, unsafeCast } from './plain-object'
import type { Select, SelectInput } from './selects'
import type {
  AnyChildren,
  Certainly,
  Child,
  ChildArguments,
  LegacyErrors,
  MessageErrors,
  ModalErrors,
  Nothing,
  TypeErrorMessage,
} from './type-errors'

/** Components allowed at the top level of a message with the flag. API, "Component Type". */
export type MessageComponentInput = ContainerChildInput | ContainerInput

/** Components allowed at the top level of a modal. API, "Component Type". */
export type ModalComponentInput = LabelInput | TextDisplayInput | TextInputRowInput

/** Components of a message that can be sent, at any level. */
export type SendableComponent = MessageComponentInput | ButtonInput | SelectInput<'message'> | ThumbnailInput

/** Any component that can be sent, at any level. API, "Component Type". */
export type ComponentInput = SendableComponent | ModalComponentInput | LabelChildInput

/** Fields that do not work with the flag. API, "Messages using the v2 component system". */
export interface DisabledMessageFields {
  /** Must be empty: use a text display instead. */
  readonly content?: '' | null
  /** Must be empty: use a container instead. */
  readonly embeds?: readonly [] | null
  /** Must be empty: polls are disabled with the flag. */
  readonly poll?: null
  /** Must be empty: stickers are disabled with the flag. */
  readonly stickers?: readonly [] | null
}

/** Message of the v2 component system. API, "Messages using the v2 component system". */
export interface MessageV2Input extends DisabledMessageFields {
  /** Bit field of flags that includes IS_COMPONENTS_V2 (32768). */
  readonly flags: number
  /** At most 40 components including nested ones, and at most 4000 characters of text. */
  readonly components: readonly MessageComponentInput[]
  /** Other fields of a message; not shown in the API document. */
  readonly [field: string]: unknown
}

/** Flags to add, and other fields, for `messageV2`. API, "Messages using the v2 component system". */
export interface MessageV2Fields extends DisabledMessageFields {
  /** Bit field of flags to add to IS_COMPONENTS_V2, such as `MessageFlags.EPHEMERAL`. */
  readonly flags?: number | undefined
  /** Which mentions ping; its fields are not shown in the API document. */
  readonly allowed_mentions?: unknown
  /** Not set: an object with a `type` is a component. */
  readonly type?: never
  /** Not allowed: pass the components after the fields. */
  readonly components?: TypeErrorMessage<'pass the components after the fields'>
  /** Other fields of a message; not shown in the API document. */
  readonly [field: string]: unknown
}

/** Fields of a message without the flag, except its rows. API, "Messages using the v2 component system". */
export interface LegacyMessageFields {
  /** Bit field of flags without IS_COMPONENTS_V2. */
  readonly flags?: number
  /** Text of the message. */
  readonly content?: string | null
  /** Embeds; their fields are not shown in the API document. */
  readonly embeds?: readonly object[] | null
  /** Other fields of a message; not shown in the API document. */
  readonly [field: string]: unknown
}

/** First argument of `messageLegacy`. API, "Messages using the v2 component system". */
export interface LegacyMessageBody extends LegacyMessageFields {
  /** Not allowed: pass the rows after the body. */
  readonly components?: TypeErrorMessage<'pass the rows after the body'>
}

/** Message without the flag. API, "Messages using the v2 component system". */
export interface LegacyMessageInput extends LegacyMessageFields {
  /** Rows, shown below the content and the embeds. */
  readonly components?: readonly ActionRowInput[]
}

/** Message created by `messageV2`; immutable. API, "Messages using the v2 component system". */
export interface MessageV2 extends MessageV2Input, BuiltMethods {}

/** Message created by `messageLegacy`; immutable. API, "Messages using the v2 component system". */
export interface LegacyMessage extends LegacyMessageInput, BuiltMethods {}

/** Message to send. The API document does not show the endpoint. API, "Messages using the v2 component system". */
export type MessageInput = MessageV2Input | LegacyMessageInput

/** Component of a message, with the methods of its factory. API, "Component Type". */
export type BuiltComponent =
  | ActionRow
  | Button
  | Select<'message'>
  | Section
  | TextDisplay
  | Thumbnail
  | MediaGallery
  | FileDisplay
  | Separator
  | Container

/** Messages and components with methods. */
export type BuiltSource = BuiltMethods | BuiltComponent | SectionDraft

/** Message or component of the same type, with methods. */
export type BuiltOf<Source> = Source extends readonly unknown[]
  ? { readonly [Index in keyof Source]: BuiltOf<Source[Index]> }
  : Source extends { readonly type: 2; readonly style: infer Style }
    ? Extract<Button, { readonly style: Style }> extends never
      ? InteractiveButton
      : Extract<Button, { readonly style: Style }>
    : Source extends { readonly type: infer Type }
      ? Extract<BuiltComponent, { readonly type: Type }>
      : Source extends MessageV2Input
        ? MessageV2
        : LegacyMessage

/** Modal to send. Its envelope is a convention, since the API document does not show one. API, "Label". */
export interface ModalInput {
  /** 1–100 characters. Identifies the modal when the user submits it. */
  readonly custom_id: string
  /** Heading of the modal. */
  readonly title: string
  /** Labels and text displays. */
  readonly components: readonly ModalComponentInput[]
}

declare const fields: unique symbol

/** Modal created by `modal`. Its type knows the form controls, for `readModalAnswers`. API, "Label". */
export interface Modal<Given = unknown> extends ModalInput {
  /** Only a type: the components that the modal was created of. */
  readonly [fields]?: Given
}

/** Components of `messageV2`. */
type MessageChildren<Given extends readonly unknown[]> = ChildArguments<
  Given,
  string | MessageComponentInput,
  MessageErrors,
  40
>

/** Arguments of `messageV2` while it is open whether the first one has the fields of the message. */
type MessageArguments = readonly [
  first?: MessageV2Fields | Child<string | MessageComponentInput>,
  ...components: Child<string | MessageComponentInput>[],
]

/** Values that cannot be the fields of a message. */
type NotFields = string | readonly unknown[] | { readonly type: unknown }

/** Whether a first argument is a child, as a condition of `Certainly`. */
type IsChild<First> = [unknown] extends [First] ? false : [First] extends [NotFields | Nothing] ? true : false

/** Whether a first argument has the fields of a message, as a condition of `Certainly`. */
type IsFields<First> = [First] extends [never]
  ? false
  : [Extract<First, NotFields>] extends [never]
    ? [keyof First] extends [never]
      ? false
      : true
    : false

/** Arguments of `messageV2`: fields of the message, if any, and components. */
type InMessage<Given extends readonly unknown[]> = [Given] extends [never]
  ? Given
  : [Given] extends [readonly []]
    ? MessageArguments
    : Certainly<Given, IsChild<Given[0]>> extends true
      ? MessageChildren<Given>
      : Certainly<Given, IsFields<Exclude<Given[0], Nothing>>> extends true
        ? Given extends readonly [unknown, ...infer Rest]
          ? readonly [fields: MessageV2Fields | Nothing, ...Extract<MessageChildren<Rest>, readonly unknown[]>]
          : MessageArguments
        : MessageArguments

/** Rows of `messageLegacy`. */
type InLegacyMessage<Given extends readonly unknown[]> = ChildArguments<Given, ActionRowInput, LegacyErrors>

/** Components of `modal`. */
type InModal<Given extends readonly unknown[]> = ChildArguments<Given, string | ModalComponentInput, ModalErrors>

/** Creates a message of a body and components. @internal */
export const createMessage = <Message>(body: object, flags: number, children: readonly unknown[]): Message => {
  // `toFrozen` copies an object into an object.
  const message = unsafeCast<PlainObject>(toFrozen({ ...body }))
  const components = concatFrozen(message.components ?? [], children)
  // The parameters of the factories have the types that their results declare.
  return unsafeCast(Object.freeze({ ...message, ...(flags && { flags }), components }))
}

/**
 * Creates a message of the v2 component system: at most 40 components including nested ones, at most 4000 characters of
 * text. Strings become text displays. Flattens arrays and skips `null`, `undefined` and `false`. An object without
 * `type` as the first argument has flags to add and other fields of the message. API, "Messages using the v2
 * component system".
 *
 * @example
 * import { container, MessageFlags, messageV2 } from 'rapport-sdk/components'
 *
 * const message = messageV2(container('Hello'))
 * const secret = messageV2({ flags: MessageFlags.EPHEMERAL, allowed_mentions: { parse: [] } }, 'Only you see this.')
 */
export const messageV2 = <
  const Given extends readonly (MessageV2Fields | Child<string | MessageComponentInput> | object)[],
>(
  ...components: InMessage<Given>
): MessageV2 => {
  const [first] = components
  const flags = MessageFlags.IS_COMPONENTS_V2
  // A builder of another library has a `toJSON`.
  const isBody = isObject(first) && first.type === undefined && !('toJSON' in first)
  const children = toTextDisplays(...(isBody ? components.slice(1) : components))
  // The parameters have the types that the result declares.
  if (!isBody) return unsafeCast(Object.freeze({ flags, components: children }))
  // `|` converts any value of `flags` to a number.
  return createMessage(first, unsafeCast<number>(first.flags) | flags, children)
}

/**
 * Creates a message without the flag: rows below content and embeds. Flattens arrays and skips `null`, `undefined` and
 * `false`. API, "Messages using the v2 component system".
 *
 * @example
 * import { button, messageLegacy, row } from 'rapport-sdk/components'
 *
 * messageLegacy({ content: 'Sure?' }, row(button.success('yes', 'Yes'), button.danger('no', 'No')))
 */
export const messageLegacy = <const Given extends AnyChildren<ActionRowInput>>(
  body: LegacyMessageBody,
  ...rows: InLegacyMessage<Given>
): LegacyMessage => createMessage(body, 0, toFrozenArray(rows))

/**
 * Creates a modal. Its envelope is a convention, since the API document does not show one. API, "Label".
 *
 * @param customId 1–100 characters.
 * @param title Heading of the modal.
 * @param components Labels and text displays, or strings that become text displays. Arrays are flattened; `null`,
 * `undefined` and `false` are skipped.
 *
 * @example
 * import { label, modal, textInput } from 'rapport-sdk/components'
 *
 * modal('feedback', 'Feedback', label('What do you think?', textInput.paragraph('opinion')))
 */
export const modal = <const Given extends AnyChildren<string | ModalComponentInput>>(
  customId: string,
  title: string,
  ...components: InModal<Given>
): Modal<Given> => {
  // The parameters have the types that the result declares.
  return unsafeCast(Object.freeze({ custom_id: customId, title, components: toTextDisplays(...components) }))
}
