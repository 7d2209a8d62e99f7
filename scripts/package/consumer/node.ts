import { setupServer } from 'msw/node'
import { Client } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { handlers } from 'rapport-sdk/mocks/msw'
import { listen } from 'rapport-sdk/mocks/node'

// Compiled with Node types and msw, like the tests of an app.

const service = createMockService({ baseUrl: 'https://service.example/api' })
setupServer(...handlers(service)).listen()

export async function status(): Promise<number> {
  const server = await listen(service, { port: 0 })
  const client = new Client({ baseUrl: server.url, token: 'token' })
  const { data, response } = await client.relationships.list().withResponse()
  await server.close()
  return response.status + data.length
}
