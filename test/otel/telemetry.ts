import { context, type HrTime } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { type DataPoint, type Histogram, MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { onTestFinished } from 'vitest'

class Reader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

/** Milliseconds of a time. */
export const ms = ([seconds, nanoseconds]: HrTime): number => seconds * 1000 + nanoseconds / 1e6

/** A collector in memory. Spans find their parents by the async context, until the end of the test. */
export function collect() {
  const exporter = new InMemorySpanExporter()
  const reader = new Reader()
  const tracers = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  const meters = new MeterProvider({ readers: [reader] })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager())
  onTestFinished(async () => {
    context.disable()
    await Promise.all([tracers.shutdown(), meters.shutdown()])
  })
  const tracer = tracers.getTracer('test')
  const spans = () => exporter.getFinishedSpans()
  return {
    tracers,
    meters,
    tracer,
    /** Options of `instrument`. */
    options: { tracer, meter: meters.getMeter('test') },
    /** Ended spans, in the order of their end. */
    spans,
    named: (name: string): ReadableSpan => {
      const found = spans().filter((span) => span.name === name)
      if (found[0] === undefined || found.length > 1) throw new Error(`${found.length} spans have the name ${name}.`)
      return found[0]
    },
    childrenOf: (span: ReadableSpan) =>
      spans().filter(({ parentSpanContext }) => parentSpanContext?.spanId === span.spanContext().spanId),
    resourceMetrics: async () => (await reader.collect()).resourceMetrics,
    /** Values of the metrics by name, each with its attributes. */
    async metrics(): Promise<Record<string, readonly DataPoint<number | Histogram>[]>> {
      const { resourceMetrics } = await reader.collect()
      const all = resourceMetrics.scopeMetrics.flatMap(({ metrics }) => metrics)
      return Object.fromEntries(
        all.map(({ descriptor, dataPoints }) => [
          descriptor.name,
          dataPoints as readonly DataPoint<number | Histogram>[],
        ]),
      )
    },
    /** Everything that was collected, as JSON. */
    async dump(): Promise<string> {
      const { resourceMetrics } = await reader.collect()
      const all = spans().map(({ name, kind, attributes, events, links, status, parentSpanContext }) => ({
        ...{ name, kind, attributes, events, links, status, parentSpanContext },
      }))
      return JSON.stringify([all, resourceMetrics.scopeMetrics])
    },
  }
}
