// Keeping a user signed in between visits: the token in web storage, or in your own store. Node has no reliable
// localStorage, so this example uses a small replacement; in a page, pass `localStorage`.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, type TokenStore } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { webStorageTokenStore } from 'rapport-sdk/storage'

/** A Web Storage in memory. */
class PageStorage implements Storage {
  readonly #items = new Map<string, string>();
  [name: string]: unknown

  get length(): number {
    return this.#items.size
  }
  key(index: number): string | null {
    return [...this.#items.keys()][index] ?? null
  }
  getItem(key: string): string | null {
    return this.#items.get(key) ?? null
  }
  setItem(key: string, value: string): void {
    this.#items.set(key, value)
  }
  removeItem(key: string): void {
    this.#items.delete(key)
  }
  clear(): void {
    this.#items.clear()
  }
}

const service = createMockService()
const password = 'correct horse battery'
service.users.create({ login: 'ada@example.com', username: 'ada', password })

/** Does what a page does when it is loaded. */
async function visit(tokenStore: TokenStore): Promise<Client> {
  const client = new Client({ baseUrl: service.baseUrl, fetch: service.fetch, tokenStore })
  client.session.onChange(({ type }) => console.log(`  session: ${type}`))
  await client.ready
  console.log(`  visit: ${client.session.isAuthenticated ? 'signed in' : 'signed out'}`)
  return client
}

console.log('In web storage:')
const storage = new PageStorage()
const tokenStore = () => webStorageTokenStore(storage, 'my-app.token')
const first = await visit(tokenStore())
await first.auth.login({ login: 'ada@example.com', password })

const second = await visit(tokenStore())
assert(second.session.isAuthenticated)
assert.deepEqual(await second.relationships.list(), [])
await second.auth.logout()
assert.equal(storage.length, 0)
assert.equal((await visit(tokenStore())).session.isAuthenticated, false)

console.log('In a file that only its owner can read:')
const folder = await mkdtemp(join(tmpdir(), 'example-'))
const file = join(folder, 'token')
const fileStore: TokenStore = {
  get: async () => (existsSync(file) ? JSON.parse(await readFile(file, 'utf8')) : null),
  set: (record) =>
    record === null ? rm(file, { force: true }) : writeFile(file, JSON.stringify(record), { mode: 0o600 }),
}
const tool = await visit(fileStore)
await tool.auth.login({ login: 'ada@example.com', password })
const later = await visit(fileStore)
assert(later.session.isAuthenticated)
await rm(folder, { recursive: true })
