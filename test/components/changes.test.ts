import { assignIds, button, disableAll, messageV2, replaceByCustomId, row, text, walk } from 'rapport-sdk/components'
import { describe, expect, test } from 'vitest'
import { problems } from './problems'
import { receivedMessage } from './received-trees'
import {
  buttonOf,
  containerOf,
  labelOf,
  legacyOf,
  messageOf,
  modalOf,
  rowOf,
  sectionOf,
  selectOf,
  smallest,
  textOf,
} from './wire'

type Source = Parameters<typeof walk>[0]
const asSource = (value: unknown) => value as Source
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const idsOf = (value: unknown) => [...walk(asSource(value))].map(({ component }) => component.id)

/** What a function makes of a value, which must be as it was afterwards. */
function unchanged<T>(value: T, change: (source: Source) => unknown): unknown {
  const before = plain(value)
  const result = change(asSource(value))
  expect(plain(value)).toEqual(before)
  expect(result).not.toBe(value)
  return plain(result)
}

describe('replaceByCustomId', () => {
  const another = button.danger('another', 'Stop')

  test('puts another component where it was, and leaves all else', () => {
    const message = receivedMessage()
    const result = unchanged(message, (source) => replaceByCustomId(source, 'accessory', another))
    const expected = receivedMessage()
    Object.assign(expected.components[1] ?? {}, { accessory: plain(another) })
    expect(result).toEqual(expected)
  })

  test('replaces by what is made of the one that was there', () => {
    const message = messageV2(text('A text'), row(button.primary('a', 'A'), button.primary('b', 'B')))
    const result = unchanged(message, (source) =>
      replaceByCustomId(source, 'b', (found) => {
        expect(found).toMatchObject({ custom_id: 'b', label: 'B' })
        return button.success('b', 'Done').withDisabled()
      }),
    )
    expect(result).toEqual(
      plain(messageV2(text('A text'), row(button.primary('a', 'A'), button.success('b', 'Done').withDisabled()))),
    )
  })

  test('reaches into containers, sections, labels, lists and a single component', () => {
    const plainAnother = plain(another)
    const at = (value: unknown) => plain(replaceByCustomId(asSource(value), 'x', another))
    const x = buttonOf({ custom_id: 'x' })
    expect(at(messageOf(containerOf(rowOf(x))))).toEqual(messageOf(containerOf(rowOf(plainAnother))))
    expect(at([rowOf(x)])).toEqual([rowOf(plainAnother)])
    expect(at(rowOf(x))).toEqual(rowOf(plainAnother))
    const label = labelOf({ type: 23, custom_id: 'x' })
    expect(at(modalOf(label))).toEqual(modalOf({ ...label, component: plainAnother }))
  })

  test('replaces the first alone, and may wrap it', () => {
    const twice = button.primary('x', 'X')
    expect(plain(replaceByCustomId([row(twice, twice)], 'x', another))).toEqual([rowOf(plain(another), plain(twice))])
    expect(plain(replaceByCustomId([twice], 'x', row(twice)))).toEqual([rowOf(plain(twice))])
  })

  test('finds nothing by nothing', () => {
    const message = asSource(messageOf(textOf('A text')))
    expect(replaceByCustomId(message, undefined as unknown as string, another)).toBe(message)
  })

  test('changes nothing where there is no such custom_id', () => {
    const message = receivedMessage()
    expect(plain(replaceByCustomId(asSource(message), 'nobody', another))).toEqual(message)
  })
})

describe('disableAll', () => {
  test('disables each button and each select of a message, and nothing else', () => {
    const result = unchanged(receivedMessage(), (source) => disableAll(source))
    const expected = receivedMessage()
    for (const { component } of walk(asSource(expected))) {
      if ([2, 3, 5, 6, 7, 8].includes(component.type)) Object.assign(component, { disabled: true })
    }
    expect(result).toEqual(expected)
  })

  test.each([2, 3, 5, 6, 7, 8] as const)('disables type %i, which stays right in a message', (type) => {
    const result = disableAll(asSource(legacyOf(rowOf({ ...smallest[type](), disabled: false }))))
    expect(problems({ as: 'message', value: result })).toEqual([])
    expect([...walk(result)].map(({ component }) => Reflect.get(component, 'disabled'))).toEqual([undefined, true])
  })

  test('leaves a modal right: nothing can be disabled there', () => {
    const modal = modalOf(...([3, 4, 5, 6, 7, 8, 19, 21, 22, 23] as const).map((type) => labelOf(smallest[type]())))
    expect(problems({ as: 'modal', value: disableAll(asSource(modal)) })).toEqual([])
  })
})

describe('assignIds', () => {
  test('counts from 1, each component before what it holds', () => {
    const message = messageOf(containerOf(textOf('a'), rowOf(buttonOf(), buttonOf())), sectionOf(textOf('b')))
    const result = unchanged(message, (source) => assignIds(source))
    expect(idsOf(result)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(problems({ as: 'message', value: result })).toEqual([])
  })

  test('keeps what is there, and never gives it to another', () => {
    const line = (id?: number) => (id === undefined ? { type: 14 } : { type: 14, id })
    const result = assignIds(asSource([line(), line(1), line(), line(3), line(), line(2), line()]))
    expect(idsOf(result)).toEqual([4, 1, 5, 3, 6, 2, 7])
  })

  test('takes 0 and nothing for empty', () => {
    const legacy = legacyOf({ ...rowOf(buttonOf({ id: 0 }), buttonOf({ id: 1 }), buttonOf()), id: 0 })
    const ids = idsOf(assignIds(asSource(legacy)))
    expect(ids[2]).toBe(1)
    expect(new Set(ids).size).toBe(4)
    expect(ids).not.toContain(0)
    expect(ids).not.toContain(undefined)
  })

  test('reaches accessories and the fields of labels', () => {
    expect(idsOf(assignIds(asSource(sectionOf(textOf('a')))))).toEqual([1, 2, 3])
    expect(idsOf(assignIds(asSource(modalOf(labelOf(selectOf())))))).toEqual([1, 2])
  })

  test('gives ids of 32 bits even beside the greatest', () => {
    const greatest = 2 ** 31 - 1
    const result = assignIds(asSource([{ type: 14, id: greatest }, { type: 14 }, { type: 14 }]))
    const ids = idsOf(result)
    expect(ids[0]).toBe(greatest)
    expect(ids.every((id) => id !== undefined && id > 0 && id <= greatest)).toBe(true)
    expect(new Set(ids).size).toBe(3)
  })

  test('changes nothing where every component has one', () => {
    const message = receivedMessage()
    expect(plain(assignIds(asSource(message)))).toEqual(message)
  })

  test('gives the same a second time', () => {
    const once = assignIds(asSource(messageOf(containerOf(textOf('a')), { type: 14, id: 1 })))
    expect(plain(assignIds(once))).toEqual(plain(once))
  })
})
