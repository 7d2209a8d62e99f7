// Draws docs/images/bot-<name>.png for each file of examples/bots: `npx tsx test/browser/bot-screenshots.ts [folder]`. Emoji look
// as the fonts of the system draw them.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type PreviewResolvers, toHtml } from 'rapport-sdk/preview'
import { launch } from './harness/chromium'
import { banner, picture } from './preview-pictures'

const NAMES: Readonly<Record<string, string>> = {
  101: 'nelly',
  102: 'sam',
  103: 'kim',
  104: 'robin',
  200: 'Lounge',
  301: 'Friend',
  302: 'Bot',
  303: 'Booster',
  304: 'Posts',
  305: 'Events',
}
/** The time at which the messages are seen. */
const NOW = Date.UTC(2026, 4, 1, 13)
const hours = new Intl.RelativeTimeFormat('en')

const resolve: PreviewResolvers = {
  user: (id) => NAMES[id],
  role: (id) => NAMES[id],
  channel: (id) => NAMES[id],
  time: (date) => hours.format((date.getTime() - NOW) / 3_600_000, 'hour'),
}
const attachmentUrl = (filename: string) => (filename === 'roles.png' ? banner('Roles') : picture(3, 'wide'))

const bots = fileURLToPath(new URL('../../examples/bots', import.meta.url))
const folder = process.argv[2] ?? fileURLToPath(new URL('../../docs/images', import.meta.url))

process.env.CHROMIUM ||= '/usr/bin/chromium'
const browser = await launch()
const page = await browser.newPage({ viewport: { width: 480, height: 400 }, deviceScaleFactor: 1.5 })
for (const file of readdirSync(bots).filter((name) => name.endsWith('.ts'))) {
  const { message }: { message: unknown } = await import(join(bots, file))
  await page.setContent(
    `<!doctype html><style>body{margin:0;background:#1b1d21}</style>${toHtml(message, { theme: 'dark', resolve, attachmentUrl })}`,
  )
  const path = join(folder, `bot-${file.replace('.ts', '.png')}`)
  await page.locator('.rapport-preview').screenshot({ path })
  console.log(`${path}: ${Math.ceil(statSync(path).size / 1000)} kB`)
}
await browser.close()
