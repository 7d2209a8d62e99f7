import { getEventListeners } from 'node:events'
import { type GatewayEvents, isRequestValidationError } from 'rapport-sdk'
import { describe, expect, it } from 'vitest'
import { rejectionOf } from '../transport/rejection'
import { clientOf } from './gateway-server'

const KNOWN: Record<keyof GatewayEvents, true> = {
  ready: true,
  authSessionChange: true,
  relationshipAdd: true,
  relationshipUpdate: true,
  relationshipRemove: true,
  gameRelationshipAdd: true,
  gameRelationshipRemove: true,
  friendSuggestionDelete: true,
  resumed: true,
  stateChange: true,
  warning: true,
  error: true,
  dispatch: true,
}
const names = Object.keys(KNOWN) as (keyof GatewayEvents)[]
const unknown = ['relationshipAdded', 'Ready', 'RELATIONSHIP_ADD', 'toString', '', undefined, 5] as never[]
const createGateway = () => clientOf({ url: 'wss://gateway.example' }).gateway

describe('the name of an event', () => {
  it.each(unknown)('on(), once() and off() reject the unknown event name %j', (name) => {
    const gateway = createGateway()
    for (const method of ['on', 'once', 'off'] as const) {
      const call = () => gateway[method](name, () => {})
      expect(call).toThrow(expect.toSatisfy(isRequestValidationError))
      expect(call).toThrow(`gateway.${method}: 1 problem`)
      expect(call).toThrow(`unknown; known here: ${names.join(', ')}`)
    }
  })

  it.each(unknown)('waitFor() rejects the unknown event name %j', async (name) => {
    const error = await rejectionOf(createGateway().waitFor(name), isRequestValidationError)
    expect(error.endpoint).toBe('gateway.waitFor')
    expect(error.issues).toMatchObject([{ path: [String(name)], code: 'invalid_value' }])
  })

  it('stream() rejects all unknown event names at once and adds no listener', () => {
    const { signal } = new AbortController()
    const gateway = createGateway()
    const call = () => gateway.stream(['ready', 'typo', 'error', 'toString'] as never[], { signal })
    expect(call).toThrow(expect.toSatisfy(isRequestValidationError))
    expect(call).toThrow('gateway.stream: 2 problems')
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it.each(['ready', undefined, null, 5, {}, new Set(['ready']), ['ready'].values()])(
    'stream() rejects %j, which is not an array of event names',
    (names) => {
      const gateway = createGateway()
      const call = () => gateway.stream(names as never)
      expect(call).toThrow(expect.toSatisfy(isRequestValidationError))
      expect(call).toThrow('gateway.stream: 1 problem')
      expect(call).toThrow('expected a list of names of events')
    },
  )

  it.each(names)('the event name can be %s', async (name) => {
    const gateway = createGateway()
    const listener = () => {}
    expect(gateway.on(name, listener).once(name, listener).off(name, listener)).toBe(gateway)
    const stream = gateway.stream([name])
    const waiting = gateway.waitFor(name)
    await gateway.disconnect()
    await expect(waiting).rejects.toMatchObject({ reason: 'disconnected' })
    expect(await stream.next()).toEqual({ done: true, value: undefined })
  })
})
