import { button, checkbox, label, messageLegacy, messageV2, modal, row, text } from 'rapport-sdk/components'
import { previewCss, toHtml } from 'rapport-sdk/preview'
import { describe, expect, test } from 'vitest'
import { receivedMessage } from '../components/received-trees'
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

test('a legacy message shows its content, a box for each embed, and its rows', () => {
  const html = renderBody(
    messageLegacy({ content: '**A**', embeds: [{ title: 'secret' }] }, row(button.primary('a', 'Go'))),
  )
  expect(html).toMatch(/<strong>A<\/strong>.*<div class="rp-box">Embed<\/div><div class="rp-row">/)
  expect(html).not.toContain('secret')
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

describe('the root element', () => {
  test.each(['auto', 'dark', 'light'] as const)('the root element has the theme %s', (theme) => {
    expect(toHtml([], { theme, css: false })).toMatch(`<div class="rapport-preview" data-theme="${theme}">`)
  })

  test('the root element contains the styles unless css is false', () => {
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
