import { describe, expect, test } from 'vitest'
import { atHome, withAt } from './places'
import { problems, wrongPlaces } from './problems'
import { mediaOf, smallest, type TypeValue, type Wire } from './wire'

// Interface, "Unfurled Media Item": what is received only.
const MEDIA: Wire = {
  id: '1',
  proxy_url: 'https://media.example.test/a.png',
  height: 100,
  width: null,
  flags: 0,
  content_type: 'image/png',
  content_scan_metadata: { version: 1, flags: 0 },
  placeholder_version: 1,
  placeholder: 'thumbhash',
  loading_state: 2,
  attachment_id: '2',
}
const HOLDERS: readonly [type: TypeValue, path: readonly (string | number)[], url: string][] = [
  [11, ['media'], 'https://example.test/a.png'],
  [12, ['items', 0, 'media'], 'https://example.test/a.png'],
  [13, ['file'], 'attachment://a.png'],
]

describe.each(HOLDERS)('the media of type %i, at %j', (type, path, url) => {
  const given = (media: Wire) => atHome(withAt(smallest[type](), path, media))
  const at = [...given(mediaOf(url)).at, ...path].join('.')

  test('has a url and nothing else', () => {
    expect(problems(given({ url }))).toEqual([])
  })

  test.each(Object.entries(MEDIA))('has no %s: it is received only', (field, value) => {
    expect(wrongPlaces(given({ url, [field]: value }))).toEqual([`${at}.${field}`])
  })

  test('has all of it told at once', () => {
    const expected = Object.keys(MEDIA).map((field) => `${at}.${field}`)
    expect(wrongPlaces(given({ url, ...MEDIA })).toSorted()).toEqual(expected.toSorted())
  })

  test.each([5, null, {}, ['https://example.test']])('has no url such as %j', (wrong) => {
    expect(problems(given({ url: wrong }))).toEqual([`${at}.url: invalid_type`])
  })

  test.each([5, null, 'https://example.test/a.png', []])('is an object, not %j', (wrong) => {
    expect(problems(atHome(withAt(smallest[type](), path, wrong)))).toEqual([`${at}: invalid_type`])
  })
})

// Interface, "File (type 13)".
describe('a file', () => {
  const file = { type: 13, file: mediaOf('attachment://a.txt') }

  test.each([
    ['name', 'a.txt'],
    ['size', 1024],
  ])('has no %s: it is received only', (field, value) => {
    expect(wrongPlaces(atHome({ ...file, [field]: value }))).toEqual([`components.0.${field}`])
  })

  test.each(['https://example.test/a.txt', 'http://example.test', 'a.txt', '', 'ATTACHMENT:a.txt', ' attachment://a'])(
    'is an attachment and no URL such as %j',
    (url) => {
      expect(wrongPlaces(atHome({ type: 13, file: { url } }))).toEqual(['components.0.file.url'])
    },
  )

  test.each(['attachment://a.txt', 'attachment://a b (1).txt', 'attachment://ä.漢', 'attachment://a.tar.gz'])(
    'is an attachment such as %j',
    (url) => {
      expect(problems(atHome({ type: 13, file: { url } }))).toEqual([])
    },
  )
})

test.each(['https://example.test/a.png', 'attachment://a.png'])('a thumbnail and an item may show %j', (url) => {
  expect(problems(atHome({ type: 11, media: { url } }))).toEqual([])
  expect(problems(atHome({ type: 12, items: [{ media: { url } }] }))).toEqual([])
})
