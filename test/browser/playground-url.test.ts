import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openPlayground } from './playground-harness'
import { makeTenCalls, signIn } from './playground-states'

const open = openPlayground()

const json = (page: Page) => page.getByLabel('JSON')

describe('the JSON of components in the URL', () => {
  it('survives a reload, valid or broken, and a link to it opens it in another tab', async () => {
    const { page, violations } = await open('components/poll')
    const original = await json(page).inputValue()
    expect(new URL(page.url()).hash).toBe('#components/poll')
    const edited = original.replace('When do we meet?', 'Where & when = “hier”? #1')
    for (const text of [edited, `${edited}\n`, edited.slice(0, 100), '{"flags":32768,"components":[]}', '']) {
      await json(page).fill(text)
      await page.waitForURL(/#components\/poll\?(?:json|text)=/)
      await page.reload()
      await json(page).waitFor()
      expect(await json(page).inputValue()).toBe(text)
    }
    await json(page).fill(edited)
    await page.waitForURL(/\?json=/)
    const other = await open(new URL(page.url()).hash.slice(1))
    expect(await json(other.page).inputValue()).toBe(edited)
    await other.page.getByText('Where & when = “hier”? #1', { exact: true }).waitFor()
    await json(page).fill(original)
    await page.waitForURL(/#components\/poll$/)
    expect([...(await violations()), ...(await other.violations())]).toEqual([])
  })

  it('stays when another card or the page itself is opened, and is left out if it has a secret', async () => {
    const { page } = await open('components/settings')
    await json(page).fill('{ "title": "Mine" }')
    await page.getByRole('link', { name: 'Link to Code' }).click()
    await page.waitForURL(/#components\/code\?text=/)
    await page.getByRole('link', { name: 'Start' }).click()
    await page.getByRole('link', { name: 'Components', exact: true }).click()
    await page.waitForURL(/#components\?text=/)
    await page.reload()
    expect(await json(page).inputValue()).toBe('{ "title": "Mine" }')
    for (const secret of ['{ "title": "Mine", "token": "abc" }', '{ "password": "abc"']) {
      await json(page).fill(secret)
      await page.waitForURL(/#components$/)
      expect(await json(page).inputValue()).toBe(secret)
    }
  })

  it('it is said to be broken in the editor, the preview and the code, also after a reload', async () => {
    const { page, violations } = await open('components/poll')
    await json(page).fill('{\n  "flags": 32768,\n  oops\n}')
    const said = (what: string) => page.getByRole('status').getByText(`The JSON is broken from line 3 on. ${what}`)
    const panes = ['Preview', 'Code'].map((name) => page.getByRole('region', { name, exact: true }))
    for (const pane of panes) await pane.getByText('This is of the last valid JSON.').waitFor()
    expect(await said('This is of the last valid JSON.').count()).toBe(2)
    await page.getByRole('button', { name: 'Line 3 Invalid JSON from here on' }).waitFor()
    expect(await json(page).getAttribute('aria-invalid')).toBe('true')
    expect(await page.locator('.stale').count()).toBe(2)
    await page.reload()
    await said('There is nothing to show.').first().waitFor()
    expect(await said('There is nothing to show.').count()).toBe(2)
    await json(page).fill('{ "flags": 32768, "components": [] }')
    await page.getByText('messageV2()').waitFor()
    expect(await page.locator('.stale').count()).toBe(0)
    expect(await page.getByText('The JSON is broken').count()).toBe(0)
    expect(await violations()).toEqual([])
  })
})

describe('the forms of other pages', () => {
  it.each([
    ['sign-in', 'E-mail address', 'someone@example.test', /#sign-in\?login=someone%40example\.test$/],
    ['friends', 'Friend request to grace', 'Hello & welcome', /#friends\?note-to-grace=Hello\+%26\+welcome$/],
  ])('what is entered on the page %s survives a reload, and a password does not', async (route, label, text, url) => {
    const { page } = await open(route)
    if (route === 'friends') await signIn(page)
    const field = page.getByLabel(label).first()
    await field.fill(text)
    if (route === 'sign-in') await page.getByLabel('Password', { exact: true }).first().fill('hunter2 hunter2')
    await page.waitForURL(url)
    await page.reload()
    expect(await field.inputValue()).toBe(text)
    expect(page.url()).not.toContain('hunter2')
  })

  it('the widget that is edited, with its games, survives a reload, and a link opens it in another tab', async () => {
    const { page, violations } = await open('widgets')
    await signIn(page)
    const code = page.locator('.code-panel pre').filter({ visible: true })
    const initial = await code.textContent()
    await page.getByLabel('Widget', { exact: true }).selectOption('In rotation')
    await page.getByLabel('Comment').fill('Since 1843 & on')
    for (const name of ['Add a game', 'Add a game']) await page.getByRole('button', { name }).click()
    await page.getByLabel('expert').last().check()
    await page.getByRole('button', { name: 'Remove this game' }).nth(1).click()
    const edited = (await code.textContent()) ?? ''
    for (const part of ['current_games', 'Since 1843 & on', "['expert']"]) expect(edited).toContain(part)
    await page.waitForURL(
      /#widgets\?games=2&widget=current_games&comment-1=Since\+1843\+%26\+on&game-2=\d+&expert-2=true$/,
    )
    await page.reload()
    await code.getByText('Since 1843').waitFor()
    expect(await code.textContent()).toBe(edited)
    expect(await page.getByRole('group', { name: 'Games' }).getByLabel('Game', { exact: true }).count()).toBe(2)
    const other = await open(new URL(page.url()).hash.slice(1))
    expect(await other.page.getByLabel('Comment').first().inputValue()).toBe('Since 1843 & on')
    await signIn(page)
    await page.getByRole('button', { name: 'Remove this game' }).last().click()
    await page.getByLabel('Comment').fill('')
    await page.getByLabel('Widget', { exact: true }).selectOption('Favourite game')
    await page.waitForURL(/#widgets$/)
    expect(await code.textContent()).toBe(initial)
    await page.getByRole('button', { name: 'Remove this game' }).click()
    await page.waitForURL(/#widgets\?games=0$/)
    await page.reload()
    await code.getByText('games: []').waitFor()
    expect([...(await violations()), ...(await other.violations())]).toEqual([])
  })

  it('the widgets of the profile survive a reload, and saving another one keeps them', async () => {
    const { page } = await open('widgets')
    await signIn(page)
    const saved = page.getByText('Chess · Since 1843 · expert', { exact: true })
    await page.getByLabel('Comment').fill('Since 1843')
    await page.getByLabel('expert').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await saved.waitFor()
    await page.reload()
    await signIn(page)
    await saved.waitFor()
    await page.getByLabel('Widget', { exact: true }).selectOption('In rotation')
    await page.getByLabel('Comment').fill('Every evening')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Chess · Every evening · expert', { exact: true }).waitFor()
    expect(await saved.count()).toBe(1)
  })

  it('saving a widget keeps those of kinds that the form lacks', async () => {
    const { page } = await open('calls/widgets.replace')
    await signIn(page)
    const others = [
      { type: 'played_games', games: [{ game_id: '7' }] },
      { type: 'application', application_id: '8' },
    ]
    await page.getByLabel(/^widgets/).fill(JSON.stringify(others.map((data) => ({ data }))))
    await page.getByRole('button', { name: 'Send', exact: true }).filter({ visible: true }).first().click()
    await page.getByRole('link', { name: 'Widgets', exact: true }).click()
    await page.getByText('application', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved to the profile.').waitFor()
    for (const text of ['played_games', '7', 'application', '8', 'Chess'])
      expect(await page.locator('.rows li').getByText(text, { exact: true }).count(), text).toBe(1)
  })

  it('a link to widgets with names and values that no form has opens the form that is nearest to it', async () => {
    const { page, violations } = await open('widgets?games=1e9&widget=oops&game-1=oops&expert-1=oops&else=1')
    expect(await page.getByLabel('Widget', { exact: true }).inputValue()).toBe('favorite_games')
    expect(await page.getByLabel('Game', { exact: true }).first().inputValue()).not.toBe('')
    expect(await page.getByLabel('expert').first().isChecked()).toBe(false)
    expect(await page.getByLabel('Game', { exact: true }).count()).toBe(100)
    expect(await violations()).toEqual([])
  })
})

it('the header and the first step say the same of who is signed in', async () => {
  const { page } = await open('start')
  const header = page.locator('.account .who')
  const step = page.locator('.steps li').first()
  expect(await header.textContent()).toBe('Signed out')
  expect(await step.textContent()).toContain('You are signed out. This signs Ada in, here and on ten other devices')
  await makeTenCalls(page)
  expect(await header.textContent()).toBe('Ada')
  expect(await step.textContent()).toContain('Ada is signed in here.')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await step.getByText('You are signed out.').waitFor()
  await page.getByRole('link', { name: 'Sign in', exact: true }).click()
  await page.getByLabel('E-mail address').first().fill('grace@example.test')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('This account has no second factor.').waitFor()
  await page.getByRole('link', { name: 'Start' }).click()
  expect(await header.textContent()).toBe('Grace')
  await step.getByText('Grace is signed in here. This signs Ada in instead').waitFor()
})
