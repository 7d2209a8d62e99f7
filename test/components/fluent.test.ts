import {
  button,
  channelSelect,
  checkbox,
  checkboxGroup,
  container,
  file,
  fileUpload,
  galleryItem,
  groupOption,
  label,
  mediaGallery,
  option,
  roleSelect,
  row,
  section,
  separator,
  stringSelect,
  text,
  textInput,
  thumbnail,
  userSelect,
} from 'rapport-sdk/components'
import { expect, test } from 'vitest'
import type { PlainObject } from './json-components'

const go = button.primary('go')
const link = button.link('https://example.test')
const line = separator()
const input = textInput.small('t')
const gallery = mediaGallery(galleryItem('https://example.test/a'))
const user = { id: '1', type: 'user' }
const one = groupOption('A', 'a')
const group = checkboxGroup('c', one, one)
const select = stringSelect('s', option('A', 'a'))

// A component before and after a method call, and the changed fields.
const METHODS: readonly (readonly [method: string, before: object, after: object, changed: PlainObject])[] = [
  ['withLabel', go, go.withLabel('Go'), { label: 'Go' }],
  ['withLabel', option('A', 'a'), option('A', 'a').withLabel('B'), { label: 'B' }],
  ['withLabel', label('A', checkbox('c')), label('A', checkbox('c')).withLabel('B'), { label: 'B' }],
  ['withLabel', input, input.withLabel('A name'), { label: 'A name' }],
  ['withEmoji', go, go.withEmoji({ name: '🔥' }), { emoji: { name: '🔥' } }],
  ['withEmoji', option('A', 'a'), option('A', 'a').withEmoji({ id: '1' }), { emoji: { id: '1' } }],
  ['withDisabled', go, go.withDisabled(), { disabled: true }],
  ['withDisabled', go, go.withDisabled(false), { disabled: false }],
  ['withDisabled', select, select.withDisabled(true), { disabled: true }],
  ['withUrl', link, link.withUrl('https://example.test/2'), { url: 'https://example.test/2' }],
  ['withCustomId', go, go.withCustomId('b'), { custom_id: 'b' }],
  ['withCustomId', checkbox('c'), checkbox('c').withCustomId('d'), { custom_id: 'd' }],
  ['withId', line, line.withId(7), { id: 7 }],
  ['withId', link, link.withId(0), { id: 0 }],
  ['withPlaceholder', select, select.withPlaceholder('Choose'), { placeholder: 'Choose' }],
  ['withPlaceholder', input, input.withPlaceholder('Type'), { placeholder: 'Type' }],
  ['withMinValues', select, select.withMinValues(0), { min_values: 0 }],
  ['withMaxValues', group, group.withMaxValues(2), { max_values: 2 }],
  ['withMinValues', fileUpload('f'), fileUpload('f').withMinValues(2), { min_values: 2 }],
  ['withDefaultValues', userSelect('u'), userSelect('u').withDefaultValues(user), { default_values: [user] }],
  ['withDefaultValues', roleSelect('u'), roleSelect('u').withDefaultValues([]), { default_values: [] }],
  ['withChannelTypes', channelSelect('c'), channelSelect('c').withChannelTypes(0, 5), { channel_types: [0, 5] }],
  ['withChannelTypes', channelSelect('c'), channelSelect('c').withChannelTypes([2]), { channel_types: [2] }],
  ['withRequired', input, input.withRequired(), { required: true }],
  ['withRequired', fileUpload('f'), fileUpload('f').withRequired(false), { required: false }],
  ['withDescription', label('A', input), label('A', input).withDescription('B'), { description: 'B' }],
  ['withDescription', one, one.withDescription('B'), { description: 'B' }],
  ['withDescription', thumbnail('a:b'), thumbnail('a:b').withDescription('B'), { description: 'B' }],
  ['withSpoiler', container(line), container(line).withSpoiler(), { spoiler: true }],
  ['withSpoiler', galleryItem('a:b'), galleryItem('a:b').withSpoiler(false), { spoiler: false }],
  ['withSpoiler', file('attachment://a'), file('attachment://a').withSpoiler(), { spoiler: true }],
  ['withSpacing', line, line.withSpacing('small'), { spacing: 1 }],
  ['withSpacing', line, line.withSpacing('large'), { spacing: 2 }],
  ['withDivider', line, line.withDivider(), { divider: true }],
  ['withDivider', line, line.withDivider(false), { divider: false }],
  ['withAccentColor', container(line), container(line).withAccentColor(0x3366ff), { accent_color: 0x3366ff }],
  ['withAccentColor', container(line), container(line).withAccentColor(0), { accent_color: 0 }],
  ['withAccentColor', container(line), container(line).withAccentColor(null), { accent_color: null }],
  ['withAccessory', section('A'), section('A').withAccessory(go), { accessory: { ...go } }],
  ['withMinLength', input, input.withMinLength(0), { min_length: 0 }],
  ['withMaxLength', input, input.withMaxLength(10), { max_length: 10 }],
  ['withValue', input, input.withValue(''), { value: '' }],
  ['withValue', option('A', 'a'), option('A', 'a').withValue('b'), { value: 'b' }],
  ['withDefault', checkbox('c'), checkbox('c').withDefault(), { default: true }],
  ['withDefault', one, one.withDefault(false), { default: false }],
  ['addOptions', select, select.addOptions(one, one), { options: [{ label: 'A', value: 'a' }, one, one] }],
  ['addOptions', group, group.addOptions([one]), { options: [one, one, one] }],
  ['addComponents', row(go), row(go).addComponents(link, link), { components: [go, link, link] }],
  ['addComponents', container(line), container(line).addComponents([line]), { components: [line, line] }],
  ['addComponents', section('A'), section('A').addComponents('B'), { components: [text('A'), text('B')] }],
  ['addItems', gallery, gallery.addItems(galleryItem('a:b')), { items: [...gallery.items, { media: { url: 'a:b' } }] }],
  [
    'addItems',
    gallery,
    gallery.addItems([galleryItem('a:b')]),
    { items: [...gallery.items, { media: { url: 'a:b' } }] },
  ],
]

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

test.each(METHODS)('%s returns a new component with the changed field', (_, before, after, changed) => {
  const original = plain(before)
  expect(after).not.toBe(before)
  expect(plain(after)).toEqual({ ...Object(original), ...Object(plain(changed)) })
  expect(plain(before)).toEqual(original)
})

test.each(METHODS)('%s returns a component with the same methods', (_, before, after) => {
  expect(Object.getPrototypeOf(after)).toBe(Object.getPrototypeOf(before))
})

test('the last call of a method overrides earlier ones', () => {
  expect(plain(go.withLabel('A').withDisabled().withLabel('B').withDisabled(false))).toEqual({
    type: 2,
    style: 1,
    custom_id: 'go',
    label: 'B',
    disabled: false,
  })
})

test.each([
  ['a primary button', go, ['withCustomId', 'withDisabled', 'withEmoji', 'withId', 'withLabel']],
  ['a link button', link, ['withDisabled', 'withEmoji', 'withId', 'withLabel', 'withUrl']],
  ['a premium button', button.premium('1'), ['withDisabled', 'withId', 'withSkuId']],
  [
    'a text input',
    input,
    [
      'withCustomId',
      'withId',
      'withLabel',
      'withMaxLength',
      'withMinLength',
      'withPlaceholder',
      'withRequired',
      'withValue',
    ],
  ],
  ['a row', row(go), ['addComponents', 'withId']],
])('%s has only methods for the fields that it may have', (_, component, methods) => {
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(component))
  expect(names.filter((name) => /^(?:with|add)/.test(name)).toSorted()).toEqual(methods)
})

test('methods are not enumerable', () => {
  for (const [, before, after] of METHODS) {
    for (const component of [before, after]) {
      expect(Object.values(component).filter((value) => typeof value === 'function')).toEqual([])
      const enumerated: string[] = []
      for (const key in component) enumerated.push(key)
      expect(enumerated).toEqual(Object.keys(component))
    }
  }
})

// Invalid states do not compile, and JavaScript finds no method either.
test.each<readonly [string, object, string]>([
  ['a link', link, 'withCustomId'],
  ['a link', link, 'withSkuId'],
  ['a primary button', go, 'withUrl'],
  ['a primary button', go, 'withSkuId'],
  ['a primary button', go, 'withRequired'],
  ['a premium button', button.premium('1'), 'withLabel'],
  ['a premium button', button.premium('1'), 'withEmoji'],
  ['a premium button', button.premium('1'), 'withCustomId'],
  ['a premium button', button.premium('1'), 'withUrl'],
  ['a user select', userSelect('u'), 'withChannelTypes'],
  ['a user select', userSelect('u'), 'addOptions'],
  ['a string select', select, 'withDefaultValues'],
  ['a text input', input, 'withDisabled'],
  ['a file upload', fileUpload('f'), 'withDisabled'],
  ['a checkbox', checkbox('c'), 'withRequired'],
  ['a file', file('attachment://a'), 'withName'],
  ['a file', file('attachment://a'), 'withSize'],
  ['a group option', one, 'withEmoji'],
  ['a separator', line, 'withType'],
])('%s has no method %s', (_, component, method) => {
  expect(Reflect.get(component, method)).toBeUndefined()
})
