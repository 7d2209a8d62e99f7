import { expect, it } from 'vitest'
import { mouse, openTab } from './playground-page'
import { openPlayground } from './playground-world'

const open = openPlayground()

const deep = (depth: number, inner = '') => `${'['.repeat(depth)}${inner}${']'.repeat(depth)}`

it.each([
  ['all of them closed', deep(5000)],
  ['none of them closed', '['.repeat(5000)],
  ['objects, none of them closed', '{"a":'.repeat(5000)],
  ['around what is no JSON', deep(5000, 'oops')],
])('JSON of thousands of levels throws nothing: %s', async (_, text) => {
  const { page, violations } = await open()
  await openTab(page, 'Components', mouse)
  await page.getByText('It fits the interface.').waitFor()
  await page.getByLabel('JSON').fill(text)
  await page.getByText(/^\d+ to mend:$/).waitFor()
  await page.locator('.issue').first().click()
  expect(await violations()).toEqual([])
})

it('a preview of JSON that can no longer be read says so until it can be read again', async () => {
  const { page } = await open()
  await openTab(page, 'Components', mouse)
  const json = page.getByLabel('JSON')
  const text = await json.inputValue()
  const mark = page.getByText('Preview of the last readable JSON')
  const opacity = () => page.locator('.preview').evaluate((element) => Number(getComputedStyle(element).opacity))
  expect(await mark.count()).toBe(0)
  await json.fill(`${text}!`)
  await mark.waitFor()
  expect(await opacity()).toBeLessThan(1)
  await json.fill(text)
  await mark.waitFor({ state: 'detached' })
  expect(await opacity()).toBe(1)
})

it('a connection that is cut is seen to be gone, comes back, and then nothing says that it was cut', async () => {
  const { page, violations } = await open()
  await page.getByRole('button', { name: 'Use a simulated passkey' }).click()
  const state = page.locator('.session .badge')
  await state.getByText('ready', { exact: true }).waitFor()
  await page.evaluate(() => {
    const seen: (string | null)[] = []
    Object.assign(window, { seen })
    const badges = [document.querySelector('.session .badge'), document.querySelector('[data-person=ada] .badge')]
    for (const badge of badges) {
      const note = () => seen.push(badge?.textContent ?? null)
      if (badge) new MutationObserver(note).observe(badge, { childList: true, characterData: true, subtree: true })
    }
  })
  const said = page.getByText('Ada’s connection was cut. It is resumed by itself.')
  const start = performance.now()
  await page.getByRole('button', { name: 'Cut the connection' }).click()
  await said.waitFor()
  await said.waitFor({ state: 'detached' })
  expect(performance.now() - start).toBeGreaterThan(1_000)
  await state.getByText('ready', { exact: true }).waitFor()
  const seen = await page.evaluate((): string[] => Reflect.get(window, 'seen'))
  expect(seen).toEqual(expect.arrayContaining(['reconnecting', 'catching up', 'live', 'ready']))
  expect(await violations()).toEqual([])
})

it('a widget without games says that there are none', async () => {
  const { page } = await open()
  await page.getByRole('button', { name: 'Use a simulated passkey' }).click()
  await openTab(page, 'Widgets', mouse)
  await page.getByRole('button', { name: 'Remove this game' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('No games yet').waitFor()
})
