import { inspect } from 'node:util'
import { reactive } from '@vue/reactivity'
import { isObservable, observable, runInAction } from 'mobx'
import type { Client } from 'rapport-sdk'
import { describe, expect, test, vi } from 'vitest'
import { json } from '../servers/http-server'
import { challengeOf, membersOf, PUBLIC_OBJECTS, worldOf } from './public-objects'

/** A proxy of an object, of all that it holds and of all that its methods return. A promise works on itself only. */
function deepProxy<T>(value: T): T {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return value
  if (value instanceof Promise) return value
  return new Proxy(value, {
    get(target, key, receiver) {
      const { configurable, writable } = Reflect.getOwnPropertyDescriptor(target, key) ?? { configurable: true }
      const held: unknown = Reflect.get(target, key, receiver)
      return configurable || writable ? deepProxy(held) : held
    },
    apply: (target, self, values) => deepProxy(Reflect.apply(Object(target), self, values)),
  })
}

/** Uses a client in every way in which an app does. */
async function use(client: Client, server: Awaited<ReturnType<typeof worldOf>>['server']): Promise<void> {
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
  const challenge = await challengeOf(client, server)
  expect(challenge.allows('sms')).toBe(true)
  client.dispose()
}

describe('a client inside a deep proxy', () => {
  test('works in a proxy that wraps all that it holds and all that it returns', async () => {
    const { client, server } = await worldOf()
    await use(deepProxy(client), server)
  })

  test('works in the reactive state of Vue', async () => {
    const { client, server } = await worldOf()
    const state = reactive({ client })
    // Vue gives a proxy, or this would show nothing.
    expect(state.client).not.toBe(client)
    await use(state.client as unknown as Client, server)
  })

  test('works in the observable state of MobX', async () => {
    const { client, server } = await worldOf()
    const state = observable<{ client: Client | undefined }>({ client: undefined })
    expect(isObservable(state)).toBe(true)
    runInAction(() => {
      state.client = client
    })
    if (state.client === undefined) throw new Error('the state has lost the client')
    await use(state.client, server)
  })

  test.each(Object.keys(PUBLIC_OBJECTS))(
    'reads every member of its objects and calls every method: %s',
    async (name) => {
      const make = PUBLIC_OBJECTS[name]
      const { client, server } = await worldOf()
      const members = membersOf((await make?.(client, server)) ?? {})
      for (const member of members) {
        const world = await worldOf()
        const object: object = deepProxy((await make?.(world.client, world.server)) ?? {})
        const failure = await Promise.race([
          new Promise((resolve) => setTimeout(resolve, 20)),
          (async () => {
            const held: unknown = Reflect.get(object, member)
            if (typeof held === 'function') await Reflect.apply(held, object, [])
          })().catch((error: unknown) => error),
        ])
        expect(String(failure), String(member)).not.toMatch(/private|of undefined|not an object/)
        world.client.dispose()
      }
    },
  )

  test('shows no more of itself than without the proxy', async () => {
    const { client } = await worldOf()
    expect(inspect(reactive({ client }))).toBe(inspect({ client }))
    expect(JSON.stringify(reactive({ client }))).toBe(JSON.stringify({ client }))
    expect(inspect(client, { showHidden: true, depth: 5 })).not.toContain('the-token-of-ada')
  })
})
