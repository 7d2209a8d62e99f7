import type { Journal } from './journal'
import type { Person } from './world'

/** Writes down each request, retry and event of a person's client. */
export function follow({ name, client }: Person, journal: Journal): void {
  const add = (line: Omit<Parameters<Journal['add']>[0], 'who'>) => journal.add({ who: name, ...line })
  client.on('request', ({ method, path, attempt }) =>
    add({ kind: 'call', what: method, text: `${path}${attempt > 1 ? `, attempt ${attempt}` : ''}` }),
  )
  client.on('response', ({ endpoint, status, durationMs }) => {
    const text = `${endpoint}, ${durationMs.toFixed(1)}\u00a0ms`
    add({ kind: 'call', what: String(status), text, tone: status < 400 ? 'good' : 'bad' })
  })
  client.on('retry', ({ endpoint, status, attempt }) =>
    add({ kind: 'again', what: 'retry', text: `${endpoint}: ${status ?? 'no answer'} to attempt ${attempt}` }),
  )
  client.on('rateLimited', ({ endpoint, retryAfterMs }) =>
    add({ kind: 'again', what: 'waits', text: `${endpoint}: ${retryAfterMs}\u00a0ms` }),
  )
  client.on('mfaRequired', ({ endpoint, methods }) =>
    add({ kind: 'again', what: 'step-up', text: `${endpoint}: ${methods.map(({ type }) => type).join(', ')}` }),
  )
  client.on('elevated', ({ endpoint }) =>
    add({ kind: 'again', what: 'verified', text: `${endpoint} is sent again`, tone: 'good' }),
  )
  client.gateway.on('stateChange', ({ state, previous, reason, closeCode }) => {
    const why = reason === undefined ? '' : ` (${closeCode === undefined ? reason : `${closeCode}: ${reason}`})`
    const tone = state === 'ready' ? 'good' : state === 'reconnecting' ? 'bad' : 'calm'
    add({ kind: 'event', what: state, text: `was ${previous}${why}`, tone })
  })
  client.gateway.on('dispatch', ({ type, sequence }) =>
    add({ kind: 'event', what: 'event', text: `${type}${sequence === null ? '' : `\u00a0#${sequence}`}` }),
  )
  client.gateway.on('resumed', ({ replayed }) =>
    add({ kind: 'event', what: 'resumed', text: `events sent again: ${replayed}`, tone: 'good' }),
  )
  client.gateway.on('warning', ({ code, message }) =>
    add({ kind: 'event', what: 'warning', text: `${code}: ${message}`, tone: 'bad' }),
  )
}
