import { describe, expect, it } from 'vitest'
import { openPlayground } from './playground-harness'
import { confirm } from './playground-states'

const open = openPlayground()

describe('the URL', () => {
  it.each(['%', '%E0%A4%A/x', 'components/%zz'])(
    'a malformed fragment, #%s, opens a page that works',
    async (route) => {
      const { page, violations } = await open(route)
      await page.getByRole('link', { name: 'Sessions', exact: true }).click()
      await page.getByRole('heading', { name: 'Ada’s sessions' }).waitFor()
      await page.goBack()
      await page.getByRole('heading', { name: 'Ada’s sessions' }).waitFor({ state: 'hidden' })
      expect(await violations()).toEqual([])
    },
  )

  it('the ten calls of the start page are counted to the end if the user goes Back during their prompt', async () => {
    const { page } = await open('sign-in')
    await page.getByRole('link', { name: 'Start' }).click()
    await page.getByRole('button', { name: 'Make ten calls' }).click()
    await page.getByRole('dialog').waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'With a password' }).waitFor()
    await confirm(page)
    await page.goForward()
    await page.getByText('One prompt.').waitFor()
    expect(await page.locator('.cell[data-state=done]').count()).toBe(10)
  })
})

describe('the examples of components', () => {
  it('they are shown with the user’s edits by Back and Forward, and loaded again by a click', async () => {
    const { page, violations } = await open('components/poll')
    const json = page.getByLabel('JSON')
    const original = await json.inputValue()
    await json.fill(original.replace('When do we meet?', 'Where do we meet?'))
    await page.getByRole('link', { name: 'A settings modal' }).click()
    await page.getByRole('heading', { name: 'Server settings' }).waitFor()
    await json.fill((await json.inputValue()).replace('Server settings', 'My settings'))
    await page.getByRole('link', { name: 'Start' }).click()

    await page.goBack()
    await page.getByRole('heading', { name: 'My settings' }).waitFor()
    await page.goBack()
    await page.getByText('Where do we meet?', { exact: true }).waitFor()
    const current = page.getByRole('navigation', { name: 'Examples' }).locator('[aria-current]')
    expect(await current.textContent()).toBe('A poll')
    await page.goForward()
    await page.getByRole('heading', { name: 'My settings' }).waitFor()

    await page.getByRole('link', { name: 'A settings modal' }).click()
    await page.getByRole('heading', { name: 'Server settings' }).waitFor()
    await page.getByRole('link', { name: 'A poll', exact: true }).click()
    await page.getByText('When do we meet?', { exact: true }).waitFor()
    expect(await json.inputValue()).toBe(original)
    expect(await violations()).toEqual([])
  })

  it('keep the edits that are written to the URL while another one is being opened', async () => {
    const { page } = await open('components/poll')
    const opened = await page.evaluate(async () => {
      // The timer of the router, which may fire between the change of the URL and its event.
      const timers: (() => void)[] = []
      const own = window.setTimeout
      Object.assign(window, { setTimeout: (run: () => void) => timers.push(run) })
      const area = document.querySelector('textarea')
      if (area) area.value = area.value.replace('When do we meet?', 'Where do we meet?')
      area?.dispatchEvent(new InputEvent('input', { bubbles: true }))
      Object.assign(window, { setTimeout: own })
      const changed = new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }))
      location.hash = 'components/settings'
      for (const run of timers) run()
      await changed
      return { hash: location.hash, timers: timers.length }
    })
    expect(opened).toEqual({ hash: '#components/settings', timers: 1 })
    await page.getByRole('heading', { name: 'Server settings' }).waitFor()
  })
})
