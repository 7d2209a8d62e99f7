import fc from 'fast-check'
import {
  assignIds,
  button,
  countComponents,
  messageLegacy,
  messageV2,
  paginate,
  row,
  stringSelect,
  text,
  validateMessage,
} from 'rapport-sdk/components'
import {
  buttonRows,
  createTexts,
  diffMessage,
  disableAfter,
  pageControls,
  restyle,
  truncate,
} from 'rapport-sdk/components/changes'
import { customId, param } from 'rapport-sdk/components/custom-id'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { runs } from '../fuzz/arbitraries'
import { messagePart } from '../fuzz/components'

const messages = fc.array(messagePart, { maxLength: 4 }).map((parts) => messageV2(parts))
const question = messageV2(
  text('Sure?'),
  row(button.primary('yes', 'Yes'), button.secondary('no', 'No'), button.link('https://example.test', 'Why?')),
)

describe('diffMessage', () => {
  test('equal messages have no difference, whatever the order of their fields', () => {
    const copy = JSON.parse(JSON.stringify(question))
    expect(diffMessage(question, copy)).toBeUndefined()
    expect(diffMessage(question, { components: copy.components, flags: copy.flags })).toBeUndefined()
  })

  test('the change has only the fields that differ, and is a valid message itself', () => {
    const before = messageV2({ allowed_mentions: { parse: [] } }, 'Open')
    const after = messageV2({ allowed_mentions: { parse: [] } }, 'Closed')
    const change = diffMessage(before, after)
    expect(change).toEqual({ flags: 32_768, components: after.components })
    expect(validateMessage(change).ok).toBe(true)
    expect(diffMessage(before, { ...before, tts: true })).toEqual({ tts: true })
  })

  test('a removed field is null, and removed components are an empty array', () => {
    const before = messageLegacy({ content: 'Hello', embeds: [{}] }, row(button.primary('a', 'A')))
    expect(diffMessage(before, { content: 'Hello' })).toEqual({ embeds: null, components: [] })
    expect(diffMessage({ content: null }, {})).toBeUndefined()
  })

  test('defaults, and IDs that the service has assigned, are not differences', () => {
    const received = assignIds(messageV2(row(button.primary('a', 'A').withDisabled(false))))
    expect(diffMessage(received, messageV2(row(button.primary('a', 'A'))))).toBeUndefined()
    expect(diffMessage(received, messageV2(row(button.primary('a', 'A').withId(9))))).toBeDefined()
    expect(diffMessage(received, messageV2(row(button.primary('a', 'A').withDisabled())))).toBeDefined()
  })

  test('a message without its change is the other message', () => {
    fc.assert(
      fc.property(messages, messages, (before, after) => {
        const change = diffMessage(before, after) ?? {}
        expect(diffMessage({ ...before, ...change }, after)).toBeUndefined()
        expect(diffMessage(after, JSON.parse(JSON.stringify(after)))).toBeUndefined()
      }),
      runs(),
    )
  })
})

describe('restyle', () => {
  const stylesOf = (message: unknown) => JSON.stringify(message).match(/"style":\d/g)

  test('changes the style of all buttons but links', () => {
    expect(stylesOf(restyle(question, 'danger'))).toEqual(['"style":4', '"style":4', '"style":5'])
    expect(stylesOf(question)).toEqual(['"style":1', '"style":2', '"style":5'])
  })

  test('a function chooses the style of each button, or keeps it', () => {
    const answered = restyle(question, ({ custom_id }) => (custom_id === 'yes' ? 'success' : undefined))
    expect(stylesOf(answered)).toEqual(['"style":3', '"style":2', '"style":5'])
    expect(restyle(question, () => undefined)).toBe(question)
    expect(restyle(question, ({ style }) => (style === 1 ? 'primary' : 'secondary'))).toBe(question)
  })

  test('keeps the methods of the buttons', () => {
    expect(restyle(button.primary('a', 'A'), 'success').withDisabled()).toMatchObject({ style: 3, disabled: true })
  })
})

describe('disableAfter', () => {
  function start() {
    vi.useFakeTimers()
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const edit = vi.fn()
    const onError = vi.fn()
    const cancel = disableAfter(question, 1_000, { edit, onError })
    return { edit, onError, cancel }
  }

  test('the buttons of a message are disabled after a time', async () => {
    const { edit } = start()
    await vi.advanceTimersByTimeAsync(999)
    expect(edit).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(edit).toHaveBeenCalledTimes(1)
    expect(JSON.stringify(edit.mock.calls[0]).match(/"disabled":true/g)).toHaveLength(3)
  })

  test('cancel keeps the message enabled, and leaves no timer', async () => {
    const { edit, cancel } = start()
    cancel()
    expect(vi.getTimerCount()).toBe(0)
    expect(edit).not.toHaveBeenCalled()
  })

  test('an error of edit reaches onError', async () => {
    const { edit, onError } = start()
    edit.mockRejectedValue(new Error('deleted'))
    await vi.advanceTimersByTimeAsync(1_000)
    expect(onError).toHaveBeenCalledWith(new Error('deleted'))
  })
})

describe('pageControls', () => {
  const list = customId('list', { query: param.string, page: param.integer })

  test('each page of paginate has controls whose custom IDs have the target', () => {
    const items = Array.from({ length: 100 }, (_, index) => `Item ${index}`)
    const controls = pageControls((page) => list({ query: 'a,b', page }))
    const pages = paginate(items, (shown) => messageV2(shown.map((item) => text(item))), { controls })
    expect(pages).toHaveLength(3)
    expect(pages.map((page) => [validateMessage(page).ok, countComponents(page)])).toEqual([
      [true, 40],
      [true, 40],
      [true, 32],
    ])
    const rows: readonly (readonly { disabled?: boolean; custom_id: string; label: string }[])[] = pages.map(
      (page) => Object(page.components.at(-1)).components,
    )
    expect(rows.map((row) => row.map(({ disabled = false }) => disabled))).toEqual([
      [true, true, false],
      [false, true, false],
      [false, true, true],
    ])
    expect(rows[1]?.map(({ custom_id, label }) => [list.match(custom_id)?.page, label])).toEqual([
      [0, 'Back'],
      [1, '2 / 3'],
      [2, 'Next'],
    ])
    for (const page of pages) expect(validateMessage(page).ok).toBe(true)
  })

  test('the labels can be replaced', () => {
    const controls = pageControls(String, { back: '◀', next: '▶' })({ index: 0, count: 1 })
    expect(controls.components.map((one) => 'label' in one && one.label)).toEqual(['◀', '1 / 1', '▶'])
    expect(controls.components.every(({ disabled }) => disabled)).toBe(true)
  })
})

test('buttonRows splits buttons into rows of five', () => {
  const buttons = Array.from({ length: 11 }, (_, index) => button.primary(`b${index}`, `${index}`))
  expect(buttonRows(buttons).map(({ components }) => components.length)).toEqual([5, 5, 1])
  expect(validateMessage(messageV2(buttonRows(buttons))).ok).toBe(true)
  expect(buttonRows([])).toEqual([])
  expect(buttonRows([null, [false, button.primary('a', 'A')], undefined])).toHaveLength(1)
})

describe('truncate', () => {
  test.each([
    ['short', 5, 'short'],
    ['longer', 5, 'long…'],
    ['🎉🎉🎉', 3, '🎉🎉🎉'],
    ['🎉🎉🎉🎉', 3, '🎉🎉…'],
    ['abc', 1, '…'],
    ['abc', 0, ''],
    ['abc', -1, ''],
  ])('%s of at most %d characters is %s', (value, max, expected) => {
    expect(truncate(value, max)).toBe(expected)
  })
})

describe('createTexts', () => {
  const texts = createTexts(
    { hello: 'Hello', votes: (count: number) => `${count} votes` },
    { de: { hello: 'Hallo', votes: (count) => `${count} Stimmen` }, 'de-AT': { hello: 'Servus', votes: String } },
  )

  test.each([
    ['en', 'Hello'],
    ['de', 'Hallo'],
    ['de-AT', 'Servus'],
    ['de-CH', 'Hallo'],
    ['de-CH-1996', 'Hallo'],
    ['de-AT-1996-u-co-phonebk', 'Servus'],
    [`de-AT${'-a'.repeat(100_000)}`, 'Servus'],
    ['fr', 'Hello'],
    ['', 'Hello'],
    [undefined, 'Hello'],
    [null, 'Hello'],
  ])('the locale %s says %s', (locale, hello) => {
    expect(texts(locale).hello).toBe(hello)
  })

  test('a locale of any length takes linear time', () => {
    expect(texts(`de-${'x'.repeat(1_000_000)}-`).hello).toBe('Hallo')
    expect(texts('-'.repeat(1_000_000)).hello).toBe('Hello')
  })

  test('texts may be functions', () => {
    expect(texts('de').votes(2)).toBe('2 Stimmen')
  })

  test('every language needs every text', () => {
    // @ts-expect-error: `bye` is missing
    createTexts({ hello: 'Hello', bye: 'Bye' }, { de: { hello: 'Hallo' } })
    expect(stringSelect('a').options).toEqual([])
  })
})

test('flags that were removed are 0, which a message may have', () => {
  expect(diffMessage({ content: 'a', flags: 4 }, { content: 'a' })).toEqual({ flags: 0 })
  expect(diffMessage({ content: 'a', flags: 0 }, { content: 'a' })).toBeUndefined()
})
