import type { InMessage, Parts } from '../built/held'
import type { ArrayInModal, InModal } from '../built/placed'
import { MessageFlags } from '../constants'
import { unsafeCast } from '../edge'
import type {
  LegacyMessageBody,
  LegacyMessageInput,
  MessageComponentInput,
  MessageV2Input,
  ModalInput,
} from '../input/envelopes'
import type { ActionRowInput } from '../input/layouts'
import { joined, toFrozenArray } from './define'
import { toFrozen } from './owned'

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
