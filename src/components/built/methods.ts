import type { PartialEmoji } from '../input/fields'

// Classes, so that TypeScript knows what JavaScript does: the methods are not spread with the fields. They exist as types alone.

/** What every component can be given. */
export declare abstract class ComponentMethods {
  /** With another `id`: a 32-bit integer, unique within the message. */
  withId(id: number): this
}

/** What every component that is used can be given. */
export declare abstract class InteractiveMethods extends ComponentMethods {
  /** With another `custom_id`: 1–100 characters, unique within the message. */
  withCustomId(customId: string): this
}

/** What can be given to what has a label. */
export declare abstract class LabelMethods {
  /** With another label. */
  withLabel(label: string): this
}

/** What can be given to what shows an emoji. */
export declare abstract class EmojiMethods {
  /** With an emoji before the label. */
  withEmoji(emoji: PartialEmoji): this
}

/** What can be given to what has a description. */
export declare abstract class DescriptionMethods {
  /** With a description. */
  withDescription(description: string): this
}

/** What can be given to what is chosen or ticked from the start. */
export declare abstract class DefaultMethods {
  /** Chosen from the start, or no longer. */
  withDefault(isDefault?: boolean): this
}

/** What can be given to what may be hidden until it is clicked. */
export declare abstract class SpoilerMethods {
  /** Blurred until it is clicked, or no longer. */
  withSpoiler(isSpoiler?: boolean): this
}

/** What can be given to what shows a text while it is empty. */
export declare abstract class PlaceholderMethods {
  /** With a text for while nothing is chosen or typed. */
  withPlaceholder(placeholder: string): this
}

/** What can be given to what takes several values. */
export declare abstract class ValuesMethods {
  /** With the least number of values. */
  withMinValues(minValues: number): this
  /** With the most values. */
  withMaxValues(maxValues: number): this
}

/** What can be given to a modal's field. */
export declare abstract class RequiredMethods {
  /** That must be filled in, or need not. */
  withRequired(isRequired?: boolean): this
}

/** What can be given to a button. */
export declare abstract class DisabledMethods {
  /** That cannot be used, or can again. */
  withDisabled(isDisabled?: boolean): this
}
