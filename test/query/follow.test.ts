import { keepPreviousData, MutationObserver, QueryClient } from '@tanstack/react-query'
import fc from 'fast-check'
import { Client } from 'rapport-sdk'
import { createQueries } from 'rapport-sdk/query'
import { describe, expect, it, onTestFinished } from 'vitest'
import { deferred } from '../deferred'
import { tokenOnly } from '../session-stores'
import { setUp, show } from './set-up'

const ids = (list: readonly { readonly id: string }[] | undefined) => list?.map(({ id }) => id)

describe('follow', () => {
  it('an event loads the queries that it concerns again, and no other', async () => {
    const { client, queries, queryClient, service, ada, linus, mary } = setUp()
    await client.gateway.connect()
    const friends = show(queryClient, queries.relationships.list())
    const games = show(queryClient, queries.gameRelationships.list())
    await expect.poll(() => [ids(friends.seen.at(-1)), games.seen.at(-1)]).toEqual([[linus.id], []])
    service.relationships.request(mary, ada)
    await expect.poll(() => ids(friends.seen.at(-1))).toEqual([linus.id, mary.id])
    expect(service.journal.find('Get Game Relationships')).toHaveLength(1)
  })

  it('an unknown event changes nothing, and a new session of the gateway loads shown lists again', async () => {
    const { client, queries, queryClient, service } = setUp()
    const suggestions = show(queryClient, queries.friendSuggestions.list())
    const sessions = show(queryClient, queries.auth.sessions.list())
    await expect.poll(() => suggestions.seen.at(-1) && sessions.seen.at(-1)).toBeTruthy()
    const count = () => service.journal.find('Get Friend Suggestions').length
    const before = count()
    await client.gateway.connect()
    await expect.poll(count).toBe(before + 1)
    const dispatched = client.gateway.waitFor('dispatch')
    service.gateway.emit('Something New', {})
    await dispatched
    expect(count()).toBe(before + 1)
  })

  it('events during a load cause one more load after it, however many they are', async () => {
    let gate = Promise.resolve()
    const { client, queries, queryClient, service, ada } = setUp({
      fetch: (url, init) => gate.then(() => service.fetch(url, init)),
    })
    await client.gateway.connect()
    const friends = show(queryClient, queries.relationships.list())
    await expect.poll(() => friends.seen.at(-1)?.length).toBe(1)
    const loads = service.journal.find('Get Relationships').length
    const held = deferred<void>()
    gate = held.promise
    const received: string[] = []
    client.gateway.on('relationshipAdd', ({ id }) => received.push(id))
    for (let n = 0; n < 20; n++) {
      const other = service.users.create({ login: `other${n}@example.com`, username: `other${n}` })
      service.relationships.request(other, ada)
    }
    await expect.poll(() => received.length).toBe(20)
    held.resolve()
    await expect.poll(() => service.journal.find('Get Relationships').length).toBe(loads + 2)
    await expect.poll(() => queryClient.isFetching()).toBe(0)
    expect(friends.seen.at(-1)).toHaveLength(21)
    expect(service.journal.find('Get Relationships').length).toBe(loads + 2)
  })

  it('an event during the first load, whose answer may be older, causes another load', async () => {
    const [held, arrived] = [deferred<void>(), deferred<void>()]
    let isFirst = true
    const { client, queries, queryClient, service, ada, linus, mary } = setUp({
      fetch: async (url, init) => {
        const response = await service.fetch(url, init)
        if (isFirst && url.endsWith('/relationships')) {
          isFirst = false
          arrived.resolve()
          await held.promise
        }
        return response
      },
    })
    await client.gateway.connect()
    const friends = show(queryClient, queries.relationships.list())
    await arrived.promise
    const added = client.gateway.waitFor('relationshipAdd')
    service.relationships.request(mary, ada)
    await added
    held.resolve()
    await expect.poll(() => ids(friends.seen.at(-1))).toEqual([linus.id, mary.id])
  })

  it('a mutation loads the queries of its namespace again, without a gateway, also if it fails', async () => {
    const { queries, queryClient, service, linus } = setUp({ gateway: undefined })
    const friends = show(queryClient, queries.relationships.list())
    await expect.poll(() => ids(friends.seen.at(-1))).toEqual([linus.id])
    const remove = new MutationObserver(queryClient, queries.relationships.delete())
    await remove.mutate(linus.id)
    await expect.poll(() => ids(friends.seen.at(-1))).toEqual([])
    const before = service.journal.find('Get Relationships').length
    await remove.mutate('no ID').catch(() => {})
    await expect.poll(() => service.journal.find('Get Relationships').length).toBe(before + 1)
  })

  it('a change of the account removes its data before a listener of the session runs, and shows the data of the new one', async () => {
    const { client, queries, queryClient, service, ada, grace, linus, mary } = setUp()
    const results: unknown[] = []
    const friends = show(queryClient, { ...queries.relationships.list(), placeholderData: keepPreviousData })
    onTestFinished(client.session.onChange(() => results.push(friends.observer.getCurrentResult().data)))
    await expect.poll(() => ids(friends.seen.at(-1))).toEqual([linus.id])
    const { queryKey } = queries.relationships.list()
    await client.session.setToken(service.token(grace))
    expect(queryClient.getQueryData(queryKey)).toBeUndefined()
    expect(queryClient.getQueryCache().find({ queryKey })).toBeUndefined()
    await expect.poll(() => ids(friends.seen.at(-1))).toEqual([mary.id])
    await client.session.setToken(service.token(ada))
    await expect.poll(() => ids(friends.seen.at(-1))).toEqual([linus.id])
    expect(results).toEqual([undefined, undefined])
  })

  it('a sign-out removes the data, and what is shown then shows none', async () => {
    const { client, queries, queryClient } = setUp()
    const friends = show(queryClient, queries.relationships.list())
    await expect.poll(() => friends.seen.at(-1)?.length).toBe(1)
    await client.auth.logout()
    expect(friends.observer.getCurrentResult().data).toBeUndefined()
    await expect.poll(() => friends.observer.getCurrentResult().status).toBe('error')
    expect(
      JSON.stringify(
        queryClient
          .getQueryCache()
          .getAll()
          .map(({ state }) => state.data),
      ),
    ).toBe('[null]')
  })

  it('a sign-in in another tab shows the data of its account', async () => {
    const changed = new Set<(token: string | null) => void>()
    const { queries, queryClient, service, grace, linus, mary, ada } = setUp({
      token: undefined,
      tokenStore: tokenOnly({
        get: async () => {
          await Promise.resolve()
          return service.token(ada)
        },
        set: () => {},
        subscribe: (listener) => {
          changed.add(listener)
          return () => changed.delete(listener)
        },
      }),
    })
    const friends = show(queryClient, queries.relationships.list())
    await expect.poll(() => ids(friends.seen.at(-1))).toEqual([linus.id])
    for (const change of changed) change(service.token(grace))
    expect(friends.observer.getCurrentResult().data).toBeUndefined()
    await expect.poll(() => ids(friends.seen.at(-1))).toEqual([mary.id])
  })

  it('data stays when Ready tells the user ID, which is then in the key', async () => {
    const { client, queries, queryClient, ada, linus } = setUp()
    const friends = show(queryClient, { ...queries.relationships.list(), staleTime: Number.POSITIVE_INFINITY })
    await expect.poll(() => friends.seen.at(-1)?.length).toBe(1)
    const before = friends.seen.length
    await client.gateway.connect()
    await expect.poll(() => queryClient.isFetching()).toBe(0)
    expect(friends.seen.slice(before).map(ids)).toContainEqual([linus.id])
    expect(friends.observer.getCurrentQuery().queryKey[1]).toBe(ada.id)
    expect(queryClient.getQueryCache().getAll()).toHaveLength(1)
  })

  it('a query with the key of an account that is no longer signed in fails, and shows no data', async () => {
    const { client, queries, queryClient, service, grace } = setUp()
    const old = queries.relationships.list()
    await client.session.setToken(service.token(grace))
    await expect(queryClient.fetchQuery(old)).rejects.toThrow('queries.relationships.list: the account has changed')
    expect(service.journal.find('Get Relationships')).toEqual([])
  })

  it('two clients in one QueryClient keep their data when the other one signs out', async () => {
    const { client, queries, queryClient, service, grace, linus, mary } = setUp()
    const other = client.as(service.token(grace))
    const others = createQueries(other)
    onTestFinished(others.follow(queryClient))
    const [ofAda, ofGrace] = [queries, others].map((own) => show(queryClient, own.relationships.list()))
    await expect.poll(() => [ofAda, ofGrace].map((shown) => ids(shown?.seen.at(-1)))).toEqual([[linus.id], [mary.id]])
    await client.session.setToken(null)
    expect(ids(ofAda?.observer.getCurrentResult().data)).toBeUndefined()
    expect(ids(ofGrace?.observer.getCurrentResult().data)).toEqual([mary.id])
    other.dispose()
  })

  it('after the returned function is called, neither events nor the account change the cache', async () => {
    const { client, queries, queryClient, service, ada, mary, stop } = setUp()
    await client.gateway.connect()
    await queryClient.fetchQuery(queries.relationships.list())
    const { queryKey } = queries.relationships.list()
    stop()
    const added = client.gateway.waitFor('relationshipAdd')
    service.relationships.request(mary, ada)
    await added
    await client.session.setToken(null)
    expect(queryClient.getQueryState(queryKey)).toMatchObject({ isInvalidated: false, data: [{}] })
  })

  it('100 random orders of changes of the account, loads and answers never show the data of one account to another', async () => {
    const step = fc.oneof(
      fc.constantFrom('ada', 'grace', 'nobody').map((user) => ({ user })),
      fc.nat(3).map((answer) => ({ answer })),
      fc.constantFrom('reload', 'hide', 'show').map((action) => ({ action })),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const waiting: (() => void)[] = []
        const client = new Client({
          baseUrl: 'https://service.example',
          token: 'ada',
          retry: 0,
          async fetch(_, { headers }) {
            const user = headers.authorization ?? 'nobody'
            await new Promise<void>((resolve) => waiting.push(resolve))
            const relationship = { id: user, type: 1, user: { id: user }, nickname: null, user_ignored: false }
            return Response.json([relationship])
          },
        })
        const queryClient = new QueryClient()
        const queries = createQueries(client)
        const stop = queries.follow(queryClient)
        const wrong: string[] = []
        const shown: { hide: () => void }[] = []
        const add = () => {
          const one = show(queryClient, { ...queries.relationships.list(), placeholderData: keepPreviousData })
          const check = () => {
            const seen = ids(one.observer.getCurrentResult().data)?.[0]
            const user = client.session.token ?? 'nobody'
            if (seen !== undefined && seen !== user) wrong.push(`${seen} to ${user}`)
          }
          const unsubscribe = one.observer.subscribe(check)
          const unfollow = client.session.onChange(check)
          shown.push({
            hide() {
              for (const end of [one.hide, unsubscribe, unfollow]) end()
            },
          })
        }
        add()
        for (const next of steps) {
          if ('user' in next) await client.session.setToken(next.user === 'nobody' ? null : next.user)
          else if ('answer' in next) waiting.splice(next.answer, 1)[0]?.()
          else if (next.action === 'reload') void queryClient.invalidateQueries()
          else if (next.action === 'hide') shown.shift()?.hide()
          else add()
          for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
        }
        for (const { hide } of shown) hide()
        stop()
        queryClient.clear()
        client.dispose()
        for (const answer of waiting) answer()
        expect(wrong).toEqual([])
      }),
      { numRuns: 100 },
    )
  })
})
