import type { Page } from 'playwright-core'
import { toHtml } from 'rapport-sdk/preview'
import { expect, it } from 'vitest'
import { settings } from './preview-content'
import { previewBrowser } from './preview-page'

const open = previewBrowser()

const option = (value: string) => ({ label: value, value, default: value === 'a' })
const radios = { type: 18, label: 'One', component: { type: 21, options: [option('a'), option('b')] } }
const everything = [
  settings,
  radios,
  { type: 18, label: 'More', component: { type: 22, options: [option('a')] } },
  { type: 18, label: 'Text', component: { type: 4, style: 2, value: 'text' } },
  { type: 18, label: 'File', component: { type: 19, required: true } },
  { type: 18, label: 'Tick', component: { type: 23, default: true } },
  { type: 1, components: [{ type: 3, options: [option('a')] }] },
]

/** Shows previews inside a form of an app. */
async function showInForm(page: Page): Promise<void> {
  const previews = everything.map((value, at) => toHtml(value, { idPrefix: `p${at}` }))
  await page.setContent(`<!doctype html><form><input name="own" value="1">${previews.join('')}</form>`)
}

it('the fields of a preview inside a form are neither submitted nor validated with it', async () => {
  const page = await open()
  await showInForm(page)
  const found = await page.evaluate(() => {
    const form = document.querySelector('form')
    if (form === null) return undefined
    const owned = [...form.querySelectorAll('input, select, textarea')].filter((field) => Reflect.get(field, 'form'))
    return {
      owned: owned.map((field) => field.getAttribute('name')),
      sent: [...new FormData(form)],
      fields: form.querySelectorAll('input, select, textarea').length,
      valid: form.checkValidity(),
    }
  })
  expect(found).toMatchObject({ owned: ['own'], sent: [['own', '1']], valid: true })
  expect(found?.fields).toBeGreaterThan(10)
})

it('Enter in a text input of a preview does not submit the form around it', async () => {
  const page = await open()
  await showInForm(page)
  await page.evaluate(() => {
    document.querySelector('form')?.addEventListener('submit', (event) => {
      event.preventDefault()
      document.title = 'submitted'
    })
  })
  await page.locator('.rp-control[type=text]').first().press('Enter')
  expect(await page.title()).toBe('')
  await page.locator('[name=own]').press('Enter')
  expect(await page.title()).toBe('submitted')
})

it('the radio buttons of a preview are a group, and two previews with different prefixes have two groups', async () => {
  const page = await open()
  await page.setContent(`<form>${toHtml([radios], { idPrefix: 'x' })}${toHtml([radios], { idPrefix: 'y' })}</form>`)
  const checked = () =>
    page
      .locator('[type=radio]')
      .evaluateAll((all) => all.map((radio) => radio instanceof HTMLInputElement && radio.checked))
  expect(await checked()).toEqual([true, false, true, false])
  await page.locator('[type=radio]').nth(1).check()
  expect(await checked()).toEqual([false, true, true, false])
})
