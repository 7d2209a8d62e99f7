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
import { anyText, customId, emoji, flag, maybeLiteral, media, select, textOf, url, withSteps } from './components-parts'

const interactive = withSteps(
  fc
    .tuple(fc.constantFrom('primary', 'secondary', 'success', 'danger'), customId)
    .map(([kind, id]) => button[kind as 'primary'](id)),
  textOf(0, 80).map((value) => (component) => component.withLabel(value)),
  emoji.map((value) => (component) => component.withEmoji(value)),
  flag.map((value) => (component) => component.withDisabled(value)),
)
const link = withSteps(
  url.map((value) => button.link(value)),
  textOf(0, 80).map((value) => (component) => component.withLabel(value)),
  flag.map((value) => (component) => component.withDisabled(value)),
)
const premium = withSteps(
  fc.nat().map((id) => button.premium(`${id}`)),
  flag.map((value) => (component) => component.withDisabled(value)),
)
const anyButton = maybeLiteral(fc.oneof(interactive, link, premium))

const buttons = maybeLiteral(fc.array(anyButton, { maxLength: 5 }).map((list) => row(list)))
const selects = maybeLiteral(
  fc.tuple(select, flag).map(([component, isDisabled]) => row([isDisabled ? component.withDisabled() : component])),
)
const picture = withSteps(
  media.map((value) => thumbnail(value)),
  textOf(0, 1024).map((value) => (component) => component.withDescription(value)),
  flag.map((value) => (component) => component.withSpoiler(value)),
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
  withSteps(
    media.map((value) => galleryItem(value)),
    textOf(0, 1024).map((value) => (component) => component.withDescription(value)),
    flag.map((value) => (component) => component.withSpoiler(value)),
  ),
)
const gallery = maybeLiteral(fc.array(item, { minLength: 1, maxLength: 10 }).map((items) => mediaGallery(items)))
const files = maybeLiteral(
  withSteps(
    textOf(1, 50).map((name) => file(attachment(name))),
    flag.map((value) => (component) => component.withSpoiler(value)),
  ),
)
const line = maybeLiteral(
  withSteps(
    fc.constant(null).map(() => separator()),
    fc.constantFrom('small' as const, 'large' as const).map((value) => (component) => component.withSpacing(value)),
    flag.map((value) => (component) => component.withDivider(value)),
  ),
)
const child: fc.Arbitrary<ContainerChildInput> = fc.oneof(buttons, selects, anyText, sections, gallery, files, line)
const containers = maybeLiteral(
  withSteps(
    fc.array(child, { minLength: 1, maxLength: 10 }).map((children) => container(children)),
    fc.option(fc.nat(0xffffff)).map((value) => (component) => component.withAccentColor(value)),
    flag.map((value) => (component) => component.withSpoiler(value)),
  ),
)

/** Top-level components of a message, with unique custom_ids. */
export const messagePart = fc.oneof({ weight: 3, arbitrary: child }, containers)
/** Top-level components of a legacy message. */
export const legacyPart = fc.oneof(buttons, selects)
