import * as discordjs from '@discordjs/builders'
import {
  button,
  channelSelect,
  checkbox,
  checkboxGroup,
  fileUpload,
  groupOption,
  mentionableSelect,
  option,
  radioGroup,
  roleSelect,
  row,
  stringSelect,
  textInput,
  userSelect,
} from 'rapport-sdk/components'

/** The same component built by our factories and by @discordjs/builders. */
export type DiscordjsTree = readonly [name: string, ours: object, theirs: { toJSON(): unknown }]

const ID = '123456789012345678'
const url = 'https://example.test/notes'
const discordjsButton = (style: number, id = 'a') => new discordjs.ButtonBuilder().setStyle(style).setCustomId(id)
const discordjsOption = (label: string, value: string) =>
  new discordjs.StringSelectMenuOptionBuilder().setLabel(label).setValue(value)
const discordjsRadio = (label: string, value: string) =>
  new discordjs.RadioGroupOptionBuilder().setLabel(label).setValue(value)
const discordjsCheck = (label: string, value: string) =>
  new discordjs.CheckboxGroupOptionBuilder().setLabel(label).setValue(value)
const a = groupOption('A', 'a')
const b = groupOption('B', 'b').withDescription('The other').withDefault()

/** Buttons, selects and the fields of modals. */
export const DISCORDJS_CONTROLS: readonly DiscordjsTree[] = [
  ['a primary button', button.primary('a', 'Go'), discordjsButton(1).setLabel('Go')],
  ['a secondary button', button.secondary('a', 'Go'), discordjsButton(2).setLabel('Go')],
  ['a success button', button.success('a', 'Go').withDisabled(), discordjsButton(3).setLabel('Go').setDisabled()],
  [
    'a danger button with an emoji',
    button.danger('a').withEmoji({ id: ID, name: 'fire', animated: true }),
    discordjsButton(4).setEmoji({ id: ID, name: 'fire', animated: true }),
  ],
  ['a button with an id', button.primary('a', 'Go').withId(7), discordjsButton(1).setLabel('Go').setId(7)],
  ['a link', button.link(url, 'Notes'), new discordjs.ButtonBuilder().setStyle(5).setURL(url).setLabel('Notes')],
  ['a premium button', button.premium(ID), new discordjs.ButtonBuilder().setStyle(6).setSKUId(ID)],
  [
    'a row of five buttons',
    row([1, 2, 3, 4, 5].map((n) => button.primary(`b${n}`, `Button ${n}`))),
    new discordjs.ActionRowBuilder<discordjs.ButtonBuilder>().addComponents(
      [1, 2, 3, 4, 5].map((n) => discordjsButton(1, `b${n}`).setLabel(`Button ${n}`)),
    ),
  ],
  [
    'a string select',
    stringSelect(
      's',
      option('A', 'a').withDescription('First').withDefault(),
      option('B', 'b').withEmoji({ name: '🔥' }),
    )
      .withPlaceholder('Choose')
      .withMinValues(0)
      .withMaxValues(2)
      .withDisabled(false),
    new discordjs.StringSelectMenuBuilder()
      .setCustomId('s')
      .addOptions(
        discordjsOption('A', 'a').setDescription('First').setDefault(true),
        discordjsOption('B', 'b').setEmoji({ name: '🔥' }),
      )
      .setPlaceholder('Choose')
      .setMinValues(0)
      .setMaxValues(2)
      .setDisabled(false),
  ],
  [
    'a user select with defaults',
    userSelect('u').withDefaultValues({ id: ID, type: 'user' }).withMaxValues(5),
    new discordjs.UserSelectMenuBuilder().setCustomId('u').addDefaultUsers(ID).setMaxValues(5),
  ],
  [
    'a role select that is disabled',
    roleSelect('r')
      .withDefaultValues([{ id: ID, type: 'role' }])
      .withDisabled(),
    new discordjs.RoleSelectMenuBuilder().setCustomId('r').addDefaultRoles(ID).setDisabled(),
  ],
  [
    'a mentionable select with defaults of both kinds',
    mentionableSelect('m').withDefaultValues({ id: ID, type: 'role' }, { id: ID, type: 'user' }),
    new discordjs.MentionableSelectMenuBuilder().setCustomId('m').addDefaultRoles(ID).addDefaultUsers(ID),
  ],
  [
    'a channel select of some types',
    channelSelect('c').withChannelTypes(0, 5, 15).withPlaceholder('Where?').withId(4),
    new discordjs.ChannelSelectMenuBuilder()
      .setCustomId('c')
      .addChannelTypes(0, 5, 15)
      .setPlaceholder('Where?')
      .setId(4),
  ],
  [
    'a row of a select',
    row(userSelect('u')),
    new discordjs.ActionRowBuilder<discordjs.UserSelectMenuBuilder>().addComponents(
      new discordjs.UserSelectMenuBuilder().setCustomId('u'),
    ),
  ],
  ['a small text input', textInput.small('t'), new discordjs.TextInputBuilder().setCustomId('t').setStyle(1)],
  [
    'a paragraph with everything',
    textInput
      .paragraph('t')
      .withMinLength(1)
      .withMaxLength(4000)
      .withValue('x')
      .withPlaceholder('y')
      .withRequired(false),
    new discordjs.TextInputBuilder()
      .setCustomId('t')
      .setStyle(2)
      .setMinLength(1)
      .setMaxLength(4000)
      .setValue('x')
      .setPlaceholder('y')
      .setRequired(false),
  ],
  [
    'a file upload',
    fileUpload('f').withMinValues(1).withMaxValues(10).withRequired(),
    new discordjs.FileUploadBuilder().setCustomId('f').setMinValues(1).setMaxValues(10).setRequired(true),
  ],
  [
    'a radio group',
    radioGroup('r', a, b).withRequired(false),
    new discordjs.RadioGroupBuilder()
      .setCustomId('r')
      .addOptions(discordjsRadio('A', 'a'), discordjsRadio('B', 'b').setDescription('The other').setDefault(true))
      .setRequired(false),
  ],
  [
    'a checkbox group',
    checkboxGroup('c', [a, b]).withMinValues(0).withMaxValues(2).withRequired(false),
    new discordjs.CheckboxGroupBuilder()
      .setCustomId('c')
      .addOptions([discordjsCheck('A', 'a'), discordjsCheck('B', 'b').setDescription('The other').setDefault(true)])
      .setMinValues(0)
      .setMaxValues(2)
      .setRequired(false),
  ],
  ['a checkbox', checkbox('c').withDefault(), new discordjs.CheckboxBuilder().setCustomId('c').setDefault(true)],
]
