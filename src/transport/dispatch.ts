import { RateLimitError } from '../errors/status-errors'
import { type Call, callInfo } from './call'
import { decodeFailure } from './decode'
import { exchange } from './http'
import { readRateLimit } from './rate-limits'
import type { RawResponse } from './read'
import type { Transport } from './transport'

/** Timers fire a little early: the rest of a wait is waited, even by a call that must not wait. */
const TIMER_SLACK_MS = 5

/** Sends a request, waiting out 429 responses, and returns the final response. */
export async function sendWithRateLimit(transport: Transport, call: Call): Promise<RawResponse> {
  const { prepared, limits, lifetime } = call
  const { limit, maxRateLimitWaitMs } = limits.retry
  const { rateLimiter, events } = transport
  const key = `${prepared.method} ${prepared.path}`
  let leftMs = limit > 0 ? maxRateLimitWaitMs : 0
  for (let waits = 0; ; waits++) {
    // Another call's 429 may prolong the wait meanwhile, and a timer waits no longer than it can.
    for (let ms = rateLimiter.msUntilReset(key); ms > 0; ms = rateLimiter.msUntilReset(key)) {
      if (ms > leftMs + TIMER_SLACK_MS) throw refusal(call, ms, rateLimiter.isGlobal)
      await rateLimiter.wait(ms, lifetime.signal)
      leftMs -= ms
    }
    const raw = await exchange(transport, call)
    if (raw.status !== 429) return raw
    const { retryAfterMs, global } = readRateLimit(raw.headers, decodeFailure(raw))
    const waitMs = retryAfterMs ?? 1000 * 2 ** waits
    const isWaited = waits < limit && waitMs <= leftMs && !prepared.isOneShot
    // What the service asks for holds for later calls too; a guess only while a call waits for it.
    if (isWaited || retryAfterMs !== undefined) rateLimiter.block(key, waitMs, global)
    if (!isWaited) return raw
    events.emit('rateLimited', { ...callInfo(call), retryAfterMs: waitMs, global })
  }
}

/** The error of a call that is not sent, since the service wants its endpoint left alone. */
function refusal({ prepared }: Call, ms: number, isGlobal: boolean): RateLimitError {
  const failure = { endpoint: prepared.name, status: 429, serviceMessage: '', fieldErrors: [], body: undefined }
  const reason = 'No request was sent: the service has asked to wait, and `limit` or `maxRateLimitWaitMs` is too low.'
  return new RateLimitError(failure, Math.ceil(ms), isGlobal, reason)
}
