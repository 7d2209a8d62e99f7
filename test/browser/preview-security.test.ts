import fc from 'fast-check'
import type { Page } from 'playwright-core'
import { container, messageV2, separator, text } from 'rapport-sdk/components'
import { previewCss, toHtml } from 'rapport-sdk/preview'
import { expect, it } from 'vitest'
import { hostileTree, PAYLOADS } from '../preview/hostile-input'
import { previewBrowser } from './preview-page'

const open = previewBrowser()

/** `scripts/fuzz.ts` draws thousands, by another seed each night. */
const TREES = Number(process.env.FUZZ_RUNS ?? 600)
const AT_ONCE = 100
const ELEMENTS =
  'a blockquote br button code details div em fieldset h1 h2 h3 hr img input label legend li ol option path pre rect s section select small span strong style summary svg textarea time u ul'
const ATTRIBUTES =
  'alt aria-describedby aria-hidden aria-label checked class d data-theme datetime dir disabled fill for form height href id loading maxlength minlength multiple name open placeholder referrerpolicy rel required rows selected size src start tabindex target title type value viewBox width'

/** Records what a preview must not cause: dialogs, exceptions, popups, navigation, and requests except for images. */
async function recordEvents(page: Page): Promise<string[]> {
  const events: string[] = []
  page.on('dialog', (dialog) => {
    events.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('pageerror', (error) => events.push(`error ${error.message}`))
  page.on('popup', () => events.push('popup'))
  page.on('request', (request) => {
    const isImage = request.resourceType() === 'image' && /^https?:\/\/(?!evil\.test)/.test(request.url())
    if (!isImage) events.push(`${request.resourceType()} ${request.url()}`)
  })
  page.on('framenavigated', (frame) => {
    if (frame.url() !== 'about:blank') events.push(`navigated to ${frame.url()}`)
  })
  return events
}

/** Inserts HTML into a page, also after a serialization, which may parse differently. Returns what is not allowed. */
function unexpectedIn(page: Page, previews: readonly string[]): Promise<string[]> {
  return page.evaluate(
    ([html, elements, attributes]) => {
      const isElement = new Set(elements.split(' '))
      const isAttribute = new Set(attributes.split(' '))
      const root = document.createElement('div')
      document.body.replaceChildren(root)
      const found: string[] = []
      for (let round = 0; round < 2; round++) {
        root.innerHTML = round === 0 ? html : root.innerHTML
        for (const element of root.querySelectorAll('*')) {
          if (element instanceof HTMLDetailsElement) element.open = true
          if (!isElement.has(element.localName)) found.push(element.outerHTML)
          for (const { name, value } of element.attributes) {
            if (!isAttribute.has(name)) found.push(`${element.localName} ${name}=${value}`)
            // A URL that cannot be parsed leads nowhere.
            const url = name === 'href' && URL.canParse(value, 'bad://a') ? new URL(value, 'bad://a').protocol : value
            if (name === 'href' && !/^https?:/i.test(url)) found.push(value)
          }
          // A style element is only allowed as a child of the root of a preview.
          if (element.localName === 'style' && element.parentElement?.className !== 'rapport-preview')
            found.push('style')
        }
        for (const child of root.children) if (child.className !== 'rapport-preview') found.push(child.outerHTML)
      }
      if ('hacked' in window) found.push('a script has run')
      return found
    },
    [previews.join(''), ELEMENTS, ATTRIBUTES] as const,
  )
}

it('previews of hostile components add only allowed elements and attributes and run no script', async () => {
  const page = await open()
  await page.setContent('<!doctype html><title>Trees</title>')
  const events = await recordEvents(page)
  const seed = Number(process.env.FUZZ_SEED ?? 20260501)
  // A part of a payload can be the URL of an image, which is shown.
  const shown = new Set<string>()
  for (let at = 0; at < TREES; at += AT_ONCE) {
    // All trees at once would be 200 MB of JSON.
    const trees = fc.sample(hostileTree, { seed: seed + at, numRuns: AT_ONCE })
    const previews = trees.map((tree) => toHtml(tree, { css: at % 500 === 0, attachmentUrl: String }))
    expect(await unexpectedIn(page, previews)).toEqual([])
    for (const url of await page.evaluate(() => [...document.images].map(({ src }) => src)))
      shown.add(`image ${url.replace(/#.*/, '')}`)
  }
  expect(events.filter((event) => !shown.has(event))).toEqual([])
  await page.close()
})

it('a page that contains previews of hostile text runs no script while it is parsed', async () => {
  const page = await open()
  const events = await recordEvents(page)
  const previews = PAYLOADS.flatMap((payload) => {
    const author = { name: payload, avatarUrl: payload }
    const trees = [
      { type: 10, content: payload },
      { type: 2, style: 5, label: payload, url: payload },
      { type: 11, media: { url: payload }, description: payload },
      { type: 18, label: payload, component: { type: 4, style: 2, value: payload, placeholder: payload } },
      {
        title: payload,
        components: [{ type: 3, options: [{ label: payload, value: payload, description: payload }] }],
      },
      {
        content: payload,
        embeds: [
          {
            title: payload,
            url: payload,
            description: payload,
            author: { name: payload, icon_url: payload },
            footer: { text: payload },
            timestamp: payload,
          },
        ],
      },
    ]
    return trees.map((tree) => toHtml(tree, { author }))
  })
  await page.setContent(`<!doctype html><title>T</title>${previews.join('')}<p id="end">`)
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  expect(await page.locator('.rapport-preview').count()).toBe(previews.length)
  expect(await page.evaluate(() => document.getElementById('end')?.parentElement?.localName)).toBe('body')
  expect(events).toEqual([])
  await page.close()
})

it('a preview looks the same under a policy that forbids inline styles', async () => {
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
    const gap = document.querySelector('hr')
    return { violations, fill: bar && getComputedStyle(bar).fill, gap: gap && getComputedStyle(gap).margin }
  }, previewCss)
  expect(found).toEqual({ violations: [], fill: 'rgb(51, 102, 255)', gap: '16px 0px' })
  await page.close()
})

it('a page that requires Trusted Types accepts a preview from an allowed policy, but not as a string', async () => {
  const page = await open()
  const policy = "require-trusted-types-for 'script'; trusted-types preview"
  await page.setContent(`<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}"><main></main>`)
  const found = await page.evaluate(
    (html) => {
      const main = document.querySelector('main')
      const results: (string | undefined)[] = []
      const insert = (value: unknown) => {
        try {
          if (main) Reflect.set(main, 'innerHTML', value)
          results.push(main?.innerText)
        } catch (error) {
          results.push(error instanceof Error ? error.name : 'no error')
        }
      }
      insert(html)
      const factory: unknown = Reflect.get(window, 'trustedTypes')
      if (typeof factory !== 'object' || factory === null) return results
      const policy = Reflect.apply(Reflect.get(factory, 'createPolicy'), factory, [
        'preview',
        { createHTML: (own: string) => own },
      ])
      if (typeof policy === 'object' && policy !== null)
        insert(Reflect.apply(Reflect.get(policy, 'createHTML'), policy, [html]))
      return results
    },
    toHtml([text('Ready?')]),
  )
  expect(found).toEqual(['TypeError', 'Ready?'])
  await page.close()
})
