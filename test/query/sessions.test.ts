import { QueryClient } from '@tanstack/react-query'
import { Client, isAuthenticationError } from 'rapport-sdk'
import { createQueries } from 'rapport-sdk/query'
import { createSessionHandler } from 'rapport-sdk/server'
import { expect, it, onTestFinished } from 'vitest'
import { keys, ORIGIN, Page } from '../server/page'
import { setUp, show } from './set-up'

const password = 'correct horse'
const ids = (list: readonly { readonly id: string }[] | undefined) => list?.map(({ id }) => id)

/** Opens a tab whose session is in a cookie, with queries of its own. */
function openTab(page: Page) {
  const client = new Client({
    baseUrl: `${ORIGIN}/rapport`,
    session: 'cookie',
    retry: 0,
    fetch: page.fetch,
  })
  const queryClient = new QueryClient()
  const queries = createQueries(client)
  const stop = queries.follow(queryClient)
  onTestFinished(() => {
    stop()
    queryClient.clear()
    client.dispose()
  })
  return { client, queryClient, queries }
}

it('a list that is shown while nobody is signed in sends no request, and loads after the sign-in', async () => {
  const { client, queries, queryClient, service, ada, linus } = setUp({ token: undefined })
  const friends = show(queryClient, queries.relationships.list())
  await expect.poll(() => friends.observer.getCurrentResult().status).toBe('error')
  expect(isAuthenticationError(friends.observer.getCurrentResult().error)).toBe(true)
  expect(service.journal.find('Get Relationships')).toEqual([])
  await client.session.setToken(service.token(ada))
  await expect.poll(() => ids(friends.seen.at(-1))).toEqual([linus.id])
  await client.auth.logout()
  await expect.poll(() => friends.observer.getCurrentResult().status).toBe('error')
  expect(service.journal.find('Get Relationships')).toHaveLength(1)
})

it('queries that need no session load while nobody is signed in', async () => {
  const { queries, queryClient, service } = setUp({ token: undefined })
  await queryClient.fetchQuery(queries.auth.getLocationMetadata())
  expect(service.journal.find('Get Location Metadata')).toHaveLength(1)
})

it('recovering an account, which ends its sessions, removes its data', async () => {
  const { queries, queryClient, service, ada, linus } = setUp()
  service.users.changeEmail(ada, 'thief@example.com')
  const { token } = service.mail.last('ada@example.com', 'account_recovery')
  const friends = show(queryClient, queries.relationships.list())
  await expect.poll(() => ids(friends.seen.at(-1))).toEqual([linus.id])
  const revert = queryClient.getMutationCache().build(queryClient, queries.auth.revertAccount())
  await revert.execute({ token, password: 'another horse' })
  expect(friends.observer.getCurrentResult().data).toBeUndefined()
  expect(
    JSON.stringify(
      queryClient
        .getQueryCache()
        .getAll()
        .map(({ state }) => state.data),
    ),
  ).toBe('[null]')
  await expect.poll(() => queryClient.isFetching()).toBe(0)
  expect(service.journal.find('Get Relationships')).toHaveLength(1)
})

it('a page whose session is in a cookie has keys with the user ID, and its tabs remove the data after a sign-out', async () => {
  const { service, ada, grace, linus, mary } = setUp()
  for (const user of [ada, grace]) service.users.get(user)
  const plain = service.users.create({ login: 'katherine@example.com', username: 'katherine', password })
  service.relationships.befriend(plain, linus)
  service.relationships.befriend(plain, mary)
  const { baseUrl, fetch } = service
  const page = new Page(createSessionHandler({ baseUrl, keys, origin: ORIGIN, fetch }))
  const [one, two] = [openTab(page), openTab(page)]
  const shown = [one, two].map(({ queryClient, queries }) => show(queryClient, queries.relationships.list()))
  await Promise.all([one.client.ready, two.client.ready])
  await expect.poll(() => shown.map(({ observer }) => observer.getCurrentResult().status)).toEqual(['error', 'error'])
  expect(service.journal.find('Get Relationships')).toEqual([])

  await one.client.auth.login({ login: 'katherine@example.com', password })
  await expect.poll(() => shown.map(({ seen }) => ids(seen.at(-1)))).toEqual(Array(2).fill([linus.id, mary.id]))
  expect(two.queries.relationships.list().queryKey).toEqual(['rapport', plain.id, 'relationships', 'list'])
  const remove = two.queryClient.getMutationCache().build(two.queryClient, two.queries.relationships.delete())
  await remove.execute(linus.id)
  await expect.poll(() => ids(shown[1]?.seen.at(-1))).toEqual([mary.id])

  await two.client.auth.logout()
  for (const { observer } of shown) await expect.poll(() => observer.getCurrentResult().data).toBeUndefined()
  const cached = [one, two].flatMap(({ queryClient }) => queryClient.getQueryCache().getAll())
  expect(cached.map(({ state }) => state.data)).toEqual([undefined, undefined])
  expect(JSON.stringify(cached.map(({ queryKey }) => queryKey))).not.toContain('cookie')
})
