import { Client, type ClientOptions, isRapportError, type RequestOptions } from 'rapport-sdk'
import { expect, it } from 'vitest'
import { json, mfaRequired, serve } from '../servers/http-server'
import { tokenOnly } from '../session-stores'
import { reasonOf } from '../transport/rejection'
import { expectNoSecret } from './hostile-values'

const SECRET = 'planted-value'
const values = ['\r\n', '\n', '\0', '\x1f', '\x7f', '\u2028', '☃'].map((bad) => `${SECRET}${bad}X-Injected: 1`)
const baseUrl = 'https://service.example'

/** Expects an error of this package that does not contain the value. */
function expectTypedError(error: unknown): void {
  expect(error).toSatisfy(isRapportError)
  expectNoSecret(error, [SECRET])
}

it.each<[string, (value: string) => ClientOptions]>([
  ['token', (token) => ({ baseUrl, token })],
  ['fingerprint', (fingerprint) => ({ baseUrl, fingerprint })],
  ['headers', (value) => ({ baseUrl, headers: { 'X-Key': value } })],
  ['an array of headers', (value) => ({ baseUrl, headers: [['X-Key', value]] })],
  ['a header name', (value) => ({ baseUrl, headers: { [value]: 'x' } })],
  ['mfaHeader', (mfaHeader) => ({ baseUrl, mfaHeader })],
])('a client rejects a line break or another invalid character in %s', (_, options) => {
  for (const value of values) {
    let error: unknown
    try {
      new Client(options(value))
    } catch (thrown) {
      error = thrown
    }
    expectTypedError(error)
  }
})

it.each<[string, (value: string) => RequestOptions]>([
  ['token', (token) => ({ token })],
  ['headers', (value) => ({ headers: { 'X-Key': value } })],
])('a call rejects a line break or another invalid character in %s before it sends anything', async (_, options) => {
  const server = await serve()
  const client = new Client({ baseUrl: server.url, token: 'ada' })
  for (const value of values) expectTypedError(await reasonOf(client.relationships.list(options(value))))
  expect(server.requests).toHaveLength(0)
})

it('a value of authorize, setToken, the fingerprint or the token store that is not valid in a header is rejected', async () => {
  const server = await serve()
  for (const value of [...values, '', 5 as unknown as string]) {
    const client = new Client({ baseUrl: server.url, token: 'ada', authorize: () => value })
    expectTypedError(await reasonOf(client.relationships.list()))
    expectTypedError(await reasonOf(client.session.setToken(value)))
    expect(() => {
      client.session.fingerprint = value
    }).toThrow(expect.toSatisfy(isRapportError))
    expectTypedError(
      await reasonOf(new Client({ baseUrl, tokenStore: tokenOnly({ get: () => value, set: () => {} }) }).ready),
    )
  }
  expect(server.requests).toHaveLength(0)
})

it('a token or JWT of the service that is not valid in a header is rejected', async () => {
  for (const token of values) {
    const server = await serve(json(200, { user_id: '1', token }), mfaRequired(), json(200, { token }))
    const client = new Client({ baseUrl: server.url, onMfaRequired: () => ({ type: 'totp', code: '123456' }) })
    expectTypedError(await reasonOf(client.auth.login({ login: 'x', password: 'correct horse' })))
    expectTypedError(await reasonOf(client.relationships.list()))
  }
})

it('a call sends header bytes above ASCII unchanged', async () => {
  const server = await serve(json(200, []))
  await new Client({ baseUrl: server.url, token: 'é-token', headers: { 'X-Name': 'a\tb' } }).relationships.list()
  expect(server.request().headers).toMatchObject({ authorization: 'é-token', 'x-name': 'a\tb' })
})
