import { describe, expectTypeOf, test } from 'vitest'
import {
  array,
  boolean,
  integer,
  looseObject,
  nullable,
  type Open,
  oneOf,
  open,
  optional,
  record,
  type Schema,
  strictObject,
  string,
  union,
} from '../../src/contract/schema'

interface Example {
  id: string
  count: number
  note?: string
  parent: string | null
  hint?: string | null
}

const note = optional(string)
const parent = nullable(string)
const hint = optional(nullable(string))

// Both have the same types; they differ in whether they accept unknown fields.
describe.each([looseObject, strictObject])('a schema of an interface', (bind) => {
  test('compiles if it matches the API', () => {
    const schema = bind<Example>()({ id: string, count: integer, note, parent, hint })
    expectTypeOf(schema).toEqualTypeOf<Schema<Example>>()
  })

  test('does not compile with a missing key', () => {
    // @ts-expect-error: count is missing
    bind<Example>()({ id: string, note, parent, hint })
    // @ts-expect-error: note is missing, although it is optional
    bind<Example>()({ id: string, count: integer, parent, hint })
  })

  test('does not compile with an additional key', () => {
    // @ts-expect-error: extra is unknown
    bind<Example>()({ id: string, count: integer, note, parent, hint, extra: string })
    // @ts-expect-error: extra is unknown, although it is optional
    bind<Example>()({ id: string, count: integer, note, parent, hint, extra: optional(string) })
  })

  test('does not compile with a key of another type', () => {
    // @ts-expect-error: id is a string
    bind<Example>()({ id: integer, count: integer, note, parent, hint })
    // @ts-expect-error: note is a string
    bind<Example>()({ id: string, count: integer, note: optional(boolean), parent, hint })
    // @ts-expect-error: id is any string
    bind<Example>()({ id: oneOf({ A: 'a' }), count: integer, note, parent, hint })
    // @ts-expect-error: count is only a number
    bind<Example>()({ id: string, count: union<number | string>([integer, string], () => string), note, parent, hint })
  })

  test('must be optional exactly if the key is', () => {
    // @ts-expect-error: id is required
    bind<Example>()({ id: optional(string), count: integer, note, parent, hint })
    // @ts-expect-error: note is optional
    bind<Example>()({ id: string, count: integer, note: string, parent, hint })
    // @ts-expect-error: hint is optional as well as nullable
    bind<Example>()({ id: string, count: integer, note, parent, hint: nullable(string) })
  })

  test('must be nullable exactly if the value is', () => {
    // @ts-expect-error: id is never null
    bind<Example>()({ id: nullable(string), count: integer, note, parent, hint })
    // @ts-expect-error: parent may be null
    bind<Example>()({ id: string, count: integer, note, parent: string, hint })
    // @ts-expect-error: note is never null
    bind<Example>()({ id: string, count: integer, note: optional(nullable(string)), parent, hint })
    // @ts-expect-error: hint may be null
    bind<Example>()({ id: string, count: integer, note, parent, hint: optional(string) })
  })
})

test('the schema of a nested object must match its interface', () => {
  interface Outer {
    inner: Example
    list: Example[]
    map: Record<string, Example>
  }
  const inner = looseObject<Example>()({ id: string, count: integer, note, parent, hint })
  const outer = looseObject<Outer>()({ inner, list: array(inner), map: record(inner) })
  expectTypeOf(outer).toEqualTypeOf<Schema<Outer>>()
  // @ts-expect-error: the items have another type
  looseObject<Outer>()({ inner, list: array(string), map: record(inner) })
  // @ts-expect-error: the values of the map have another type
  looseObject<Outer>()({ inner, list: array(inner), map: record(string) })
})

test('oneOf() binds a closed enumeration and open() an open one', () => {
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
  // @ts-expect-error: a value is unknown
  strictObject<Question>()({ answer: oneOf({ YES: 'yes', NO: 'no' }, 'maybe') })
  // @ts-expect-error: the values are strings
  looseObject<Answer>()({ answer: open('integer') })
})
