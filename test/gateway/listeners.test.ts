import { getEventListeners } from 'node:events'
import { runInNewContext } from 'node:vm'
import {
  type CustomEventName,
  type GatewayEvents,
  isGatewayError,
  isRequestValidationError,
  type Logger,
} from 'rapport-sdk'
import { describe, expect, it, onTestFinished, test, vi } from 'vitest'
import { createGatewayClient, NO_WAIT, serveGateway } from '../servers/gateway-server'
import { behaving, ScriptedSocket } from '../servers/scripted-socket'
import { rejectionOf } from '../transport/rejection'

/** Records the errors that would end the process, until the test is over. */
function catchUncaught(): unknown[] {
  const errors: unknown[] = []
  const before = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException').on('uncaughtException', (error) => errors.push(error))
  onTestFinished(() => {
    process.removeAllListeners('uncaughtException')
    for (const listener of before) process.on('uncaughtException', listener)
  })
  return errors
}

async function connected(logger?: Logger) {
  const server = await serveGateway()
  const { gateway } = createGatewayClient(server, logger === undefined ? {} : { logger })
  await gateway.connect()
  let sequence = 1
  const peer = await server.peer()
  const send = (id: string) => peer.dispatch('RELATIONSHIP_REMOVE', { id }, ++sequence)
  return { gateway, send, peer }
}

test('a listener that throws affects neither other listeners nor later frames and is reported as an error', async () => {
  const { gateway, send } = await connected()
  const received: string[] = []
  const mistakes = [new Error('one'), new Error('two')]
  const errors: unknown[] = []
  gateway.on('error', (error) => errors.push(error))
  gateway.on('relationshipRemove', ({ id }) => received.push(`before ${id}`))
  gateway.on('relationshipRemove', ({ id }) => {
    throw mistakes[Number(id)]
  })
  gateway.on('relationshipRemove', ({ id }) => received.push(`after ${id}`))
  send('0')
  send('1')
  await vi.waitFor(() => expect(received).toEqual(['before 0', 'after 0', 'before 1', 'after 1']))
  for (const error of errors) expect(error).toSatisfy(isGatewayError)
  expect(errors).toMatchObject(mistakes.map((cause) => ({ reason: 'listener_threw', cause })))
  expect(gateway.state).toBe('ready')
})

test('a listener that rejects is reported as an error', async () => {
  const { gateway, send } = await connected()
  const cause = new Error('later')
  const error = new Promise((resolve) => gateway.on('error', resolve))
  gateway.on('relationshipRemove', async () => {
    throw cause
  })
  send('1')
  expect(await error).toMatchObject({ reason: 'listener_threw', cause })
})

test('a listener that rejects with a promise of another realm is reported as an error', async () => {
  const { gateway, send } = await connected()
  const error = new Promise((resolve) => gateway.on('error', resolve))
  gateway.on('relationshipRemove', runInNewContext("async () => { throw 'later' }"))
  send('1')
  expect(await error).toMatchObject({ reason: 'listener_threw', cause: 'later' })
})

test.each(['dispatch', 'ready', 'stateChange', 'warning'] as const)(
  'a listener of %s that throws is reported as an error',
  async (type) => {
    const server = await serveGateway({ onIdentify: (peer) => peer.raw('x').ready() })
    const { gateway } = createGatewayClient(server)
    gateway.on(type, () => {
      throw new Error(type)
    })
    const errors: unknown[] = []
    gateway.on('error', ({ cause }) => errors.push(cause))
    await gateway.connect()
    await vi.waitFor(() => expect(errors).toContainEqual(new Error(type)))
    expect(gateway.state).toBe('ready')
  },
)

test('an error listener that throws or rejects is logged and called once', async () => {
  const logged: unknown[] = []
  const { gateway, send } = await connected({ error: (_, details) => logged.push(details) })
  const mistakes = [new Error('at once'), new Error('later')]
  let calls = 0
  gateway.on('error', () => {
    calls++
    throw mistakes[0]
  })
  gateway.on('error', async () => {
    throw mistakes[1]
  })
  gateway.on('relationshipRemove', () => {
    throw new Error('first')
  })
  send('1')
  await vi.waitFor(() => expect(logged).toHaveLength(3))
  expect(logged).toEqual([expect.objectContaining({ reason: 'listener_threw' }), ...mistakes])
  expect(calls).toBe(1)
})

test('a listener that throws is an uncaught error if there is neither an `error` listener nor a logger', async () => {
  const uncaught = catchUncaught()
  const { gateway, send } = await connected()
  const received: string[] = []
  const mistakes = [new Error('one'), new Error('two')]
  gateway.on('relationshipRemove', ({ id }) => {
    throw mistakes[Number(id)]
  })
  gateway.on('relationshipRemove', ({ id }) => received.push(id))
  send('0')
  send('1')
  await vi.waitFor(() => expect(uncaught).toEqual(mistakes))
  expect(received).toEqual(['0', '1'])
  expect(gateway.state).toBe('ready')
})

test('a listener that rejects is an uncaught error if there is neither an `error` listener nor a logger', async () => {
  const uncaught = catchUncaught()
  const { gateway, send } = await connected()
  const mistake = new Error('later')
  gateway.on('dispatch', () => Promise.reject(mistake))
  send('1')
  await vi.waitFor(() => expect(uncaught).toEqual([mistake]))
  expect(gateway.state).toBe('ready')
})

test('a listener that throws is only logged if there is a logger and no `error` listener', async () => {
  const uncaught = catchUncaught()
  const logged: unknown[] = []
  const { gateway, send } = await connected({ error: (_, details) => logged.push(details) })
  const mistake = new Error('logged')
  gateway.on('relationshipRemove', () => {
    throw mistake
  })
  send('1')
  await vi.waitFor(() => expect(logged).toEqual([mistake]))
  expect(uncaught).toEqual([])
})

test('an `error` listener that throws is an uncaught error if there is no logger, and is called once', async () => {
  const uncaught = catchUncaught()
  const { gateway, send } = await connected()
  const mistake = new Error('of the listener of errors')
  let calls = 0
  gateway.on('error', () => {
    calls++
    throw mistake
  })
  gateway.on('relationshipRemove', () => {
    throw new Error('first')
  })
  send('1')
  await vi.waitFor(() => expect(uncaught).toEqual([mistake]))
  expect(calls).toBe(1)
})

test('listeners are added, removed and called once as in eventemitter3', async () => {
  const { gateway, send } = await connected()
  const received: string[] = []
  const every = ({ id }: { readonly id: string }) => received.push(`every ${id}`)
  const never = ({ id }: { readonly id: string }) => received.push(`never ${id}`)
  const returned = gateway
    .on('relationshipRemove', every)
    .on('relationshipRemove', never)
    .once('relationshipRemove', never)
    .off('relationshipRemove', never)
    .once('relationshipRemove', ({ id }) => received.push(`once ${id}`))
  expect(returned).toBe(gateway)
  send('1')
  send('2')
  await vi.waitFor(() => expect(received).toEqual(['every 1', 'once 1', 'every 2']))
  expect(() => gateway.on('ready', undefined as never)).toThrow(TypeError)
})

test('on(), once() and off() throw a TypeError for a listener that is not a function', async () => {
  const { gateway } = await connected()
  for (const method of [gateway.on, gateway.once, gateway.off]) {
    expect(() => method('relationshipRemove', undefined as never)).toThrow(TypeError)
  }
})

describe('a thousand reconnects', () => {
  it('leave as many timers and listeners as one', async () => {
    vi.useFakeTimers()
    ScriptedSocket.reset(behaving())
    const { gateway } = createGatewayClient(
      { url: 'wss://gateway.example' },
      { gateway: { WebSocket: ScriptedSocket, backoff: { ...NO_WAIT, resetAfter: 0 } } },
    )
    let received = 0
    gateway.on('relationshipRemove', () => received++)
    gateway.connect().catch(() => {})
    await vi.advanceTimersByTimeAsync(1)
    const timers = vi.getTimerCount()
    const listeners = ScriptedSocket.last.listenerCount
    for (let round = 0; round < 1_000; round++) {
      ScriptedSocket.last.emit('close', { code: 1006 })
      await vi.advanceTimersByTimeAsync(1)
      expect(vi.getTimerCount()).toBe(timers)
    }
    expect(ScriptedSocket.sockets).toHaveLength(1_001)
    expect(gateway.state).toBe('ready')
    expect(ScriptedSocket.last.listenerCount).toBe(listeners)
    ScriptedSocket.last.receive({ op: 0, t: 'RELATIONSHIP_REMOVE', s: 2, d: { id: '1' } })
    expect(received).toBe(1)
    await gateway.disconnect()
    expect(vi.getTimerCount()).toBe(0)
  })
})

it('300 reconnects over a real socket leave as many handles as one, and each event is emitted once', async () => {
  const server = await serveGateway({
    onResume: (peer, { d }) => {
      const sequence = Number(Object(d).seq) + 1
      peer.dispatch('RELATIONSHIP_REMOVE', { id: String(sequence) }, sequence)
      peer.dispatch('RESUMED', {}, sequence + 1)
    },
  })
  const { gateway } = createGatewayClient(server)
  const received: string[] = []
  gateway.on('relationshipRemove', ({ id }) => received.push(id))
  await gateway.connect()
  const handles = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length
  const before = handles()
  for (let round = 0; round < 300; round++) {
    const resumed = gateway.waitFor('resumed')
    server.peers.at(-1)?.socket.terminate()
    await resumed
  }
  expect(received).toHaveLength(300)
  expect(new Set(received).size).toBe(300)
  await vi.waitFor(() => expect(handles()).toBeLessThanOrEqual(before))
  expect(server.peers.filter(({ isOpen }) => isOpen)).toHaveLength(1)
})

const KNOWN: Record<Exclude<keyof GatewayEvents, CustomEventName>, true> = {
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
const createGateway = () => createGatewayClient({ url: 'wss://gateway.example' }).gateway

test.each(unknown)('on(), once() and off() reject the unknown event name %j', (name) => {
  const gateway = createGateway()
  for (const method of ['on', 'once', 'off'] as const) {
    const call = () => gateway[method](name, () => {})
    expect(call).toThrow(expect.toSatisfy(isRequestValidationError))
    expect(call).toThrow(`gateway.${method}: 1 problem`)
    expect(call).toThrow(`unknown; expected one of ${names.join(', ')}`)
  }
})

test.each(unknown)('waitFor() rejects the unknown event name %j', async (name) => {
  const error = await rejectionOf(createGateway().waitFor(name), isRequestValidationError)
  expect(error.endpoint).toBe('gateway.waitFor')
  expect(error.issues).toMatchObject([{ path: [String(name)], code: 'invalid_value' }])
})

test('stream() rejects all unknown event names at once and adds no listener', () => {
  const { signal } = new AbortController()
  const gateway = createGateway()
  const call = () => gateway.stream(['ready', 'typo', 'error', 'toString'] as never[], { signal })
  expect(call).toThrow(expect.toSatisfy(isRequestValidationError))
  expect(call).toThrow('gateway.stream: 2 problems')
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test.each(names)('the event name can be %s', async (name) => {
  const gateway = createGateway()
  const listener = () => {}
  expect(gateway.on(name, listener).once(name, listener).off(name, listener)).toBe(gateway)
  const stream = gateway.stream([name])
  const waiting = gateway.waitFor(name)
  await gateway.disconnect()
  await expect(waiting).rejects.toMatchObject({ reason: 'disconnected' })
  expect(await stream.next()).toEqual({ done: true, value: undefined })
})
