import { text } from 'rapport-sdk/components'
import { expect, it } from 'vitest'
import { previewBrowser, show } from './preview-page'

const open = previewBrowser()

it('a link that ends in an open mark turns nothing that follows it', async () => {
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
  await page.close()
})
