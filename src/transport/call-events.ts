import { redact, redactHeaders } from '../internal/redact'
import { type Call, callInfo, secretsOf } from './call'
import { decodeFailure } from './decode'
import type { RawResponse } from './read'
import type { Transport } from './transport'

/** Tells listeners and the log of a request that goes out. */
export function tellRequest(transport: Transport, call: Call, headers: Readonly<Record<string, string>>): void {
  const { name, method, path, content } = call.prepared
  transport.events.emit('request', callInfo(call))
  log(transport, call, Object.entries(headers), () => [`→ ${name}: ${method} ${path}`, content])
}

/** Tells them of an answer that has come. */
export function tellAnswer(transport: Transport, call: Call, raw: RawResponse, durationMs: number): void {
  const { status, headers } = raw
  transport.events.emit('response', { ...callInfo(call), status, durationMs })
  const line = () => `← ${status} ${call.prepared.name} in ${durationMs.toFixed(1)} ms`
  log(transport, call, headers, () => [line(), decodeFailure(raw)], raw)
}

/** Writes to the log, if anyone reads it: what it says takes longer than the rest of a call. */
function log(
  { config, events }: Transport,
  call: Call,
  headers: Iterable<[string, string]>,
  read: () => [line: string, body: unknown],
  answer?: RawResponse,
): void {
  if (events.logger?.debug === undefined) return
  const [line, body] = read()
  const secrets = secretsOf(call, answer)
  events.logger.debug(line, { headers: redactHeaders(headers, config.mfaHeader, secrets), body: redact(body, secrets) })
}
