import { gatewayEvents } from '../../src/contract/gateway-events'
import { defaultGatewayProtocol } from '../../src/gateway/protocol'
import { type JsonSchema, refTo, schemasUsedBy } from './schemas'

/** Returns the AsyncAPI 3 document of the gateway events. */
export function asyncApi(version: string): object {
  const names = Object.entries(defaultGatewayProtocol.eventMap)
  const events = Object.entries(gatewayEvents).map(([key, { name, payload }]) => {
    const type = names.find(([, event]) => event === key)?.[0] ?? ''
    return { key, name, type, payload: refTo(payload) }
  })
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Events of friends, games and sessions',
      description:
        'The eight events of the service. The interface document names them but does not show frames and payloads; those here are the default convention of rapport-sdk.',
      version,
      license: { name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' },
    },
    defaultContentType: 'application/json',
    servers: {
      gateway: {
        host: 'gateway.service.example',
        protocol: 'wss',
        description: 'The option `gateway.url` of the client.',
      },
    },
    channels: {
      gateway: {
        address: '/',
        description: 'One connection of one user.',
        messages: Object.fromEntries(events.map(({ key }) => [key, { $ref: `#/components/messages/${key}` }])),
      },
    },
    operations: {
      receiveEvents: {
        action: 'receive',
        channel: { $ref: '#/channels/gateway' },
        summary: 'Receives events.',
        messages: events.map(({ key }) => ({ $ref: `#/channels/gateway/messages/${key}` })),
      },
    },
    components: {
      messages: Object.fromEntries(
        events.map(({ key, name, type, payload }) => [
          key,
          { name: type, title: name, payload: frameOf(type, payload) },
        ]),
      ),
      schemas: schemasUsedBy(events),
    },
  }
}

function frameOf(type: string, payload: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: {
      op: { const: 0, description: 'Operation code of an event.' },
      t: { const: type, description: 'Event name.' },
      s: { type: 'integer', minimum: 0, description: 'Sequence number in the session.' },
      d: payload,
    },
    required: ['op', 't', 's', 'd'],
  }
}
