// A picture of the message of each file of examples/bots. Emoji look as the fonts of the system draw them.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type PreviewResolvers, toHtml } from 'rapport-sdk/preview'
import { banner, picture } from '../preview-content'
import { type PictureSet, save } from './picture-set'

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

const folder = fileURLToPath(new URL('../../../examples/bots', import.meta.url))

/** Returns the page of each message, by the name of its file. */
async function pages(): Promise<(readonly [name: string, html: string])[]> {
  const all: (readonly [string, string])[] = []
  for (const file of readdirSync(folder)) {
    // The others are bots, which run when they are imported.
    if (!/^export const message\b/m.test(readFileSync(join(folder, file), 'utf8'))) continue
    const { message }: { message: unknown } = await import(join(folder, file))
    const html = toHtml(message, { theme: 'dark', resolve, attachmentUrl })
    all.push([file.replace('.ts', ''), `<!doctype html><style>body{margin:0;background:#1b1d21}</style>${html}`])
  }
  return all
}

export const bots: PictureSet = {
  source: async () => (await pages()).join('\n'),
  async draw(browser, folder) {
    const page = await browser.newPage({ viewport: { width: 480, height: 400 }, deviceScaleFactor: 1.5 })
    for (const [name, html] of await pages()) {
      await page.setContent(html)
      await save(page.locator('.rapport-preview'), join(folder, `bot-${name}.png`))
    }
    await page.close()
  },
}
