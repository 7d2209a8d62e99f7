// Turns a client's events into OpenTelemetry spans: one per request, as a child of the task's span, and one span event for
// each retry, rate limit and step-up. No attribute contains a secret.
import assert from 'node:assert/strict'
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { Client } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'

const spans = new InMemorySpanExporter()
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }))
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
const tracer = trace.getTracer('app')

/** Traces every request of a client. Events are emitted in the async context of their call, so spans have the right parent. */
function traceClient(client: Client): void {
  client.on('response', ({ endpoint, method, path, attempt, status, durationMs }) => {
    const span = tracer.startSpan(endpoint, {
      kind: SpanKind.CLIENT,
      startTime: Date.now() - durationMs,
      attributes: {
        'http.request.method': method,
        'url.template': path,
        'http.response.status_code': status,
        'http.request.resend_count': attempt - 1,
      },
    })
    if (status >= 400) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
  })
  for (const type of ['retry', 'rateLimited', 'mfaRequired', 'elevated', 'responseMismatch'] as const) {
    client.on(type, ({ endpoint }) => trace.getActiveSpan()?.addEvent(type, { endpoint }))
  }
}

const service = createMockService()
const ada = service.users.create({ login: 'ada@example.com', password: 'correct horse battery', mfa: ['totp'] })
const client = new Client({
  baseUrl: service.baseUrl,
  fetch: service.fetch,
  token: service.token(ada),
  onMfaRequired: () => ({ type: 'totp', code: service.users.totp(ada) }),
})
traceClient(client)
service.faults.on('Get Auth Sessions', { status: 502, times: 1 })

await tracer.startActiveSpan('sign other devices out', async (task) => {
  const { user_sessions } = await client.auth.sessions.list()
  await client.auth.sessions.logout({ session_id_hashes: user_sessions.map(({ id_hash }) => id_hash) })
  task.end()
})

const [task, ...requests] = spans.getFinishedSpans().toReversed()
assert.equal(task?.name, 'sign other devices out')
for (const { name, attributes, parentSpanContext } of requests.toReversed()) {
  assert.equal(parentSpanContext?.spanId, task.spanContext().spanId)
  console.log(`${String(attributes['http.response.status_code'])} ${name}`)
}
const events = task.events.map(({ name }) => name)
console.log(`span events: ${events.join(', ')}`)
assert.deepEqual(events, ['retry', 'mfaRequired', 'elevated'])
