import { Client, type ClientOptions } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { get } from 'svelte/store'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { effectScope, watch } from 'vue'
import { toReadable } from '../../examples/recipes/svelte'
import { toRef } from '../../examples/recipes/vue'

/** Connects a client of ada, who has a friend. `request` sends ada a friend request, and resolves after its event. */
async function setUp(options: Partial<ClientOptions> = {}) {
  const service = createMockService({ now: 0 })
  const create = (username: string) => service.users.create({ login: `${username}@example.com`, username })
  const [ada, grace, linus] = [create('ada'), create('grace'), create('linus')]
  service.relationships.befriend(ada, grace)
  const client = new Client({
    baseUrl: service.baseUrl,
    fetch: service.fetch,
    gateway: { url: service.gateway.url, WebSocket: service.WebSocket },
    token: service.token(ada),
    ...options,
  })
  onTestFinished(async () => {
    client.dispose()
    await service.close()
  })
  await client.gateway.connect()
  const request = async () => {
    const added = client.gateway.waitFor('relationshipAdd')
    service.relationships.request(linus, ada)
    await added
  }
  return { service, client, request }
}

describe('the recipe for Vue', () => {
  it('a ref follows a selection of a live store until its scope ends', async () => {
    const { client, request } = await setUp()
    const store = client.relationships.live()
    await store.ready
    const scope = effectScope()
    const seen: number[] = []
    const count = scope.run(() => {
      const value = toRef(store.select(({ all }) => all().length))
      watch(value, (next) => seen.push(next), { flush: 'sync' })
      return value
    })
    expect(count?.value).toBe(1)
    await request()
    expect([count?.value, seen]).toEqual([2, [2]])
    scope.stop()
    await client.session.setToken(null)
    expect([count?.value, store.all().length]).toEqual([2, 0])
  })

  it('a ref follows the session', async () => {
    const { client } = await setUp()
    const scope = effectScope()
    onTestFinished(() => scope.stop())
    const session = scope.run(() => toRef(client.session))
    expect(session?.value.status).toBe('signedIn')
    await client.session.setToken(null)
    expect(session?.value.status).toBe('signedOut')
  })
})

it('the store of the recipe for Svelte follows a live store while it has subscribers, and is up to date for the next one', async () => {
  const { client, request } = await setUp()
  const store = client.relationships.live()
  await store.ready
  const count = toReadable(store.select(({ all }) => all().length))
  const seen = vi.fn()
  const unsubscribe = count.subscribe(seen)
  await request()
  unsubscribe()
  await client.session.setToken(null)
  expect(seen.mock.calls).toEqual([[1], [2]])
  expect(get(count)).toBe(0)
})
