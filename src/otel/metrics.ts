import type { Meter } from '@opentelemetry/api'

/** Boundaries that the convention for HTTP recommends, in seconds. */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
/** Calls also wait, for limits and for people. */
const CALL_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300]

export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics(meter: Meter) {
  const seconds = (name: string, description: string, explicitBucketBoundaries = CALL_SECONDS) =>
    meter.createHistogram(name, { description, unit: 's', advice: { explicitBucketBoundaries } })
  const counter = (name: string, unit: string, description: string) => meter.createCounter(name, { unit, description })
  const gauge = (name: string, unit: string, description: string) =>
    meter.createUpDownCounter(name, { unit, description })
  return {
    requestDuration: seconds('http.client.request.duration', 'Duration of HTTP client requests.', REQUEST_SECONDS),
    callDuration: seconds('rapport.client.call.duration', 'Duration of calls, with attempts, waits and prompts.'),
    waitDuration: seconds('rapport.client.wait.duration', 'Time that calls waited for retries or limits, or queued.'),
    promptDuration: seconds('rapport.client.prompt.duration', 'Time that calls waited for a second factor.'),
    queueLength: gauge('rapport.client.queue.length', '{request}', 'Requests that wait for a limit, or their turn.'),
    drift: counter('rapport.client.drift', '{difference}', 'Differences between the service and the API document.'),
    loads: counter('rapport.live.loads', '{load}', 'Loads of live stores.'),
    connections: gauge('rapport.gateway.connections', '{connection}', 'Gateway connections that receive events.'),
    events: counter('rapport.gateway.events', '{event}', 'Events received from the gateway.'),
    reconnects: counter('rapport.gateway.reconnects', '{connection}', 'Gateway connections that were lost or failed.'),
    resumes: counter('rapport.gateway.resumes', '{connection}', 'Gateway connections resumed without a lost event.'),
  }
}
