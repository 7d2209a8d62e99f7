import { runInNewContext } from 'node:vm'
import {
  button,
  channelSelect,
  container,
  label,
  mediaGallery,
  messageLegacy,
  messageV2,
  modal,
  option,
  radioGroup,
  row,
  section,
  separator,
  stringSelect,
  text,
  textInput,
  thumbnail,
  userSelect,
} from 'rapport-sdk/components'
import { describe, expect, test } from 'vitest'

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** Returns all objects in a value, the value included. */
function parts(value: unknown, found: object[] = []): object[] {
  if (typeof value !== 'object' || value === null) return found
  found.push(value)
  for (const item of Object.values(value)) parts(item, found)
  return found
}

// Arguments of factories and methods: how to create one, and how to create a component with it.
const ARGUMENTS: readonly (readonly [name: string, make: () => object, create: (argument: never) => object])[] = [
  [
    'an array of buttons',
    () => [button.primary('a')],
    (argument: ReturnType<typeof button.primary>[]) => row(argument),
  ],
  [
    'a literal button',
    () => ({ type: 2, style: 1, custom_id: 'a' }) as const,
    (argument: { type: 2; style: 1; custom_id: string }) => row(argument),
  ],
  [
    'an emoji',
    () => ({ name: 'a', deep: { list: [1] } }),
    (argument: { name: string }) => button.primary('a').withEmoji(argument),
  ],
  [
    'options',
    () => [{ label: 'A', value: 'a' }],
    (argument: { label: string; value: string }[]) => stringSelect('s', argument),
  ],
  [
    'added options',
    () => [{ label: 'A', value: 'a' }],
    (argument: { label: string; value: string }[]) => stringSelect('s', option('B', 'b')).addOptions(argument),
  ],
  [
    'options of a group',
    () => [1, 2].map((n) => ({ label: `${n}`, value: `${n}` })),
    (argument: { label: string; value: string }[]) => radioGroup('r', argument),
  ],
  [
    'default values',
    () => [{ id: '1', type: 'user' }],
    (argument: { id: string; type: string }[]) => userSelect('u').withDefaultValues(argument),
  ],
  ['channel types', () => [0, 5], (argument: number[]) => channelSelect('c').withChannelTypes(argument)],
  ['media', () => ({ url: 'https://example.test' }), (argument: { url: string }) => thumbnail(argument)],
  [
    'items',
    () => [{ media: { url: 'https://example.test' } }],
    (argument: { media: { url: string } }[]) => mediaGallery(argument),
  ],
  [
    'texts',
    () => [{ type: 10, content: 'A' } as const],
    (argument: { type: 10; content: string }[]) => section(argument),
  ],
  [
    'an accessory',
    () => ({ type: 2, style: 6, sku_id: '1' }) as const,
    (argument: { type: 2; style: 6; sku_id: string }) => section('A').withAccessory(argument),
  ],
  ['components of a container', () => [{ type: 14 } as const], (argument: { type: 14 }[]) => container(argument)],
  [
    'added components',
    () => [{ type: 14 } as const],
    (argument: { type: 14 }[]) => container(separator()).addComponents(argument),
  ],
  [
    'a field of a label',
    () => ({ type: 23, custom_id: 'c' }) as const,
    (argument: { type: 23; custom_id: string }) => label('A', argument),
  ],
  ['components of a message', () => [{ type: 14 } as const], (argument: { type: 14 }[]) => messageV2(argument)],
  [
    'a legacy body',
    () => ({ content: 'A', embeds: [{ fields: [{ name: 'a' }] }] }),
    (argument: { content: string }) => messageLegacy(argument),
  ],
  [
    'components of a modal',
    () => [label('A', textInput.small('t')), { type: 10, content: 'A' } as const],
    (argument: { type: 10; content: string }[]) => modal('m', 'A', argument),
  ],
]

describe.each(ARGUMENTS)('%s', (name, make, create) => {
  test(`a component does not change if the input of its factory is changed later: ${name}`, () => {
    const argument = make()
    const component = create(argument as never)
    const before = plain(component)
    for (const part of parts(argument)) {
      if (Object.isFrozen(part)) continue
      if (Array.isArray(part)) part.push('changed')
      else Object.assign(part, { changed: true })
    }
    expect(plain(component)).toEqual(before)
  })

  test(`a factory neither changes nor freezes its input: ${name}`, () => {
    const argument = make()
    const before = plain(argument)
    create(argument as never)
    expect(plain(argument)).toEqual(before)
    expect(Object.isFrozen(argument)).toBe(false)
  })

  test(`a factory accepts frozen input: ${name}`, () => {
    const argument = make()
    for (const part of parts(argument)) Object.freeze(part)
    expect(plain(create(argument as never))).toEqual(plain(create(make() as never)))
  })

  test(`a component is deeply frozen and shares no mutable object with the input: ${name}`, () => {
    const argument = make()
    const mutable = new Set(parts(argument).filter((part) => !Object.isFrozen(part)))
    const created = parts(create(argument as never))
    expect(created.filter((part) => mutable.has(part))).toEqual([])
    expect(created.filter((part) => !Object.isFrozen(part))).toEqual([])
  })
})

test('components and messages cannot be changed', () => {
  const created: Record<string, unknown> = {
    row: row(button.primary('a')),
    text: text('A'),
    message: messageV2(text('A')),
  }
  for (const value of Object.values(created)) {
    expect(() => Object.assign(Object(value), { type: 5 })).toThrow(TypeError)
    expect(Reflect.deleteProperty(Object(value), 'components')).toBe(!('components' in Object(value)))
  }
})

test('a component can be used in several places', () => {
  const line = separator()
  const message = messageV2(line, container(line, line), line)
  expect(plain(message)).toEqual({
    flags: 32768,
    components: [{ type: 14 }, { type: 17, components: [{ type: 14 }, { type: 14 }] }, { type: 14 }],
  })
})

test('addOptions copies the added options and shares the existing ones', () => {
  const added = { label: 'A', value: 'a' }
  const many = stringSelect(
    's',
    Array.from({ length: 200 }, () => ({ ...added })),
  )
  const more = many.addOptions(added)
  expect(more.options.at(-1)).toEqual(added)
  expect(more.options.at(-1)).not.toBe(added)
  expect(more.options[0]).toBe(many.options[0])
  expect(Object.isFrozen(more.options)).toBe(true)
})

// Values that JSON or a form writes in their own way; a copy of their fields would lose what they are.
class EmbedBuilder {
  readonly data = { title: 'A title' }
  toJSON = (): object => this.data
}
const INSTANCES: readonly (readonly [name: string, instance: object])[] = [
  ['a date', new Date(0)],
  ['a builder', new EmbedBuilder()],
  ['a URL', new URL('https://example.test')],
  ['a map', new Map([['a', 1]])],
  ['a file', new File(['a'], 'a.txt')],
  ['a buffer', Buffer.from('a')],
  ['a typed array', new Uint16Array(2)],
  ['an array buffer', new ArrayBuffer(2)],
  ['an instance of a class of the app', new (class Embed {})()],
]

describe.each(INSTANCES)('%s', (name, instance) => {
  test(`${name} stays what it is in the fields of a message, and JSON writes it in its own way`, () => {
    const fields = { attached: [{ instance }] }
    for (const message of [messageV2(fields, 'A'), messageLegacy(fields)]) {
      expect(Reflect.get(Object(message.attached)[0], 'instance')).toBe(instance)
      expect(plain(message)).toMatchObject(plain(fields) as object)
    }
    expect(Object.isFrozen(instance)).toBe(false)
  })

  test(`${name} stays what it is in a component`, () => {
    const emoji = { name: 'a', instance }
    expect(button.primary('a').withEmoji(emoji).emoji?.instance).toBe(instance)
    expect(label('A', { type: 23, custom_id: 'c', extra: instance } as never).component).toHaveProperty(
      'extra',
      instance,
    )
    expect(Reflect.apply(container, null, [[instance]]).components[0]).toBe(instance)
  })
})

test('no byte of a file is read when a message with it is created', () => {
  const read: PropertyKey[] = []
  // A proxy, because the engine copies the bytes of a real array without a trace.
  const bytes: Uint8Array = new Proxy(new Uint8Array(4 << 20), {
    get(target, key) {
      read.push(key)
      return Reflect.get(target, key)
    },
    ownKeys(target) {
      read.push('ownKeys')
      return Reflect.ownKeys(target)
    },
  })
  const fields = { files: [{ bytes }] }
  for (const message of [messageV2(fields, 'A'), messageLegacy(fields), messageLegacy({ file: bytes })])
    expect(JSON.stringify(Object.keys(message))).toContain('file')
  button.primary('a').withEmoji({ bytes })
  expect(read).toEqual([])
})

test('a builder of another library is a component of a message, not its fields', () => {
  const builder = new EmbedBuilder()
  expect(Reflect.apply(messageV2, null, [builder]).components).toEqual([builder])
})

test('the fields of a message are frozen at every depth if they are an instance of a class', () => {
  const body = Object.assign(new (class Body {})(), { allowed_mentions: { parse: [] } })
  const message = Reflect.apply(messageV2, null, [body, 'A'])
  expect(message.allowed_mentions).toEqual({ parse: [] })
  expect(parts(message).every((part) => Object.isFrozen(part))).toBe(true)
})

test('plain objects of another realm are copied and frozen', () => {
  const fields = runInNewContext('({ list: [{ a: 1 }] })')
  const message = messageLegacy(fields)
  expect(parts(message).every((part) => Object.isFrozen(part))).toBe(true)
  expect(Object.isFrozen(fields.list)).toBe(false)
})
