import fc from 'fast-check'

/** A text with holes: each number picks one of the secrets that the service knows by then. */
type Leaf = readonly (string | number)[]

/** What a service echoes, before it knows what. */
export type Template =
  | { readonly leaf: Leaf; readonly writtenAs: 'is' | 'json' | 'uri' | 'number' }
  | { readonly list: readonly Template[] }
  | { readonly fields: readonly (readonly [Leaf, Template])[] }

const NAMES = [
  'code',
  'message',
  'errors',
  '_errors',
  'token',
  'ticket',
  'mfa',
  'methods',
  'type',
  'credential',
  'note',
]

const leaf: fc.Arbitrary<Leaf> = fc.array(
  fc.oneof(fc.nat(30), fc.constantFrom(' ', 'invalid: ', '"', '\n', 'Bearer ', '{"password":"')),
  { minLength: 1, maxLength: 4 },
)
const name: fc.Arbitrary<Leaf> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...NAMES).map((text) => [text]) },
  { weight: 1, arbitrary: leaf },
)

const { node, fields } = fc.letrec<{ node: Template; fields: Template }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ leaf, writtenAs: fc.constantFrom('is', 'json', 'uri', 'number') }),
    tie('fields'),
    fc.array(tie('node'), { maxLength: 3 }).map((list) => ({ list })),
  ),
  fields: fc.array(fc.tuple(name, tie('node')), { maxLength: 4 }).map((fields) => ({ fields })),
}))

/** How a service answers one request: as it should, with echoes beside that, or with echoes alone. */
export interface Echo {
  readonly how: 'well' | 'beside' | 'instead'
  readonly status: number
  readonly body: Template
  readonly asPage: boolean
  readonly headers: readonly (readonly [string, number])[]
}

/** Any echo. */
export const anyEcho: fc.Arbitrary<Echo> = fc.record({
  how: fc.constantFrom('well', 'beside', 'beside', 'instead'),
  status: fc.constantFrom(200, 400, 400, 401, 403, 404, 422, 429, 500, 502),
  body: fc.oneof(node, fields, fields),
  asPage: fc.integer({ min: 0, max: 9 }).map((draw) => draw === 0),
  headers: fc.array(fc.tuple(fc.constantFrom('x-echo', 'x-request', 'authorization', 'set-cookie'), fc.nat(30)), {
    maxLength: 2,
  }),
})

/** A template with its holes filled. */
export function filled(template: Template, secrets: readonly string[]): unknown {
  if ('list' in template) return template.list.map((item) => filled(item, secrets))
  if ('fields' in template) {
    return Object.fromEntries(template.fields.map(([key, item]) => [filledLeaf(key, secrets), filled(item, secrets)]))
  }
  const text = filledLeaf(template.leaf, secrets)
  if (template.writtenAs === 'json') return JSON.stringify(text)
  if (template.writtenAs === 'uri') return encodeURIComponent(text)
  return template.writtenAs === 'number' && /^[1-9]\d*$/.test(text) ? Number(text) : text
}

function filledLeaf(leaf: Leaf, secrets: readonly string[]): string {
  return leaf.map((part) => (typeof part === 'string' ? part : (secrets[part % secrets.length] ?? ''))).join('')
}
