import { existsSync, mkdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { Client, type ClientOptions, isTimeoutError, type TokenRecord, type TokenStore } from 'rapport-sdk'
import { fileTokenStore } from 'rapport-sdk/node'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { settle } from '../live/set-up'
import { pass, stopClock } from '../stopped-clock'
import { temporaryFolder } from '../temporary-files'
import { reasonOf, rejectionOf } from '../transport/rejection'

const baseUrl = 'https://service.example'

function open(options: Partial<ClientOptions>): Client {
  const client = new Client({ baseUrl, ...options })
  onTestFinished(() => client.dispose())
  return client
}

/** Returns a store whose writes take effect when a test says so. */
function heldStore() {
  let current: TokenRecord | null = null
  let listener: (record: TokenRecord | null) => void = () => {}
  const writes: { readonly record: TokenRecord | null; land(): void }[] = []
  const tokenStore: TokenStore = {
    get: () => current,
    set: (record) =>
      new Promise<void>((resolve) => {
        const land = () => {
          current = record
          resolve()
        }
        writes.push({ record, land })
      }),
    subscribe: (callback) => {
      listener = callback
      return () => {}
    },
  }
  const emit = (record: TokenRecord | null) => {
    current = record
    listener(record)
  }
  /** Lets a write take effect, once it was called. */
  const land = async (index: number) => {
    await settle()
    expect(writes.length).toBeGreaterThan(index)
    writes[index]?.land()
    await settle()
  }
  return { tokenStore, writes, emit, land, current: () => current }
}

describe('a write of a token store that completes late', () => {
  test('does not sign in again after a sign-out', async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'token.json')
    // Left by a process that was killed; it ends 5 seconds after its time.
    mkdirSync(`${file}.lock`)
    const lockedAt = Date.now() / 1000 - 3
    utimesSync(`${file}.lock`, lockedAt, lockedAt)
    const store = fileTokenStore(file)
    const set = vi.fn(store.set)
    const client = open({ tokenStore: { ...store, set }, timeout: 200 })
    await client.ready
    const types: string[] = []
    client.session.onChange(({ type, source }) => types.push(`${type} ${source}`))
    await rejectionOf(client.session.setToken('ada'), isTimeoutError)
    await client.session.setToken(null)
    // The sign-in, once the lock has ended, and the sign-out again.
    await vi.waitFor(() => expect(set.mock.settledResults.map(({ type }) => type)).toEqual(Array(3).fill('fulfilled')))

    expect(existsSync(file)).toBe(false)
    await fileTokenStore(file).set({ token: 'of another process' })
    await vi.waitFor(() => expect(client.session.token).toBe('of another process'))
    expect(types).toEqual(['signedIn client', 'signedOut client', 'signedIn store'])
  })

  test.each([[{ token: 'of another tab' }], [null]])(
    'does not replace what another tab stored since: %j',
    async (other) => {
      stopClock()
      const { tokenStore, emit, land, current } = heldStore()
      const client = open({ tokenStore, timeout: 1000 })
      await client.ready
      const one = reasonOf(client.session.setToken('one'))
      await pass(1000)
      await one
      const two = client.session.setToken('two')
      await land(1)
      await two
      emit(other)
      await land(0)
      await land(2)

      expect(current()).toEqual(other)
      expect(client.session.token).toBe(other?.token ?? null)
    },
  )
})

test('a listener that signs out has the last word in the store, too', async () => {
  const set = vi.fn<TokenStore['set']>()
  const client = open({ tokenStore: { get: () => null, set } })
  await client.ready
  let signOut: Promise<void> | undefined
  client.session.onChange(({ type }) => {
    if (type === 'signedIn') signOut = client.session.setToken(null)
  })
  await client.session.setToken('ada')
  await signOut

  expect(set.mock.calls.map(([record]) => record)).toEqual([{ token: 'ada' }, null])
})

test('setting the same token again keeps the stored ID of its user', async () => {
  const set = vi.fn<TokenStore['set']>()
  const client = open({ tokenStore: { get: () => ({ token: 'ada', userId: '100' }), set } })
  await client.ready
  await client.session.setToken('ada')

  expect(set.mock.calls).toEqual([[{ token: 'ada', userId: '100' }]])
})

test.each([
  ['fails', () => Promise.reject(new Error('denied'))],
  ['hangs', () => new Promise<never>(() => {})],
])(
  'a client keeps its token when a store whose get %s emits its value first, and follows the changes after it',
  async (_, get) => {
    let emit: (record: TokenRecord | null) => void = () => {}
    const subscribe: TokenStore['subscribe'] = (listener) => {
      emit = listener
      return () => {}
    }
    const client = open({ token: 'option', tokenStore: { get, set: () => {}, subscribe } })
    await settle()
    emit({ token: 'stored' })
    expect(client.session.token).toBe('option')
    emit(null)
    expect(client.session.token).toBeNull()
  },
)

test('a file that another process deletes after a sign-in of this one signs out, also between two polls', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'token.json')
  const client = open({ tokenStore: fileTokenStore(file) })
  await client.ready
  // What the last poll has seen is no file.
  await fileTokenStore(file).set({ token: 'before' })
  await vi.waitFor(() => expect(client.session.token).toBe('before'))
  await fileTokenStore(file).set(null)
  await vi.waitFor(() => expect(client.session.token).toBeNull())
  await client.session.setToken('ada')
  await fileTokenStore(file).set(null, { token: 'ada' })

  await vi.waitFor(() => expect(client.session.token).toBeNull())
})
