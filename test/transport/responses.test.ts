import {
  Client,
  type ClientOptions,
  isApiError,
  isRapportError,
  isResponseMismatchError,
  isResponseParseError,
  isServerError,
  NotFoundError,
  PermissionError,
  type StandardSchema,
} from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { cutOff, json, noContent, type Responder, resetDuringBody, serve, text } from '../servers/http-server'
import { reasonOf, rejectionOf } from './rejection'

async function clientFor(...responders: Responder[]) {
  const server = await serve(...responders)
  return new Client({ baseUrl: server.url, token: 'ada', retry: 0 })
}

describe('a response', () => {
  it.each<[string, Responder, number]>([
    ['HTML', text(200, '<!doctype html><p>planted-text</p>', { 'content-type': 'text/html' }), 200],
    ['HTML declared as JSON', text(200, '<p>planted-text</p>', { 'content-type': 'application/json' }), 200],
    ['an empty body', text(200, ''), 200],
    ['204 instead of JSON', noContent, 204],
    ['truncated JSON', text(200, '[{"note":"planted-text'), 200],
    ['two values', text(200, '[] planted-text'), 200],
    ['invalid UTF-8', text(200, Buffer.from([0xff, 0xfe, 0x00, 0xd8])), 200],
    ['a body that is cut off', resetDuringBody, 200],
    ['a status of 206', text(206, 'planted-text'), 206],
  ])(
    'throws a ResponseParseError with its status and without its body if it is a success with %s',
    async (_, responder, status) => {
      const client = await clientFor(responder)
      const error = await rejectionOf(client.relationships.list(), isResponseParseError)
      expect(error).toMatchObject({ status, endpoint: 'Get Relationships' })
      const cause = error.cause instanceof Error ? error.cause.message : ''
      expect(`${error.message} ${error.stack} ${cause}`).not.toContain('planted-text')
    },
  )

  it('throws the ApiError of its status if it is an error with any body', async () => {
    const bodies = ['<html>Bad Gateway</html>', '', 'null', '[]', '"text"', '5', '{', '{"code":"x","message":7}', '\0']
    for (const body of bodies) {
      const client = await clientFor(
        text(502, body),
        text(404, body),
        text(403, body),
        text(418, body),
        text(300, body),
      )
      expect(await reasonOf(client.relationships.list())).toSatisfy(isServerError)
      expect(await reasonOf(client.relationships.list())).toBeInstanceOf(NotFoundError)
      expect(await reasonOf(client.relationships.list())).toBeInstanceOf(PermissionError)
      expect(await rejectionOf(client.relationships.list(), isApiError)).toMatchObject({
        status: 418,
        name: 'ApiError',
      })
      const error = await rejectionOf(client.relationships.list(), isApiError)
      expect(error).toMatchObject({ status: 300, code: undefined, serviceMessage: '', fieldErrors: [] })
    }
  })

  it('throws the error of its status if its body is cut off', async () => {
    const client = await clientFor(cutOff(404))
    expect(await reasonOf(client.relationships.list())).toBeInstanceOf(NotFoundError)
  })

  it('a call without a result resolves to undefined for a success with any other body than a web page', async () => {
    const bodies = ['', '\n', 'null', '{"ignored":true}', 'OK', '{']
    const client = await clientFor(noContent, ...bodies.map((body) => text(200, body)))
    for (let index = 0; index <= bodies.length; index++)
      expect(await client.relationships.delete('100')).toBeUndefined()
  })

  it('a call without a result throws ResponseParseError for a success with a web page, and a sign-out keeps the token', async () => {
    const client = await clientFor(text(200, ' <html>planted-text'), text(200, '<html>'))
    const error = await rejectionOf(client.relationships.delete('100'), isResponseParseError)
    expect(error.message).toBe(
      'Remove Relationship succeeded with status 200, but its response cannot be parsed: it is HTML or XML, not JSON',
    )
    await rejectionOf(client.auth.logout(), isResponseParseError)
    expect(client.session.isAuthenticated).toBe(true)
  })

  it('a call reads JSON with a byte order mark', async () => {
    const client = await clientFor(text(200, '\ufeff[]'))
    expect(await client.relationships.list()).toEqual([])
  })

  it('a call reads a body that arrives in many chunks, split within a character', async () => {
    const bytes = Buffer.from('[{"id":"1","type":1,"user":{"id":"1"},"nickname":"é☃😀","user_ignored":false}]')
    const client = await clientFor(async (response) => {
      response.writeHead(200)
      for (const byte of bytes) {
        response.write(Buffer.of(byte))
        await new Promise((resolve) => setImmediate(resolve))
      }
      response.end()
    })
    expect((await client.relationships.list())[0]?.nickname).toBe('é☃😀')
  })
})

/** Returns a Standard Schema that no library made. */
function createSchema<T>(validate: StandardSchema<T>['~standard']['validate']): StandardSchema<T> {
  return { '~standard': { version: 1, vendor: 'test', validate } }
}

const upperCase = createSchema((value) => ({ value: String((value as { name: string }).name).toUpperCase() }))
const rejecting = createSchema<string>(() => ({
  issues: [{ message: 'expected a number', path: ['list', { key: 0 }, Symbol('inner')] }, { message: 'as a whole' }],
}))

async function clientWith(options: Partial<ClientOptions> = {}) {
  const server = await serve(json(200, { name: 'ada' }))
  return new Client({ baseUrl: server.url, token: 'ada', ...options })
}

describe('a Standard Schema for the response', () => {
  it('returns its output, with its declared type', async () => {
    const client = await clientWith()
    const name: string = await client.request({ path: '/me', schema: upperCase })
    expect(name).toBe('ADA')
  })

  it('can be asynchronous', async () => {
    const client = await clientWith()
    const schema = createSchema(async () => ({ value: 'later' }))
    expect(await client.request({ path: '/me', schema })).toBe('later')
  })

  it('reports a mismatch, and the data are returned unchanged', async () => {
    const client = await clientWith()
    const mismatch = vi.fn()
    client.on('responseMismatch', mismatch)

    expect(await client.request({ path: '/me', schema: rejecting })).toEqual({ name: 'ada' })

    expect(mismatch).toHaveBeenCalledTimes(1)
    expect(mismatch.mock.calls[0]?.[0]).toMatchObject({
      endpoint: 'GET /me',
      issues: [{ path: ['list', 0, 'Symbol(inner)'], message: 'expected a number' }, { path: [] }],
    })
  })

  it('throws or ignores a mismatch as onResponseMismatch says', async () => {
    const strict = await clientWith({ onResponseMismatch: 'throw' })
    const error = await rejectionOf(strict.request({ path: '/me', schema: rejecting }), isResponseMismatchError)
    expect(error.issues).toHaveLength(2)

    const lax = await clientWith({ onResponseMismatch: 'ignore' })
    const mismatch = vi.fn()
    lax.on('responseMismatch', mismatch)
    expect(await lax.request({ path: '/me', schema: rejecting })).toEqual({ name: 'ada' })
    expect(mismatch).not.toHaveBeenCalled()
  })

  it('one that throws rejects the call with a RapportError that has the cause', async () => {
    const thrown = new Error('the schema is broken')
    const schema = createSchema(() => {
      throw thrown
    })
    const client = await clientWith()
    const error = await rejectionOf(client.request({ path: '/me', schema }), isRapportError)
    expect(error.cause).toBe(thrown)
  })
})

describe('the response of a documented endpoint', () => {
  const relationship = {
    id: '1',
    type: 99,
    user: { id: '1', extra: true },
    nickname: null,
    user_ignored: false,
    new: 1,
  }

  it('unknown fields and enum values pass through without a report', async () => {
    const server = await serve(json(200, [relationship]))
    const client = new Client({ baseUrl: server.url, token: 'ada', onResponseMismatch: 'throw' })
    expect(await client.relationships.list()).toEqual([relationship])
  })

  it('a number that is too large for JavaScript is reported as not finite', async () => {
    const fetch = async () =>
      new Response(JSON.stringify([{ ...relationship, type: 0 }]).replace('"type":0', '"type":1e999'))
    const client = new Client({ baseUrl: 'https://service.example', token: 'ada', fetch, onResponseMismatch: 'throw' })
    const { issues } = await rejectionOf(client.relationships.list(), isResponseMismatchError)
    expect(issues.map(({ message }) => message)).toEqual(['expected a finite number, got a number'])
  })

  it('a wrong shape is reported by path and type, without values, and returned without coercion', async () => {
    const wrong = { ...relationship, type: '1', user_ignored: 'false', nickname: 5 }
    const server = await serve(json(200, [wrong]))
    const client = new Client({ baseUrl: server.url, token: 'ada' })
    const mismatch = vi.fn()
    client.on('responseMismatch', mismatch)

    expect(await client.relationships.list()).toEqual([wrong])

    const { issues, endpoint } = mismatch.mock.calls[0]?.[0] ?? {}
    expect(endpoint).toBe('Get Relationships')
    expect(issues.map(({ path }: { path: unknown }) => path)).toEqual([
      [0, 'type'],
      [0, 'nickname'],
      [0, 'user_ignored'],
    ])
    expect(JSON.stringify(issues)).not.toContain('"false"')
  })

  it('a wrong shape is thrown if onResponseMismatch says so', async () => {
    const server = await serve(json(200, { not: 'an array' }))
    const client = new Client({ baseUrl: server.url, token: 'ada', onResponseMismatch: 'throw' })
    const error = await rejectionOf(client.relationships.list(), isResponseMismatchError)
    expect(error.endpoint).toBe('Get Relationships')
  })
})
