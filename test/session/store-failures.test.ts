import { Client, isRapportError, type TokenStore } from 'rapport-sdk'
import { memoryTokenStore } from 'rapport-sdk/storage'
import { describe, expect, it } from 'vitest'
import { deferred } from '../deferred'
import { rejectionOf } from '../transport/rejection'

const baseUrl = 'https://service.example'
const broken = () => Promise.reject(new Error('storage is broken'))
const WAY_OUT = 'Set one, or null, by `session.setToken` to go on without it.'

describe('a token store that fails', () => {
  it('a token store that fails does not fail waiting calls if a token has been set meanwhile', async () => {
    const loading = deferred<string | null>()
    const client = new Client({ baseUrl, tokenStore: { get: () => loading.promise, set: () => {} } })
    const { ready } = client

    await client.session.setToken('given')
    loading.reject(new Error('storage is broken'))

    await ready
    expect(client.session.token).toBe('given')
  })

  it.each<[string, TokenStore['get'], string]>([
    ['to load', broken, `The token store failed to load the token. ${WAY_OUT}`],
    [
      'to hold a token',
      () => 'a\nb',
      `The token store holds something that a header cannot carry, so no token. ${WAY_OUT}`,
    ],
  ])('a failure of the token store says what to do: %s', async (_, get, message) => {
    const client = new Client({ baseUrl, tokenStore: { get, set: () => {} } })
    expect((await rejectionOf(client.ready, isRapportError)).message).toBe(message)
  })

  it('a token store that fails to keep a token throws an error that says the token is in use', async () => {
    const client = new Client({ baseUrl, tokenStore: { get: () => null, set: broken } })
    expect((await rejectionOf(client.session.setToken('new'), isRapportError)).message).toBe(
      'The token is in use, but the token store failed to keep it.',
    )
  })
})

describe('the token store in memory', () => {
  it('the in-memory token store starts empty and keeps a token for the next client', async () => {
    const tokenStore = memoryTokenStore()
    expect(tokenStore.get()).toBeNull()
    await new Client({ baseUrl, tokenStore }).session.setToken('ada')

    const next = new Client({ baseUrl, tokenStore })
    await next.ready

    expect(next.session.token).toBe('ada')
  })
})
