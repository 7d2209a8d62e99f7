import { existsSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { AxeResults, RunOptions } from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { preview } from 'vite'
import { shellOptions } from '../../test/browser/harness/chromium'
import { checkPages } from './site/check-pages'
import { checkSearch } from './site/check-search'
import { PLAYGROUND } from './site/navigation'

// Checks the built documentation site: what a search finds first, every page, and in Chromium, below a path of a server and
// without any other: the search and the menu by keyboard, the themes, accessibility, layout, and the console; and as files.

const SITE = 'docs-site'
/** Path at which it is served. */
const BASE = '/some/path/'

const PAGES = [
  'index.html',
  'documents/How_do_I….html',
  'documents/Building_with_components.html',
  'documents/Sign-in_and_step-up.html',
  'documents/Errors.html',
  'documents/Examples.html',
  'modules/rapport-sdk.html',
  'modules/rapport-sdk_dialog.html',
  'classes/rapport-sdk.Client.html',
  'interfaces/rapport-sdk.RelationshipStore.html',
  '404.html',
]
const COLOR_RULES = ['color-contrast', 'link-in-text-block']
/** Views, and the rules of axe that each needs: colors do not depend on the width, nor anything else on the colors. */
const VIEWS: readonly View[] = [
  { colorScheme: 'light', width: 1440, options: {} },
  {
    colorScheme: 'light',
    width: 390,
    options: { rules: Object.fromEntries(COLOR_RULES.map((rule) => [rule, { enabled: false }])) },
  },
  { colorScheme: 'dark', width: 1440, options: { runOnly: COLOR_RULES } },
]
interface View {
  readonly colorScheme: 'light' | 'dark'
  readonly width: number
  readonly options: RunOptions
}

const HEIGHT = 900

const axe = readFileSync('node_modules/axe-core/axe.min.js', 'utf8')
const problems: string[] = []

async function violationsIn(page: Page, options: RunOptions): Promise<string[]> {
  const { violations } = await page.evaluate(
    (options): Promise<AxeResults> => Reflect.get(window, 'axe').run(options),
    // The rest of the results would be most of the work.
    { ...options, resultTypes: ['violations' as const] },
  )
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} ${target.join(' ')}`))
}

/** Uses the search and the menu with the keyboard. */
async function checkKeyboard(context: BrowserContext): Promise<void> {
  const page = await context.newPage()
  const fails = (problem: string) => () => void problems.push(problem)
  await page.goto(urlOf('documents/CORS.html'))
  await page.keyboard.press('/')
  await page.keyboard.type('webauthn')
  await page.waitForSelector('#tsd-search-results a')
  await page.evaluate(axe)
  problems.push(...(await violationsIn(page, {})).map((problem) => `the search: ${problem}`))
  const second = await page.evaluate(
    () => document.querySelectorAll<HTMLAnchorElement>('#tsd-search-results a')[1]?.href,
  )
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(String(second)).catch(fails(`Enter opens ${page.url()}, not the selected result.`))

  await page.goto(urlOf('index.html'))
  await page.keyboard.press('/')
  await page.fill('#tsd-search-input', 'qqqqqq')
  await page.waitForSelector('text=Nothing found for “qqqqqq”')
  // Enter right after typing opens the first result, here on the same page, and closes the search.
  await page.fill('#tsd-search-input', 'try it without an account')
  await page.keyboard.press('Enter')
  await page
    .waitForURL(urlOf('index.html#try-it-without-an-account'))
    .catch(fails(`Enter in the search opens ${page.url()}, not the first result.`))
  await page
    .waitForSelector('#tsd-search', { state: 'hidden' })
    .catch(fails('A result on the same page does not close the search.'))

  await page.setViewportSize({ width: 390, height: 844 })
  await page.focus('#site-menu-trigger')
  await page.keyboard.press('Enter')
  await page
    .waitForSelector('.site-navigation [aria-current]:focus')
    .catch(fails('The button of the menu does not open it at the open page.'))
  await page.evaluate(axe)
  problems.push(...(await violationsIn(page, {})).map((problem) => `the menu: ${problem}`))
  await page.keyboard.press('Escape')
  await page.waitForSelector('.site-navigation', { state: 'hidden' }).catch(fails('Escape does not close the menu.'))
  await page.close()
}

/** Uses the switch of the theme: pictures follow it, not only the system. */
async function checkTheme(context: BrowserContext): Promise<void> {
  const page = await context.newPage()
  await page.goto(urlOf('index.html'))
  for (const theme of ['dark', 'light', 'os']) {
    await page.selectOption('#tsd-theme', theme, { force: true })
    const shown = theme === 'dark' ? 'dark' : 'light'
    await page
      .waitForFunction(
        (shown) => document.querySelector<HTMLImageElement>('picture img')?.currentSrc.includes(shown),
        shown,
      )
      .catch(() => problems.push(`With the theme ${theme}, the pictures are not ${shown}.`))
  }
  await page.close()
}

/** Opens pages as files: the search finds, and the playground says why it does not start. */
async function checkFiles(browser: Browser): Promise<void> {
  const page = await browser.newPage()
  const fileOf = (path: string) => pathToFileURL(`${SITE}/${path}`).href
  await page.goto(fileOf('documents/CORS.html'))
  await page.keyboard.press('/')
  await page.keyboard.type('webauthn')
  await page.keyboard.press('Enter')
  await page
    .waitForURL((url) => url.protocol === 'file:' && !url.pathname.endsWith('CORS.html'))
    .catch(() => problems.push('A search in a page that was opened as a file opens no result.'))
  await page.goto(fileOf('playground/index.html'))
  await page
    .waitForSelector('text=does not start from a file')
    .catch(() => problems.push('The playground as a file does not say why it does not start.'))
  await page.close()
}

/** Opens the pages of the playground at the links of the menu. */
async function checkPlayground(context: BrowserContext): Promise<void> {
  const page = await context.newPage()
  for (const route of Object.keys(PLAYGROUND)) {
    await page.goto(urlOf(`playground/index.html#${route}`))
    await page
      .waitForSelector(`body[data-page="${route}"]`)
      .catch(() => problems.push(`The playground has no page ${route}.`))
  }
  await page.click('text=Documentation')
  await page
    .waitForURL(urlOf('index.html'))
    .catch(() => problems.push('The playground has no link to the documentation.'))
  await page.close()
}

/** What is wrong with the layout of a page. Runs in the page. */
function layoutProblems(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement
  const wrapped = Array.from(document.querySelectorAll('pre')).filter(
    (code) => getComputedStyle(code).whiteSpace !== 'pre',
  )
  const plain = Array.from(document.querySelectorAll('.tsd-typography a[href]')).filter(
    (link) => !getComputedStyle(link).textDecorationLine.includes('underline'),
  )
  // Lines of code have up to 120 characters. Lines of output may be longer.
  const clipped = Array.from(document.querySelectorAll('pre:has(> code:is(.ts, .tsx, .sh))')).filter(
    (code) => innerWidth >= 1440 && code.scrollWidth > code.clientWidth,
  )
  // What a block prints has a label, other colors than code, and no colors of words.
  const code = document.querySelector('pre:has(> code.ts)')
  const outputs = Array.from(document.querySelectorAll('.site-output')).filter((output) => {
    const text = output.querySelector('pre')
    if (!code || !text || output.textContent?.startsWith('Output') !== true) return true
    const looks = [code, text].map((element) => getComputedStyle(element))
    return looks[0]?.backgroundColor === looks[1]?.backgroundColor || text.querySelector('span') !== null
  })
  return [
    ...outputs.map(({ textContent }) => `this output looks like code: ${textContent?.slice(0, 60)}`),
    ...clipped.map(({ textContent }) => `this code does not fit into its width: ${textContent?.slice(0, 60)}`),
    ...(scrollWidth > clientWidth ? [`it is ${scrollWidth} pixels wide in a window of ${clientWidth}`] : []),
    ...wrapped.map(({ textContent }) => `this code wraps: ${textContent?.slice(0, 60)}`),
    ...plain.map(({ textContent }) => `the link "${textContent}" is not underlined`),
  ]
}

/** Opens pages, and looks at each in all views: to open it is as much work as to check it. */
async function checkViews(context: BrowserContext): Promise<void> {
  const page = await context.newPage()
  for (const path of PAGES) {
    await page.goto(urlOf(path))
    await page.evaluate(axe)
    for (const { colorScheme, width, options } of VIEWS) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: HEIGHT })
      const found = [...(await violationsIn(page, options)), ...(await page.evaluate(layoutProblems))]
      problems.push(...found.map((problem) => `${path}, ${colorScheme}, ${width} pixels wide: ${problem}`))
    }
  }
}

async function checkSite(): Promise<void> {
  const browser = await chromium.launch(shellOptions())
  const newContext = async () => {
    const context = await browser.newContext({ colorScheme: 'light', viewport: { width: 1440, height: HEIGHT } })
    context.setDefaultTimeout(120_000)
    context.on('console', (message) => {
      if (message.type() === 'error') problems.push(`${message.page()?.url()} logs: ${message.text()}`)
    })
    context.on('weberror', (error) => void problems.push(`${error.page()?.url()} throws: ${error.error()}`))
    context.on('request', (request) => {
      const url = request.url()
      if (!url.startsWith(urlOf('')) && !/^(?:data|blob):/.test(url)) problems.push(`A page requests ${url}.`)
    })
    return context
  }
  try {
    const use = async () => {
      const context = await newContext()
      await checkKeyboard(context)
      await checkPlayground(context)
      await checkTheme(context)
    }
    await Promise.all([use(), checkFiles(browser), checkViews(await newContext())])
  } finally {
    await browser.close()
  }
}

if (!existsSync(SITE)) throw new Error('There is no docs-site/; run `npm run docs` first.')
problems.push(...checkSearch(SITE), ...checkPages(SITE))
const server = await preview({
  configFile: false,
  logLevel: 'warn',
  base: BASE,
  build: { outDir: SITE },
  preview: { host: '127.0.0.1', port: 0 },
})
const urlOf = (path: string) => new URL(path, server.resolvedUrls?.local[0]).href
const { CHROMIUM = '/usr/bin/chromium', RAPPORT_BROWSER } = process.env
if (existsSync(CHROMIUM) || RAPPORT_BROWSER === 'required') await checkSite()
else console.log('The site was not checked in a browser: there is no Chromium.')
await server.close()
for (const problem of new Set(problems)) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0
