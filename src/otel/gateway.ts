// Spans and metrics of gateways and live stores.
import { type Attributes, context, type Span, SpanStatusCode, trace } from '@opentelemetry/api'
import { DISPOSED } from '../errors/base'
import { GATEWAY_EVENT_NAMES } from '../gateway/events'
import type { GatewaySignal } from '../gateway/listeners'
import type { Followers, Instrumentation } from '../transport/events'
import { errorType, OTHER } from './attributes'
import type { Telemetry } from './calls'

/** Creates a span for each connection and each load, and counts what happens at the gateway. */
export function traceGateways({ tracer, metrics, guard }: Telemetry, { ready }: Followers) {
  const open = new Map<object, Span>()
  // Those that were connected before, or none, so that there is a value.
  guard(() => metrics.connections.add(ready.size))

  function end(gateway: object, failure?: string, closeCode?: number): void {
    const span = open.get(gateway)
    open.delete(gateway)
    if (closeCode !== undefined) span?.setAttribute('rapport.gateway.close_code', closeCode)
    if (failure !== undefined && failure !== 'disconnected')
      span?.setAttribute('error.type', failure).setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
  }

  return {
    onGateway: (gateway: object, { type, data }: Exclude<GatewaySignal, { type: 'error' }>) =>
      guard(() => {
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
        const { state, previous, error, closeCode } = data
        metrics.connections.add(Number(state === 'ready') - Number(previous === 'ready'))
        if (state === 'reconnecting') metrics.reconnects.add(1)
        if (state === 'reconnecting' || state === 'closed') return end(gateway, error?.reason, closeCode)
        if (state !== 'connecting') return void span?.addEvent(state)
        end(gateway)
        // A connection may last for days: its span has a trace of its own, with a link to the caller's.
        const caller = trace.getSpanContext(context.active())
        const links = caller ? [{ context: caller }] : []
        open.set(gateway, tracer.startSpan('gateway connection', { root: true, links }))
      }),
    async load(store, run) {
      const attributes: Attributes = { 'rapport.live.store': store }
      const span = guard(() => tracer.startSpan(`load ${store}`, { attributes }))
      try {
        return await (span ? context.with(trace.setSpan(context.active(), span), run) : run())
      } catch (error) {
        const { name, message } = Object(error)
        attributes['error.type'] = errorType(String(name))
        span?.setAttributes(attributes)
        if (name !== 'AbortError' && message !== DISPOSED) span?.setStatus({ code: SpanStatusCode.ERROR })
        throw error
      } finally {
        guard(() => span?.end())
        guard(() => metrics.loads.add(1, attributes))
      }
    },
    close() {
      for (const gateway of [...open.keys()]) guard(() => end(gateway))
      guard(() => metrics.connections.add(-ready.size))
    },
  } satisfies Partial<Instrumentation> & { close(): void }
}
