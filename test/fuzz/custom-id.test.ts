import fc from 'fast-check'
import { ComponentError } from 'rapport-sdk/components'
import { customId, param } from 'rapport-sdk/components/custom-id'
import { expect, test } from 'vitest'
import { runs } from './arbitraries'

const fields = {
  id: param.snowflake,
  text: param.string,
  at: param.integer,
  isOpen: param.boolean,
  size: param.oneOf('s', 'm', ''),
}
const order = customId('order', fields)
const pair = customId('pair', { one: param.string, other: param.string })
const sign = new Uint8Array(32).map((_, index) => index * 7)
const signed = customId('order', fields, { sign })

/** Strings with separators, escapes, surrogates without their pair, and others. */
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom('~', ',', ')', '(', '.', ']', 'd', '8', '\ud83d', '\ude00', 'é'), maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
)
const params = fc.record({
  id: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String),
  text,
  at: fc.maxSafeInteger().map((value) => value + 0),
  isOpen: fc.boolean(),
  size: fc.constantFrom<'s' | 'm' | ''>('s', 'm', ''),
})

/** Damages a string: cuts it, replaces, inserts or swaps characters. */
function damage(id: string, kind: number, at: number, one: string): string {
  const index = at % (id.length + 1)
  const [start, end] = [id.slice(0, index), id.slice(index)]
  if (kind === 0) return start
  if (kind === 1) return end
  if (kind === 2) return start + one + end.slice(1)
  if (kind === 3) return start + one + end
  return start + end.slice(1, 2) + end.slice(0, 1) + end.slice(2)
}
const changes = fc.tuple(
  fc.nat(4),
  fc.nat(),
  fc.oneof(fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), fc.constantFrom('~', ',', ')', '1')),
)

test('parameters are read as they were written', () => {
  fc.assert(
    fc.property(params, (given) => {
      // `Object.is` tells -0 from 0.
      expect(order.match(order(given))).toEqual({ ...given, at: given.at + 0 })
    }),
    runs(),
  )
})

test('different strings have different custom IDs', () => {
  const same = (one: readonly string[], other: readonly string[]) => one.join('\0') === other.join('\0')
  fc.assert(
    fc.property(fc.tuple(text, text), fc.tuple(text, text), ([one, two], [three, four]) => {
      if (one === three && two === four) return
      expect(pair({ one, other: two })).not.toBe(pair({ one: three, other: four }))
      expect(same([one, two], [three, four])).toBe(one === three && two === four)
    }),
    runs(),
  )
})

test('a custom ID that is cut off is foreign', () => {
  fc.assert(
    fc.property(params, fc.nat(), (given, at) => {
      const id = order(given)
      expect(order.match(id.slice(0, at % id.length))).toBeUndefined()
    }),
    runs(),
  )
})

test('match accepts only what the kind would write, whatever it receives', () => {
  fc.assert(
    fc.property(
      fc.oneof(params.map(order), fc.string(), fc.string({ unit: 'binary' })),
      changes,
      (id, [kind, at, one]) => {
        for (const received of [id, damage(id, kind, at, one)]) {
          const found = order.match(received)
          if (found !== undefined) expect(order(found)).toBe(received)
        }
      },
    ),
    runs(),
  )
})

test('10,000 foreign, cut and altered signed IDs are undefined', async () => {
  const given = fc.sample(params, { seed: 1, numRuns: 100 })
  const ids = await Promise.all(given.map((one) => signed(one, { context: '7' })))
  const altered = fc.sample(changes, { seed: 2, numRuns: 9_000 }).flatMap(([kind, at, one], index) => {
    const id = ids[index % ids.length] ?? ''
    const result = damage(id, kind, at, one)
    return result === id ? [] : [result]
  })
  const foreign = fc.sample(fc.string({ unit: 'binary', maxLength: 120 }), {
    seed: 3,
    numRuns: 10_000 - altered.length,
  })
  const all = [...altered, ...foreign]
  expect(all).toHaveLength(10_000)
  const found = await Promise.all(all.map((id) => signed.match(id, { context: '7' })))
  expect(found.filter((one) => one !== undefined)).toEqual([])
  expect(await Promise.all(ids.map((id) => signed.match(id, { context: '7' })))).toEqual(
    given.map((one) => ({ ...one, at: one.at + 0 })),
  )
})

test('a custom ID is at most 100 characters long, or a ComponentError names its parameters', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 120 }),
      fc.string({ unit: 'binary', maxLength: 120 }),
      (one, other) => {
        try {
          expect([...pair({ one, other })].length).toBeLessThanOrEqual(100)
        } catch (error) {
          if (!(error instanceof ComponentError)) throw error
          expect(error.issues).toHaveLength(1)
          expect(['one', 'other']).toContain(error.issues[0]?.path[0])
        }
      },
    ),
    runs(),
  )
})
