import type { Fault } from './faults'
import { assertSettings, boolean, duration, integer, type Kinds, times, yes } from './set-up'

// A longer timer would end at once.
const LONGEST_WAIT = 2 ** 31 - 1
const status = integer(200, 599)

const kinds: Kinds = {
  times,
  latency: duration(LONGEST_WAIT),
  status,
  body: { wanted: 'what JSON can say', holds: isJson },
  headers: { wanted: 'an object of header names and texts', holds: areHeaders },
  retryAfter: { wanted: 'seconds', holds: (value) => Number.isFinite(value) && Number(value) >= 0 },
  global: boolean,
  html: { wanted: 'true or a text', holds: (value) => value === true || typeof value === 'string' },
  malformedJson: yes,
  network: yes,
  reset: yes,
  truncate: yes,
  stall: yes,
}

const EFFECTS = ['html', 'malformedJson', 'network', 'reset', 'truncate', 'stall'] as const

/**
 * Refuses a fault that could not happen, or not as its author thinks.
 * @throws TypeError that says why.
 */
export function assertFault(fault: Fault): void {
  assertSettings('the fault', fault, kinds)
  const says = (name: string) => (fault as unknown as Record<string, unknown>)[name] !== undefined
  const effects: string[] = EFFECTS.filter(says)
  // A status is an effect of its own, but for a page and for a body that is no JSON.
  if (says('status') && !says('html') && !says('malformedJson')) effects.push('status')
  const allowed = [...EFFECTS, 'status'].join(', ')
  if (effects.length > 1) throw new TypeError(`the fault says ${effects.join(' and ')}; a fault is one of ${allowed}`)
  const stray = ['body', 'headers', 'retryAfter', 'global'].find((name) => says(name) && effects[0] !== 'status')
  if (effects.length === 0 && !says('latency')) {
    throw new TypeError(`the fault says nothing that goes wrong; give one of ${allowed}, latency`)
  }
  if (stray !== undefined) throw new TypeError(`the fault: ${stray} goes with a status alone`)
}

function isJson(value: unknown): boolean {
  try {
    return typeof JSON.stringify(value) === 'string'
  } catch {
    return false
  }
}

function areHeaders(value: unknown): boolean {
  try {
    return typeof value === 'object' && value !== null && new Headers(value as Record<string, string>) !== null
  } catch {
    return false
  }
}
