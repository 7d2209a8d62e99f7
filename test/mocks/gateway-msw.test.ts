import { setupServer } from 'msw/node'
import { browserHandlers } from 'rapport-sdk/mocks/msw'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { WebSocket as PlatformWebSocket } from 'ws'
import { bareClient, identify } from './bare-gateway'
import { baseUrl, sender, setUp } from './calls'

// Node has a class of its own since version 22 alone; msw puts another one in the place of whatever is there.
vi.stubGlobal('WebSocket', PlatformWebSocket)

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

describe('the msw handlers of browsers', () => {
  const inBrowser = () => {
    const world = setUp()
    const server = setupServer(...browserHandlers(world.service))
    server.listen({ onUnhandledRequest: 'error' })
    closing.push(() => server.close())
    const open = (url = world.service.gateway.url) => bareClient(new WebSocket(url))
    return { ...world, open, as: (user: { id: string }) => sender(fetch, baseUrl, world.service.token(user)) }
  }

  it('answer the gateway, at its address and at the one to resume at', async () => {
    const { service, ada, grace, as, open } = inBrowser()
    const client = open(`${service.gateway.url}?v=1`)
    const token = service.token(ada)
    const { session_id, resume_gateway_url = '' } = await identify(client, token)
    expect(resume_gateway_url).toBe(service.gateway.url)
    await as(grace)(`PUT /users/@me/relationships/${ada.id}`, {})
    expect(await client.heard()).toMatchObject([['RELATIONSHIP_ADD', { id: grace.id, type: 3 }]])
    client.socket.close(4000)
    await client.closed
    const resumed = open(`${resume_gateway_url}/any?v=1`)
    await resumed.next()
    resumed.send(6, { token, session_id, seq: 2 })
    expect(await resumed.heard()).toEqual([['RESUMED', {}]])
    client.socket.close()
  })

  it('have the faults of the gateway', async () => {
    const { service, ada, open } = inBrowser()
    service.gateway.refuse({ times: 1 })
    const refused = open()
    expect(await refused.closed).toMatchObject({ code: 1006 })
    const client = open()
    await identify(client, service.token(ada))
    const freeze = service.gateway.freeze()
    service.gateway.emit('X', {})
    client.send(1)
    freeze.remove()
    expect(await client.heard()).toEqual([['X', {}]])
    service.gateway.drop(4000, { reason: 'Because.' })
    expect(await client.closed).toEqual({ code: 4000, reason: 'Because.' })
    await identify(open(), service.token(ada))
    service.gateway.drop()
    expect(service.gateway.sessions.map(({ connected }) => connected)).toEqual([false, false])
  })
})
