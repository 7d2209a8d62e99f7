import { getEventListeners } from 'node:events'
import { isGatewayError, isRequestValidationError, isTimeoutError } from 'rapport-sdk'
import { expect, test } from 'vitest'
import { createGatewayClient, serveGateway } from '../servers/gateway-server'
import { reasonOf, rejectionOf } from '../transport/rejection'

async function connected() {
  const server = await serveGateway()
  const { gateway } = createGatewayClient(server)
  await gateway.connect()
  const peer = await server.peer()
  let sequence = 1
  const remove = (...ids: number[]) => {
    for (const id of ids) peer.dispatch('RELATIONSHIP_REMOVE', { id: String(id) }, ++sequence)
  }
  /** Resolves when everything sent before has been received. */
  const flush = async () => {
    const flushed = gateway.waitFor('friendSuggestionDelete')
    peer.dispatch('FRIEND_SUGGESTION_DELETE', { suggested_user_id: '1' }, ++sequence)
    await flushed
  }
  return { gateway, peer, remove, flush }
}

test('waitFor() resolves with the next event that passes the filter', async () => {
  const { gateway, remove } = await connected()
  const next = gateway.waitFor('relationshipRemove', { filter: ({ id }) => Number(id) > 1 })
  remove(1, 2, 3)
  expect(await next).toEqual({ id: '2' })
})

test('waitFor() can be called before connect()', async () => {
  const server = await serveGateway()
  const { gateway } = createGatewayClient(server)
  const ready = gateway.waitFor('ready')
  const connected = await gateway.connect()
  expect(await ready).toEqual(connected)
})

test('waitFor() rejects with the reason of a signal that is aborted before or after the call', async () => {
  const { gateway } = await connected()
  const control = new AbortController()
  const waiting = reasonOf(gateway.waitFor('relationshipAdd', { signal: control.signal }))
  const reason = { why: 'enough' }
  control.abort(reason)
  expect(await waiting).toBe(reason)
  expect(await reasonOf(gateway.waitFor('relationshipAdd', { signal: control.signal }))).toBe(reason)
})

test('waitFor() rejects after its timeout', async () => {
  const { gateway } = await connected()
  const error = await rejectionOf(gateway.waitFor('relationshipAdd', { timeout: 20 }), isTimeoutError)
  expect(error).toMatchObject({ limit: 'timeout', limitMs: 20 })
  expect(error.message).toContain("gateway.waitFor('relationshipAdd')")
})

test('waitFor() rejects on disconnect(), also if the gateway was never connected', async () => {
  const { gateway } = await connected()
  const waiting = rejectionOf(gateway.waitFor('relationshipAdd'), isGatewayError)
  await gateway.disconnect()
  expect((await waiting).reason).toBe('disconnected')
  const idle = createGatewayClient({ url: 'wss://gateway.example' }).gateway
  const other = rejectionOf(idle.waitFor('relationshipAdd'), isGatewayError)
  await idle.disconnect()
  expect((await other).reason).toBe('disconnected')
})

test('waitFor() rejects with the error of its filter', async () => {
  const { gateway, remove } = await connected()
  const mistake = new Error('filter')
  const errors: unknown[] = []
  gateway.on('error', (error) => errors.push(error))
  const filter = () => {
    throw mistake
  }
  const waiting = reasonOf(gateway.waitFor('relationshipRemove', { filter }))
  remove(1)
  expect(await waiting).toBe(mistake)
  expect(errors).toEqual([])
})

test('waitFor() rejects at once for a disposed client', async () => {
  const { gateway } = await connected()
  const client = createGatewayClient({ url: 'wss://gateway.example' })
  client.dispose()
  expect((await rejectionOf(client.gateway.waitFor('ready'), isGatewayError)).reason).toBe('disconnected')
  expect(await client.gateway.stream(['ready']).next()).toEqual({ done: true, value: undefined })
  expect(gateway.state).toBe('ready')
})

test.each([{ timeout: 0 }, { timeout: '5' }, { signal: {} }, { filter: 5 }, { tiemout: 5 }, null])(
  'waitFor() rejects the options %j',
  async (options) => {
    const { gateway } = createGatewayClient({ url: 'wss://gateway.example' })
    await rejectionOf(gateway.waitFor('ready', options as never), isRequestValidationError)
  },
)

test('a stream yields the events of its types in order, from the call on', async () => {
  const { gateway, peer, remove, flush } = await connected()
  const stream = gateway.stream(['relationshipRemove', 'authSessionChange'])
  remove(1)
  peer.dispatch('AUTH_SESSION_CHANGE', { auth_session_id_hash: 'h' })
  remove(2)
  await flush()
  const seen: unknown[] = []
  for await (const { type, data } of stream) {
    seen.push([type, type === 'relationshipRemove' ? data.id : data.auth_session_id_hash])
    if (seen.length === 3) break
  }
  expect(seen).toEqual([
    ['relationshipRemove', '1'],
    ['authSessionChange', 'h'],
    ['relationshipRemove', '2'],
  ])
  expect(await stream.next()).toEqual({ done: true, value: undefined })
})

test('a stream ends on disconnect() after its buffer is read', async () => {
  const { gateway, remove, flush } = await connected()
  const stream = gateway.stream(['relationshipRemove'])
  remove(1, 2)
  await flush()
  await gateway.disconnect()
  const seen: string[] = []
  for await (const { data } of stream) seen.push(data.id)
  expect(seen).toEqual(['1', '2'])
})

test('a pending read of a stream ends on disconnect()', async () => {
  const { gateway } = await connected()
  const stream = gateway.stream(['relationshipRemove'])
  const reads = [stream.next(), stream.next()]
  await gateway.disconnect()
  expect(await Promise.all(reads)).toEqual([
    { done: true, value: undefined },
    { done: true, value: undefined },
  ])
})

test('a stream rejects with the error of a fatal close after its buffer is read', async () => {
  const { gateway, peer, remove, flush } = await connected()
  const stream = gateway.stream(['relationshipRemove'])
  remove(1)
  await flush()
  peer.socket.close(4004)
  await new Promise((resolve) => gateway.on('error', resolve))
  expect(await stream.next()).toMatchObject({ value: { data: { id: '1' } } })
  expect((await rejectionOf(stream.next(), isGatewayError)).closeCode).toBe(4004)
  expect(await stream.next()).toEqual({ done: true, value: undefined })
})

test('a stream rejects at once with the reason of its signal', async () => {
  const { gateway, remove, flush } = await connected()
  const control = new AbortController()
  const stream = gateway.stream(['relationshipRemove'], { signal: control.signal })
  remove(1)
  await flush()
  control.abort(null)
  expect(await reasonOf(stream.next())).toBeNull()
  expect(await stream.next()).toEqual({ done: true, value: undefined })
  const late = gateway.stream(['relationshipRemove'], { signal: control.signal })
  expect(await reasonOf(late.next())).toBeNull()
})

test('a pending read of a stream rejects with the reason of its signal', async () => {
  const { gateway } = await connected()
  const control = new AbortController()
  const stream = gateway.stream(['relationshipRemove'], { signal: control.signal })
  const reads = [reasonOf(stream.next()), stream.next()]
  control.abort('enough')
  expect(await Promise.all(reads)).toEqual(['enough', { done: true, value: undefined }])
})

test('an unread stream keeps 1,024 events, then ends with a typed error', async () => {
  const { gateway, remove, flush } = await connected()
  const stream = gateway.stream(['relationshipRemove'])
  const other = gateway.stream(['relationshipRemove'])
  const ids = Array.from({ length: 1_025 }, (_, index) => index)
  const first = other.next()
  remove(...ids)
  await flush()
  const seen: string[] = []
  const reading = async () => {
    for await (const { data } of stream) seen.push(data.id)
  }
  const error = await rejectionOf(reading(), isGatewayError)
  expect(error.reason).toBe('stream_overflow')
  expect(seen).toEqual(ids.slice(0, 1_024).map(String))
  // A stream that has read one event has room for all the others.
  expect(await first).toMatchObject({ value: { data: { id: '0' } } })
  for (const id of ids.slice(1)) expect(await other.next()).toMatchObject({ value: { data: { id: String(id) } } })
  expect(gateway.state).toBe('ready')
})

test('a stream leaves no listener on its signal, however it ends', async () => {
  const { gateway, remove, flush } = await connected()
  const { signal } = new AbortController()
  const broken = gateway.stream(['relationshipRemove'], { signal })
  remove(1)
  for await (const _ of broken) break
  await gateway.stream(['relationshipRemove'], { signal }).return?.()
  await gateway.waitFor('relationshipRemove', { signal, timeout: 5 }).catch(() => {})
  await flush()
  const open = gateway.stream(['relationshipRemove'], { signal })
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  await gateway.disconnect()
  expect(await open.next()).toEqual({ done: true, value: undefined })
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})

test('a stream of a type that is named twice yields each event once', async () => {
  const { gateway, remove, flush } = await connected()
  const stream = gateway.stream(['relationshipRemove', 'relationshipRemove'])
  remove(1)
  await flush()
  await gateway.disconnect()
  const seen: unknown[] = []
  for await (const event of stream) seen.push(event)
  expect(seen).toHaveLength(1)
})

test('a stream survives any number of reconnects', async () => {
  const server = await serveGateway()
  const { gateway } = createGatewayClient(server)
  await gateway.connect()
  const stream = gateway.stream(['relationshipRemove', 'stateChange'])
  for (let round = 0; round < 3; round++) {
    const resumed = gateway.waitFor('resumed')
    server.peers.at(-1)?.socket.terminate()
    await resumed
  }
  server.peers.at(-1)?.dispatch('RELATIONSHIP_REMOVE', { id: '1' })
  await gateway.waitFor('relationshipRemove')
  await gateway.disconnect()
  const seen: string[] = []
  for await (const event of stream) seen.push(event.type === 'stateChange' ? event.data.state : event.data.id)
  const round = ['reconnecting', 'connecting', 'resuming', 'ready']
  expect(seen).toEqual([...round, ...round, ...round, '1', 'closed'])
})

test.each([{ signal: 5 }, { timeout: 5 }, null])('stream() rejects the options %j', (options) => {
  const { gateway } = createGatewayClient({ url: 'wss://gateway.example' })
  expect(() => gateway.stream(['ready'], options as never)).toThrow(expect.toSatisfy(isRequestValidationError))
})
