import { Client, isNotFoundError } from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
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
    expect(debug.mock.lastCall?.[1]).toMatchObject({ headers: { 'x-request-id': 'r1', 'set-cookie': '[redacted]' } })
  })
})
