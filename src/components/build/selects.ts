import type {
  ChannelSelect,
  MentionableSelect,
  RoleSelect,
  SelectOption,
  StringSelect,
  UserSelect,
} from '../built/selects'
import type { Sized } from '../built/sized'
import type { SelectOptionInput } from '../input/selects'
import * as table from '../table/selects'
import { define, listed } from './define'

const createStringSelect = define<StringSelect>(table.stringSelect)
const createOption = define<SelectOption>(table.option)
const createUserSelect = define<UserSelect>(table.userSelect)
const createRoleSelect = define<RoleSelect>(table.roleSelect)
const createMentionableSelect = define<MentionableSelect>(table.mentionableSelect)
const createChannelSelect = define<ChannelSelect>(table.channelSelect)

/**
 * A select with options of its own: in a row of a message, or in a label of a modal. Interface, "String Select".
 *
 * @param customId 1–100 characters.
 * @param options At most 25, one by one or as an array.
 *
 * @example
 * import { option, stringSelect } from 'rapport-sdk/components'
 *
 * stringSelect('colour', option('Red', 'red'), option('Blue', 'blue').withDefault()).withPlaceholder('Choose a colour')
 */
export function stringSelect<const Options extends readonly SelectOptionInput[]>(
  customId: string,
  ...options: Sized<Options, 25>
): StringSelect
export function stringSelect<const Options extends readonly SelectOptionInput[]>(
  customId: string,
  options: Sized<Options, 25>,
): StringSelect
export function stringSelect(custom_id: string, ...options: readonly (object | readonly object[])[]): StringSelect {
  return createStringSelect({ type: 3, custom_id, options: listed(options) })
}

/** An option of a string select. `label` has at most 100 characters, `value` 1–100. Interface, "String Select". */
export function option(label: string, value: string): SelectOption {
  return createOption({ label, value })
}

/** A select of users. `customId` has 1–100 characters. Interface, "User Select". */
export function userSelect(customId: string): UserSelect {
  return createUserSelect({ type: 5, custom_id: customId })
}

/** A select of roles. `customId` has 1–100 characters. Interface, "User Select". */
export function roleSelect(customId: string): RoleSelect {
  return createRoleSelect({ type: 6, custom_id: customId })
}

/** A select of users and roles. `customId` has 1–100 characters. Interface, "User Select". */
export function mentionableSelect(customId: string): MentionableSelect {
  return createMentionableSelect({ type: 7, custom_id: customId })
}

/** A select of channels. `customId` has 1–100 characters. Interface, "User Select". */
export function channelSelect(customId: string): ChannelSelect {
  return createChannelSelect({ type: 8, custom_id: customId })
}
