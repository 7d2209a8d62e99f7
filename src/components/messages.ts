import type { ButtonInput } from './buttons'
import { MessageFlags } from './constants'
import {
  fileSpec,
  mediaGallerySpec,
  separatorSpec,
  type TextDisplayInput,
  type ThumbnailInput,
  textDisplaySpec,
} from './content'
import { concatFrozen, toFrozen, toFrozenArray } from './factory'
import {
  type ActionRowInput,
  actionRowSpec,
  type ContainerChildInput,
  type ContainerInput,
  containerSpec,
  type LabelChildInput,
  type LabelInput,
  labelSpec,
  sectionSpec,
  type TextInputRowInput,
} from './layouts'
import { unsafeCast } from './plain-object'
import { arrayOf, CUSTOM_ID, childComponent, INTEGER, partSpec, required, STRING } from './schema'
import type { SelectInput } from './selects'
import type { AnyArguments, ComponentArguments, MessageErrors, TypeErrorMessage } from './type-errors'

/** Only shows the fields that concern components. Interface, "Messages using the v2 component system". */
export const messageV2Spec = partSpec('message with IS_COMPONENTS_V2', {
  flags: INTEGER,
  components: arrayOf(
    childComponent([
      actionRowSpec,
      textDisplaySpec,
      sectionSpec,
      mediaGallerySpec,
      separatorSpec,
      fileSpec,
      containerSpec,
    ]),
  ),
})

/** Message without the flag. Interface, "Messages using the v2 component system". */
export const legacyMessageSpec = partSpec('message without IS_COMPONENTS_V2', {
  flags: INTEGER,
  components: arrayOf(childComponent([actionRowSpec])),
})

/** Envelope of a modal; a convention, since the interface document does not show one. */
export const modalSpec = partSpec('modal', {
  custom_id: CUSTOM_ID,
  title: required(STRING),
  components: required(arrayOf(childComponent([], [labelSpec, textDisplaySpec, actionRowSpec]))),
})

/** Fields that do not work with the flag. Interface, "Messages using the v2 component system". */
export const DISABLED_FIELDS = ['content', 'embeds', 'poll', 'stickers'] as const

/** Limits of a whole message with the flag. Interface, "Limits". */
export const MESSAGE_LIMITS = { components: { max: 40 }, text: { max: 4000 } } as const

/** Components allowed at the top level of a message with the flag. Interface, "Component Type". */
export type MessageComponentInput = ContainerChildInput | ContainerInput

/** Components allowed at the top level of a modal. Interface, "Component Type". */
export type ModalComponentInput = LabelInput | TextDisplayInput | TextInputRowInput

/** Any component that can be sent, at any level. Interface, "Component Type". */
export type ComponentInput =
  | MessageComponentInput
  | ModalComponentInput
  | ButtonInput
  | SelectInput<'message'>
  | ThumbnailInput
  | LabelChildInput

/** Message of the v2 component system. Interface, "Messages using the v2 component system". */
export interface MessageV2Input {
  /** Bit field of flags that includes IS_COMPONENTS_V2 (32768). */
  readonly flags: number
  /** At most 40 components including nested ones, and at most 4000 characters of text. */
  readonly components: readonly MessageComponentInput[]
  /** Must be empty: use a text display instead. */
  readonly content?: '' | null
  /** Must be empty: use a container instead. */
  readonly embeds?: readonly [] | null
  /** Must be empty: polls are disabled with the flag. */
  readonly poll?: null
  /** Must be empty: stickers are disabled with the flag. */
  readonly stickers?: readonly [] | null
  /** Other fields of a message; not shown in the interface document. */
  readonly [field: string]: unknown
}

/** Fields of a message without the flag, except its rows. Interface, "Messages using the v2 component system". */
export interface LegacyMessageFields {
  /** Bit field of flags without IS_COMPONENTS_V2. */
  readonly flags?: number
  /** Text of the message. */
  readonly content?: string | null
  /** Embeds; their fields are not shown in the interface document. */
  readonly embeds?: readonly object[] | null
  /** Other fields of a message; not shown in the interface document. */
  readonly [field: string]: unknown
}

/** First argument of `messageLegacy`. Interface, "Messages using the v2 component system". */
export interface LegacyMessageBody extends LegacyMessageFields {
  /** Not allowed: pass the rows after the body. */
  readonly components?: TypeErrorMessage<'pass the rows after the body'>
}

/** Message without the flag. Interface, "Messages using the v2 component system". */
export interface LegacyMessageInput extends LegacyMessageFields {
  /** Rows, shown below the content and the embeds. */
  readonly components?: readonly ActionRowInput[]
}

/**
 * Message to send. The interface document does not show the endpoint. Interface, "Messages using the v2 component
 * system".
 */
export type MessageInput = MessageV2Input | LegacyMessageInput

/** Modal to send. Its envelope is a convention, since the interface document does not show one. Interface, "Label". */
export interface ModalInput {
  /** 1–100 characters. Identifies the modal when the user submits it. */
  readonly custom_id: string
  /** Heading of the modal. */
  readonly title: string
  /** Labels and text displays. */
  readonly components: readonly ModalComponentInput[]
}

/** Arguments of `messageV2`: the components, or one array of them. */
export type InMessage<Given extends readonly unknown[]> = ComponentArguments<
  Given,
  MessageComponentInput,
  MessageErrors,
  40
>

/** Form control, which must be in a label. */
export type Field = { readonly type: 3 | 4 | 5 | 6 | 7 | 8 | 19 | 21 | 22 | 23 }

/** Compiler message for a form control that is not in a label. */
export type WithoutLabelError = TypeErrorMessage<'put a form control in a label'>

/** Parameter type for one component of a modal. */
export type ModalItem<Item> = Item extends ModalComponentInput
  ? Item
  : Item extends Field
    ? WithoutLabelError
    : ModalComponentInput

/** Component arguments of `modal`. */
export type InModal<Items extends readonly unknown[]> = Items extends readonly ModalComponentInput[]
  ? readonly ModalComponentInput[]
  : { readonly [Index in keyof Items]: ModalItem<Items[Index]> }

/** {@link InModal} for an array argument, rejected as a whole if no item is in a label. */
export type ArrayInModal<Items extends readonly unknown[]> = Items extends readonly Field[]
  ? Items extends readonly ModalComponentInput[]
    ? readonly ModalComponentInput[]
    : WithoutLabelError
  : InModal<Items>

/**
 * Creates a message of the v2 component system: at most 40 components including nested ones, at most 4000 characters of
 * text. Spread it to add other fields. A function of your own that passes components through takes `readonly
 * MessageComponentInput[]`, not a type parameter. Interface, "Messages using the v2 component system".
 *
 * @example
 * import { container, messageV2, text } from 'rapport-sdk/components'
 *
 * const message = messageV2(container(text('Hello')))
 * const body = { ...message, allowed_mentions: { parse: [] } }
 */
export function messageV2<const Given extends AnyArguments<MessageComponentInput>>(
  ...components: InMessage<Given>
): MessageV2Input {
  return unsafeCast(Object.freeze({ flags: MessageFlags.IS_COMPONENTS_V2, components: toFrozenArray(components) }))
}

/**
 * Creates a message without the flag: rows below content and embeds. Interface, "Messages using the v2 component
 * system".
 *
 * @example
 * import { button, messageLegacy, row } from 'rapport-sdk/components'
 *
 * messageLegacy({ content: 'Sure?' }, row(button.success('yes', 'Yes'), button.danger('no', 'No')))
 */
export function messageLegacy(
  body: LegacyMessageBody,
  ...rows: readonly ActionRowInput[] | [readonly ActionRowInput[]]
): LegacyMessageInput {
  try {
    const message = unsafeCast<LegacyMessageInput | undefined>(toFrozen(body))
    return unsafeCast(
      Object.freeze({ ...message, components: concatFrozen(message?.components ?? [], toFrozenArray(rows)) }),
    )
  } catch {
    // Return an unreadable body unchanged; validation reports it.
    return unsafeCast(body)
  }
}

/**
 * Creates a modal. Its envelope is a convention, since the interface document does not show one. Interface, "Label".
 *
 * @param customId 1–100 characters.
 * @param title Heading of the modal.
 * @param components Labels and text displays, passed as arguments or as an array.
 *
 * @example
 * import { label, modal, textInput } from 'rapport-sdk/components'
 *
 * modal('feedback', 'Feedback', label('What do you think?', textInput.paragraph('opinion')))
 */
export function modal<const Given extends readonly object[]>(
  customId: string,
  title: string,
  ...components: InModal<Given>
): ModalInput
export function modal<const Given extends readonly object[]>(
  customId: string,
  title: string,
  components: ArrayInModal<Given>,
): ModalInput
export function modal(
  customId: string,
  title: string,
  ...components: readonly (object | readonly object[])[]
): ModalInput {
  return unsafeCast(Object.freeze({ custom_id: customId, title, components: toFrozenArray(components) }))
}
