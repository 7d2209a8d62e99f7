// Draws the pictures of docs/images: `npx tsx test/browser/pictures/run.ts [set…] [--folder folder]`. With `--check`, fails if
// what a set shows has changed since it was drawn: it compares hashes of what is shown, because pixels differ between machines.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { launch } from '../harness/chromium'
import { bots } from './bots'
import { dialog } from './dialog'
import { inspector } from './inspector'
import { IMAGES, type PictureSet } from './picture-set'
import { playground } from './playground'
import { preview, previewSheet } from './previews'

const SETS: Readonly<Record<string, PictureSet>> = {
  bots,
  dialog,
  inspector,
  playground,
  preview,
  'preview-sheet': previewSheet,
}
const HASHES = join(IMAGES, 'sources.json')

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'boolean' }, folder: { type: 'string', default: IMAGES } },
})
const chosen = Object.entries(SETS).filter(([name]) => positionals.length === 0 || positionals.includes(name))
const drawn: Readonly<Record<string, string>> = JSON.parse(readFileSync(HASHES, 'utf8'))
const hashes: Record<string, string> = { ...drawn }
for (const [name, set] of chosen) {
  hashes[name] = createHash('sha256')
    .update(await set.source())
    .digest('hex')
}
if (values.check) {
  const stale = chosen.map(([name]) => name).filter((name) => hashes[name] !== drawn[name])
  if (stale.length > 0) {
    const command = `npx tsx test/browser/pictures/run.ts ${stale.join(' ')}`
    console.error(`What the pictures show has changed since they were drawn: run ${command}, and look at them.`)
    process.exitCode = 1
  }
} else {
  process.env.CHROMIUM ||= '/usr/bin/chromium'
  mkdirSync(values.folder, { recursive: true })
  const browser = await launch()
  for (const [, set] of chosen) await set.draw(browser, values.folder)
  await browser.close()
  if (values.folder === IMAGES) writeFileSync(HASHES, `${JSON.stringify(hashes, null, 2)}\n`)
}
