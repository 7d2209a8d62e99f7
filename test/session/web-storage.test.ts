import { Client } from 'rapport-sdk'
import { webStorageTokenStore } from 'rapport-sdk/storage'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { json, serve } from '../servers/http-server'

class FakeStorage implements Storage {
  readonly #items = new Map<string, string>()
  get length() {
    return this.#items.size
  }
  clear = () => this.#items.clear()
  getItem = (key: string) => this.#items.get(key) ?? null
  key = (index: number) => [...this.#items.keys()][index] ?? null
  removeItem = (key: string) => {
    this.#items.delete(key)
  }
  setItem = (key: string, value: string) => {
    this.#items.set(key, value)
  }
}

/** Dispatches the event that a page receives when another page writes. */
function dispatchStorageEvent(storage: Storage, key: string | null) {
  page.dispatchEvent(Object.assign(new Event('storage'), { key, storageArea: storage }))
}

let page = new EventTarget()

function openPage() {
  page = new EventTarget()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
}

afterEach(() => {
  vi.unstubAllGlobals()
})

const baseUrl = 'https://service.example'

describe('webStorageTokenStore()', () => {
  it('the web storage token store stores, loads and removes the token', async () => {
    const storage = new FakeStorage()
    const first = new Client({ baseUrl, tokenStore: webStorageTokenStore(storage) })
    await first.session.setToken('ada')
    expect(storage.getItem('rapport.token')).toBe('ada')

    const second = new Client({ baseUrl, tokenStore: webStorageTokenStore(storage) })
    await second.ready
    expect(second.session.token).toBe('ada')

    await second.session.setToken(null)
    expect(storage.length).toBe(0)
  })

  it('the web storage token store reads an empty string as no token', async () => {
    openPage()
    const storage = new FakeStorage()
    storage.setItem('rapport.token', '')
    const client = new Client({ baseUrl, tokenStore: webStorageTokenStore(storage) })
    await client.ready
    expect(client.session.token).toBeNull()

    await client.session.setToken('ada')
    storage.setItem('rapport.token', '')
    dispatchStorageEvent(storage, 'rapport.token')
    await vi.waitFor(() => expect(client.session.token).toBeNull())
    client.dispose()
  })

  it('the web storage token store separates accounts by key', async () => {
    const storage = new FakeStorage()
    await new Client({ baseUrl, tokenStore: webStorageTokenStore(storage, 'one') }).session.setToken('ada')
    const other = new Client({ baseUrl, tokenStore: webStorageTokenStore(storage, 'two') })
    await other.ready
    expect(other.session.token).toBeNull()
  })

  it('the web storage token store follows only its own key and storage in other tabs, until the client is disposed', async () => {
    openPage()
    const storage = new FakeStorage()
    const client = new Client({ baseUrl, tokenStore: webStorageTokenStore(storage) })
    await client.ready
    const changes: string[] = []
    client.session.onChange(({ type }) => changes.push(type))

    storage.setItem('rapport.token', 'from another tab')
    dispatchStorageEvent(new FakeStorage(), 'rapport.token')
    dispatchStorageEvent(storage, 'other')
    expect(client.session.token).toBeNull()
    dispatchStorageEvent(storage, 'rapport.token')
    expect(client.session.token).toBe('from another tab')
    storage.clear()
    dispatchStorageEvent(storage, null)
    expect(client.session.token).toBeNull()
    expect(changes).toEqual(['signedIn', 'signedOut'])

    client.dispose()
    storage.setItem('rapport.token', 'too late')
    dispatchStorageEvent(storage, 'rapport.token')
    expect(client.session.token).toBeNull()
  })

  it('the web storage token store keeps the ID of the user next to the token, and removes both', async () => {
    const storage = new FakeStorage()
    const server = await serve(json(200, { user_id: '100', token: 'ada' }))
    const first = new Client({ baseUrl: server.url, tokenStore: webStorageTokenStore(storage) })
    await first.auth.login({ login: 'ada@example.com', password: 'correct horse' })
    const second = new Client({ baseUrl, tokenStore: webStorageTokenStore(storage) })
    await second.ready
    expect(second.session.user).toEqual({ id: '100' })

    await second.session.setToken('another')
    expect([second.session.user, storage.length]).toEqual([null, 1])
    await second.session.setToken(null)
    expect(storage.length).toBe(0)
  })

  it('a tab learns the user of a sign-in in another tab together with the token, and never that of another token', async () => {
    openPage()
    const storage = new FakeStorage()
    const client = new Client({ baseUrl, tokenStore: webStorageTokenStore(storage) })
    await client.ready
    const changes: unknown[] = []
    client.session.onChange(({ type, user, source }) => changes.push([type, user?.id, source]))
    const other = webStorageTokenStore(storage)

    await other.setUserId?.('ada', '100')
    await other.set('ada')
    dispatchStorageEvent(storage, 'rapport.token')
    // An app of an earlier version replaces only the token.
    storage.setItem('rapport.token', 'grace')
    dispatchStorageEvent(storage, 'rapport.token')

    expect(changes).toEqual([
      ['signedIn', '100', 'store'],
      ['tokenChanged', undefined, 'store'],
    ])
    client.dispose()
  })

  it('the stored ID of the user does not contain the token', async () => {
    const storage = new FakeStorage()
    await webStorageTokenStore(storage).setUserId?.('the-token-of-ada', '100')
    expect(storage.getItem('rapport.token.user')).toMatch(/^\d+\.100$/)
  })
})
