import type {
  ComponentMethods,
  DefaultMethods,
  EmojiMethods,
  InteractiveFields,
  OptionMethods,
  PartialEmoji,
  Placement,
} from './base'
import { customIdFactory, optionFactory } from './factory'
import type { GroupOptionInput } from './modal-fields'
import {
  channelSelectSpec,
  mentionableSelectSpec,
  optionSpec,
  roleSelectSpec,
  stringSelectSpec,
  userSelectSpec,
} from './specs'
import type { Child, ChildArguments, ValueIn, ValueOf } from './type-errors'

/** Fields of all selects; `In` is the place where they are used. API, "String Select" and "User Select". */
export interface SelectFields<
  In extends Placement = Placement,
  Type extends number = number,
  Id extends string = string,
> extends InteractiveFields<Type, Id> {
  /** Text shown while nothing is selected, at most 150 characters. */
  readonly placeholder?: string
  /** Minimum number of selected values, at most 25. Default: `1`. */
  readonly min_values?: number
  /** Maximum number of selected values, at most 25. Default: `1`. */
  readonly max_values?: number
  /** Whether the user must select a value; only in modals. Default: `true`. */
  readonly required?: 'modal' extends In ? boolean : never
  /** Whether it is disabled; only in messages. Default: `false`. */
  readonly disabled?: 'message' extends In ? boolean : never
}

/** Option of a string select. API, "String Select". */
export interface SelectOptionInput extends GroupOptionInput {
  /** Emoji shown before the label. */
  readonly emoji?: PartialEmoji
}

/** Select with custom options. API, "String Select". */
export interface StringSelectInput<In extends Placement = Placement, Id extends string = string>
  extends SelectFields<In, 3, Id> {
  /** At most 25 options. */
  readonly options: readonly SelectOptionInput[]
}

/** Default value of an auto-populated select. API, "User Select". */
export interface SelectDefaultValue {
  /** ID of the user, role or channel. */
  readonly id: string
  /** Kind of ID; its values are not shown in the API document. */
  readonly type: string
}

/** Select of users (type 5), roles (6), users and roles (7) or channels (8). API, "User Select". */
export interface AutoSelectInput<
  Type extends 5 | 6 | 7 | 8 = 5 | 6 | 7 | 8,
  In extends Placement = Placement,
  Id extends string = string,
> extends SelectFields<In, Type, Id> {
  /** Values selected by default, at most 25. */
  readonly default_values?: readonly SelectDefaultValue[]
}

/** Select of channels. API, "User Select". */
export interface ChannelSelectInput<In extends Placement = Placement, Id extends string = string>
  extends AutoSelectInput<8, In, Id> {
  /** Types of the channels to offer. */
  readonly channel_types?: readonly number[]
}

/** Any select: of `'message'` for a row, of `'modal'` for a label. API, "String Select" and "User Select". */
export type SelectInput<In extends Placement = Placement> =
  | StringSelectInput<In>
  | AutoSelectInput<5, In>
  | AutoSelectInput<6, In>
  | AutoSelectInput<7, In>
  | ChannelSelectInput<In>

/** Methods of every select. */
declare abstract class SelectMethods<In extends Placement, InMessage, InModal> extends ComponentMethods {
  /** Returns a copy with this placeholder, at most 150 characters. */
  withPlaceholder(placeholder: string | undefined): this
  /** Returns a copy with this minimum number of selected values, at most 25. 1 unless called. */
  withMinValues(minValues: number | undefined): this
  /** Returns a copy with this maximum number of selected values, at most 25. 1 unless called. */
  withMaxValues(maxValues: number | undefined): this
  /** Returns a copy that is disabled, or enabled with `false`, and only allowed in messages. Enabled unless called. */
  withDisabled(this: In extends 'modal' ? never : unknown, isDisabled?: boolean): InMessage
  /** Returns a copy that is required, or optional with `false`, and only allowed in modals. Required unless called. */
  withRequired(this: In extends 'message' ? never : unknown, isRequired?: boolean): InModal
}

/** Select created by `stringSelect`; immutable. API, "String Select". */
export interface StringSelect<
  In extends Placement = 'either',
  Id extends string = string,
  Value extends string = string,
> extends StringSelectInput<In, Id>,
    SelectMethods<In, StringSelect<'message', Id, Value>, StringSelect<'modal', Id, Value>> {
  /** At most 25 options. */
  readonly options: readonly (SelectOptionInput & { readonly value: Value })[]
  /** Returns a copy with this `custom_id`: 1–100 characters, unique within the message or modal. */
  withCustomId<const NewId extends string>(customId: NewId): StringSelect<In, NewId, Value>
  /** Returns a copy with options added; at most 25 in total. */
  addOptions<const Given extends readonly Child<SelectOptionInput>[]>(
    ...options: Given
  ): StringSelect<In, Id, Value | ValueIn<Given>>
}

declare abstract class AutoSelectMethods {
  /** Returns a copy with these default values instead of the previous ones; at most 25. */
  withDefaultValues(...values: readonly Child<SelectDefaultValue>[]): this
}

/** Select created by `userSelect`, `roleSelect` or `mentionableSelect`; immutable. API, "User Select". */
export interface AutoSelect<Type extends 5 | 6 | 7, In extends Placement = 'either', Id extends string = string>
  extends AutoSelectInput<Type, In, Id>,
    SelectMethods<In, AutoSelect<Type, 'message', Id>, AutoSelect<Type, 'modal', Id>>,
    AutoSelectMethods {
  /** Returns a copy with this `custom_id`: 1–100 characters, unique within the message or modal. */
  withCustomId<const NewId extends string>(customId: NewId): AutoSelect<Type, In, NewId>
}

/** Select created by `userSelect`; immutable. API, "User Select". */
export type UserSelect<In extends Placement = 'either', Id extends string = string> = AutoSelect<5, In, Id>

/** Select created by `roleSelect`; immutable. API, "User Select". */
export type RoleSelect<In extends Placement = 'either', Id extends string = string> = AutoSelect<6, In, Id>

/** Select created by `mentionableSelect`; immutable. API, "User Select". */
export type MentionableSelect<In extends Placement = 'either', Id extends string = string> = AutoSelect<7, In, Id>

declare abstract class ChannelSelectMethods extends AutoSelectMethods {
  /** Returns a copy that offers these types of channels instead of the previous ones. */
  withChannelTypes(...types: readonly Child<number>[]): this
}

/** Select created by `channelSelect`; immutable. API, "User Select". */
export interface ChannelSelect<In extends Placement = 'either', Id extends string = string>
  extends ChannelSelectInput<In, Id>,
    SelectMethods<In, ChannelSelect<'message', Id>, ChannelSelect<'modal', Id>>,
    ChannelSelectMethods {
  /** Returns a copy with this `custom_id`: 1–100 characters, unique within the message or modal. */
  withCustomId<const NewId extends string>(customId: NewId): ChannelSelect<In, NewId>
}

/** Select of any kind. API, "String Select" and "User Select". */
export type Select<In extends Placement = 'either'> =
  | StringSelect<In>
  | UserSelect<In>
  | RoleSelect<In>
  | MentionableSelect<In>
  | ChannelSelect<In>

/** Option created by `option`; immutable. API, "String Select". */
export interface SelectOption<Value extends string = string>
  extends SelectOptionInput,
    OptionMethods,
    EmojiMethods,
    DefaultMethods {
  /** Value sent to the app, 1–100 characters. */
  readonly value: Value
  /** Returns a copy with this value, which is sent to the app: 1–100 characters. */
  withValue<const NewValue extends string>(value: NewValue): SelectOption<NewValue>
}

/**
 * Creates a select with custom options, for a row of a message or a label of a modal. `customId` has 1–100 characters;
 * at most 25 options. Flattens arrays and skips `null`, `undefined` and `false`. API, "String Select".
 *
 * @example
 * import { option, stringSelect } from 'rapport-sdk/components'
 *
 * stringSelect('colour', option('Red', 'red'), option('Blue', 'blue').withDefault()).withPlaceholder('Choose a colour')
 */
export const stringSelect: <const Id extends string, const Given extends readonly Child<SelectOptionInput>[]>(
  customId: Id,
  ...options: ChildArguments<Given, SelectOptionInput, object, 25>
) => StringSelect<'either', Id, ValueOf<Given>> = customIdFactory(stringSelectSpec)

/** Creates an option of a string select. `label` has at most 100 characters, `value` 1–100. API, "String Select". */
export const option: <const Value extends string>(label: string, value: Value) => SelectOption<Value> =
  optionFactory(optionSpec)

/** Creates a select of users. `customId` has 1–100 characters. API, "User Select". */
export const userSelect: <const Id extends string>(customId: Id) => UserSelect<'either', Id> =
  customIdFactory(userSelectSpec)

/** Creates a select of roles. `customId` has 1–100 characters. API, "User Select". */
export const roleSelect: <const Id extends string>(customId: Id) => RoleSelect<'either', Id> =
  customIdFactory(roleSelectSpec)

/** Creates a select of users and roles. `customId` has 1–100 characters. API, "User Select". */
export const mentionableSelect: <const Id extends string>(customId: Id) => MentionableSelect<'either', Id> =
  customIdFactory(mentionableSelectSpec)

/** Creates a select of channels. `customId` has 1–100 characters. API, "User Select". */
export const channelSelect: <const Id extends string>(customId: Id) => ChannelSelect<'either', Id> =
  customIdFactory(channelSelectSpec)
