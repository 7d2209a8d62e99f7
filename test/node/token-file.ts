import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { fileTokenStore } from 'rapport-sdk/node'
import { onTestFinished } from 'vitest'

export const LOGIN = { login: 'ada@example.com', password: 'correct horse' }

/** A mock with the account of {@link LOGIN}, and clients of it that store their token in `file`. */
export function setUp() {
  const folder = mkdtempSync(join(tmpdir(), 'rapport-token-'))
  const service = createMockService()
  const user = service.users.create(LOGIN)
  const file = join(folder, 'app', 'token.json')
  const clients: Client[] = []
  onTestFinished(async () => {
    await service.close()
    for (const client of clients) client.dispose()
    rmSync(folder, { recursive: true })
  })
  const createClient = (path: string | URL = file) => {
    const client = new Client({
      baseUrl: service.baseUrl,
      fetch: service.fetch,
      gateway: { url: service.gateway.url, WebSocket: service.WebSocket },
      tokenStore: fileTokenStore(path),
    })
    clients.push(client)
    return client
  }
  return { folder, file, service, user, createClient }
}
