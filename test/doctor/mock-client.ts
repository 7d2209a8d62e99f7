import { Client } from 'rapport-sdk'
import type { MockService, MockUser } from 'rapport-sdk/mocks'
import { onTestFinished } from 'vitest'

/** Creates a client of a mock and of its gateway, which verifies with the backup codes of a user. */
export function createMockClient({ baseUrl, fetch, WebSocket, gateway, users }: MockService, user: MockUser): Client {
  const backupCodes = [...users.backupCodes(user)]
  const client = new Client({
    ...{ baseUrl, fetch, gateway: { url: gateway.url, WebSocket } },
    onMfaRequired: () => ({ type: 'backup', code: backupCodes.pop() ?? '' }),
  })
  onTestFinished(() => client.dispose())
  return client
}
