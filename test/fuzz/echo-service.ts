import fc from 'fast-check'

/** The parts of a string; a number stands for one of the secrets that the service has received or issued. */
type Leaf = readonly (string | number)[]

/** The body of an echo, with placeholders for secrets. */
export type Template =
  | { readonly leaf: Leaf; readonly encoding: 'none' | 'json' | 'uri' | 'number' }
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
    fc.record({ leaf, encoding: fc.constantFrom('none', 'json', 'uri', 'number') }),
    tie('fields'),
    fc.array(tie('node'), { maxLength: 3 }).map((list) => ({ list })),
  ),
  fields: fc.array(fc.tuple(name, tie('node')), { maxLength: 4 }).map((fields) => ({ fields })),
}))

/** One response: normal, with echoes added to its fields, or replaced by echoes. */
export interface Echo {
  readonly mode: 'normal' | 'added' | 'replaced'
  readonly status: number
  readonly body: Template
  readonly isHtml: boolean
  readonly headers: readonly (readonly [string, number])[]
}

/** Any echo. */
export const anyEcho: fc.Arbitrary<Echo> = fc.record({
  mode: fc.constantFrom('normal', 'added', 'added', 'replaced'),
  status: fc.constantFrom(200, 400, 400, 401, 403, 404, 422, 429, 500, 502),
  body: fc.oneof(node, fields, fields),
  isHtml: fc.integer({ min: 0, max: 9 }).map((draw) => draw === 0),
  headers: fc.array(fc.tuple(fc.constantFrom('x-echo', 'x-request', 'authorization', 'set-cookie'), fc.nat(30)), {
    maxLength: 2,
  }),
})

/** Replaces the placeholders of a template by secrets. */
export function fillTemplate(template: Template, secrets: readonly string[]): unknown {
  if ('list' in template) return template.list.map((item) => fillTemplate(item, secrets))
  if ('fields' in template) {
    return Object.fromEntries(
      template.fields.map(([key, item]) => [fillLeaf(key, secrets), fillTemplate(item, secrets)]),
    )
  }
  const text = fillLeaf(template.leaf, secrets)
  if (template.encoding === 'json') return JSON.stringify(text)
  if (template.encoding === 'uri') return encodeURIComponent(text)
  return template.encoding === 'number' && /^[1-9]\d*$/.test(text) ? Number(text) : text
}

function fillLeaf(leaf: Leaf, secrets: readonly string[]): string {
  return leaf.map((part) => (typeof part === 'string' ? part : (secrets[part % secrets.length] ?? ''))).join('')
}

/** Secrets that must not appear in any output. */
export type Secrets = Readonly<Record<(typeof SECRET_NAMES)[number], string>>

export const SECRET_NAMES = [
  ...(['token', 'fingerprint', 'password', 'code', 'ticket', 'jwt', 'newToken', 'challenge', 'credential'] as const),
  ...(['key', 'handoffToken', 'phoneToken', 'apiKey'] as const),
]

const mfaRequired = ({ ticket, challenge }: Secrets) => {
  const methods = [{ type: 'totp' }, { type: 'webauthn', challenge: JSON.stringify({ challenge }) }]
  return { status: 401, body: { code: 60003, message: 'MFA required', mfa: { ticket, methods } } }
}

/** Returns the response of a service without echoes, which may contain secrets. */
function normalResponse(path: string, headers: Headers, secrets: Secrets): { status: number; body: object } {
  const { ticket, jwt, newToken: token, challenge, handoffToken: handoff_token } = secrets
  const webauthn = JSON.stringify({ challenge })
  if (path === '/mfa/finish') return { status: 200, body: { token: jwt } }
  if (path === '/auth/mfa/sms/send') return { status: 200, body: { phone: '+1•••42' } }
  if (path === '/auth/login') return { status: 200, body: { user_id: '1', mfa: true, ticket, totp: true, webauthn } }
  if (path === '/auth/handoff') return { status: 200, body: { handoff_token } }
  if (path === '/auth/conditional/start') return { status: 200, body: { ticket, challenge: webauthn } }
  if (path.startsWith('/auth/')) return { status: 200, body: { token, user_id: '1', user_settings: {} } }
  return headers.has('x-service-mfa-authorization') ? { status: 200, body: {} } : mfaRequired(secrets)
}

/**
 * Returns a `fetch` whose responses repeat the secrets of their own request and response. Secrets of earlier calls are
 * not repeated, because the client does not remember them either.
 */
export function createEchoFetch(secrets: Secrets, echoes: readonly Echo[]): typeof fetch {
  const rest = [...echoes]
  return async (input, init) => {
    const request = new Request(input, init)
    const { pathname: path } = new URL(request.url)
    const sent = [...request.headers.values(), await request.text()].join('\n')
    const echo = rest.shift()
    const normal = normalResponse(path, request.headers, secrets)
    const issued = echo?.mode === 'replaced' ? '' : JSON.stringify(normal.body)
    const text = sent + issued
    const secretsSeen = Object.values(secrets).filter((secret) =>
      [secret, JSON.stringify(secret).slice(1, -1), escapedTwice(secret)].some((form) => text.includes(form)),
    )
    const [, scheme, value] = /^(\w+) (\S+)$/.exec(request.headers.get('authorization') ?? '') ?? []
    if (scheme !== undefined && value !== undefined) secretsSeen.push(value)
    if (echo === undefined) return Response.json(normal.body, normal)
    return echoResponse(echo, normal, secretsSeen.length === 0 ? ['nothing'] : secretsSeen)
  }
}

const escapedTwice = (secret: string) => JSON.stringify(JSON.stringify(secret).slice(1, -1)).slice(1, -1)

function echoResponse(echo: Echo, normal: { status: number; body: object }, secrets: readonly string[]): Response {
  const headers = new Headers()
  for (const [name, index] of echo.headers) {
    const value = secrets[index % secrets.length] ?? ''
    // Percent-encoded if it is not valid in a header, as some services do.
    headers.append(name, /^[\x20-\x7e]*$/.test(value) ? value : encodeURIComponent(value))
  }
  if (echo.mode === 'normal') return Response.json(normal.body, { status: normal.status, headers })
  const body = fillTemplate(echo.body, secrets)
  if (echo.mode === 'added') {
    const added = { ...Object(body), ...normal.body }
    return Response.json(Array.isArray(body) ? normal.body : added, { status: normal.status, headers })
  }
  if (echo.isHtml) return new Response(`<h1>${JSON.stringify(body)}</h1>`, { status: echo.status, headers })
  return Response.json(body, { status: echo.status, headers })
}
