import fc from 'fast-check'
import { Client, isApiError, isRapportError } from 'rapport-sdk'
import { describe, expect, it } from 'vitest'
import { runs } from '../fuzz/arbitraries'
import { reasonOf } from '../transport/rejection'

function clientFor(respond: () => Response, lines: unknown[] = []) {
  const debug = (...line: unknown[]) => void lines.push(line)
  return new Client({
    baseUrl: 'https://service.example',
    token: 'ada-the-token',
    retry: 0,
    fetch: async () => respond(),
    logger: { debug },
    onMfaRequired: () => ({ type: 'totp', code: '123456' }),
  })
}

const status = fc.oneof(fc.integer({ min: 200, max: 599 }), fc.constantFrom(200, 201, 400, 401, 403, 404, 429, 500))
const key = fc.constantFrom('code', 'message', 'errors', '_errors', 'mfa', 'ticket', 'methods', 'type', 'token', '0')
const envelope = fc.letrec((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, 60003, 20011, 20013, 1e308, '', 'text', 'toString'),
    fc.array(tie('node'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(key, fc.constantFrom('toString', 'valueOf', 'constructor')), tie('node'), { maxKeys: 5 }),
  ),
})).node
const body = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.json().map((text) => new TextEncoder().encode(text)),
  envelope.map((value) => new TextEncoder().encode(JSON.stringify(value))),
)
const header = fc.oneof(
  fc.constant(undefined),
  fc.string({ unit: fc.constantFrom('9', '-', '.', 'e', ' ', 'M'), maxLength: 9 }),
)

describe('any response', () => {
  it('makes a call resolve or reject with an error of the package', async () => {
    const calls: ((client: Client) => Promise<unknown>)[] = [
      (client) => client.relationships.list(),
      (client) => client.relationships.delete('1'),
      (client) => client.auth.login({ login: 'x', password: 'correct horse' }),
      (client) => client.auth.resetPassword({ token: 't', password: 'correct horse' }),
      (client) => client.auth.loginWithPasskey(),
      (client) => client.auth.oneTimeLogin({ ticket: 't' }),
      (client) => client.mfa.finish({ ticket: 't', mfa_type: 'totp', data: '1' }),
      (client) => client.request({ path: '/x' }),
    ]
    await fc.assert(
      fc.asyncProperty(status, body, header, fc.constantFrom(...calls), async (code, bytes, retryAfter, call) => {
        const hasBody = code !== 204 && code !== 205 && code !== 304
        const headers: HeadersInit = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
        const client = clientFor(() => new Response(hasBody ? bytes : null, { status: code, headers }))
        const error = await call(client).then(
          () => undefined,
          (reason: unknown) => reason,
        )
        if (error !== undefined) expect(error).toSatisfy(isRapportError)
      }),
      runs(10),
    )
  })

  it('no response leads to a log line or an error with a planted secret', async () => {
    const names = [
      'password',
      'token',
      'ticket',
      'credential',
      'fingerprint',
      'handoff_token',
      'challenge',
      'phone_token',
    ]
    const secret = fc.stringMatching(/^secret-[a-z0-9]{8}$/)
    const planted = fc.letrec((tie) => ({
      node: fc.oneof(
        { depthSize: 'medium' },
        fc.string(),
        fc.array(tie('node'), { maxLength: 3 }),
        fc.dictionary(fc.string(), tie('node'), { maxKeys: 3 }),
        fc
          .tuple(fc.constantFrom(...names), secret, fc.dictionary(fc.string(), tie('node'), { maxKeys: 2 }))
          .map(([name, value, rest]) => ({ ...rest, [name]: value, [name.toUpperCase()]: value })),
      ),
    })).node
    await fc.assert(
      fc.asyncProperty(planted, planted, async (sent, received) => {
        const lines: unknown[] = []
        const client = clientFor(() => new Response(JSON.stringify({ echo: sent, received }), { status: 400 }), lines)
        const error = await reasonOf(client.request({ method: 'POST', path: '/x', body: { sent } }))
        const text = `${JSON.stringify(lines)}${JSON.stringify(error)}${String(error)}`
        expect(text).not.toMatch(/secret-[a-z0-9]{8}/)
        expect(JSON.stringify(isApiError(error) && error.body)).not.toMatch(/secret-[a-z0-9]{8}/)
      }),
      runs(4),
    )
  })
})
