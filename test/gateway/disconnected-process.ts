import { once } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { Client } from '../../src/index'

// Disconnects gateways in every state that has timers or sockets, once they are reached and its input ends. The process must then exit by itself.
const [, , json = ''] = process.argv
const urls: Readonly<Record<string, string>> = JSON.parse(json)
/** What each gateway must be before; the service sees the others. */
const reached: Readonly<Record<string, string>> = {
  ready: 'ready',
  disposed: 'ready',
  frozen: 'ready',
  refused: 'reconnecting',
  identifying: 'identifying',
  invalid: 'reconnecting',
}
const inputEnds = once(process.stdin.resume(), 'end')

const disconnects = Object.entries(urls).map(async ([name, url]) => {
  // The WebSocket of Node 22 cannot terminate a connection whose peer does not respond.
  const gateway = name === 'frozen' ? { url, WebSocket } : { url }
  const client = new Client({ baseUrl: 'https://service.example', token: 'ada', gateway })
  const isReached =
    reached[name] && client.gateway.waitFor('stateChange', { filter: ({ state }) => state === reached[name] })
  client.gateway.connect().catch(() => {})
  client.gateway.stream(['relationshipAdd'])
  await isReached
  await (name === 'connecting' ? turn() : inputEnds)
  if (name === 'disposed') client.dispose()
  else client.gateway.disconnect()
})
await Promise.all(disconnects)
process.stdout.write('disconnected')
