// Types that all components share: fields, and the methods of built ones.
/** Emoji. The API document does not show its fields, so all are kept. API, "Open shapes". */
export interface PartialEmoji {
  /** Field not shown in the API document. */
  readonly [field: string]: unknown
}

/** Fields of every component. API, "Common component fields". */
export interface ComponentFields<Type extends number = number> {
  /** One of {@link ComponentType}. */
  readonly type: Type
  /** 32-bit integer, unique within the message. The service generates it if it is absent or 0. */
  readonly id?: number
}

/** Fields of components that users interact with. API, "Common component fields". */
export interface InteractiveFields<Type extends number = number, Id extends string = string>
  extends ComponentFields<Type> {
  /** 1–100 characters, unique within the message or modal. Identifies the component in interactions. */
  readonly custom_id: Id
}

/** Fields of every button. API, "Button". */
export interface ButtonFields extends ComponentFields<2> {
  /** Whether it is disabled. Default: `false`. */
  readonly disabled?: boolean
}

/** Fields of components that can be spoilers. */
export interface SpoilerFields {
  /** Whether it is blurred until clicked. Default: `false`. */
  readonly spoiler?: boolean
}

/** Forbids fields that belong to other variants of the component, or that only the service sets. */
export type Never<Field extends string> = { readonly [F in Field]?: never }

/** Place of a select: with `disabled` in messages, with `required` in modals, without both in `either`. */
export type Placement = 'message' | 'modal' | 'either'

// A `with…` method that receives `undefined` leaves its field unset, so that an optional value can be passed through.
// Classes, so that TypeScript knows that spreading a component does not copy its methods. They exist only as types.

/** Methods of every component. */
export declare abstract class ComponentMethods {
  /** Returns a copy with this `id`: a 32-bit integer, unique within the message; generated if absent or 0. */
  withId(id: number | undefined): this
}

/** Methods of components that users interact with. */
export declare abstract class InteractiveMethods extends ComponentMethods {
  /** Returns a copy with this `custom_id`: 1–100 characters, unique within the message. */
  withCustomId(customId: string): this
}

/** Methods of components that show an emoji. */
export declare abstract class EmojiMethods {
  /**
   * Returns a copy with an emoji before the label.
   *
   * @param emoji `'🔥'`, `'<:name:id>'`, `'<a:name:id>'` (animated), `'name:id'`, an ID, or an object. Validation
   * refuses other strings, such as `':fire:'`. The API document does not show the fields of an emoji; that a
   * string becomes `name`, `id` and `animated` is a convention.
   */
  withEmoji(emoji: string | PartialEmoji | undefined): this
}

/** Methods of options and checkboxes that can be preselected. */
export declare abstract class DefaultMethods {
  /** Returns a copy that is selected by default, or is not with `false`. Not selected unless called. */
  withDefault(isDefault?: boolean): this
}

/** Methods of every option. */
export declare abstract class OptionMethods {
  /** Returns a copy with this label, at most 100 characters. */
  withLabel(label: string): this
  /** Returns a copy with this description below the label, at most 100 characters. */
  withDescription(description: string | undefined): this
}

/** Methods of components that can be spoilers. */
export declare abstract class SpoilerMethods {
  /** Returns a copy that is blurred until clicked, or is not with `false`. Not blurred unless called. */
  withSpoiler(isSpoiler?: boolean): this
}

/** Methods of components that can be disabled. */
export declare abstract class DisabledMethods {
  /** Returns a copy that is disabled, or enabled with `false`. Enabled unless called. */
  withDisabled(isDisabled?: boolean): this
}

/** Marks messages whose components have methods, only as a type: a spread does not copy the mark. */
export declare abstract class BuiltMethods {
  /** Only a type. */
  protected readonly isBuilt: true
}
