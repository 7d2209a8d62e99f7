import {
  type Attributes,
  type Context,
  context,
  isSpanContextValid,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import type { CallWait, ClientEvents, Instrumentation } from '../transport/events'
import { calledAttributes, type createMetrics, errorType, isDocumented, requestName } from './attributes'

/** A span and the context in which it is active; of a call also its attempt, and the name of its last event. */
interface Active {
  readonly span: Span
  readonly context: Context
  attempt?: Active | undefined
  lastEvent?: string
}

/** What spans and metrics are created with. */
export interface Telemetry {
  readonly tracer: Tracer
  readonly metrics: ReturnType<typeof createMetrics>
  /** Attributes of the service. */
  readonly server: Attributes
  readonly propagate?: boolean | undefined
  readonly httpInstrumentation?: boolean | undefined
  /** Calls the app's telemetry: if it throws, the call continues. */
  readonly guard: <T>(use: () => T) => T | undefined
}

type Handlers = { readonly [K in keyof ClientEvents]?: (event: ClientEvents[K]) => void }

export function traceCalls(telemetry: Telemetry) {
  const { tracer, metrics, propagate, guard } = telemetry
  const open = new Map<number, Active>()
  const handlers: Handlers = { ...createCallHandlers(telemetry, open), ...createAttemptHandlers(telemetry, open) }
  return {
    call(callId, endpoint, run) {
      const call = guard(() => start(tracer, isDocumented(endpoint) ? endpoint : 'request', context.active()))
      if (!call) return run()
      open.set(callId, call)
      return context.with(call.context, run)
    },
    send(callId, headers, send) {
      const attempt = open.get(callId)?.attempt
      if (attempt === undefined) return send()
      // Not by the app's propagator, which may add baggage.
      if (propagate) Object.assign(headers, traceHeaders(attempt.span))
      return context.with(attempt.context, send)
    },
    queue(place) {
      guard(() => metrics.queueLength.add(1))
      return place.finally(() => guard(() => metrics.queueLength.add(-1)))
    },
    onEvent: (type, event) => guard(() => handlers[type]?.(event)),
    close() {
      for (const { span, attempt } of open.values()) for (const each of [attempt?.span, span]) guard(() => end(each))
      open.clear()
    },
  } satisfies Partial<Instrumentation> & { close(): void }
}

function start(tracer: Tracer, name: string, parent: Context, attributes: Attributes = {}, kind = SpanKind.INTERNAL) {
  const span = tracer.startSpan(name, { kind, attributes }, parent)
  return { span, context: trace.setSpan(parent, span) }
}

/** Ends a span. Its status has no description, which could quote anything. */
function end(span: Span | undefined, attributes: Attributes = {}, isError = false): void {
  if (isError) span?.setStatus({ code: SpanStatusCode.ERROR })
  span?.setAttributes(attributes).end()
}

function addEvent(call: Active | undefined, name: string, event: object): void {
  // Each client of an account emits `elevated`.
  if (!call || (name === 'elevated' && call.lastEvent === name)) return
  const { reason, waitMs }: Partial<CallWait> = event
  const wait = waitMs !== undefined && { 'rapport.wait.reason': `${reason}`, 'rapport.wait.ms': waitMs }
  call.span.addEvent(name, { ...wait })
  call.lastEvent = name
}

function createCallHandlers({ tracer, metrics, guard }: Telemetry, open: Map<number, Active>): Handlers {
  const add = (name: string) => (event: { readonly callId: number }) => addEvent(open.get(event.callId), name, event)
  return {
    retry: add('retry'),
    rateLimited: add('rate_limited'),
    mfaRequired: add('mfa_required'),
    elevated: add('elevated'),
    unauthorized: add('unauthorized'),
    responseMismatch: add('response_mismatch'),
    drift: ({ endpoint, kind }) => metrics.drift.add(1, { 'rapport.endpoint': endpoint, 'rapport.drift.kind': kind }),
    callEnd({ callId, endpoint, method, path = '', outcome, errorName, status, ...numbers }) {
      const { durationMs, waitedMs, promptMs, attempts } = numbers
      const called = calledAttributes({ endpoint, method, path })
      const result = { ...called, 'rapport.outcome': outcome, ...(errorName && { 'error.type': errorType(errorName) }) }
      const times = { 'rapport.waited.ms': waitedMs, 'rapport.prompt.ms': promptMs, 'rapport.attempts': attempts }
      const attributes = { ...result, ...times, ...(status && { 'http.response.status_code': status }) }
      // A sign-in that fails between its calls has an end, but no start.
      const late = () => (attempts ? undefined : tracer.startSpan(endpoint, { startTime: Date.now() - durationMs }))
      guard(() => end(open.get(callId)?.span ?? late(), attributes, outcome === 'error'))
      open.delete(callId)
      metrics.callDuration.record(durationMs / 1000, result)
      if (waitedMs >= 1) metrics.waitDuration.record(waitedMs / 1000, called)
      if (promptMs > 0) metrics.promptDuration.record(promptMs / 1000, called)
    },
  }
}

function createAttemptHandlers(telemetry: Telemetry, open: Map<number, Active>): Handlers {
  const { tracer, metrics, server, httpInstrumentation, guard } = telemetry
  function endAttempt(event: ClientEvents['response'] | ClientEvents['requestFailed'], error?: string): void {
    const { 'rapport.endpoint': _, ...called } = calledAttributes(event)
    const { status, durationMs } = event
    const outcome = { ...(status && { 'http.response.status_code': status }), ...(error && { 'error.type': error }) }
    const call = open.get(event.callId)
    guard(() => end(call?.attempt?.span, outcome, error !== undefined && error !== 'AbortError'))
    if (call) call.attempt = undefined
    if (!httpInstrumentation) metrics.requestDuration.record(durationMs / 1000, { ...called, ...server, ...outcome })
  }
  return {
    request(event) {
      const call = open.get(event.callId)
      if (call === undefined) return
      if (call.lastEvent === 'mfa_required') addEvent(call, 'elevated', event)
      const called = calledAttributes(event)
      const resends = event.attempt > 1 && { 'http.request.resend_count': event.attempt - 1 }
      const kind = httpInstrumentation ? SpanKind.INTERNAL : SpanKind.CLIENT
      call.attempt = start(tracer, requestName(called), call.context, { ...called, ...server, ...resends }, kind)
    },
    response: (event) => endAttempt(event, event.status < 400 ? undefined : String(event.status)),
    requestFailed: (event) => endAttempt(event, errorType(event.errorCode ?? event.errorName)),
  }
}

function traceHeaders(span: Span): Record<string, string> {
  const { traceId, spanId, traceFlags, traceState } = span.spanContext()
  if (!isSpanContextValid({ traceId, spanId, traceFlags })) return {}
  const tracestate = traceState?.serialize()
  return { traceparent: `00-${traceId}-${spanId}-0${traceFlags & 1}`, ...(tracestate && { tracestate }) }
}
