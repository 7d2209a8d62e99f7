import { inspect } from 'node:util'
import { Client, type RapportError } from 'rapport-sdk'
import { describe, expect, it } from 'vitest'

const client = new Client({ baseUrl: 'https://service.example', fetch: () => new Promise(() => {}) })
const SECRET = 'correct-horse-battery'

describe('a secret in the wrong place', () => {
  it.each([
    ['in place of the parameters', () => client.auth.authorizeIp(SECRET as never)],
    ['in place of the options', () => client.relationships.list(SECRET as never)],
    ['one argument too early', () => client.auth.verifyMfaLogin('totp', SECRET as never, 1 as never)],
    ['in the path of a custom request', () => client.request({ path: `/verify?token=${SECRET}` })],
  ])('%s is not told by the error', async (_, call) => {
    const error: RapportError = await call().then(
      () => expect.unreachable(),
      (reason) => reason,
    )
    expect(`${error.stack}${inspect(error, { depth: 9, showHidden: true })}${JSON.stringify(error)}`).not.toContain(
      SECRET,
    )
  })
})

describe('a fetch that fails and names its address', () => {
  const failing = async (input: RequestInfo | URL): Promise<Response> => {
    throw new Error(`request to ${new Request(input).url} failed`)
  }

  it.each([
    ['with spaces in a query', { path: '/x', query: { password: 'correct horse! ~' } }, /correct.horse/],
    ['in a list in a query', { path: '/x', query: { token: ['secret-one', 'secret-two'] } }, /secret-(one|two)/],
    ['in the path', { path: '/x/{token}', pathParams: { token: 'path-secret' } }, /path-secret/],
  ])('tells no secret %s', async (_, request, secret) => {
    const app = new Client({ baseUrl: 'https://service.example', fetch: failing, retry: 0 })
    const error: Error = await app.request(request).then(
      () => expect.unreachable(),
      (reason) => reason,
    )
    expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(secret)
  })
})
