import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import { describe, expect, it } from 'vitest'
import { minimal, receivedMessage, TYPE_VALUES } from '../components/json-components'
import { announcement, gallery, poll, settings } from './preview-content'
import { previewBrowser, show } from './preview-page'

const axe = readFileSync(fileURLToPath(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url)), 'utf8')
const open = previewBrowser()

const MARKDOWN = `# A **b**\n-# small *print* with \`code\`\n> quoted [link](https://example.test)\n- one\n  1. two
\`\`\`js\nconst a = 'b' // 1\n2\n\`\`\`\n~~struck~~ __under__ ||hidden||
> ## <@1> <#2> <t:3> https://example.test
<@1> <@&2> <t:3:d>`

/** All components, in every state with its own colors. */
const allComponents = [
  { type: 10, content: MARKDOWN },
  { type: 17, components: [{ type: 10, content: MARKDOWN }], accent_color: 0xffff00 },
  ...TYPE_VALUES.map((type) => minimal[type]()),
  ...[1, 2, 3, 4, 5, 6].flatMap((style) => [
    { type: 2, style, label: 'Go', url: 'https://example.test', sku_id: '1' },
    { type: 2, style, label: 'Go', url: 'https://example.test', sku_id: '1', disabled: true },
  ]),
  { type: 3, options: [{ label: 'A', value: 'a' }], max_values: 2 },
  { type: 3, options: [{ label: 'A', value: 'a' }], disabled: true, placeholder: 'None' },
]

const line = { name: 'Ada', text: 'Ada', url: 'https://example.test', icon_url: 'attachment://a' }
const embed = {
  ...{ title: 'A', url: 'https://example.test', description: MARKDOWN, color: 0xffff00, timestamp: '2026-05-01' },
  ...{
    author: line,
    footer: line,
    image: line,
    thumbnail: line,
    fields: [{ name: 'B', value: MARKDOWN, inline: true }],
  },
}

describe.each(['light', 'dark'] as const)('the %s theme', (theme) => {
  it.each([
    ['the announcement', announcement],
    ['the poll', poll],
    ['the modal', settings],
    ['the gallery', gallery],
    ['a received message', receivedMessage()],
    ['all components', allComponents],
    ['an embed', { embeds: [embed] }],
  ])('the preview of %s has no serious axe violations', async (_, tree) => {
    const page = await open(480)
    await show(page, tree, theme)
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true
    })
    // The tests share a page, whose new content leaves the globals.
    if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
    const { violations, passes } = await page.evaluate(
      (): Promise<AxeResults> => Reflect.get(window, 'axe').run(document, { resultTypes: ['violations'] }),
    )
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    const found = serious.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => [id, html, failureSummary]),
    )
    expect(found).toEqual([])
    expect(passes.map(({ id }) => id)).toContain('color-contrast')
  })
})
