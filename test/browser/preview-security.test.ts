import fc from 'fast-check'
import type { Page } from 'playwright-core'
import { container, messageV2, separator, text } from 'rapport-sdk/components'
import { previewCss, toHtml } from 'rapport-sdk/preview'
import { expect, it } from 'vitest'
import { hostileTree, PAYLOADS } from '../preview/hostile-input'
import { previewBrowser } from './preview-page'

const open = previewBrowser()

const TREES = 3000
const AT_ONCE = 100
const ELEMENTS =
  'a blockquote br button code details div em fieldset h1 h2 h3 hr img input label legend li ol option path pre rect s section select small span strong style summary svg textarea u ul'
const ATTRIBUTES =
  'alt aria-describedby aria-hidden aria-label checked class d data-theme dir disabled fill for form height href id loading maxlength minlength multiple name open placeholder referrerpolicy rel required rows selected size src start tabindex target type value viewBox width'

/** What a page does that a preview must not: scripts, dialogs, complaints, and requests for anything but pictures. */
async function watch(page: Page): Promise<string[]> {
  const events: string[] = []
  page.on('dialog', (dialog) => {
    events.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('pageerror', (error) => events.push(`error ${error.message}`))
  page.on('popup', () => events.push('popup'))
  page.on('request', (request) => {
    const isPicture = request.resourceType() === 'image' && /^https?:\/\/(?!evil\.test)/.test(request.url())
    if (!isPicture) events.push(`${request.resourceType()} ${request.url()}`)
  })
  page.on('framenavigated', (frame) => {
    if (frame.url() !== 'about:blank') events.push(`navigated to ${frame.url()}`)
  })
  return events
}

/** Puts HTML into a page, twice, as a parser may read what it has written in another way; gives what may not be there. */
function strangersIn(page: Page, previews: readonly string[]): Promise<string[]> {
  return page.evaluate(
    ([html, elements, attributes]) => {
      const isElement = new Set(elements.split(' '))
      const isAttribute = new Set(attributes.split(' '))
      const root = document.createElement('div')
      document.body.replaceChildren(root)
      const strangers: string[] = []
      for (let round = 0; round < 2; round++) {
        root.innerHTML = round === 0 ? html : root.innerHTML
        for (const element of root.querySelectorAll('*')) {
          if (element instanceof HTMLDetailsElement) element.open = true
          if (!isElement.has(element.localName)) strangers.push(element.outerHTML)
          for (const { name, value } of element.attributes) {
            if (!isAttribute.has(name)) strangers.push(`${element.localName} ${name}=${value}`)
            if (name === 'href' && !/^https?:/.test(new URL(value, 'bad://a').protocol)) strangers.push(value)
          }
          // A style of a preview has no child but its text, and a preview ends where it began.
          if (element.localName === 'style' && element.parentElement?.className !== 'rapport-preview')
            strangers.push('style')
        }
        for (const child of root.children) if (child.className !== 'rapport-preview') strangers.push(child.outerHTML)
      }
      if ('hacked' in window) strangers.push('a script has run')
      return strangers
    },
    [previews.join(''), ELEMENTS, ATTRIBUTES] as const,
  )
}

it('runs no script and lets nothing strange into the page, whatever the tree', { timeout: 240_000 }, async () => {
  const page = await open()
  await page.setContent('<!doctype html><title>Trees</title>')
  const events = await watch(page)
  const trees = fc.sample(hostileTree, { seed: Number(process.env.FUZZ_SEED ?? 20260501), numRuns: TREES })
  for (let at = 0; at < TREES; at += AT_ONCE) {
    const some = trees
      .slice(at, at + AT_ONCE)
      .map((tree) => toHtml(tree, { css: at % 500 === 0, attachmentUrl: String }))
    expect(await strangersIn(page, some)).toEqual([])
  }
  expect(events).toEqual([])
  await page.close()
})

it('runs no script while a page that has a preview in it is parsed', async () => {
  const page = await open()
  const events = await watch(page)
  const trees = PAYLOADS.flatMap((payload) => [
    { type: 10, content: payload },
    { type: 2, style: 5, label: payload, url: payload },
    { type: 11, media: { url: payload }, description: payload },
    { type: 18, label: payload, component: { type: 4, style: 2, value: payload, placeholder: payload } },
    { title: payload, components: [{ type: 3, options: [{ label: payload, value: payload, description: payload }] }] },
  ])
  await page.setContent(`<!doctype html><title>T</title>${trees.map((tree) => toHtml(tree)).join('')}<p id="end">`)
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  expect(await page.locator('.rapport-preview').count()).toBe(trees.length)
  expect(await page.evaluate(() => document.getElementById('end')?.parentElement?.localName)).toBe('body')
  expect(events).toEqual([])
  await page.close()
})

it('needs no style attribute and no style element: a strict policy changes nothing', async () => {
  const page = await open()
  const message = messageV2(container(text('A'), separator().withSpacing('large'), text('B')).withAccentColor(0x3366ff))
  const policy = "default-src 'none'; script-src 'none'; style-src 'self'"
  await page.setContent(
    `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}">${toHtml(message, { css: false })}`,
  )
  const found = await page.evaluate((css) => {
    const violations: string[] = []
    document.addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective))
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    document.adoptedStyleSheets.push(sheet)
    const bar = document.querySelector('rect')
    const gap = document.querySelector('hr')?.getBoundingClientRect()
    return { violations, fill: bar && getComputedStyle(bar).fill, gap: gap?.height }
  }, previewCss)
  expect(found).toEqual({ violations: [], fill: 'rgb(51, 102, 255)', gap: 16 })
  await page.close()
})
