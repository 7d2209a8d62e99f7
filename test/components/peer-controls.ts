import * as peer from '@discordjs/builders'
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

/** The same thing built twice: by us, and by the peer. */
export type PeerTree = readonly [name: string, ours: object, theirs: { toJSON(): unknown }]

const ID = '123456789012345678'
const url = 'https://example.test/notes'
const peerButton = (style: number, id = 'a') => new peer.ButtonBuilder().setStyle(style).setCustomId(id)
const peerOption = (label: string, value: string) =>
  new peer.StringSelectMenuOptionBuilder().setLabel(label).setValue(value)
const peerRadio = (label: string, value: string) => new peer.RadioGroupOptionBuilder().setLabel(label).setValue(value)
const peerCheck = (label: string, value: string) =>
  new peer.CheckboxGroupOptionBuilder().setLabel(label).setValue(value)
const a = groupOption('A', 'a')
const b = groupOption('B', 'b').withDescription('The other').withDefault()

/** Buttons, selects and the fields of modals. */
export const PEER_CONTROLS: readonly PeerTree[] = [
  ['a primary button', button.primary('a', 'Go'), peerButton(1).setLabel('Go')],
  ['a secondary button', button.secondary('a', 'Go'), peerButton(2).setLabel('Go')],
  ['a success button', button.success('a', 'Go').withDisabled(), peerButton(3).setLabel('Go').setDisabled()],
  [
    'a danger button with an emoji',
    button.danger('a').withEmoji({ id: ID, name: 'fire', animated: true }),
    peerButton(4).setEmoji({ id: ID, name: 'fire', animated: true }),
  ],
  ['a button with an id', button.primary('a', 'Go').withId(7), peerButton(1).setLabel('Go').setId(7)],
  ['a link', button.link(url, 'Notes'), new peer.ButtonBuilder().setStyle(5).setURL(url).setLabel('Notes')],
  ['a premium button', button.premium(ID), new peer.ButtonBuilder().setStyle(6).setSKUId(ID)],
  [
    'a row of five buttons',
    row([1, 2, 3, 4, 5].map((n) => button.primary(`b${n}`, `Button ${n}`))),
    new peer.ActionRowBuilder<peer.ButtonBuilder>().addComponents(
      [1, 2, 3, 4, 5].map((n) => peerButton(1, `b${n}`).setLabel(`Button ${n}`)),
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
    new peer.StringSelectMenuBuilder()
      .setCustomId('s')
      .addOptions(
        peerOption('A', 'a').setDescription('First').setDefault(true),
        peerOption('B', 'b').setEmoji({ name: '🔥' }),
      )
      .setPlaceholder('Choose')
      .setMinValues(0)
      .setMaxValues(2)
      .setDisabled(false),
  ],
  [
    'a user select with defaults',
    userSelect('u').withDefaultValues({ id: ID, type: 'user' }).withMaxValues(5),
    new peer.UserSelectMenuBuilder().setCustomId('u').addDefaultUsers(ID).setMaxValues(5),
  ],
  [
    'a role select that is disabled',
    roleSelect('r')
      .withDefaultValues([{ id: ID, type: 'role' }])
      .withDisabled(),
    new peer.RoleSelectMenuBuilder().setCustomId('r').addDefaultRoles(ID).setDisabled(),
  ],
  [
    'a mentionable select with defaults of both kinds',
    mentionableSelect('m').withDefaultValues({ id: ID, type: 'role' }, { id: ID, type: 'user' }),
    new peer.MentionableSelectMenuBuilder().setCustomId('m').addDefaultRoles(ID).addDefaultUsers(ID),
  ],
  [
    'a channel select of some types',
    channelSelect('c').withChannelTypes(0, 5, 15).withPlaceholder('Where?').withId(4),
    new peer.ChannelSelectMenuBuilder().setCustomId('c').addChannelTypes(0, 5, 15).setPlaceholder('Where?').setId(4),
  ],
  [
    'a row of a select',
    row(userSelect('u')),
    new peer.ActionRowBuilder<peer.UserSelectMenuBuilder>().addComponents(
      new peer.UserSelectMenuBuilder().setCustomId('u'),
    ),
  ],
  ['a small text input', textInput.small('t'), new peer.TextInputBuilder().setCustomId('t').setStyle(1)],
  [
    'a paragraph with everything',
    textInput
      .paragraph('t')
      .withMinLength(1)
      .withMaxLength(4000)
      .withValue('x')
      .withPlaceholder('y')
      .withRequired(false),
    new peer.TextInputBuilder()
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
    new peer.FileUploadBuilder().setCustomId('f').setMinValues(1).setMaxValues(10).setRequired(true),
  ],
  [
    'a radio group',
    radioGroup('r', a, b).withRequired(false),
    new peer.RadioGroupBuilder()
      .setCustomId('r')
      .addOptions(peerRadio('A', 'a'), peerRadio('B', 'b').setDescription('The other').setDefault(true))
      .setRequired(false),
  ],
  [
    'a checkbox group',
    checkboxGroup('c', [a, b]).withMinValues(0).withMaxValues(2).withRequired(false),
    new peer.CheckboxGroupBuilder()
      .setCustomId('c')
      .addOptions([peerCheck('A', 'a'), peerCheck('B', 'b').setDescription('The other').setDefault(true)])
      .setMinValues(0)
      .setMaxValues(2)
      .setRequired(false),
  ],
  ['a checkbox', checkbox('c').withDefault(), new peer.CheckboxBuilder().setCustomId('c').setDefault(true)],
]
