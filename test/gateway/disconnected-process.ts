import { setTimeout as wait } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { Client } from '../../src/index'

// Disconnects gateways in every state that has timers or sockets. The process must then exit by itself.
const [, , json = ''] = process.argv
const urls: Readonly<Record<string, string>> = JSON.parse(json)

for (const [state, url] of Object.entries(urls)) {
  // The WebSocket of Node 22 cannot terminate a connection whose peer does not respond.
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
