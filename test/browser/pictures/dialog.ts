// The dialog in its states, as the guide of its design shows it. In another folder than that of the repository, each state is
// also drawn by itself: on a phone and on a desktop, light and dark, in forced colors, and in some languages.
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { createMockService } from 'rapport-sdk/mocks'
import { listen } from 'rapport-sdk/mocks/node'
import { type DialogPage, openDialogPage } from '../dialog-page'
import { STATES, speak } from '../dialog-states'
import { bundle } from '../harness/bundle'
import { IMAGES, type PictureSet, save } from './picture-set'

type Scheme = 'light' | 'dark'

/** What a picture shows. */
interface Shot {
  readonly state: string
  readonly width?: keyof typeof SIZES
  readonly language?: string
  readonly isForced?: boolean
}

const SIZES = { 390: { width: 390, height: 760 }, 1440: { width: 1440, height: 900 } } as const
const SOURCES = fileURLToPath(new URL('../../../src/dialog', import.meta.url))

/** The pictures on the sheet, with their captions. */
const SHEET: readonly (readonly [caption: string, Shot])[] = [
  ['several methods', { state: 'methods' }],
  ['an SMS was sent', { state: 'sms' }],
  ['a passkey', { state: 'passkey' }],
  ['a password', { state: 'password' }],
  ['a refused code', { state: 'refused' }],
  ['no answer', { state: 'unavailable' }],
  ['too many attempts', { state: 'limited' }],
  ['busy', { state: 'busy' }],
  ['forced colors', { state: 'refused', isForced: true }],
  ['Arabic', { state: 'sms', language: 'ar' }],
  ['Japanese', { state: 'sms', language: 'ja' }],
  ['Chinese', { state: 'refused', language: 'zh-CN' }],
]

/** Serves the scripts of the tests, and the app behind the dialog. A page has the color scheme that its path names. */
async function serveApp() {
  const scripts = await bundle()
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
  await world.stepUp()
  await state.reach(world)
  await use(world.page)
  await context.close()
  await service.close()
}

/** Draws a sheet of pictures. */
async function drawSheet(browser: Browser, origin: string, scheme: Scheme, path: string) {
  const figures: string[] = []
  for (const [caption, shot] of SHEET)
    await shoot(browser, origin, scheme, shot, async (page) => {
      const picture = (await page.screenshot()).toString('base64')
      figures.push(`<figure><img src="data:image/png;base64,${picture}"><figcaption>${caption}</figcaption></figure>`)
    })
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 } })
  const [text, background] = scheme === 'dark' ? ['#e6e9ee', '#101216'] : ['#1a1f27', '#e9ebee']
  await page.setContent(`<!doctype html><style>
body{margin:0;padding:12px;display:grid;grid-template-columns:repeat(4,1fr);gap:12px;background:${background};color:${text}}
figure{margin:0;font:14px system-ui;text-align:center}img{width:100%;border-radius:6px}</style>${figures.join('')}`)
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
