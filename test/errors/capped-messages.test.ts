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

/** A client of a service that answers once. */
async function clientThat(status: number, body: unknown) {
  const server = await serve(json(status, body))
  return new Client({ baseUrl: server.url, token: 'a-token', onResponseMismatch: 'throw', retry: 0 })
}

/** Expects 20 of so many problems in a message, and all of them in `issues`. */
function expectCapped({ message, issues }: RapportError & { readonly issues: readonly Issue[] }, total: number): void {
  const lines = message.split('\n').filter((line) => line.startsWith('  '))
  expect(issues).toHaveLength(total)
  expect(lines).toHaveLength(total > 20 ? 21 : total)
  expect(lines[20]).toBe(total > 20 ? `  … and ${total - 20} more` : undefined)
}

describe.each([20, 21, 1000])('the message of an error with %i problems names 20 of them', (total) => {
  const fields = Object.fromEntries(Array.from({ length: total }, (_, index) => [`field_${index}`, 1]))

  test('when a request is refused', async () => {
    const client = await clientThat(200, {})
    const call = client.relationships.deleteBulk(fields as never)
    expectCapped(await rejectionOf(call, isRequestValidationError), total)
    await client.request({ path: '/x' })
  })

  test('when an answer is not what the interface describes', async () => {
    const client = await clientThat(200, Array(total).fill(0))
    expectCapped(await rejectionOf(client.relationships.list(), isResponseMismatchError), total)
  })

  test('when an answer is not what the schema of a custom request describes', async () => {
    const client = await clientThat(200, {})
    const issues = Array.from({ length: total }, (_, index) => ({ message: 'no', path: [index] }))
    const schema = { '~standard': { version: 1, vendor: 'test', validate: () => ({ issues }) } } as StandardSchema
    expectCapped(await rejectionOf(client.request({ path: '/x', schema }), isResponseMismatchError), total)
  })

  test('when the options of a client or of a call are refused', async () => {
    const construct = async () => new Client({ ...fields, baseUrl: 'https://service.example' } as never)
    expectCapped(await rejectionOf(construct(), isRequestValidationError), total)
    const client = new Client({ baseUrl: 'https://service.example' })
    expectCapped(await rejectionOf(client.relationships.list(fields), isRequestValidationError), total)
  })

  test('when the service refuses fields', async () => {
    const errors = Object.fromEntries(Object.keys(fields).map((name) => [name, { _errors: ['no'] }]))
    const client = await clientThat(400, { message: 'no', errors })
    const { message, fieldErrors } = await rejectionOf(client.relationships.list(), isApiError)
    expect(fieldErrors).toHaveLength(total)
    expect(message.split('\n').slice(1, 21)).toEqual(
      fieldErrors.slice(0, 20).map(({ path }) => `  ${path.join('.')}: no`),
    )
    expect(message.split('\n')[21]).toBe(total > 20 ? `  … and ${total - 20} more in \`fieldErrors\`` : undefined)
  })
})

describe('no line of a message is long', () => {
  test('whatever the service calls its fields, or says', async () => {
    const long = 'x'.repeat(100_000)
    const client = await clientThat(400, { message: long, errors: { [long]: { _errors: [{ message: long }] } } })
    const { message } = await rejectionOf(client.relationships.list(), isApiError)
    expect(message.length).toBeLessThan(2000)
  })

  test('whatever the words of a schema', async () => {
    const client = await clientThat(200, {})
    const issues = [{ message: 'x'.repeat(100_000), path: Array<string>(1000).fill('a-long-name') }]
    const schema = { '~standard': { version: 1, vendor: 'test', validate: () => ({ issues }) } } as StandardSchema
    const error = await rejectionOf(client.request({ path: '/x', schema }), isResponseMismatchError)
    expect(error.message.length).toBeLessThan(700)
    expect(error.issues[0]?.message).toHaveLength(100_000)
  })

  test('however long the path and the names of a custom request', async () => {
    const client = new Client({ baseUrl: 'https://service.example', retry: 0 })
    const long = 'x'.repeat(100_000)
    const request = { path: `/${long}`, method: long as 'GET', query: { [long]: {} as string } }
    const { message } = await rejectionOf(client.request(request), isRequestValidationError)
    expect(message.length).toBeLessThan(1000)
  })
})

test('reports only the first problem of a body with more than 20,000 parts, and all problems of a smaller one', async () => {
  const client = new Client({ baseUrl: 'https://service.example' })
  const refusal = async (size: number) => {
    const user_ids = Array<string>(size).fill(0 as unknown as string)
    return (
      await rejectionOf(client.relationships.addBulk({ user_ids, token: 't' } as never), isRequestValidationError)
    ).issues
  }
  expect((await refusal(15_000)).length).toBeGreaterThanOrEqual(15_000)
  expect(await refusal(25_000)).toHaveLength(1)
})
