import { Client, type CustomRequest, isRequestValidationError, type RequestOptions } from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { issueLines, rejectionOf } from './rejection'

const fetch = vi.fn<typeof globalThis.fetch>()
const client = new Client({ baseUrl: 'https://service.example', token: 'ada', fetch })

/** What is said of a call that is refused, a line an issue; nothing may have been sent. */
async function said(call: Promise<unknown>): Promise<string[]> {
  const lines = issueLines(await rejectionOf(call, isRequestValidationError))
  expect(fetch).not.toHaveBeenCalled()
  return lines
}

const template =
  'path invalid_format: expected a path below `baseUrl` such as "/channels/{channel.id}/messages"; values go into `pathParams` and `query`'
const query = 'expected whole characters, a finite number, a boolean or a list'

describe('a call says what is wrong with its options and what is allowed', () => {
  it.each<[unknown, string]>([
    [null, '(value) invalid_value: expected an object, got null'],
    [{ signal: {} }, 'signal invalid_value: expected an AbortSignal, got an object'],
    [{ onMfaRequired: 'x' }, 'onMfaRequired invalid_value: expected a function, or false, got a string'],
    [{ onMfaRequired: true }, 'onMfaRequired invalid_value: expected a function, or false, got true'],
    [{ timeout: -1 }, 'timeout invalid_value: expected a number above 0, got -1'],
    [{ deadline: Number.NaN }, 'deadline invalid_value: expected a number above 0, got NaN'],
    [{ token: '' }, 'token invalid_format: is empty'],
    [{ retry: 0.5 }, 'retry invalid_value: expected a whole number, 0 or more, got 0.5'],
    [{ headers: [['host', 'x']] }, 'headers.host invalid_format: the client sets it: it follows from `baseUrl`'],
    [
      { retries: 1 },
      'retries invalid_value: unknown; known here: signal, timeout, deadline, retry, headers, token, onMfaRequired',
    ],
  ])('%j', async (options, line) => {
    expect(await said(client.relationships.list(options as RequestOptions))).toEqual([line])
    expect(await said(client.auth.loginWithPasskey(options as RequestOptions))).toEqual([line])
  })
})

describe('a call says what is wrong with its path parameters', () => {
  it.each<[unknown, string]>([
    [5, 'expected a string: a number this long loses digits'],
    [null, 'expected a string, got null'],
    [undefined, 'expected a string, got undefined'],
    ['', 'is empty'],
    ['12a', 'expected a snowflake: digits only'],
  ])('the error names %j as an invalid snowflake', async (id, words) => {
    expect(await said(client.relationships.delete(id as string))).toEqual([`user.id invalid_format: ${words}`])
  })

  it.each([
    ['..', 'is a step in a path, not a name'],
    ['%2E.', 'is a step in a path, not a name'],
    ['\ud800', 'has half a character (a lone surrogate)'],
  ])('the error names %j as an invalid string', async (name, words) => {
    const call = client.request({ path: '/tags/{name}', pathParams: { name } })
    expect(await said(call)).toEqual([`name invalid_format: ${words}`])
  })
})

describe('client.request says what is wrong with its arguments', () => {
  const cycle: Record<string, unknown> = {}
  cycle.again = cycle

  it.each<[unknown, string[]]>([
    [undefined, ['(value) invalid_value: expected an object, got undefined']],
    [
      { path: '/x', verb: 'GET' },
      ['verb invalid_value: unknown; known here: method, path, pathParams, query, body, auth, schema'],
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
      ['body invalid_type: JSON cannot carry it: it contains itself, or is nested too deeply'],
    ],
    [
      { path: '/x', method: 'POST', body: { at: Number.NaN } },
      ['body invalid_type: JSON cannot carry "at": it is NaN'],
    ],
    [{ path: '/x', method: 'POST', body: [undefined] }, ['body invalid_type: JSON cannot carry "0": it is undefined']],
    [{ path: '/x', method: 'POST', body: { id: 1n } }, ['body invalid_type: JSON cannot carry "id": it is a bigint']],
    [
      { path: '/x', method: 'POST', body: { at: new Map() } },
      ['body invalid_type: JSON cannot carry "at": it is [object Map]'],
    ],
  ])('%#: %o', async (request, lines) => {
    expect(await said(client.request(request as CustomRequest))).toEqual(lines)
  })

  it.each<[CustomRequest, string]>([
    [{ path: '/x' }, 'a suspended token travels in the body, and GET has none'],
    [{ path: '/x', method: 'POST', body: [] }, 'a suspended token travels in the body, which must be a plain object'],
    [{ path: '/x', method: 'POST', body: { token: 'x' } }, 'has a token already; the suspended one would replace it'],
  ])('the error of a suspended user names the problem of case %#', async (request, words) => {
    expect(await said(client.suspended('of ada').request(request))).toEqual([`body conflict: ${words}`])
  })

  it('an error names client.request by method and path, without the query', async () => {
    const error = await rejectionOf(client.request({ path: '/x?token=secret#y' }), isRequestValidationError)
    expect(error.endpoint).toBe('GET /x')
  })
})
