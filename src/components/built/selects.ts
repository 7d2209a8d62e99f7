import type { Placement } from '../input/fields'
import type {
  ChannelSelectInput,
  MentionableSelectInput,
  RoleSelectInput,
  SelectDefaultValue,
  SelectOptionInput,
  StringSelectInput,
  UserSelectInput,
} from '../input/selects'
import type { DefaultMethods, EmojiMethods, InteractiveMethods } from './methods'

/** What every select can be given. */
declare abstract class SelectMethods<In extends Placement, InMessage, InModal> extends InteractiveMethods {
  /** With a text for while nothing is chosen, at most 150 characters. */
  withPlaceholder(placeholder: string): this
  /** With the least number of values that must be chosen, at most 25. 1 where this was not called. */
  withMinValues(minValues: number): this
  /** With the most values that can be chosen, at most 25. 1 where this was not called. */
  withMaxValues(maxValues: number): this
  /**
   * That cannot be used, or can again; from then on it is for messages alone. One that this was not called on can be used.
   *
   * @param isDisabled `true` where it is left out.
   */
  withDisabled(this: In extends 'modal' ? never : unknown, isDisabled?: boolean): InMessage
  /**
   * That must be filled in, or need not; from then on it is for modals alone. In a modal, one that this was not called on
   * must be.
   *
   * @param isRequired `true` where it is left out.
   */
  withRequired(this: In extends 'message' ? never : unknown, isRequired?: boolean): InModal
}

declare abstract class StringSelectMethods {
  /** With more options; at most 25 in all. */
  addOptions(...options: readonly SelectOptionInput[]): this
  /** With more options; at most 25 in all. */
  addOptions(options: readonly SelectOptionInput[]): this
}

declare abstract class AutoSelectMethods {
  /** With what is chosen from the start, in place of what was; at most 25. */
  withDefaultValues(...values: readonly SelectDefaultValue[]): this
  /** With what is chosen from the start, in place of what was; at most 25. */
  withDefaultValues(values: readonly SelectDefaultValue[]): this
}

declare abstract class ChannelSelectMethods {
  /** With the types of channels that are offered, in place of what they were. */
  withChannelTypes(...types: readonly number[]): this
  /** With the types of channels that are offered, in place of what they were. */
  withChannelTypes(types: readonly number[]): this
}

/** A select that `stringSelect` makes; immutable. Interface, "String Select". */
export interface StringSelect<In extends Placement = 'either'>
  extends StringSelectInput<In>,
    SelectMethods<In, StringSelect<'message'>, StringSelect<'modal'>>,
    StringSelectMethods {}

/** A select that `userSelect` makes; immutable. Interface, "User Select". */
export interface UserSelect<In extends Placement = 'either'>
  extends UserSelectInput<In>,
    SelectMethods<In, UserSelect<'message'>, UserSelect<'modal'>>,
    AutoSelectMethods {}

/** A select that `roleSelect` makes; immutable. Interface, "User Select". */
export interface RoleSelect<In extends Placement = 'either'>
  extends RoleSelectInput<In>,
    SelectMethods<In, RoleSelect<'message'>, RoleSelect<'modal'>>,
    AutoSelectMethods {}

/** A select that `mentionableSelect` makes; immutable. Interface, "User Select". */
export interface MentionableSelect<In extends Placement = 'either'>
  extends MentionableSelectInput<In>,
    SelectMethods<In, MentionableSelect<'message'>, MentionableSelect<'modal'>>,
    AutoSelectMethods {}

/** A select that `channelSelect` makes; immutable. Interface, "User Select". */
export interface ChannelSelect<In extends Placement = 'either'>
  extends ChannelSelectInput<In>,
    SelectMethods<In, ChannelSelect<'message'>, ChannelSelect<'modal'>>,
    AutoSelectMethods,
    ChannelSelectMethods {}

/** An option that `option` makes; immutable. Interface, "String Select". */
export interface SelectOption extends SelectOptionInput, OptionMethods, EmojiMethods, DefaultMethods {}

/** What every option can be given. */
export declare abstract class OptionMethods {
  /** With another value, which the app is told: 1–100 characters. */
  withValue(value: string): this
  /** With another label, at most 100 characters. */
  withLabel(label: string): this
  /** With a text below the label, at most 100 characters. */
  withDescription(description: string): this
}
