// A dedicated, shared or service worker that signs in and follows the gateway. It gets its settings with a port, to which it
// sends the outcome.
import { Client, RelationshipType } from 'rapport-sdk'
import type { ScenarioSettings } from './strict-policy'

async function run({ baseUrl, gatewayUrl, login, password, code, friend }: ScenarioSettings): Promise<string> {
  const client = new Client({ baseUrl, gateway: { url: gatewayUrl }, onMfaRequired: () => ({ type: 'totp', code }) })
  try {
    await client.auth.login({ login, password })
    await client.auth.sessions.logout({ session_id_hashes: ['none'] })
    const list = client.relationships.live()
    await client.gateway.connect()
    await list.ready
    return `${globalThis.constructor.name} ${list.get(friend)?.type === RelationshipType.FRIEND ? 'friend' : 'no friend'}`
  } finally {
    client.dispose()
  }
}

function answer({ data, ports: [port] }: MessageEvent<ScenarioSettings>): void {
  run(data)
    .catch(String)
    .then((outcome) => port?.postMessage(outcome))
}

addEventListener('message', answer)
addEventListener('connect', (event) => {
  if (!(event instanceof MessageEvent)) return
  for (const port of event.ports) port.onmessage = answer
})
