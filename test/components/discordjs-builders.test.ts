import * as discordjs from '@discordjs/builders'
import {
  attachment,
  button,
  channelSelect,
  checkbox,
  checkboxGroup,
  container,
  file,
  fileUpload,
  galleryItem,
  groupOption,
  label,
  mediaGallery,
  mentionableSelect,
  modal,
  option,
  radioGroup,
  roleSelect,
  row,
  section,
  separator,
  stringSelect,
  text,
  textInput,
  thumbnail,
  userSelect,
  validateComponent,
  validateModal,
} from 'rapport-sdk/components'
import { expect, test } from 'vitest'

/** The same component built by our factories and by @discordjs/builders. */
type DiscordjsTree = readonly [name: string, ours: object, theirs: { toJSON(): unknown }]

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
const DISCORDJS_CONTROLS: readonly DiscordjsTree[] = [
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

const picture = 'https://example.test/a.png'
const discordjsText = (content: string) => new discordjs.TextDisplayBuilder().setContent(content)
const discordjsItem = (url: string) => new discordjs.MediaGalleryItemBuilder().setURL(url)
const discordjsInput = () => new discordjs.TextInputBuilder().setCustomId('t').setStyle(1)
const discordjsLabel = (name: string) => new discordjs.LabelBuilder().setLabel(name)
const twoTexts = () =>
  new discordjs.SectionBuilder().addTextDisplayComponents(discordjsText('One'), discordjsText('Two'))

/** Layouts, content and modals. */
const DISCORDJS_LAYOUTS: readonly DiscordjsTree[] = [
  ['a text', text('# Title'), discordjsText('# Title')],
  ['a text with an id', text('# Title').withId(3), discordjsText('# Title').setId(3)],
  [
    'a section with a button',
    section('One', 'Two').withAccessory(button.primary('a', 'Go')),
    twoTexts().setButtonAccessory(discordjsButton(1).setLabel('Go')),
  ],
  [
    'a section with a thumbnail',
    section('One', 'Two').withAccessory(thumbnail(picture).withDescription('A picture').withSpoiler()),
    twoTexts().setThumbnailAccessory(
      new discordjs.ThumbnailBuilder().setURL(picture).setDescription('A picture').setSpoiler(true),
    ),
  ],
  [
    'a gallery',
    mediaGallery(galleryItem(picture).withDescription('A'), galleryItem(attachment('b.png')).withSpoiler()),
    new discordjs.MediaGalleryBuilder().addItems(
      discordjsItem(picture).setDescription('A'),
      discordjsItem('attachment://b.png').setSpoiler(true),
    ),
  ],
  [
    'a file',
    file(attachment('a.txt')).withSpoiler(),
    new discordjs.FileBuilder().setURL('attachment://a.txt').setSpoiler(true),
  ],
  ['a separator', separator(), new discordjs.SeparatorBuilder()],
  [
    'a large separator without a line',
    separator().withSpacing('large').withDivider(false).withId(1),
    new discordjs.SeparatorBuilder().setSpacing(2).setDivider(false).setId(1),
  ],
  [
    'a container of each kind',
    container(
      text('One'),
      section('One', 'Two').withAccessory(button.primary('a', 'Go')),
      mediaGallery(galleryItem(picture)),
      separator(),
      file('attachment://a.txt'),
      row(button.primary('b', 'Go')),
    ).withAccentColor(0x3366ff),
    new discordjs.ContainerBuilder()
      .addTextDisplayComponents(discordjsText('One'))
      .addSectionComponents(twoTexts().setButtonAccessory(discordjsButton(1).setLabel('Go')))
      .addMediaGalleryComponents(new discordjs.MediaGalleryBuilder().addItems(discordjsItem(picture)))
      .addSeparatorComponents(new discordjs.SeparatorBuilder())
      .addFileComponents(new discordjs.FileBuilder().setURL('attachment://a.txt'))
      .addActionRowComponents(
        new discordjs.ActionRowBuilder<discordjs.ButtonBuilder>().addComponents(discordjsButton(1, 'b').setLabel('Go')),
      )
      .setAccentColor(0x3366ff),
  ],
  [
    'a container with a spoiler',
    container([text('One')])
      .withSpoiler()
      .withId(9),
    new discordjs.ContainerBuilder().addTextDisplayComponents(discordjsText('One')).setSpoiler(true).setId(9),
  ],
  [
    'a label of a text input',
    label('Name', textInput.small('t')).withDescription('Your own'),
    discordjsLabel('Name').setDescription('Your own').setTextInputComponent(discordjsInput()),
  ],
  [
    'a label of a select that is not required',
    label('Size', stringSelect('s', option('A', 'a')).withRequired(false)),
    discordjsLabel('Size').setStringSelectMenuComponent(
      new discordjs.StringSelectMenuBuilder()
        .setCustomId('s')
        .addOptions({ label: 'A', value: 'a' })
        .setRequired(false),
    ),
  ],
  [
    'a label of a user select',
    label('Who', userSelect('u').withMinValues(1).withMaxValues(3)),
    discordjsLabel('Who').setUserSelectMenuComponent(
      new discordjs.UserSelectMenuBuilder().setCustomId('u').setMinValues(1).setMaxValues(3),
    ),
  ],
  [
    'a label of a checkbox',
    label('Yes?', checkbox('c')).withId(2),
    discordjsLabel('Yes?').setCheckboxComponent(new discordjs.CheckboxBuilder().setCustomId('c')).setId(2),
  ],
  [
    'a modal of labels and a text',
    modal('m', 'A modal', text('Hello'), label('Name', textInput.small('t')), label('Yes?', checkbox('c'))),
    new discordjs.ModalBuilder()
      .setCustomId('m')
      .setTitle('A modal')
      .addTextDisplayComponents(discordjsText('Hello'))
      .addLabelComponents(
        discordjsLabel('Name').setTextInputComponent(discordjsInput()),
        discordjsLabel('Yes?').setCheckboxComponent(new discordjs.CheckboxBuilder().setCustomId('c')),
      ),
  ],
  [
    'a modal of a row, as it used to be',
    modal('m', 'A modal', row(textInput.small('t').withLabel('Name'))),
    new discordjs.ModalBuilder()
      .setCustomId('m')
      .setTitle('A modal')
      .addActionRowComponents(
        new discordjs.ActionRowBuilder<discordjs.TextInputBuilder>().addComponents(discordjsInput().setLabel('Name')),
      ),
  ],
]

const trees = [...DISCORDJS_CONTROLS, ...DISCORDJS_LAYOUTS]
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

test('at least thirty trees are compared with @discordjs/builders', () => {
  expect(trees.length).toBeGreaterThanOrEqual(30)
})

test.each(trees)('our JSON equals that of @discordjs/builders for %s', (_, ours, theirs) => {
  expect(plain(ours)).toEqual(plain(theirs.toJSON()))
})

test.each(trees)('the JSON of @discordjs/builders is valid for %s', (_, __, theirs) => {
  const json = plain(theirs.toJSON())
  const result = 'title' in Object(json) ? validateModal(json) : validateComponent(json)
  expect(result).toMatchObject({ ok: true })
})
