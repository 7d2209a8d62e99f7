// Spans and metrics of gateways and live stores.
import { type Attributes, context, type Span, SpanStatusCode, trace } from '@opentelemetry/api'
import { GATEWAY_EVENT_NAMES } from '../gateway/events'
import type { Instrumentation } from '../transport/events'
import { errorType, OTHER } from './attributes'
import type { Telemetry } from './calls'

/** Creates a span for each connection and each load, and counts what happens at the gateway. */
export function traceGateways({ tracer, metrics }: Pick<Telemetry, 'tracer' | 'metrics'>) {
  const open = new Map<object, Span>()

  function end(gateway: object, failure?: string, closeCode?: number): void {
    const span = open.get(gateway)
    open.delete(gateway)
    if (closeCode !== undefined) span?.setAttribute('rapport.gateway.close_code', closeCode)
    if (failure !== undefined && failure !== 'disconnected') fail(span, { 'error.type': failure })
    span?.end()
  }

  return {
    onGateway(gateway, { type, data }) {
      const span = open.get(gateway)
      if (type === 'dispatch') {
        const name = GATEWAY_EVENT_NAMES.includes(data.type) ? data.type : OTHER
        return metrics.events.add(1, { 'rapport.gateway.event': name })
      }
      if (type === 'warning') return void span?.addEvent('warning', { 'rapport.gateway.warning': data.code })
      if (type === 'resumed') {
        metrics.resumes.add(1)
        return void span?.addEvent('resumed', { 'rapport.gateway.replayed': data.replayed })
      }
      const { state, previous, failure, closeCode } = data
      if (state === 'ready') metrics.connections.add(1)
      if (previous === 'ready') metrics.connections.add(-1)
      if (state === 'reconnecting') metrics.reconnects.add(1)
      if (state === 'reconnecting' || state === 'closed') return end(gateway, failure, closeCode)
      if (state !== 'connecting') return void span?.addEvent(state)
      end(gateway)
      // A connection may last for days: its span has a trace of its own, with a link to the caller's.
      const caller = trace.getSpanContext(context.active())
      const links = caller ? [{ context: caller }] : []
      open.set(gateway, tracer.startSpan('gateway connection', { root: true, links }))
    },
    async load(store, run) {
      const attributes: Attributes = { 'rapport.live.store': store }
      const span = tracer.startSpan(`load ${store}`, { attributes })
      try {
        return await context.with(trace.setSpan(context.active(), span), run)
      } catch (error) {
        attributes['error.type'] = errorType(String(Object(error).name))
        fail(span, attributes)
        throw error
      } finally {
        metrics.loads.add(1, attributes)
        span.end()
      }
    },
    close() {
      for (const gateway of [...open.keys()]) end(gateway)
    },
  } satisfies Partial<Instrumentation> & { close(): void }
}

function fail(span: Span | undefined, attributes: Attributes): void {
  span?.setAttributes(attributes).setStatus({ code: SpanStatusCode.ERROR })
}
