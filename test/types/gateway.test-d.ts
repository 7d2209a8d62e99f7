import type {
  Client,
  GatewayError,
  GatewayOptions,
  GatewaySocketClass,
  GatewayWarning,
  ReadyEvent,
  Relationship,
  RelationshipRemoveEvent,
  RelationshipUpdateEvent,
} from 'rapport-sdk'
import { describe, expectTypeOf, test } from 'vitest'
import type { WebSocket as WsWebSocket } from 'ws'

declare const gateway: Client['gateway']

describe('the gateway', () => {
  test('accepts the WebSocket of browsers, of Node and of ws', () => {
    expectTypeOf<typeof globalThis.WebSocket>().toExtend<GatewaySocketClass>()
    expectTypeOf<typeof WsWebSocket>().toExtend<GatewaySocketClass>()
    expectTypeOf<{ url: URL; WebSocket: typeof WsWebSocket }>().toExtend<GatewayOptions>()
    expectTypeOf<typeof EventTarget>().not.toExtend<GatewaySocketClass>()
  })

  test('resolves connect() to the ready event', () => {
    expectTypeOf(gateway.connect()).resolves.toEqualTypeOf<ReadyEvent>()
    expectTypeOf(gateway.disconnect()).resolves.toBeVoid()
  })

  test('passes typed events to listeners', () => {
    gateway.on('relationshipAdd', (event) => expectTypeOf(event).toEqualTypeOf<Relationship>())
    gateway.once('relationshipUpdate', (event) => expectTypeOf(event).toEqualTypeOf<RelationshipUpdateEvent>())
    gateway.on('error', (event) => expectTypeOf(event).toEqualTypeOf<GatewayError>())
    gateway.on('warning', (event) => expectTypeOf(event).toEqualTypeOf<GatewayWarning>())
    // @ts-expect-error: unknown event
    gateway.on('relationshipAded', () => {})
    expectTypeOf(gateway.on('ready', async () => {})).toEqualTypeOf(gateway)
  })

  test('types the filter and the result of waitFor()', () => {
    const next = gateway.waitFor('relationshipRemove', { filter: ({ id }) => id === '1' })
    expectTypeOf(next).resolves.toEqualTypeOf<RelationshipRemoveEvent>()
  })

  test('events of a gateway stream are narrowed by their type', async () => {
    for await (const { type, data } of gateway.stream(['relationshipAdd', 'relationshipRemove'])) {
      if (type === 'relationshipAdd') expectTypeOf(data).toEqualTypeOf<Relationship>()
      else expectTypeOf(data).toEqualTypeOf<RelationshipRemoveEvent>()
    }
  })
})

test('an update event has the fields of a relationship, of the same types or null', () => {
  type Fields = Omit<Relationship, 'id'>
  type Named<T> = { [K in keyof T as string extends K ? never : K]: T[K] }
  expectTypeOf<keyof Named<RelationshipUpdateEvent>>().toEqualTypeOf<keyof Relationship>()
  expectTypeOf<Partial<Fields>>().toExtend<Omit<Named<RelationshipUpdateEvent>, 'id'>>()
})
