import { SpanStatusCode } from '@opentelemetry/api'
import { instrument } from 'rapport-sdk/otel'
import { expect, it } from 'vitest'
import { settle, setUpLive } from '../live/set-up'
import { collect } from './telemetry'

async function setUp() {
  const live = await setUpLive()
  await live.client.gateway.disconnect()
  const telemetry = collect()
  const stop = instrument(live.client, telemetry.options)
  const sum = async (name: string) =>
    ((await telemetry.metrics())[name] ?? []).map(({ attributes, value }) => [...Object.values(attributes), value])
  return { ...live, telemetry, stop, sum }
}

it('each connection of the gateway has a separate span, with a link to the caller', async () => {
  const { client, telemetry } = await setUp()
  const caller = telemetry.tracer.startSpan('caller')
  const { context, trace } = await import('@opentelemetry/api')
  const connected = context.with(trace.setSpan(context.active(), caller), () => client.gateway.connect())
  await settle()
  await connected
  expect(telemetry.spans()).toEqual([])
  await client.gateway.disconnect()

  const span = telemetry.named('gateway connection')
  expect(span).toMatchObject({ parentSpanContext: undefined, status: { code: SpanStatusCode.UNSET }, attributes: {} })
  expect(span.links.map((link) => link.context.spanId)).toEqual([caller.spanContext().spanId])
  expect(span.events.map(({ name }) => name)).toEqual(['identifying', 'ready'])
})

it('a lost connection ends its span with an error, and the resumed one counts', async () => {
  const { client, service, ada, emit, telemetry, sum } = await setUp()
  const connected = client.gateway.connect()
  await settle()
  await connected
  await emit('Relationship Add', { id: '4815162342' })
  service.gateway.emit('SOMETHING_ELSE', {}, { to: ada })
  expect(await sum('rapport.gateway.connections')).toEqual([[1]])
  const resumed = client.gateway.waitFor('resumed')
  service.gateway.drop()
  await resumed
  await settle()

  const [lost] = telemetry.spans()
  expect(lost).toMatchObject({
    attributes: { 'error.type': 'connection_failed' },
    status: { code: SpanStatusCode.ERROR },
  })
  expect(await sum('rapport.gateway.connections')).toEqual([[1]])
  expect(await sum('rapport.gateway.reconnects')).toEqual([[1]])
  expect(await sum('rapport.gateway.resumes')).toEqual([[1]])
  expect(await sum('rapport.gateway.events')).toEqual([
    ['ready', 1],
    ['relationshipAdd', 1],
    ['_OTHER', 1],
    ['resumed', 1],
  ])
  client.dispose()
  expect(await sum('rapport.gateway.connections')).toEqual([[0]])
  expect(await telemetry.dump()).not.toContain('4815162342')
  expect(telemetry.spans()[1]?.events.map(({ name }) => name)).toContain('resumed')
})

it('the number of connections is right whenever instrumentation begins and ends, and 0 before the first one', async () => {
  const { client, stop, sum } = await setUp()
  expect(await sum('rapport.gateway.connections')).toEqual([[0]])
  const connected = client.gateway.connect()
  await settle()
  await connected
  stop()
  expect(await sum('rapport.gateway.connections')).toEqual([[0]])
  const telemetry = collect()
  instrument(client, telemetry.options)
  const connections = async () => (await telemetry.metrics())['rapport.gateway.connections']?.map(({ value }) => value)
  expect(await connections()).toEqual([1])
  await client.gateway.disconnect()
  expect([await connections(), await sum('rapport.gateway.connections')]).toEqual([[0], [[0]]])
})

it('instrumenting a client does not create its gateway, which would connect', async () => {
  const { createClient, service, ada } = await setUp()
  let sockets = 0
  class CountingSocket extends service.WebSocket {
    constructor(url: string | URL) {
      super(url)
      sockets++
    }
  }
  const gateway = { url: service.gateway.url, WebSocket: CountingSocket, connectOnSignIn: true }
  const parent = createClient(ada, { gateway })
  const child = parent.as(service.token(ada))
  instrument(child, collect().options)
  await settle()
  expect(sockets).toBe(1)
  child.dispose()
})

it('a load of a live store has a span, whose child is the call', async () => {
  const { client, service, telemetry, sum } = await setUp()
  const connected = client.gateway.connect()
  await settle()
  await connected
  const store = client.relationships.live()
  await settle()
  await store.ready
  service.faults.on('Get Relationships', { status: 500, times: 1 })
  await store.refresh().catch(() => {})

  const [load, failed] = telemetry.spans().filter(({ name }) => name === 'load client.relationships.live')
  if (!load || !failed) throw new Error('A load has no span.')
  expect(telemetry.childrenOf(load).map(({ name }) => name)).toEqual(['Get Relationships'])
  expect(load.status.code).toBe(SpanStatusCode.UNSET)
  expect(failed).toMatchObject({ status: { code: SpanStatusCode.ERROR }, attributes: { 'error.type': 'ServerError' } })
  expect(await sum('rapport.live.loads')).toEqual([
    ['client.relationships.live', 1],
    ['client.relationships.live', 'ServerError', 1],
  ])
})

it.each([
  ['the store', 'AbortError'],
  ['the client', 'RapportError'],
])('a load that ends with %s has a span without an error', async (owner, type) => {
  const { client, service, telemetry } = await setUp()
  const connected = client.gateway.connect()
  await settle()
  await connected
  const store = client.relationships.live()
  await settle()
  await store.ready
  service.faults.on('Get Relationships', { stall: true })
  const refreshed = store.refresh().catch(() => {})
  await settle()
  if (owner === 'the client') client.dispose()
  else store.close()
  await refreshed
  await settle()

  const [, load] = telemetry.spans().filter(({ name }) => name === 'load client.relationships.live')
  expect(load).toMatchObject({ status: { code: SpanStatusCode.UNSET }, attributes: { 'error.type': type } })
})
