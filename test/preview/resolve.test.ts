import { option, row, stringSelect } from 'rapport-sdk/components'
import { type PreviewResolvers, toHtml } from 'rapport-sdk/preview'
import { describe, expect, test } from 'vitest'
import { ODD_VALUES } from '../components/hostile-values'
import { PAYLOADS } from './hostile-input'
import { render, renderLine } from './render'

const EMOJI_URL = 'https://cdn.test/4.png'
const mention = (text: string) => `<span class="rp-mention" dir="auto">${text}</span>`
const emoji = `<img class="rp-emoji" src="${EMOJI_URL}" alt=":wave:" title=":wave:" referrerpolicy="no-referrer">`

/** Resolvers with a name for every ID. */
const resolve: PreviewResolvers = {
  user: (id) => `User ${id}`,
  role: (id) => `Role ${id}`,
  channel: (id) => `channel-${id}`,
  emoji: () => EMOJI_URL,
  time: (date, style) => `${date.getTime()} ${style}`,
}

const lineWith = (content: string, resolvers: PreviewResolvers): string =>
  render({ type: 10, content }, { resolve: resolvers }).replace(/^<div [^>]*><div>(.*)<\/div><\/div>$/s, '$1')

describe('without resolvers', () => {
  test.each([
    ['<@123>', mention('@123')],
    ['<@!123>', mention('@123')],
    ['<@&123>', mention('@123')],
    ['<#123>', mention('#123')],
    ['</ban user:123>', mention('/ban user')],
    ['@everyone', mention('@everyone')],
    ['@here!', `${mention('@here')}!`],
    ['<:wave:4>', ':wave:'],
    ['<a:wave:4>', ':wave:'],
  ])('%j is rendered as readable text', (text, html) => {
    expect(renderLine(text)).toBe(html)
  })

  test.each([
    ['<t:1777636805>', '2026-05-01 12:00 UTC'],
    ['<t:1777636805:f>', '2026-05-01 12:00 UTC'],
    ['<t:1777636805:F>', '2026-05-01 12:00 UTC'],
    ['<t:1777636805:s>', '2026-05-01 12:00 UTC'],
    ['<t:1777636805:S>', '2026-05-01 12:00:05 UTC'],
    ['<t:1777636805:R>', '2026-05-01 12:00 UTC'],
    ['<t:1777636805:t>', '12:00 UTC'],
    ['<t:1777636805:T>', '12:00:05 UTC'],
    ['<t:1777636805:d>', '2026-05-01'],
    ['<t:1777636805:D>', '2026-05-01'],
  ])('the timestamp %s is rendered as %s', (text, shown) => {
    expect(renderLine(text)).toBe(`<time class="rp-time" datetime="2026-05-01T12:00:05.000Z">${shown}</time>`)
  })

  test('a timestamp before 1970 or after the year 9999 is rendered', () => {
    expect(renderLine('<t:-1:d>')).toContain('>1969-12-31</time>')
    expect(renderLine('<t:253402300800:d>')).toContain('>+010000-01-01</time>')
  })

  test.each(['<t:99999999999999>', '<t:1:x>', '<t:a>', '<@a>', '<#>', '<:wave:>', '<b>', '< @1>', '<javascript:1>'])(
    '%j is rendered as written',
    (text) => {
      expect(renderLine(text)).toBe(text.replace('<', '&#60;').replace('>', '&#62;'))
    },
  )

  test('a mention in code, or after a backslash, is rendered as written', () => {
    expect(renderLine('`<@1>`')).toBe('<code>&#60;@1&#62;</code>')
    expect(renderLine('\\<@1>')).toBe('&#60;@1&#62;')
  })
})

describe('with resolvers', () => {
  test.each([
    ['<@1>', mention('@User 1')],
    ['<@!1>', mention('@User 1')],
    ['<@&2>', mention('@Role 2')],
    ['<#3>', mention('#channel-3')],
    ['**<@1>**', `<strong>${mention('@User 1')}</strong>`],
    ['<:wave:4>', emoji],
    ['<t:5:R>', '<time class="rp-time" datetime="1970-01-01T00:00:05.000Z">5000 R</time>'],
    ['<t:5>', '<time class="rp-time" datetime="1970-01-01T00:00:05.000Z">5000 f</time>'],
  ])('%j is rendered as %j', (text, html) => {
    expect(lineWith(text, resolve)).toBe(html)
  })

  test('the function for emoji receives the ID, the name and whether the emoji is animated', () => {
    const calls: unknown[][] = []
    const record = (...args: unknown[]) => {
      calls.push(args)
      return undefined
    }
    lineWith('<:wave:4> <a:spin:5>', { emoji: record })
    render({ type: 2, style: 1, emoji: { id: '6', name: 'go', animated: true } }, { resolve: { emoji: record } })
    expect(calls).toEqual([
      ['4', 'wave', false],
      ['5', 'spin', true],
      ['6', 'go', true],
    ])
  })

  test('a method of an object with state resolves names', () => {
    class Names {
      readonly names = new Map([['1', 'Nelly']])
      user(id: string): string | undefined {
        return this.names.get(id)
      }
    }
    expect(lineWith('<@1> <@2>', new Names())).toBe(`${mention('@Nelly')} ${mention('@2')}`)
  })

  test('a button shows the picture of a custom emoji, and an option of a select its name', () => {
    const custom = { id: '4', name: 'wave' }
    expect(render({ type: 2, style: 1, label: 'Go', emoji: custom }, { resolve })).toContain(`<span>${emoji} Go</span>`)
    const select = { ...stringSelect('s', option('A', 'a')), options: [{ label: 'A', value: 'a', emoji: custom }] }
    expect(render(row(select), { resolve })).toContain('<option value="a">:wave: A</option>')
  })

  test('a select shows the names of its default values', () => {
    const default_values = ['user', 'role', 'channel'].map((type, id) => ({ id: `${id}`, type }))
    const html = render({ type: 7, custom_id: 's', default_values, max_values: 3 }, { resolve })
    expect(html).toContain('<summary>@User 0, @Role 1, #channel-2</summary>')
  })
})

describe('resolvers that return unexpected values', () => {
  const content = '<@1> <@&2> <#3> <:wave:4> <t:5>'
  const expected = renderLine(content)

  test.each(ODD_VALUES)('are ignored: %s', (_, make) => {
    for (const name of Object.keys(resolve)) expect(lineWith(content, { [name]: make() })).toBe(expected)
  })

  test.each(ODD_VALUES)('are ignored if they return %s', (_, make) => {
    const value = make()
    if (typeof value === 'string' && value !== '') return
    const odd = Object.fromEntries(Object.keys(resolve).map((name) => [name, () => value]))
    expect(Reflect.apply(lineWith, undefined, [content, odd])).toBe(expected)
  })

  test('leave readable text if they throw', () => {
    const failing = () => {
      throw new Error('no')
    }
    const all = { user: failing, role: failing, channel: failing, emoji: failing, time: failing }
    expect(lineWith(content, all)).toBe(expected)
  })

  test.each(PAYLOADS)('the name %j is escaped', (payload) => {
    const all = Object.fromEntries(Object.keys(resolve).map((name) => [name, () => payload]))
    const html = Reflect.apply(lineWith, undefined, [content, all])
    expect(html.replace(/<\/?(?:span|time|img)(?: [a-z]+="[^"<>]*")*>/g, '')).not.toMatch(/[<>"']/)
    expect(html).not.toMatch(/ src="(?!https?:\/\/|\/|blob:|data:image\/)/i)
  })

  test.each(['javascript:alert(1)', 'data:text/html,a', 'a.png', 'ftp://x.test'])(
    'the URL %j of an emoji is not loaded',
    (url) => {
      expect(lineWith('<:wave:4>', { emoji: () => url })).toBe(':wave:')
    },
  )

  test('long names are cut at the limit of two million characters', () => {
    const long = 'q'.repeat(100_000)
    const html = toHtml({ type: 10, content: '<@1>'.repeat(100) }, { resolve: { user: () => long } })
    expect(html.match(/q/g)?.length).toBeLessThanOrEqual(2_000_000)
  })
})
