import type { EventLog, LogEntry } from './event-log'
import type { Person } from './setup'

/** Logs each request, retry and gateway event of a client. */
export function logEvents({ name, client }: Person, log: EventLog): void {
  const add = (entry: Omit<LogEntry, 'who'>) => log.add({ who: name, ...entry })
  client.on('request', ({ method, path, attempt }) =>
    add({ kind: 'call', what: method, text: `${path}${attempt > 1 ? `, attempt ${attempt}` : ''}` }),
  )
  client.on('response', ({ endpoint, status, durationMs }) => {
    const text = `${endpoint}, ${durationMs.toFixed(1)}\u00a0ms`
    add({ kind: 'call', what: String(status), text, tone: status < 400 ? 'good' : 'bad' })
  })
  client.on('retry', ({ endpoint, status, attempt }) =>
    add({ kind: 'retry', what: 'retry', text: `${endpoint}: attempt ${attempt} got ${status ?? 'no response'}` }),
  )
  client.on('rateLimited', ({ endpoint, retryAfterMs }) =>
    add({ kind: 'retry', what: 'rate limit', text: `${endpoint}: ${retryAfterMs}\u00a0ms` }),
  )
  client.on('mfaRequired', ({ endpoint, methods }) =>
    add({ kind: 'retry', what: 'step-up', text: `${endpoint}: ${methods.map(({ type }) => type).join(', ')}` }),
  )
  client.on('elevated', ({ endpoint }) =>
    add({ kind: 'retry', what: 'verified', text: `retrying ${endpoint}`, tone: 'good' }),
  )
  client.gateway.on('stateChange', ({ state, previous, reason, closeCode }) => {
    const why = reason === undefined ? '' : ` (${closeCode === undefined ? reason : `${closeCode}: ${reason}`})`
    const tone = state === 'ready' ? 'good' : state === 'reconnecting' ? 'bad' : 'calm'
    add({ kind: 'event', what: state, text: `from ${previous}${why}`, tone })
  })
  client.gateway.on('dispatch', ({ type, sequence }) =>
    add({ kind: 'event', what: 'event', text: `${type}${sequence === null ? '' : `\u00a0#${sequence}`}` }),
  )
  client.gateway.on('resumed', ({ replayed }) =>
    add({ kind: 'event', what: 'resumed', text: `events replayed: ${replayed}`, tone: 'good' }),
  )
  client.gateway.on('warning', ({ code, message }) =>
    add({ kind: 'event', what: 'warning', text: `${code}: ${message}`, tone: 'bad' }),
  )
}
