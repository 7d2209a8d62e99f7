import { queryObjects } from 'node:v8'
import type { Client } from 'rapport-sdk'
import { expect, test, vi } from 'vitest'
import { relationship, settle, setUpLive } from './set-up'

/** Counts the live objects of a store's class. */
const countAlive = (store: object): number => Number(queryObjects(store.constructor))

/** Opens and closes a store in its own stack frame, which then holds no reference. */
async function openAndClose(client: Client, count: number): Promise<void> {
  const resources = [client.relationships, client.gameRelationships, client.friendSuggestions]
  const store = resources[count % 3]?.live()
  store?.subscribe(() => {})
  // Half of the stores are closed before they are loaded.
  if (count % 2 === 0) await store?.ready
  store?.close()
}

test('a thousand stores that were opened and closed leave nothing behind', async () => {
  const { client, emit } = await setUpLive()
  const first = client.relationships.live()
  await first.ready
  const before = countAlive(first)
  const on = vi.spyOn(client.gateway, 'on')
  const off = vi.spyOn(client.gateway, 'off')
  for (let count = 0; count < 1000; count++) await openAndClose(client, count)
  expect(off.mock.calls).toEqual(on.mock.calls)
  expect(on.mock.calls.length).toBeGreaterThan(1000)
  on.mockRestore()
  off.mockRestore()
  await settle()
  expect(countAlive(first)).toBe(before)
  await emit('Relationship Add', relationship('7'))
  expect(first.all()).toHaveLength(1)
})

test('reconnects, refreshes and events add no listener', async () => {
  const { client, service, emit } = await setUpLive()
  const store = client.relationships.live()
  await store.ready
  const on = vi.spyOn(client.gateway, 'on')
  const onChange = vi.spyOn(client.session, 'onChange')
  for (let count = 0; count < 20; count++) {
    await client.gateway.disconnect()
    await client.gateway.connect()
    await store.refresh()
    await emit('Relationship Add', relationship(String(count)))
  }
  expect(on).not.toHaveBeenCalled()
  expect(onChange).not.toHaveBeenCalled()
  expect(service.gateway.sessions).toHaveLength(1)
})

test('a closed store leaves neither timers nor requests', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const { client, emit, network } = await setUpLive()
    const before = vi.getTimerCount()
    network.holdsRequests = true
    const stores = [client.relationships.live(), client.gameRelationships.live(), client.friendSuggestions.live()]
    await emit('Relationship Add', { id: '7' })
    await emit('Game Relationship Add', { id: '7' })
    for (const store of stores) store.close()
    await settle()
    expect(vi.getTimerCount()).toBe(before)
    expect(network.requests).toBe(3)
  } finally {
    vi.useRealTimers()
  }
})
