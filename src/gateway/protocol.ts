import { gatewayEvents } from '../contract/gateway-events'
import { parseJson } from '../internal/json'
import type { GatewayServiceEvents } from './events'

/** A frame that came, whatever it looked like on the wire. */
export type GatewayFrame =
  | {
      /** The service greets; it wants a heartbeat each `heartbeatIntervalMs`. */
      readonly kind: 'hello'
      /** In milliseconds, above 0. */
      readonly heartbeatIntervalMs: number
    }
  | {
      /** An event. */
      readonly kind: 'dispatch'
      /** Name of the event on the wire; `eventMap` has the name that listeners use. */
      readonly type: string
      /** The payload. */
      readonly data: unknown
      /** Number of the event in this session, going up by one; `null` where there is none. */
      readonly sequence: number | null
    }
  | {
      /** The service asks for a heartbeat now. */
      readonly kind: 'heartbeat'
    }
  | {
      /** A heartbeat has arrived. */
      readonly kind: 'heartbeatAck'
    }
  | {
      /** The service asks to connect anew. */
      readonly kind: 'reconnect'
    }
  | {
      /** The session is not valid. */
      readonly kind: 'invalidSession'
      /** Whether it may be resumed nevertheless. */
      readonly resumable: boolean
    }
  | {
      /** None of these; reported as a `warning`. */
      readonly kind: 'unknown'
    }

/** What to do when the service has closed the connection: give up, start a fresh session, or resume. */
export type GatewayCloseAction = 'fatal' | 'fresh' | 'resume'

/**
 * How the gateway speaks. The interface document shows neither frames nor payloads, so all of it can be replaced; what
 * {@link defaultGatewayProtocol} does is a convention.
 */
export interface GatewayProtocol {
  /** Writes what `identify`, `resume` and `heartbeat` give. */
  encode(frame: unknown): string | ArrayBuffer
  /** Reads what came. What it throws is reported as a `warning`, without its message. */
  decode(data: string | ArrayBuffer): GatewayFrame
  /** The frame that starts a session. */
  identify(session: { readonly token: string }): unknown
  /** The frame that takes a session up again. */
  resume(session: { readonly token: string; readonly sessionId: string; readonly sequence: number | null }): unknown
  /** The frame of a heartbeat; `sequence` is the last that came. */
  heartbeat(sequence: number | null): unknown
  /** What to do after a close code. */
  classifyClose(code: number): GatewayCloseAction
  /** The names that listeners use, by the name on the wire. `resumed` marks the end of what a resume sends again. */
  readonly eventMap: Readonly<Record<string, keyof GatewayServiceEvents | 'resumed'>>
}

/** A frame that carries an event. */
export type DispatchFrame = GatewayFrame & { readonly kind: 'dispatch' }

/** `{ op, d, s, t }`, as it comes. */
interface WireFrame {
  readonly op?: unknown
  readonly d?: unknown
  readonly s?: unknown
  readonly t?: unknown
}

// The operations of frames.
const DISPATCH = 0

const HEARTBEAT = 1

const IDENTIFY = 2

const RESUME = 6

const RECONNECT = 7

const INVALID_SESSION = 9

const HELLO = 10

const HEARTBEAT_ACK = 11

const FATAL_CODES = [4004, 4010, 4011, 4012, 4013, 4014]

const NEW_SESSION_CODES = [4003, 4007, 4009]

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
  identify: ({ token }) => ({ op: IDENTIFY, d: { token, properties: { client: 'rapport-sdk' } } }),
  resume: ({ token, sessionId, sequence }) => ({ op: RESUME, d: { token, session_id: sessionId, seq: sequence } }),
  heartbeat: (sequence) => ({ op: HEARTBEAT, d: sequence }),
  classifyClose: (code) =>
    FATAL_CODES.includes(code) ? 'fatal' : NEW_SESSION_CODES.includes(code) ? 'fresh' : 'resume',
  eventMap: /*@__PURE__*/ everyEvent(),
}

/** Every event, by the name that the service sends it under. */
function everyEvent(): GatewayProtocol['eventMap'] {
  return Object.fromEntries(['resumed' as const, ...keysOf(gatewayEvents)].map((name) => [upperSnake(name), name]))
}

function read({ op, d, s, t }: WireFrame): GatewayFrame {
  switch (op) {
    case DISPATCH:
      if (typeof t !== 'string') throw new TypeError('expected the name of an event')
      return { kind: 'dispatch', type: t, data: d, sequence: isNumber(s) ? s : null }
    case HEARTBEAT:
      return { kind: 'heartbeat' }
    case RECONNECT:
      return { kind: 'reconnect' }
    case INVALID_SESSION:
      return { kind: 'invalidSession', resumable: d === true }
    case HELLO:
      return { kind: 'hello', heartbeatIntervalMs: intervalOf(Object(d)) }
    case HEARTBEAT_ACK:
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
