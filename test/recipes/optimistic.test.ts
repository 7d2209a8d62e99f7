import fc from 'fast-check'
import { Client } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { expect, it, onTestFinished } from 'vitest'
import { createOptimisticList } from '../../examples/recipes/optimistic'
import { type Deferred, deferred } from '../deferred'

/** Connects ada, who has three friends, with a list of them. `held` are removals that wait to be sent, and answers that wait to be received. */
async function setUp() {
  const service = createMockService({ now: 0 })
  const create = (username: string) => service.users.create({ login: `${username}@example.com`, username })
  const ada = create('ada')
  const friends = ['grace', 'linus', 'mary'].map(create)
  for (const friend of friends) service.relationships.befriend(ada, friend)
  const sending = new Map<string, Deferred<void>>()
  const answering = new Map<string, Deferred<void>>()
  const client = new Client({
    baseUrl: service.baseUrl,
    gateway: { url: service.gateway.url, WebSocket: service.WebSocket },
    token: service.token(ada),
    retry: 0,
    async fetch(url, init) {
      if (init?.method !== 'DELETE') return service.fetch(url, init)
      const id = url.split('/').at(-1) ?? ''
      await sending.get(id)?.promise
      const response = await service.fetch(url, init)
      await answering.get(id)?.promise
      return response
    },
  })
  await client.gateway.connect()
  const store = client.relationships.live()
  await store.ready
  const list = createOptimisticList(client, store)
  const close = async () => {
    client.dispose()
    await service.close()
  }
  const ids = friends.map(({ id }) => id)
  /** Removes a friend at once, and holds request and answer. */
  const remove = (id: string) => {
    sending.set(id, deferred())
    answering.set(id, deferred())
    const done = list.run(
      (items) => items.filter((item) => item.id !== id),
      () => client.relationships.delete(id),
    )
    return done.then(
      () => 'removed',
      () => 'failed',
    )
  }
  return { service, ada, ids, client, store, list, remove, sending, answering, close }
}

const shownBy = ({ getSnapshot }: { getSnapshot: () => readonly { readonly id: string }[] }) =>
  getSnapshot().map(({ id }) => id)

it('a change whose call fails is shown until then, and then no longer', async () => {
  const { list, ids, remove, sending, close } = await setUp()
  onTestFinished(close)
  const [first = '', ...others] = ids
  const done = remove(first)
  expect(shownBy(list)).toEqual(others)
  sending.get(first)?.reject(new TypeError('no network'))
  expect(await done).toBe('failed')
  expect(shownBy(list)).toEqual(ids)
})

it('a change is not shown for another account', async () => {
  const { list, ids, remove, sending, client, service, ada, store, close } = await setUp()
  onTestFinished(close)
  const [first = ''] = ids
  const done = remove(first)
  await client.session.setToken(service.token(ada))
  await store.refresh()
  expect(shownBy(list)).toEqual(ids)
  sending.get(first)?.reject(new TypeError('no network'))
  await done
})

it('in any order of requests, events, answers, failures and loads, a friend is not shown from the removal until it fails', async () => {
  const step = fc.record({
    of: fc.nat(2),
    action: fc.constantFrom('remove', 'send', 'answer', 'fail', 'load', 'lose'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const { list, ids, remove, sending, answering, store, service, client, close } = await setUp()
      const state = new Map(ids.map((id) => [id, 'friend']))
      const wrong: string[] = []
      const sent = new Set<string>()
      const check = (when: string) => {
        const shown = shownBy(list)
        for (const [id, is] of state)
          if (is !== 'failing' && shown.includes(id) !== (is === 'friend'))
            wrong.push(`${when}: ${id} is ${is}, ${shown.includes(id)}`)
      }
      const unsubscribe = list.subscribe(() => {
        const shown = shownBy(list)
        for (const [id, is] of state) if (is === 'removing' && shown.includes(id)) wrong.push(`${id} flickered`)
      })
      const pending: Promise<unknown>[] = []
      for (const { of, action } of steps) {
        const id = ids[of] ?? ''
        if (action === 'remove' && state.get(id) === 'friend') {
          state.set(id, 'removing')
          sent.delete(id)
          pending.push(
            remove(id).then((outcome) => {
              if (outcome === 'failed') state.set(id, 'friend')
            }),
          )
        } else if (action === 'send') {
          sent.add(id)
          sending.get(id)?.resolve()
        } else if (action === 'answer') answering.get(id)?.resolve()
        else if (action === 'load') await store.refresh()
        else if (action === 'lose') service.gateway.drop(4009)
        else if (action === 'fail' && !sent.has(id)) {
          // From now on, the next notification may be that of the failure.
          if (state.get(id) === 'removing') state.set(id, 'failing')
          sending.get(id)?.reject(new TypeError('no network'))
        }
        for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
        check(action)
      }
      for (const { resolve } of [...sending.values(), ...answering.values()]) resolve()
      await Promise.all(pending)
      await store.refresh()
      check('at the end')
      const left = (await client.relationships.list()).map(({ id }) => id)
      expect(shownBy(list).toSorted()).toEqual(left.toSorted())
      unsubscribe()
      await close()
      expect(wrong).toEqual([])
    }),
    { numRuns: 100 },
  )
})
