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
import { joined, toFrozen, toFrozenArray } from './factory'
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
import { arrayOf, CUSTOM_ID, childComponent, INTEGER, partSpec, required, STRING, unsafeCast } from './schema'
import type { SelectInput } from './selects'
import type { Held, InMessages, Parts, TypeErrorMessage } from './type-errors'

/** Interface, "Messages using the v2 component system". What else a message has, the document does not show. */
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

/** Interface, "Messages using the v2 component system": the behaviour without the flag. */
export const legacyMessageSpec = partSpec('message without IS_COMPONENTS_V2', {
  flags: INTEGER,
  components: arrayOf(childComponent([actionRowSpec])),
})

/** The document gives no envelope: this one is a convention. */
export const modalSpec = partSpec('modal', {
  custom_id: CUSTOM_ID,
  title: required(STRING),
  components: required(arrayOf(childComponent([], [labelSpec, textDisplaySpec, actionRowSpec]))),
})

/** What no longer works with the flag. Interface, "Messages using the v2 component system". */
export const REPLACED = ['content', 'embeds', 'poll', 'stickers'] as const

/** What a message with the flag may hold in all. Interface, "Limits". */
export const TOTALS = { components: { max: 40 }, text: { max: 4000 } } as const

/** What may stand at the top of a message with the flag. Interface, "Component Type". */
export type MessageComponentInput = ContainerChildInput | ContainerInput

/** What may stand at the top of a modal. Interface, "Component Type". */
export type ModalComponentInput = LabelInput | TextDisplayInput | TextInputRowInput

/** Any component that can be sent, at whichever level. Interface, "Component Type". */
export type ComponentInput =
  | MessageComponentInput
  | ModalComponentInput
  | ButtonInput
  | SelectInput<'message'>
  | ThumbnailInput
  | LabelChildInput

/** A message of the v2 component system. Interface, "Messages using the v2 component system". */
export interface MessageV2Input {
  /** A sum of flags, IS_COMPONENTS_V2 (32768) among them. */
  readonly flags: number
  /** At most 40 with all that they hold, and at most 4000 characters of text. */
  readonly components: readonly MessageComponentInput[]
  /** Nothing: a text display takes its place. */
  readonly content?: '' | null
  /** Nothing: a container takes their place. */
  readonly embeds?: readonly [] | null
  /** Nothing: with the flag it is disabled. */
  readonly poll?: null
  /** Nothing: with the flag they are disabled. */
  readonly stickers?: readonly [] | null
  /** What else a message has; the document does not show it. */
  readonly [field: string]: unknown
}

/** What a message without the flag may have beside rows. Interface, "Messages using the v2 component system". */
export interface LegacyMessageFields {
  /** A sum of flags, without IS_COMPONENTS_V2. */
  readonly flags?: number
  /** The text. */
  readonly content?: string | null
  /** Embeds; the document does not show their fields. */
  readonly embeds?: readonly object[] | null
  /** What else a message has; the document does not show it. */
  readonly [field: string]: unknown
}

/** What `messageLegacy` is given beside rows. Interface, "Messages using the v2 component system". */
export interface LegacyMessageBody extends LegacyMessageFields {
  /** Nothing: the rows are given after the body. */
  readonly components?: TypeErrorMessage<'the rows are given after the body'>
}

/** A message without the flag. Interface, "Messages using the v2 component system". */
export interface LegacyMessageInput extends LegacyMessageFields {
  /** Rows, below the content and the embeds. */
  readonly components?: readonly ActionRowInput[]
}

/** A message as it is sent. The document does not show the endpoint. Interface, "Messages using the v2 component system". */
export type MessageInput = MessageV2Input | LegacyMessageInput

/** A modal as it is sent. The document gives no envelope: this one is a convention. Interface, "Label". */
export interface ModalInput {
  /** 1–100 characters; comes back with what the user has entered. */
  readonly custom_id: string
  /** What stands over the modal. */
  readonly title: string
  /** Labels, and texts between them. */
  readonly components: readonly ModalComponentInput[]
}

/**
 * A message of the v2 component system: at most 40 components with all that they hold, at most 4000 characters of text.
 * Spread it to add what else a message has. A function of yours that passes components on takes
 * `readonly MessageComponentInput[]`, not a type parameter. Interface, "Messages using the v2 component system".
 *
 * @example
 * import { container, messageV2, text } from 'rapport-sdk/components'
 *
 * const message = messageV2(container(text('Hello')))
 * const body = { ...message, allowed_mentions: { parse: [] } }
 */
export function messageV2<const Given extends Parts<MessageComponentInput>>(
  ...components: InMessage<Given>
): MessageV2Input {
  return unsafeCast(Object.freeze({ flags: MessageFlags.IS_COMPONENTS_V2, components: toFrozenArray(components) }))
}

/**
 * A message without the flag: rows below content and embeds. Interface, "Messages using the v2 component system".
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
    return unsafeCast(Object.freeze({ ...message, components: joined(message?.components ?? [], toFrozenArray(rows)) }))
  } catch {
    // A body that cannot be read is left to the checks, as it is.
    return unsafeCast(body)
  }
}

/**
 * A modal. The document gives no envelope, so this one is a convention. Interface, "Label".
 *
 * @param customId 1–100 characters.
 * @param title What stands over the modal.
 * @param components Labels and texts, one by one or as an array.
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

/** What a message with the flag is given: components one by one, or as an array. */
export type InMessage<Given extends readonly unknown[]> = Held<Given, MessageComponentInput, InMessages, 40>

export type Field = { readonly type: 3 | 4 | 5 | 6 | 7 | 8 | 19 | 21 | 22 | 23 }

export type Unlabelled = TypeErrorMessage<'a field of a modal is put in a label'>

export type ModalItem<Item> = Item extends ModalComponentInput
  ? Item
  : Item extends Field
    ? Unlabelled
    : ModalComponentInput

/** What a modal is given. */
export type InModal<Items extends readonly unknown[]> = Items extends readonly ModalComponentInput[]
  ? readonly ModalComponentInput[]
  : { readonly [Index in keyof Items]: ModalItem<Items[Index]> }

/** The same as an array, which is refused as a whole where all are without a label. */
export type ArrayInModal<Items extends readonly unknown[]> = Items extends readonly Field[]
  ? Items extends readonly ModalComponentInput[]
    ? readonly ModalComponentInput[]
    : Unlabelled
  : InModal<Items>
