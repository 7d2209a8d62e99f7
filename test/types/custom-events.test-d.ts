import type { Client, CustomEventName, CustomEvents, GatewayEvents, GatewayOptions, StandardSchema } from 'rapport-sdk'
import type { RedisEvents } from 'rapport-sdk/redis'
import { describe, expectTypeOf, test } from 'vitest'
import { events } from '../../examples/bots/service'

type Payload = CustomEvents['interactionCreate']
declare const schemaOfNumbers: StandardSchema<number>

describe('CustomEvents', () => {
  test('a declared event has its type for listeners, waiters and streams', () => {
    expectTypeOf<GatewayEvents['interactionCreate']>().toEqualTypeOf<Payload>()
    void (async (client: Client) => {
      client.gateway.on('interactionCreate', (event) => expectTypeOf(event).toEqualTypeOf<Payload>())
      expectTypeOf(await client.gateway.waitFor('interactionCreate')).toEqualTypeOf<Payload>()
      for await (const { type, data } of client.gateway.stream(['interactionCreate', 'relationshipAdd']))
        if (type === 'interactionCreate') expectTypeOf(data).toEqualTypeOf<Payload>()
      // @ts-expect-error: not declared
      client.gateway.on('typingStart', () => {})
    })
  })

  test('the name of an event from Redis tells the type of its data', () => {
    void (async (shared: RedisEvents) => {
      for await (const { name, type, data, ack } of shared.read({ group: 'bot', events })) {
        if (name === 'interactionCreate') expectTypeOf(data).toEqualTypeOf<Payload>()
        else expectTypeOf(data).toEqualTypeOf<unknown>()
        expectTypeOf(type).toExtend<string>()
        await ack()
      }
    })
  })

  test('the option events takes declared names, with a schema of their payload', () => {
    expectTypeOf<CustomEventName>().toEqualTypeOf<'interactionCreate'>()
    const url = 'wss://service.example'
    expectTypeOf({ url, events }).toExtend<GatewayOptions>()
    const withoutSchema: GatewayOptions = {
      url,
      // @ts-expect-error: its payload is not unknown, so it needs a schema
      events: { INTERACTION_CREATE: { name: 'interactionCreate' } },
    }
    const otherSchema: GatewayOptions = {
      url,
      // @ts-expect-error: a schema of something else
      events: { INTERACTION_CREATE: { name: 'interactionCreate', schema: schemaOfNumbers } },
    }
    // @ts-expect-error: a name of the API
    const taken: GatewayOptions = { url, events: { MINE: { name: 'relationshipAdd', schema: schemaOfNumbers } } }
    expectTypeOf([withoutSchema, otherSchema, taken]).toBeArray()
  })
})
