import { Client, type ClientOptions, isRequestValidationError, type RequestOptions } from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'

const baseUrl = 'https://service.example'

/** A view of memory that has gone to another thread. */
function transferred(): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(2)
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] })
  return bytes
}

describe('options of a client', () => {
  it.each([
    { fetch: 5 },
    { authorize: 'Bearer' },
    { tokenStore: null },
    { onMfaRequired: 'x' },
    { classifyMfaFailure: 'x' },
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
  ])('%j are refused by name', (options) => {
    const [name = ''] = Object.keys(options)
    const make = () => new Client({ baseUrl, ...(options as object) } as ClientOptions)
    expect(make).toThrow(expect.toSatisfy(isRequestValidationError))
    expect(make).toThrow(`  ${name}: `)
  })

  it('options of a client must be an object', () => {
    expect(() => new Client(undefined as never)).toThrow(expect.toSatisfy(isRequestValidationError))
  })
})

describe('options of a call', () => {
  it.each([{ signal: {} }, { onMfaRequired: 'x' }, { headers: 5 }, { reason: 'x' }, { timeout: '5' }, null])(
    '%j are refused before anything is sent',
    async (options) => {
      const fetch = vi.fn()
      const client = new Client({ baseUrl, fetch })
      const call = client.relationships.delete('1', options as RequestOptions)
      await expect(call).rejects.toSatisfy(isRequestValidationError)
      expect(fetch).not.toHaveBeenCalled()
    },
  )
})

describe('options of a call that are inherited', () => {
  it.each([{ timeout: -1 }, { token: 'a\nb' }, { retry: -1 }, { onMfaRequired: 'x' }, { signal: {} }])(
    '%j are refused before anything is sent',
    async (options) => {
      const fetch = vi.fn()
      const client = new Client({ baseUrl, fetch })
      const call = client.relationships.delete('1', Object.create(options) as RequestOptions)
      await expect(call).rejects.toSatisfy(isRequestValidationError)
      expect(fetch).not.toHaveBeenCalled()
    },
  )
})

describe('a request of the caller’s own', () => {
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
    { body: transferred().buffer },
    { body: transferred() },
  ])('%o is refused before anything is sent', async (request) => {
    const fetch = vi.fn()
    const client = new Client({ baseUrl, token: 'a token', fetch })
    const call = client.request({ method: 'POST', path: '/x', ...(request as object) })
    await expect(call).rejects.toSatisfy(isRequestValidationError)
    expect(fetch).not.toHaveBeenCalled()
  })

  it('client.request accepts a body of instances that have toJSON', async () => {
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
