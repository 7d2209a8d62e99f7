import {
  attachment,
  button,
  type ContainerChildInput,
  checkbox,
  container,
  file,
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

const picture = thumbnail('https://example.test/a.png')
const whole = section('A text').withAccessory(picture)
const line = separator()

describe('a layout that is right', () => {
  test('sections', () => {
    const sections: SectionInput[] = [
      whole,
      section('One', text('Two'), { type: 10, content: 'Three' }).withAccessory(button.primary('a')),
      section(['One', 'Two']).withAccessory(button.link('https://example.test')).withId(4),
      section('One')
        .addComponents('Two', text('Three'))
        .withAccessory({ type: 11, media: { url: 'https://e.test' } }),
      { type: 9, components: [text('One')], accessory: { type: 2, style: 1, custom_id: 'a' } },
    ]
    expectTypeOf(sections).toBeArray()
  })

  test('containers', () => {
    container(text('A text'), line, whole, row(button.primary('a')), mediaGallery(galleryItem('https://e.test')))
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
  })

  test('media', () => {
    thumbnail(attachment('a.png')).withDescription('A picture').withSpoiler()
    thumbnail({ url: 'https://example.test/a.png' }).withMedia('https://example.test/b.png')
    mediaGallery(galleryItem('https://e.test').withDescription('A'), { media: { url: 'attachment://b.png' } })
    mediaGallery([galleryItem(attachment('a.png')).withSpoiler(true)]).addItems(galleryItem(attachment('b.png')))
    file('attachment://a.txt').withSpoiler()
    file({ url: 'attachment://a.txt' }).withFile(attachment('b.txt'))
    expectTypeOf(attachment('a.png')).toEqualTypeOf<'attachment://a.png'>()
  })

  test('separators', () => {
    expectTypeOf(separator().withSpacing('large').withSpacing('small').withDivider(false).withId(1)).toExtend<{
      readonly type: 14
    }>()
  })
})

describe('a layout that is wrong does not compile:', () => {
  test('sections', () => {
    // @ts-expect-error: it has no accessory yet
    const draft: SectionInput = section('A text')
    // @ts-expect-error: four texts
    section('One', 'Two', 'Three', 'Four')
    // @ts-expect-error: no text
    section()
    // @ts-expect-error: a section holds texts alone
    section(line)
    // @ts-expect-error: the accessory is a button or a thumbnail
    section('A text').withAccessory(text('Another'))
    // @ts-expect-error: a select needs a row
    section('A text').withAccessory({ type: 5, custom_id: 'u' })
    // @ts-expect-error: a literal needs an accessory too
    const literal: SectionInput = { type: 9, components: [text('A text')] }
    expectTypeOf([draft, literal]).toBeArray()
  })

  test('containers', () => {
    // @ts-expect-error: a container holds no container
    container(container(text('A text')))
    // @ts-expect-error: a section without its accessory
    container(section('A text'))
    // @ts-expect-error: a button needs a row
    container(button.primary('a'))
    // @ts-expect-error: a thumbnail is an accessory
    container(picture)
    // @ts-expect-error: nothing at all
    container()
    // @ts-expect-error: eleven
    container(line, line, line, line, line, line, line, line, line, line, line)
    // @ts-expect-error: a label is for a modal
    container(label('A field', checkbox('c')))
    // @ts-expect-error: a row of a text input is for a modal
    container(row(textInput.small('t')))
    // @ts-expect-error: a colour is a number
    container(line).withAccentColor('#3366ff')
  })

  test('media', () => {
    // @ts-expect-error: a file is an attachment, no URL
    file('https://example.test/a.txt')
    // @ts-expect-error: neither as an object
    file({ url: 'https://example.test/a.txt' })
    // @ts-expect-error: a width is received only
    thumbnail({ url: 'https://example.test/a.png', width: 10 })
    // @ts-expect-error: a gallery holds items, no URLs
    mediaGallery('https://example.test/a.png')
    // @ts-expect-error: a gallery holds one item at least
    mediaGallery()
    // @ts-expect-error: the name of a file is received only
    container({ type: 13, file: { url: 'attachment://a.txt' }, name: 'a.txt' })
    // @ts-expect-error: its size too
    container({ type: 13, file: { url: 'attachment://a.txt' }, size: 5 })
    // @ts-expect-error: a file has no description
    file('attachment://a.txt').withDescription('A file')
  })

  test('separators and texts', () => {
    // @ts-expect-error: small or large
    separator().withSpacing('medium')
    // @ts-expect-error: 1 or 2
    container({ type: 14, spacing: 3 })
    // @ts-expect-error: a text has a text
    text()
    // @ts-expect-error: a text has no label
    text('A text').withLabel('A label')
  })

  test('types that cannot be sent', () => {
    // @ts-expect-error: a content inventory entry
    container({ type: 16, content_inventory_entry: {} })
    // @ts-expect-error: a checkpoint card
    container({ type: 20, checkpoint_data: {} })
    // @ts-expect-error: a type that the document does not have
    container({ type: 99 })
  })
})
