import { type PlainObject, V2 } from './json-components'

/** Media with every field that the service adds. API, "Unfurled Media Item". */
export const receivedMedia = (name: string): PlainObject => ({
  url: `https://cdn.example.test/${name}`,
  id: '900',
  proxy_url: `https://media.example.test/${name}`,
  height: 100,
  width: null,
  flags: 0,
  content_type: 'image/png',
  content_scan_metadata: { version: 1, flags: 0 },
  placeholder_version: 1,
  placeholder: 'hash',
  loading_state: 2,
  attachment_id: '901',
})

/** A received message with 17 components, at least one of each type that a message may have. */
export function receivedMessage(): PlainObject & { components: PlainObject[] } {
  return {
    id: '700',
    flags: V2,
    content: '',
    components: [
      {
        type: 17,
        id: 1,
        accent_color: 0x3366ff,
        spoiler: false,
        components: [
          { type: 10, id: 2, content: '## Title' },
          {
            type: 9,
            id: 3,
            components: [
              { type: 10, id: 4, content: 'One' },
              { type: 10, id: 5, content: '😀😀' },
            ],
            accessory: { type: 11, id: 6, media: receivedMedia('a.png'), description: null, spoiler: false },
          },
          { type: 12, id: 7, items: [{ media: receivedMedia('b.png'), description: 'B', spoiler: true }] },
          { type: 14, id: 8, spacing: 2, divider: true },
          { type: 13, id: 9, file: receivedMedia('c.txt'), name: 'c.txt', size: 12, spoiler: false },
        ],
      },
      {
        type: 9,
        id: 10,
        components: [{ type: 10, id: 11, content: 'Three' }],
        accessory: { type: 2, id: 12, style: 1, custom_id: 'accessory', label: 'Go' },
      },
      {
        type: 1,
        id: 13,
        components: [
          { type: 2, id: 14, style: 5, url: 'https://example.test', label: 'Notes' },
          { type: 2, id: 15, style: 6, sku_id: '1' },
        ],
      },
      {
        type: 1,
        id: 16,
        components: [
          { type: 3, id: 17, custom_id: 'select', options: [{ label: 'A', value: 'a' }], placeholder: 'Choose' },
        ],
      },
    ],
  }
}

/** Paths of its components; parents come before their children. */
export const RECEIVED_PATHS = [
  'components.0',
  'components.0.components.0',
  'components.0.components.1',
  'components.0.components.1.components.0',
  'components.0.components.1.components.1',
  'components.0.components.1.accessory',
  'components.0.components.2',
  'components.0.components.3',
  'components.0.components.4',
  'components.1',
  'components.1.components.0',
  'components.1.accessory',
  'components.2',
  'components.2.components.0',
  'components.2.components.1',
  'components.3',
  'components.3.components.0',
]

/** Components that the service sends and a client cannot send. */
export const UNSENDABLE = {
  entry: (): PlainObject => ({ type: 16, id: 50, content_inventory_entry: { id: '1', author_id: '2', traits: [] } }),
  card: (): PlainObject => ({ type: 20, id: 51, checkpoint_data: { version: 1, card_id: 1, power_level: 0.5 } }),
  tomorrow: (): PlainObject => ({
    type: 99,
    id: 52,
    components: [{ type: 98, secret: [1, 2] }],
    anything: { deep: true },
  }),
}
