import { setTimeout as wait } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { Client } from '../../src/index'

// Brings gateways into every state that has timers or sockets, and disconnects them. It must end by itself.
const [, , given = ''] = process.argv
const urls: Readonly<Record<string, string>> = JSON.parse(given)

for (const [state, url] of Object.entries(urls)) {
  // Node's own class, which is there from 22 on, cannot give up on a peer that does not answer.
  const gateway = state === 'frozen' ? { url, WebSocket } : { url }
  const client = new Client({ baseUrl: 'https://service.example', token: 'ada', gateway })
  client.gateway.connect().catch(() => {})
  client.gateway.stream(['relationshipAdd'])
  setTimeout(
    () => {
      if (state === 'disposed') client.dispose()
      else client.gateway.disconnect()
    },
    state === 'connecting' ? 0 : 600,
  )
}
await wait(600)
process.stdout.write('disconnected')
