// Creates OpenTelemetry spans of calls and their attempts with `rapport-sdk/otel`, as children of the span of a task: also of
// a call that fails and one that times out. No attribute contains a secret.
import assert from 'node:assert/strict'
import { context, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { Client } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { instrument } from 'rapport-sdk/otel'

// An app exports its spans to a collector instead.
const spans = new InMemorySpanExporter()
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }))
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())

const service = createMockService()
const ada = service.users.create({ login: 'ada@example.com', password: 'correct horse battery', mfa: ['totp'] })
const client = new Client({
  baseUrl: service.baseUrl,
  fetch: service.fetch,
  token: service.token(ada),
  onMfaRequired: () => ({ type: 'totp', code: service.users.totp(ada) }),
})
instrument(client)
service.faults.on('Get Auth Sessions', { status: 502, times: 1 })
service.faults.on('Get Friend Suggestions', { stall: true })

await trace.getTracer('app').startActiveSpan('sign all devices out', async (task) => {
  await client.relationships.accept('42').catch(() => {})
  await client.friendSuggestions.list({ timeout: 50 }).catch(() => {})
  const { user_sessions } = await client.auth.sessions.list()
  await client.auth.sessions.logout({ session_id_hashes: user_sessions.map(({ id_hash }) => id_hash) })
  task.end()
})

const finished = spans.getFinishedSpans()
const childrenOf = (span: ReadableSpan) =>
  finished
    .filter(({ parentSpanContext }) => parentSpanContext?.spanId === span.spanContext().spanId)
    .sort((one, other) => one.startTime[0] - other.startTime[0] || one.startTime[1] - other.startTime[1])

/** Prints a span and its children. */
function print(span: ReadableSpan, depth = 0): void {
  const { 'http.response.status_code': status, 'error.type': error } = span.attributes
  const failure = span.status.code === SpanStatusCode.ERROR ? ` (${error})` : ''
  const events = span.events.map(({ name }) => ` · ${name}`).join('')
  console.log(`${'  '.repeat(depth)}${span.name}${depth > 0 && status ? ` ${status}` : ''}${failure}${events}`)
  for (const child of childrenOf(span)) print(child, depth + 1)
}

const task = finished.find(({ name }) => name === 'sign all devices out')
assert(task)
print(task)
assert.deepEqual(
  childrenOf(task).map(({ name, attributes }) => [name, attributes['rapport.outcome'], attributes['error.type']]),
  [
    ['Create Relationship', 'error', 'NotFoundError'],
    ['Get Friend Suggestions', 'error', 'TimeoutError'],
    ['Get Auth Sessions', 'success', undefined],
    ['Logout Auth Sessions', 'success', undefined],
  ],
)
