import { Client, type ClientEvents, isRapportError } from 'rapport-sdk'
import { webStorageTokenStore } from 'rapport-sdk/storage'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { json, serve } from '../servers/http-server'
import { rejectionOf } from '../transport/rejection'

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
  it('stores, loads and removes the token', async () => {
    const storage = new FakeStorage()
    const first = new Client({ baseUrl, tokenStore: webStorageTokenStore(storage) })
    await first.session.setToken('ada')
    expect(storage.getItem('rapport.token')).toBe('{"token":"ada"}')

    const second = new Client({ baseUrl, tokenStore: webStorageTokenStore(storage) })
    await second.ready
    expect(second.session.token).toBe('ada')

    await second.session.setToken(null)
    expect(storage.length).toBe(0)
  })

  it('reads an empty string as no token', async () => {
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

  it('separates accounts by key', async () => {
    const storage = new FakeStorage()
    await new Client({ baseUrl, tokenStore: webStorageTokenStore(storage, 'one') }).session.setToken('ada')
    const other = new Client({ baseUrl, tokenStore: webStorageTokenStore(storage, 'two') })
    await other.ready
    expect(other.session.token).toBeNull()
  })

  it('follows only its own key and storage in other tabs, until the client is disposed', async () => {
    openPage()
    const storage = new FakeStorage()
    const client = new Client({ baseUrl, tokenStore: webStorageTokenStore(storage) })
    await client.ready
    const changes: string[] = []
    client.session.onChange(({ type }) => changes.push(type))

    storage.setItem('rapport.token', '{"token":"from another tab"}')
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
    storage.setItem('rapport.token', '{"token":"too late"}')
    dispatchStorageEvent(storage, 'rapport.token')
    expect(client.session.token).toBeNull()
  })

  it('keeps the ID of the user next to the token, and removes both', async () => {
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

  it('tells a tab the user of a sign-in in another tab together with the token, and never that of another token', async () => {
    openPage()
    const storage = new FakeStorage()
    const client = new Client({ baseUrl, tokenStore: webStorageTokenStore(storage) })
    await client.ready
    const changes: unknown[] = []
    client.session.onChange(({ type, user, source }) => changes.push([type, user?.id, source]))
    const other = webStorageTokenStore(storage)

    await other.set({ token: 'ada', userId: '100' })
    dispatchStorageEvent(storage, 'rapport.token')
    await other.set({ token: 'grace' })
    dispatchStorageEvent(storage, 'rapport.token')

    expect(changes).toEqual([
      ['signedIn', '100', 'store'],
      ['tokenChanged', undefined, 'store'],
    ])
    client.dispose()
  })

  it.each(['ada', '"ada"', '5', '[]', '{}', '{"token":5}', '{"token":""}', '{"token":"a\\nb"}', '{"token":"ada"'])(
    'neither uses nor shows the value %s, which is not a token',
    async (value) => {
      openPage()
      const storage = new FakeStorage()
      storage.setItem('rapport.token', value)
      const { client } = clientWith(storage)
      const error = await rejectionOf(client.ready, isRapportError)
      expect(error.message).toContain('The value in the token store is not a valid token.')
      expect(client.session.token).toBeNull()
      await client.session.setToken('grace')
      expect(storage.getItem('rapport.token')).toBe('{"token":"grace"}')
      storage.setItem('rapport.token', value)
      dispatchStorageEvent(storage, 'rapport.token')
      expect(client.session.token).toBe('grace')
      client.dispose()
    },
  )

  it.each([
    ['signed out', null],
    ['signed in as another user', 'grace'],
  ])('a page that returns from the back/forward cache is %s if another tab did so meanwhile', async (_, token) => {
    openPage()
    const storage = new FakeStorage()
    storage.setItem('rapport.token', '{"token":"ada"}')
    const client = new Client({ baseUrl, tokenStore: webStorageTokenStore(storage) })
    await client.ready

    await webStorageTokenStore(storage).set(token === null ? null : { token })
    page.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false }))
    expect(client.session.token).toBe('ada')
    page.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
    await vi.waitFor(() => expect(client.session.token).toBe(token))

    client.dispose()
    storage.setItem('rapport.token', '{"token":"too late"}')
    page.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
    expect(client.session.token).toBe(token)
  })
})

/** Creates a client and records its warnings. */
function clientWith(storage: Parameters<typeof webStorageTokenStore>[0], url = baseUrl) {
  const logged: unknown[] = []
  const logger = { warn: (_: string, details: unknown) => void logged.push(details) }
  const tokenStore = webStorageTokenStore(storage)
  const client = new Client({ baseUrl: url, tokenStore, logger })
  const warnings: ClientEvents['warning'][] = []
  client.on('warning', (warning) => warnings.push(warning))
  return { client, tokenStore, warnings, logged }
}

const refuse = (name: string) => () => {
  throw new DOMException('refused', name)
}

describe('webStorageTokenStore() without a usable storage', () => {
  it('a function that returns the storage is not called before the token is needed', () => {
    const open = vi.fn(() => new FakeStorage())
    webStorageTokenStore(open)
    expect(open).not.toHaveBeenCalled()
  })

  it.each<[string, Parameters<typeof webStorageTokenStore>[0]]>([
    ['the storage is blocked', refuse('SecurityError')],
    ['there is none, as on a server', () => Reflect.get(globalThis, 'noStorage')],
    ['its methods throw', Object.assign(new FakeStorage(), { getItem: refuse('SecurityError') })],
  ])('the token is kept in memory with one warning if %s', async (_, storage) => {
    const { client, tokenStore, warnings, logged } = clientWith(storage)
    await client.ready
    expect(client.session.status).toBe('signedOut')
    await vi.waitFor(() => expect(warnings).toMatchObject([{ code: 'storage_blocked' }]))
    expect(logged).toEqual(warnings)

    const server = await serve(json(200, { user_id: '100', token: 'ada' }))
    const next = clientWith(storage, server.url)
    await next.client.auth.login({ login: 'ada@example.com', password: 'correct horse' })
    expect(next.client.session.token).toBe('ada')
    await client.session.setToken('ada')
    expect(await tokenStore.get()).toMatchObject({ token: 'ada' })
  })

  it('a login succeeds with a warning if the storage is full, and the previous token is not left behind', async () => {
    const storage = new FakeStorage()
    storage.setItem('rapport.token', '{"token":"grace"}')
    const server = await serve(json(200, { user_id: '100', token: 'the-token-of-ada' }))
    const { client, tokenStore, warnings } = clientWith(storage, server.url)
    await client.ready
    storage.setItem = refuse('QuotaExceededError')

    const result = await client.auth.login({ login: 'ada@example.com', password: 'correct horse' })

    expect(result.status).toBe('complete')
    await vi.waitFor(() => expect(warnings).toMatchObject([{ code: 'storage_full' }]))
    expect(warnings[0]?.message).not.toContain('the-token-of-ada')
    expect([await tokenStore.get(), storage.getItem('rapport.token')]).toEqual([
      { token: 'the-token-of-ada', userId: '100' },
      null,
    ])
  })

  it('a token that another tab signed out does not come back when the storage is blocked later', async () => {
    openPage()
    const storage = new FakeStorage()
    const { client, warnings } = clientWith(storage)
    await client.session.setToken('ada')
    storage.removeItem('rapport.token')
    dispatchStorageEvent(storage, 'rapport.token')
    await vi.waitFor(() => expect(client.session.token).toBeNull())

    storage.getItem = refuse('SecurityError')
    page.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
    await vi.waitFor(() => expect(warnings).toMatchObject([{ code: 'storage_blocked' }]))
    expect(client.session.token).toBeNull()
    client.dispose()
  })

  it('a token that was read before the storage is blocked stays, with its user', async () => {
    openPage()
    const storage = new FakeStorage()
    const other = webStorageTokenStore(storage)
    await other.set({ token: 'ada', userId: '100' })
    const { client, tokenStore } = clientWith(storage)
    await client.ready

    storage.getItem = refuse('SecurityError')
    page.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
    expect([client.session.token, client.session.user?.id]).toEqual(['ada', '100'])
    expect(await tokenStore.get()).toMatchObject({ token: 'ada' })
    client.dispose()
  })

  it('a storage that is no longer full is used for the next sign-in, and for changes in other tabs', async () => {
    openPage()
    const storage = new FakeStorage()
    const { client, tokenStore } = clientWith(storage)
    await client.ready
    const { setItem } = storage
    storage.setItem = refuse('QuotaExceededError')
    await client.session.setToken('ada')
    storage.setItem = setItem

    storage.setItem('rapport.token', '{"token":"grace"}')
    dispatchStorageEvent(storage, 'rapport.token')
    expect(client.session.token).toBe('grace')
    await client.session.setToken('linus')
    expect([await tokenStore.get(), storage.getItem('rapport.token')]).toEqual([
      { token: 'linus' },
      '{"token":"linus"}',
    ])
    client.dispose()
  })
})
