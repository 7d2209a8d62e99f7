// Draws docs/images/playground-*.png: `npx tsx test/browser/playground-screenshots.ts`.
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { launch } from './harness/chromium'
import { servePlayground } from './harness/playground-server'
import { STATES } from './playground-states'

process.env.CHROMIUM ||= '/usr/bin/chromium'
const [browser, playground] = await Promise.all([launch(), servePlayground()])
const alsoNarrow = ['friends-light', 'components-dark']

async function takeScreenshot(
  state: string,
  colorScheme: 'light' | 'dark',
  width: number,
  name: string,
): Promise<void> {
  const height = width > 1000 ? 900 : 1200
  const page = await browser.newPage({ viewport: { width, height }, colorScheme, reducedMotion: 'reduce' })
  await page.goto(playground.url)
  await STATES[state]?.(page)
  const path = fileURLToPath(new URL(`../../docs/images/playground-${name}.png`, import.meta.url))
  await page.screenshot({ path, fullPage: state !== 'step-up' })
  await page.close()
  console.log(`docs/images/playground-${name}.png: ${Math.ceil(statSync(path).size / 1000)} kB`)
}

for (const state of Object.keys(STATES)) {
  for (const theme of ['light', 'dark'] as const) {
    await takeScreenshot(state, theme, 1280, `${state}-${theme}`)
    if (alsoNarrow.includes(`${state}-${theme}`)) await takeScreenshot(state, theme, 360, `${state}-${theme}-360`)
  }
}
await Promise.all([browser.close(), playground.close()])
