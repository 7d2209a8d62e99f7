import * as peer from '@discordjs/builders'
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
} from 'rapport-sdk/components'
import type { PeerTree } from './peer-controls'

const picture = 'https://example.test/a.png'
const peerText = (content: string) => new peer.TextDisplayBuilder().setContent(content)
const peerItem = (url: string) => new peer.MediaGalleryItemBuilder().setURL(url)
const peerButton = (id: string) => new peer.ButtonBuilder().setStyle(1).setCustomId(id).setLabel('Go')
const peerInput = () => new peer.TextInputBuilder().setCustomId('t').setStyle(1)
const peerLabel = (name: string) => new peer.LabelBuilder().setLabel(name)
const twoTexts = () => new peer.SectionBuilder().addTextDisplayComponents(peerText('One'), peerText('Two'))

/** Layouts, content and modals. */
export const PEER_LAYOUTS: readonly PeerTree[] = [
  ['a text', text('# Title'), peerText('# Title')],
  ['a text with an id', text('# Title').withId(3), peerText('# Title').setId(3)],
  [
    'a section with a button',
    section('One', 'Two').withAccessory(button.primary('a', 'Go')),
    twoTexts().setButtonAccessory(peerButton('a')),
  ],
  [
    'a section with a thumbnail',
    section('One', 'Two').withAccessory(thumbnail(picture).withDescription('A picture').withSpoiler()),
    twoTexts().setThumbnailAccessory(
      new peer.ThumbnailBuilder().setURL(picture).setDescription('A picture').setSpoiler(true),
    ),
  ],
  [
    'a gallery',
    mediaGallery(galleryItem(picture).withDescription('A'), galleryItem(attachment('b.png')).withSpoiler()),
    new peer.MediaGalleryBuilder().addItems(
      peerItem(picture).setDescription('A'),
      peerItem('attachment://b.png').setSpoiler(true),
    ),
  ],
  [
    'a file',
    file(attachment('a.txt')).withSpoiler(),
    new peer.FileBuilder().setURL('attachment://a.txt').setSpoiler(true),
  ],
  ['a separator', separator(), new peer.SeparatorBuilder()],
  [
    'a large separator without a line',
    separator().withSpacing('large').withDivider(false).withId(1),
    new peer.SeparatorBuilder().setSpacing(2).setDivider(false).setId(1),
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
    new peer.ContainerBuilder()
      .addTextDisplayComponents(peerText('One'))
      .addSectionComponents(twoTexts().setButtonAccessory(peerButton('a')))
      .addMediaGalleryComponents(new peer.MediaGalleryBuilder().addItems(peerItem(picture)))
      .addSeparatorComponents(new peer.SeparatorBuilder())
      .addFileComponents(new peer.FileBuilder().setURL('attachment://a.txt'))
      .addActionRowComponents(new peer.ActionRowBuilder<peer.ButtonBuilder>().addComponents(peerButton('b')))
      .setAccentColor(0x3366ff),
  ],
  [
    'a container with a spoiler',
    container([text('One')])
      .withSpoiler()
      .withId(9),
    new peer.ContainerBuilder().addTextDisplayComponents(peerText('One')).setSpoiler(true).setId(9),
  ],
  [
    'a label of a text input',
    label('Name', textInput.small('t')).withDescription('Your own'),
    peerLabel('Name').setDescription('Your own').setTextInputComponent(peerInput()),
  ],
  [
    'a label of a select that is not required',
    label('Size', stringSelect('s', option('A', 'a')).withRequired(false)),
    peerLabel('Size').setStringSelectMenuComponent(
      new peer.StringSelectMenuBuilder().setCustomId('s').addOptions({ label: 'A', value: 'a' }).setRequired(false),
    ),
  ],
  [
    'a label of a user select',
    label('Who', userSelect('u').withMinValues(1).withMaxValues(3)),
    peerLabel('Who').setUserSelectMenuComponent(
      new peer.UserSelectMenuBuilder().setCustomId('u').setMinValues(1).setMaxValues(3),
    ),
  ],
  [
    'a label of a checkbox',
    label('Yes?', checkbox('c')).withId(2),
    peerLabel('Yes?').setCheckboxComponent(new peer.CheckboxBuilder().setCustomId('c')).setId(2),
  ],
  [
    'a modal of labels and a text',
    modal('m', 'A modal', text('Hello'), label('Name', textInput.small('t')), label('Yes?', checkbox('c'))),
    new peer.ModalBuilder()
      .setCustomId('m')
      .setTitle('A modal')
      .addTextDisplayComponents(peerText('Hello'))
      .addLabelComponents(
        peerLabel('Name').setTextInputComponent(peerInput()),
        peerLabel('Yes?').setCheckboxComponent(new peer.CheckboxBuilder().setCustomId('c')),
      ),
  ],
  [
    'a modal of a row, as it used to be',
    modal('m', 'A modal', row(textInput.small('t').withLabel('Name'))),
    new peer.ModalBuilder()
      .setCustomId('m')
      .setTitle('A modal')
      .addActionRowComponents(
        new peer.ActionRowBuilder<peer.TextInputBuilder>().addComponents(peerInput().setLabel('Name')),
      ),
  ],
]
