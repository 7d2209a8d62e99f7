import type { Page } from 'playwright-core'
import { container, text, thumbnail } from 'rapport-sdk/components'
import { describe, expect, it } from 'vitest'
import { previewBrowser, show } from './preview-page'

const open = previewBrowser()

/** Whether a reader of the page sees the secret: as its text, and as the element that holds it. */
function seen(page: Page): Promise<{ text: boolean; element: boolean }> {
  return page.evaluate(() => ({
    text: document.body.innerText.includes('secret'),
    element: document.querySelector('details > :not(summary)')?.checkVisibility() ?? true,
  }))
}

const HIDDEN = { text: false, element: false }
const SHOWN = { text: true, element: true }

describe('a spoiler hides what is in it until the keyboard opens it, and when it is closed again', () => {
  it.each([
    ['in a line', text('a ||secret|| b')],
    ['in a heading', text('# a ||secret|| b')],
    ['in subtext', text('-# a ||secret||')],
    ['in a quote', text('> a ||secret||')],
    ['in a list', text('- a\n  - ||secret||')],
    ['over two lines', text('a ||b\nsecret|| c')],
    ['around bold', text('||**secret**||')],
    ['within bold', text('**a ||secret|| b**')],
    ['around a link', text('||[secret](https://example.test)||')],
    ['around code', text('||`secret`||')],
    ['as a container', container(text('secret')).withSpoiler()],
    ['as a file', { type: 13, file: { url: 'attachment://secret' }, spoiler: true }],
  ])('%s', async (_, component) => {
    const page = await open()
    await show(page, [component])
    expect(await seen(page)).toEqual(HIDDEN)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await seen(page)).toEqual(SHOWN)
    await page.keyboard.press('Enter')
    expect(await seen(page)).toEqual(HIDDEN)
    await page.close()
  })

  it('as a picture', async () => {
    const page = await open()
    await show(page, thumbnail('attachment://a.png').withSpoiler())
    const picture = page.locator('img')
    const isSeen = () => picture.evaluate((element) => element.checkVisibility())
    expect(await isSeen()).toBe(false)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await isSeen()).toBe(true)
    await page.keyboard.press('Enter')
    expect(await isSeen()).toBe(false)
    await page.close()
  })
})

it('a spoiler within a line stays within it, closed and open', async () => {
  const page = await open()
  await show(page, text('a ||b|| c'))
  const height = () => page.locator('.rp-text').evaluate((element) => element.getBoundingClientRect().height)
  const closed = await height()
  await page.locator('summary').click()
  expect(await height()).toBe(closed)
  await page.close()
})
