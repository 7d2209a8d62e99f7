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

/** Every object below a value, itself included. */
function parts(value: unknown, found: object[] = []): object[] {
  if (typeof value !== 'object' || value === null) return found
  found.push(value)
  for (const item of Object.values(value)) parts(item, found)
  return found
}

// Each takes something of the caller's: how to make it, and how to make something of it.
const TAKEN: readonly (readonly [name: string, given: () => object, take: (given: never) => object])[] = [
  ['an array of buttons', () => [button.primary('a')], (given: ReturnType<typeof button.primary>[]) => row(given)],
  [
    'a literal button',
    () => ({ type: 2, style: 1, custom_id: 'a' }) as const,
    (given: { type: 2; style: 1; custom_id: string }) => row(given),
  ],
  [
    'an emoji',
    () => ({ name: 'a', deep: { list: [1] } }),
    (given: { name: string }) => button.primary('a').withEmoji(given),
  ],
  [
    'options',
    () => [{ label: 'A', value: 'a' }],
    (given: { label: string; value: string }[]) => stringSelect('s', given),
  ],
  [
    'more options',
    () => [{ label: 'A', value: 'a' }],
    (given: { label: string; value: string }[]) => stringSelect('s', option('B', 'b')).addOptions(given),
  ],
  [
    'options of a group',
    () => [1, 2].map((n) => ({ label: `${n}`, value: `${n}` })),
    (given: { label: string; value: string }[]) => radioGroup('r', given),
  ],
  [
    'default values',
    () => [{ id: '1', type: 'user' }],
    (given: { id: string; type: string }[]) => userSelect('u').withDefaultValues(given),
  ],
  ['channel types', () => [0, 5], (given: number[]) => channelSelect('c').withChannelTypes(given)],
  ['media', () => ({ url: 'https://example.test' }), (given: { url: string }) => thumbnail(given)],
  [
    'items',
    () => [{ media: { url: 'https://example.test' } }],
    (given: { media: { url: string } }[]) => mediaGallery(given),
  ],
  ['texts', () => [{ type: 10, content: 'A' } as const], (given: { type: 10; content: string }[]) => section(given)],
  [
    'an accessory',
    () => ({ type: 2, style: 6, sku_id: '1' }) as const,
    (given: { type: 2; style: 6; sku_id: string }) => section('A').withAccessory(given),
  ],
  ['components of a container', () => [{ type: 14 } as const], (given: { type: 14 }[]) => container(given)],
  [
    'more of them',
    () => [{ type: 14 } as const],
    (given: { type: 14 }[]) => container(separator()).addComponents(given),
  ],
  [
    'a field of a label',
    () => ({ type: 23, custom_id: 'c' }) as const,
    (given: { type: 23; custom_id: string }) => label('A', given),
  ],
  ['components of a message', () => [{ type: 14 } as const], (given: { type: 14 }[]) => messageV2(given)],
  [
    'a legacy message',
    () => ({ content: 'A', embeds: [{ fields: [{ name: 'a' }] }] }),
    (given: { content: string }) => messageLegacy(given),
  ],
  [
    'components of a modal',
    () => [label('A', textInput.small('t')), { type: 10, content: 'A' } as const],
    (given: { type: 10; content: string }[]) => modal('m', 'A', given),
  ],
]

describe.each(TAKEN)('%s', (_, make, take) => {
  test('may be changed later without a change to what was made', () => {
    const given = make()
    const made = take(given as never)
    const before = plain(made)
    for (const part of parts(given)) {
      if (Object.isFrozen(part)) continue
      if (Array.isArray(part)) part.push('changed')
      else Object.assign(part, { changed: true })
    }
    expect(plain(made)).toEqual(before)
  })

  test('is neither changed nor frozen', () => {
    const given = make()
    const before = plain(given)
    take(given as never)
    expect(plain(given)).toEqual(before)
    expect(Object.isFrozen(given)).toBe(false)
  })

  test('is not needed to be changeable', () => {
    const given = make()
    for (const part of parts(given)) Object.freeze(part)
    expect(plain(take(given as never))).toEqual(plain(take(make() as never)))
  })

  test('cannot be reached from what was made, which is frozen throughout', () => {
    const given = make()
    const own = new Set(parts(given).filter((part) => !Object.isFrozen(part)))
    const made = parts(take(given as never))
    expect(made.filter((part) => own.has(part))).toEqual([])
    expect(made.filter((part) => !Object.isFrozen(part))).toEqual([])
  })
})

test('what is made cannot be changed', () => {
  const made: Record<string, unknown> = {
    row: row(button.primary('a')),
    text: text('A'),
    message: messageV2(text('A')),
  }
  for (const value of Object.values(made)) {
    expect(() => Object.assign(Object(value), { type: 5 })).toThrow(TypeError)
    expect(Reflect.deleteProperty(Object(value), 'components')).toBe(!('components' in Object(value)))
  }
})

test('one part may be used in several places', () => {
  const line = separator()
  const message = messageV2(line, container(line, line), line)
  expect(plain(message)).toEqual({
    flags: 32768,
    components: [{ type: 14 }, { type: 17, components: [{ type: 14 }, { type: 14 }] }, { type: 14 }],
  })
})
