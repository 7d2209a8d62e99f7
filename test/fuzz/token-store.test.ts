import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { Client } from 'rapport-sdk'
import { beforeEach, expect, test, vi } from 'vitest'
import { tokenOnly } from '../session-stores'
import { runs } from './arbitraries'

// No timeout may end a wait.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] }))

/** Whom a store notifies of a change, and whether it does so before `set` settles or later. */
interface Notifications {
  readonly self: boolean
  readonly late: boolean
}

/** Returns stores of two processes that share one token. The scheduler decides when each step happens. */
function sharedStores(scheduler: fc.Scheduler, { self, late }: Notifications) {
  let stored: string | null = null
  const listeners = new Map<number, (token: string | null) => void>()
  const step = () => scheduler.schedule(Promise.resolve())
  const notify = (writer: number) => {
    for (const [reader, listener] of listeners) {
      if (reader === writer && !self) continue
      // As the interface of a store demands, `get` already returns what a listener receives.
      if (late) void step().then(() => listener(stored))
      else listener(stored)
    }
  }
  const create = (index: number) =>
    tokenOnly({
      async get() {
        await step()
        const token = stored
        await step()
        return token
      },
      async set(token) {
        await step()
        stored = token
        notify(index)
        await step()
      },
      subscribe(listener) {
        listeners.set(index, listener)
        return () => listeners.delete(index)
      },
    })
  return { stores: [create(0), create(1)], stored: () => stored }
}

const change = fc.record({ client: fc.nat(1), token: fc.constantFrom('ada', 'grace', 'lin', null) })

test('two clients of one asynchronous token store end with its token, whatever the order of events', async () => {
  const notifications = fc.record({ self: fc.boolean(), late: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      notifications,
      fc.array(change, { minLength: 1, maxLength: 8 }),
      async (scheduler, notifications, changes) => {
        const { stores, stored } = sharedStores(scheduler, notifications)
        const clients = stores.map((tokenStore) => new Client({ baseUrl: 'https://service.example', tokenStore }))
        for (const { client, token } of changes)
          void scheduler.schedule(Promise.resolve()).then(() => clients[client]?.session.setToken(token))
        do {
          await scheduler.waitAll()
          await turn()
        } while (scheduler.count() > 0)

        expect(clients.map(({ session }) => session.token)).toEqual([stored(), stored()])
        for (const client of clients) await client.ready
        expect(vi.getTimerCount()).toBe(0)
      },
    ),
    runs(5),
  )
})
