import { describe, expect, test } from 'vitest'
import { errorsOf, problems, wrongPlaces } from './problems'
import { buttonOf, rowOf, smallest, textOf, V2, type Wire } from './wire'

const wrong = (value: Wire) => wrongPlaces({ as: 'message', value })

// Interface, "Messages using the v2 component system", effects 1 to 3.
describe('with the flag, a message', () => {
  const message = (more: Wire) => ({ flags: V2, components: [textOf('A text')], ...more })
  const GONE: readonly [field: string, value: unknown][] = [
    ['content', 'Hello'],
    ['content', ' '],
    ['content', 0],
    ['content', false],
    ['poll', 0],
    ['embeds', [{ title: 'An embed' }]],
    ['poll', { question: { text: 'Why?' }, answers: [] }],
    ['stickers', ['1']],
  ]

  test.each(GONE)('has no %s such as %j', (field, value) => {
    expect(wrong(message({ [field]: value }))).toEqual([field])
  })

  test('has nothing of it told twice, and all of it at once', () => {
    const all = { content: 'Hello', embeds: [{}], poll: {}, stickers: ['1'] }
    expect(wrong(message(all)).toSorted()).toEqual(['content', 'embeds', 'poll', 'stickers'])
  })

  test.each([
    ['content', ''],
    ['content', null],
    ['content', undefined],
    ['embeds', []],
    ['embeds', null],
    ['embeds', undefined],
    ['poll', null],
    ['poll', undefined],
    ['stickers', null],
    ['stickers', undefined],
  ])('may have %s of %j, which is nothing', (field, value) => {
    expect(wrong(message({ [field]: value }))).toEqual([])
  })

  test('may have what else a message has', () => {
    const more = {
      tts: false,
      nonce: 'a',
      allowed_mentions: { parse: [] },
      attachments: [{ id: 0, filename: 'a.txt' }],
    }
    const value = message({ ...more, components: [{ type: 13, file: { url: 'attachment://a.txt' } }] })
    expect(wrong(value)).toEqual([])
  })

  test.each([V2, V2 | 4, V2 | 64 | 4096, 2 ** 31 - 1])('is one whatever else its flags %i say', (flags) => {
    expect(wrong({ flags, components: [textOf('A text')] })).toEqual([])
    expect(wrong({ flags, content: 'Hello', components: [textOf('A text')] })).toEqual(['content'])
  })
})

describe('without the flag, a message', () => {
  test.each([undefined, 0, 4, 64, V2 - 1, V2 * 2])('of flags %s takes rows alone on top', (flags) => {
    const more = flags === undefined ? {} : { flags }
    expect(wrong({ ...more, components: [rowOf(buttonOf())] })).toEqual([])
    const found = errorsOf({ as: 'message', value: { ...more, components: [rowOf(buttonOf()), textOf('A text')] } })
    expect(found.map(({ path }) => path.slice(0, 2))).toEqual([['components', 1]])
  })

  test.each([9, 10, 11, 12, 13, 14, 17] as const)('takes no type %i, and is told of the flag', (type) => {
    const found = errorsOf({ as: 'message', value: { content: 'Hello', components: [smallest[type]()] } })
    expect(found.every(({ path }) => path[0] === 'components' && path[1] === 0)).toBe(true)
    if (type !== 11) expect(found.map(({ message }) => message).join('\n')).toMatch(/IS_COMPONENTS_V2/)
  })

  test('may have content, embeds, a poll and stickers', () => {
    const all = { content: 'Hello', embeds: [{ title: 'An embed' }], poll: {}, stickers: ['1'] }
    expect(wrong({ ...all, components: [rowOf(buttonOf())] })).toEqual([])
  })
})

test.each(['32768', true, {}, 1.5, null])('flags are an integer, not %j', (flags) => {
  const found = errorsOf({ as: 'message', value: { flags, components: [rowOf(buttonOf())] } })
  if (flags === null) expect(found.every(({ path }) => path.join() === 'flags')).toBe(true)
  else expect(found.map(({ path }) => path)).toEqual([['flags']])
})

test('one wrong component tells that the flag is missing, not each of its children', () => {
  const value = { components: [{ type: 17, components: [textOf('a'), textOf('b'), { type: 14 }] }] }
  expect(errorsOf({ as: 'message', value })).toHaveLength(1)
  expect(problems({ as: 'message', value: { ...value, flags: V2 } })).toEqual([])
})
