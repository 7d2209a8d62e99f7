import { button, checkbox, label, messageLegacy, messageV2, modal, row, text } from 'rapport-sdk/components'
import { previewCss, toHtml } from 'rapport-sdk/preview'
import { describe, expect, test } from 'vitest'
import { receivedMessage } from '../components/received-trees'
import { body } from './body'

const A = '<div class="rp-stack"><div class="rp-text" dir="auto"><div>A</div></div></div>'

test.each([
  ['a message', messageV2(text('A'))],
  ['a list', [text('A')]],
  ['a component', text('A')],
  ['a received message, which has a type of its own', { id: '1', type: 0, flags: 32768, components: [text('A')] }],
])('%s is shown', (_, value) => {
  expect(body(value)).toBe(A)
})

test('a message without the flag shows its content, a box for each embed, and its rows', () => {
  const html = body(messageLegacy({ content: '**A**', embeds: [{ title: 'secret' }] }, row(button.primary('a', 'Go'))))
  expect(html).toMatch(/<strong>A<\/strong>.*<div class="rp-box">Embed<\/div><div class="rp-row">/)
  expect(html).not.toContain('secret')
})

test('with the flag, content and embeds do not work', () => {
  expect(body({ flags: 32768, content: 'B', embeds: [{}], components: [text('A')] })).toBe(A)
})

test('a modal has its title over it', () => {
  expect(body(modal('m', 'Your "settings"', label('A', checkbox('a'))))).toMatch(
    /^<section class="rp-modal" aria-label="Your &#34;settings&#34;"><h2>Your &#34;settings&#34;<\/h2>/,
  )
})

describe('the root', () => {
  test.each(['auto', 'dark', 'light'] as const)('says that its theme is %s', (theme) => {
    expect(toHtml([], { theme, css: false })).toMatch(`<div class="rapport-preview" data-theme="${theme}">`)
  })

  test('has the styles in it, or leaves them to the page', () => {
    expect(toHtml([])).toContain(`<style>${previewCss}</style>`)
    expect(toHtml(receivedMessage(), { css: false })).not.toMatch(/ style=|<style/)
  })

  test('has styles that cannot end early, and that touch nothing but previews', () => {
    expect(previewCss).not.toMatch(/[<@]import|<|url\(/)
    const selectors = previewCss.replace(/\{[^{}]*\}/g, '\n').match(/^[^@\n}{]+/gm) ?? []
    expect(selectors.length).toBeGreaterThan(30)
    expect(selectors.filter((selector) => !/^\.(?:rapport-preview|rp-)/.test(selector.trim()))).toEqual([])
  })
})
