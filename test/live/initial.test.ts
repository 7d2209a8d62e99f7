import type { InitialState, RelationshipStore } from 'rapport-sdk'
import { dehydrate } from 'rapport-sdk/server'
import { expect, test } from 'vitest'
import { settle, setUpLive } from './set-up'

/** A client of ada that has not connected, what a server has loaded for her, and the number of requests since then. */
async function setUpInitial() {
  const setup = await setUpLive()
  const { service, ada, grace, linus, client } = setup
  service.relationships.befriend(ada, grace)
  service.relationships.befriend(linus, grace)
  const server = client.as(service.token(ada), ada.id)
  const initial = await dehydrate(server, { live: ['relationships'] })
  service.journal.clear()
  const open = (state: InitialState | null = initial, user = ada) => {
    const page = client.as(service.token(user), user.id)
    return { page, store: page.relationships.live({ initial: state }) }
  }
  const requests = () => service.journal.find('Get Relationships').length
  return { ...setup, server, initial, open, requests }
}

const namesOf = (store: RelationshipStore) => store.all().map(({ user }) => user.username)

test('dehydrate returns the user, the time and the lists as plain JSON', async () => {
  const { initial, ada, grace } = await setUpInitial()
  expect(JSON.parse(JSON.stringify(initial))).toEqual(initial)
  expect(initial).toMatchObject({
    session: { status: 'signedIn', user: { id: ada.id } },
    live: { relationships: [{ id: grace.id }] },
  })
})

test('a store with initial data is ready at once and sends no request', async () => {
  const { open, requests } = await setUpInitial()
  const { store } = open()
  expect([store.status, store.stale, namesOf(store)]).toEqual(['ready', true, ['grace']])
  await store.ready
  await settle()
  expect([store.status, store.lastError, namesOf(store), requests()]).toEqual(['ready', undefined, ['grace'], 0])
})
