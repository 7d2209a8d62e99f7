import type { InteractiveFields, PartialEmoji, Placement } from './fields'

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
