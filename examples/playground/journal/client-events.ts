import type { Client } from 'rapport-sdk'
import type { Section } from './details'
import type { Exchange } from './exchange'
import type { Entry, Journal } from './journal'
import { formatBody, formatHeaders, formatJson } from './redaction'

/** Adds a row for a request. Returns a function that adds its response to the same row. */
export function logExchange(journal: Journal, who: string, exchange: Exchange): () => void {
  const update = journal.add(entryOf(who, exchange))
  return () => update(entryOf(who, exchange))
}

function entryOf(who: string, exchange: Exchange): Entry {
  const { method, path, response, error, durationMs } = exchange
  const code = response ? errorCode(response) : ''
  return {
    kind: 'request',
    who,
    what: response ? `${response.status}${code}` : error === undefined ? '…' : 'failed',
    text: `${method} ${path}`,
    tone: error !== undefined || (response && response.status >= 400) ? 'bad' : response ? 'good' : 'calm',
    durationMs,
    sections: (showsSecrets) => exchangeSections(exchange, showsSecrets),
  }
}

/** Returns the headers and bodies of a request and its response, or its error. */
export function exchangeSections({ request, response, error }: Exchange, showsSecrets: boolean): readonly Section[] {
  const sent = [
    { title: 'Error', text: error ?? '' },
    { title: 'Request headers', text: formatHeaders(request.headers, showsSecrets) || 'none' },
    { title: 'Request body', text: request.body && formatBody(request.body, showsSecrets) },
  ]
  if (!response) return sent
  const { status, headers, body } = response
  return [
    ...sent,
    { title: `Response ${status}, headers`, text: formatHeaders(headers, showsSecrets) || 'none' },
    { title: 'Response body', text: body && formatBody(body, showsSecrets) },
  ]
}

/** Returns the service's code of an error, such as 60003. */
function errorCode({ status, body }: { readonly status: number; readonly body: string }): string {
  if (status < 400) return ''
  const [, code] = /"code":([1-9]\d*)/.exec(body) ?? []
  return code === undefined ? '' : ` ${code}`
}

/** Logs what a client does about its calls, and its gateway events. */
export function logEvents(journal: Journal, who: () => string, client: Client): void {
  const add = (entry: Omit<Entry, 'who'>) => void journal.add({ who: who(), ...entry })
  client.on('retry', ({ endpoint, reason, attempt }) =>
    add({ kind: 'client', what: 'retry', text: `${endpoint}: attempt ${attempt} got ${reason}` }),
  )
  client.on('rateLimited', ({ endpoint, waitMs }) =>
    add({ kind: 'client', what: 'waiting', text: `${endpoint}: rate limit, ${waitMs} ms` }),
  )
  client.on('elevated', ({ endpoint }) =>
    add({ kind: 'client', what: 'verified', text: `retrying ${endpoint}`, tone: 'good' }),
  )
  client.on('warning', ({ code, message }) =>
    add({ kind: 'client', what: 'warning', text: `${code}: ${message}`, tone: 'bad' }),
  )
  client.gateway.on('stateChange', ({ state, previous, reason, closeCode }) => {
    const why = reason === undefined ? '' : ` (${closeCode === undefined ? reason : `${closeCode}: ${reason}`})`
    const tone = state === 'ready' ? 'good' : state === 'reconnecting' ? 'bad' : 'calm'
    add({ kind: 'gateway', what: 'gateway', text: `${previous} → ${state}${why}`, tone })
  })
  client.gateway.on('dispatch', ({ type, sequence, data }) =>
    add({
      kind: 'gateway',
      what: 'event',
      text: `${type}${sequence === null ? '' : ` #${sequence}`}`,
      sections: (showsSecrets) => [{ title: 'Payload', text: formatJson(data, showsSecrets) }],
    }),
  )
  client.gateway.on('resumed', ({ replayed }) =>
    add({ kind: 'gateway', what: 'resumed', text: `events replayed: ${replayed}`, tone: 'good' }),
  )
  client.gateway.on('warning', ({ code, message }) =>
    add({ kind: 'gateway', what: 'warning', text: `${code}: ${message}`, tone: 'bad' }),
  )
}
