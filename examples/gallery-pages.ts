// A gallery with pages: a media gallery can hold ten pictures, and each button stores its target page in its `custom_id`.
import assert from 'node:assert/strict'
import {
  button,
  findByCustomId,
  galleryItem,
  isButton,
  LIMITS,
  type MessageV2Input,
  mediaGallery,
  messageV2,
  row,
  text,
  validateMessage,
} from 'rapport-sdk/components'

const pictures = Array.from({ length: 23 }, (_, at) => ({
  url: `https://example.test/pictures/${at + 1}.png`,
  title: `Picture ${at + 1}`,
}))
const perPage = 10
const pages = Math.ceil(pictures.length / perPage)

/** Builds one page; the first one is 0. */
export function page(at: number): MessageV2Input {
  const shown = pictures.slice(at * perPage, (at + 1) * perPage)
  return messageV2(
    text(`**Pictures ${at * perPage + 1} to ${at * perPage + shown.length}** of ${pictures.length}`),
    mediaGallery(shown.map(({ url, title }) => galleryItem(url).withDescription(title))),
    row(
      button.secondary(`page:${at - 1}`, 'Back').withDisabled(at === 0),
      button.secondary('page', `${at + 1} of ${pages}`).withDisabled(),
      button.secondary(`page:${at + 1}`, 'Next').withDisabled(at === pages - 1),
    ),
  )
}

for (let at = 0; at < pages; at++) {
  const message = page(at)
  assert(validateMessage(message).ok)
  const next = findByCustomId(message, `page:${at + 1}`)
  assert(isButton(next))
  console.log(`page ${at + 1}: ${JSON.stringify(message).length} bytes${next.disabled ? ', the last page' : ''}`)
}

const all = mediaGallery(pictures.map(({ url }) => galleryItem(url)))
const result = validateMessage(messageV2(all))
assert(!result.ok)
console.log(`all on one page: ${result.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join()}`)
assert.equal(perPage, LIMITS.mediaGallery.items.max)
