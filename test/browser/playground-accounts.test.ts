import { expect, it } from 'vitest'
import { openPlayground } from './playground-harness'
import { confirm, journalRows } from './playground-states'

const open = openPlayground()

it('the page names the account that is signed in, and mentions the dialog only if there was one', async () => {
  const { page, violations } = await open('sign-in')
  const login = page.getByLabel('E-mail address').first()
  const submit = page.getByRole('button', { name: 'Sign in', exact: true })
  const account = page.locator('.account .who')
  await login.fill('grace@example.test')
  await submit.click()
  await page.getByText('Signed in. This account has no second factor.').waitFor()
  expect(await account.textContent()).toBe('Grace')
  await page.getByRole('link', { name: 'Sessions', exact: true }).click()
  await page.getByRole('heading', { name: 'Grace’s sessions' }).waitFor()
  await page.getByRole('link', { name: 'Link to Grace’s sessions' }).waitFor()
  await page.getByRole('button', { name: 'Sign in on another device' }).click()
  await page.getByText('Grace signed in on another device.').waitFor()
  // This page, the other device, and the simulated Grace of the friends page.
  expect(await page.locator('.rows > li').filter({ visible: true }).count()).toBe(3)
  expect(await journalRows(page, 'GET /auth/sessions').last().locator('.who').textContent()).toContain('Grace')
  await page.getByRole('link', { name: 'Widgets', exact: true }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'On Grace’s profile' }).waitFor()
  await page.getByText('Saved to the profile.').waitFor()

  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('link', { name: 'Sign in', exact: true }).click()
  await login.fill('ada@example.test')
  await submit.click()
  await confirm(page)
  await page.getByText('The dialog and the second call are the work of the client.').waitFor()
  expect(await account.textContent()).toBe('Ada')
  await page.getByRole('link', { name: 'Widgets', exact: true }).click()
  await page.getByRole('heading', { name: 'On Ada’s profile' }).waitFor()
  await page.getByText('No widgets yet').waitFor()
  expect(await violations()).toEqual([])
})

it('a problem that the service reports for several fields is shown once', async () => {
  const { page } = await open('sign-in')
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  const status = page.getByRole('status').filter({ hasText: 'invalid' })
  await status.waitFor()
  expect(await status.textContent()).toBe('Login or password is invalid.')
})
