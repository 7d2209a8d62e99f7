import { inspect } from 'node:util'
import { Client, isRequestValidationError, type RapportError } from 'rapport-sdk'
import { describe, expect, it } from 'vitest'
import { rejectionOf } from '../transport/rejection'

const client = new Client({ baseUrl: 'https://service.example', fetch: () => new Promise(() => {}) })
const SECRET = 'correct-horse-battery'

describe('a secret in the wrong place', () => {
  it.each([
    ['in place of the parameters', () => client.auth.authorizeIp(SECRET as never)],
    ['in place of the options', () => client.relationships.list(SECRET as never)],
    ['one argument too early', () => client.auth.verifyMfaLogin('totp', SECRET as never, 1 as never)],
    ['in the path of a custom request', () => client.request({ path: `/verify?token=${SECRET}` })],
  ])('the error does not show %s', async (_, call) => {
    const error: RapportError = await call().then(
      () => expect.unreachable(),
      (reason) => reason,
    )
    expect(`${error.stack}${inspect(error, { depth: 9, showHidden: true })}${JSON.stringify(error)}`).not.toContain(
      SECRET,
    )
  })
})

describe('the token of the session in a wrong place', () => {
  it.each<[string, (client: Client) => Promise<unknown>]>([
    ['as a value', (app) => app.relationships.create('101', { type: SECRET as never })],
    ['as a longer value', (app) => app.relationships.create('101', { type: `Bearer ${SECRET}` as never })],
    ['as a name', (app) => app.relationships.create('101', { [SECRET]: 1 } as never)],
    ['as an option', (app) => app.relationships.list({ [SECRET]: 1 } as never)],
    ['as the name of a header', (app) => app.relationships.list({ headers: { [SECRET]: '\n' } })],
    ['as a query', (app) => app.request({ path: '/x', query: { [SECRET]: {} as never } })],
  ])('is not told by the error: %s', async (_, call) => {
    const app = new Client({ baseUrl: 'https://service.example', token: SECRET })
    const error = await rejectionOf(call(app), isRequestValidationError)
    expect(inspect(error, { depth: 9, showHidden: true }) + JSON.stringify(error)).not.toContain(SECRET)
    expect(error.message).toContain('[redacted]')
  })

  it('hides no name of a field that reads the same', async () => {
    const app = new Client({ baseUrl: 'https://service.example', token: 'password' })
    const call = app.auth.login({ login: 'ada', password: 'short' })
    const error = await rejectionOf(call, isRequestValidationError)
    expect(error.message).toContain('password: 5 characters, at least 8')
    expect(error.issues[0]?.path).toEqual(['password'])
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
  ])('an error of a failed fetch that names its address shows no secret %s', async (_, request, secret) => {
    const app = new Client({ baseUrl: 'https://service.example', fetch: failing, retry: 0 })
    const error: Error = await app.request(request).then(
      () => expect.unreachable(),
      (reason) => reason,
    )
    expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(secret)
  })
})
