import { assignIds, button, disableAll, messageV2, replaceByCustomId, row, text, walk } from 'rapport-sdk/components'
import { expect, test } from 'vitest'
import { errorLines } from './hostile-values'
import {
  buttonOf,
  containerOf,
  labelOf,
  legacyOf,
  messageOf,
  minimal,
  modalOf,
  receivedMessage,
  rowOf,
  sectionOf,
  selectOf,
  textOf,
} from './json-components'

type Source = Parameters<typeof walk>[0]
const asSource = (value: unknown) => value as Source
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const idsOf = (value: unknown) => [...walk(asSource(value))].map(({ component }) => component.id)

/** Applies an edit, and expects that it does not mutate its input. */
function applyEdit<T>(value: T, edit: (source: Source) => unknown): unknown {
  const before = plain(value)
  const result = edit(asSource(value))
  expect(plain(value)).toEqual(before)
  expect(result).not.toBe(value)
  return plain(result)
}

const replacement = button.danger('another', 'Stop')

test('replaceByCustomId replaces a component and keeps everything else', () => {
  const message = receivedMessage()
  const result = applyEdit(message, (source) => replaceByCustomId(source, 'accessory', replacement))
  const expected = receivedMessage()
  Object.assign(expected.components[1] ?? {}, { accessory: plain(replacement) })
  expect(result).toEqual(expected)
})

test('replaceByCustomId passes the component to a function and inserts its result', () => {
  const message = messageV2(text('A text'), row(button.primary('a', 'A'), button.primary('b', 'B')))
  const result = applyEdit(message, (source) =>
    replaceByCustomId(source, 'b', (found) => {
      expect(found).toMatchObject({ custom_id: 'b', label: 'B' })
      return button.success('b', 'Done').withDisabled()
    }),
  )
  expect(result).toEqual(
    plain(messageV2(text('A text'), row(button.primary('a', 'A'), button.success('b', 'Done').withDisabled()))),
  )
})

test('replaceByCustomId searches containers, rows, labels, arrays and single components', () => {
  const plainReplacement = plain(replacement)
  const at = (value: unknown) => plain(replaceByCustomId(asSource(value), 'x', replacement))
  const x = buttonOf({ custom_id: 'x' })
  expect(at(messageOf(containerOf(rowOf(x))))).toEqual(messageOf(containerOf(rowOf(plainReplacement))))
  expect(at([rowOf(x)])).toEqual([rowOf(plainReplacement)])
  expect(at(rowOf(x))).toEqual(rowOf(plainReplacement))
  const label = labelOf({ type: 23, custom_id: 'x' })
  expect(at(modalOf(label))).toEqual(modalOf({ ...label, component: plainReplacement }))
})

test('replaceByCustomId replaces only the first match, which the replacement may contain', () => {
  const twice = button.primary('x', 'X')
  expect(plain(replaceByCustomId([row(twice, twice)], 'x', replacement))).toEqual([
    rowOf(plain(replacement), plain(twice)),
  ])
  expect(plain(replaceByCustomId([twice], 'x', row(twice)))).toEqual([rowOf(plain(twice))])
})

test('replaceByCustomId returns its input for an undefined custom_id', () => {
  const message = asSource(messageOf(textOf('A text')))
  expect(replaceByCustomId(message, undefined as unknown as string, replacement)).toBe(message)
})

test('replaceByCustomId changes nothing if there is no such custom_id', () => {
  const message = receivedMessage()
  expect(plain(replaceByCustomId(asSource(message), 'nobody', replacement))).toEqual(message)
})

test('disableAll disables each button and select of a message, and nothing else', () => {
  const result = applyEdit(receivedMessage(), (source) => disableAll(source))
  const expected = receivedMessage()
  for (const { component } of walk(asSource(expected))) {
    if ([2, 3, 5, 6, 7, 8].includes(component.type)) Object.assign(component, { disabled: true })
  }
  expect(result).toEqual(expected)
})

test.each([2, 3, 5, 6, 7, 8] as const)('disableAll disables type %i and keeps the message valid', (type) => {
  const result = disableAll(asSource(legacyOf(rowOf({ ...minimal[type](), disabled: false }))))
  expect(errorLines({ as: 'message', value: result })).toEqual([])
  expect([...walk(result)].map(({ component }) => Reflect.get(component, 'disabled'))).toEqual([undefined, true])
})

test('disableAll keeps a modal valid, whose fields cannot be disabled', () => {
  const modal = modalOf(...([3, 4, 5, 6, 7, 8, 19, 21, 22, 23] as const).map((type) => labelOf(minimal[type]())))
  expect(errorLines({ as: 'modal', value: disableAll(asSource(modal)) })).toEqual([])
})

test('assignIds counts from 1, parents before their children', () => {
  const message = messageOf(containerOf(textOf('a'), rowOf(buttonOf(), buttonOf())), sectionOf(textOf('b')))
  const result = applyEdit(message, (source) => assignIds(source))
  expect(idsOf(result)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect(errorLines({ as: 'message', value: result })).toEqual([])
})

test('assignIds keeps existing ids and never assigns them again', () => {
  const line = (id?: number) => (id === undefined ? { type: 14 } : { type: 14, id })
  const result = assignIds(asSource([line(), line(1), line(), line(3), line(), line(2), line()]))
  expect(idsOf(result)).toEqual([4, 1, 5, 3, 6, 2, 7])
})

test('assignIds replaces ids of 0 and missing ids', () => {
  const legacy = legacyOf({ ...rowOf(buttonOf({ id: 0 }), buttonOf({ id: 1 }), buttonOf()), id: 0 })
  const ids = idsOf(assignIds(asSource(legacy)))
  expect(ids[2]).toBe(1)
  expect(new Set(ids).size).toBe(4)
  expect(ids).not.toContain(0)
  expect(ids).not.toContain(undefined)
})

test('assignIds reaches accessories and the fields of labels', () => {
  expect(idsOf(assignIds(asSource(sectionOf(textOf('a')))))).toEqual([1, 2, 3])
  expect(idsOf(assignIds(asSource(modalOf(labelOf(selectOf())))))).toEqual([1, 2])
})

test('assignIds assigns ids of 32 bits even next to the greatest one', () => {
  const greatest = 2 ** 31 - 1
  const result = assignIds(asSource([{ type: 14, id: greatest }, { type: 14 }, { type: 14 }]))
  const ids = idsOf(result)
  expect(ids[0]).toBe(greatest)
  expect(ids.every((id) => id !== undefined && id > 0 && id <= greatest)).toBe(true)
  expect(new Set(ids).size).toBe(3)
})

test('assignIds changes nothing if every component has an id', () => {
  const message = receivedMessage()
  expect(plain(assignIds(asSource(message)))).toEqual(message)
})

test('assignIds assigns the same ids when it is applied twice', () => {
  const once = assignIds(asSource(messageOf(containerOf(textOf('a')), { type: 14, id: 1 })))
  expect(plain(assignIds(once))).toEqual(plain(once))
})
