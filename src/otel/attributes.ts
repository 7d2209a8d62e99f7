// Names and values of attributes and metrics.
import type { Attributes, Meter } from '@opentelemetry/api'
import { METHODS, pathParameters } from '../contract/endpoint'

/** Stands for a method or an event that the API does not name, which could be anything. */
export const OTHER = '_OTHER'

/** Whether a name is one of the API document. That of a custom request contains its path, in which there may be IDs. */
export const isDocumented = (endpoint: string): boolean => /^[A-Z][a-z]+(?:[- ][A-Za-z]+)*$/.test(endpoint)

/** Returns what identifies an endpoint. The path of a custom request without parameters is concrete, and left out. */
export function calledAttributes(called: { endpoint: string; method: string | undefined; path: string }): Attributes {
  const { endpoint, method, path } = called
  const known = isDocumented(endpoint)
  const isTemplate = known || (pathParameters(path).length > 0 && !/[?#]/.test(path))
  return {
    'http.request.method': METHODS.has(method) ? method : OTHER,
    ...(isTemplate && { 'url.template': path }),
    ...(known && { 'rapport.endpoint': endpoint }),
  }
}

/** Returns the name of the span of a request: method and path template. */
export function requestName({ 'http.request.method': method, 'url.template': template }: Attributes): string {
  return [method === OTHER ? 'HTTP' : method, template].filter(Boolean).join(' ')
}

/** Returns host and port of the service. */
export function serverAttributes({ hostname, port, protocol }: URL): Attributes {
  const standard = protocol === 'https:' ? 443 : 80
  return { 'server.address': hostname.replace(/^\[|\]$/g, ''), 'server.port': Number(port) || standard }
}

/** Returns the name or code of an error for `error.type`. An app may name its errors as it likes, but not here. */
export const errorType = (name: string): string => (/^[A-Za-z][\w.-]{0,63}$/.test(name) ? name : OTHER)

/** Boundaries that the convention for HTTP recommends, in seconds. */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
/** Calls also wait, for limits and for people. */
const CALL_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300]

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
