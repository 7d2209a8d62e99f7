import fc from 'fast-check'

/** What has a meaning to URLs, routers, headers or JSON. */
const HOSTILE = [
  ...['', '.', '..', '...', '/', '//', '\\', '..\\', '/..', '../', '%2e', '%2E%2e', '.%2e', '%2f', '%252e%252e', '%00'],
  ...['?', '#', ';', '@', '@me', ':', '//evil.example', 'https://evil.example', '?a=b', '#top', '%', '%zz', '+', ' '],
  ...['\r\n', '\n', '\t', '\u0000', '\u007f', '\u2028', '\ufeff', '\ud800', '\udc00a', '{user.id}', '{', '}', '$&'],
  ...['__proto__', 'constructor', 'toString', '٣', '１', '0x10', '1e3', '-1', 'null', 'undefined'],
]

/** Any text: whole characters and halves of them, names, numbers and what has a meaning somewhere. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom(...HOSTILE), { maxLength: 4 }).map((parts) => parts.join('')),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 }).map((units) => String.fromCharCode(...units)),
)

/** An ID of a record, as the service makes them. */
export const snowflake: fc.Arbitrary<string> = fc.bigInt({ min: 0n, max: 2n ** 64n }).map(String)
