// Pictures of previews.
import { join } from 'node:path'
import { type PreviewResolvers, toHtml } from 'rapport-sdk/preview'
import { receivedMessage } from '../../components/json-components'
import { announcement, picture, poll, settings } from '../preview-content'
import { type PictureSet, save } from './picture-set'

const MARKDOWN = `# Heading with \`code\`
-# Subtext, **bold**, *italic*, ** spaced **, __under__, ~~struck~~
> ## Quoted heading
> and text, >_<
1. one
2. two
  - ||hidden||
\`\`\`ts
const answer = 42
\`\`\`
>>> A quote to the end:
[a link](<https://example.test>) and https://example.test/a_b.`

const MENTIONS = `Hello <@1>, <@&2> meets in <#3> <t:1777636800:F>.
Type </join:9> :point_right: <:wave:4> <a:party:5> @everyone
Unknown: <@99> <@&99> <#99> <:sad:99>`

const NAMES: Readonly<Record<string, string>> = { 1: 'Nelly', 2: 'Moderators', 3: 'rules' }

const resolve: PreviewResolvers = {
  user: (id) => NAMES[id],
  role: (id) => NAMES[id],
  channel: (id) => NAMES[id],
  emoji: (id) => (id === '99' ? undefined : picture(Number(id) - 1, 'wide')),
}

const item = (shape: 'tall' | 'wide', spoiler = false) => ({ media: { url: `attachment://${shape}` }, spoiler })
const galleryOf = (count: number) => ({
  type: 12,
  items: Array.from({ length: count }, (_, at) => item(at % 2 ? 'tall' : 'wide')),
})
const text = (content: string) => ({ type: 10, content })
const option = (label: string, isDefault = false) => ({ label, value: label, default: isDefault })
const select = (fields: object) => ({ type: 1, components: [{ type: 3, custom_id: 's', ...fields }] })
const days = [option('Monday'), option('Wednesday', true), option('Friday', true)]

const CODE = `\`\`\`ts
// Ends every session.
const ended = await client.auth.logout()
if (ended > 1) throw new Error('too many')
\`\`\`
\`\`\`py
def answer(question: str) -> int:
    return 42  # at least
\`\`\`
\`\`\`json
{ "flags": 32768, "components": [null, true] }
\`\`\`
\`\`\`
no language: 'plain' // 1
\`\`\``

const EMBED = {
  author: { name: 'Ada', icon_url: 'attachment://wide', url: 'https://example.test' },
  title: 'Release 2.0',
  url: 'https://example.test/notes',
  description: 'Now with **passkeys**, in a long description that goes on next to the thumbnail.',
  color: 0x3366ff,
  fields: [
    { name: 'Fixed', value: '- Sign-out\n- Avatars', inline: true },
    { name: 'Known', value: 'Nothing', inline: true },
    { name: 'Note', value: 'A field of its own line' },
  ],
  thumbnail: { url: 'attachment://tall' },
  image: { url: 'attachment://wide' },
  footer: { text: 'Engines', icon_url: 'attachment://wide' },
  timestamp: '2026-05-01T12:00:00Z',
}

const failed = (description: string) => ({ media: { url: 'https://missing.invalid/a.png' }, description })
const FAILED = [
  { type: 12, items: [failed('The new sign-in dialog, with a code field'), failed('The old one'), failed('')] },
  { type: 12, items: [failed('A single picture that could not be loaded')] },
  { type: 9, components: [text('With a thumbnail')], accessory: { type: 11, ...failed('A key') } },
]

const TREES: readonly (readonly [name: string, tree: unknown])[] = [
  ['Announcement', announcement],
  ['Settings modal', settings],
  ['Markdown', [text(MARKDOWN)]],
  ['Mentions', [text(MENTIONS)]],
  ['Embeds', { content: 'Without the flag:', embeds: [EMBED, { description: 'Only a description', color: 0x1c7a41 }] }],
  ['Code', [text(CODE)]],
  ['Emoji', [text('🎉 👍🏽 <:wave:4>'), text('🎉 in a text')]],
  ['Failed pictures', FAILED],
  ...Array.from({ length: 10 }, (_, at): readonly [string, unknown] => [`Gallery of ${at + 1}`, [galleryOf(at + 1)]]),
  [
    'Spoilers',
    [
      { type: 12, items: [item('wide', true), item('tall', true), item('wide')] },
      { type: 17, accent_color: 0xc22f2f, spoiler: true, components: [text('hidden')] },
      { type: 9, components: [text('With a thumbnail')], accessory: { type: 11, ...item('wide', true) } },
    ],
  ],
  [
    'Separators and files',
    [
      {
        type: 17,
        components: [
          text('small'),
          { type: 14 },
          text('large'),
          { type: 14, spacing: 2 },
          text('small, hidden'),
          { type: 14, divider: false },
          { type: 13, file: { url: 'https://example.test/report.pdf' }, name: 'report.pdf', size: 1_234_567 },
        ],
      },
    ],
  ],
  [
    'Selects',
    [
      select({ placeholder: 'One day', options: days.slice(0, 1) }),
      select({ placeholder: 'Several days', options: [option('Monday')], max_values: 2 }),
      select({ options: days, max_values: 3 }),
      select({ options: days, max_values: 3, disabled: true }),
    ],
  ],
  [
    'Buttons',
    [
      {
        type: 1,
        components: [1, 2, 3, 4, 5].map((style) => ({
          type: 2,
          style,
          label: `Style ${style}`,
          url: 'https://a.test',
        })),
      },
      {
        type: 1,
        components: [
          { type: 2, style: 1, label: 'Emoji', emoji: { name: '🔥' } },
          { type: 2, style: 2, label: 'Custom', emoji: { id: '4', name: 'wave' } },
          { type: 2, style: 6, sku_id: '12' },
          { type: 2, style: 1, label: 'Disabled', disabled: true },
        ],
      },
    ],
  ],
  ['Poll', poll],
  ['Received message', receivedMessage()],
]

const THEMES = ['light', 'dark'] as const

function sheetOf(theme: (typeof THEMES)[number]): string {
  const previews = TREES.map(([name, tree], at) => {
    const attachmentUrl = (filename: string) => picture(at, filename === 'tall' ? 'tall' : 'wide')
    const author = name === 'Emoji' ? { name: 'Ada', avatarUrl: picture(0, 'wide') } : { name: '' }
    return `<section><h6>${at + 1}. ${name}</h6>${toHtml(tree, { theme, attachmentUrl, resolve, author, idPrefix: `s${at}` })}</section>`
  })
  return `<!doctype html><html lang="en"><style>
body{margin:0;padding:12px;columns:4;column-gap:12px;width:1456px;background:${theme === 'dark' ? '#101216' : '#e9ebee'}}
section{break-inside:avoid;margin-bottom:12px}h6{margin:0 0 4px;font:12px sans-serif;color:#888}
.rapport-preview{border-radius:8px;zoom:.75}</style>${previews.join('')}`
}

/** 24 previews on one page, in each theme. */
export const previewSheet: PictureSet = {
  source: async () => THEMES.map(sheetOf).join('\n'),
  async draw(browser, folder) {
    for (const theme of THEMES) {
      const page = await browser.newPage({ viewport: { width: 1480, height: 900 } })
      await page.setContent(sheetOf(theme))
      await save(page, join(folder, `preview-sheet-${theme}.png`), true)
      await page.close()
    }
  },
}

/** Colors of the placeholder images for attachments. */
const PLACEHOLDER_COLORS: Readonly<Record<string, string>> = {
  'passkeys.png': '#3366ff',
  'before.png': '#5c677d',
  'after.png': '#1f9e8f',
}

function placeholder(filename: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 30" preserveAspectRatio="xMidYMid slice">
<rect width="40" height="30" fill="${PLACEHOLDER_COLORS[filename]}"/><circle cx="20" cy="12" r="5" fill="#fff"/>
<path d="M10 30a10 10 0 0 1 20 0" fill="#fff"/></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

function pairOf(theme: (typeof THEMES)[number]): string {
  const background = theme === 'dark' ? '#101216' : '#e9ebee'
  const previews = [announcement, settings].map((tree, at) => {
    return `<div>${toHtml(tree, { theme, attachmentUrl: placeholder, idPrefix: `shot-${at}` })}</div>`
  })
  return `<!doctype html><html lang="en"><style>
body{margin:0;padding:16px;display:grid;grid-template-columns:1fr 1fr;gap:16px;align-items:start;width:868px;background:${background}}
.rapport-preview{border-radius:12px}</style>${previews.join('')}`
}

/** Pictures of the announcement and of the modal of the examples, as previews. */
export const preview: PictureSet = {
  source: async () => THEMES.map(pairOf).join('\n'),
  async draw(browser, folder) {
    for (const theme of THEMES) {
      const page = await browser.newPage({ viewport: { width: 900, height: 800 }, deviceScaleFactor: 1.25 })
      await page.setContent(pairOf(theme))
      await save(page, join(folder, `preview-${theme}.png`), true)
      await page.close()
    }
  },
}
