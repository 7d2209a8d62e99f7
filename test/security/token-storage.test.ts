import * as sdk from 'rapport-sdk'
import { Client } from 'rapport-sdk'
import * as storage from 'rapport-sdk/storage'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { json } from '../transport/answers'
import { serve } from '../transport/scripted-server'

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('40. where tokens are kept', () => {
  it('40. in memory by default: nothing of the platform is touched', async () => {
    const touched: string[] = []
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'cookieStore', 'document']) {
      const watch = new Proxy({}, { get: (_, key) => touched.push(`${name}.${String(key)}`) })
      vi.stubGlobal(name, watch)
    }
    const server = await serve(json(200, { user_id: '1', token: 'new-token' }), json(200, []), json(200, null))
    const client = new Client({ baseUrl: server.url })

    await client.auth.login({ login: 'x', password: 'correct horse' })
    await client.relationships.list()
    expect(server.request(1).headers.authorization).toBe('new-token')
    await client.auth.logout()

    expect(touched).toEqual([])
    const fresh = new Client({ baseUrl: server.url })
    await fresh.ready
    expect(fresh.session.token).toBeNull()
  })

  it('40. web storage is an import of its own', () => {
    expect(Object.keys(sdk).filter((name) => /storage/i.test(name))).toEqual([])
    expect(Object.keys(storage)).toContain('webStorageTokenStore')
  })
})
