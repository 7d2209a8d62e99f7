import { Client, type ClientOptions } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { onTestFinished } from 'vitest'

/** Connects a client of ada, who has a friend. `request` sends ada a friend request, and resolves after its event. */
export async function setUp(options: Partial<ClientOptions> = {}) {
  const service = createMockService({ now: 0 })
  const create = (username: string) => service.users.create({ login: `${username}@example.com`, username })
  const [ada, grace, linus] = [create('ada'), create('grace'), create('linus')]
  service.relationships.befriend(ada, grace)
  const client = new Client({
    baseUrl: service.baseUrl,
    fetch: service.fetch,
    gateway: { url: service.gateway.url, WebSocket: service.WebSocket },
    token: service.token(ada),
    ...options,
  })
  onTestFinished(async () => {
    client.dispose()
    await service.close()
  })
  await client.gateway.connect()
  const request = async () => {
    const added = client.gateway.waitFor('relationshipAdd')
    service.relationships.request(linus, ada)
    await added
  }
  return { service, client, request }
}
