// The dialog as the guide of its design shows it, each point by itself. In another folder than that of the repository, each
// state is also drawn by itself: on a phone and on a desktop, light and dark, in forced colors, and in some languages.
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { createMockService } from 'rapport-sdk/mocks'
import { listen } from 'rapport-sdk/mocks/node'
import { type DialogPage, openDialogPage } from '../dialog-page'
import { STATES, speak } from '../dialog-states'
import { bundlePages } from '../harness/global-setup'
import { IMAGES, type PictureSet, save } from './picture-set'

type Scheme = 'light' | 'dark'

/** What a picture shows. */
interface Shot {
  readonly state: string
  readonly width?: keyof typeof SIZES
  readonly language?: string
  readonly isForced?: boolean
  /** Part of the dialog to show. Default: all of it. */
  readonly part?: string
  /** Elements to mark, each with its height, font size, place in the order, or distance from the one before. */
  readonly marks?: readonly [selector: string, label: keyof typeof LABELS]
  /** Runs before the dialog opens. */
  before?(world: DialogPage): Promise<unknown>
  /** Runs after the state is reached. */
  after?(world: DialogPage): Promise<unknown>
}

const SIZES = {
  390: { width: 390, height: 760 },
  1440: { width: 1440, height: 900 },
  320: { width: 320, height: 256 },
} as const
const SOURCES = fileURLToPath(new URL('../../../src/dialog', import.meta.url))

const GUIDE = fileURLToPath(new URL('../../../docs/guides/dialog-design.md', import.meta.url))

/** What a mark says of the box of an element, its font size, its index, and the box before it. */
const LABELS = {
  height: ({ height }: DOMRect) => height,
  font: (_: DOMRect, fontSize: number) => fontSize,
  order: (_: DOMRect, __: number, index: number) => index + 1,
  gap: ({ x, y }: DOMRect, _: number, __: number, before?: DOMRect) =>
    before ? Math.max(x - before.right, y - before.bottom) : 0,
} as const
const TARGETS = '[part=method],[part=input],[part~=button]:not([hidden])'

const setAccount = ({ page }: DialogPage) =>
  page.evaluate(() => void Object.assign(window.dialogOptions, { account: () => `${'long'.repeat(16)}@example.com` }))
const enlarge = ({ page }: DialogPage) => page.addStyleTag({ content: ':root { --rapport-font-size: 32px }' })
const tab = ({ page }: DialogPage) => page.keyboard.press('Tab')

/** A picture of each point of the guide, in its order. */
const SHEET: readonly Shot[] = [
  { state: 'methods' },
  { state: 'passkey', part: 'methods' },
  { state: 'methods', marks: [TARGETS, 'height'] },
  { state: 'sms', marks: [TARGETS, 'gap'] },
  { state: 'methods', marks: ['h2,p#about,fieldset label,[part=label-text],button:not([hidden])', 'font'] },
  { state: 'code', width: 1440 },
  { state: 'limited' },
  { state: 'refused', part: 'field' },
  { state: 'code', part: 'actions', after: tab },
  { state: 'code', marks: ['[part=input],button:not([hidden])', 'order'] },
  { state: 'unavailable' },
  { state: 'busy' },
  { state: 'empty', part: 'messages' },
  { state: 'code', width: 320 },
  { state: 'password', before: enlarge },
  { state: 'code', part: 'about', before: setAccount },
  { state: 'refused', isForced: true },
  { state: 'refused', language: 'ar' },
  { state: 'password' },
  { state: 'expired', language: 'ko' },
]

/** Serves the scripts of the tests, and the app behind the dialog. A page has the color scheme that its path names. */
async function serveApp() {
  const scripts = await bundlePages()
  const server = createServer(({ url = '' }, response) => {
    const script = scripts.get(url.slice(1))
    const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>App</title>
<style>:root { color-scheme: ${url === '/dark' ? 'dark' : 'light'}; font-family: system-ui }</style>
<h1>Devices</h1><p>You are signed in on three devices.</p><script type="module" src="/languages.js"></script></html>`
    response.writeHead(200, { 'content-type': script ? 'text/javascript' : 'text/html' }).end(script ?? html)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const close = async () => {
    server.close()
    server.closeAllConnections()
  }
  return { origin: `http://localhost:${typeof address === 'object' ? address?.port : ''}`, close }
}

/** Opens the dialog as a picture shows it, and passes its page to `use`. */
async function shoot(
  browser: Browser,
  origin: string,
  scheme: Scheme,
  shot: Shot,
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const state = STATES[shot.state]
  if (!state) throw new Error(`There is no state ${shot.state}.`)
  const settings: BrowserContextOptions = {
    colorScheme: scheme,
    viewport: SIZES[shot.width ?? 390],
    deviceScaleFactor: 1.5,
  }
  const context = await browser.newContext({ ...settings, ...(shot.isForced && { forcedColors: 'active' }) })
  // The compiler of this script names the functions that run on the page.
  await context.addInitScript('globalThis.__name = (named) => named')
  const service = createMockService({
    rpId: 'localhost',
    policy: { requireMfa: (name) => name === 'Logout Auth Sessions' },
  })
  const world: DialogPage = await openDialogPage(
    {
      async open() {
        const page = await context.newPage()
        await page.goto(`${origin}/${scheme}`)
        return page
      },
      serve: async () => ({ service, server: await listen(service) }),
    },
    { name: 'languages', user: state.user },
  )
  await speak(world, shot.language ?? 'en')
  await shot.before?.(world)
  await world.page.evaluate(() => window.startCall('stepUp'))
  await world.dialog.waitFor()
  await state.reach(world)
  await shot.after?.(world)
  await use(world.page)
  await context.close()
  await service.close()
}

/** Returns the part of the dialog that a picture shows, with its marks. */
async function cut(page: Page, { part = 'dialog', marks: [selector, kind] = ['', 'order'] }: Shot): Promise<string> {
  const box = (element: Element) => element.getBoundingClientRect()
  const shown = page.locator(`[part=${part}]`)
  const { x, y, right, bottom } = await shown.evaluate(box)
  const { width, height } = page.viewportSize() ?? SIZES[390]
  const margin = part === 'dialog' ? 12 : 4
  const [left, top] = [Math.max(0, x - margin), Math.max(0, y - margin)]
  const clip = {
    x: left,
    y: top,
    width: Math.min(width, right + margin) - left,
    height: Math.min(height, bottom + margin) - top,
  }
  const picture = (await page.screenshot({ clip })).toString('base64')
  const marked = selector === '' ? [] : await page.locator(`[part=dialog] :is(${selector})`).all()
  const boxes = await Promise.all(
    marked.map(async (element) => ({
      rect: await element.evaluate(box),
      font: await element.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize)),
    })),
  )
  const marks = boxes.map(({ rect, font }, index) => {
    const label = Math.round(LABELS[kind](rect, font, index, boxes[index - 1]?.rect))
    const percent = (value: number, all: number) => `${(value / all) * 100}%`
    const style = [
      `left:${percent(rect.x - left, clip.width)};top:${percent(rect.y - top, clip.height)}`,
      `width:${percent(rect.width, clip.width)};height:${percent(rect.height, clip.height)}`,
    ]
    return `<i style="${style.join(';')}">${label > 0 ? `<b>${label}</b>` : ''}</i>`
  })
  return `<div style="max-width:${clip.width}px"><img src="data:image/png;base64,${picture}">${marks.join('')}</div>`
}

/** Draws a sheet of pictures, one for each point of the guide. */
async function drawSheet(browser: Browser, origin: string, scheme: Scheme, path: string) {
  const points = [...readFileSync(GUIDE, 'utf8').matchAll(/^(\d+)\. \*\*(.+?)\*\*/gm)]
  const figures: string[] = []
  for (const [index, shot] of SHEET.entries())
    await shoot(browser, origin, scheme, shot, async (page) => {
      const [, number, point] = points[index] ?? []
      const caption = `<figcaption><strong>${number}</strong> ${point}</figcaption>`
      figures.push(`<figure>${caption}${await cut(page, shot)}</figure>`)
    })
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 } })
  const [text, background] = scheme === 'dark' ? ['#e6e9ee', '#101216'] : ['#1a1f27', '#e9ebee']
  await page.setContent(`<!doctype html><style>
body{margin:0;padding:12px 12px 0;columns:4;column-gap:16px;background:${background};color:${text}}
figure{margin:0;padding-bottom:16px;break-inside:avoid;font:14px/1.4 system-ui}strong{font-size:18px}
div{position:relative;margin-top:4px}img{display:block;width:100%;border-radius:6px}
i{position:absolute;box-sizing:border-box;border:1px solid #d0238b}
b{position:absolute;right:0;top:0;padding:0 4px;background:#d0238b;color:#fff;font:bold 12px/16px system-ui}</style>${figures.join('')}`)
  await save(page, path, true)
  await page.close()
}

export const dialog: PictureSet = {
  // What the dialog consists of: its markup is in a shadow root.
  async source() {
    const files = readdirSync(SOURCES).sort()
    return files.map((file) => readFileSync(join(SOURCES, file), 'utf8')).join('\n')
  },
  async draw(browser, folder) {
    const { origin, close } = await serveApp()
    for (const scheme of ['light', 'dark'] as const)
      await drawSheet(browser, origin, scheme, join(folder, `dialog-${scheme}.png`))
    if (folder === IMAGES) return close()
    const states = Object.keys(STATES).flatMap((state) => [{ state }, { state, width: 1440 } as const])
    const languages = ['ar', 'de', 'fr', 'ja', 'ko', 'pl', 'tr', 'zh-CN'].flatMap((language) =>
      ['sms', 'limited', 'refused'].map((state) => ({ state, language })),
    )
    const shots: Shot[] = [
      ...states,
      ...languages,
      { state: 'methods', isForced: true },
      { state: 'limited', isForced: true },
    ]
    for (const scheme of ['light', 'dark'] as const)
      for (const shot of shots) {
        const { state, width = 390, language = 'en', isForced } = shot
        const name = [state, language, scheme, width, ...(isForced ? ['forced'] : [])].join('-')
        await shoot(browser, origin, scheme, shot, (page) => save(page, join(folder, `${name}.png`)))
      }
    await close()
  },
}
