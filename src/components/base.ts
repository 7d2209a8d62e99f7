/** An emoji. The document does not show its fields, so all are kept. Interface, "Open shapes". */
export interface PartialEmoji {
  /** A field that the document does not show. */
  readonly [field: string]: unknown
}

/** What every component may have. Interface, "Common component fields". */
export interface ComponentFields {
  /** A 32-bit integer, unique within the message; left out, or 0, it is generated. */
  readonly id?: number
}

/** What a component that is used has. Interface, "Common component fields". */
export interface InteractiveFields extends ComponentFields {
  /** 1–100 characters, unique among the components of a message; comes back when the user uses the component. */
  readonly custom_id: string
}

/** Fields that may not be written: other kinds of the same component have them, or the service alone. */
export type Never<Field extends string> = { readonly [F in Field]?: never }

/** Where a select stands: `disabled` makes it a message's, `required` a modal's, without both it fits `either`. */
export type Placement = 'message' | 'modal' | 'either'

// Classes, so that TypeScript knows what JavaScript does: the methods are not spread with the fields. They exist as types alone.

/** What every component can be given. */
export declare abstract class ComponentMethods {
  /** With another `id`: a 32-bit integer, unique within the message. Without one, or with 0, the service generates it. */
  withId(id: number): this
}

/** What every component that is used can be given. */
export declare abstract class InteractiveMethods extends ComponentMethods {
  /** With another `custom_id`: 1–100 characters, unique within the message. */
  withCustomId(customId: string): this
}

/** What can be given to what shows an emoji. */
export declare abstract class EmojiMethods {
  /** With an emoji before the label. The document does not show its fields. */
  withEmoji(emoji: PartialEmoji): this
}

/** What can be given to what is chosen or ticked from the start. */
export declare abstract class DefaultMethods {
  /**
   * Chosen or ticked from the start, or no longer. What this was not called on is not.
   *
   * @param isDefault `true` where it is left out.
   */
  withDefault(isDefault?: boolean): this
}

/** What can be given to what may be hidden until it is clicked. */
export declare abstract class SpoilerMethods {
  /**
   * Blurred until it is clicked, or no longer. What this was not called on is not.
   *
   * @param isSpoiler `true` where it is left out.
   */
  withSpoiler(isSpoiler?: boolean): this
}

/** What can be given to a button. */
export declare abstract class DisabledMethods {
  /**
   * That cannot be used, or can again. What this was not called on can be used.
   *
   * @param isDisabled `true` where it is left out.
   */
  withDisabled(isDisabled?: boolean): this
}
