import { Client, type ClientOptions, isRequestValidationError } from 'rapport-sdk'
import { describe, expect, it } from 'vitest'
import { issueLines } from './rejection'

const baseUrl = 'https://service.example'

/** What a constructor says of its options, a line an issue: `path code: message`. */
function said(options: unknown): string[] {
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

const http = 'http shows tokens and passwords to the network: use https, or `allowInsecureHttp: true`'
const header = 'has characters that a header cannot carry (a line break, say)'

describe('a client says what is wrong with its options and what is allowed', () => {
  it.each<[unknown, string]>([
    [null, '(value) invalid_value: expected an object, got null'],
    [5, '(value) invalid_value: expected an object, got 5'],
  ])('%j', (options, line) => {
    expect(said(options)).toEqual([line])
  })

  it.each<[object, string]>([
    [
      { baseUrl: '/api' },
      'baseUrl invalid_value: expected the absolute URL of the service, such as "https://service.example/api"',
    ],
    [{ baseUrl: 'ftp://service.example' }, 'baseUrl invalid_value: expected https or http'],
    [{ baseUrl: 'http://service.example' }, `baseUrl invalid_value: ${http}`],
    [{ baseUrl: 'https://ada:x@service.example' }, 'baseUrl invalid_value: must not carry a user or a password'],
    [{ baseUrl: 'https://:x@service.example' }, 'baseUrl invalid_value: must not carry a user or a password'],
    [{ baseUrl: 'https://service.example?' }, 'baseUrl invalid_value: must not carry a query or a fragment'],
    [{ timeout: 0 }, 'timeout invalid_value: expected a number above 0, got 0'],
    [{ maxResponseBytes: '1' }, 'maxResponseBytes invalid_value: expected a number above 0, got a string'],
    [{ retry: -1 }, 'retry invalid_value: expected a whole number, 0 or more, got -1'],
    [{ retry: 1.5 }, 'retry invalid_value: expected a whole number, 0 or more, got 1.5'],
    [
      { retry: { methods: ['HEAD'] } },
      'retry.methods invalid_value: expected a list of GET, POST, PUT, PATCH, DELETE, got an array',
    ],
    [
      { retry: { methods: 'GET' } },
      'retry.methods invalid_value: expected a list of GET, POST, PUT, PATCH, DELETE, got a string',
    ],
    [
      { retry: { maxRateLimitWaitMs: -1 } },
      'retry.maxRateLimitWaitMs invalid_value: expected a number, 0 or more, got -1',
    ],
    [
      { retry: { maxRateLimitWaitMs: '1' } },
      'retry.maxRateLimitWaitMs invalid_value: expected a number, 0 or more, got a string',
    ],
    [{ retry: { times: 1 } }, 'retry.times invalid_value: unknown; known here: limit, methods, maxRateLimitWaitMs'],
    [{ authorize: 'Bearer' }, 'authorize invalid_value: expected a function, got a string'],
    [{ logger: null }, 'logger invalid_value: expected an object, got null'],
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
    [{ mfaHeader: 'Authorization' }, 'mfaHeader invalid_format: the client sets it: use `token` and `authorize`'],
    [
      { headers: { Authorization: 'x' } },
      'headers.Authorization invalid_format: the client sets it: use `token` and `authorize`',
    ],
    [
      { headers: { 'X-Fingerprint': 'x' } },
      'headers["X-Fingerprint"] invalid_format: the client sets it: use `fingerprint`',
    ],
    [{ headers: { host: 'x' } }, 'headers.host invalid_format: the client sets it: it follows from `baseUrl`'],
    [
      { headers: { 'content-length': '5' } },
      'headers["content-length"] invalid_format: the client sets it: it follows from the body',
    ],
    [
      { headers: { 'x-service-mfa-authorization': 'x' } },
      'headers["x-service-mfa-authorization"] invalid_format: the client sets it: verify a second factor',
    ],
    [{ headers: ['ab'] }, 'headers invalid_format: expected pairs of a name and a value'],
    [{ headers: { 'no name': 'x' } }, 'headers invalid_format: a name has characters that a header name cannot have'],
    [{ headers: { 'x-app': 'a\rb' } }, `headers["x-app"] invalid_format: ${header}`],
    [{ headers: { 'x-app': 5 } }, 'headers["x-app"] invalid_format: expected a string, got a number'],
  ])('%j', (options, line) => {
    expect(said({ baseUrl, ...options })).toEqual([line])
  })

  it('an error for an unknown option lists the known options', () => {
    const [line = ''] = said({ baseUrl, timeoutMs: 5 })
    expect(line).toMatch(
      /^timeoutMs invalid_value: unknown; known here: baseUrl, allowInsecureHttp, token, .*, logger$/,
    )
  })

  it('an error reports all invalid options at once', () => {
    expect(said({ baseUrl: 'ftp://ada@service.example', timeout: 0, token: '' })).toHaveLength(4)
  })

  it('an error reports all invalid options at once, whatever types their values have', () => {
    const options = {
      timeoutMs: 5,
      logger: 5,
      headers: 'abc',
      token: '',
      retry: null,
      gateway: 5,
      mfaHeader: Symbol('x'),
    }
    const lines = said({ ...options, allowInsecureHttp: 'yes', baseUrl: undefined })
    const names = lines.map((line) => line.split(' ')[0])
    expect(names.sort()).toEqual([...Object.keys(options), 'allowInsecureHttp', 'baseUrl'].sort())
  })

  it('an error reports a missing baseUrl next to an unknown option', () => {
    expect(said({ timeoutMs: 5 })).toEqual([
      expect.stringMatching(/^timeoutMs invalid_value: unknown; known here: baseUrl, /),
      'baseUrl invalid_value: expected the absolute URL of the service, such as "https://service.example/api"',
    ])
  })

  it('an option that is undefined counts as not set', () => {
    const names = ['allowInsecureHttp', 'token', 'tokenStore', 'fingerprint', 'authorize', 'headers', 'fetch']
    const others = ['credentials', 'timeout', 'deadline', 'retry', 'maxResponseBytes', 'onMfaRequired', 'mfaTimeout']
    const more = ['mfaHeader', 'classifyMfaFailure', 'onResponseMismatch', 'webauthn', 'gateway', 'logger']
    const unset = [...names, ...others, ...more].map((name) => [name, undefined] as const)
    expect(said({ baseUrl, ...Object.fromEntries(unset) })).toEqual([])
    const retry = { limit: undefined, methods: undefined, maxRateLimitWaitMs: undefined }
    expect(said({ baseUrl, retry })).toEqual([])
  })

  it('an error also reports inherited and non-enumerable options, because they are read', () => {
    const wrong = { baseUrl, token: 'a\nb', fingerprint: 'a\nb', timeout: 0, mfaHeader: 'a b', onMfaRequired: 5 }
    const names = Object.keys(wrong).slice(1)
    const nameOf = (line: string) => line.split(' ')[0]
    expect(said(Object.create(wrong)).map(nameOf)).toEqual(expect.arrayContaining(names))
    const hidden = Object.defineProperties({ baseUrl }, { token: { value: 'a\nb' } })
    expect(said(hidden).map(nameOf)).toEqual(['token'])
    expect(said({ baseUrl, retry: Object.create({ limit: 'x' }) }).map(nameOf)).toEqual(['retry.limit'])
  })

  it('a client accepts an empty header value and another name of the MFA header', () => {
    const headers = { 'x-app': '', 'x-service-mfa-authorization': 'of another service' }
    expect(said({ baseUrl, headers, mfaHeader: 'X-Mfa' })).toEqual([])
  })
})
