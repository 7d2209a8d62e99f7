import fc from 'fast-check'
import { Client, type ClientEvents, type Fetch, type MfaHandler } from 'rapport-sdk'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { runs } from './arbitraries'
import { outcomeOf } from './responses'

/** What the service does with a request. */
const REPLIES = [
  ...(['ok', 'not found', 'error', 'unavailable', 'limited', 'limited for long', 'mfa', 'html', 'mismatch'] as const),
  ...(['reset', 'truncated', 'truncated error', 'stalled', 'stalled body', 'redirect', 'throws'] as const),
]
type Reply = (typeof REPLIES)[number]

const ANSWERS = ['answers', 'cancels', 'throws', 'waits'] as const

interface Plan {
  readonly replies: readonly Reply[]
  readonly calls: readonly {
    readonly kind: 'list' | 'accept' | 'invalid'
    readonly abortAt: number
    readonly prompts: boolean
  }[]
  readonly answer: (typeof ANSWERS)[number]
  readonly retry: number
  readonly deadline: number
  readonly disposeAt: number
  readonly hasOwnFetch: boolean
}

const plans: fc.Arbitrary<Plan> = fc.record({
  replies: fc.array(fc.constantFrom(...REPLIES), { maxLength: 12 }),
  calls: fc.array(
    fc.record({
      kind: fc.constantFrom('list', 'list', 'accept', 'invalid'),
      // At the start, after so many events, or (mostly) never.
      abortAt: fc.integer({ min: -1, max: 40 }),
      prompts: fc.boolean(),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  answer: fc.constantFrom(...ANSWERS),
  retry: fc.integer({ min: 0, max: 2 }),
  deadline: fc.constantFrom(15, 5_000),
  disposeAt: fc.integer({ min: 1, max: 60 }),
  hasOwnFetch: fc.boolean(),
})

const NAMES = [
  ...(['request', 'response', 'requestFailed', 'retry', 'rateLimited', 'callEnd'] as const),
  ...(['mfaRequired', 'unauthorized', 'responseMismatch'] as const),
]
type Recorded = { readonly name: (typeof NAMES)[number]; readonly callId: number; readonly attempt: number } & Partial<
  ClientEvents['callEnd'] & ClientEvents['response']
>

/** A body that ends, breaks off or stalls after its first bytes. */
function bodyOf(end: 'error' | 'stall'): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('[{')),
    pull: (controller) => {
      if (end === 'error') controller.error(new TypeError('terminated'))
      return new Promise(() => {})
    },
  })
}

function respond(reply: Reply, signal: AbortSignal | null | undefined): Promise<Response> | Response {
  const mfa = { code: 60003, mfa: { ticket: 'ticket', methods: [{ type: 'totp' }] } }
  switch (reply) {
    case 'ok':
      return Response.json([])
    case 'not found':
      return Response.json({}, { status: 404 })
    case 'error':
      return new Response('', { status: 502 })
    case 'unavailable':
      return new Response('', { status: 503, headers: { 'retry-after': '0.002' } })
    case 'limited':
      return Response.json({ retry_after: 0.002 }, { status: 429 })
    case 'limited for long':
      return Response.json({ retry_after: 3600 }, { status: 429 })
    case 'mfa':
      return Response.json(mfa, { status: 401 })
    case 'html':
      return new Response('<html>')
    case 'mismatch':
      return Response.json([{ id: 5 }])
    case 'truncated':
      return new Response(bodyOf('error'))
    case 'truncated error':
      return new Response(bodyOf('error'), { status: 500 })
    case 'stalled body':
      return new Response(bodyOf('stall'))
    case 'redirect':
      return new Response(null, { status: 307, headers: { location: '/x' } })
    case 'stalled':
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
    case 'reset':
      return Promise.reject(new TypeError('fetch failed'))
    case 'throws':
      throw undefined
  }
}

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0.01)
})
afterEach(() => {
  vi.restoreAllMocks()
})

it('every request has one end, every call one callEnd, its last event, and attempts are consecutive', async () => {
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      const replies = [...plan.replies]
      const fetch: Fetch = async (url, { signal }) => {
        if (String(url).endsWith('/mfa/finish') && replies.length % 3 > 0) return Response.json({ token: 'jwt' })
        return respond(replies.shift() ?? 'ok', signal)
      }
      vi.spyOn(globalThis, 'fetch').mockImplementation((url, init) => fetch(String(url), init as never) as never)
      const handler: MfaHandler = async (challenge) => {
        if (plan.answer === 'throws') throw new Error('no terminal')
        if (plan.answer === 'waits') await new Promise((resolve) => challenge.signal.addEventListener('abort', resolve))
        return plan.answer === 'answers' ? { type: 'totp', code: '123456' } : null
      }
      const client = new Client({
        baseUrl: 'https://service.example',
        token: 'ada',
        retry: { limit: plan.retry, maxRateLimitWaitMs: 1000 },
        timeout: 30,
        mfaTimeout: 30,
        deadline: plan.deadline,
        onMfaRequired: handler,
        ...(plan.hasOwnFetch && { fetch }),
      })
      const events: Recorded[] = []
      const controls = plan.calls.map(() => new AbortController())
      for (const name of NAMES) {
        client.on(name, (event: object) => {
          events.push({ name, ...(event as Omit<Recorded, 'name'>) })
          for (const [index, { abortAt }] of plan.calls.entries())
            if (events.length === abortAt) controls[index]?.abort()
          if (events.length === plan.disposeAt) client.dispose()
        })
      }
      for (const [index, { abortAt }] of plan.calls.entries()) if (abortAt < 0) controls[index]?.abort()
      const outcomes = await Promise.all(
        plan.calls.map(({ kind, prompts }, index) => {
          const { signal } = controls[index] as AbortController
          const options = prompts ? { signal } : { signal, onMfaRequired: false as const }
          if (kind === 'list') return outcomeOf(client.relationships.list(options))
          return outcomeOf(client.relationships.accept(kind === 'accept' ? '100' : 'x', options))
        }),
      )
      client.dispose()

      // The verification of a call that is aborted ends after that call.
      const ends = () => events.filter(({ name }) => name === 'callEnd')
      await vi.waitFor(() => expect(ends().length).toBeGreaterThanOrEqual(groupByCall(events).size))
      const byCall = groupByCall(events)
      const own = [...byCall.values()].filter(([first]) => first?.parentCallId === undefined)
      expect(own).toHaveLength(plan.calls.length)
      const results = outcomes.map((outcome) => ('error' in outcome ? 'failure' : 'success'))
      const outcomesOfEnds = own.map((of) => of.at(-1)?.outcome)
      expect(outcomesOfEnds.filter((outcome) => outcome === 'success')).toHaveLength(
        results.filter((r) => r === 'success').length,
      )
      for (const ofCall of byCall.values()) checkCall(ofCall)
    }),
    runs(2),
  )
})

function groupByCall(events: readonly Recorded[]): Map<number, Recorded[]> {
  const byCall = new Map<number, Recorded[]>()
  for (const event of events) byCall.set(event.callId, [...(byCall.get(event.callId) ?? []), event])
  return byCall
}

function checkCall(events: readonly Recorded[]): void {
  let attempt = 0
  let isInFlight = false
  for (const { name, attempt: own } of events) {
    if (name === 'request') {
      expect(isInFlight).toBe(false)
      expect(own).toBe(++attempt)
      isInFlight = true
    } else if (name === 'response' || name === 'requestFailed') {
      expect([isInFlight, own]).toEqual([true, attempt])
      isInFlight = false
    } else if (name !== 'callEnd') expect([isInFlight, own]).toEqual([false, attempt])
  }
  expect(events.map(({ name }) => name).filter((name) => name === 'callEnd')).toHaveLength(1)
  const end = events.at(-1)
  expect([end?.name, end?.attempts, isInFlight]).toEqual(['callEnd', attempt, false])
  const { durationMs = Number.NaN, waitedMs = Number.NaN, promptMs = Number.NaN } = end ?? {}
  expect(waitedMs + promptMs).toBeLessThanOrEqual(durationMs + 1)
}
