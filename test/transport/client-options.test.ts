import { Client, type ClientOptions, isRequestValidationError } from 'rapport-sdk'
import { describe, expect, it } from 'vitest'
import { json, serve } from '../servers/http-server'
import { pathsOf, rejectionOf } from './rejection'

const baseUrl = 'https://service.example'

/** The options that a constructor names as unusable. */
function refused(options: object): string[] {
  try {
    new Client(options as ClientOptions)
  } catch (error) {
    expect(error).toSatisfy(isRequestValidationError)
    return [...new Set(pathsOf(error as Parameters<typeof pathsOf>[0]))]
  }
  return []
}

describe('the options of a client', () => {
  it.each([undefined, null, '', 'service.example', '/api', 'ftp://service.example', 'javascript:alert(1)', 5, {}])(
    'the client rejects the base URL %j',
    (given) => {
      expect(refused({ baseUrl: given })).toEqual(['baseUrl'])
    },
  )

  it.each([
    'https://ada:secret@service.example',
    'https://ada@service.example',
    'https://service.example/?q=1',
    'https://service.example/?',
    'https://service.example/#part',
    'https://service.example/#',
  ])('the client rejects a base URL with a user, a query or a fragment: %s', (given) => {
    expect(refused({ baseUrl: given })).toEqual(['baseUrl'])
  })

  it('the client rejects http except for loopback, unless it is opted in', () => {
    for (const host of ['service.example', '10.0.0.1', '127.0.0.1.evil.example', 'localhost.evil.example', '[::2]']) {
      expect(refused({ baseUrl: `http://${host}` })).toEqual(['baseUrl'])
      expect(refused({ baseUrl: `http://${host}`, allowInsecureHttp: true })).toEqual([])
    }
    for (const host of ['localhost', '127.0.0.1', '127.9.9.9:8080', '[::1]:3000', 'app.localhost', '2130706433']) {
      expect(refused({ baseUrl: `http://${host}` })).toEqual([])
    }
  })

  it('the client keeps the path of the base URL, with or without a trailing slash', async () => {
    for (const path of ['/api/v1', '/api/v1/']) {
      const server = await serve(json(200, []))
      await new Client({ baseUrl: new URL(path, server.url), token: 'ada' }).relationships.list()
      expect(server.request().url).toBe('/api/v1/users/@me/relationships')
    }
  })

  it.each(['timeout', 'deadline', 'mfaTimeout', 'maxResponseBytes'])(
    'the client rejects a %s that is not a positive number',
    (name) => {
      for (const value of [0, -1, Number.NaN, '5']) expect(refused({ baseUrl, [name]: value })).toEqual([name])
      expect(refused({ baseUrl, [name]: Number.POSITIVE_INFINITY })).toEqual([])
    },
  )

  it.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 'two', null])('the client rejects retry %j', (retry) => {
    expect(refused({ baseUrl, retry })).toEqual(['retry'])
  })

  it.each([
    { limit: -1 },
    { limit: '1' },
    { maxRateLimitWaitMs: Number.NaN },
    { maxRateLimitWaitMs: -1 },
    { maxRateLimitWaitMs: '60000' },
    { methods: 'GET' },
    { methods: ['get'] },
    { methods: [5] },
  ])('the client rejects retry %j and names the invalid part', (retry) => {
    expect(refused({ baseUrl, retry })).toEqual([`retry.${Object.keys(retry)[0]}`])
  })

  it('undefined values in retry mean their defaults', async () => {
    const server = await serve(json(503, {}), json(200, []))
    const retry = { limit: 1, methods: undefined, maxRateLimitWaitMs: undefined }
    expect(await new Client({ baseUrl: server.url, token: 'ada', retry }).relationships.list()).toEqual([])
  })

  it.each(['', 'with space', 'x\r\ny', 'Authorization', 'host', 5])(
    'the client rejects the MFA header %j',
    (mfaHeader) => {
      expect(refused({ baseUrl, mfaHeader })).toEqual(['mfaHeader'])
    },
  )

  it('the error names every invalid option without its value', () => {
    const options = { baseUrl: 'nowhere', timeout: 0, retry: -1, headers: { 'X-Key': 'planted\nvalue' } }
    expect(refused(options)).toEqual(['timeout', 'retry', 'baseUrl', 'headers.X-Key'])
    expect(() => new Client(options)).toThrow(expect.not.stringContaining('planted') as unknown as Error)
  })

  it('a call rejects invalid options in the same way, together with its parameters', async () => {
    const client = new Client({ baseUrl, token: 'ada' })
    const options = { timeout: -1, deadline: Number.NaN, retry: 0.5, headers: { host: 'x' }, token: 'a\nb' }
    const error = await rejectionOf(
      client.relationships.update('x', { nickname: '' }, options),
      isRequestValidationError,
    )
    expect(pathsOf(error).toSorted()).toEqual(
      ['deadline', 'headers.host', 'nickname', 'retry', 'timeout', 'token', 'user.id'].toSorted(),
    )
  })

  it('headers of a call override those of the client, which override the defaults', async () => {
    const server = await serve(json(200, []))
    const headers = { Accept: 'application/vnd.service+json', 'X-App': 'client', 'X-Both': 'client' }
    const client = new Client({ baseUrl: server.url, token: 'ada', headers: new Headers(headers) })

    await client.relationships.list({ headers: [['x-both', 'call']] })

    expect(server.request().headers).toMatchObject({
      accept: 'application/vnd.service+json',
      'x-app': 'client',
      'x-both': 'call',
    })
  })

  it('Authorization is the token verbatim unless authorize is given', async () => {
    const server = await serve(json(200, []), json(200, []))
    await new Client({ baseUrl: server.url, token: 'tok.en-1' }).relationships.list()
    const authorize = (token: string) => `Bearer ${token}`
    await new Client({ baseUrl: server.url, token: 'tok.en-1', authorize }).relationships.list()
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['tok.en-1', 'Bearer tok.en-1'])
  })

  it('a call can have its own token', async () => {
    const server = await serve(json(200, []), json(200, []))
    const client = new Client({ baseUrl: server.url, token: 'ada', fingerprint: 'print' })
    await client.relationships.list({ token: 'grace' })
    await client.relationships.list()
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['grace', 'ada'])
  })
})
