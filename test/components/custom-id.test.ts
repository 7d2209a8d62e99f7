import { inspect } from 'node:util'
import { button, ComponentError, LIMITS, messageV2, row, validateMessage } from 'rapport-sdk/components'
import { customId, type Param, param, upgradeFrom } from 'rapport-sdk/components/custom-id'
import { describe, expect, test } from 'vitest'

const vote = customId('vote', { poll: param.snowflake, choice: param.oneOf('tea', 'coffee'), page: param.integer })
const note = customId('note', { text: param.string })

/** Returns the issues of the ComponentError that a function throws. */
function issuesOf(run: () => unknown) {
  try {
    run()
  } catch (error) {
    if (error instanceof ComponentError) return error.issues
    throw error
  }
  throw new Error('expected an error')
}

describe('customId', () => {
  test('a custom ID is written as its name and its values, in the order of the fields', () => {
    expect(vote({ page: 2, poll: '42', choice: 'tea' })).toBe('vote(42,tea,2)')
    expect(customId('close')()).toBe('close()')
    expect(customId('flags', { on: param.boolean, off: param.boolean })({ on: true, off: false })).toBe('flags(1,0)')
  })

  test('match returns the parameters of a custom ID', () => {
    expect(vote.match('vote(42,coffee,-7)')).toEqual({ poll: '42', choice: 'coffee', page: -7 })
    expect(customId('close').match('close()')).toEqual({})
    expect(vote.prefix).toBe('vote')
  })

  test.each(['', ',', ')', '~', '~~', '~.', 'a,b)c~d', '(', '🎉', 'é\n\u0000', '\ud83d', '\ude00\ud83d', '__proto__'])(
    'the string %j is read as it was written',
    (text) => {
      const id = note({ text })
      expect(note.match(id)).toEqual({ text })
      expect(new TextDecoder().decode(new TextEncoder().encode(id))).toBe(id)
    },
  )

  test.each([
    ['another kind', 'vot(42,tea,2)'],
    ['a kind whose name starts with this one', 'vote2(42,tea,2)'],
    ['a kind of another library', 'vote:42:tea:2'],
    ['an ID with too few values', 'vote(42,tea)'],
    ['an ID with too many values', 'vote(42,tea,2,3)'],
    ['a value that is not offered', 'vote(42,water,2)'],
    ['an ID that is not a snowflake', 'vote(4x,tea,2)'],
    ['an integer that is written otherwise', 'vote(42,tea,02)'],
    ['an integer with a fraction', 'vote(42,tea,2.5)'],
    ['an integer that is not exact', 'vote(42,tea,9007199254740993)'],
    ['an empty integer', 'vote(42,tea,)'],
    ['an ID that was cut off', 'vote(42,tea,2'],
    ['text after the end', 'vote(42,tea,2) '],
    ['the version 1, which is not written', 'vote@1(42,tea,2)'],
    ['an unknown version', 'vote@2(42,tea,2)'],
    ['an unknown escape', 'vote(4~2,tea,2)'],
    ['no string', 42],
    ['nothing', undefined],
  ])('match returns undefined for %s', (_, id) => {
    expect(vote.match(id)).toBeUndefined()
  })

  test('match returns undefined for a string longer than a custom_id can be', () => {
    expect(note.match(`note(${'a'.repeat(94)})`)).toEqual({ text: 'a'.repeat(94) })
    expect(note.match(`note(${'a'.repeat(95)})`)).toBeUndefined()
  })

  test('the limit is that of the validator, which counts code points', () => {
    const { max } = LIMITS.button.custom_id
    const longest = note({ text: '🎉'.repeat(max - 'note()'.length) })
    expect([...longest]).toHaveLength(max)
    expect(validateMessage(messageV2(row(button.primary(longest, 'Go')))).ok).toBe(true)
    expect(() => note({ text: '🎉'.repeat(max - 'note()'.length + 1) })).toThrow(ComponentError)
  })

  test('a ComponentError names the parameter that is too long, its length and what is left for it', () => {
    const answer = customId('answer', { id: param.snowflake, text: param.string, page: param.integer })
    const [issue, ...others] = issuesOf(() => answer({ id: '42', text: 'a,'.repeat(40), page: 1 }))
    expect(others).toEqual([])
    expect(issue).toMatchObject({ path: ['text'], code: 'too_long', actual: 120, limit: 87 })
    expect(issue?.message).toBe('120 characters with escapes, at most 87 next to the other parameters')
  })

  test('a ComponentError names every parameter that is invalid or missing', () => {
    const issues = issuesOf(() => vote(JSON.parse('{ "poll": "x", "choice": "water" }')))
    expect(issues.map(({ path, code }) => [path[0], code])).toEqual([
      ['poll', 'invalid_value'],
      ['choice', 'invalid_value'],
      ['page', 'required'],
    ])
    expect(() => vote({ poll: '1', choice: 'tea', page: 0.5 })).toThrow('page: expected an integer')
  })

  test('an inherited value is not a parameter', () => {
    const inherited = JSON.parse('{ "page": 1, "choice": "tea" }')
    expect(() => vote(Object.setPrototypeOf(inherited, { poll: '1' }))).toThrow('poll: expected 1 to 20 digits')
  })

  test.each(['', 'a(b', 'a@b', 'a,b', 'ä'])('the name %j is refused', (name) => {
    expect(() => customId(name)).toThrow(ComponentError)
  })

  test('a name that leaves no character for each field is refused when the kind is defined', () => {
    const sign = new Uint8Array(32)
    const name = (length: number) => 'n'.repeat(length)
    expect(customId(name(98))()).toHaveLength(100)
    expect(() => customId(name(99))).toThrow(`the kind of custom_id "${name(99)}":\n  name: expected at most 98 of 100`)
    const fields = { on: param.boolean, off: param.boolean }
    expect(customId(name(95), fields)({ on: true, off: false })).toHaveLength(100)
    expect(() => customId(name(96), fields)).toThrow('at most 95 of 100 characters, with room for the fields')
    expect(() => customId(name(94), fields, { version: 2 })).toThrow('name: expected at most 93')
    expect(() => customId(name(80), fields, { sign })).toThrow('name: expected at most 79')
  })

  test('a parameter can have a custom kind', () => {
    const day: Param<Date> = {
      expects: 'a date',
      write: (date) => date.toISOString().slice(0, 10),
      read: (text) => new Date(text),
    }
    const remind = customId('remind', { day })
    expect(remind({ day: new Date('2026-05-01') })).toBe('remind(2026-05-01)')
    expect(remind.match('remind(2026-05-01)')?.day.getUTCDate()).toBe(1)
    // `toISOString` throws.
    expect(remind.match('remind(yesterday)')).toBeUndefined()
    expect(remind.match('remind(2026)')).toBeUndefined()
  })
})

describe('versions', () => {
  const first = customId('page', { list: param.string })
  const second = customId(
    'page',
    { list: param.string, at: param.integer },
    { version: 2, upgrade: { 1: upgradeFrom({ list: param.string }, ({ list }) => ({ list, at: 0 })) } },
  )

  test('an ID of an older version is upgraded', () => {
    expect(second({ list: 'a', at: 3 })).toBe('page@2(a,3)')
    expect(second.match('page@2(a,3)')).toEqual({ list: 'a', at: 3 })
    expect(second.match(first({ list: 'a,b' }))).toEqual({ list: 'a,b', at: 0 })
  })

  test('an ID of a newer version, or of one without an upgrade, is foreign', () => {
    expect(first.match('page@2(a,3)')).toBeUndefined()
    expect(second.match('page@3(a,3)')).toBeUndefined()
    expect(second.match('page(a,3)')).toBeUndefined()
  })

  test('an upgrade receives the texts of the older version', () => {
    const third = customId(
      'page',
      { at: param.integer },
      { version: 3, upgrade: { 2: ([, at = '']) => ({ at: Number(at) }) } },
    )
    expect(third.match(second({ list: 'a', at: 3 }))).toEqual({ at: 3 })
  })

  test.each([
    [
      'throws',
      () => {
        throw new Error('broken')
      },
    ],
    ['returns invalid parameters', () => ({ at: 0.5 })],
    ['returns nothing', () => undefined],
  ])('match returns undefined if an upgrade %s', (_, upgrade) => {
    expect(customId('p', { at: param.integer }, { version: 2, upgrade: { 1: upgrade } }).match('p(1)')).toBeUndefined()
  })

  test('a version without parameters can be upgraded', () => {
    const upgrade = { 1: upgradeFrom({}, () => ({ at: 1 })) }
    const paged = customId('list', { at: param.integer }, { version: 2, upgrade })
    expect(paged.match(customId('list')())).toEqual({ at: 1 })
    expect(paged.match('list(a)')).toBeUndefined()
  })

  test.each([0, -1, 1.5, Number.NaN])('the version %d is refused', (version) => {
    expect(() => customId('a', {}, { version })).toThrow('version: expected a positive integer')
  })
})

describe('signatures', () => {
  const key = (fill: number) => new Uint8Array(32).fill(fill)
  const fields = { user: param.snowflake }
  const ban = customId('ban', fields, { sign: key(1) })

  test('a signed ID ends with 16 characters of base64url, the same for the same parameters', async () => {
    const id = await ban({ user: '42' })
    expect(id).toMatch(/^ban\(42\)[\w-]{16}$/)
    expect(await ban({ user: '42' })).toBe(id)
    expect(await ban.match(id)).toEqual({ user: '42' })
  })

  test('the signature is the start of an HMAC-SHA-256', async () => {
    const { createHmac } = await import('node:crypto')
    const expected = createHmac('sha256', key(1)).update('custom_id:ban(42)').digest().subarray(0, 12)
    expect(await ban({ user: '42' })).toBe(`ban(42)${expected.toString('base64url')}`)
  })

  test('an ID without a signature, of another key or with other parameters is foreign', async () => {
    const id = await ban({ user: '42' })
    const other = await customId('ban', fields, { sign: key(2) })({ user: '42' })
    const same = { ok: customId('ban', fields)({ user: '42' }) }
    for (const foreign of [same.ok, other, id.replace('42', '43'), `${id}a`, id.slice(0, -1), undefined])
      expect(await ban.match(foreign)).toBeUndefined()
    expect(customId('ban', fields).match(id)).toBeUndefined()
  })

  test('a context binds an ID to a message or user', async () => {
    const id = await ban({ user: '42' }, { context: '7' })
    expect(await ban.match(id, { context: '7' })).toEqual({ user: '42' })
    expect(await ban.match(id, { context: '8' })).toBeUndefined()
    expect(await ban.match(id)).toBeUndefined()
    expect(await ban.match(await ban({ user: '42' }), { context: '7' })).toBeUndefined()
  })

  test('the first of several keys signs, and all of them verify', async () => {
    const rotated = customId('ban', fields, { sign: [key(2), key(1)] })
    expect(await rotated.match(await ban({ user: '42' }))).toEqual({ user: '42' })
    expect(await ban.match(await rotated({ user: '42' }))).toBeUndefined()
  })

  test('a signed ID of an older version is upgraded', async () => {
    const upgrade = { 1: upgradeFrom(fields, ({ user }) => ({ user, days: 1 })) }
    const next = customId('ban', { ...fields, days: param.integer }, { version: 2, upgrade, sign: key(1) })
    expect(await next.match(await ban({ user: '42' }))).toEqual({ user: '42', days: 1 })
  })

  test('the signature leaves 84 characters', async () => {
    const text = customId('t', { text: param.string }, { sign: key(1) })
    expect(await text({ text: 'a'.repeat(81) })).toHaveLength(100)
    await expect(text({ text: 'a'.repeat(82) })).rejects.toThrow('text: 82 characters with escapes, at most 81')
  })

  test.each([31, 33, 0])('a key of %d bytes is refused, and the error does not contain it', (length) => {
    const sign = new Uint8Array(length).fill(77)
    expect(issuesOf(() => customId('a', fields, { sign }))).toMatchObject([{ path: ['sign'] }])
    expect(inspect(issuesOf(() => customId('a', fields, { sign })))).not.toContain('77')
  })

  test('a string is refused as a key', () => {
    expect(() => customId('a', fields, JSON.parse(JSON.stringify({ sign: 'x'.repeat(32) })))).toThrow(ComponentError)
    expect(() => customId('a', fields, { sign: [] })).toThrow(ComponentError)
  })

  test('a kind of custom ID does not show its key', () => {
    expect(inspect(customId('a', fields, { sign: key(77) }), { depth: 9, showHidden: true })).not.toContain('77')
  })

  test('a later change of the array with the key has no effect', async () => {
    const bytes = key(1)
    const kept = customId('ban', fields, { sign: bytes })
    bytes.fill(9)
    expect(await kept({ user: '42' })).toBe(await ban({ user: '42' }))
  })
})
