import {
  Client,
  type Issue,
  isApiError,
  isRequestValidationError,
  isResponseMismatchError,
  type RapportError,
  type StandardSchema,
} from 'rapport-sdk'
import { describe, expect, test } from 'vitest'
import { json, serve } from '../servers/http-server'
import { rejectionOf } from '../transport/rejection'

/** Returns a client that receives this response. */
async function clientFor(status: number, body: unknown) {
  const server = await serve(json(status, body))
  return new Client({ baseUrl: server.url, token: 'a-token', onResponseMismatch: 'throw', retry: 0 })
}

/** Expects at most 20 problems in the message, and all of them in `issues`. */
function expectCapped({ message, issues }: RapportError & { readonly issues: readonly Issue[] }, total: number): void {
  const lines = message.split('\n').filter((line) => line.startsWith('  '))
  expect(issues).toHaveLength(total)
  expect(lines).toHaveLength(total > 20 ? 21 : total)
  expect(lines[20]).toBe(total > 20 ? `  … and ${total - 20} more` : undefined)
}

describe.each([20, 21, 1000])('a message about %i problems', (total) => {
  const fields = Object.fromEntries(Array.from({ length: total }, (_, index) => [`field_${index}`, 1]))

  test('lists at most 20 of them for a validation', async () => {
    const client = await clientFor(200, {})
    const call = client.relationships.deleteBulk(fields as never)
    expectCapped(await rejectionOf(call, isRequestValidationError), Math.min(total, 100))
    await client.request({ path: '/x' })
  })

  test('lists at most 20 of them for a response mismatch', async () => {
    const client = await clientFor(200, Array(total).fill(0))
    expectCapped(await rejectionOf(client.relationships.list(), isResponseMismatchError), Math.min(total, 100))
  })

  test('lists at most 20 of them for a response mismatch of client.request', async () => {
    const client = await clientFor(200, {})
    const issues = Array.from({ length: total }, (_, index) => ({ message: 'no', path: [index] }))
    const schema = { '~standard': { version: 1, vendor: 'test', validate: () => ({ issues }) } } as StandardSchema
    expectCapped(await rejectionOf(client.request({ path: '/x', schema }), isResponseMismatchError), total)
  })

  test('lists at most 20 of them for invalid options', async () => {
    const construct = async () => new Client({ ...fields, baseUrl: 'https://service.example' } as never)
    expectCapped(await rejectionOf(construct(), isRequestValidationError), total)
    const client = new Client({ baseUrl: 'https://service.example' })
    expectCapped(await rejectionOf(client.relationships.list(fields), isRequestValidationError), total)
  })

  test('lists at most 20 of them for an ApiError with field errors', async () => {
    const errors = Object.fromEntries(Object.keys(fields).map((name) => [name, { _errors: [{ message: 'no' }] }]))
    const client = await clientFor(400, { message: 'no', errors })
    const { message, fieldErrors } = await rejectionOf(client.relationships.list(), isApiError)
    expect(fieldErrors).toHaveLength(total)
    expect(message.split('\n').slice(1, 21)).toEqual(
      fieldErrors.slice(0, 20).map(({ path }) => `  ${path.join('.')}: no`),
    )
    expect(message.split('\n')[21]).toBe(total > 20 ? `  … and ${total - 20} more in \`fieldErrors\`` : undefined)
  })
})

describe('the length of a message', () => {
  test('it is small for a long field name and a long message of the service', async () => {
    const long = 'x'.repeat(100_000)
    const client = await clientFor(400, { message: long, errors: { [long]: { _errors: [{ message: long }] } } })
    const { message } = await rejectionOf(client.relationships.list(), isApiError)
    expect(message.length).toBeLessThan(2000)
  })

  test('it is small for a long issue of a schema', async () => {
    const client = await clientFor(200, {})
    const issues = [{ message: 'x'.repeat(100_000), path: Array<string>(1000).fill('a-long-name') }]
    const schema = { '~standard': { version: 1, vendor: 'test', validate: () => ({ issues }) } } as StandardSchema
    const error = await rejectionOf(client.request({ path: '/x', schema }), isResponseMismatchError)
    expect(error.message.length).toBeLessThan(700)
    expect(error.issues[0]?.message).toHaveLength(100_000)
  })

  test('an issue of a schema that has line breaks and control characters is one line of the message', async () => {
    const client = await clientFor(200, {})
    const issues = [{ message: 'no\r\nERROR: forged\u001b[31m\u2028', path: ['a\u009b\u2029b'] }]
    const schema = { '~standard': { version: 1, vendor: 'test', validate: () => ({ issues }) } } as StandardSchema
    const error = await rejectionOf(client.request({ path: '/x', schema }), isResponseMismatchError)
    expect(error.message.split('\n')[1]).toBe('  ["a b"]: no ERROR: forged [31m ')
    expect(error.issues[0]?.message).toBe(issues[0]?.message)
  })

  test('it is small for a long path and long names of client.request', async () => {
    const client = new Client({ baseUrl: 'https://service.example', retry: 0 })
    const long = 'x'.repeat(100_000)
    const request = { path: `/${long}`, method: long as 'GET', query: { [long]: {} as string } }
    const { message } = await rejectionOf(client.request(request), isRequestValidationError)
    expect(message.length).toBeLessThan(1000)
  })
})

test('a body with many problems reports the first 100 of them', async () => {
  const client = new Client({ baseUrl: 'https://service.example' })
  const issuesOf = async (size: number) => {
    const user_ids = Array<string>(size).fill(0 as unknown as string)
    return (
      await rejectionOf(client.relationships.addBulk({ user_ids, token: 't' } as never), isRequestValidationError)
    ).issues
  }
  expect(await issuesOf(90)).toHaveLength(90)
  expect(await issuesOf(25_000)).toHaveLength(100)
})

test('a mismatch of a response with many problems reports the first 100 of them', async () => {
  const list = (size: number) => {
    const fetch = async () => Response.json(Array(size).fill(0))
    return new Client({ baseUrl: 'https://service.example', fetch, onResponseMismatch: 'throw' }).relationships.list()
  }
  expect((await rejectionOf(list(90), isResponseMismatchError)).issues).toHaveLength(90)
  expect((await rejectionOf(list(1_000_000), isResponseMismatchError)).issues).toHaveLength(100)
})

test('the message of an error with a hundred thousand fields is short', async () => {
  const errors = Object.fromEntries(
    Array.from({ length: 1e5 }, (_, index) => [`f${index}`, { _errors: [{ message: 'no' }] }]),
  )
  const fetch = async () => Response.json({ errors }, { status: 400 })
  const call = new Client({ baseUrl: 'https://service.example', fetch }).relationships.list()
  const error = await rejectionOf(call, isApiError)
  expect(error.fieldErrors).toHaveLength(1e5)
  expect(error.message.length).toBeLessThan(2000)
})
