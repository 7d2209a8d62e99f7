import { text } from 'rapport-sdk/components'
import { toHtml } from 'rapport-sdk/preview'
import { expect, it } from 'vitest'
import { previewBrowser } from './preview-page'

const open = previewBrowser()

it('where trusted types are required, a policy that the page allows puts a preview in, and a string does not', async () => {
  const page = await open()
  const policy = "require-trusted-types-for 'script'; trusted-types preview"
  await page.setContent(`<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}"><main></main>`)
  const found = await page.evaluate(
    (html) => {
      const main = document.querySelector('main')
      const shown: (string | undefined)[] = []
      const put = (value: unknown) => {
        try {
          if (main) Reflect.set(main, 'innerHTML', value)
          shown.push(main?.innerText)
        } catch (error) {
          shown.push(error instanceof Error ? error.name : 'no error')
        }
      }
      put(html)
      const factory: unknown = Reflect.get(window, 'trustedTypes')
      if (typeof factory !== 'object' || factory === null) return shown
      const made = Reflect.apply(Reflect.get(factory, 'createPolicy'), factory, [
        'preview',
        { createHTML: (own: string) => own },
      ])
      if (typeof made === 'object' && made !== null) put(Reflect.apply(Reflect.get(made, 'createHTML'), made, [html]))
      return shown
    },
    toHtml([text('Ready?')]),
  )
  expect(found).toEqual(['TypeError', 'Ready?'])
  await page.close()
})
