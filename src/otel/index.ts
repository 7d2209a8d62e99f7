/** OpenTelemetry: spans and metrics of a client, its gateway and its live stores. */

import { diag, type Meter, metrics, type Tracer, trace } from '@opentelemetry/api'
import { type BaseClient, coreOf } from '../client/base-client'
import { RapportError } from '../errors/base'
import { createGuard } from '../internal/emitter'
import type { Issue } from '../internal/issue'
import { booleanOption, type Checks, objectOption, readOptions } from '../internal/options'
import type { Instrumentation } from '../transport/events'
import { createMetrics, serverAttributes } from './attributes'
import { traceCalls } from './calls'
import { traceGateways } from './gateway'

/** Options of {@link instrument}. */
export interface InstrumentOptions {
  /** Creates the spans. Default: the tracer `rapport-sdk` of the global provider. */
  readonly tracer?: Tracer | undefined
  /** Creates the instruments of the metrics. Default: the meter `rapport-sdk` of the global provider. */
  readonly meter?: Meter | undefined
  /**
   * Whether requests carry `traceparent` and `tracestate`, so that the spans of the service belong to the same trace. Only requests to the
   * origin of `baseUrl` do, and none carries `baggage`. In a browser, the service must allow these headers (CORS).
   * @default false
   */
  readonly propagate?: boolean | undefined
  /**
   * Whether HTTP requests are instrumented as well, for example by `@opentelemetry/instrumentation-undici`. Then the spans of attempts
   * are `INTERNAL`, and that instrumentation records `http.client.request.duration`, so that each request counts once.
   * @default false
   */
  readonly httpInstrumentation?: boolean | undefined
}

const OPTIONS: Checks<InstrumentOptions> = {
  tracer: objectOption,
  meter: objectOption,
  propagate: booleanOption,
  httpInstrumentation: booleanOption,
}

/**
 * Creates spans and metrics for a client, and for the clients that its `as` creates. A call has a span with a child for each
 * attempt. No attribute contains a token, a code, an ID of a user, a body, or a path with values.
 *
 * @returns A function that removes it, and ends the open spans.
 * @throws RequestValidationError if the client or an option is invalid.
 * @throws RapportError if the client is instrumented already.
 *
 * @example
 * import { Client } from 'rapport-sdk'
 * import { instrument } from 'rapport-sdk/otel'
 *
 * const client = new Client({ baseUrl: 'https://service.example', token: 'a token' })
 * const stop = instrument(client)
 */
export function instrument(client: BaseClient, options: InstrumentOptions = {}): () => void {
  const issues: Issue[] = []
  const read = readOptions(options, OPTIONS, issues)
  const { events, config } = coreOf(client, 'instrument', issues).transport
  const { followers } = events
  if (followers.instrumentation) throw new RapportError('The client is instrumented already.')
  const { tracer = trace.getTracer('rapport-sdk'), meter = metrics.getMeter('rapport-sdk') } = read
  const guard = createGuard((error) => diag.error('rapport-sdk: a tracer or meter threw', error))
  const telemetry = { ...read, tracer, metrics: createMetrics(meter), server: serverAttributes(config.baseUrl), guard }
  const calls = traceCalls(telemetry)
  const gateways = traceGateways(telemetry, followers)
  const instrumentation: Instrumentation = { ...calls, ...gateways }
  followers.instrumentation = instrumentation
  return () => {
    if (followers.instrumentation !== instrumentation) return
    followers.instrumentation = undefined
    for (const { close } of [calls, gateways]) close()
  }
}
