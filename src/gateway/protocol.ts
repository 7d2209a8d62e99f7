// Operations and close codes of the gateway, replaceable because the document of the service does not show them.
import { gatewayEvents } from '../contract/gateway-events'
import { isObject, isRootPolluted, parseJson, readField, withoutPrototype } from '../internal/json'
import type { GatewayServiceEvents } from './events'

/** A received frame, independent of the wire format. */
export type GatewayFrame =
  | {
      /** First frame of a connection. Requests a heartbeat every `heartbeatIntervalMs`. */
      readonly kind: 'hello'
      /** Heartbeat interval in milliseconds, at least 100. */
      readonly heartbeatIntervalMs: number
    }
  | {
      /** Carries an event. */
      readonly kind: 'dispatch'
      /** Name of the event on the wire; `eventMap` has the name that listeners use. */
      readonly type: string
      /** The payload. */
      readonly data: unknown
      /** Sequence number of the event in this session, incremented by one; `null` if there is none. */
      readonly sequence: number | null
    }
  | {
      /** The session is invalid. */
      readonly kind: 'invalidSession'
      /** Whether it may still be resumed. */
      readonly resumable: boolean
    }
  | {
      /** Requests a heartbeat now, acknowledges one, or requests a reconnect. Any other frame is emitted as a `warning`. */
      readonly kind: 'heartbeat' | 'heartbeatAck' | 'reconnect' | 'unknown'
    }

/** Reaction to a close code: stop (`fatal`), start a new session (`fresh`), or resume. */
export type GatewayCloseAction = 'fatal' | 'fresh' | 'resume'

/**
 * Wire format of the gateway. The API document defines neither frames nor payloads, so every part can be replaced;
 * {@link defaultGatewayProtocol} follows a convention.
 */
export interface GatewayProtocol {
  /** Serializes a frame that `identify`, `resume` or `heartbeat` returned. */
  encode(frame: unknown): string | ArrayBuffer
  /** Parses a received message. An exception is emitted as a `warning`, without its message. */
  decode(data: string | ArrayBuffer): GatewayFrame
  /** Returns the frame that starts a session. */
  identify(session: { readonly token: string }): unknown
  /** Returns the frame that resumes a session. */
  resume(session: { readonly token: string; readonly sessionId: string; readonly sequence: number | null }): unknown
  /** Returns a heartbeat frame; `sequence` is the last one received. */
  heartbeat(sequence: number | null): unknown
  /** Returns the reaction to a close code. */
  classifyClose(code: number): GatewayCloseAction
  /** Names that listeners use, by the name on the wire. `resumed` marks the end of a replay. */
  readonly eventMap: Readonly<Record<string, keyof GatewayServiceEvents | 'resumed'>>
}

/** Frame that carries an event. */
export type DispatchFrame = GatewayFrame & { readonly kind: 'dispatch' }

// Values of `op`.
const DISPATCH = 0
const HEARTBEAT = 1
const IDENTIFY = 2
const RESUME = 6
const RECONNECT = 7
const INVALID_SESSION = 9
const HELLO = 10
const HEARTBEAT_ACK = 11

// Close codes.
const FATAL_CODES = [4004, 4010, 4011, 4012, 4013, 4014]
const NEW_SESSION_CODES = [4003, 4007, 4009]

/**
 * Default protocol. **It follows common industry practice**; the API document defines neither frames nor payloads:
 *
 * - Frames are JSON, `{ op, d, s, t }`; `t` is the name of the event in UPPER_SNAKE, `s` its sequence number.
 * - `op` is 0 for an event, 1 for a heartbeat (`d`: the last sequence number), 2 for Identify (`{ token, properties }`),
 *   6 for Resume (`{ token, session_id, seq }`), 7 for a requested reconnect, 9 for an invalid session (`d`: whether it may
 *   be resumed), 10 for Hello (`{ heartbeat_interval }`), 11 for the acknowledgement of a heartbeat.
 * - Close codes 4004 and 4010–4014 are fatal; 4003, 4007 and 4009 start a new session; all others resume it.
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
    if (!isObject(frame)) throw new TypeError('expected a JSON object')
    return parseFrame(isRootPolluted() ? withoutPrototype(frame) : frame)
  },
  identify: ({ token }) => ({ op: IDENTIFY, d: { token, properties: { client: 'rapport-sdk' } } }),
  resume: ({ token, sessionId, sequence }) => ({ op: RESUME, d: { token, session_id: sessionId, seq: sequence } }),
  heartbeat: (sequence) => ({ op: HEARTBEAT, d: sequence }),
  classifyClose: (code) =>
    FATAL_CODES.includes(code) ? 'fatal' : NEW_SESSION_CODES.includes(code) ? 'fresh' : 'resume',
  eventMap: createEventMap(),
}

/** Maps the wire name of every event, such as `RELATIONSHIP_ADD`, to its name here. */
function createEventMap(): GatewayProtocol['eventMap'] {
  return Object.fromEntries(['resumed' as const, ...keysOf(gatewayEvents)].map((name) => [upperSnake(name), name]))
}

/** Fields of a frame, not validated. */
interface WireFrame {
  readonly op?: unknown
  readonly d?: unknown
  readonly s?: unknown
  readonly t?: unknown
}

function parseFrame({ op, d, s, t }: WireFrame): GatewayFrame {
  switch (op) {
    case DISPATCH: {
      if (typeof t !== 'string') throw new TypeError('expected the name of an event')
      return { kind: 'dispatch', type: t, data: d, sequence: isSequence(s) ? s : null }
    }
    case HEARTBEAT:
      return { kind: 'heartbeat' }
    case RECONNECT:
      return { kind: 'reconnect' }
    case INVALID_SESSION:
      return { kind: 'invalidSession', resumable: d === true }
    case HELLO:
      return { kind: 'hello', heartbeatIntervalMs: readInterval(d) }
    case HEARTBEAT_ACK:
      return { kind: 'heartbeatAck' }
    default:
      return { kind: 'unknown' }
  }
}

function isSequence(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function readInterval(hello: unknown): number {
  const ms = readField(hello, 'heartbeat_interval')
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
