// Measures the pages of the documentation site in its menu, and one of each other kind, after `npm run docs`: HTML, what a
// first visit loads, and the time to the first paint in Chromium, each time with an empty cache. `npx tsx bench/site.ts`
// prints a table.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import { preview } from 'vite'
import { shellOptions } from '../test/browser/harness/chromium'

const SITE = 'docs-site'
const { BENCH_ROUNDS = '3' } = process.env

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0
const kB = (bytes: number): string => (bytes / 1000).toFixed(1)

const server = await preview({
  configFile: false,
  logLevel: 'warn',
  build: { outDir: SITE },
  preview: { host: '127.0.0.1', port: 0 },
})
const base = server.resolvedUrls?.local[0] ?? ''
const browser = await chromium.launch(shellOptions())

/** Loads a page with an empty cache; returns the time to its first paint, and the bytes of all that it loads. */
async function visit(path: string): Promise<{ paint: number; bytes: number }> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.goto(new URL(path, base).href, { waitUntil: 'load' })
  const found = await page.evaluate(async () => {
    while (performance.getEntriesByName('first-contentful-paint').length === 0)
      await new Promise((resolve) => requestAnimationFrame(resolve))
    const loaded = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    const bytes = loaded.map((entry) => (entry instanceof PerformanceResourceTiming ? entry.decodedBodySize : 0))
    const [paint] = performance.getEntriesByName('first-contentful-paint')
    return { paint: paint?.startTime ?? 0, bytes: bytes.reduce((sum, size) => sum + size, 0) }
  })
  await context.close()
  return found
}

const html = readFileSync(join(SITE, 'index.html'), 'utf8')
const [menu = ''] = /<nav class="site-navigation".*?<\/nav>/s.exec(html) ?? []
/** Pages that are not in the menu, one of each kind. */
const MORE = [
  'classes/rapport-sdk.Client.html',
  'interfaces/rapport-sdk.RelationshipStore.html',
  'functions/rapport-sdk.explain.html',
  'types/rapport-sdk.AuthenticatorType.html',
  'playground/index.html',
  '404.html',
]
const paths = [...menu.matchAll(/ href="([^"]+)"/g)].map(([, url = '']) => url).filter((url) => !url.includes('#'))
paths.push(...MORE)
await visit('index.html')
const rows: { path: string; size: number; packed: number; loaded: number; paint: number }[] = []
for (const path of paths) {
  const text = readFileSync(join(SITE, decodeURIComponent(path)))
  const visits: { paint: number; bytes: number }[] = []
  for (let round = 0; round < Number(BENCH_ROUNDS); round += 1) visits.push(await visit(path))
  rows.push({
    path: decodeURIComponent(path),
    size: text.length,
    packed: gzipSync(text).length,
    loaded: visits[0]?.bytes ?? 0,
    paint: median(visits.map(({ paint }) => paint)),
  })
}
console.log('| page | HTML kB | gzipped | loaded in total, kB | first paint, ms |\n|---|---|---|---|---|')
for (const { path, size, packed, loaded, paint } of rows)
  console.log(`| ${path} | ${kB(size)} | ${kB(packed)} | ${kB(loaded)} | ${paint.toFixed(0)} |`)
const all = (value: (row: (typeof rows)[number]) => number) => rows.map(value)
console.log(
  `| median of ${rows.length} pages | ${kB(median(all(({ size }) => size)))} | ${kB(median(all(({ packed }) => packed)))} | ${kB(median(all(({ loaded }) => loaded)))} | ${median(all(({ paint }) => paint)).toFixed(0)} |`,
)
for (const name of ['search.js', 'search-index.js']) {
  const text = readFileSync(join(SITE, 'assets', name))
  console.log(`${name}: ${kB(text.length)} kB, gzipped ${kB(gzipSync(text).length)} kB`)
}
await Promise.all([browser.close(), server.close()])
