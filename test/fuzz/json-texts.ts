import fc from 'fast-check'
import { anyText } from './texts'

/** A key as some writers escape it; JSON reads it as `__proto__` all the same. */
const PROTO_KEYS = [
  '"__proto__"',
  '"\\u005f_proto__"',
  '"__\\u0070roto__"',
  '"\\u005F\\u005fpr\\u006fto\\u005f\\u005f"',
]

/** Any JSON value, the names that objects inherit included. */
export const anyJson: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(
      anyText,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
    ),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(
      fc.oneof(anyText, fc.constantFrom('code', 'message', 'errors', '_errors', 'mfa', 'token', 'id', '0', 'toString')),
      tie('value'),
      { maxKeys: 5 },
    ),
  ),
})).value

/** What nests further than a stack reaches. */
const deep = fc
  .record({ depth: fc.integer({ min: 1, max: 60_000 }), open: fc.constantFrom('[', '{"errors":', '{"a":[') })
  .map(({ depth, open }) => {
    const ends = [...open].reverse().map((sign) => ({ '[': ']', '{': '}' })[sign] ?? '')
    return `${open.repeat(depth)}null${ends.join('').repeat(depth)}`
  })

/** The text of a JSON value, of one whose keys would set a prototype, of a very deep one, or of most of one. */
export const anyJsonText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: anyJson.map((value) => JSON.stringify(value)) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...PROTO_KEYS), anyJson, anyJson)
      .map(([key, one, other]) => `{${key}:{"polluted":${JSON.stringify(one)}},"a":{${key}:${JSON.stringify(other)}}}`),
  },
  { weight: 1, arbitrary: deep },
  { weight: 1, arbitrary: anyJson.map((value) => JSON.stringify(value).slice(0, -1)) },
)
