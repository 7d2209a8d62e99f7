// @vitest-environment happy-dom
import { keepPreviousData, QueryClient, useMutation, useQuery, VueQueryPlugin } from '@tanstack/vue-query'
import { createQueries } from 'rapport-sdk/query'
import { expect, it, onTestFinished } from 'vitest'
import { createApp, defineComponent, h } from 'vue'
import { setUp } from './set-up'

/** Renders the IDs of ada's relationships, and a button that removes the first one. */
function renderFriends() {
  const { client, ...others } = setUp()
  const queryClient = new QueryClient()
  const queries = createQueries(client)
  const rendered: string[] = []
  const Friends = defineComponent({
    setup() {
      const { data } = useQuery(() => ({ ...queries.relationships.list(), placeholderData: keepPreviousData }))
      const { mutate } = useMutation(queries.relationships.delete())
      return () => {
        const text = data.value ? `friends: ${data.value.map(({ id }) => id).join()}` : 'none loaded'
        rendered.push(text)
        return h('button', { onClick: () => mutate(others.linus.id) }, text)
      }
    },
  })
  const page = document.createElement('div')
  const app = createApp(Friends).use(VueQueryPlugin, { queryClient })
  onTestFinished(() => {
    app.unmount()
    queryClient.clear()
  })
  onTestFinished(queries.follow(queryClient))
  app.mount(page)
  return { ...others, client, page, rendered }
}

it('a component of Vue renders a list, follows events, and loads again after a mutation', async () => {
  const { service, client, ada, grace, linus, page } = renderFriends()
  await client.gateway.connect()
  await expect.poll(() => page.textContent).toBe(`friends: ${linus.id}`)
  service.relationships.request(grace, ada)
  await expect.poll(() => page.textContent).toBe(`friends: ${linus.id},${grace.id}`)
  page.querySelector('button')?.click()
  await expect.poll(() => page.textContent).toBe(`friends: ${grace.id}`)
})

it('a component of Vue renders no data of the old account after a change of the account, and then that of the new one', async () => {
  const { service, client, grace, linus, mary, page, rendered } = renderFriends()
  await expect.poll(() => page.textContent).toBe(`friends: ${linus.id}`)
  const before = rendered.length
  await client.session.setToken(service.token(grace))
  await expect.poll(() => page.textContent).toBe(`friends: ${mary.id}`)
  await client.session.setToken(null)
  await expect.poll(() => page.textContent).toBe('none loaded')
  expect(rendered.slice(before).join()).not.toContain(linus.id)
})
