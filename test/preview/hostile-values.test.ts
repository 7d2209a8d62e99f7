import { text } from 'rapport-sdk/components'
import { toHtml } from 'rapport-sdk/preview'
import { describe, expect, test } from 'vitest'
import { cyclic, nested, ODD_VALUES, throwing, withThrowing } from '../components/hostile-values'
import { containerOf, labelOf, minimal, TYPE_VALUES } from '../components/json-components'
import { render, renderBody } from './render'

/** Functions that put a value into a message, modal or component. */
const PLACES: readonly (readonly [string, (value: unknown) => unknown])[] = [
  ['as the root', (value) => value],
  ['in an array', (value) => [value]],
  ['in a message', (value) => ({ flags: 32768, components: [value] })],
  ['as the components', (value) => ({ components: value })],
  ['as the title', (value) => ({ title: value, components: [] })],
  ['in a container', (value) => containerOf(value)],
  ['as an accessory', (value) => ({ type: 9, components: [], accessory: value })],
  ['in a label', (value) => labelOf(value)],
  ['as the embeds', (value) => ({ embeds: value })],
  ['as an embed', (value) => ({ embeds: [value] })],
]

describe.each(PLACES)('%s', (_, put) => {
  test.each(ODD_VALUES)('toHtml renders a preview for %s', (_, make) => {
    expect(toHtml(put(make()))).toMatch(/^<div class="rapport-preview".*<\/div>$/s)
  })
})

const FIELDS = [
  'components',
  'component',
  'accessory',
  'label',
  'content',
  'options',
  'items',
  'media',
  'file',
  'url',
  'style',
]

describe.each(TYPE_VALUES)('a component of type %i', (type) => {
  test.each(FIELDS)('renders with any value as %s', (field) => {
    for (const [, make] of ODD_VALUES) {
      expect(toHtml({ ...minimal[type](), [field]: make() })).toMatch(/<\/div>$/)
    }
    expect(toHtml(withThrowing(minimal[type](), field))).toMatch(/<\/div>$/)
  })
})

test('a component that throws is shown as unreadable, and its siblings are rendered', () => {
  expect(renderBody([throwing(), text('A')])).toMatch(
    /^<div class="rp-stack"><div class="rp-box">Cannot be read<\/div>.*>A</,
  )
})

test('an attachmentUrl that throws leaves a box with the name, and its siblings are rendered', () => {
  const attachmentUrl = (name: string) => {
    if (name === 'b.png') throw new Error('no')
    return `/${name}`
  }
  const items = ['a', 'b', 'c'].map((name) => ({ media: { url: `attachment://${name}.png` } }))
  const html = render({ type: 12, items }, { attachmentUrl })
  expect(html.match(/<img src="\/[ac]\.png"/g)).toHaveLength(2)
  expect(html).toContain('<div class="rp-box">b.png</div>')
  expect(render({ type: 13, file: { url: 'attachment://b.png' } }, { attachmentUrl })).toBe(
    '<div class="rp-file">b.png</div>',
  )
})

const EMBED_FIELDS = 'title description url color fields author footer image thumbnail timestamp'.split(' ')

test.each(EMBED_FIELDS)('toHtml renders an embed with any value as %s, and with one that throws', (field) => {
  for (const [, make] of ODD_VALUES) {
    const part = { name: make(), value: make(), text: make(), url: make(), icon_url: make(), inline: make() }
    for (const value of [make(), part, [part]]) {
      expect(toHtml({ embeds: [{ title: 'A', [field]: value }] })).toMatch(/<\/div>$/)
    }
  }
  expect(renderBody({ embeds: [withThrowing({}, field), { title: 'A' }] })).toMatch(/Cannot be read.*>A</)
})

test('toHtml truncates embeds with too many fields, and with too much text', () => {
  const fields = Array.from({ length: 20_000 }, (_, at) => ({ name: `n${at}`, value: 'q', inline: true }))
  const html = renderBody({ embeds: [{ fields }, { title: 'B' }] })
  expect(html).toContain('Preview truncated')
  expect(html.match(/rp-inline/g)?.length).toBeLessThan(10_000)
  const description = 'q'.repeat(100_000)
  const long = renderBody({ embeds: Array.from({ length: 1000 }, () => ({ description })) })
  expect(long.match(/q/g)?.length).toBe(2_000_000)
})

test('toHtml cuts off cyclic and deeply nested components', () => {
  const html = renderBody(cyclic())
  expect(html).toContain('Nested too deeply')
  expect(html.match(/rp-container/g)).toHaveLength(10)
  expect(renderBody(nested(100_000, (inner) => containerOf(inner)))).toContain('Nested too deeply')
})

test('toHtml truncates components that contain themselves many times', () => {
  const wide: Record<string, unknown> = { type: 17 }
  wide.components = Array.from({ length: 10 }, () => wide)
  const html = renderBody(wide)
  expect(html).toContain('Preview truncated')
  expect(html.length).toBeLessThan(2_000_000)
})

test('toHtml truncates a long text that is repeated many times', () => {
  const long = text('q'.repeat(100_000))
  const html = renderBody(Array.from({ length: 1000 }, () => long))
  expect(html.match(/q/g)?.length).toBe(2_000_000)
})
