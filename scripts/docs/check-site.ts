import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AxeResults, RunOptions } from 'axe-core'
import { chromium, type Page } from 'playwright-core'
import { preview } from 'vite'
import { shellOptions } from '../../test/browser/harness/chromium'

// Checks the built documentation site in Chromium: what a search finds first, and that its pages are accessible and readable.

/** Searches, and the page that each must find first. */
const SEARCHES: readonly (readonly [words: string, url: string])[] = [
  ['passkey', 'documents/How_do_I….html#sign-in-with-a-passkey'],
  ['sign in', 'documents/How_do_I….html#sign-in-with-a-password'],
  ['react', 'documents/React.html'],
  ['sign up', 'documents/How_do_I….html#register-an-account-sign-up'],
  ['register', 'documents/How_do_I….html#register-an-account-sign-up'],
  ['create account', 'documents/How_do_I….html#register-an-account-sign-up'],
  ['reset password', 'documents/How_do_I….html#reset-a-forgotten-password'],
  ['forgot password', 'documents/How_do_I….html#reset-a-forgotten-password'],
  ['vue', 'documents/How_do_I….html#use-it-with-vue'],
  ['csp', 'documents/How_do_I….html#set-a-content-security-policy-csp'],
  ['cors', 'documents/CORS.html'],
  ['proxy', 'documents/How_do_I….html#send-requests-through-a-proxy'],
  ['refresh token', 'documents/How_do_I….html#refresh-an-expired-token'],
  ['rate limit', 'documents/How_do_I….html#handle-rate-limits'],
  ['mock', 'documents/How_do_I….html#test-with-the-mock-in-vitest-or-jest'],
  ['playwright', 'documents/How_do_I….html#test-with-playwright-or-cypress'],
  ['e2e', 'documents/How_do_I….html#test-with-playwright-or-cypress'],
  ['bot', 'documents/Bots.html'],
  ['shutdown', 'documents/How_do_I….html#stop-a-bot-or-a-script'],
  ['modal', 'documents/How_do_I….html#ask-for-input-in-a-modal'],
  ['dialog', 'documents/How_do_I….html#ask-for-a-second-factor-in-a-dialog'],
  ['next.js', 'documents/How_do_I….html#use-it-with-nextjs-or-another-server-framework'],
  ['typecheck', 'documents/How_do_I….html#check-types-with-typescript'],
  ['typescript', 'documents/How_do_I….html#check-types-with-typescript'],
  ['tsconfig', 'documents/How_do_I….html#check-types-with-typescript'],
  ['second factor', 'documents/How_do_I….html#ask-for-a-second-factor-in-a-dialog'],
  ['gateway', 'documents/The_gateway.html'],
  ['getting started', 'index.html'],
  ['install', 'index.html'],
  ['timeout', 'documents/Requests.html#timeouts-and-cancellation'],
  ['retry', 'documents/Requests.html#retries'],
  ['login', 'documents/How_do_I….html#sign-in-with-a-password'],
  ['logout', 'documents/How_do_I….html#sign-out-everywhere'],
  ['log out', 'documents/How_do_I….html#sign-out-everywhere'],
  ['sms', 'documents/How_do_I….html#ask-for-a-second-factor-in-a-dialog'],
  ['totp', 'documents/How_do_I….html#ask-for-a-second-factor-in-a-dialog'],
  ['2fa', 'documents/How_do_I….html#ask-for-a-second-factor-in-a-dialog'],
  ['websocket', 'documents/The_gateway.html'],
  ['redis', 'documents/Running_a_fleet.html'],
  ['friends', 'index.html#live-friends'],
  ['friend request', 'documents/How_do_I….html#add-a-friend-friend-request'],
  ['error codes', 'documents/Errors.html'],
  ['trusted types', 'documents/Security_of_your_app.html#content-security-policy'],
  ['nonce', 'documents/Security_of_your_app.html#content-security-policy'],
  ['ssr', 'documents/React.html#render-on-a-server'],
  ['Client', 'classes/rapport-sdk.Client.html'],
  ['ApiError', 'classes/rapport-sdk.ApiError.html'],
  ['messageV2', 'functions/rapport-sdk_components.messageV2.html'],
]

const PAGES = [
  'index.html',
  'documents/How_do_I….html',
  'documents/Building_with_components.html',
  'documents/Sign-in_and_step-up.html',
  'documents/Errors.html',
  'documents/Examples.html',
  'modules/rapport-sdk.html',
  'classes/rapport-sdk.Client.html',
  'interfaces/rapport-sdk.RelationshipStore.html',
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

const axe = readFileSync('node_modules/axe-core/axe.min.js', 'utf8')
const problems: string[] = []

async function checkSearch(page: Page): Promise<void> {
  await page.goto(urlOf('index.html'))
  await page.click('#tsd-search-trigger')
  let before: string | undefined
  for (const [words, expected] of SEARCHES) {
    await page.fill('#tsd-search-input', words)
    // Each search numbers its results anew, after a pause in typing.
    const results = await page.waitForFunction((before) => {
      const first = document.querySelector('#tsd-search-results li')
      return (
        first && first.id !== before && { id: first.id, url: first.querySelector('a')?.href, name: first.textContent }
      )
    }, before)
    const { id, url = '', name } = (await results.jsonValue()) || { id: '', name: '' }
    before = id
    console.log(`| ${words} | ${name?.trim().replace(/\s+/g, ' ')} |`)
    if (url !== urlOf(expected)) problems.push(`"${words}" finds ${decodeURI(url)} first, not ${expected}.`)
  }
  // Enter right after typing opens the first result.
  await page.fill('#tsd-search-input', 'friends')
  await page.press('#tsd-search-input', 'Enter')
  await page
    .waitForURL(urlOf('index.html#live-friends'), { timeout: 120_000 })
    .catch(() => problems.push(`Enter in the search opens ${page.url()}, not the first result.`))
  await page
    .waitForSelector('#tsd-search', { state: 'hidden', timeout: 120_000 })
    .catch(() => problems.push('A result on the same page does not close the search.'))
}

function checkAddresses(): void {
  for (const url of new Set(SEARCHES.map(([, url]) => url).filter((url) => url.includes('#')))) {
    const [path = '', id] = url.split('#')
    const file = join('docs-site', path)
    const hasId = existsSync(file) && readFileSync(file, 'utf8').includes(` id="${decodeURIComponent(id ?? '')}"`)
    if (!hasId) problems.push(`${url} does not exist.`)
  }
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
  return [
    ...clipped.map(({ textContent }) => `this code does not fit into its width: ${textContent?.slice(0, 60)}`),
    ...(scrollWidth > clientWidth ? [`it is ${scrollWidth} pixels wide in a window of ${clientWidth}`] : []),
    ...wrapped.map(({ textContent }) => `this code wraps: ${textContent?.slice(0, 60)}`),
    ...plain.map(({ textContent }) => `the link "${textContent}" is not underlined`),
  ]
}

async function checkPage(page: Page, path: string, options: RunOptions): Promise<void> {
  await page.goto(urlOf(path))
  // A script builds the menu; on a narrow page, when it is opened.
  await page.waitForFunction(() => innerWidth < 770 || document.querySelector('#tsd-nav-container a'))
  await page.evaluate(axe)
  const { violations } = await page.evaluate(
    (options): Promise<AxeResults> => Reflect.get(window, 'axe').run(options),
    // The rest of the results would be most of the work.
    { ...options, resultTypes: ['violations' as const] },
  )
  const found = violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} ${target.join(' ')}`))
  problems.push(...[...found, ...(await page.evaluate(layoutProblems))].map((problem) => `${path}: ${problem}`))
}

async function checkSite(): Promise<void> {
  const browser = await chromium.launch(shellOptions())
  try {
    const checkView = async ({ colorScheme, width, options }: View) => {
      const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } })
      for (const path of PAGES) await checkPage(page, path, options)
    }
    // Together, because the search waits after each input.
    await Promise.all([checkSearch(await browser.newPage()), ...VIEWS.map(checkView)])
  } finally {
    await browser.close()
  }
}

if (!existsSync('docs-site')) throw new Error('There is no docs-site/; run `npm run docs` first.')
const site = { build: { outDir: 'docs-site' }, preview: { host: '127.0.0.1', port: 0 } }
const server = await preview({ configFile: false, logLevel: 'warn', ...site })
const urlOf = (path: string) => new URL(path, server.resolvedUrls?.local[0]).href
checkAddresses()
const { CHROMIUM = '/usr/bin/chromium', RAPPORT_BROWSER } = process.env
if (existsSync(CHROMIUM) || RAPPORT_BROWSER === 'required') await checkSite()
else console.log('The site was not checked: there is no Chromium.')
await server.close()
for (const problem of new Set(problems)) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0
