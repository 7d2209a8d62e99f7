import { Client, type CustomRequest, isRequestValidationError, type RequestOptions } from 'rapport-sdk'
import { describe, expect, it, test, vi } from 'vitest'
import { issueLines, rejectionOf } from './rejection'

const fetch = vi.fn<typeof globalThis.fetch>()
const client = new Client({ baseUrl: 'https://service.example', token: 'ada', fetch })

/** Returns the issues of a rejected call, one line each, and checks that nothing was sent. */
async function issuesOf(call: Promise<unknown>): Promise<string[]> {
  const lines = issueLines(await rejectionOf(call, isRequestValidationError))
  expect(fetch).not.toHaveBeenCalled()
  return lines
}

const template =
  'path invalid_format: expected a path below `baseUrl` such as "/channels/{channel.id}/messages"; values go into `pathParams` and `query`'
const query = 'expected well-formed Unicode, a finite number, a boolean or an array of these'

it.each<[unknown, string]>([
  [null, '(value) invalid_value: expected an object, got null'],
  [{ signal: {} }, 'signal invalid_value: expected an AbortSignal, got an object'],
  [{ onMfaRequired: 'x' }, 'onMfaRequired invalid_value: expected a function, or false, got a string'],
  [{ onMfaRequired: true }, 'onMfaRequired invalid_value: expected a function, or false, got true'],
  [{ timeout: -1 }, 'timeout invalid_value: expected a number above 0, got -1'],
  [{ deadline: Number.NaN }, 'deadline invalid_value: expected a number above 0, got NaN'],
  [{ token: '' }, 'token invalid_format: is empty'],
  [{ retry: 0.5 }, 'retry invalid_value: expected an integer of at least 0, got 0.5'],
  [
    { retry: { methods: ['GET', 'FETCH'] } },
    'retry.methods invalid_value: expected an array of GET, POST, PUT, PATCH, DELETE, got an array',
  ],
  [{ headers: [['host', 'x']] }, 'headers.host invalid_format: the client sets it'],
  [
    { retries: 1 },
    'retries invalid_value: unknown; expected one of signal, timeout, deadline, retry, headers, token, onMfaRequired',
  ],
])('the error of the call options %j says what is wrong and what is valid', async (options, line) => {
  expect(await issuesOf(client.relationships.list(options as RequestOptions))).toEqual([line])
  expect(await issuesOf(client.auth.loginWithPasskey(options as RequestOptions))).toEqual([line])
})

describe('the error of invalid path parameters', () => {
  it.each<[unknown, string]>([
    [5, 'expected a string: a number this long loses digits'],
    [null, 'expected a string, got null'],
    [undefined, 'expected a string, got undefined'],
    ['', 'is empty'],
    ['12a', 'expected a snowflake: digits only'],
  ])('says what is wrong with the snowflake %j', async (id, message) => {
    expect(await issuesOf(client.relationships.delete(id as string))).toEqual([`user.id invalid_format: ${message}`])
  })

  it.each([
    ['..', 'is a path traversal segment'],
    ['%2E.', 'is a path traversal segment'],
    ['\ud800', 'contains a lone surrogate'],
  ])('says what is wrong with the path parameter %j', async (name, message) => {
    const call = client.request({ path: '/tags/{name}', pathParams: { name } })
    expect(await issuesOf(call)).toEqual([`name invalid_format: ${message}`])
  })
})

describe('the error of an invalid client.request', () => {
  const cycle: Record<string, unknown> = {}
  cycle.again = cycle

  it.each<[unknown, string[]]>([
    [undefined, ['(value) invalid_value: expected an object, got undefined']],
    [
      { path: '/x', verb: 'GET' },
      ['verb invalid_value: unknown; expected one of method, path, pathParams, query, body, auth, schema'],
    ],
    [{ path: '/x', auth: 'basic' }, ["auth invalid_value: expected 'token', 'none', got a string"]],
    [{ path: 5 }, ['path invalid_format: expected a string, got a number']],
    [{ path: 'x' }, [template]],
    [{ path: '/x?y=1' }, [template]],
    [{ path: '/a/../b' }, [template]],
    [{ path: '/a/%2{n}', pathParams: { n: 'e' } }, [template]],
    [{ path: '/x', pathParams: { id: '1' } }, ['pathParams.id invalid_format: the path has no {id}']],
    [{ path: '/x', method: 'HEAD' }, ['method invalid_value: expected one of GET, POST, PUT, PATCH, DELETE']],
    [{ path: '/x', body: {} }, ['body invalid_value: GET has no body']],
    [{ path: '/x', query: { a: Number.NaN } }, [`query.a invalid_value: ${query}`]],
    [{ path: '/x', query: { a: {} } }, [`query.a invalid_value: ${query}`]],
    [{ path: '/x', query: { a: [[1]] } }, [`query.a invalid_value: ${query}`]],
    [{ path: '/x', query: { a: '\udc00' } }, [`query.a invalid_value: ${query}`]],
    [
      { path: '/x', method: 'POST', body: cycle },
      [
        'body invalid_type: cannot be serialized as JSON: it contains itself, is nested too deeply, or a `toJSON` or a getter threw',
      ],
    ],
    [
      { path: '/x', method: 'POST', body: { at: Number.NaN } },
      ['body invalid_type: cannot be serialized as JSON: "at" is NaN'],
    ],
    [
      { path: '/x', method: 'POST', body: [undefined] },
      ['body invalid_type: cannot be serialized as JSON: "0" is undefined'],
    ],
    [
      { path: '/x', method: 'POST', body: { id: 1n } },
      ['body invalid_type: cannot be serialized as JSON: "id" is a bigint'],
    ],
    [
      { path: '/x', method: 'POST', body: { at: new Map() } },
      ['body invalid_type: cannot be serialized as JSON: "at" is [object Map]'],
    ],
  ])('says what is wrong with case %#: %o', async (request, lines) => {
    expect(await issuesOf(client.request(request as CustomRequest))).toEqual(lines)
  })

  it.each<[CustomRequest, string]>([
    [{ path: '/x' }, 'the suspended token is sent in the body, and GET has none'],
    [{ path: '/x', method: 'POST', body: [] }, 'the suspended token is sent in the body, which must be a plain object'],
    [
      { path: '/x', method: 'POST', body: { token: 'x' } },
      'must not contain a `token`: the suspended token would replace it',
    ],
  ])('one of a suspended client says what is wrong with the body of case %#', async (request, message) => {
    expect(await issuesOf(client.suspended('of ada').request(request))).toEqual([`body conflict: ${message}`])
  })

  it('has method and path as its endpoint, without the query', async () => {
    const error = await rejectionOf(client.request({ path: '/x?token=secret#y' }), isRequestValidationError)
    expect(error.endpoint).toBe('GET /x')
  })
})

const baseUrl = 'https://service.example'

test.each([{ signal: {} }, { onMfaRequired: 'x' }, { headers: 5 }, { reason: 'x' }, { timeout: '5' }, null])(
  'a call rejects the options %j before it sends anything',
  async (options) => {
    const fetch = vi.fn()
    const client = new Client({ baseUrl, fetch })
    const call = client.relationships.delete('1', options as RequestOptions)
    await expect(call).rejects.toSatisfy(isRequestValidationError)
    expect(fetch).not.toHaveBeenCalled()
  },
)

test.each([{ timeout: -1 }, { token: 'a\nb' }, { retry: -1 }, { onMfaRequired: 'x' }, { signal: {} }])(
  'a call rejects the inherited options %j before it sends anything',
  async (options) => {
    const fetch = vi.fn()
    const client = new Client({ baseUrl, fetch })
    const call = client.relationships.delete('1', Object.create(options) as RequestOptions)
    await expect(call).rejects.toSatisfy(isRequestValidationError)
    expect(fetch).not.toHaveBeenCalled()
  },
)

describe('client.request with an invalid argument', () => {
  it.each([
    { methdo: 'POST' },
    { auth: 'None' },
    { schema: null },
    { schema: { parse: () => 5 } },
    { query: 5 },
    { body: { a: new Map([['b', 1]]) } },
    { body: { a: [new Set([1])] } },
    { body: [undefined] },
    { body: { a: /b/ } },
    { body: { a: new Error('b') } },
    { body: { a: new Uint8Array(2) } },
  ])('rejects %o before it sends anything', async (request) => {
    const fetch = vi.fn()
    const client = new Client({ baseUrl, token: 'a token', fetch })
    const call = client.request({ method: 'POST', path: '/x', ...(request as object) })
    await expect(call).rejects.toSatisfy(isRequestValidationError)
    expect(fetch).not.toHaveBeenCalled()
  })

  it('accepts a body of instances that have toJSON', async () => {
    const sent: unknown[] = []
    const fetch = async (input: string, init: RequestInit) => {
      sent.push(await new Request(input, init).json())
      return new Response(null, { status: 204 })
    }
    class Point {
      x = 1
    }
    const client = new Client({ baseUrl, token: 'a token', fetch })
    await client.request({
      method: 'POST',
      path: '/x',
      body: { at: new Date(0), point: new Point(), absent: undefined },
    })
    expect(sent).toEqual([{ at: '1970-01-01T00:00:00.000Z', point: { x: 1 } }])
  })
})
