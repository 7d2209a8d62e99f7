import { messageV2, parseComponents, toSendable } from 'rapport-sdk/components'
import { describe, expect, test } from 'vitest'
import { errorLines } from './hostile-values'
import {
  buttonOf,
  containerOf,
  type PlainObject,
  receivedMedia,
  receivedMessage,
  rowOf,
  textOf,
  UNSENDABLE,
} from './json-components'

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** Returns the sendable components of a received array, and the paths and types of the dropped ones. */
function sendable(...components: PlainObject[]) {
  const result = toSendable(parseComponents(components))
  expect(errorLines({ as: 'message', value: messageV2([...result.components]) })).toEqual([])
  return {
    components: plain(result.components),
    dropped: result.dropped.map(({ path, type }) => [path.join('.'), type]),
  }
}

describe('a received message', () => {
  test('toSendable makes a received message valid to send', () => {
    const { components } = receivedMessage()
    expect(errorLines({ as: 'message', value: { flags: 32768, components } })).not.toEqual([])
    expect(sendable(...components).dropped).toEqual([])
  })

  test('toSendable keeps all sendable fields and nothing else', () => {
    const [container] = receivedMessage().components
    expect(sendable(container ?? {}).components).toEqual([
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
            accessory: {
              type: 11,
              id: 6,
              media: { url: 'https://cdn.example.test/a.png' },
              description: null,
              spoiler: false,
            },
          },
          {
            type: 12,
            id: 7,
            items: [{ media: { url: 'https://cdn.example.test/b.png' }, description: 'B', spoiler: true }],
          },
          { type: 14, id: 8, spacing: 2, divider: true },
          { type: 13, id: 9, file: { url: 'attachment://c.txt' }, spoiler: false },
        ],
      },
    ])
  })

  test('toSendable does not change its input', () => {
    const message = receivedMessage()
    toSendable(parseComponents(message.components))
    expect(message).toEqual(receivedMessage())
  })

  test('toSendable accepts a message, an array or one component', () => {
    const message = receivedMessage()
    const source = message as unknown as Parameters<typeof toSendable>[0]
    expect(plain(toSendable(source).components)).toEqual(
      plain(toSendable(parseComponents(message.components)).components),
    )
    expect(plain(toSendable({ type: 10, content: 'A text' }).components)).toEqual([textOf('A text')])
    const withType = { ...message, id: '900', type: 0 } as unknown as Parameters<typeof toSendable>[0]
    expect(plain(toSendable(withType).components)).toEqual(plain(toSendable(source).components))
  })

  test('toSendable removes modal-only fields', () => {
    const select = { type: 5, custom_id: 'who', required: false }
    expect(sendable(rowOf(select)).components).toEqual([rowOf({ type: 5, custom_id: 'who' })])
  })

  test('toSendable keeps the rows of a legacy message and their ids of 0', () => {
    const row = { ...rowOf(buttonOf({ id: 0 })), id: 0 }
    expect(sendable(row)).toEqual({ components: [row], dropped: [] })
  })
})

describe('components that cannot be sent', () => {
  test.each(Object.entries(UNSENDABLE))(
    'toSendable drops and reports a component that cannot be sent: %s',
    (_, make) => {
      expect(sendable(textOf('a'), make(), textOf('b'))).toEqual({
        components: [textOf('a'), textOf('b')],
        dropped: [['1', make().type]],
      })
    },
  )

  test('toSendable explains why it dropped a component', () => {
    const { dropped } = toSendable(parseComponents([UNSENDABLE.card()]))
    expect(dropped[0]?.message).toMatch(/\w+ \w+/)
  })

  test('toSendable drops components of a container and reports their paths', () => {
    const container = containerOf(UNSENDABLE.entry(), textOf('a'), UNSENDABLE.tomorrow())
    expect(sendable(textOf('first'), container)).toEqual({
      components: [textOf('first'), containerOf(textOf('a'))],
      dropped: [
        ['1.components.0', 16],
        ['1.components.2', 99],
      ],
    })
  })

  test('toSendable drops a container that would become empty', () => {
    const { components, dropped } = sendable(containerOf(UNSENDABLE.entry()), textOf('a'))
    expect(components).toEqual([textOf('a')])
    expect(dropped.toSorted()).toEqual([
      ['0', 17],
      ['0.components.0', 16],
    ])
  })

  test('toSendable drops a section whose accessory cannot be sent', () => {
    const section = { type: 9, components: [textOf('a')], accessory: UNSENDABLE.tomorrow() }
    const { components, dropped } = sendable(section, textOf('b'))
    expect(components).toEqual([textOf('b')])
    expect(dropped).toContainEqual(['0', 9])
  })

  test('toSendable drops components that are not allowed in their place', () => {
    const button = buttonOf({})
    const thumbnail = { type: 11, media: { url: 'https://cdn.example.test/a.png' } }
    const inner = containerOf(textOf('inner'))
    expect(sendable(button, textOf('a'), thumbnail)).toEqual({
      components: [textOf('a')],
      dropped: [
        ['0', 2],
        ['2', 11],
      ],
    })
    expect(sendable(containerOf(textOf('a'), button, inner))).toEqual({
      components: [containerOf(textOf('a'))],
      dropped: [
        ['0.components.1', 2],
        ['0.components.2', 17],
      ],
    })
    expect(sendable(rowOf(button, textOf('b')))).toEqual({
      components: [rowOf(button)],
      dropped: [['0.components.1', 10]],
    })
    const section = { type: 9, components: [textOf('a'), button], accessory: thumbnail }
    expect(sendable(section)).toEqual({
      components: [{ ...section, components: [textOf('a')] }],
      dropped: [['0.components.1', 2]],
    })
    const { dropped } = toSendable(parseComponents([button]))
    expect(dropped[0]?.message).toMatch(/button/)
  })

  test('toSendable keeps a button, a thumbnail or a select that is passed by itself', () => {
    for (const one of [buttonOf({}), { type: 11, media: { url: 'https://a.test' } }, { type: 5, custom_id: 'who' }]) {
      const [component] = parseComponents([one])
      if (component === undefined) throw new Error('there is no component')
      expect(toSendable(component)).toEqual({ components: [one], dropped: [] })
    }
  })

  test('toSendable drops a label, which is modal-only', () => {
    const label = { type: 18, label: 'A', component: { type: 23, custom_id: 'c' } }
    expect(sendable(label, textOf('b'))).toMatchObject({ components: [textOf('b')], dropped: [['0', 18]] })
  })
})

describe('a received file', () => {
  const received = (more: PlainObject) => ({ type: 13, file: receivedMedia('stored.bin'), ...more })

  test('it is referred to by its name', () => {
    expect(sendable(received({ name: 'a b.txt', size: 5 })).components).toEqual([
      { type: 13, file: { url: 'attachment://a b.txt' } },
    ])
  })

  test('it is dropped without a name', () => {
    expect(sendable(received({}), textOf('a'))).toEqual({ components: [textOf('a')], dropped: [['0', 13]] })
    expect(sendable(received({ name: '' }), textOf('a'))).toEqual({ components: [textOf('a')], dropped: [['0', 13]] })
  })

  test('it is kept if it refers to an attachment', () => {
    expect(sendable({ type: 13, file: { url: 'attachment://a.txt' } }).components).toEqual([
      { type: 13, file: { url: 'attachment://a.txt' } },
    ])
  })
})

test('parseComponents keeps types 16 and 20, unknown types and unknown fields', () => {
  const received = [
    ...Object.values(UNSENDABLE).map((make) => make()),
    { type: 2, style: 99, custom_id: 'a', tomorrow: { a: [1] } },
    ...receivedMessage().components,
  ]
  expect(parseComponents(received)).toEqual(received)
  expect(parseComponents(plain(received))).toEqual(received)
})

test('parseComponents does not change its input', () => {
  const received = receivedMessage().components
  parseComponents(received)
  expect(received).toEqual(receivedMessage().components)
})

test('parseComponents accepts an empty array', () => {
  expect(parseComponents([])).toEqual([])
})
