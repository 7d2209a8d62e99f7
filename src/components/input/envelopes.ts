import type { TypeErrorMessage } from '../built/refused'
import type { ButtonInput } from './buttons'
import type { TextDisplayInput, ThumbnailInput } from './content'
import type {
  ActionRowInput,
  ContainerChildInput,
  ContainerInput,
  LabelChildInput,
  LabelInput,
  TextInputRowInput,
} from './layouts'
import type { SelectInput } from './selects'

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
