import type { Parameters } from 'fast-check'
import fc from 'fast-check'

const { FUZZ_RUNS = '50', FUZZ_SEED = '20260501', FUZZ_SHRINK = 'yes' } = process.env

/**
 * Returns the seed and the number of runs of a property. `share` multiplies the runs, by less than 1 for slow properties.
 * With `FUZZ_SHRINK=no` the first failure ends it, without a search for a smaller example.
 */
export function runs<T>(share = 1): Parameters<T> {
  return { seed: Number(FUZZ_SEED), numRuns: Math.ceil(Number(FUZZ_RUNS) * share), endOnFailure: FUZZ_SHRINK === 'no' }
}

/** Strings with a special meaning in URLs, routers, headers or JSON. */
const HOSTILE = [
  ...['', '.', '..', '...', '/', '//', '\\', '..\\', '/..', '../', '%2e', '%2E%2e', '.%2e', '%2f', '%252e%252e', '%00'],
  ...['?', '#', ';', '@', '@me', ':', '//evil.example', 'https://evil.example', '?a=b', '#top', '%', '%zz', '+', ' '],
  ...['\r\n', '\n', '\t', '\u0000', '\u007f', '\u2028', '\ufeff', '\ud800', '\udc00a', '{user.id}', '{', '}', '$&'],
  ...['__proto__', 'constructor', 'toString', '٣', '１', '0x10', '1e3', '-1', 'null', 'undefined'],
]

const SURROGATES = { from: 0xd800, count: 0x800 }

/** Any character except surrogates, like fast-check's unit `binary`, which takes a second and 170 MB for a map of all of them. */
const anyCharacter = fc.integer({ min: 0, max: 0x10ffff - SURROGATES.count }).map(
  (index) => String.fromCodePoint(index < SURROGATES.from ? index : index + SURROGATES.count),
  (value) => {
    if (typeof value !== 'string' || !/^\P{Cs}$/u.test(value)) throw new Error('This is not one character.')
    const code = value.codePointAt(0) ?? 0
    return code < SURROGATES.from ? code : code - SURROGATES.count
  },
)

/** Any string without lone surrogates. */
export const anyString = (constraints: Omit<fc.StringConstraints, 'unit'> = {}): fc.Arbitrary<string> =>
  fc.string({ ...constraints, unit: anyCharacter })

/** Any string, including lone surrogates and {@link HOSTILE} strings. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...HOSTILE),
  anyString(),
  fc.array(fc.constantFrom(...HOSTILE), { maxLength: 4 }).map((parts) => parts.join('')),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 }).map((units) => String.fromCharCode(...units)),
)

/** The ID of a record. */
export const snowflake: fc.Arbitrary<string> = fc.bigInt({ min: 0n, max: 2n ** 64n }).map(String)

/** JSON spellings of the key `__proto__`. */
const PROTO_KEYS = [
  '"__proto__"',
  '"\\u005f_proto__"',
  '"__\\u0070roto__"',
  '"\\u005F\\u005Fproto__"',
  '"\\u005F\\u005fpr\\u006fto\\u005f\\u005f"',
]

/** Any JSON value, with keys such as those that objects inherit. */
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

/** JSON that is nested deeper than a call stack. */
const deep = fc
  .record({ depth: fc.integer({ min: 1, max: 60_000 }), open: fc.constantFrom('[', '{"errors":', '{"a":[') })
  .map(({ depth, open }) => {
    const ends = [...open].reverse().map((sign) => ({ '[': ']', '{': '}' })[sign] ?? '')
    return `${open.repeat(depth)}null${ends.join('').repeat(depth)}`
  })

/** JSON text: of any value, with `__proto__` keys, very deep, or truncated. */
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
