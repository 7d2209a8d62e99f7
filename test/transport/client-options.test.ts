import { Client, type ClientOptions, type Fetch, isRequestValidationError } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { describe, expect, it } from 'vitest'
import { json, serve } from '../servers/http-server'
import { issueLines, pathsOf, rejectionOf } from './rejection'

const baseUrl = 'https://service.example'

/** Returns the options that the constructor rejects. */
function rejectedOptions(options: object): string[] {
  try {
    new Client(options as ClientOptions)
  } catch (error) {
    expect(error).toSatisfy(isRequestValidationError)
    return [...new Set(pathsOf(error as Parameters<typeof pathsOf>[0]))]
  }
  return []
}

describe('a client', () => {
  it.each([undefined, null, '', 'service.example', '/api', 'ftp://service.example', 'javascript:alert(1)', 5, {}])(
    'rejects the base URL %j',
    (baseUrl) => {
      expect(rejectedOptions({ baseUrl })).toEqual(['baseUrl'])
    },
  )

  it.each([
    'https://ada:secret@service.example',
    'https://ada@service.example',
    'https://service.example/?q=1',
    'https://service.example/?',
    'https://service.example/#part',
    'https://service.example/#',
  ])('rejects a base URL with a user, a query or a fragment: %s', (baseUrl) => {
    expect(rejectedOptions({ baseUrl })).toEqual(['baseUrl'])
  })

  it('rejects http except for loopback, unless allowInsecureHttp is true', () => {
    for (const host of ['service.example', '10.0.0.1', '127.0.0.1.evil.example', 'localhost.evil.example', '[::2]']) {
      expect(rejectedOptions({ baseUrl: `http://${host}` })).toEqual(['baseUrl'])
      expect(rejectedOptions({ baseUrl: `http://${host}`, allowInsecureHttp: true })).toEqual([])
    }
    for (const host of ['localhost', '127.0.0.1', '127.9.9.9:8080', '[::1]:3000', 'app.localhost', '2130706433']) {
      expect(rejectedOptions({ baseUrl: `http://${host}` })).toEqual([])
    }
  })

  it('keeps the path of the base URL, with or without a trailing slash', async () => {
    for (const path of ['/api/v1', '/api/v1/']) {
      const server = await serve(json(200, []))
      await new Client({ baseUrl: new URL(path, server.url), token: 'ada' }).relationships.list()
      expect(server.request().url).toBe('/api/v1/users/@me/relationships')
    }
  })

  it.each(['timeout', 'deadline', 'mfaTimeout', 'maxResponseBytes'])(
    'rejects a %s that is not a positive number',
    (name) => {
      for (const value of [0, -1, Number.NaN, '5']) expect(rejectedOptions({ baseUrl, [name]: value })).toEqual([name])
      expect(rejectedOptions({ baseUrl, [name]: Number.POSITIVE_INFINITY })).toEqual([])
    },
  )

  it.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 'two', null])('rejects retry %j', (retry) => {
    expect(rejectedOptions({ baseUrl, retry })).toEqual(['retry'])
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
  ])('rejects retry %j and names the invalid field', (retry) => {
    expect(rejectedOptions({ baseUrl, retry })).toEqual([`retry.${Object.keys(retry)[0]}`])
  })

  it('undefined values in retry mean their defaults', async () => {
    const server = await serve(json(503, {}), json(200, []))
    const retry = { limit: 1, methods: undefined, maxRateLimitWaitMs: undefined }
    expect(await new Client({ baseUrl: server.url, token: 'ada', retry }).relationships.list()).toEqual([])
  })

  it.each(['', 'with space', 'x\r\ny', 'Authorization', 'host', 5])('rejects the MFA header %j', (mfaHeader) => {
    expect(rejectedOptions({ baseUrl, mfaHeader })).toEqual(['mfaHeader'])
  })

  it('names every invalid option in its error, without the value', () => {
    const options = { baseUrl: 'nowhere', timeout: 0, retry: -1, headers: { 'X-Key': 'planted\nvalue' } }
    expect(rejectedOptions(options)).toEqual(['timeout', 'baseUrl', 'retry', 'headers.X-Key'])
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

  it('Authorization is the token verbatim unless authorize is set', async () => {
    const server = await serve(json(200, []), json(200, []))
    await new Client({ baseUrl: server.url, token: 'tok.en-1' }).relationships.list()
    const authorize = (token: string) => `Bearer ${token}`
    await new Client({ baseUrl: server.url, token: 'tok.en-1', authorize }).relationships.list()
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['tok.en-1', 'Bearer tok.en-1'])
  })

  it('a call uses its own token instead of the one of the client', async () => {
    const server = await serve(json(200, []), json(200, []))
    const client = new Client({ baseUrl: server.url, token: 'ada', fingerprint: 'print' })
    await client.relationships.list({ token: 'grace' })
    await client.relationships.list()
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['grace', 'ada'])
  })

  it.each([
    [{ token: 'a\nb', fingerprint: '', timeout: -1 }, ['token', 'fingerprint', 'timeout']],
    [{ retry: { limits: 0 } }, ['retry.limits']],
  ])('the error of the invalid options %j names all of them', (options, names) => {
    const make = () => new Client({ baseUrl: 'https://service.example', ...options } as ClientOptions)
    for (const name of names) expect(make).toThrow(`  ${name}: `)
  })

  it('headers from a one-shot iterator are sent with every step of a sign-in and by every client of as()', async () => {
    const service = createMockService()
    const credentials = { login: 'ada@example.com', password: 'correct horse' }
    const ada = service.users.create(credentials)
    const seen: (string | undefined)[] = []
    const fetch: Fetch = (input, init) => {
      seen.push(init.headers['x-app'], init.headers['x-call'])
      return service.fetch(input, init)
    }
    const client = new Client({ baseUrl: service.baseUrl, fetch, headers: new Map([['x-app', 'a']]).entries() })
    await client.auth.login(credentials, { headers: new Map([['x-call', 'c']]).entries() })
    await client.as(service.token(ada)).relationships.list()
    expect(seen).toEqual(['a', 'c', 'a', undefined])
  })
})

/** Returns the issues of the constructor's error, one line each: `path code: message`. */
function issuesOf(options: unknown): string[] {
  try {
    new Client(options as ClientOptions)
  } catch (error) {
    if (isRequestValidationError(error)) {
      expect(error.endpoint).toBe('Client')
      return issueLines(error)
    }
    throw error
  }
  return []
}

const http = 'http exposes tokens and passwords to the network: use https, or `allowInsecureHttp: true`'
const header = 'contains characters that are invalid in a header, such as a line break'

describe('the error of invalid client options', () => {
  it.each<[unknown, string]>([
    [null, '(value) invalid_value: expected an object, got null'],
    [5, '(value) invalid_value: expected an object, got 5'],
  ])('says what is expected if it is %j', (options, line) => {
    expect(issuesOf(options)).toEqual([line])
  })

  it.each<[object, string]>([
    [
      { baseUrl: '/api' },
      'baseUrl invalid_value: expected the absolute URL of the service, such as "https://service.example/api"',
    ],
    [{ baseUrl: 'ftp://service.example' }, 'baseUrl invalid_value: expected https or http'],
    [{ baseUrl: 'http://service.example' }, `baseUrl invalid_value: ${http}`],
    [{ baseUrl: 'https://ada:x@service.example' }, 'baseUrl invalid_value: must not contain a user name or a password'],
    [{ baseUrl: 'https://:x@service.example' }, 'baseUrl invalid_value: must not contain a user name or a password'],
    [{ baseUrl: 'https://service.example?' }, 'baseUrl invalid_value: must not contain a query or a fragment'],
    [{ timeout: 0 }, 'timeout invalid_value: expected a number above 0, got 0'],
    [{ maxResponseBytes: '1' }, 'maxResponseBytes invalid_value: expected a number above 0, got a string'],
    [{ retry: -1 }, 'retry invalid_value: expected an integer of at least 0, got -1'],
    [{ retry: 1.5 }, 'retry invalid_value: expected an integer of at least 0, got 1.5'],
    [
      { retry: { methods: ['HEAD'] } },
      'retry.methods invalid_value: expected an array of GET, POST, PUT, PATCH, DELETE, got an array',
    ],
    [
      { retry: { methods: 'GET' } },
      'retry.methods invalid_value: expected an array of GET, POST, PUT, PATCH, DELETE, got a string',
    ],
    [
      { retry: { methods: null } },
      'retry.methods invalid_value: expected an array of GET, POST, PUT, PATCH, DELETE, got null',
    ],
    [
      { retry: { maxRateLimitWaitMs: -1 } },
      'retry.maxRateLimitWaitMs invalid_value: expected a number, 0 or more, got -1',
    ],
    [
      { retry: { maxRateLimitWaitMs: '1' } },
      'retry.maxRateLimitWaitMs invalid_value: expected a number, 0 or more, got a string',
    ],
    [{ retry: { times: 1 } }, 'retry.times invalid_value: unknown; expected one of limit, methods, maxRateLimitWaitMs'],
    [{ authorize: 'Bearer' }, 'authorize invalid_value: expected a function, got a string'],
    [
      { logger: null },
      'logger invalid_value: expected a logger like `console`, or `objectFirstLogger(logger)` for one of pino or bunyan, got null',
    ],
    [{ allowInsecureHttp: 'yes' }, 'allowInsecureHttp invalid_value: expected a boolean, got a string'],
    [{ credentials: 'all' }, "credentials invalid_value: expected 'omit', 'same-origin', 'include', got a string"],
    [
      { onResponseMismatch: 'log' },
      "onResponseMismatch invalid_value: expected 'report', 'throw', 'ignore', got a string",
    ],
    [{ token: '' }, 'token invalid_format: is empty'],
    [{ token: 5 }, 'token invalid_format: expected a string, got a number'],
    [{ token: 'a\nb' }, `token invalid_format: ${header}`],
    [{ fingerprint: '\u0000' }, `fingerprint invalid_format: ${header}`],
    [{ mfaHeader: 'no name' }, 'mfaHeader invalid_format: expected the name of a header'],
    [{ mfaHeader: '' }, 'mfaHeader invalid_format: expected the name of a header'],
    [{ mfaHeader: 5 }, 'mfaHeader invalid_format: expected the name of a header'],
    [{ mfaHeader: 'Authorization' }, 'mfaHeader invalid_format: the client sets it'],
    [{ headers: { Authorization: 'x' } }, 'headers.Authorization invalid_format: the client sets it'],
    [{ headers: { 'X-Fingerprint': 'x' } }, 'headers["X-Fingerprint"] invalid_format: the client sets it'],
    [{ headers: { host: 'x' } }, 'headers.host invalid_format: the client sets it'],
    [{ headers: { 'content-length': '5' } }, 'headers["content-length"] invalid_format: the client sets it'],
    [
      { headers: { 'x-service-mfa-authorization': 'x' } },
      'headers["x-service-mfa-authorization"] invalid_format: the client sets it',
    ],
    [
      { headers: { 'no name': 'x' } },
      'headers invalid_format: a name contains characters that are invalid in a header name',
    ],
    [{ headers: { 'x-app': 'a\rb' } }, `headers["x-app"] invalid_format: ${header}`],
    [{ headers: { 'x-app': 5 } }, 'headers["x-app"] invalid_format: expected a string, got a number'],
  ])('says what is wrong with %j and what is valid', (options, line) => {
    expect(issuesOf({ baseUrl, ...options })).toEqual([line])
  })

  it('lists the known options if one is unknown', () => {
    const [line = ''] = issuesOf({ baseUrl, timeoutMs: 5 })
    expect(line).toMatch(
      /^timeoutMs invalid_value: unknown; expected one of baseUrl, allowInsecureHttp, session, token, .*, gateway$/,
    )
  })

  it('reports all invalid options at once', () => {
    expect(issuesOf({ baseUrl: 'ftp://ada@service.example', timeout: 0, token: '' })).toHaveLength(4)
  })

  it('reports all invalid options at once, for values of any type', () => {
    const options = {
      timeoutMs: 5,
      logger: 5,
      headers: 'abc',
      token: '',
      retry: null,
      gateway: 5,
      mfaHeader: Symbol('x'),
    }
    const lines = issuesOf({ ...options, allowInsecureHttp: 'yes', baseUrl: undefined })
    const names = lines.map((line) => line.split(' ')[0])
    expect(names.sort()).toEqual([...Object.keys(options), 'allowInsecureHttp', 'baseUrl'].sort())
  })

  it('reports a missing baseUrl next to an unknown option', () => {
    expect(issuesOf({ timeoutMs: 5 })).toEqual([
      expect.stringMatching(/^timeoutMs invalid_value: unknown; expected one of baseUrl, /),
      'baseUrl invalid_value: expected the absolute URL of the service, such as "https://service.example/api"',
    ])
  })

  it('an option that is undefined counts as not set', () => {
    const names = ['allowInsecureHttp', 'token', 'tokenStore', 'fingerprint', 'authorize', 'headers', 'fetch']
    const others = ['credentials', 'timeout', 'deadline', 'retry', 'maxResponseBytes', 'onMfaRequired', 'mfaTimeout']
    const more = ['mfaHeader', 'classifyMfaFailure', 'onResponseMismatch', 'webauthn', 'gateway', 'logger']
    const unset = [...names, ...others, ...more].map((name) => [name, undefined] as const)
    expect(issuesOf({ baseUrl, ...Object.fromEntries(unset) })).toEqual([])
    const retry = { limit: undefined, methods: undefined, maxRateLimitWaitMs: undefined }
    expect(issuesOf({ baseUrl, retry })).toEqual([])
  })

  it('a client validates inherited and non-enumerable options, because it reads them', () => {
    const wrong = { baseUrl, token: 'a\nb', fingerprint: 'a\nb', timeout: 0, mfaHeader: 'a b', onMfaRequired: 5 }
    const names = Object.keys(wrong).slice(1)
    const nameOf = (line: string) => line.split(' ')[0]
    expect(issuesOf(Object.create(wrong)).map(nameOf)).toEqual(expect.arrayContaining(names))
    const hidden = Object.defineProperties({ baseUrl }, { token: { value: 'a\nb' } })
    expect(issuesOf(hidden).map(nameOf)).toEqual(['token'])
    expect(issuesOf({ baseUrl, retry: Object.create({ limit: 'x' }) }).map(nameOf)).toEqual(['retry.limit'])
  })

  it('a client accepts an empty header value and another name of the MFA header', () => {
    const headers = { 'x-app': '', 'x-service-mfa-authorization': 'of another service' }
    expect(issuesOf({ baseUrl, headers, mfaHeader: 'X-Mfa' })).toEqual([])
  })

  it.each([
    { fetch: 5 },
    { authorize: 'Bearer' },
    { tokenStore: null },
    { onMfaRequired: 'x' },
    { classifyMfaFailure: 'x' },
    { readError: 'x' },
    { isStepUp: 'x' },
    { webauthn: 5 },
    { logger: 5 },
    { headers: 'abc' },
    { headers: null },
    { retry: null },
    { credentials: 'all' },
    { onResponseMismatch: 'thrown' },
    { timeoutMs: 5 },
    { allowInsecureHttp: 'yes' },
    { mfaHeader: Object.create(null) as object },
  ])('a client rejects the option %j by name', (options) => {
    const [name = ''] = Object.keys(options)
    const make = () => new Client({ baseUrl, ...(options as object) } as ClientOptions)
    expect(make).toThrow(expect.toSatisfy(isRequestValidationError))
    expect(make).toThrow(`  ${name}: `)
  })

  it('a client rejects options that are not an object', () => {
    expect(() => new Client(undefined as never)).toThrow(expect.toSatisfy(isRequestValidationError))
  })
})
