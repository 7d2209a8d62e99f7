// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/svelte-query'
import { type Component, mount, unmount } from 'svelte'
import { expect, it, onTestFinished } from 'vitest'
import { setUp } from './set-up'

/** Renders the IDs of ada's relationships, and a button that removes the first one. */
async function renderFriends() {
  const { client, queries, linus, ...others } = setUp()
  const queryClient = new QueryClient()
  const rendered: string[] = []
  const path = './svelte-friends.svelte'
  const { default: Friends }: { default: Component<Record<string, unknown>> } = await import(path)
  const target = document.createElement('div')
  onTestFinished(queries.follow(queryClient))
  const props = { client, queries, queryClient, userId: linus.id, rendered }
  const component = mount(Friends, { target, props })
  onTestFinished(async () => {
    await unmount(component)
    queryClient.clear()
  })
  return { ...others, linus, client, target, rendered }
}

it('a component of Svelte renders a list, follows events, and loads again after a mutation', async () => {
  const { service, client, ada, grace, linus, target } = await renderFriends()
  await client.gateway.connect()
  await expect.poll(() => target.textContent).toBe(`friends: ${linus.id}`)
  service.relationships.request(grace, ada)
  await expect.poll(() => target.textContent).toBe(`friends: ${linus.id},${grace.id}`)
  target.querySelector('button')?.click()
  await expect.poll(() => target.textContent).toBe(`friends: ${grace.id}`)
})

it('a component of Svelte renders no data of the old account after a change of the account, and then that of the new one', async () => {
  const { service, client, grace, linus, mary, target, rendered } = await renderFriends()
  await expect.poll(() => target.textContent).toBe(`friends: ${linus.id}`)
  const before = rendered.length
  await client.session.setToken(service.token(grace))
  await expect.poll(() => target.textContent).toBe(`friends: ${mary.id}`)
  await client.session.setToken(null)
  await expect.poll(() => target.textContent).toBe('none loaded')
  expect(rendered.slice(before).join()).not.toContain(linus.id)
})
