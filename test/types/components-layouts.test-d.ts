import {
  attachment,
  button,
  type ContainerChildInput,
  checkbox,
  container,
  file,
  type GalleryItemInput,
  galleryItem,
  label,
  mediaGallery,
  row,
  type SectionInput,
  section,
  separator,
  text,
  textInput,
  thumbnail,
} from 'rapport-sdk/components'
import { describe, expectTypeOf, test } from 'vitest'

const image = thumbnail('https://example.test/a.png')
const completeSection = section('A text').withAccessory(image)
const line = separator()
const isMany = true as boolean

describe('a valid layout', () => {
  test('can be a section', () => {
    const sections: SectionInput[] = [
      completeSection,
      section('One', text('Two'), { type: 10, content: 'Three' }).withAccessory(button.primary('a')),
      section(['One', 'Two']).withAccessory(button.link('https://example.test')).withId(4),
      section('One')
        .addComponents('Two', text('Three'))
        .withAccessory({ type: 11, media: { url: 'https://e.test' } }),
      { type: 9, components: [text('One')], accessory: { type: 2, style: 1, custom_id: 'a' } },
    ]
    expectTypeOf(sections).toBeArray()
  })

  test('can be a container', () => {
    container(
      text('A text'),
      line,
      completeSection,
      row(button.primary('a')),
      mediaGallery(galleryItem('https://e.test')),
    )
    container(file(attachment('a.txt')), { type: 14, spacing: 2 })
      .withAccentColor(0x3366ff)
      .withSpoiler()
      .withId(3)
    container([text('A text')])
      .withAccentColor(null)
      .addComponents(line, line)
      .withSpoiler(false)
    const children: ContainerChildInput[] = [text('A text'), line, { type: 14 }]
    container(children)
    container(...children)
    container(isMany && line, [null, ['A text', [line]]], undefined, children)
    container('A text').addComponents(isMany && 'Another', [line])
  })

  test('a function with a type parameter passes components to a layout', () => {
    const boxed = <T extends ContainerChildInput>(x: T) => container(x, [x], isMany && x).addComponents(x)
    const titled = <T extends string>(title: T) => section(title).addComponents(title).withAccessory(image)
    const shown = <T extends GalleryItemInput>(x: T) => mediaGallery(x, 'https://e.test')
    container(...boxed(line).components, titled('A title'), shown(galleryItem('https://e.test')))
  })

  test('can have media', () => {
    thumbnail(attachment('a.png')).withDescription('A picture').withSpoiler()
    thumbnail({ url: 'https://example.test/a.png' }).withMedia('https://example.test/b.png')
    mediaGallery(galleryItem('https://e.test').withDescription('A'), { media: { url: 'attachment://b.png' } })
    mediaGallery('https://e.test', isMany && attachment('a.png'), [null])
    mediaGallery([galleryItem(attachment('a.png')).withSpoiler(true)]).addItems(galleryItem(attachment('b.png')))
    file('attachment://a.txt').withSpoiler()
    file({ url: 'attachment://a.txt' }).withFile(attachment('b.txt'))
    expectTypeOf(attachment('a.png')).toEqualTypeOf<'attachment://a.png'>()
  })

  test('can be a separator', () => {
    expectTypeOf(separator().withSpacing('large').withSpacing('small').withDivider(false).withId(1)).toExtend<{
      readonly type: 14
    }>()
  })
})

describe('an invalid layout', () => {
  test('invalid sections do not compile', () => {
    // @ts-expect-error: it has no accessory
    const draft: SectionInput = section('A text')
    // @ts-expect-error: four texts
    section('One', 'Two', 'Three', 'Four')
    // @ts-expect-error: no text
    section()
    // @ts-expect-error: a section contains only texts
    section(line)
    // @ts-expect-error: the accessory is a button or a thumbnail
    section('A text').withAccessory(text('Another'))
    // @ts-expect-error: a select needs a row
    section('A text').withAccessory({ type: 5, custom_id: 'u' })
    // @ts-expect-error: a literal needs an accessory too
    const literal: SectionInput = { type: 9, components: [text('A text')] }
    expectTypeOf([draft, literal]).toBeArray()
  })

  test('invalid containers do not compile', () => {
    // @ts-expect-error: a container contains no container
    container(container(text('A text')))
    // @ts-expect-error: a section without its accessory
    container(section('A text'))
    // @ts-expect-error: a button needs a row
    container(button.primary('a'))
    // @ts-expect-error: a thumbnail is an accessory
    container(image)
    // @ts-expect-error: a container is not empty
    container()
    // @ts-expect-error: eleven children
    container(line, line, line, line, line, line, line, line, line, line, line)
    // @ts-expect-error: a label is for a modal
    container(label('A field', checkbox('c')))
    // @ts-expect-error: a row of a text input is for a modal
    container(row(textInput.small('t')))
    // @ts-expect-error: a colour is a number
    container(line).withAccentColor('#3366ff')
  })

  test('invalid media do not compile', () => {
    // @ts-expect-error: a file is an attachment, not a URL
    file('https://example.test/a.txt')
    // @ts-expect-error: nor as an object
    file({ url: 'https://example.test/a.txt' })
    // @ts-expect-error: a width is receive-only
    thumbnail({ url: 'https://example.test/a.png', width: 10 })
    // @ts-expect-error: a gallery contains items and URLs, not numbers
    mediaGallery(5)
    // @ts-expect-error: a gallery contains at least one item
    mediaGallery()
    // @ts-expect-error: the name of a file is receive-only
    container({ type: 13, file: { url: 'attachment://a.txt' }, name: 'a.txt' })
    // @ts-expect-error: the size of a file is receive-only
    container({ type: 13, file: { url: 'attachment://a.txt' }, size: 5 })
    // @ts-expect-error: a file has no description
    file('attachment://a.txt').withDescription('A file')
  })

  test('invalid separators and texts do not compile', () => {
    // @ts-expect-error: expected small or large
    separator().withSpacing('medium')
    // @ts-expect-error: expected 1 or 2
    container({ type: 14, spacing: 3 })
    // @ts-expect-error: a text has content
    text()
    // @ts-expect-error: a text has no label
    text('A text').withLabel('A label')
  })

  test('types that cannot be sent do not compile', () => {
    // @ts-expect-error: a content inventory entry
    container({ type: 16, content_inventory_entry: {} })
    // @ts-expect-error: a checkpoint card
    container({ type: 20, checkpoint_data: {} })
    // @ts-expect-error: an undocumented type
    container({ type: 99 })
  })
})
