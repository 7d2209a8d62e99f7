import * as discordjs from '@discordjs/builders'
import {
  attachment,
  button,
  checkbox,
  container,
  file,
  galleryItem,
  label,
  mediaGallery,
  modal,
  option,
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
import { describe, expect, test } from 'vitest'
import type { DiscordjsTree } from './discordjs-controls'
import { DISCORDJS_CONTROLS } from './discordjs-controls'

const picture = 'https://example.test/a.png'
const discordjsText = (content: string) => new discordjs.TextDisplayBuilder().setContent(content)
const discordjsItem = (url: string) => new discordjs.MediaGalleryItemBuilder().setURL(url)
const discordjsButton = (id: string) => new discordjs.ButtonBuilder().setStyle(1).setCustomId(id).setLabel('Go')
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
    twoTexts().setButtonAccessory(discordjsButton('a')),
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
      .addSectionComponents(twoTexts().setButtonAccessory(discordjsButton('a')))
      .addMediaGalleryComponents(new discordjs.MediaGalleryBuilder().addItems(discordjsItem(picture)))
      .addSeparatorComponents(new discordjs.SeparatorBuilder())
      .addFileComponents(new discordjs.FileBuilder().setURL('attachment://a.txt'))
      .addActionRowComponents(
        new discordjs.ActionRowBuilder<discordjs.ButtonBuilder>().addComponents(discordjsButton('b')),
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

describe('validation of JSON of @discordjs/builders', () => {
  test.each(trees)('the JSON of @discordjs/builders is valid for %s', (_, __, theirs) => {
    const json = plain(theirs.toJSON())
    const result = 'title' in Object(json) ? validateModal(json) : validateComponent(json)
    expect(result).toMatchObject({ ok: true })
  })
})
