import { button, checkbox, label, messageLegacy, messageV2, modal, row, text } from 'rapport-sdk/components'
import { previewCss, toHtml } from 'rapport-sdk/preview'
import { describe, expect, test } from 'vitest'
import { receivedMessage } from '../components/json-components'
import { renderBody } from './render'

const A = '<div class="rp-stack"><div class="rp-text" dir="auto"><div>A</div></div></div>'

test.each([
  ['a message', messageV2(text('A'))],
  ['an array', [text('A')]],
  ['a component', text('A')],
  ['a received message with a type field', { id: '1', type: 0, flags: 32768, components: [text('A')] }],
])('%s is rendered', (_, value) => {
  expect(renderBody(value)).toBe(A)
})

test('a legacy message shows its content, its embeds and its rows', () => {
  const embeds = [{ title: 'B' }, {}]
  const html = renderBody(messageLegacy({ content: '**A**', embeds }, row(button.primary('a', 'Go'))))
  expect(html).toMatch(
    /<strong>A<\/strong>.*<h3><span dir="auto">B<\/span><\/h3>.*<div class="rp-box">Embed<\/div><div class="rp-row">/,
  )
})

test('a message with IS_COMPONENTS_V2 shows neither content nor embeds', () => {
  expect(renderBody({ flags: 32768, content: 'B', embeds: [{}], components: [text('A')] })).toBe(A)
})

test.each([undefined, 0, 4, '32768'])('a message with the flags %j shows its content', (flags) => {
  expect(renderBody({ flags, content: 'B', components: [] })).toContain('<div>B</div>')
})

test('a modal has its title as heading and accessible name', () => {
  expect(renderBody(modal('m', 'Your "settings"', label('A', checkbox('a'))))).toMatch(
    /^<section class="rp-modal" aria-label="Your &#34;settings&#34;"><h2>Your &#34;settings&#34;<\/h2>/,
  )
})

describe('the buttons of a modal', () => {
  const form = modal('m', 'Settings', label('A', checkbox('a')))
  const buttons = () => renderBody(form).match(/<button.*?<\/button>/g)

  test('a modal has buttons in English that submit nothing, the main one last', () => {
    expect(buttons()).toEqual([
      '<button type="button" class="rp-button rp-style-2"><span>Cancel</span></button>',
      '<button type="button" class="rp-button rp-style-1"><span>Submit</span></button>',
    ])
  })

  test('a message has no such buttons', () => {
    expect(renderBody(messageV2(text('A')))).not.toContain('<button')
  })
})

describe('the author', () => {
  const author = { name: 'Ada <3 \u202e', avatarUrl: '/ada.png' }

  test('an option shows an author above a message, and above components, but not above a modal', () => {
    const line = `<div class="rp-line"><img class="rp-avatar" src="/ada.png" alt="" referrerpolicy="no-referrer">\
<strong dir="auto">Ada &#60;3 \u202e</strong></div>`
    for (const value of [messageV2(text('A')), text('A'), [text('A')]]) {
      expect(renderBody(value, { author })).toContain(`<div class="rp-stack">${line}<div class="rp-text"`)
    }
    expect(renderBody(modal('m', 'A', label('A', checkbox('a'))), { author })).not.toContain('Ada')
    expect(renderBody(messageV2(text('A')))).toBe(A)
  })

  test.each(['javascript:alert(1)', 'data:text/html,a', 'vbscript:a', 'file:///a', ' https://x.test', ''])(
    'a picture at %j is not shown, and the name is',
    (avatarUrl) => {
      const html = renderBody([], { author: { name: 'Ada', avatarUrl } })
      expect(html).toContain('>Ada<')
      expect(html).not.toContain('<img')
    },
  )
})

describe('the root element', () => {
  test.each(['auto', 'dark', 'light'] as const)('has the theme %s', (theme) => {
    expect(toHtml([], { theme, css: false })).toMatch(`<div class="rapport-preview" data-theme="${theme}">`)
  })

  test('contains the styles unless css is false', () => {
    expect(toHtml([])).toContain(`<style>${previewCss}</style>`)
    expect(toHtml(receivedMessage(), { css: false })).not.toMatch(/ style=|<style/)
  })

  test('the styles load nothing, contain no tag and select only elements of previews', () => {
    expect(previewCss).not.toMatch(/[<@]import|<|url\(/)
    const selectors = previewCss.replace(/\{[^{}]*\}/g, '\n').match(/^[^@\n}{]+/gm) ?? []
    expect(selectors.length).toBeGreaterThan(30)
    expect(selectors.filter((selector) => !/^\.(?:rapport-preview|rp-)/.test(selector.trim()))).toEqual([])
  })
})
