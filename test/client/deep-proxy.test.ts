import { inspect } from 'node:util'
import { reactive } from '@vue/reactivity'
import { isObservable, observable, runInAction } from 'mobx'
import type { Client } from 'rapport-sdk'
import { describe, expect, test, vi } from 'vitest'
import { json } from '../servers/http-server'
import { afterRequests, createChallenge, createWorld, membersOf, PUBLIC_OBJECTS } from './public-objects'

/** Returns a proxy of a value that also wraps its properties and the return values of its methods, except promises. */
function deepProxy<T>(value: T): T {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return value
  if (value instanceof Promise) return value
  return new Proxy(value, {
    get(target, key, receiver) {
      const { configurable, writable } = Reflect.getOwnPropertyDescriptor(target, key) ?? { configurable: true }
      const property: unknown = Reflect.get(target, key, receiver)
      return configurable || writable ? deepProxy(property) : property
    },
    apply: (target, self, values) => deepProxy(Reflect.apply(Object(target), self, values)),
  })
}

/** Uses a client as an app does: session, gateway, live store, calls, challenge. */
async function use(client: Client, server: Awaited<ReturnType<typeof createWorld>>['server']): Promise<void> {
  await client.ready
  const changes = vi.fn()
  const unsubscribe = client.session.onChange(changes)
  server.respondWith(json(200, { user_id: '1', token: 'the-token-of-the-login' }))
  await client.auth.login({ login: 'ada@example.test', password: 'correct horse' })
  expect(client.session.token).toBe('the-token-of-the-login')
  expect(client.session.isAuthenticated).toBe(true)
  expect(changes).toHaveBeenCalledTimes(1)
  unsubscribe()
  client.session.fingerprint = 'a-fingerprint'
  expect(client.session.fingerprint).toBe('a-fingerprint')

  const ready = vi.fn()
  client.gateway.on('ready', ready)
  const stream = client.gateway.stream(['ready'])
  const store = client.relationships.live()
  await client.gateway.connect()
  expect(client.gateway.state).toBe('ready')
  expect(ready).toHaveBeenCalledTimes(1)
  expect((await stream.next()).value).toMatchObject({ type: 'ready' })
  await store.refresh()
  expect([store.stale, store.all()]).toEqual([false, []])
  store.close()

  expect((await client.relationships.list().withResponse()).response.status).toBe(200)
  expect(await client.as('the-token-of-grace').auth.sessions.list()).toEqual([])
  expect(await client.request({ path: '/later' })).toEqual([])
  const challenge = await createChallenge(client, server)
  expect(challenge.allows('sms')).toBe(true)
  client.dispose()
}

describe('a client in a deep proxy', () => {
  test('signs in, connects, makes calls and gets a challenge', async () => {
    const { client, server } = await createWorld()
    await use(deepProxy(client), server)
  })

  test('works in the reactive state of Vue', async () => {
    const { client, server } = await createWorld()
    const state = reactive({ client })
    // Without a proxy, the test would prove nothing.
    expect(state.client).not.toBe(client)
    await use(state.client as unknown as Client, server)
  })

  test('works in the observable state of MobX', async () => {
    const { client, server } = await createWorld()
    const state = observable<{ client: Client | undefined }>({ client: undefined })
    expect(isObservable(state)).toBe(true)
    runInAction(() => {
      state.client = client
    })
    if (state.client === undefined) throw new Error('the state has lost the client')
    await use(state.client, server)
  })

  test.each(Object.keys(PUBLIC_OBJECTS))('works with every member of %s', async (name) => {
    const create = PUBLIC_OBJECTS[name]
    const { client, server } = await createWorld()
    const members = membersOf((await create?.(client, server)) ?? {})
    for (const member of members) {
      const world = await createWorld()
      const object: object = deepProxy((await create?.(world.client, world.server)) ?? {})
      const failure = await Promise.race([
        afterRequests(world.server),
        (async () => {
          const value: unknown = Reflect.get(object, member)
          if (typeof value === 'function') await Reflect.apply(value, object, [])
        })().catch((error: unknown) => error),
      ])
      expect(String(failure), String(member)).not.toMatch(/private|of undefined|not an object/)
      world.client.dispose()
    }
  })

  test('it is inspected and serialized like the client', async () => {
    const { client } = await createWorld()
    expect(inspect(reactive({ client }))).toBe(inspect({ client }))
    expect(JSON.stringify(reactive({ client }))).toBe(JSON.stringify({ client }))
    expect(inspect(client, { showHidden: true, depth: 5 })).not.toContain('the-token-of-ada')
  })
})
