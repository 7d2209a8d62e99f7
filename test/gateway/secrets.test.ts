import { inspect } from 'node:util'
import { defaultGatewayProtocol, type GatewayEvents, type Logger } from 'rapport-sdk'
import { expect, it, vi } from 'vitest'
import { createGatewayClient, type Peer, serveGateway, TOKEN } from '../servers/gateway-server'
import { reasonOf } from '../transport/rejection'

// Not the payloads of events: they are delivered as the service sends them.
const REPORTS = ['stateChange', 'warning', 'error', 'resumed'] as const

/** Creates a client and records everything that it logs or reports in events, as text. */
function recordOutput(server: { readonly url: string }, options: Parameters<typeof createGatewayClient>[1] = {}) {
  const output: string[] = []
  const record = (value: unknown) => output.push(inspect(value, { depth: 9, showHidden: true }))
  const log = (message: string, details?: unknown) => record([message, details])
  const logger: Logger = { debug: log, info: log, warn: log, error: log }
  const client = createGatewayClient(server, { logger, ...options })
  for (const type of REPORTS) client.gateway.on(type, (event: GatewayEvents[typeof type]) => record(event))
  return { client, gateway: client.gateway, output }
}

/** Ways in which a service may repeat the token. */
const ECHOES: Readonly<Record<string, (peer: Peer) => void>> = {
  'a frame that is not JSON': (peer) => peer.raw(`token ${TOKEN}`),
  'a frame of an unknown kind': (peer) => peer.send({ op: 99, d: TOKEN }),
  'the name of an unknown event': (peer) => peer.dispatch(`UNKNOWN_${TOKEN}`, { token: TOKEN }, 2),
  'an invalid payload': (peer) => peer.dispatch('RELATIONSHIP_ADD', { id: TOKEN, type: TOKEN }, 2),
  'an invalid field of a snapshot': (peer) => peer.ready({ auth_session_id_hash: 'h', session_id: [TOKEN] }),
  'the reason of a close': (peer) => peer.socket.close(4001, TOKEN),
  'the reason of a fatal close': (peer) => peer.socket.close(4004, TOKEN),
  'an invalid Hello': (peer) => peer.send({ op: 10, d: { heartbeat_interval: TOKEN } }),
}

it.each(Object.keys(ECHOES))('no error or log line shows a token that the service repeats in %s', async (how) => {
  const server = await serveGateway()
  const { gateway, output } = recordOutput(server)
  await gateway.connect()
  const before = output.length
  ECHOES[how]?.(await server.peer())
  await vi.waitFor(() => expect(output.length).toBeGreaterThan(before))
  await gateway.disconnect()
  expect(output.join('\n')).not.toContain(TOKEN)
})

it.each(['encode', 'identify', 'classifyClose'] as const)('no error shows a token that `%s` throws', async (method) => {
  const server = await serveGateway({ onIdentify: (peer) => peer.socket.close(4001) })
  const protocol = {
    ...defaultGatewayProtocol,
    [method]: () => {
      throw new Error(`cannot do that with ${TOKEN}`)
    },
  }
  const { gateway, output } = recordOutput(server, { gateway: { protocol } })
  const error = await reasonOf(gateway.connect())
  expect(error).toMatchObject({ reason: 'protocol_threw', cause: { message: 'cannot do that with [redacted]' } })
  expect(output.join('\n') + inspect(error, { depth: 9, showHidden: true })).not.toContain(TOKEN)
})

it('inspect() and JSON of the gateway show no token', async () => {
  const server = await serveGateway()
  const { client, gateway } = recordOutput(server)
  await gateway.connect()
  const texts = [client, gateway].map((value) => inspect(value, { depth: 9, showHidden: true }))
  texts.push(JSON.stringify(gateway), JSON.stringify(client))
  for (const text of texts) expect(text).not.toContain(TOKEN)
})

it('no error of a connection that cannot be opened shows the token', async () => {
  const { gateway, output } = recordOutput({ url: `ws://127.0.0.1:9/${TOKEN}` })
  const connecting = reasonOf(gateway.connect())
  await vi.waitFor(() => expect(output.join('\n')).toContain('could not be opened'))
  await gateway.disconnect()
  await connecting
  expect(output.join('\n')).not.toContain(TOKEN)
})
