import {
  actionRow,
  attachment,
  button,
  channelSelect,
  checkboxGroup,
  container,
  file,
  galleryItem,
  groupOption,
  label,
  MessageFlags,
  mediaGallery,
  messageLegacy,
  messageV2,
  modal,
  option,
  radioGroup,
  row,
  type SelectOption,
  section,
  separator,
  stringSelect,
  text,
  textInput,
  thumbnail,
  toJSON,
  userSelect,
  validateComponent,
  validateMessage,
} from 'rapport-sdk/components'
import { describe, expect, test } from 'vitest'

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const wireText = (content: string) => ({ type: 10, content })
const go = button.primary('go')
const wireGo = { type: 2, style: 1, custom_id: 'go' }
const a = groupOption('A', 'a')
const isAdmin = false as boolean
const nothing = [null, undefined, false] as const

describe('children', () => {
  test.each<readonly [name: string, create: object, children: unknown]>([
    ['row', row(null, isAdmin && go, [undefined, [go, [false]]]), { type: 1, components: [wireGo] }],
    ['section', section('A', nothing, [['B']]), { type: 9, components: [wireText('A'), wireText('B')] }],
    ['container', container(nothing, [['A']], text('B')), { type: 17, components: [wireText('A'), wireText('B')] }],
    ['mediaGallery', mediaGallery(nothing, [galleryItem('a:b')]), { type: 12, items: [{ media: { url: 'a:b' } }] }],
    [
      'messageV2',
      messageV2(isAdmin && text('A'), [[row(go)]], 'B'),
      {
        flags: 32768,
        components: [{ type: 1, components: [wireGo] }, wireText('B')],
      },
    ],
    ['messageLegacy', messageLegacy({}, nothing, [[row(go)]]), { components: [{ type: 1, components: [wireGo] }] }],
    ['modal', modal('m', 'M', nothing, [['A']]), { custom_id: 'm', title: 'M', components: [wireText('A')] }],
    ['stringSelect', stringSelect('s', nothing, [[a]]), { type: 3, custom_id: 's', options: [{ ...a }] }],
    ['radioGroup', radioGroup('r', isAdmin && a, [a, a]), { type: 21, custom_id: 'r', options: [{ ...a }, { ...a }] }],
    ['checkboxGroup', checkboxGroup('c', nothing, a, [a]), { type: 22, custom_id: 'c', options: [{ ...a }, { ...a }] }],
    ['addComponents of a row', row(go).addComponents(nothing, [[go]]), { type: 1, components: [wireGo, wireGo] }],
    [
      'addComponents of a container',
      container('A').addComponents(isAdmin && 'B', ['C']),
      {
        type: 17,
        components: [wireText('A'), wireText('C')],
      },
    ],
    ['addOptions', stringSelect('s').addOptions(nothing, [[a]]), { type: 3, custom_id: 's', options: [{ ...a }] }],
    [
      'addItems',
      mediaGallery('a:b').addItems(nothing, ['c:d']),
      {
        type: 12,
        items: [{ media: { url: 'a:b' } }, { media: { url: 'c:d' } }],
      },
    ],
    [
      'withChannelTypes',
      channelSelect('c').withChannelTypes(nothing, [[0]]),
      {
        type: 8,
        custom_id: 'c',
        channel_types: [0],
      },
    ],
  ])('%s flattens arrays and skips null, undefined and false', (_, created, json) => {
    expect(plain(created)).toEqual(json)
  })

  test('long arrays are flattened, and their holes are skipped', () => {
    const create = (index: number): SelectOption | null => (index % 2 ? option(`${index}`, `${index}`) : null)
    const options = Array.from({ length: 200 }, (_, index) => create(index))
    options[500] = option('last', 'last')
    expect(stringSelect('s', options).options).toHaveLength(101)
    expect(stringSelect('s', options).options.at(-1)).toEqual({ label: 'last', value: 'last' })
  })

  test('an array that contains itself is left for the validators to reject', () => {
    const cyclic: unknown[] = [text('A')]
    cyclic.push(cyclic)
    expect(validateMessage(messageV2(cyclic as never)).ok).toBe(false)
  })

  test('arrays of the caller are copied, at every level', () => {
    const inner = ['A']
    const outer = [inner]
    const created = container(outer)
    inner.push('B')
    outer.push(['C'])
    expect(created.components).toHaveLength(1)
    expect(Object.isFrozen(created.components)).toBe(true)
  })
})

describe('strings', () => {
  test('become text displays and URLs become media', () => {
    const message = messageV2('A', container('B', section('C').withAccessory(go), mediaGallery(attachment('a.png'))))
    expect(plain(message)).toEqual({
      flags: 32768,
      components: [
        wireText('A'),
        {
          type: 17,
          components: [
            wireText('B'),
            { type: 9, components: [wireText('C')], accessory: wireGo },
            { type: 12, items: [{ media: { url: 'attachment://a.png' } }] },
          ],
        },
      ],
    })
    expect(validateMessage(message).ok).toBe(true)
    expect(message.components[0]).toHaveProperty('withContent')
  })

  test('an empty string becomes an empty text display, which validation rejects', () => {
    expect(validateMessage(messageV2('')).ok).toBe(false)
  })

  test.each([
    ['🔥', { name: '🔥' }],
    ['<:blob:123>', { id: '123', name: 'blob' }],
    ['<a:party_blob:123>', { id: '123', name: 'party_blob', animated: true }],
    ['blob:123', { id: '123', name: 'blob' }],
    [':blob:123', { id: '123', name: 'blob' }],
    ['a:blob:123', { id: '123', name: 'blob', animated: true }],
    ['a:123', { id: '123', name: 'a' }],
    ['123', { id: '123' }],
    ['🏴󠁧󠁢󠁥󠁮󠁧󠁿', { name: '🏴󠁧󠁢󠁥󠁮󠁧󠁿' }],
    ['👩🏽‍🚀', { name: '👩🏽‍🚀' }],
    ['1️⃣', { name: '1️⃣' }],
    ['#️⃣', { name: '#️⃣' }],
    ['©️', { name: '©️' }],
    ['🇩🇪', { name: '🇩🇪' }],
  ])('withEmoji(%j) sets an emoji', (emoji, wire) => {
    expect(plain(go.withEmoji(emoji))).toEqual({ ...wireGo, emoji: wire })
    expect(plain(option('A', 'a').withEmoji(emoji))).toEqual({ label: 'A', value: 'a', emoji: wire })
  })

  test.each([
    ':fire:',
    'fire',
    '',
    ' 🔥',
    ':🔥:',
    '<:bad name:1>',
    '<:né:1>',
    '<:blob:>',
    'https://example.test/a.png',
    'é',
    '1é',
    '日本',
  ])('validation refuses the emoji %j, which is not a name', (emoji) => {
    expect(validateComponent(go.withEmoji(emoji))).toMatchObject({ ok: false, issues: [{ path: ['emoji'] }] })
    const select = stringSelect('s', option('A', 'a').withEmoji(emoji))
    expect(validateComponent(select)).toMatchObject({ ok: false, issues: [{ path: ['options', 0, 'emoji'] }] })
  })
})

const input = textInput.small('t')
const select = userSelect('u')
const line = separator()
test.each<readonly [name: string, after: object, before: object]>([
  ['withId', go.withId(undefined), go],
  ['withLabel', go.withLabel('A').withLabel(undefined), go],
  ['withEmoji', go.withEmoji(undefined), go],
  ['withDisabled of a button', go.withDisabled(undefined), go],
  ['withDisabled of a select', select.withDisabled(undefined), select],
  ['withRequired', input.withRequired(undefined), input],
  ['withPlaceholder', input.withPlaceholder(undefined), input],
  ['withMinLength', input.withMinLength(undefined), input],
  ['withMaxLength', input.withMaxLength(undefined), input],
  ['withValue', input.withValue(undefined), input],
  ['withMinValues', select.withMinValues(undefined), select],
  ['withMaxValues', select.withMaxValues(undefined), select],
  ['withDefaultValues', select.withDefaultValues(undefined), select],
  ['withChannelTypes', channelSelect('c').withChannelTypes(undefined), channelSelect('c')],
  ['withDescription', thumbnail('a:b').withDescription(undefined), thumbnail('a:b')],
  ['withSpoiler', file('attachment://a').withSpoiler(undefined), file('attachment://a')],
  ['withDefault', a.withDefault(undefined), a],
  ['withSpacing', line.withSpacing(undefined), line],
  ['withDivider', line.withDivider(undefined), line],
  ['withAccentColor', container(line).withAccentColor(undefined), container(line)],
  ['withDescription of a label', label('A', input).withDescription(undefined), label('A', input)],
])('%s leaves its field unset if it receives undefined', (_, after, before) => {
  expect(plain(after)).toEqual(plain(before))
  expect(Object.keys(after)).toEqual(Object.keys(before))
})

test('withDisabled(undefined) removes an earlier value', () => {
  expect(go.withDisabled().withDisabled(undefined)).not.toHaveProperty('disabled')
})

describe('the fields of a v2 message', () => {
  test('messageV2 adds flags and takes other fields of a message', () => {
    const message = messageV2({ flags: MessageFlags.EPHEMERAL, allowed_mentions: { parse: [] } }, 'A', row(go))
    expect(plain(message)).toEqual({
      flags: 32832,
      allowed_mentions: { parse: [] },
      components: [wireText('A'), { type: 1, components: [wireGo] }],
    })
    expect(Object.isFrozen(message.allowed_mentions)).toBe(true)
    expect(messageV2({ flags: undefined }, 'A').flags).toBe(32768)
    expect(messageV2({}).components).toEqual([])
  })

  test('messageV2 takes fields only as the first argument', () => {
    expect(validateMessage(messageV2('A', { flags: 64 } as never)).ok).toBe(false)
  })
})

test('actionRow is row', () => {
  expect(actionRow).toBe(row)
})

test('toJSON returns a plain, mutable deep copy', () => {
  const message = messageV2(container('A', row(go)))
  const json = toJSON(message)
  expect(json).toEqual(plain(message))
  json.components.push({ type: 10, content: 'B' })
  expect(Object.getPrototypeOf(json.components[0])).toBe(Object.prototype)
  expect(message.components).toHaveLength(1)
})
