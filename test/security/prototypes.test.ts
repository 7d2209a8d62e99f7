import { Client, isApiError, isMfaRequiredError } from 'rapport-sdk'
import { afterEach, describe, expect, it } from 'vitest'
import { mfaRequired, serve, text } from '../servers/http-server'
import { rejectionOf } from '../transport/rejection'

const POISON = [
  '"__proto__":{"polluted":true}',
  '"\\u005f_proto__":{"polluted":true}',
  '"__pr\\u006Fto_\\u005F":{"polluted":true}',
  '"constructor":{"prototype":{"polluted":true}}',
  '"prototype":{"polluted":true}',
]
const object = `{${POISON.join(',')},"code":1,"message":"m","errors":{${POISON.join(',')}},"nested":[{${POISON.join(',')}}]}`

interface Poisoned {
  readonly polluted?: unknown
  readonly nested?: readonly Poisoned[]
}

function expectClean(value: object | null | undefined) {
  expect((Object.assign({}, value) as Poisoned).polluted).toBeUndefined()
  expect(Object.hasOwn(value ?? {}, '__proto__')).toBe(false)
  // Copies key by key, as vulnerable code does.
  const copy: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value ?? {})) copy[key] = item
  expect((copy as Poisoned).polluted).toBeUndefined()
}

afterEach(() => {
  expect(({} as Poisoned).polluted).toBeUndefined()
  expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('polluted')
})

/** JSON spellings of the key: each must be found alone. */
const SPELLINGS = [
  '__proto__',
  '\\u005f_proto__',
  '_\\u005Fproto__',
  '\\u005F\\u005Fproto\\u005F\\u005F',
  '__\\u0070roto__',
  '__pr\\u006Fto__',
  '__proto_\\u005f',
]

describe('a __proto__ or constructor key of a response', () => {
  it.each(SPELLINGS)('sets no prototype as "%s"', async (key) => {
    const server = await serve(text(200, `{"nested":[{"${key}":{"polluted":true}}],"${key}":{"polluted":true}}`))
    const client = new Client({ baseUrl: server.url, token: 'ada' })
    const data = await client.request<Poisoned>({ path: '/x' })
    expectClean(data)
    expectClean(data.nested?.[0])
  })

  it('sets no prototype in a success', async () => {
    const server = await serve(text(200, object))
    const client = new Client({ baseUrl: server.url, token: 'ada' })
    const data = await client.request<Poisoned>({ path: '/x' })
    expectClean(data)
    expectClean(data.nested?.[0])
    expect(Object.keys(data)).toContain('constructor')
  })

  it('sets no prototype in the field errors or the body of an error', async () => {
    const server = await serve(text(400, object))
    const client = new Client({ baseUrl: server.url, token: 'ada' })
    const error = await rejectionOf(client.relationships.list(), isApiError)
    expect(error).toMatchObject({ code: 1, serviceMessage: 'm' })
    expectClean(error.body as object)
    expectClean(JSON.parse(JSON.stringify(error)))
  })

  it('sets no prototype in WebAuthn options', async () => {
    const challenge = `{"challenge":"YQ",${POISON.join(',')}}`
    const server = await serve(mfaRequired('t', [{ type: 'webauthn', challenge }]))
    const client = new Client({ baseUrl: server.url, token: 'ada' })
    const error = await rejectionOf(client.relationships.list(), isMfaRequiredError)
    expectClean(error.challenge?.webauthnOptions())
  })

  it('sets no prototype if it is all of the body', async () => {
    const server = await serve(text(200, '{"__proto__":[]}'), text(200, '{"__proto__":null}'))
    const client = new Client({ baseUrl: server.url, token: 'ada' })
    for (let index = 0; index < 2; index++) expect(await client.request({ path: '/x' })).toEqual({})
  })
})
