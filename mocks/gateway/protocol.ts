// Frames as the mock sends and parses them.
import { parseBody } from '../request'

/**
 * Opcodes. The API document shows no frames: these numbers, like everything in this file, follow common industry
 * practice.
 */
export const Op = {
  DISPATCH: 0,
  HEARTBEAT: 1,
  IDENTIFY: 2,
  RESUME: 6,
  RECONNECT: 7,
  INVALID_SESSION: 9,
  HELLO: 10,
  HEARTBEAT_ACK: 11,
} as const

export function frame(op: number, d: unknown = null): string {
  return JSON.stringify({ op, d, s: null, t: null })
}

/** An event with its sequence number; `data` is its payload as JSON. */
export interface Dispatch {
  readonly sequence: number
  readonly name: string
  readonly data: string
}

export function dispatchFrame({ sequence, name, data }: Dispatch): string {
  return `{"op":${Op.DISPATCH},"d":${data},"s":${sequence},"t":${JSON.stringify(name)}}`
}

export type ClientFrame =
  | { readonly kind: 'heartbeat' | 'unknown' | 'malformed' }
  | { readonly kind: 'identify'; readonly token: string }
  | { readonly kind: 'resume'; readonly token: string; readonly sessionId: string; readonly sequence: number }

const malformed: ClientFrame = { kind: 'malformed' }

/** Parses a frame of a client; anything but a string is malformed. */
export function parseFrame(sent: unknown): ClientFrame {
  const body = typeof sent === 'string' ? parseBody(sent) : undefined
  const { op, d } = fieldsOf(body?.kind === 'value' ? body.value : undefined)
  if (op === Op.HEARTBEAT) return { kind: 'heartbeat' }
  if (op === Op.IDENTIFY) return identifyFrame(fieldsOf(d))
  if (op === Op.RESUME) return resumeFrame(fieldsOf(d))
  return typeof op === 'number' ? { kind: 'unknown' } : malformed
}

function identifyFrame({ token }: Fields): ClientFrame {
  return typeof token === 'string' ? { kind: 'identify', token } : malformed
}

function resumeFrame({ token, session_id, seq }: Fields): ClientFrame {
  if (typeof token !== 'string' || typeof session_id !== 'string') return malformed
  return typeof seq === 'number' && Number.isSafeInteger(seq)
    ? { kind: 'resume', token, sessionId: session_id, sequence: seq }
    : malformed
}

type Fields = Readonly<Record<string, unknown>>

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** Path of the gateway below the service's base URL; a convention, since the document shows none. */
const PATH = '/gateway'

const pathBelow = (baseUrl: URL): string => baseUrl.pathname.replace(/\/$/, '') + PATH

export function gatewayUrl(baseUrl: URL): string {
  return `${baseUrl.protocol === 'http:' ? 'ws' : 'wss'}://${baseUrl.host}${pathBelow(baseUrl)}`
}

/** Whether a path is the gateway's or below it, as a resume URL may be. */
export function isGatewayPath(baseUrl: URL, pathname: string): boolean {
  return pathname === pathBelow(baseUrl) || pathname.startsWith(`${pathBelow(baseUrl)}/`)
}

/** Whether a server can close with a code; includes 1006, which closes without a close frame. */
export function isCloseCode(code: number): boolean {
  const isProtocols = code >= 1000 && code <= 1014 && code !== 1004 && code !== 1005
  return Number.isInteger(code) && (isProtocols || (code >= 3000 && code <= 4999))
}
