import { keepPreviousData, QueryClient, QueryClientProvider, useMutation, useQuery } from '@tanstack/react-query'
import { act, cleanup, render, screen } from '@testing-library/react'
import { createQueries } from 'rapport-sdk/query'
import { StrictMode } from 'react'
import { expect, it, onTestFinished } from 'vitest'
import { expectNoReactErrors, setUp } from '../react/set-up'

/** Renders the IDs of ada's relationships, and a button that removes the first one. Keeps each text that was rendered. */
function renderFriends() {
  const { service, ada, grace, client } = setUp()
  const linus = service.users.create({ login: 'linus@example.com', username: 'linus' })
  service.relationships.befriend(ada, linus)
  const queryClient = new QueryClient()
  const queries = createQueries(client)
  const rendered: string[] = []
  const Friends = () => {
    const { data } = useQuery({ ...queries.relationships.list(), placeholderData: keepPreviousData })
    const { mutate } = useMutation(queries.relationships.delete())
    const text = data ? `friends: ${data.map(({ id }) => id).join()}` : 'none loaded'
    rendered.push(`${client.session.token === null ? 'nobody' : 'somebody'} ${text}`)
    return (
      <button type="button" onClick={() => mutate(linus.id)}>
        {text}
      </button>
    )
  }
  expectNoReactErrors()
  onTestFinished(() => queryClient.clear())
  onTestFinished(cleanup)
  onTestFinished(queries.follow(queryClient))
  render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Friends />
      </QueryClientProvider>
    </StrictMode>,
  )
  return { service, client, ada, grace, linus, rendered }
}

it('useQuery renders a list, follows events, and loads again after a mutation', async () => {
  const { service, client, ada, grace, linus } = renderFriends()
  await act(() => client.gateway.connect())
  await screen.findByText(`friends: ${linus.id}`)
  act(() => service.relationships.request(grace, ada))
  const button = await screen.findByText(`friends: ${linus.id},${grace.id}`)
  act(() => button.click())
  await screen.findByText(`friends: ${grace.id}`)
})

it('useQuery renders no data of the old account after a sign-out or a change of the account, and then that of the new one', async () => {
  const { service, client, grace, linus, rendered } = renderFriends()
  await screen.findByText(`friends: ${linus.id}`)
  await act(() => client.session.setToken(null))
  await screen.findByText('none loaded')
  await act(() => client.session.setToken(service.token(grace)))
  await screen.findByText('friends:')
  const before = rendered.indexOf('nobody none loaded')
  expect(before).toBeGreaterThan(0)
  expect(rendered.slice(before).join()).not.toContain(linus.id)
})
