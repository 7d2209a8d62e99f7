import {
  type CustomId,
  customId,
  type Param,
  param,
  type SignedCustomId,
  upgradeFrom,
} from 'rapport-sdk/components/custom-id'
import { describe, expectTypeOf, test } from 'vitest'

const fields = {
  poll: param.snowflake,
  choice: param.oneOf('tea', 'coffee'),
  page: param.integer,
  isOpen: param.boolean,
}
interface Vote {
  readonly poll: string
  readonly choice: 'tea' | 'coffee'
  readonly page: number
  readonly isOpen: boolean
}
const vote = customId('vote', fields)
const signed = customId('vote', fields, { sign: new Uint8Array(32) })

describe('customId', () => {
  test('a kind of custom ID has the types of its parameters', () => {
    expectTypeOf(vote).toEqualTypeOf<CustomId<Vote>>()
    expectTypeOf(vote({ poll: '1', choice: 'tea', page: 0, isOpen: true })).toEqualTypeOf<string>()
    expectTypeOf(vote.match('')).toEqualTypeOf<Vote | undefined>()
    // @ts-expect-error: not one of the choices
    void (() => vote({ poll: '1', choice: 'water', page: 0, isOpen: true }))
    // @ts-expect-error: a parameter is missing
    void (() => vote({ poll: '1', choice: 'tea', page: 0 }))
    // @ts-expect-error: no such parameter
    void (() => vote({ poll: '1', choice: 'tea', page: 0, isOpen: true, other: 1 }))
    // @ts-expect-error: the parameters are missing
    void (() => vote())
    // @ts-expect-error: without a signature there is no context
    void (() => vote.match('', { context: '1' }))
  })

  test('a kind of custom ID without parameters takes no argument', () => {
    const close = customId('close')
    expectTypeOf(close()).toEqualTypeOf<string>()
    // @ts-expect-error: no such parameter
    void (() => close({ id: '1' }))
  })

  test('a signed kind of custom ID returns promises', () => {
    expectTypeOf(signed).toEqualTypeOf<SignedCustomId<Vote>>()
    expectTypeOf(signed.match('', { context: '1' })).toEqualTypeOf<Promise<Vote | undefined>>()
    void (() => {
      const written = signed({ poll: '1', choice: 'tea', page: 0, isOpen: true }, { context: '1' })
      expectTypeOf(written).toEqualTypeOf<Promise<string>>()
    })
  })

  test('an upgrade has the types of both versions', () => {
    const old = { poll: param.snowflake, drink: param.oneOf('t', 'c') }
    const upgraded = customId('vote', fields, {
      version: 2,
      upgrade: {
        1: upgradeFrom(old, ({ poll, drink }) => {
          expectTypeOf(drink).toEqualTypeOf<'t' | 'c'>()
          return { poll, choice: drink === 't' ? 'tea' : 'coffee', page: 0, isOpen: true }
        }),
      },
    })
    expectTypeOf(upgraded).toEqualTypeOf<CustomId<Vote>>()
    const broken = () =>
      customId('vote', fields, {
        version: 3,
        upgrade: {
          2: (texts) => {
            expectTypeOf(texts).toEqualTypeOf<readonly string[]>()
            return undefined
          },
          // @ts-expect-error: parameters are missing
          1: upgradeFrom(old, ({ poll }) => ({ poll })),
        },
      })
    expectTypeOf(broken).toBeFunction()
  })

  test('a kind of parameter of your own has its type', () => {
    const day: Param<Date> = { expects: 'a date', write: String, read: (text) => new Date(text) }
    expectTypeOf(customId('remind', { day }).match('')).toEqualTypeOf<{ readonly day: Date } | undefined>()
  })
})
