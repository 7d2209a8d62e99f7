import { expect, it } from 'vitest'
import { openPlayground } from './playground-harness'
import { mouse, openTab } from './playground-input'

const open = openPlayground()

const deep = (depth: number, inner = '') => `${'['.repeat(depth)}${inner}${']'.repeat(depth)}`

it.each([
  ['closed arrays', deep(5000)],
  ['arrays that are not closed', '['.repeat(5000)],
  ['objects that are not closed', '{"a":'.repeat(5000)],
  ['arrays around invalid JSON', deep(5000, 'oops')],
])('the editor handles thousands of levels of JSON: %s', async (_, text) => {
  const { page, violations } = await open()
  await openTab(page, 'Components', mouse)
  await page.getByText('No errors', { exact: true }).waitFor()
  await page.getByLabel('JSON').fill(text)
  await page.getByText(/^Errors: \d+$/).waitFor()
  await page.locator('.issue').first().click()
  expect(await violations()).toEqual([])
})

it('the preview is marked as outdated while the JSON is invalid', async () => {
  const { page } = await open()
  await openTab(page, 'Components', mouse)
  const json = page.getByLabel('JSON')
  const text = await json.inputValue()
  const mark = page.getByText('Preview of the last valid JSON')
  const opacity = () => page.locator('.preview').evaluate((element) => Number(getComputedStyle(element).opacity))
  expect(await mark.count()).toBe(0)
  await json.fill(`${text}!`)
  await mark.waitFor()
  expect(await opacity()).toBeLessThan(1)
  await json.fill(text)
  await mark.waitFor({ state: 'detached' })
  expect(await opacity()).toBe(1)
})

it('a dropped connection is shown, resumes, and its message disappears', async () => {
  const { page, violations } = await open()
  await page.getByRole('button', { name: 'Use a simulated passkey' }).click()
  const state = page.locator('.session .badge')
  await state.getByText('ready', { exact: true }).waitFor()
  await page.evaluate(() => {
    const seen: (string | null)[] = []
    Object.assign(window, { seen })
    const badges = [document.querySelector('.session .badge'), document.querySelector('[data-person=ada] .badge')]
    for (const badge of badges) {
      const record = () => seen.push(badge?.textContent ?? null)
      if (badge) new MutationObserver(record).observe(badge, { childList: true, characterData: true, subtree: true })
    }
  })
  const message = page.getByText('Ada’s connection was dropped. The client reconnects and resumes.')
  const start = performance.now()
  await page.getByRole('button', { name: 'Drop the connection' }).click()
  await message.waitFor()
  await message.waitFor({ state: 'detached' })
  expect(performance.now() - start).toBeGreaterThan(1_000)
  await state.getByText('ready', { exact: true }).waitFor()
  const seen = await page.evaluate((): string[] => Reflect.get(window, 'seen'))
  expect(seen).toEqual(expect.arrayContaining(['reconnecting', 'catching up', 'live', 'ready']))
  expect(await violations()).toEqual([])
})

it('a widget without games is saved and shown as empty', async () => {
  const { page } = await open()
  await page.getByRole('button', { name: 'Use a simulated passkey' }).click()
  await openTab(page, 'Widgets', mouse)
  await page.getByRole('button', { name: 'Remove this game' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('No games yet').waitFor()
})
