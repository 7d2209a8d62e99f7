import type { Page } from 'playwright-core'
import { separator, text } from 'rapport-sdk/components'
import { toHtml } from 'rapport-sdk/preview'
import { describe, expect, it, test } from 'vitest'
import { receivedMessage } from '../components/json-components'
import { BOXES, boxes, PARTS } from './preview-boxes'
import { announcement, gallery, picture, poll, settings } from './preview-content'
import { previewBrowser, show } from './preview-page'

const open = previewBrowser()

const TREES = { announcement, poll, settings, gallery }

/** Returns the elements that overflow the preview or their own width. Code blocks scroll. */
function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const right = document.querySelector('.rapport-preview')?.getBoundingClientRect().right ?? 0
    const out = [...document.querySelectorAll('.rapport-preview *')].filter((element) => {
      if (element.closest('pre code, option, svg')) return false
      const isCut =
        element.clientWidth > 0 &&
        element.scrollWidth > element.clientWidth + 1 &&
        !element.matches('pre, input, select')
      return isCut || element.getBoundingClientRect().right > right + 0.5
    })
    const page = document.documentElement
    return [
      ...out.map(({ outerHTML }) => outerHTML.slice(0, 200)),
      ...(page.scrollWidth > page.clientWidth ? ['page'] : []),
    ]
  })
}

test.each([
  ['small', true, 8],
  ['large', true, 16],
  ['small', false, 8],
  ['large', false, 16],
] as const)(
  'a %s separator with divider %s leaves the same gap above and below its middle',
  async (size, divider, gap) => {
    const page = await open()
    for (const wrap of [(list: object[]) => list, (list: object[]) => [{ type: 17, components: list }]]) {
      await show(page, wrap([text('A'), separator().withSpacing(size).withDivider(divider), text('B')]))
      const found = await page.evaluate(() => {
        const [above, line, below] = [...document.querySelectorAll('.rp-text, .rp-gap')].map((element) =>
          element.getBoundingClientRect(),
        )
        return above && line && below
          ? { above: line.top - above.bottom, line: line.height, below: below.top - line.bottom }
          : undefined
      })
      expect(found).toEqual(divider ? { above: gap, line: 1, below: gap } : { above: 0, line: 2 * gap, below: 0 })
    }
    expect(await page.locator('hr').count()).toBe(divider ? 1 : 0)
  },
)

describe.each(Object.entries(TREES))('the layout of %s', (name, tree) => {
  it.each(Object.entries(BOXES[name] ?? {}))('is unchanged at %s pixels', async (width, expected) => {
    const page = await open(Number(width))
    await show(page, tree)
    expect(await page.evaluate(boxes, PARTS)).toEqual(expected)
  })
})

/** The picture in each sixth of each row, by number of pictures. */
const GALLERIES: readonly (readonly [count: number, cells: string])[] = [
  [2, 'AAABBB'],
  [3, 'AAAABB AAAACC'],
  [4, 'AAABBB CCCDDD'],
  [5, 'AAABBB CCDDEE'],
  [6, 'AABBCC DDEEFF'],
  [7, 'AAAAAA BBCCDD EEFFGG'],
  [8, 'AAABBB CCDDEE FFGGHH'],
  [9, 'AABBCC DDEEFF GGHHII'],
  [10, 'AAAAAA BBCCDD EEFFGG HHIIJJ'],
]

describe('a gallery', () => {
  const galleryOf = (count: number, item: object = {}) => ({
    type: 12,
    items: Array.from({ length: count }, () => ({ media: { url: 'attachment://a.png' }, ...item })),
  })

  it.each(GALLERIES)('with %i pictures fills the cells %s, and each picture its own', async (count, cells) => {
    for (const item of [{}, { spoiler: true }, { media: { url: 'https://x.test/clip', content_type: 'video/mp4' } }]) {
      const page = await open()
      await show(page, [galleryOf(count, item)])
      const found = await page.evaluate(() => {
        const gallery = document.querySelector('.rp-gallery')?.getBoundingClientRect()
        const pictures = [...document.querySelectorAll('.rp-picture')]
        const boxes = pictures.map((picture) => picture.getBoundingClientRect())
        if (!gallery) return { rows: [], unfilled: ['no gallery'] }
        const tops = [...new Set(boxes.map(({ top }) => Math.round(top)))].sort((one, other) => one - other)
        const rows = tops.map((top) => {
          return Array.from({ length: 6 }, (_, column) => {
            const x = gallery.left + ((column + 0.5) * gallery.width) / 6
            const at = boxes.findIndex(
              (box) => box.left < x && x < box.right && box.top < top + 9 && top + 9 < box.bottom,
            )
            return at < 0 ? '-' : String.fromCharCode(65 + at)
          }).join('')
        })
        const unfilled = pictures.filter((picture, at) => {
          const content = picture.querySelector('img, summary, .rp-box')?.getBoundingClientRect()
          const box = boxes[at]
          return !box || content?.width !== box.width || Math.abs(content.height - box.height) > 0.5
        })
        return { rows, unfilled: unfilled.map(({ outerHTML }) => outerHTML) }
      })
      expect(found).toEqual({ rows: cells.split(' '), unfilled: [] })
    }
  })

  it.each([
    ['wide', 480, 300],
    ['tall', 300, 480],
  ] as const)('does not crop or enlarge its only picture: %s', async (shape, width, height) => {
    const page = await open()
    await page.setContent(toHtml([galleryOf(1)], { attachmentUrl: () => picture(0, shape) }))
    await page.locator('img').evaluate(async (image) => {
      if (image instanceof HTMLImageElement) await image.decode()
    })
    const size = await page.locator('img').boundingBox()
    const scale = Math.min(1, 350 / height)
    expect(size?.width).toBeCloseTo(width * scale, 1)
    expect(size?.height).toBeCloseTo(height * scale, 1)
  })

  it.each([1, 3])(
    'keeps the place of a picture that cannot be loaded, with its description, among %i',
    async (count) => {
      const page = await open()
      // Pages have no network.
      const media = { url: 'http://127.0.0.1/missing.png' }
      const items = Array.from({ length: count }, (_, at) => ({ media, description: `Picture ${at}` }))
      await page.setContent(toHtml([{ type: 12, items }]))
      for (const { description } of items) {
        const image = page.getByRole('img', { name: description })
        const isFailed = await image.evaluate((image) =>
          image instanceof HTMLImageElement
            ? image.decode().then(
                () => false,
                () => true,
              )
            : false,
        )
        expect(isFailed).toBe(true)
        const box = await image.boundingBox()
        expect(box?.width).toBeGreaterThan(150)
        expect(box?.height).toBeGreaterThan(150)
      }
    },
  )

  it('a picture that is a spoiler takes the whole cell when it is open', async () => {
    const page = await open()
    await page.setContent(toHtml([galleryOf(2, { spoiler: true })], { attachmentUrl: () => picture(0, 'tall') }))
    await page.locator('summary').first().click()
    const cell = await page.locator('.rp-picture').first().boundingBox()
    expect(await page.locator('img').first().boundingBox()).toEqual(cell)
    expect(cell?.width).toBe(cell?.height)
  })
})

it('a select of several values is as tall as one of one value, until it is opened', async () => {
  const page = await open(480)
  const options = ['a', 'b'].map((value) => ({ label: value, value }))
  const select = (max_values: number) => ({
    type: 1,
    components: [{ type: 3, placeholder: 'Pick', options, max_values }],
  })
  await show(page, [select(1), select(2)])
  const heights = () =>
    page.locator('.rp-control').evaluateAll((all) => all.map((control) => control.getBoundingClientRect().height))
  const [one = 0, several] = await heights()
  expect(Math.abs((several ?? 0) - one)).toBeLessThan(1)
  await page.locator('summary').press('Enter')
  expect((await heights())[1]).toBeGreaterThan(one + 20)
  await page.getByLabel('b', { exact: true }).check()
})

it('a placeholder is only as tall as its text, even without a doctype', async () => {
  const page = await open(360)
  await page.setContent(toHtml([{ type: 16 }, { type: 99 }]))
  const heights = await page.evaluate(() => {
    return [...document.querySelectorAll('.rp-box')].map((element) => element.getBoundingClientRect().height)
  })
  expect(heights).toHaveLength(2)
  expect(Math.max(...heights)).toBeLessThan(60)
})

const long = 'x'.repeat(80)
const crowded = [
  {
    type: 10,
    content: `# ${long}\n> ${long}\n- ${long}\n  - ${long}\n\`${long}\`\n\`\`\`\n${long}${long}\n\`\`\`\n||${long}||`,
  },
  {
    type: 1,
    components: [1, 2, 3, 4, 5].map((style) => ({ type: 2, style, label: long, url: 'https://example.test' })),
  },
  { type: 1, components: [{ type: 3, placeholder: long, options: [{ label: long, value: 'a', description: long }] }] },
  { type: 1, components: [{ type: 3, max_values: 2, options: [{ label: long, value: 'a', description: long }] }] },
  { type: 9, components: [{ type: 10, content: long }], accessory: { type: 2, style: 1, label: long } },
  {
    type: 9,
    components: [{ type: 10, content: long }],
    accessory: { type: 11, media: { url: `attachment://${long}` } },
  },
  { type: 12, items: Array.from({ length: 10 }, () => ({ media: { url: long }, spoiler: true })) },
  { type: 13, file: { url: `attachment://${long}` }, name: long, size: 1e9 },
  { type: 18, label: long, description: long, component: { type: 4, style: 2, value: long } },
  { type: 18, label: long, component: { type: 21, options: [{ label: long, value: 'a', description: long }] } },
  { type: 18, label: long, component: { type: 19 } },
  { type: 18, label: long, component: { type: 23 } },
]

describe.each([320, 360, 1280])('at %i pixels', (width) => {
  it.each([
    ['the announcement', announcement],
    ['the poll', poll],
    ['the modal', settings],
    ['the gallery', gallery],
    ['a received message', receivedMessage()],
    ['what is as long as it may be', { components: [{ type: 17, components: crowded }, ...crowded] }],
    ['a modal of it', { title: long, components: crowded }],
  ])('nothing sticks out of %s', async (_, tree) => {
    const page = await open(width)
    await show(page, tree)
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true
    })
    expect(await overflowing(page)).toEqual([])
  })
})

/** Text without a possible line break, which renders as one very wide or tall glyph. */
const MARKS = `Z${'\u0301\u0302\u0303\u0489'.repeat(200)}`
const UNBREAKABLE = [
  ['combining marks', MARKS],
  ['a label with the maximum of combining marks', `Z${'\u0489'.repeat(79)}`],
  ['clusters', 'क्'.repeat(500)],
  ['joined emoji', '👩\u200d'.repeat(300)],
] as const

describe.each([360, 1280])('unbreakable text at %i pixels', (width) => {
  it.each(UNBREAKABLE)('is not drawn outside of a preview of: %s', async (_, long) => {
    const page = await open(width)
    const option = { label: long, value: 'a', description: long }
    const components = [
      { type: 10, content: `${long}\n# ${long}\n> ${long}\n- ${long}\n||${long}||` },
      { type: 1, components: [{ type: 2, style: 1, label: long }] },
      { type: 1, components: [{ type: 3, placeholder: long, options: [option] }] },
      { type: 13, file: { url: 'attachment://a' }, name: long },
      { type: 17, components: [{ type: 10, content: long }] },
      { type: 18, label: long, description: long, component: { type: 4, value: long } },
      { type: 18, label: long, component: { type: 21, options: [option] } },
    ]
    await show(page, { title: long, components })
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true
      document.body.style.paddingTop = '100px'
    })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    // The page above and next to the preview looks as if the preview were hidden.
    const above = { x: 0, y: 0, width, height: 100 }
    const right = { x: 600, y: 100, width: width - 600, height: 700 }
    const clips = width > 600 ? [above, right] : [above]
    const drawn = []
    for (const clip of clips) drawn.push(await page.screenshot({ clip }))
    await page.locator('.rapport-preview').evaluate((element) => element.classList.add('blank'))
    await page.addStyleTag({ content: '.blank, .blank * { visibility: hidden }' })
    for (const [at, clip] of clips.entries()) expect(drawn[at]?.equals(await page.screenshot({ clip }))).toBe(true)
  })
})

it('a right-to-left override in a link does not affect the following text', async () => {
  const page = await open()
  await show(page, text('[a\u202e](https://example.test) before after'))
  const [before, after] = await page.evaluate(() => {
    const rest = document.querySelector('a')?.nextSibling
    if (!rest) return []
    return [1, 8].map((start) => {
      const range = document.createRange()
      range.setStart(rest, start)
      range.setEnd(rest, start + 5)
      return range.getBoundingClientRect().left
    })
  })
  expect(before).toBeLessThan(after ?? 0)
})

it('bold text in an embed stays in its line, and the name of a field is above its value', async () => {
  const page = await open()
  await show(page, { embeds: [{ description: 'a **b** c', fields: [{ name: 'd', value: 'e' }] }] })
  const displays = await page.locator('strong').evaluateAll((all) => all.map((each) => getComputedStyle(each).display))
  expect(displays).toEqual(['inline', 'block'])
})
