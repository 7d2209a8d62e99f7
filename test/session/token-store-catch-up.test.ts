import { setImmediate as turn } from 'node:timers/promises'
import { Client, isRapportError } from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { deferred } from '../deferred'
import { type TokenOnlyStore, tokenOnly } from '../session-stores'
import { rejectionOf } from '../transport/rejection'

const baseUrl = 'https://service.example'

/** Returns a store whose writes a test completes, and the content that `get` returns from then on. */
function slowStore(initial: string | null) {
  const writes: { readonly resolve: () => void; readonly reject: (reason: unknown) => void }[] = []
  const content = { token: initial }
  const get = vi.fn<TokenOnlyStore['get']>(async () => content.token)
  const set = () => new Promise<void>((resolve, reject) => writes.push({ resolve, reject }))
  let emit: (token: string | null) => void = () => {}
  const subscribe: TokenOnlyStore['subscribe'] = (listener) => {
    emit = listener
    return () => {}
  }
  return {
    tokenStore: tokenOnly({ get, set, subscribe }),
    emit: (token: string | null) => emit(token),
    get,
    content,
    writes,
  }
}

describe('a notification during a set', () => {
  it('it is caught up on by one read after the last pending write', async () => {
    const { tokenStore, emit, get, content, writes } = slowStore(null)
    const client = new Client({ baseUrl, tokenStore })
    await client.ready
    const changes: unknown[] = []
    client.session.onChange(({ type, source }) => changes.push([type, source]))
    const done = ['ada', 'grace'].map((token) => client.session.setToken(token))
    await vi.waitFor(() => expect(writes).toHaveLength(1))

    emit('other tab')
    writes[0]?.resolve()
    await done[0]
    await vi.waitFor(() => expect(writes).toHaveLength(2))
    for (const token of ['other tab', 'last tab']) emit(token)
    content.token = 'last tab'
    expect(get).toHaveBeenCalledTimes(1)
    writes[1]?.resolve()
    await done[1]
    await vi.waitFor(() => expect(client.session.token).toBe('last tab'))

    expect(get).toHaveBeenCalledTimes(2)
    expect(changes).toEqual([
      ['signedIn', 'client'],
      ['tokenChanged', 'client'],
      ['tokenChanged', 'store'],
    ])
  })

  it('a store that notifies of nothing during a set is not read again', async () => {
    const { tokenStore, get, writes } = slowStore(null)
    const client = new Client({ baseUrl, tokenStore })
    await client.ready
    const done = client.session.setToken('ada')
    await vi.waitFor(() => expect(writes).toHaveLength(1))
    writes[0]?.resolve()
    await done
    await turn()

    expect(get).toHaveBeenCalledTimes(1)
  })

  it('a notification during the read that catches up is newer than what it returns', async () => {
    const { tokenStore, emit, get, writes } = slowStore(null)
    const reading = deferred<string | null>()
    const client = new Client({ baseUrl, tokenStore })
    await client.ready
    get.mockReturnValueOnce(reading.promise)
    const done = client.session.setToken('ada')
    await vi.waitFor(() => expect(writes).toHaveLength(1))
    emit('older')
    writes[0]?.resolve()
    await done
    await vi.waitFor(() => expect(get).toHaveBeenCalledTimes(2))

    emit('newer')
    reading.resolve('older')
    await turn()

    expect(client.session.token).toBe('newer')
  })

  it('a sign-in during the read that catches up is not undone, and the store is read once more after it', async () => {
    const { tokenStore, emit, get, content, writes } = slowStore(null)
    const reading = deferred<string | null>()
    const client = new Client({ baseUrl, tokenStore })
    await client.ready
    get.mockReturnValueOnce(reading.promise)
    const first = client.session.setToken('ada')
    await vi.waitFor(() => expect(writes).toHaveLength(1))
    emit('other tab')
    writes[0]?.resolve()
    await first
    await vi.waitFor(() => expect(get).toHaveBeenCalledTimes(2))

    const second = client.session.setToken('grace')
    reading.resolve('other tab')
    await turn()
    expect(client.session.token).toBe('grace')
    await vi.waitFor(() => expect(writes).toHaveLength(2))
    content.token = 'grace'
    writes[1]?.resolve()
    await second
    await vi.waitFor(() => expect(get).toHaveBeenCalledTimes(3))
    await turn()

    expect(client.session.token).toBe('grace')
  })

  it.each<[string, string | null, string]>([
    ['stays in use if the store still has the previous token', 'old', 'new'],
    ['is replaced by the one that another tab has stored meanwhile', 'other tab', 'other tab'],
  ])('a token whose write failed after a notification %s', async (_, stored, expected) => {
    const { tokenStore, emit, get, content, writes } = slowStore('old')
    const client = new Client({ baseUrl, tokenStore })
    await client.ready
    const done = rejectionOf(client.session.setToken('new'), isRapportError)
    await vi.waitFor(() => expect(writes).toHaveLength(1))

    content.token = stored
    emit(stored)
    writes[0]?.reject(new Error('disk full'))
    await done
    await vi.waitFor(() => expect(get).toHaveBeenCalledTimes(2))
    await turn()

    expect(client.session.token).toBe(expected)
  })

  it('the session does not change if the store cannot be read after a notification during a set', async () => {
    const { tokenStore, emit, get, writes } = slowStore(null)
    const client = new Client({ baseUrl, tokenStore })
    await client.ready
    get.mockRejectedValue(new Error('denied'))
    const done = client.session.setToken('ada')
    await vi.waitFor(() => expect(writes).toHaveLength(1))
    emit('other tab')
    writes[0]?.resolve()
    await done
    await vi.waitFor(() => expect(get).toHaveBeenCalledTimes(2))
    await turn()

    expect(client.session.token).toBe('ada')
  })

  it('a set that completes after its timeout, over the token of another tab, is followed by the session', async () => {
    const { tokenStore, emit, content, writes } = slowStore(null)
    const client = new Client({ baseUrl, tokenStore, timeout: 20 })
    await client.ready
    await rejectionOf(client.session.setToken('late'), isRapportError)
    content.token = 'other tab'
    emit('other tab')
    await vi.waitFor(() => expect(client.session.token).toBe('other tab'))

    content.token = 'late'
    writes[0]?.resolve()

    await vi.waitFor(() => expect(client.session.token).toBe('late'))
  })
})
