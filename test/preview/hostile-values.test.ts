import { text } from 'rapport-sdk/components'
import { toHtml } from 'rapport-sdk/preview'
import { describe, expect, test } from 'vitest'
import { cyclic, nested, ODD_VALUES, throwing, withThrowing } from '../components/hostile-values'
import { containerOf, labelOf, minimal, TYPE_VALUES } from '../components/json-components'
import { body, shown } from './body'

/** Where a value may turn up. */
const PLACES: readonly (readonly [string, (value: unknown) => unknown])[] = [
  ['as the whole', (value) => value],
  ['in a list', (value) => [value]],
  ['in a message', (value) => ({ flags: 32768, components: [value] })],
  ['as the components', (value) => ({ components: value })],
  ['as the title', (value) => ({ title: value, components: [] })],
  ['in a container', (value) => containerOf(value)],
  ['as an accessory', (value) => ({ type: 9, components: [], accessory: value })],
  ['in a label', (value) => labelOf(value)],
]

describe.each(PLACES)('%s', (_, put) => {
  test.each(ODD_VALUES)('%s does no harm', (__, make) => {
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
  test.each(FIELDS)('may have anything as its %s', (field) => {
    for (const [, make] of ODD_VALUES) {
      expect(toHtml({ ...minimal[type](), [field]: make() })).toMatch(/<\/div>$/)
    }
    expect(toHtml(withThrowing(minimal[type](), field))).toMatch(/<\/div>$/)
  })
})

test('what throws is said to be unreadable, and what stands beside it is shown', () => {
  expect(body([throwing(), text('A')])).toMatch(/^<div class="rp-stack"><div class="rp-box">Cannot be read<\/div>.*>A</)
})

test('an attachmentUrl that throws leaves a box with the name, and what stands beside it', () => {
  const attachmentUrl = (name: string) => {
    if (name === 'b.png') throw new Error('no')
    return `/${name}`
  }
  const items = ['a', 'b', 'c'].map((name) => ({ media: { url: `attachment://${name}.png` } }))
  const html = shown({ type: 12, items }, { attachmentUrl })
  expect(html.match(/<img src="\/[ac]\.png"/g)).toHaveLength(2)
  expect(html).toContain('<div class="rp-box">b.png</div>')
  expect(shown({ type: 13, file: { url: 'attachment://b.png' } }, { attachmentUrl })).toBe(
    '<div class="rp-file">b.png</div>',
  )
})

describe('options that are wrong are as good as absent', () => {
  const value = [
    { type: 13, file: { url: 'attachment://a' } },
    { type: 18, label: 'A', component: { type: 4 } },
  ]
  const given = (options: unknown): string => Reflect.apply(toHtml, undefined, [value, options])

  test.each(ODD_VALUES)('%s in place of them', (_, make) => {
    expect(given(make())).toBe(toHtml(value))
  })

  test.each(ODD_VALUES)('%s as each of them', (_, make) => {
    for (const name of ['theme', 'css', 'attachmentUrl', 'idPrefix'] as const) {
      const wrong = make()
      // Any text is a prefix, and `false` is what leaves the styles out.
      if ((name === 'idPrefix' && typeof wrong === 'string') || (name === 'css' && wrong === false)) continue
      expect(given({ [name]: wrong })).toBe(toHtml(value))
    }
  })

  test.each(['theme', 'css', 'attachmentUrl', 'idPrefix'])('a getter of %s that throws', (name) => {
    expect(given(withThrowing({}, name))).toBe(toHtml(value))
  })
})

test('what has no end is cut where it is too deep', () => {
  const html = body(cyclic())
  expect(html).toContain('Nested too deeply')
  expect(html.match(/rp-container/g)).toHaveLength(10)
  expect(body(nested(100_000, (inner) => containerOf(inner)))).toContain('Nested too deeply')
})

test('what is in itself many times is cut where it is too much', () => {
  const wide: Record<string, unknown> = { type: 17 }
  wide.components = Array.from({ length: 10 }, () => wide)
  const html = body(wide)
  expect(html).toContain('Preview truncated')
  expect(html.length).toBeLessThan(2_000_000)
})

test('a long text that is there many times is cut', () => {
  const long = text('q'.repeat(100_000))
  const html = body(Array.from({ length: 1000 }, () => long))
  expect(html.match(/q/g)?.length).toBe(2_000_000)
})
