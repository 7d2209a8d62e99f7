import type { LiveChange } from 'rapport-sdk'
import { vi } from 'vitest'
import { liveWorld, relationship, settle } from './live-world'

/** Lets time pass, under fake timers, and happen what comes of it. */
export async function pass(ms: number): Promise<void> {
  await settle()
  await vi.advanceTimersByTimeAsync(ms)
  await settle()
}

/** A world whose client has a store that is loaded, and what was told of `stale` since. */
export async function loadedStore() {
  const world = await liveWorld()
  const store = world.client.relationships.live()
  await store.ready
  world.road.asked = 0
  const stale: boolean[] = []
  store.subscribe(() => stale.push(store.stale))
  return { ...world, store, stale }
}

/** A world with a store that is loaded and has one relationship, with the user 7. */
export async function storeWithSeven() {
  const world = await liveWorld()
  const { client, service, road } = world
  service.faults.on('Get Relationships', { status: 200, body: [relationship('7', { note: 'Hello' })], times: 1 })
  const store = client.relationships.live()
  await store.ready
  road.asked = 0
  const changes: LiveChange<{ readonly id: string }>[] = []
  store.on('change', (change) => changes.push(change))
  return { ...world, store, changes }
}
