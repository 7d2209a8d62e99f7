import { Client, ConnectionError, type FetchResponse, isNotFoundError, isResponseParseError } from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { json, noContent, type Responder, serve } from '../servers/http-server'
import { rejectionOf } from './rejection'

describe('a response whose headers have only `get` and `forEach`', () => {
  const headers = {
    get: (name: string) => (name === 'x-request-id' ? 'r1' : null),
    forEach: (callback: (value: string, name: string) => void) => {
      callback('r1', 'x-request-id')
      callback('secret', 'set-cookie')
    },
  }
  const respond = (status: number) => async () => ({ status, headers, arrayBuffer: async () => new ArrayBuffer(0) })

  it('an error shows them without their secrets', async () => {
    const client = new Client({ baseUrl: 'https://service.example', fetch: respond(404) })
    const error = await rejectionOf(client.relationships.list(), isNotFoundError)
    expect(error.requestId).toBe('r1')
    expect(Object.fromEntries(error.headers)).toEqual({ 'x-request-id': 'r1', 'set-cookie': '[redacted]' })
  })

  it('the log shows them without their secrets', async () => {
    const debug = vi.fn<(message: string, details?: unknown) => void>()
    const client = new Client({ baseUrl: 'https://service.example', fetch: respond(204), logger: { debug } })
    await client.relationships.delete('42')
    const [, details] = debug.mock.calls.find(([message]) => message.startsWith('rapport: response ')) ?? []
    expect(details).toMatchObject({ headers: { 'x-request-id': 'r1', 'set-cookie': '[redacted]' } })
  })
})

it('a body that fails with an error of another client is a lost connection, and a GET is retried', async () => {
  async function* bodyOf(text: string, error?: Error) {
    yield Buffer.from(text)
    if (error) throw error
  }
  const bodies = [bodyOf('[', new ConnectionError('GET /a', 'no response')), bodyOf('[]')]
  const custom = async () => ({ status: 200, headers: new Headers(), body: bodies.shift() })
  const client = new Client({ baseUrl: 'https://service.example', fetch: Object(custom) })
  expect(await client.relationships.list()).toEqual([])
  expect(bodies).toHaveLength(0)
})

describe('a response whose body the option fetch has used', () => {
  const uses: [string, (response: Response) => unknown][] = [
    ['read', (response) => response.text()],
    ['locked', (response) => response.body?.getReader()],
  ]

  async function clientWith(use: (response: Response) => unknown, ...responders: Responder[]) {
    const server = await serve(...responders)
    const wrapper = async (url: string, init: RequestInit): Promise<FetchResponse> => {
      const response = await fetch(url, init)
      await use(response)
      return response
    }
    return { server, client: new Client({ baseUrl: server.url, token: 'ada', fetch: wrapper }) }
  }

  it.each(uses)('a call names the reason of a body that was %s, and is not retried', async (_, use) => {
    const { server, client } = await clientWith(use, json(200, []))
    const { message, cause } = await rejectionOf(client.relationships.list(), isResponseParseError)
    expect(message).toBe(
      'Get Relationships succeeded with status 200, but its response cannot be parsed: your `fetch` has read it',
    )
    expect(cause).toBeUndefined()
    expect(server.requests).toHaveLength(1)
  })

  it.each(uses)('a call without a result succeeds if the body was %s', async (_, use) => {
    const { client } = await clientWith(use, json(200, {}), noContent)
    expect(await client.relationships.delete('42')).toBeUndefined()
    expect(await client.relationships.delete('42')).toBeUndefined()
  })
})
