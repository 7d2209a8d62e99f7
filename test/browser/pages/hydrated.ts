import { Client } from 'rapport-sdk'
import { hydrateRoot } from 'react-dom/client'
import { createApp } from './rendered-friends'

// Hydrates the page that `rendered-page.test.ts` renders, from the state in its data block. Problems become attributes of the body.

const client = new Client({
  baseUrl: '/rapport',
  session: 'cookie',
  gateway: { url: `ws://${location.host}/rapport/gateway` },
})
const initial = JSON.parse(document.getElementById('initial')?.textContent ?? 'null')
const root = document.getElementById('root')
const onRecoverableError = (error: unknown) => {
  document.body.dataset.problem = String(error)
}
if (root) hydrateRoot(root, createApp(client, initial), { onRecoverableError })
