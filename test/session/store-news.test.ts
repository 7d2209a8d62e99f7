import { Client, isRapportError, type MfaHandler, type TokenStore } from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { deferred } from '../deferred'
import { CODE, serveStepUp } from '../servers/step-up-service'
import { rejectionOf } from '../transport/rejection'

const baseUrl = 'https://service.example'
const GARBAGE =
  'The token store holds something that a header cannot carry, so no token. ' +
  'Set one, or null, by `session.setToken` to go on without it.'

/** A store that answers `get` with a promise, and what tells the client of a change. */
function storeOf(loaded: () => string | null | Promise<string | null>) {
  const listeners: ((token: string | null) => void)[] = []
  const subscribe: TokenStore['subscribe'] = (listener) => {
    listeners.push(listener)
    return () => {}
  }
  const tell = (token: string | null) => {
    for (const listener of listeners) listener(token)
  }
  return { tokenStore: { get: loaded, set: () => {}, subscribe }, tell }
}

const broken = () => Promise.reject(new Error('storage is broken'))

describe('news from a token store', () => {
  it('a token that the store emits wins over the one it is still loading', async () => {
    const loading = deferred<string | null>()
    const { tokenStore, tell } = storeOf(() => loading.promise)
    const client = new Client({ baseUrl, tokenStore })

    tell('new')
    loading.resolve('old')
    await new Promise((resolve) => setTimeout(resolve))

    expect(client.session.token).toBe('new')
  })

  it('an emitted null recovers a failed load', async () => {
    const { tokenStore, tell } = storeOf(broken)
    const client = new Client({ baseUrl, tokenStore })
    await rejectionOf(client.ready, isRapportError)

    tell(null)

    await client.ready
  })

  it('an invalid emitted token does not recover a failed load and is reported', async () => {
    const { tokenStore, tell } = storeOf(broken)
    const error = vi.fn<(message: string, details?: unknown) => void>()
    const client = new Client({ baseUrl, tokenStore, logger: { error } })
    await rejectionOf(client.ready, isRapportError)

    tell('a\nb')

    expect(client.session.token).toBeNull()
    await rejectionOf(client.ready, isRapportError)
    expect(error.mock.calls).toEqual([[expect.any(String), expect.objectContaining({ message: GARBAGE })]])
  })

  it('an emitted `undefined` signs out, as it does if `get` returns it', async () => {
    const { tokenStore, tell } = storeOf(() => 'old')
    const error = vi.fn<(message: string, details?: unknown) => void>()
    const client = new Client({ baseUrl, tokenStore, logger: { error } })
    await client.ready
    tell('new')

    tell(undefined as unknown as null)

    expect(client.session.token).toBeNull()
    expect(error).not.toHaveBeenCalled()
  })

  it('an emitted token that the client already has keeps the verification', async () => {
    const service = await serveStepUp()
    const { tokenStore, tell } = storeOf(() => 'ada')
    const onMfaRequired = vi.fn<MfaHandler>(() => ({ type: 'totp', code: CODE }))
    const client = new Client({ baseUrl: service.url, tokenStore, onMfaRequired })
    await client.relationships.list()

    tell('ada')
    await client.relationships.list()

    expect(onMfaRequired).toHaveBeenCalledTimes(1)
  })
})
