import fc from 'fast-check'
import type { Client, MfaHandler } from 'rapport-sdk'
import { expect, test } from 'vitest'
import { runs } from './arbitraries'
import { LeakDetector } from './leak-detector'

/** The parts of a string; a number stands for one of the secrets that the service has received or issued. */
type Leaf = readonly (string | number)[]

/** The body of an echo, with placeholders for secrets. */
type Template =
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
interface Echo {
  readonly mode: 'normal' | 'added' | 'replaced'
  readonly status: number
  readonly body: Template
  readonly isHtml: boolean
  readonly headers: readonly (readonly [string, number])[]
}

/** Any echo. */
const anyEcho: fc.Arbitrary<Echo> = fc.record({
  mode: fc.constantFrom('normal', 'added', 'added', 'replaced'),
  status: fc.constantFrom(200, 400, 400, 401, 403, 404, 422, 429, 500, 502),
  body: fc.oneof(node, fields, fields),
  isHtml: fc.integer({ min: 0, max: 9 }).map((draw) => draw === 0),
  headers: fc.array(fc.tuple(fc.constantFrom('x-echo', 'x-request', 'authorization', 'set-cookie'), fc.nat(30)), {
    maxLength: 2,
  }),
})

/** Replaces the placeholders of a template by secrets. */
function fillTemplate(template: Template, secrets: readonly string[]): unknown {
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
type Secrets = Readonly<Record<(typeof SECRET_NAMES)[number], string>>

const SECRET_NAMES = [
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
function createEchoFetch(secrets: Secrets, echoes: readonly Echo[]): typeof fetch {
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

// A digit in each: what can be the name of a field is shown as the name of a field.
/** Punctuation, letters and digits that are valid in a header. */
const opaque = fc.stringMatching(/^[A-Za-z0-9]{6}[-A-Za-z0-9"'\\/%&+=<>{}$]{8,20}[A-Za-z0-9][0-9]$/)
/** Any characters. */
const password = fc.string({ unit: 'grapheme', minLength: 10, maxLength: 20 }).map((text) => `pw1${text}`)
const oneTimeCode = fc.stringMatching(/^[1-9][0-9]{11}$/)
const secrets: fc.Arbitrary<Secrets> = fc
  .record(Object.fromEntries(SECRET_NAMES.map((name) => [name, opaque])) as Record<keyof Secrets, typeof opaque>)
  .chain((rest) => fc.record({ password, code: oneTimeCode }).map((people) => ({ ...rest, ...people })))

type Call = (client: Client, secrets: Secrets) => Promise<unknown>

/** Calls that send secrets. */
const calls: Readonly<Record<string, Call>> = {
  'a call with the token of the session': (client) => client.relationships.list(),
  'a call with its own token': (client, { newToken }) => client.relationships.list({ token: newToken }),
  'a login': (client, { password }) => client.auth.login({ login: 'ada@example.test', password }),
  'mfa.finish()': (client, { ticket, code }) => client.mfa.finish({ ticket, mfa_type: 'totp', data: code }),
  'finishPasswordlessLogin()': (client, { ticket, credential }) =>
    client.auth.finishPasswordlessLogin({
      ticket,
      credential: JSON.stringify({ response: { signature: credential } }),
    }),
  'loginWithPasskey()': (client) => client.auth.loginWithPasskey(),
  'a handoff': (client, { key }) => client.auth.createHandoffToken({ key }),
  'the exchange of a handoff': (client, { key, handoffToken }) =>
    client.auth.exchangeHandoffToken({ key, handoff_token: handoffToken }),
  'a registration': (client, { password, phoneToken }) =>
    client.auth.register({ username: 'ada', password, phone_token: phoneToken, consent: true }),
  'a reset': (client, { newToken, password }) => client.auth.resetPassword({ token: newToken, password }),
  'a call of a suspended user': (client, { newToken }) =>
    client.suspended(newToken).request({ method: 'POST', path: '/standing' }),
  'a custom call': (client, { password, key }) =>
    client.request({ method: 'PUT', path: '/secrets', body: { deep: [{ password }], key }, query: { ticket: key } }),
  'a form': (client, { password }) =>
    client.request({ method: 'POST', path: '/form', body: new URLSearchParams({ password }) }),
}

const AUTHORIZE = {
  verbatim: (token: string) => token,
  bearer: (token: string) => `Bearer ${token}`,
  basic: (token: string) => `Basic ${btoa(token)}`,
}

test('no response makes the client show a secret', async () => {
  const run = fc.record({
    call: fc.constantFrom(...Object.keys(calls)),
    secrets,
    echoes: fc.array(anyEcho, { maxLength: 5 }),
    isSignedIn: fc.boolean(),
    authorize: fc.constantFrom(...(Object.keys(AUTHORIZE) as (keyof typeof AUTHORIZE)[])),
    isStrict: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(run, async ({ call, secrets, echoes, isSignedIn, authorize, isStrict }) => {
      const detector = new LeakDetector()
      const onMfaRequired: MfaHandler = async (challenge) => {
        detector.recordChallenge(challenge)
        await challenge.sendSms().catch((error: unknown) => detector.record('an error of an SMS', error))
        return challenge.attempt > 2 ? null : { type: 'totp', code: secrets.code }
      }
      const client = detector.createClient({
        baseUrl: 'https://service.example',
        fetch: createEchoFetch(secrets, echoes),
        retry: 0,
        headers: { 'x-api-key': secrets.apiKey },
        authorize: AUTHORIZE[authorize],
        onResponseMismatch: isStrict ? 'throw' : 'report',
        webauthn: { get: async () => ({ response: { signature: secrets.credential } }) },
        onMfaRequired,
        ...(isSignedIn ? { token: secrets.token } : { fingerprint: secrets.fingerprint }),
      })
      // The result of a call is not checked: it belongs to the caller.
      await calls[call]?.(client, secrets).catch((error: unknown) => detector.record('an error', error))
      detector.record('the client', client)
      detector.record('the session', client.session)
      client.dispose()
      // Without a turn of the event loop, weak references keep each request, with what the detector has recorded.
      await new Promise((resolve) => setImmediate(resolve))
      expect(detector.findLeaks({ ...secrets, encodedToken: btoa(secrets.token) })).toEqual([])
    }),
    runs(4),
  )
})
