import {
  button,
  container,
  findByCustomId,
  fromJSON,
  isButton,
  isContainer,
  isStringSelect,
  messageLegacy,
  messageV2,
  parseComponents,
  replaceByCustomId,
  row,
  type TextDisplayInput,
  text,
  toSendable,
  validateMessage,
} from 'rapport-sdk/components'
import { describe, expect, test } from 'vitest'
import { messageOf, minimal, receivedMessage, type TypeValue } from './json-components'

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const factoryMade = messageV2(
  container(text('A'), row(button.primary('a', 'A').withEmoji('🔥'), button.link('https://example.test'))),
)
const methodsOf = (value: unknown): string[] => Object.getOwnPropertyNames(Object.getPrototypeOf(value)).sort()
/** Every object within a value, and itself. */
const partsOf = (value: unknown): readonly object[] =>
  typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(partsOf)] : []

describe('fromJSON', () => {
  test('the result for the JSON of a message equals the message, with its methods', () => {
    const revived = fromJSON(structuredClone(plain(factoryMade)) as typeof factoryMade)
    expect(revived).toStrictEqual(factoryMade)
    const found = findByCustomId(revived, 'a')
    expect(found && isButton(found) && found.withDisabled()).toMatchObject({ label: 'A', disabled: true })
  })

  test('a received container is revived with its children, and changed by its methods', () => {
    const { components } = toSendable(parseComponents(receivedMessage().components))
    const [first] = fromJSON(components)
    if (first === undefined || !isContainer(first)) throw new Error('expected a container')
    const changed = first.withAccentColor(1).addComponents('More')
    expect(validateMessage(messageV2(changed))).toMatchObject({ ok: true })
    expect(changed.components.at(-1)).toEqual({ type: 10, content: 'More' })
    expect(Object.isFrozen(first) && first.components.every(Object.isFrozen)).toBe(true)
  })

  test.each([1, 2, 3, 5, 6, 7, 8, 9, 11, 12, 13, 14, 17] as const satisfies readonly TypeValue[])(
    'a component of type %i keeps its JSON, is frozen and gets methods',
    (type) => {
      const json = minimal[type]()
      const revived = fromJSON(json as never)
      expect(plain(revived)).toEqual(json)
      expect(Object.isFrozen(revived)).toBe(true)
      expect(methodsOf(revived)).toContain('withId')
    },
  )

  test('the methods of a revived button are those of its style', () => {
    const link = fromJSON({ type: 2, style: 5, url: 'https://example.test' })
    expect(link.withUrl('https://example.test/b')).toMatchObject({ url: 'https://example.test/b' })
    expect(methodsOf(link)).toEqual(methodsOf(button.link('a')))
    expect(methodsOf(fromJSON({ type: 2, style: 6, sku_id: '1' }))).toEqual(methodsOf(button.premium('1')))
    expect(methodsOf(fromJSON({ type: 2, style: 3, custom_id: 'a' }))).toEqual(methodsOf(button.success('a')))
  })

  test('copies a message, and the copy is immutable at every depth', () => {
    const json = { flags: 32768, allowed_mentions: { parse: [] }, components: [{ type: 99, later: {} }, minimal[10]()] }
    const source = structuredClone(json)
    for (const revived of [
      fromJSON(source as never),
      fromJSON({ content: 'A' }),
      fromJSON([source.components[1]] as never),
    ])
      expect(partsOf(revived).every(Object.isFrozen)).toBe(true)
    expect(source).toEqual(json)
    expect(partsOf(source).some(Object.isFrozen)).toBe(false)
  })

  test('a key named __proto__ in the JSON takes no methods from a component', () => {
    const hostile: TextDisplayInput = JSON.parse('{"type":10,"content":"A","__proto__":{"evil":1}}')
    const changed = fromJSON(hostile).withId(1).withContent('B')
    expect(plain(changed)).toEqual({ type: 10, content: 'B', id: 1 })
    expect(changed).not.toHaveProperty('evil')
  })

  test('returns a built component itself, and what it does not know unchanged', () => {
    const go = button.primary('a')
    expect(fromJSON(go)).toBe(go)
    expect(fromJSON(factoryMade).components[0]).toBe(factoryMade.components[0])
    const unknown = { type: 99, later: true }
    expect(fromJSON([unknown] as never)).toEqual([unknown])
  })
})

test('findByCustomId of a built message returns a component with its methods, also for a literal', () => {
  const literal = { type: 2, style: 1, custom_id: 'b', label: 'B' } as const
  for (const message of [
    messageV2(row(button.primary('a'), literal)),
    messageLegacy({}, row(button.danger('a'), literal)),
  ]) {
    for (const id of ['a', 'b']) {
      const found = findByCustomId(message, id)
      expect(found && isButton(found) && found.withDisabled()).toMatchObject({ custom_id: id, disabled: true })
    }
  }
})

test('findByCustomId returns a received component itself', () => {
  const received = parseComponents(messageOf({ type: 1, components: [minimal[3]()] }).components)
  const [first] = received
  const select = Reflect.get(Object(first), 'components')[0]
  const found = findByCustomId(received, select.custom_id)
  expect(found).toBe(select)
  expect(found && isStringSelect(found)).toBe(true)
})

test('findByCustomId of revived components returns a component with its methods', () => {
  const received = parseComponents([{ type: 1, id: 1, components: [{ type: 2, id: 2, style: 1, custom_id: 'a' }] }])
  const found = findByCustomId(fromJSON(toSendable(received).components), 'a')
  expect(found && isButton(found) && found.withDisabled()).toMatchObject({ custom_id: 'a', disabled: true })
})

test('replaceByCustomId edits a received component by a spread', () => {
  const received = parseComponents([{ type: 1, id: 1, components: [{ type: 2, id: 2, style: 1, custom_id: 'a' }] }])
  const expected = [{ type: 1, id: 1, components: [{ type: 2, id: 2, style: 1, custom_id: 'a', label: 'B' }] }]
  expect(replaceByCustomId(received, 'a', (component) => ({ ...component, label: 'B' }))).toEqual(expected)
  const found = findByCustomId(received, 'a')
  if (found === undefined || !isButton(found)) throw new Error('expected a button')
  expect(replaceByCustomId(received, 'a', { ...found, label: 'B' })).toEqual(expected)
})

test('replaceByCustomId of a built message passes a component with its methods, also for a literal', () => {
  const message = messageV2(row({ type: 2, style: 1, custom_id: 'a' }))
  const changed = replaceByCustomId(message, 'a', (found) => (isButton(found) ? found.withDisabled() : found))
  expect(plain(changed)).toEqual(plain(messageV2(row(button.primary('a').withDisabled()))))
})
