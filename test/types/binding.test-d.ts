import { describe, expectTypeOf, test } from 'vitest'
import * as z from 'zod/mini'
import { looseObject, type Open, oneOf, open, record, type Schema, strictObject } from '../../src/contract/schema'

interface Example {
  id: string
  count: number
  note?: string
  parent: string | null
  hint?: string | null
}

const note = z.optional(z.string())
const parent = z.nullable(z.string())
const hint = z.optional(z.nullable(z.string()))

// Both bind alike; what differs is what they let through at run time.
describe.each([looseObject, strictObject])('a schema', (bind) => {
  test('fits the interface that it is bound to', () => {
    const schema = bind<Example>()({ id: z.string(), count: z.int(), note, parent, hint })
    expectTypeOf(schema).toEqualTypeOf<Schema<Example>>()
  })

  test('lacks no key', () => {
    // @ts-expect-error: count
    bind<Example>()({ id: z.string(), note, parent, hint })
    // @ts-expect-error: note, though it is optional
    bind<Example>()({ id: z.string(), count: z.int(), parent, hint })
  })

  test('has no further key', () => {
    // @ts-expect-error: extra
    bind<Example>()({ id: z.string(), count: z.int(), note, parent, hint, extra: z.string() })
    // @ts-expect-error: extra, though it is optional
    bind<Example>()({ id: z.string(), count: z.int(), note, parent, hint, extra: z.optional(z.string()) })
  })

  test('has no key of another type', () => {
    // @ts-expect-error: id is a string
    bind<Example>()({ id: z.int(), count: z.int(), note, parent, hint })
    // @ts-expect-error: note is a string
    bind<Example>()({ id: z.string(), count: z.int(), note: z.optional(z.boolean()), parent, hint })
    // @ts-expect-error: id is any string
    bind<Example>()({ id: z.literal('a'), count: z.int(), note, parent, hint })
    // @ts-expect-error: count is a number alone
    bind<Example>()({ id: z.string(), count: z.union([z.int(), z.string()]), note, parent, hint })
  })

  test('is optional where the key is, and nowhere else', () => {
    // @ts-expect-error: id is required
    bind<Example>()({ id: z.optional(z.string()), count: z.int(), note, parent, hint })
    // @ts-expect-error: note is optional
    bind<Example>()({ id: z.string(), count: z.int(), note: z.string(), parent, hint })
    // @ts-expect-error: hint is optional as well as nullable
    bind<Example>()({ id: z.string(), count: z.int(), note, parent, hint: z.nullable(z.string()) })
  })

  test('is nullable where the value may be null, and nowhere else', () => {
    // @ts-expect-error: id is never null
    bind<Example>()({ id: z.nullable(z.string()), count: z.int(), note, parent, hint })
    // @ts-expect-error: parent may be null
    bind<Example>()({ id: z.string(), count: z.int(), note, parent: z.string(), hint })
    // @ts-expect-error: note is never null
    bind<Example>()({ id: z.string(), count: z.int(), note: z.optional(z.nullable(z.string())), parent, hint })
    // @ts-expect-error: hint may be null
    bind<Example>()({ id: z.string(), count: z.int(), note, parent, hint: z.optional(z.string()) })
  })
})

test('a nested object is bound as well', () => {
  interface Outer {
    inner: Example
    list: Example[]
    map: Record<string, Example>
  }
  const inner = looseObject<Example>()({ id: z.string(), count: z.int(), note, parent, hint })
  const outer = looseObject<Outer>()({ inner, list: z.array(inner), map: record(inner) })
  expectTypeOf(outer).toEqualTypeOf<Schema<Outer>>()
  // @ts-expect-error: the item is another
  looseObject<Outer>()({ inner, list: z.array(z.string()), map: record(inner) })
  // @ts-expect-error: so is the value of the map
  looseObject<Outer>()({ inner, list: z.array(inner), map: record(z.string()) })
})

test('an enumeration is closed by oneOf and open by open', () => {
  interface Question {
    answer: 'yes' | 'no'
  }
  interface Answer {
    answer: Open<'yes' | 'no'>
  }
  strictObject<Question>()({ answer: oneOf({ YES: 'yes', NO: 'no' }) })
  looseObject<Answer>()({ answer: open('string') })
  // @ts-expect-error: a value is missing
  strictObject<Question>()({ answer: oneOf({ YES: 'yes' }) })
  // @ts-expect-error: there is one too many
  strictObject<Question>()({ answer: oneOf({ YES: 'yes', NO: 'no' }, 'maybe') })
  // @ts-expect-error: the values are strings
  looseObject<Answer>()({ answer: open('integer') })
})
