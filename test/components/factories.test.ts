import { inspect } from 'node:util'
import {
  attachment,
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
  mentionableSelect,
  messageLegacy,
  messageV2,
  modal,
  option,
  radioGroup,
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

const go = button.primary('go', 'Go')
const a = groupOption('A', 'a')
const b = groupOption('B', 'b')
const media = { url: 'https://example.test/a.png' }
const wireGo = { type: 2, style: 1, custom_id: 'go', label: 'Go' }
const wireText = { type: 10, content: 'A text' }
const wireOptions = [
  { label: 'A', value: 'a' },
  { label: 'B', value: 'b' },
]

// Components, and their JSON by the tables of the API.
const COMPONENTS: readonly (readonly [name: string, component: object, json: object])[] = [
  ['a primary button', go, wireGo],
  ['a secondary button', button.secondary('a', 'A'), { type: 2, style: 2, custom_id: 'a', label: 'A' }],
  ['a success button', button.success('a', 'A'), { type: 2, style: 3, custom_id: 'a', label: 'A' }],
  ['a danger button', button.danger('a', 'A'), { type: 2, style: 4, custom_id: 'a', label: 'A' }],
  ['a button without a label', button.primary('a'), { type: 2, style: 1, custom_id: 'a' }],
  ['a link', button.link(media.url, 'A'), { type: 2, style: 5, url: media.url, label: 'A' }],
  ['a link without a label', button.link(media.url), { type: 2, style: 5, url: media.url }],
  ['a premium button', button.premium('12'), { type: 2, style: 6, sku_id: '12' }],
  ['an empty row', row(), { type: 1, components: [] }],
  ['a row with buttons', row(go, go), { type: 1, components: [wireGo, wireGo] }],
  ['a row from an array', row([go]), { type: 1, components: [wireGo] }],
  [
    'a row from a literal',
    row({ type: 2, style: 6, sku_id: '1' }),
    { type: 1, components: [{ type: 2, style: 6, sku_id: '1' }] },
  ],
  ['a row with a select', row(userSelect('u')), { type: 1, components: [{ type: 5, custom_id: 'u' }] }],
  [
    'a row with a text input',
    row(textInput.small('t')),
    { type: 1, components: [{ type: 4, custom_id: 't', style: 1 }] },
  ],
  [
    'a string select',
    stringSelect('s', option('A', 'a')),
    { type: 3, custom_id: 's', options: [{ label: 'A', value: 'a' }] },
  ],
  ['a string select from an array', stringSelect('s', [a, b]), { type: 3, custom_id: 's', options: wireOptions }],
  ['a string select without options', stringSelect('s'), { type: 3, custom_id: 's', options: [] }],
  ['a user select', userSelect('s'), { type: 5, custom_id: 's' }],
  ['a role select', roleSelect('s'), { type: 6, custom_id: 's' }],
  ['a mentionable select', mentionableSelect('s'), { type: 7, custom_id: 's' }],
  ['a channel select', channelSelect('s'), { type: 8, custom_id: 's' }],
  ['an option', option('A', 'a'), { label: 'A', value: 'a' }],
  ['a small text input', textInput.small('t'), { type: 4, custom_id: 't', style: 1 }],
  ['a paragraph text input', textInput.paragraph('t'), { type: 4, custom_id: 't', style: 2 }],
  ['a section without an accessory', section('A text'), { type: 9, components: [wireText] }],
  ['a section', section('A text').withAccessory(go), { type: 9, components: [wireText], accessory: wireGo }],
  ['a section from an array', section(['A text', text('A text')]), { type: 9, components: [wireText, wireText] }],
  ['a text', text('A text'), wireText],
  ['a thumbnail', thumbnail(media.url), { type: 11, media }],
  ['a thumbnail from an object', thumbnail(media), { type: 11, media }],
  ['an attachment', { url: attachment('a b.png') }, { url: 'attachment://a b.png' }],
  ['a gallery', mediaGallery(galleryItem(media.url), { media }), { type: 12, items: [{ media }, { media }] }],
  ['a gallery from an array', mediaGallery([galleryItem(media)]), { type: 12, items: [{ media }] }],
  ['a gallery item', galleryItem(attachment('a.png')), { media: { url: 'attachment://a.png' } }],
  ['a file', file(attachment('a.txt')), { type: 13, file: { url: 'attachment://a.txt' } }],
  ['a file from an object', file({ url: 'attachment://a.txt' }), { type: 13, file: { url: 'attachment://a.txt' } }],
  ['a separator', separator(), { type: 14 }],
  ['a container', container(text('A text'), separator()), { type: 17, components: [wireText, { type: 14 }] }],
  ['a container from an array', container([separator()]), { type: 17, components: [{ type: 14 }] }],
  ['a label', label('A', checkbox('c')), { type: 18, label: 'A', component: { type: 23, custom_id: 'c' } }],
  ['a file upload', fileUpload('f'), { type: 19, custom_id: 'f' }],
  ['a radio group', radioGroup('r', a, b), { type: 21, custom_id: 'r', options: wireOptions }],
  ['a checkbox group', checkboxGroup('c', [a, b]), { type: 22, custom_id: 'c', options: wireOptions }],
  ['a group option', a, { label: 'A', value: 'a' }],
  ['a checkbox', checkbox('c'), { type: 23, custom_id: 'c' }],
  ['a v2 message', messageV2(text('A text')), { flags: 32768, components: [wireText] }],
  ['a v2 message from an array', messageV2([text('A text')]), { flags: 32768, components: [wireText] }],
  ['an empty v2 message', messageV2(), { flags: 32768, components: [] }],
  [
    'a legacy message',
    messageLegacy({ content: 'Hello', embeds: [] }, row(go), row(go)),
    { content: 'Hello', embeds: [], components: [1, 2].map(() => ({ type: 1, components: [wireGo] })) },
  ],
  [
    'a legacy message from an array',
    messageLegacy({ content: 'Hello' }, [row(go)]),
    { content: 'Hello', components: [{ type: 1, components: [wireGo] }] },
  ],
  [
    'a modal',
    modal('m', 'A modal', text('A text'), label('A', checkbox('c'))),
    {
      custom_id: 'm',
      title: 'A modal',
      components: [wireText, { type: 18, label: 'A', component: { type: 23, custom_id: 'c' } }],
    },
  ],
  [
    'a modal from an array',
    modal('m', 'A modal', [text('A text')]),
    { custom_id: 'm', title: 'A modal', components: [wireText] },
  ],
]

test.each(COMPONENTS)('%s serializes to the JSON of the API and has no other properties', (_, component, json) => {
  expect(JSON.parse(JSON.stringify(component))).toEqual(json)
  expect(Object.keys(component).toSorted()).toEqual(Object.keys(json).toSorted())
  expect(Reflect.ownKeys(component)).toHaveLength(Object.keys(json).length)
  expect(JSON.parse(JSON.stringify({ ...component }))).toEqual(json)
})

test('structuredClone copies components, as messages to workers require', () => {
  const message = messageV2(container(text('A text'), row(go)), section('A').withAccessory(thumbnail(media)))
  expect(structuredClone(message)).toEqual(JSON.parse(JSON.stringify(message)))
})

test('client.components is not enumerable and not serialized', async () => {
  const { Client } = await import('rapport-sdk')
  const client = new Client({ baseUrl: 'https://service.example' })
  expect(Object.keys(client)).not.toContain('components')
  expect(JSON.stringify(client)).not.toContain('customId')
})

test('client.components has the functions of rapport-sdk/components', async () => {
  const [{ Client }, components] = await Promise.all([import('rapport-sdk'), import('rapport-sdk/components')])
  const client: object = new Client({ baseUrl: 'https://service.example' })
  const ofClient: unknown = Reflect.get(client, 'components')
  expect(ofClient).toBeTypeOf('object')
  for (const name of ['button', 'messageV2', 'validateMessage', 'toSendable'] as const) {
    expect(Reflect.get(Object(ofClient), name)).toBe(components[name])
  }
})

test('util.inspect prints components as plain objects', () => {
  expect(inspect(button.primary('a', 'A'))).toBe("{ type: 2, style: 1, custom_id: 'a', label: 'A' }")
  expect(inspect(messageV2(row(text('A') as never)), { depth: 5 })).not.toContain('Owned')
})
