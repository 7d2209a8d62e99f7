import { existsSync, readFileSync } from 'node:fs'
import type { AxeResults } from 'axe-core'
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
  ['bot', 'documents/How_do_I….html#write-a-bot'],
  ['shutdown', 'documents/How_do_I….html#stop-a-bot-or-a-script'],
  ['modal', 'documents/How_do_I….html#ask-for-input-in-a-modal'],
  ['dialog', 'documents/How_do_I….html#ask-for-a-second-factor-in-a-dialog'],
  ['next.js', 'documents/How_do_I….html#use-it-with-nextjs-or-another-server-framework'],
  ['typecheck', 'documents/How_do_I….html#check-types-with-typescript'],
  ['typescript', 'documents/How_do_I….html#check-types-with-typescript'],
  ['tsconfig', 'documents/How_do_I….html#check-types-with-typescript'],
  ['second factor', 'documents/How_do_I….html#ask-for-a-second-factor-in-a-dialog'],
  ['Client', 'classes/rapport-sdk.Client.html'],
  ['ApiError', 'classes/rapport-sdk.ApiError.html'],
  ['messageV2', 'functions/rapport-sdk_components.messageV2.html'],
]

const PAGES = [
  'index.html',
  'documents/How_do_I….html',
  'documents/Sign-in_and_step-up.html',
  'documents/Errors.html',
  'documents/Examples.html',
  'modules/rapport-sdk.html',
  'classes/rapport-sdk.Client.html',
  'interfaces/rapport-sdk.RelationshipStore.html',
]
/** Colors do not depend on the width. */
const VIEWS = [
  { colorScheme: 'light', width: 1440 },
  { colorScheme: 'light', width: 390 },
  { colorScheme: 'dark', width: 1440 },
] as const

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
  for (const [, expected] of SEARCHES.filter(([, url]) => url.includes('#'))) {
    await page.goto(urlOf(expected))
    const exists = await page.evaluate(
      () => document.getElementById(decodeURIComponent(location.hash.slice(1))) !== null,
    )
    if (!exists) problems.push(`${expected} does not exist.`)
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
  return [
    ...(scrollWidth > clientWidth ? [`it is ${scrollWidth} pixels wide in a window of ${clientWidth}`] : []),
    ...wrapped.map(({ textContent }) => `this code wraps: ${textContent?.slice(0, 60)}`),
    ...plain.map(({ textContent }) => `the link "${textContent}" is not underlined`),
  ]
}

async function checkPage(page: Page, path: string): Promise<void> {
  await page.goto(urlOf(path))
  // A script builds the menu; on a narrow page, when it is opened.
  await page.waitForFunction(() => innerWidth < 770 || document.querySelector('#tsd-nav-container a'))
  await page.evaluate(axe)
  const { violations } = await page.evaluate((): Promise<AxeResults> => Reflect.get(window, 'axe').run())
  const found = violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} ${target.join(' ')}`))
  problems.push(...[...found, ...(await page.evaluate(layoutProblems))].map((problem) => `${path}: ${problem}`))
}

async function checkSite(): Promise<void> {
  const browser = await chromium.launch(shellOptions())
  try {
    await checkSearch(await browser.newPage())
    for (const { colorScheme, width } of VIEWS) {
      const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } })
      for (const path of PAGES) await checkPage(page, path)
      await page.close()
    }
  } finally {
    await browser.close()
  }
}

if (!existsSync('docs-site')) throw new Error('There is no docs-site/; run `npm run docs` first.')
const site = { build: { outDir: 'docs-site' }, preview: { host: '127.0.0.1', port: 0 } }
const server = await preview({ configFile: false, logLevel: 'warn', ...site })
const urlOf = (path: string) => new URL(path, server.resolvedUrls?.local[0]).href
const { CHROMIUM = '/usr/bin/chromium', RAPPORT_BROWSER } = process.env
if (existsSync(CHROMIUM) || RAPPORT_BROWSER === 'required') await checkSite()
else console.log('The site was not checked: there is no Chromium.')
await server.close()
for (const problem of new Set(problems)) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0
