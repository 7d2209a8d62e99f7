import { createServer } from 'node:http'
import { act, cleanup, render, screen } from '@testing-library/react'
import { Client } from 'rapport-sdk'
import { requestListener } from 'rapport-sdk/node'
import { RapportProvider, useCall, useClient, useGatewayState, useLive, useSession } from 'rapport-sdk/react'
import { attachGateway, createSessionHandler } from 'rapport-sdk/server'
import { Headers, Request, Response } from 'undici'
import { expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { listen } from '../../mocks/node'
import { keys, ORIGIN, Page } from '../server/page'
import { expectNoReactErrors, setUp } from './set-up'

/** A service, and a page in front of which a server has its token in a cookie. */
async function setUpPage() {
  // Those of the simulated browser refuse cookies, as for its scripts. The handler runs on a server.
  for (const [name, value] of Object.entries({ Headers, Request, Response })) vi.stubGlobal(name, value)
  onTestFinished(() => void vi.unstubAllGlobals())
  const { service, ada, grace } = setUp()
  const upstream = await listen(service)
  const handler = createSessionHandler({ baseUrl: service.baseUrl, keys, origin: ORIGIN, fetch: service.fetch })
  const server = createServer(requestListener(handler, ORIGIN))
  attachGateway(server, handler, { url: upstream.gatewayUrl })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(() => resolve()))
  })
  const page = new Page(handler)
  class PageSocket extends WebSocket {
    constructor(url: string | URL) {
      super(url, { headers: { cookie: page.cookie ?? '' }, origin: ORIGIN })
    }
  }
  const openTab = () => {
    const client = new Client({
      baseUrl: `${ORIGIN}/rapport`,
      session: 'cookie',
      retry: 0,
      fetch: page.fetch,
      gateway: { url: `ws://127.0.0.1:${Object(server.address()).port}/rapport/gateway`, WebSocket: PageSocket },
      onMfaRequired: () => ({ type: 'totp', code: service.users.totp(ada) }),
    })
    onTestFinished(() => client.dispose())
    return client
  }
  return { service, ada, grace, openTab }
}

it('hooks follow the session, a call, a live store and the gateway of a page whose token is in a cookie', async () => {
  const { service, ada, grace, openTab } = await setUpPage()
  const [client, other] = [openTab(), openTab()]
  const Friends = () => {
    const friends = useLive(useClient().relationships.live())
    const { data } = useCall(useClient().auth.sessions.list)
    return <p>{`${friends.map(({ id }) => id).join()} ${data?.user_sessions.length} ${useGatewayState()}`}</p>
  }
  const Status = () => {
    const { status, user } = useSession()
    return status === 'signedIn' ? <Friends /> : <p>{`${status} ${user?.id}`}</p>
  }
  expectNoReactErrors()
  onTestFinished(cleanup)
  render(
    <RapportProvider client={client}>
      <Status />
    </RapportProvider>,
  )
  expect(await screen.findByText('signedOut undefined')).toBeTruthy()

  await act(() => client.auth.login({ login: 'ada@example.com', password: 'correct horse' }))
  await act(() => client.gateway.connect())
  await act(async () => service.relationships.befriend(ada, grace))

  expect(await screen.findByText(`${grace.id} 2 ready`)).toBeTruthy()
  await vi.waitFor(() => expect(other.session.user).toMatchObject({ id: ada.id }))
  await act(() => other.auth.logout())
  expect(await screen.findByText('signedOut undefined')).toBeTruthy()
})
