import * as sdk from 'rapport-sdk'
import { Client } from 'rapport-sdk'
import * as storage from 'rapport-sdk/storage'
import { afterEach, expect, it, vi } from 'vitest'
import { json, serve } from '../servers/http-server'

afterEach(() => {
  vi.unstubAllGlobals()
})

it('tokens are stored in memory by default, and no platform storage is accessed', async () => {
  const accessed: string[] = []
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'cookieStore', 'document']) {
    const watch = new Proxy({}, { get: (_, key) => accessed.push(`${name}.${String(key)}`) })
    vi.stubGlobal(name, watch)
  }
  const server = await serve(json(200, { user_id: '1', token: 'new-token' }), json(200, []), json(200, null))
  const client = new Client({ baseUrl: server.url })

  await client.auth.login({ login: 'x', password: 'correct horse' })
  await client.relationships.list()
  expect(server.request(1).headers.authorization).toBe('new-token')
  await client.auth.logout()

  expect(accessed).toEqual([])
  const next = new Client({ baseUrl: server.url })
  await next.ready
  expect(next.session.token).toBeNull()
})

it('web storage is a separate import', () => {
  expect(Object.keys(sdk).filter((name) => /storage/i.test(name))).toEqual([])
  expect(Object.keys(storage)).toContain('webStorageTokenStore')
})
