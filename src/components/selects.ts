import type {
  DefaultMethods,
  EmojiMethods,
  InteractiveFields,
  InteractiveMethods,
  PartialEmoji,
  Placement,
} from './base'
import { byLabel, byOptions, customIdFactory } from './factory'
import {
  ANYWHERE,
  array,
  arrayOf,
  boolean,
  CUSTOM_ID,
  componentSpec,
  DEFAULT_FALSE,
  EMOJI,
  INTEGER,
  integer,
  MESSAGE,
  MODAL,
  merge,
  object,
  partSpec,
  required,
  STRING,
  string,
} from './schema'
import type { ArraySized, Sized } from './type-errors'

/** What options of selects and of groups have. Interface, "String Select" and "Radio Group". */
export const OPTION = {
  label: required(string({ max: 100 })),
  value: required(string({ min: 1, max: 100 })),
  description: string({ max: 100 }),
  default: DEFAULT_FALSE,
}

const SELECT = {
  custom_id: CUSTOM_ID,
  placeholder: string({ max: 150 }),
  min_values: integer({ max: 25 }, 1),
  max_values: integer({ max: 25 }, 1),
  required: boolean(true, MODAL),
  disabled: boolean(false, MESSAGE),
}

/** Interface, "String Select". */
export const optionSpec = partSpec('select option', merge(OPTION, { emoji: EMOJI }))

/** Interface, "String Select". */
export const stringSelectSpec = componentSpec(
  3,
  'string select',
  ANYWHERE,
  merge(SELECT, {
    options: required(array({ max: 25 }, object(optionSpec))),
  }),
)

/** Interface, "User Select". */
const DEFAULT = partSpec('select default value', { id: required(STRING), type: required(STRING) })
const AUTO = merge(SELECT, { default_values: array({ max: 25 }, object(DEFAULT)) })

/** Interface, "User Select". */
export const userSelectSpec = componentSpec(5, 'user select', ANYWHERE, AUTO)

/** Interface, "User Select". */
export const roleSelectSpec = componentSpec(6, 'role select', ANYWHERE, AUTO)

/** Interface, "User Select". */
export const mentionableSelectSpec = componentSpec(7, 'mentionable select', ANYWHERE, AUTO)

/** Interface, "User Select". */
export const channelSelectSpec = componentSpec(
  8,
  'channel select',
  ANYWHERE,
  merge(AUTO, { channel_types: arrayOf(INTEGER) }),
)

/** What all selects have; `In` says where they stand. Interface, "String Select" and "User Select". */
export interface SelectFields<In extends Placement = Placement> extends InteractiveFields {
  /** Shown while nothing is chosen, at most 150 characters. */
  readonly placeholder?: string
  /**
   * How many must be chosen, at most 25.
   * @default 1
   */
  readonly min_values?: number
  /**
   * How many can be chosen, at most 25.
   * @default 1
   */
  readonly max_values?: number
  /**
   * Whether something must be chosen; in modals alone.
   * @default true
   */
  readonly required?: 'modal' extends In ? boolean : never
  /**
   * Whether it cannot be used; in messages alone.
   * @default false
   */
  readonly disabled?: 'message' extends In ? boolean : never
}

/** One option of a string select. Interface, "String Select". */
export interface SelectOptionInput {
  /** What is shown, at most 100 characters. */
  readonly label: string
  /** What the app is told, 1–100 characters. */
  readonly value: string
  /** Shown below the label, at most 100 characters. */
  readonly description?: string
  /** Shown before the label. */
  readonly emoji?: PartialEmoji
  /**
   * Whether it is chosen from the start.
   * @default false
   */
  readonly default?: boolean
}

/** A select with options of its own. Interface, "String Select". */
export interface StringSelectInput<In extends Placement = Placement> extends SelectFields<In> {
  /** STRING_SELECT. */
  readonly type: 3
  /** At most 25. */
  readonly options: readonly SelectOptionInput[]
}

/** What is chosen from the start in a select that fills itself. Interface, "User Select". */
export interface SelectDefaultValue {
  /** ID of the user, role or channel. */
  readonly id: string
  /** What the ID is of; the document does not show the values. */
  readonly type: string
}

/** What selects that fill themselves have. Interface, "User Select". */
export interface AutoSelectFields<In extends Placement = Placement> extends SelectFields<In> {
  /** Chosen from the start, at most 25. */
  readonly default_values?: readonly SelectDefaultValue[]
}

/** A select of users. Interface, "User Select". */
export interface UserSelectInput<In extends Placement = Placement> extends AutoSelectFields<In> {
  /** USER_SELECT. */
  readonly type: 5
}

/** A select of roles. Interface, "User Select". */
export interface RoleSelectInput<In extends Placement = Placement> extends AutoSelectFields<In> {
  /** ROLE_SELECT. */
  readonly type: 6
}

/** A select of users and roles. Interface, "User Select". */
export interface MentionableSelectInput<In extends Placement = Placement> extends AutoSelectFields<In> {
  /** MENTIONABLE_SELECT. */
  readonly type: 7
}

/** A select of channels. Interface, "User Select". */
export interface ChannelSelectInput<In extends Placement = Placement> extends AutoSelectFields<In> {
  /** CHANNEL_SELECT. */
  readonly type: 8
  /** The types of channels that are offered. */
  readonly channel_types?: readonly number[]
}

/** Any select; `SelectInput<'message'>` fits a row, `SelectInput<'modal'>` a label. Interface, "String Select" and "User Select". */
export type SelectInput<In extends Placement = Placement> =
  | StringSelectInput<In>
  | UserSelectInput<In>
  | RoleSelectInput<In>
  | MentionableSelectInput<In>
  | ChannelSelectInput<In>

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

/**
 * A select with options of its own: in a row of a message, or in a label of a modal. `customId` has 1–100 characters; of
 * options there are at most 25, one by one or as an array. Interface, "String Select".
 *
 * @example
 * import { option, stringSelect } from 'rapport-sdk/components'
 *
 * stringSelect('colour', option('Red', 'red'), option('Blue', 'blue').withDefault()).withPlaceholder('Choose a colour')
 */
export const stringSelect: {
  <const Given extends readonly SelectOptionInput[]>(customId: string, ...options: Sized<Given, 25>): StringSelect
  <const Given extends readonly SelectOptionInput[]>(customId: string, options: ArraySized<Given, 25>): StringSelect
} = byOptions(stringSelectSpec)

/** An option of a string select. `label` has at most 100 characters, `value` 1–100. Interface, "String Select". */
export const option: (label: string, value: string) => SelectOption = byLabel(optionSpec)

/** A select of users. `customId` has 1–100 characters. Interface, "User Select". */
export const userSelect: (customId: string) => UserSelect = customIdFactory(userSelectSpec)

/** A select of roles. `customId` has 1–100 characters. Interface, "User Select". */
export const roleSelect: (customId: string) => RoleSelect = customIdFactory(roleSelectSpec)

/** A select of users and roles. `customId` has 1–100 characters. Interface, "User Select". */
export const mentionableSelect: (customId: string) => MentionableSelect = customIdFactory(mentionableSelectSpec)

/** A select of channels. `customId` has 1–100 characters. Interface, "User Select". */
export const channelSelect: (customId: string) => ChannelSelect = customIdFactory(channelSelectSpec)
