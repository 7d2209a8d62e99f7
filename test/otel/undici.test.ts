import { context, propagation, SpanKind } from '@opentelemetry/api'
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core'
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici'
import { Client } from 'rapport-sdk'
import { instrument } from 'rapport-sdk/otel'
import { expect, it, onTestFinished } from 'vitest'
import { json, serve } from '../servers/http-server'
import { collect } from './telemetry'

async function setUp(httpInstrumentation: boolean) {
  const server = await serve(json(502, {}), json(200, []))
  const telemetry = collect()
  const undici = new UndiciInstrumentation()
  undici.setTracerProvider(telemetry.tracers)
  undici.setMeterProvider(telemetry.meters)
  undici.enable()
  propagation.setGlobalPropagator(
    new CompositePropagator({ propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()] }),
  )
  onTestFinished(() => {
    undici.disable()
    propagation.disable()
  })
  const client = new Client({ baseUrl: server.url, token: 'token' })
  instrument(client, { ...telemetry.options, httpInstrumentation })
  return { server, telemetry, client }
}

it('with `httpInstrumentation`, each request is one CLIENT span and one value of the metric: those of undici', async () => {
  const { server, client, telemetry } = await setUp(true)
  await client.relationships.list()

  const call = telemetry.named('Get Relationships')
  const attempts = telemetry.childrenOf(call)
  expect(attempts.map(({ name, kind }) => [name, kind])).toEqual([
    ['GET /users/@me/relationships', SpanKind.INTERNAL],
    ['GET /users/@me/relationships', SpanKind.INTERNAL],
  ])
  const requests = attempts.flatMap(telemetry.childrenOf)
  expect(requests.map(({ name, kind }) => [name, kind])).toEqual([
    ['GET', SpanKind.CLIENT],
    ['GET', SpanKind.CLIENT],
  ])
  expect(telemetry.spans()).toHaveLength(5)
  const points = (await telemetry.metrics())['http.client.request.duration'] ?? []
  expect(points.map(({ value }) => typeof value === 'object' && value.count)).toEqual([1, 1])
  // Its headers name its own spans.
  expect(server.requests.map(({ headers }) => String(headers.traceparent).split('-')[2])).toEqual(
    requests.map((request) => request.spanContext().spanId),
  )
})

it('without the option, each request counts twice: in this package’s spans and metric, and in those of undici', async () => {
  const { client, telemetry } = await setUp(false)
  await client.relationships.list()
  expect(telemetry.spans().filter(({ kind }) => kind === SpanKind.CLIENT)).toHaveLength(4)
})

it('`propagate` sends the trace context to the origin of baseUrl only, and never baggage', async () => {
  const other = await serve()
  const server = await serve((response) => void response.writeHead(307, { location: other.url }).end())
  const telemetry = collect()
  propagation.setGlobalPropagator(new W3CBaggagePropagator())
  onTestFinished(() => propagation.disable())
  const client = new Client({ baseUrl: server.url, token: 'token' })
  instrument(client, { ...telemetry.options, propagate: true })
  const baggage = propagation.createBaggage({ user: { value: 'ada' } })
  const call = context.with(propagation.setBaggage(context.active(), baggage), () =>
    client.relationships.list({ retry: 0 }),
  )
  await expect(call).rejects.toThrow('redirect')

  const [request] = server.requests
  expect(request?.headers.traceparent).toContain(telemetry.named('GET /users/@me/relationships').spanContext().spanId)
  expect(request?.headers).not.toHaveProperty('baggage')
  expect(other.requests).toEqual([])
})
