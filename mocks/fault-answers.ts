import { jsonAnswer, type ServiceAnswer, type ServiceOutcome } from './exchange'
import type { AnswerFault, Fault } from './faults'

/** What a fault answers in the service's place; `undefined` where the service answers itself. */
export function faultOutcome(fault: Fault): ServiceOutcome | undefined {
  if ('network' in fault) return { kind: 'failure', how: 'network' }
  if ('reset' in fault) return { kind: 'failure', how: 'reset' }
  if ('html' in fault) {
    const { status = 502, html } = fault
    const page = html === true ? `<!doctype html><title>${status}</title><h1>${status} Bad Gateway</h1>` : html
    return raw(status, 'text/html; charset=utf-8', page)
  }
  if ('malformedJson' in fault) return raw(fault.status ?? 200, 'application/json', '{"token": "unfinis')
  return 'status' in fault ? statusAnswer(fault) : undefined
}

/** The service's own answer, delivered as badly as a fault says. */
export function damaged(answer: ServiceAnswer, fault: Fault | undefined): ServiceAnswer {
  if (fault === undefined) return answer
  if ('truncate' in fault) return { ...answer, delivery: 'truncated' }
  return 'stall' in fault ? { ...answer, delivery: 'stalled' } : answer
}

function statusAnswer({ status, body, headers = {}, retryAfter, global = false }: AnswerFault): ServiceAnswer {
  const all = Object.entries(headers)
  if (retryAfter !== undefined) all.push(['retry-after', String(retryAfter)])
  return jsonAnswer(status, body === undefined ? defaultBody(status, retryAfter, global) : body, all)
}

function defaultBody(status: number, retryAfter: number | undefined, global: boolean): unknown {
  if (status === 204 || status === 304) return undefined
  if (status !== 429) return { code: 0, message: `${status}: injected by a fault` }
  return { message: 'You are being rate limited.', retry_after: retryAfter ?? 0, global }
}

function raw(status: number, contentType: string, body: string): ServiceAnswer {
  return { kind: 'answer', status, headers: [['content-type', contentType]], body, delivery: 'whole' }
}
