import { parseBody } from '../request'

/**
 * What frames are for. The interface document shows no frame: these numbers, like all of this file, are the field's
 * convention.
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

/** A frame that is no event. */
export function frame(op: number, d: unknown = null): string {
  return JSON.stringify({ op, d, s: null, t: null })
}

/** An event that was numbered; `data` is its JSON at that moment. */
export interface Dispatch {
  readonly sequence: number
  readonly name: string
  readonly data: string
}

/** The frame of an event. */
export function dispatchFrame({ sequence, name, data }: Dispatch): string {
  return `{"op":${Op.DISPATCH},"d":${data},"s":${sequence},"t":${JSON.stringify(name)}}`
}

/** What a client sent, once it has been understood. */
export type ClientFrame =
  | { readonly kind: 'heartbeat' | 'unknown' | 'malformed' }
  | { readonly kind: 'identify'; readonly token: string }
  | { readonly kind: 'resume'; readonly token: string; readonly sessionId: string; readonly sequence: number }

const malformed: ClientFrame = { kind: 'malformed' }

/** Reads what a client sent; a frame is a text. */
export function readFrame(sent: unknown): ClientFrame {
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

/** Where clients find the gateway, below the service's base address. The document shows no address; a convention. */
const PATH = '/gateway'

const below = (baseUrl: URL): string => baseUrl.pathname.replace(/\/$/, '') + PATH

/** The gateway's address by the service's own. */
export function gatewayUrl(baseUrl: URL): string {
  return `${baseUrl.protocol === 'http:' ? 'ws' : 'wss'}://${baseUrl.host}${below(baseUrl)}`
}

/** Whether a path is the gateway's, or below it, as an address to resume at may be. */
export function isGatewayPath(baseUrl: URL, pathname: string): boolean {
  return pathname === below(baseUrl) || pathname.startsWith(`${below(baseUrl)}/`)
}
