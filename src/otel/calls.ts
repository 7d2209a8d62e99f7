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
import type { CallEnd, CallInfo, CallWait, ClientEvents, Instrumentation } from '../transport/events'
import { calledAttributes, errorType, isDocumented, requestName } from './attributes'
import type { Metrics } from './metrics'

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
}

/** Creates the spans and metrics of calls and their attempts. */
export function traceCalls({ tracer, metrics, server, propagate, httpInstrumentation }: Telemetry) {
  const open = new Map<number, Active>()

  function start(name: string, parent: Context, attributes: Attributes = {}, kind = SpanKind.INTERNAL): Active {
    const span = tracer.startSpan(name, { kind, attributes }, parent)
    return { span, context: trace.setSpan(parent, span) }
  }

  const addEvent = (name: string) => (event: CallInfo | CallWait) => {
    const call = open.get(event.callId)
    const isWait = 'waitMs' in event
    call?.span.addEvent(
      name,
      isWait ? { 'rapport.wait.reason': `${event.reason}`, 'rapport.wait.ms': event.waitMs } : {},
    )
    if (call) call.lastEvent = name
  }

  function startAttempt(event: CallInfo): void {
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
    if (!httpInstrumentation) metrics.requestDuration.record(durationMs / 1000, { ...called, ...server, ...outcome })
    const call = open.get(event.callId)
    end(call?.attempt?.span, outcome, error !== undefined)
    if (call) call.attempt = undefined
  }

  function endCall({ callId, endpoint, method, path = '', outcome, errorName, status, ...numbers }: CallEnd): void {
    const { durationMs, waitedMs, promptMs, attempts } = numbers
    const called = calledAttributes({ endpoint, method, path })
    const result = { ...called, 'rapport.outcome': outcome, ...(errorName && { 'error.type': errorType(errorName) }) }
    metrics.callDuration.record(durationMs / 1000, result)
    if (waitedMs >= 1) metrics.waitDuration.record(waitedMs / 1000, called)
    if (promptMs > 0) metrics.promptDuration.record(promptMs / 1000, called)
    const times = { 'rapport.waited.ms': waitedMs, 'rapport.prompt.ms': promptMs, 'rapport.attempts': attempts }
    const attributes = { ...result, ...times, ...(status && { 'http.response.status_code': status }) }
    // A sign-in that fails between its calls has an end, but no start.
    const startTime = Date.now() - durationMs
    const span = open.get(callId)?.span ?? (attempts > 0 ? undefined : tracer.startSpan(endpoint, { startTime }))
    open.delete(callId)
    end(span, attributes, outcome === 'error')
  }

  const handlers: { readonly [K in keyof ClientEvents]?: (event: ClientEvents[K]) => void } = {
    request: startAttempt,
    response: (event) => endAttempt(event, event.status < 400 ? undefined : String(event.status)),
    requestFailed: (event) => endAttempt(event, errorType(event.errorCode ?? event.errorName)),
    retry: addEvent('retry'),
    rateLimited: addEvent('rate_limited'),
    mfaRequired: addEvent('mfa_required'),
    unauthorized: addEvent('unauthorized'),
    responseMismatch: addEvent('response_mismatch'),
    callEnd: endCall,
  }

  return {
    call(callId, endpoint, run) {
      const call = start(isDocumented(endpoint) ? endpoint : 'request', context.active())
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
      metrics.queueLength.add(1)
      return place.finally(() => metrics.queueLength.add(-1))
    },
    onEvent: (type, event) => handlers[type]?.(event),
    close() {
      for (const { span, attempt } of open.values()) for (const each of [attempt?.span, span]) each?.end()
      open.clear()
    },
  } satisfies Partial<Instrumentation> & { close(): void }
}

/** Returns the headers of a W3C trace context. */
function traceHeaders(span: Span): Record<string, string> {
  const spanContext = span.spanContext()
  if (!isSpanContextValid(spanContext)) return {}
  const { traceId, spanId, traceFlags, traceState } = spanContext
  const tracestate = traceState?.serialize()
  return { traceparent: `00-${traceId}-${spanId}-0${traceFlags & 1}`, ...(tracestate && { tracestate }) }
}

/** Ends a span. Its status has no description, which could quote anything. */
function end(span: Span | undefined, attributes: Attributes, isError: boolean): void {
  span?.setAttributes(attributes)
  if (isError) span?.setStatus({ code: SpanStatusCode.ERROR })
  span?.end()
}
