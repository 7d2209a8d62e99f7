import { RateLimitError } from '../errors/status-errors'
import { sleep } from './abortable'
import { type Call, callInfo } from './call'
import { decodeFailure } from './decode'
import { exchange } from './http'
import { readRateLimit } from './rate-limits'
import type { RawResponse } from './read'
import type { Transport } from './transport'

/** Sends a call, with retries and 429 waits, and gives whatever the service answers in the end. */
export async function dispatch(transport: Transport, call: Call): Promise<RawResponse> {
  const { prepared, limits } = call
  const { limit, maxRateLimitWaitMs } = limits.retry
  const key = `${prepared.method} ${prepared.path}`
  let waitedMs = 0
  for (let waits = 0; ; waits++) {
    if (limit > 0) waitedMs += await passGate(transport, call, key, maxRateLimitWaitMs - waitedMs)
    const raw = await exchange(transport, call)
    if (raw.status !== 429) return raw
    const { retryAfterMs = 1000 * 2 ** waits, global } = readRateLimit(raw.headers, decodeFailure(raw))
    if (retryAfterMs > maxRateLimitWaitMs - waitedMs) return raw
    transport.gate.close(key, { retryAfterMs, global })
    if (waits >= limit || prepared.isOneShot) return raw
    transport.events.emit('rateLimited', { ...callInfo(call), retryAfterMs, global })
  }
}

/** Waits while the service wants an endpoint left alone. Answers for how long, in milliseconds. */
async function passGate({ gate }: Transport, { prepared, lifetime }: Call, key: string, mostMs: number) {
  let waitedMs = 0
  // Another call's 429 may prolong the wait meanwhile, and a timer waits no longer than it can.
  for (let ms = gate.remaining(key); ms > 0; ms = gate.remaining(key)) {
    if (waitedMs + ms > mostMs) {
      const serviceMessage = 'the service has asked to wait, and `maxRateLimitWaitMs` is shorter'
      const failure = { endpoint: prepared.name, status: 429, serviceMessage, fieldErrors: [], body: undefined }
      throw new RateLimitError(failure, ms, gate.isGlobal)
    }
    const startedAt = performance.now()
    await sleep(ms, lifetime.signal)
    waitedMs += performance.now() - startedAt
  }
  return waitedMs
}
