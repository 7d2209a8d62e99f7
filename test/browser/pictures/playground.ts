// Pictures of the playground in some of its states, of which the README shows the journal.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { servePlayground } from '../harness/global-setup'
import { STATES } from '../playground-states'
import { type PictureSet, save } from './picture-set'

const SIZES = { 1440: { width: 1440, height: 900 }, 390: { width: 390, height: 844 } } as const
const PICTURES = ['start', 'prompt', 'journal', 'friends', 'calls', 'components']
const FOLDER = fileURLToPath(new URL('../../../examples/playground', import.meta.url))

export const playground: PictureSet = {
  // Its own files: the page that is built of them also contains the package, most changes of which are not to be seen.
  async source() {
    const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.(?:css|html|ts)$/.test(name),
    )
    return files
      .sort()
      .map((file) => readFileSync(join(FOLDER, file), 'utf8'))
      .join('\n')
  },
  async draw(browser, folder) {
    const served = await servePlayground()
    for (const name of PICTURES) {
      for (const colorScheme of ['light', 'dark'] as const) {
        for (const [width, viewport] of Object.entries(SIZES)) {
          const page = await browser.newPage({ viewport, colorScheme, reducedMotion: 'reduce' })
          await page.goto(`${served.url}#${STATES[name]?.route}`)
          await STATES[name]?.reach(page)
          await save(page, join(folder, `playground-${name}-${colorScheme}-${width}.png`))
          await page.close()
        }
      }
    }
    await served.close()
  },
}
