// The same payloads as object literals, built with this package and built with @discordjs/builders.
import * as peer from '@discordjs/builders'
import type * as Components from 'rapport-sdk/components'

type Ours = typeof Components

/** One payload, built in each way. The peer validates in `toJSON`. */
export interface Payload {
  readonly name: string
  readonly literal: () => object
  readonly ours: (sdk: Ours) => object
  readonly isValid: (sdk: Ours, made: object) => boolean
  readonly theirs: () => { toJSON(): object }
}

const picture = 'https://example.test/a.png'
const five = [1, 2, 3, 4, 5]

const literalRow = (prefix: string) => ({
  type: 1,
  components: five.map((n) => ({ type: 2, style: 1, custom_id: `${prefix}${n}`, label: `Button ${n}` })),
})
const ourRow = ({ row, button }: Ours, prefix: string) =>
  row(five.map((n) => button.primary(`${prefix}${n}`, `Button ${n}`)))
const peerRow = (prefix: string) =>
  new peer.ActionRowBuilder<peer.ButtonBuilder>().addComponents(
    five.map((n) => new peer.ButtonBuilder().setStyle(1).setCustomId(`${prefix}${n}`).setLabel(`Button ${n}`)),
  )

/** 15 components: a container, a section of two texts and a thumbnail, a separator, a text, a row of five, a gallery, a file. */
const literalContainer = (prefix: string) => ({
  type: 17,
  accent_color: 0x3366ff,
  components: [
    {
      type: 9,
      components: [
        { type: 10, content: '## Release 2.0' },
        { type: 10, content: 'Now with passkeys' },
      ],
      accessory: { type: 11, media: { url: picture }, description: 'Screenshot' },
    },
    { type: 14, spacing: 2 },
    { type: 10, content: 'Everything that is new' },
    literalRow(prefix),
    { type: 12, items: [{ media: { url: picture }, description: 'Before' }, { media: { url: picture } }] },
    { type: 13, file: { url: 'attachment://notes.txt' } },
  ],
})
const ourContainer = (sdk: Ours, prefix: string) => {
  const { attachment, container, file, galleryItem, mediaGallery, section, separator, text, thumbnail } = sdk
  return container(
    section('## Release 2.0', 'Now with passkeys').withAccessory(thumbnail(picture).withDescription('Screenshot')),
    separator().withSpacing('large'),
    text('Everything that is new'),
    ourRow(sdk, prefix),
    mediaGallery(galleryItem(picture).withDescription('Before'), galleryItem(picture)),
    file(attachment('notes.txt')),
  ).withAccentColor(0x3366ff)
}
const peerText = (content: string) => new peer.TextDisplayBuilder().setContent(content)
const peerItem = () => new peer.MediaGalleryItemBuilder().setURL(picture)
const peerContainer = (prefix: string) =>
  new peer.ContainerBuilder()
    .addSectionComponents(
      new peer.SectionBuilder()
        .addTextDisplayComponents(peerText('## Release 2.0'), peerText('Now with passkeys'))
        .setThumbnailAccessory(new peer.ThumbnailBuilder().setURL(picture).setDescription('Screenshot')),
    )
    .addSeparatorComponents(new peer.SeparatorBuilder().setSpacing(2))
    .addTextDisplayComponents(peerText('Everything that is new'))
    .addActionRowComponents(peerRow(prefix))
    .addMediaGalleryComponents(new peer.MediaGalleryBuilder().addItems(peerItem().setDescription('Before'), peerItem()))
    .addFileComponents(new peer.FileBuilder().setURL('attachment://notes.txt'))
    .setAccentColor(0x3366ff)

const choices = [
  { label: 'Small', value: 's' },
  { label: 'Large', value: 'l' },
]
const literalLabel = (name: string, component: object) => ({ type: 18, label: name, component })
const peerLabel = (name: string) => new peer.LabelBuilder().setLabel(name)

function ourModal({ checkbox, groupOption, label, modal, option, radioGroup, stringSelect, textInput }: Ours) {
  return modal(
    'order',
    'Your order',
    label('Name', textInput.small('name').withMaxLength(80)),
    label('Remarks', textInput.paragraph('remarks').withRequired(false)),
    label('Size', stringSelect('size', option('Small', 's'), option('Large', 'l'))),
    label('Delivery', radioGroup('delivery', groupOption('Small', 's'), groupOption('Large', 'l'))),
    label('Newsletter', checkbox('news').withDefault()),
  )
}

function peerModal() {
  return new peer.ModalBuilder()
    .setCustomId('order')
    .setTitle('Your order')
    .addLabelComponents(
      peerLabel('Name').setTextInputComponent(
        new peer.TextInputBuilder().setCustomId('name').setStyle(1).setMaxLength(80),
      ),
      peerLabel('Remarks').setTextInputComponent(
        new peer.TextInputBuilder().setCustomId('remarks').setStyle(2).setRequired(false),
      ),
      peerLabel('Size').setStringSelectMenuComponent(
        new peer.StringSelectMenuBuilder().setCustomId('size').addOptions(choices),
      ),
      peerLabel('Delivery').setRadioGroupComponent(
        new peer.RadioGroupBuilder().setCustomId('delivery').addOptions(choices),
      ),
      peerLabel('Newsletter').setCheckboxComponent(new peer.CheckboxBuilder().setCustomId('news').setDefault(true)),
    )
}

export const PAYLOADS: readonly Payload[] = [
  {
    name: 'a row of five buttons',
    literal: () => literalRow('b'),
    ours: (sdk) => ourRow(sdk, 'b'),
    isValid: (sdk, made) => sdk.validateComponent(made).ok,
    theirs: () => peerRow('b'),
  },
  {
    name: 'a message of 30 components',
    literal: () => ({ flags: 32768, components: [literalContainer('a'), literalContainer('b')] }),
    ours: (sdk) => sdk.messageV2(ourContainer(sdk, 'a'), ourContainer(sdk, 'b')),
    isValid: (sdk, made) => sdk.validateMessage(made).ok,
    theirs: () => {
      const containers = [peerContainer('a'), peerContainer('b')]
      return { toJSON: () => ({ flags: 32768, components: containers.map((container) => container.toJSON()) }) }
    },
  },
  {
    name: 'a modal of five labels',
    literal: () => ({
      custom_id: 'order',
      title: 'Your order',
      components: [
        literalLabel('Name', { type: 4, custom_id: 'name', style: 1, max_length: 80 }),
        literalLabel('Remarks', { type: 4, custom_id: 'remarks', style: 2, required: false }),
        literalLabel('Size', { type: 3, custom_id: 'size', options: choices.map((choice) => ({ ...choice })) }),
        literalLabel('Delivery', {
          type: 21,
          custom_id: 'delivery',
          options: choices.map((choice) => ({ ...choice })),
        }),
        literalLabel('Newsletter', { type: 23, custom_id: 'news', default: true }),
      ],
    }),
    ours: (sdk) => ourModal(sdk),
    isValid: (sdk, made) => sdk.validateModal(made).ok,
    theirs: () => peerModal(),
  },
]
