import { Client, type ClientOptions, isRapportError, isResponseMismatchError, type StandardSchema } from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { json, serve } from '../servers/http-server'
import { rejectionOf } from './rejection'

/** A schema by the standard alone, of no library. */
function schemaOf<T>(validate: StandardSchema<T>['~standard']['validate']): StandardSchema<T> {
  return { '~standard': { version: 1, vendor: 'test', validate } }
}

const upperCase = schemaOf((value) => ({ value: String((value as { name: string }).name).toUpperCase() }))
const refusing = schemaOf<string>(() => ({
  issues: [{ message: 'expected a number', path: ['list', { key: 0 }, Symbol('inner')] }, { message: 'as a whole' }],
}))

async function clientFor(options: Partial<ClientOptions> = {}) {
  const server = await serve(json(200, { name: 'ada' }))
  return new Client({ baseUrl: server.url, token: 'ada', ...options })
}

describe('a Standard Schema for the response', () => {
  it('a response schema returns its output, with its declared type', async () => {
    const client = await clientFor()
    const name: string = await client.request({ path: '/me', schema: upperCase })
    expect(name).toBe('ADA')
  })

  it('a response schema can be asynchronous', async () => {
    const client = await clientFor()
    const schema = schemaOf(async () => ({ value: 'later' }))
    expect(await client.request({ path: '/me', schema })).toBe('later')
  })

  it('a mismatch with a response schema is reported, and the data are returned unchanged', async () => {
    const client = await clientFor()
    const mismatch = vi.fn()
    client.on('responseMismatch', mismatch)

    expect(await client.request({ path: '/me', schema: refusing })).toEqual({ name: 'ada' })

    expect(mismatch).toHaveBeenCalledTimes(1)
    expect(mismatch.mock.calls[0]?.[0]).toMatchObject({
      endpoint: 'GET /me',
      issues: [{ path: ['list', 0, 'Symbol(inner)'], message: 'expected a number' }, { path: [] }],
    })
  })

  it('a mismatch with a response schema is thrown or ignored if the client says so', async () => {
    const strict = await clientFor({ onResponseMismatch: 'throw' })
    const error = await rejectionOf(strict.request({ path: '/me', schema: refusing }), isResponseMismatchError)
    expect(error.issues).toHaveLength(2)

    const lax = await clientFor({ onResponseMismatch: 'ignore' })
    const mismatch = vi.fn()
    lax.on('responseMismatch', mismatch)
    expect(await lax.request({ path: '/me', schema: refusing })).toEqual({ name: 'ada' })
    expect(mismatch).not.toHaveBeenCalled()
  })

  it('a schema that throws rejects the call with an error of this package whose cause it is', async () => {
    const broken = new Error('the schema is broken')
    const schema = schemaOf(() => {
      throw broken
    })
    const client = await clientFor()
    const error = await rejectionOf(client.request({ path: '/me', schema }), isRapportError)
    expect(error.cause).toBe(broken)
  })
})

describe('the answer of a documented call', () => {
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

  it('a wrong shape is thrown if the client says so', async () => {
    const server = await serve(json(200, { not: 'a list' }))
    const client = new Client({ baseUrl: server.url, token: 'ada', onResponseMismatch: 'throw' })
    const error = await rejectionOf(client.relationships.list(), isResponseMismatchError)
    expect(error.endpoint).toBe('Get Relationships')
  })
})
