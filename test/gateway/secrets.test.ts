import { inspect } from 'node:util'
import { defaultGatewayProtocol, type GatewayEvents, type Logger } from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { reasonOf } from '../transport/rejection'
import { clientOf, type Peer, serveGateway, TOKEN } from './gateway-server'

// Payloads aside: they are the user's, as the service sends them.
const TOLD = ['stateChange', 'warning', 'error', 'resumed'] as const

/** Everything that a client says by its logger and by its events, as text. */
function listened(server: { readonly url: string }, options: Parameters<typeof clientOf>[1] = {}) {
  const said: string[] = []
  const say = (value: unknown) => said.push(inspect(value, { depth: 9, showHidden: true }))
  const log = (message: string, details?: unknown) => say([message, details])
  const logger: Logger = { debug: log, info: log, warn: log, error: log }
  const client = clientOf(server, { logger, ...options })
  for (const type of TOLD) client.gateway.on(type, (event: GatewayEvents[typeof type]) => say(event))
  return { client, gateway: client.gateway, said }
}

/** The ways in which a service may repeat what it was told. */
const ECHOES: Readonly<Record<string, (peer: Peer) => void>> = {
  'a frame that is no JSON': (peer) => peer.raw(`token ${TOKEN}`),
  'a frame of an unknown kind': (peer) => peer.send({ op: 99, d: TOKEN }),
  'the name of an unknown event': (peer) => peer.dispatch(`UNKNOWN_${TOKEN}`, { token: TOKEN }, 2),
  'a payload that is off': (peer) => peer.dispatch('RELATIONSHIP_ADD', { id: TOKEN, type: TOKEN }, 2),
  'a field of a snapshot that is off': (peer) => peer.ready({ auth_session_id_hash: 'h', session_id: [TOKEN] }),
  'the reason of a close': (peer) => peer.socket.close(4001, TOKEN),
  'the reason of a fatal close': (peer) => peer.socket.close(4004, TOKEN),
  'a greeting that is off': (peer) => peer.send({ op: 10, d: { heartbeat_interval: TOKEN } }),
}

describe('the token', () => {
  it.each(Object.keys(ECHOES))('no error or log line shows a token that the service repeats in %s', async (how) => {
    const server = await serveGateway()
    const { gateway, said } = listened(server)
    await gateway.connect()
    const before = said.length
    ECHOES[how]?.(await server.peer())
    await vi.waitFor(() => expect(said.length).toBeGreaterThan(before))
    await gateway.disconnect()
    expect(said.join('\n')).not.toContain(TOKEN)
  })

  it.each(['encode', 'identify', 'classifyClose'] as const)(
    'no error shows a token that `%s` throws',
    async (method) => {
      const server = await serveGateway({ identified: (peer) => peer.socket.close(4001) })
      const protocol = {
        ...defaultGatewayProtocol,
        [method]: () => {
          throw new Error(`cannot do that with ${TOKEN}`)
        },
      }
      const { gateway, said } = listened(server, { gateway: { protocol } })
      const error = await reasonOf(gateway.connect())
      expect(error).toMatchObject({ reason: 'protocol_threw', cause: { message: 'cannot do that with [redacted]' } })
      expect(said.join('\n') + inspect(error, { depth: 9, showHidden: true })).not.toContain(TOKEN)
    },
  )

  it('inspect() and JSON of the gateway show no token', async () => {
    const server = await serveGateway()
    const { client, gateway } = listened(server)
    await gateway.connect()
    const texts = [client, gateway].map((value) => inspect(value, { depth: 9, showHidden: true }))
    texts.push(JSON.stringify(gateway), JSON.stringify(client))
    for (const text of texts) expect(text).not.toContain(TOKEN)
  })

  it('no error of a connection that cannot be opened shows the token', async () => {
    const { gateway, said } = listened({ url: `ws://127.0.0.1:9/${TOKEN}` })
    const connecting = reasonOf(gateway.connect())
    await vi.waitFor(() => expect(said.join('\n')).toContain('could not be opened'))
    await gateway.disconnect()
    await connecting
    expect(said.join('\n')).not.toContain(TOKEN)
  })
})
