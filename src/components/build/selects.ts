import type {
  ChannelSelect,
  MentionableSelect,
  RoleSelect,
  SelectOption,
  StringSelect,
  UserSelect,
} from '../built/selects'
import type { ArraySized, Sized } from '../built/sized'
import type { SelectOptionInput } from '../input/selects'
import { stringSelectSpec, optionSpec, userSelectSpec, roleSelectSpec, mentionableSelectSpec, channelSelectSpec } from '../table/selects'
import { customIdFactory, byLabel, byOptions } from './makers'

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
