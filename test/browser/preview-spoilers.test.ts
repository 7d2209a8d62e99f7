import type { Page } from 'playwright-core'
import { container, text, thumbnail } from 'rapport-sdk/components'
import { expect, it } from 'vitest'
import { previewBrowser, show } from './preview-page'

const open = previewBrowser()

/** Returns whether the secret is visible: its text, and the element that contains it. */
function visibility(page: Page): Promise<{ text: boolean; element: boolean }> {
  return page.evaluate(() => ({
    text: document.body.innerText.includes('secret'),
    element: document.querySelector('details > :not(summary)')?.checkVisibility() ?? true,
  }))
}

const HIDDEN = { text: false, element: false }
const SHOWN = { text: true, element: true }

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
])('a spoiler is hidden until the keyboard opens it, and when it is closed again: %s', async (_, component) => {
  const page = await open()
  await show(page, [component])
  expect(await visibility(page)).toEqual(HIDDEN)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  expect(await visibility(page)).toEqual(SHOWN)
  await page.keyboard.press('Enter')
  expect(await visibility(page)).toEqual(HIDDEN)
})

it('a spoiler image is hidden until the keyboard opens it, and when it is closed again', async () => {
  const page = await open()
  await show(page, thumbnail('attachment://a.png').withSpoiler())
  const image = page.locator('img')
  const isVisible = () => image.evaluate((element) => element.checkVisibility())
  expect(await isVisible()).toBe(false)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  expect(await isVisible()).toBe(true)
  await page.keyboard.press('Enter')
  expect(await isVisible()).toBe(false)
})

it('an inline spoiler does not change the height of its line, open or closed', async () => {
  const page = await open()
  await show(page, text('a ||b|| c'))
  const height = () => page.locator('.rp-text').evaluate((element) => element.getBoundingClientRect().height)
  const closed = await height()
  await page.locator('summary').click()
  expect(await height()).toBe(closed)
})
