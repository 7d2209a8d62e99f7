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
import type { CallEnd, CallWait, ClientEvents, Instrumentation } from '../transport/events'
import type { Metrics } from './attributes'
import { calledAttributes, errorType, isDocumented, requestName } from './attributes'

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
  readonly metrics: Metrics
  /** Attributes of the service. */
  readonly server: Attributes
  readonly propagate?: boolean | undefined
  readonly httpInstrumentation?: boolean | undefined
  /** Calls the app's telemetry: if it throws, the call goes on. */
  readonly guard: <T>(use: () => T) => T | undefined
}

export function traceCalls({ tracer, metrics, server, propagate, httpInstrumentation, guard }: Telemetry) {
  const open = new Map<number, Active>()

  function start(name: string, parent: Context, attributes: Attributes = {}, kind = SpanKind.INTERNAL): Active {
    const span = tracer.startSpan(name, { kind, attributes }, parent)
    return { span, context: trace.setSpan(parent, span) }
  }

  /** Ends a span. Its status has no description, which could quote anything. */
  function end(span: Span | undefined, attributes: Attributes = {}, isError = false): void {
    if (isError) span?.setStatus({ code: SpanStatusCode.ERROR })
    guard(() => span?.setAttributes(attributes).end())
  }

  const addEvent = (name: string) => (event: ClientEvents['request'] | CallWait) => {
    const call = open.get(event.callId)
    // Each client of an account emits `elevated`.
    if (!call || (name === 'elevated' && call.lastEvent === name)) return
    const wait = 'waitMs' in event && { 'rapport.wait.reason': `${event.reason}`, 'rapport.wait.ms': event.waitMs }
    call.span.addEvent(name, { ...wait })
    call.lastEvent = name
  }

  function startAttempt(event: ClientEvents['request']): void {
    const call = open.get(event.callId)
    if (call === undefined) return
    if (call.lastEvent === 'mfa_required') addEvent('elevated')(event)
    const called = calledAttributes(event)
    const resends = event.attempt > 1 && { 'http.request.resend_count': event.attempt - 1 }
    const kind = httpInstrumentation ? SpanKind.INTERNAL : SpanKind.CLIENT
    call.attempt = start(requestName(called), call.context, { ...called, ...server, ...resends }, kind)
  }

  function endAttempt(event: ClientEvents['response'] | ClientEvents['requestFailed'], error?: string): void {
    const { 'rapport.endpoint': _, ...called } = calledAttributes(event)
    const { status, durationMs } = event
    const outcome = { ...(status && { 'http.response.status_code': status }), ...(error && { 'error.type': error }) }
    const call = open.get(event.callId)
    end(call?.attempt?.span, outcome, error !== undefined && error !== 'AbortError')
    if (call) call.attempt = undefined
    if (!httpInstrumentation) metrics.requestDuration.record(durationMs / 1000, { ...called, ...server, ...outcome })
  }

  function endCall({ callId, endpoint, method, path = '', outcome, errorName, status, ...numbers }: CallEnd): void {
    const { durationMs, waitedMs, promptMs, attempts } = numbers
    const called = calledAttributes({ endpoint, method, path })
    const result = { ...called, 'rapport.outcome': outcome, ...(errorName && { 'error.type': errorType(errorName) }) }
    const times = { 'rapport.waited.ms': waitedMs, 'rapport.prompt.ms': promptMs, 'rapport.attempts': attempts }
    const attributes = { ...result, ...times, ...(status && { 'http.response.status_code': status }) }
    // A sign-in that fails between its calls has an end, but no start.
    const startLate = () => (attempts ? undefined : tracer.startSpan(endpoint, { startTime: Date.now() - durationMs }))
    end(open.get(callId)?.span ?? guard(startLate), attributes, outcome === 'error')
    open.delete(callId)
    metrics.callDuration.record(durationMs / 1000, result)
    if (waitedMs >= 1) metrics.waitDuration.record(waitedMs / 1000, called)
    if (promptMs > 0) metrics.promptDuration.record(promptMs / 1000, called)
  }

  const handlers: { readonly [K in keyof ClientEvents]?: (event: ClientEvents[K]) => void } = {
    request: startAttempt,
    response: (event) => endAttempt(event, event.status < 400 ? undefined : String(event.status)),
    requestFailed: (event) => endAttempt(event, errorType(event.errorCode ?? event.errorName)),
    retry: addEvent('retry'),
    rateLimited: addEvent('rate_limited'),
    mfaRequired: addEvent('mfa_required'),
    elevated: addEvent('elevated'),
    unauthorized: addEvent('unauthorized'),
    responseMismatch: addEvent('response_mismatch'),
    drift: ({ endpoint, kind }) => metrics.drift.add(1, { 'rapport.endpoint': endpoint, 'rapport.drift.kind': kind }),
    callEnd: endCall,
  }

  return {
    call(callId, endpoint, run) {
      const call = guard(() => start(isDocumented(endpoint) ? endpoint : 'request', context.active()))
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
      for (const { span, attempt } of open.values()) for (const each of [attempt?.span, span]) end(each)
      open.clear()
    },
  } satisfies Partial<Instrumentation> & { close(): void }
}

/** Returns the headers of a W3C trace context. */
function traceHeaders(span: Span): Record<string, string> {
  const { traceId, spanId, traceFlags, traceState } = span.spanContext()
  if (!isSpanContextValid({ traceId, spanId, traceFlags })) return {}
  const tracestate = traceState?.serialize()
  return { traceparent: `00-${traceId}-${spanId}-0${traceFlags & 1}`, ...(tracestate && { tracestate }) }
}
