import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { expect, test } from 'vitest'
import { OUTCOMES, observe, outcomeTable, withTable } from '../../scripts/docs/outcomes'
import { textOf } from '../architecture/sources'
import { ms } from './telemetry'

const LIST = { 'http.request.method': 'GET', 'url.template': '/users/@me/relationships' }
const SERVER = { 'server.address': 'service.example', 'server.port': 443 }
const { ERROR, UNSET } = SpanStatusCode

/** Calls of Get Relationships: attributes of the call's span, and of those of its attempts, besides those that all have. */
const LISTS: readonly [outcome: string, call: object, attempts: readonly object[]][] = [
  [
    'success',
    { 'rapport.outcome': 'success', 'http.response.status_code': 200 },
    [{ 'http.response.status_code': 200 }],
  ],
  [
    'not found, 404',
    { 'rapport.outcome': 'error', 'error.type': 'NotFoundError', 'http.response.status_code': 404 },
    [{ 'http.response.status_code': 404, 'error.type': '404' }],
  ],
  [
    '502, then 200',
    { 'rapport.outcome': 'success', 'http.response.status_code': 200 },
    [
      { 'http.response.status_code': 502, 'error.type': '502' },
      { 'http.response.status_code': 200, 'http.request.resend_count': 1 },
    ],
  ],
  [
    '429, then 200',
    { 'rapport.outcome': 'success', 'http.response.status_code': 200 },
    [
      { 'http.response.status_code': 429, 'error.type': '429' },
      { 'http.response.status_code': 200, 'http.request.resend_count': 1 },
    ],
  ],
  ['no response', { 'rapport.outcome': 'error', 'error.type': 'ConnectionError' }, [{ 'error.type': 'TypeError' }]],
  [
    'timeout',
    { 'rapport.outcome': 'error', 'error.type': 'TimeoutError', 'http.response.status_code': 200 },
    [{ 'error.type': 'TimeoutError', 'http.response.status_code': 200 }],
  ],
]

const outcomeOf = (name: string) => OUTCOMES[name] ?? {}

test.each(LISTS)(
  'a call with the outcome "%s" has one span, and one for each attempt',
  async (name, expected, attempts) => {
    const { call, children, spans } = await observe(outcomeOf(name))
    const {
      'rapport.attempts': count,
      'rapport.waited.ms': waited,
      'rapport.prompt.ms': prompt,
      ...rest
    } = call.attributes
    expect(call).toMatchObject({ name: 'Get Relationships', kind: SpanKind.INTERNAL, parentSpanContext: undefined })
    expect(rest).toEqual({ ...LIST, 'rapport.endpoint': 'Get Relationships', ...expected })
    expect([count, prompt]).toEqual([attempts.length, 0])
    expect(Number(waited)).toBeLessThanOrEqual(ms(call.duration))
    expect(call.status).toEqual({ code: 'error.type' in expected ? ERROR : UNSET })
    expect(spans).toHaveLength(attempts.length + 1)
    for (const [index, attempt] of children.entries()) {
      expect(attempt).toMatchObject({ name: 'GET /users/@me/relationships', kind: SpanKind.CLIENT, events: [] })
      const expectedAttempt = attempts[index] ?? {}
      expect(attempt.attributes).toEqual({
        ...LIST,
        'rapport.endpoint': 'Get Relationships',
        ...SERVER,
        ...expectedAttempt,
      })
      expect(attempt.status).toEqual({ code: 'error.type' in expectedAttempt ? ERROR : UNSET })
      // Each span has a clock of its own, which starts at a whole millisecond.
      expect(ms(attempt.startTime)).toBeGreaterThanOrEqual(ms(call.startTime) - 1)
      expect(ms(attempt.endTime)).toBeLessThanOrEqual(ms(call.endTime) + 1)
    }
  },
)

test.each([
  ['502, then 200', 'retry', '502'],
  ['429, then 200', 'rate_limited', '429'],
])('the wait of "%s" is an event of the span, with its reason and duration', async (name, event, reason) => {
  const { call, children } = await observe(outcomeOf(name))
  const [failed, repeated] = children
  const [wait] = call.events
  expect(call.events).toHaveLength(1)
  expect(wait).toMatchObject({ name: event, attributes: { 'rapport.wait.reason': reason } })
  const planned = Number(wait?.attributes?.['rapport.wait.ms'])
  expect(planned).toBeGreaterThan(0)
  expect(Number(call.attributes['rapport.waited.ms'])).toBeGreaterThan(0)
  // Timers fire slightly early, and spans have their own clock.
  if (failed && repeated) expect(ms(repeated.startTime) - ms(failed.endTime)).toBeGreaterThanOrEqual(planned - 5)
})

test('the span of a call that times out lasts as long as the timeout, and that of its attempt ends with it', async () => {
  const { call, children } = await observe(outcomeOf('timeout'))
  expect(ms(call.duration)).toBeGreaterThanOrEqual(48)
  for (const attempt of children) expect(ms(call.endTime) - ms(attempt.endTime)).toBeLessThan(ms(call.duration))
})

test('a call that is invalid has a span without children', async () => {
  const { call, children, spans } = await observe(outcomeOf('invalid parameter'))
  expect([children, spans.length]).toEqual([[], 1])
  expect(call.attributes).toMatchObject({
    'rapport.attempts': 0,
    'error.type': 'RequestValidationError',
    'url.template': '/users/@me/relationships/{user.id}',
  })
  expect(call.attributes).not.toHaveProperty('http.response.status_code')
})

test('a step-up is one call: its span has both attempts, and the verification as a child', async () => {
  const { call, children } = await observe(outcomeOf('second factor'))
  expect(call.events.map(({ name }) => name)).toEqual(['mfa_required', 'elevated'])
  expect(children.map(({ name, kind }) => [name, kind])).toEqual([
    ['POST /auth/sessions/logout', SpanKind.CLIENT],
    ['Verify MFA', SpanKind.INTERNAL],
    ['POST /auth/sessions/logout', SpanKind.CLIENT],
  ])
  expect(call.attributes).toMatchObject({ 'rapport.attempts': 2, 'rapport.outcome': 'success' })
  expect(children[2]?.attributes).toMatchObject({ 'http.request.resend_count': 1, 'http.response.status_code': 204 })
  expect(Number(call.attributes['rapport.prompt.ms'])).toBeGreaterThan(0)
})

test('a call that is aborted during a prompt has ended without an error of its own', async () => {
  const { call, children } = await observe(outcomeOf('aborted during the prompt'))
  expect(call.status).toEqual({ code: UNSET })
  expect(call.attributes).toMatchObject({ 'rapport.outcome': 'aborted', 'error.type': 'AbortError' })
  expect(children).toHaveLength(1)
})

test('the guide shows the events and spans of each outcome as they are', async () => {
  const guide = textOf('docs/guides/operating.md')
  expect(guide).toBe(withTable(guide, await outcomeTable()))
})
