// Draws docs/images/playground-*.png: `npx tsx test/browser/playground-screenshots.ts`.
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { launch } from './harness/chromium'
import { servePlayground } from './harness/playground-server'
import { STATES } from './playground-states'

process.env.CHROMIUM ||= '/usr/bin/chromium'
const [browser, playground] = await Promise.all([launch(), servePlayground()])

const SIZES = { 1440: { width: 1440, height: 900 }, 390: { width: 390, height: 844 } } as const
const PICTURES = ['start', 'prompt', 'journal', 'friends', 'components']

for (const name of PICTURES) {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [width, viewport] of Object.entries(SIZES)) {
      const page = await browser.newPage({ viewport, colorScheme, reducedMotion: 'reduce' })
      await page.goto(`${playground.url}#${STATES[name]?.route}`)
      await STATES[name]?.reach(page)
      const path = fileURLToPath(
        new URL(`../../docs/images/playground-${name}-${colorScheme}-${width}.png`, import.meta.url),
      )
      await page.screenshot({ path })
      await page.close()
      console.log(`${path}: ${Math.ceil(statSync(path).size / 1000)} kB`)
    }
  }
}
await Promise.all([browser.close(), playground.close()])
