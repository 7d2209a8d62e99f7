import { act, screen } from '@testing-library/react'
import { type Immutable, type Relationship, type RelationshipStore, RelationshipType } from 'rapport-sdk'
import { useLive } from 'rapport-sdk/react'
import { Profiler, type ReactNode } from 'react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { renderWith, setUp } from './set-up'

/** Opens the relationships of ada, who has one friend, and connects the gateway. */
async function setUpStore() {
  const world = setUp()
  world.service.relationships.befriend(world.ada, world.grace)
  const store = world.client.relationships.live()
  await world.client.gateway.connect()
  await store.ready
  const request = async () => {
    const linus = world.service.users.create({ login: `linus@example.com`, username: 'linus' })
    const added = world.client.gateway.waitFor('relationshipAdd')
    await act(async () => {
      world.service.relationships.request(linus, world.ada)
      await added
    })
  }
  return { ...world, store, request }
}

const namesOf = (items: readonly Immutable<Relationship>[]) => items.map(({ user }) => user.username).join() || 'nobody'

/** Equality of arrays by their items. */
const sameItems = (one: readonly unknown[], other: readonly unknown[]) =>
  one.length === other.length && one.every((item, index) => Object.is(item, other[index]))

describe('useLive', () => {
  it('returns all items, follows events under StrictMode, and keeps the store open', async () => {
    const { store, request, client } = await setUpStore()
    const { unmount } = renderWith(client, () => <p>{namesOf(useLive(store))}</p>)
    expect(screen.getByText('grace')).toBeTruthy()
    await request()
    expect(screen.getByText('grace,linus')).toBeTruthy()
    unmount()
    await act(() => client.relationships.delete(store.all()[0]?.id ?? ''))
    await vi.waitFor(() => expect(namesOf(store.all())).toBe('linus'))
    expect(store.stale).toBe(false)
  })

  it('returns what an inline selector selects, and renders again only when that changes', async () => {
    const { store, request, client } = await setUpStore()
    const commits = vi.fn()
    const Friends = ({ children }: { children?: ReactNode }) => (
      <p>
        {namesOf(useLive(store, ({ filter }) => filter(RelationshipType.FRIEND)))}
        {children}
      </p>
    )
    renderWith(client, () => (
      <Profiler id="friends" onRender={commits}>
        <Friends />
      </Profiler>
    ))
    const before = commits.mock.calls.length
    await request()
    expect(commits).toHaveBeenCalledTimes(before)
    await act(() => client.relationships.accept(store.filter(RelationshipType.INCOMING_REQUEST)[0]?.id ?? ''))
    expect(await screen.findByText('grace,linus')).toBeTruthy()
  })

  it('a selector may create new objects, and keeps the rendered one if isEqual says so', async () => {
    const { store, client } = await setUpStore()
    const values: (readonly string[])[] = []
    const Ids = () => {
      values.push(useLive(store, ({ all }) => all().map(({ id }) => id), sameItems))
      return null
    }
    const { switchTo } = renderWith(client, Ids)
    switchTo(client)
    await act(() => client.relationships.update(store.all()[0]?.id ?? '', { nickname: 'Amazing' }))
    await vi.waitFor(() => expect(store.all()[0]?.nickname).toBe('Amazing'))
    expect(values.length).toBeGreaterThan(2)
    // React 18 renders twice at first, without what it keeps between renders.
    expect(new Set(values.slice(2)).size).toBe(1)
  })

  it('a selector that creates new objects, without isEqual, does not render endlessly', async () => {
    const { store, client, request } = await setUpStore()
    renderWith(client, () => <p>{useLive(store, ({ all }) => ({ count: all().length })).count}</p>)
    expect(screen.getByText('1')).toBeTruthy()
    await request()
    expect(screen.getByText('2')).toBeTruthy()
  })

  it('a selector that uses a changed prop is applied at once', async () => {
    const { store, client, request, grace } = await setUpStore()
    await request()
    const Name = ({ id }: { id: string }) => <p>{String(useLive(store, ({ get }) => get(id)?.user.username))}</p>
    let id = grace.id
    const { switchTo } = renderWith(client, () => <Name id={id} />)
    expect(screen.getByText('grace')).toBeTruthy()
    id = store.all()[1]?.id ?? ''
    switchTo(client)
    expect(screen.getByText('linus')).toBeTruthy()
  })

  it('follows another store that replaces the first one', async () => {
    const { store, client, service, grace } = await setUpStore()
    const other = client.as(service.token(grace))
    onTestFinished(() => other.dispose())
    const others = other.relationships.live()
    await act(() => other.gateway.connect())
    await others.ready
    let shown: RelationshipStore = store
    const { switchTo } = renderWith(client, () => <p>{namesOf(useLive(shown))}</p>)
    shown = others
    switchTo(client)
    expect(screen.getByText('ada')).toBeTruthy()
  })

  it('a sign-out empties the list, and the next sign-in shows the items of the new account only', async () => {
    const { store, client, service, grace } = await setUpStore()
    const rendered: string[] = []
    renderWith(client, () => {
      const text = `${useLive(store, ({ status }) => status)} ${namesOf(useLive(store))}`
      rendered.push(text)
      return <p>{text}</p>
    })
    expect(screen.getByText('ready grace')).toBeTruthy()
    await act(() => client.session.setToken(null))
    expect(screen.getByText('signedOut nobody')).toBeTruthy()
    const before = rendered.length
    await act(() => client.session.setToken(service.token(grace)))
    await act(() => client.gateway.connect().then(() => store.ready))
    expect(await screen.findByText('ready ada')).toBeTruthy()
    expect(rendered.slice(before).filter((text) => text.includes('grace'))).toEqual([])
  })
})
