import { gatewayEvents } from '../contract/gateway-events'
import { parseJson } from '../transport/json'
import type { GatewayFrame, GatewayProtocol } from './protocol'

/** `{ op, d, s, t }`, as it comes. */
interface WireFrame {
  readonly op?: unknown
  readonly d?: unknown
  readonly s?: unknown
  readonly t?: unknown
}

/** The operations of frames. */
const OP = {
  DISPATCH: 0,
  HEARTBEAT: 1,
  IDENTIFY: 2,
  RESUME: 6,
  RECONNECT: 7,
  INVALID_SESSION: 9,
  HELLO: 10,
  HEARTBEAT_ACK: 11,
} as const

const FATAL: ReadonlySet<number> = new Set([4004, 4010, 4011, 4012, 4013, 4014])
const FRESH: ReadonlySet<number> = new Set([4003, 4007, 4009])
const PROPERTIES = { client: 'rapport-sdk' }

const names = ['resumed' as const, ...keysOf(gatewayEvents)]

/**
 * The protocol unless another is given. **It is a convention of the field**, not a part of the interface, which shows
 * neither frames nor payloads:
 *
 * - Frames are JSON, `{ op, d, s, t }`; `t` is the name of the event in UPPER_SNAKE, `s` its number in the session.
 * - `op` is 0 for an event, 1 for a heartbeat (`d`: the last number), 2 to identify (`{ token, properties }`), 6 to resume
 *   (`{ token, session_id, seq }`), 7 where the service asks to connect anew, 9 where the session is invalid (`d`: whether
 *   it may be resumed), 10 for the greeting (`{ heartbeat_interval }`), 11 for a heartbeat that has arrived.
 * - Close codes 4004 and 4010–4014 are fatal, 4003, 4007 and 4009 start a fresh session, after all others it is resumed.
 *
 * @example
 * import { Client, defaultGatewayProtocol, type GatewayProtocol } from 'rapport-sdk'
 *
 * const protocol: GatewayProtocol = {
 *   ...defaultGatewayProtocol,
 *   classifyClose: (code) => (code === 4900 ? 'fatal' : defaultGatewayProtocol.classifyClose(code)),
 * }
 * const client = new Client({
 *   baseUrl: 'https://service.example',
 *   gateway: { url: 'wss://gateway.service.example', protocol },
 * })
 */
export const defaultGatewayProtocol: GatewayProtocol = {
  encode: (frame) => JSON.stringify(frame),
  decode(data) {
    const frame = typeof data === 'string' ? parseJson(data) : null
    if (typeof frame !== 'object' || frame === null) throw new TypeError('expected a JSON object')
    return read(frame)
  },
  identify: ({ token }) => ({ op: OP.IDENTIFY, d: { token, properties: PROPERTIES } }),
  resume: ({ token, sessionId, sequence }) => ({
    op: OP.RESUME,
    d: { token, session_id: sessionId, seq: sequence },
  }),
  heartbeat: (sequence) => ({ op: OP.HEARTBEAT, d: sequence }),
  classifyClose: (code) => (FATAL.has(code) ? 'fatal' : FRESH.has(code) ? 'fresh' : 'resume'),
  eventMap: Object.fromEntries(names.map((name) => [upperSnake(name), name])),
}

function read({ op, d, s, t }: WireFrame): GatewayFrame {
  switch (op) {
    case OP.DISPATCH:
      if (typeof t !== 'string') throw new TypeError('expected the name of an event')
      return { kind: 'dispatch', type: t, data: d, sequence: isNumber(s) ? s : null }
    case OP.HEARTBEAT:
      return { kind: 'heartbeat' }
    case OP.RECONNECT:
      return { kind: 'reconnect' }
    case OP.INVALID_SESSION:
      return { kind: 'invalidSession', resumable: d === true }
    case OP.HELLO:
      return { kind: 'hello', heartbeatIntervalMs: intervalOf(Object(d)) }
    case OP.HEARTBEAT_ACK:
      return { kind: 'heartbeatAck' }
    default:
      return { kind: 'unknown' }
  }
}

/** Whether this may be the number of an event. */
function isNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function intervalOf({ heartbeat_interval: ms }: { readonly heartbeat_interval?: unknown }): number {
  return typeof ms === 'number' ? ms : Number.NaN
}

function upperSnake(name: string): string {
  return name.replace(/[A-Z]/g, '_$&').toUpperCase()
}

function keysOf<T extends object>(record: T): (keyof T)[] {
  const keys: (keyof T)[] = []
  for (const key in record) keys.push(key)
  return keys
}
