import * as components from '../../src/components/index'
import type { ComponentSpec } from '../../src/components/schema'

// Maps components to their factories, for docs/components.md.

/** Factory calls by the name of the component or part. */
export const FACTORIES: Readonly<Record<string, string>> = {
  'action row': '`row(...)`',
  button:
    '`button.primary(customId, label?)`, `.secondary`, `.success`, `.danger`, `button.link(url, label?)`, `button.premium(skuId)`',
  'string select': '`stringSelect(customId, ...options)`',
  'text input': '`textInput.small(customId)`, `textInput.paragraph(customId)`',
  'user select': '`userSelect(customId)`',
  'role select': '`roleSelect(customId)`',
  'mentionable select': '`mentionableSelect(customId)`',
  'channel select': '`channelSelect(customId)`',
  section: '`section(...texts).withAccessory(accessory)`',
  'text display': '`text(content)`',
  thumbnail: '`thumbnail(media)`',
  'media gallery': '`mediaGallery(...items)`',
  file: '`file(attachment)`',
  separator: '`separator()`',
  container: '`container(...components)`',
  label: '`label(label, component)`',
  'file upload': '`fileUpload(customId)`',
  'radio group': '`radioGroup(customId, ...options)`',
  'checkbox group': '`checkboxGroup(customId, ...options)`',
  checkbox: '`checkbox(customId)`',
  'select option': '`option(label, value)`',
  'media gallery item': '`galleryItem(media)`',
  attachment: '`attachment(filename)`, returns its URL',
  'group option': '`groupOption(label, value)`',
}

const ENVELOPES = [
  ['', 'message with the components flag', '`messageV2(fields?, ...components)`'],
  ['', 'message without it', '`messageLegacy(body, ...rows)`'],
  ['', 'modal', '`modal(customId, title, ...components)`'],
]

/** Returns the table of all factories. Throws if a component has no factory or a factory is not exported. */
export function factoryTable(rows: readonly ComponentSpec[]): string {
  const lines = rows.flatMap(({ type, name }) => {
    const factory = FACTORIES[name]
    if (factory === undefined && type > 0) throw new Error(`FACTORIES has no entry for ${name}.`)
    return factory === undefined ? [] : [[type > 0 ? `${type}` : '', name, factory]]
  })
  const all = [...lines, ...ENVELOPES]
  for (const [, name, factory] of all) {
    const [, exported = ''] = /^`(\w+)/.exec(factory ?? '') ?? []
    if (!(exported in components)) throw new Error(`${exported}, the factory of ${name}, is not exported.`)
  }
  return ['| type | component | factory |', '|---|---|---|', ...all.map((cells) => `| ${cells.join(' | ')} |`)].join(
    '\n',
  )
}
