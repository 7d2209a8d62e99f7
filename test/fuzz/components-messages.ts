import fc from 'fast-check'
import {
  attachment,
  button,
  type ContainerChildInput,
  container,
  file,
  galleryItem,
  mediaGallery,
  row,
  section,
  separator,
  thumbnail,
} from 'rapport-sdk/components'
import { anyText, select } from './components-selects'
import { after, customId, emoji, flag, maybeLiteral, media, textOf, url } from './components-texts'

const interactive = after(
  fc
    .tuple(fc.constantFrom('primary', 'secondary', 'success', 'danger'), customId)
    .map(([kind, id]) => button[kind as 'primary'](id)),
  textOf(0, 80).map((value) => (made) => made.withLabel(value)),
  emoji.map((value) => (made) => made.withEmoji(value)),
  flag.map((value) => (made) => made.withDisabled(value)),
)
const link = after(
  url.map((value) => button.link(value)),
  textOf(0, 80).map((value) => (made) => made.withLabel(value)),
  flag.map((value) => (made) => made.withDisabled(value)),
)
const premium = after(
  fc.nat().map((id) => button.premium(`${id}`)),
  flag.map((value) => (made) => made.withDisabled(value)),
)
const anyButton = maybeLiteral(fc.oneof(interactive, link, premium))

const buttons = maybeLiteral(fc.array(anyButton, { maxLength: 5 }).map((list) => row(list)))
const selects = maybeLiteral(
  fc.tuple(select, flag).map(([made, isDisabled]) => row([isDisabled ? made.withDisabled() : made])),
)
const picture = after(
  media.map((value) => thumbnail(value)),
  textOf(0, 1024).map((value) => (made) => made.withDescription(value)),
  flag.map((value) => (made) => made.withSpoiler(value)),
)
const sections = maybeLiteral(
  fc
    .tuple(
      fc.array(fc.oneof(anyText, textOf(1, 60)), { minLength: 1, maxLength: 3 }),
      fc.oneof(anyButton, maybeLiteral(picture)),
    )
    .map(([texts, accessory]) => section(texts).withAccessory(accessory)),
)
const item = maybeLiteral(
  after(
    media.map((value) => galleryItem(value)),
    textOf(0, 1024).map((value) => (made) => made.withDescription(value)),
    flag.map((value) => (made) => made.withSpoiler(value)),
  ),
)
const gallery = maybeLiteral(fc.array(item, { minLength: 1, maxLength: 10 }).map((items) => mediaGallery(items)))
const files = maybeLiteral(
  after(
    textOf(1, 50).map((name) => file(attachment(name))),
    flag.map((value) => (made) => made.withSpoiler(value)),
  ),
)
const line = maybeLiteral(
  after(
    fc.constant(null).map(() => separator()),
    fc.constantFrom('small' as const, 'large' as const).map((value) => (made) => made.withSpacing(value)),
    flag.map((value) => (made) => made.withDivider(value)),
  ),
)
const child: fc.Arbitrary<ContainerChildInput> = fc.oneof(buttons, selects, anyText, sections, gallery, files, line)
const containers = maybeLiteral(
  after(
    fc.array(child, { minLength: 1, maxLength: 10 }).map((children) => container(children)),
    fc.option(fc.nat(0xffffff)).map((value) => (made) => made.withAccentColor(value)),
    flag.map((value) => (made) => made.withSpoiler(value)),
  ),
)

/** What may stand at the top of a message, with custom_ids of its own. */
export const messagePart = fc.oneof({ weight: 3, arbitrary: child }, containers)
/** What may stand at the top of a legacy message. */
export const legacyPart = fc.oneof(buttons, selects)
