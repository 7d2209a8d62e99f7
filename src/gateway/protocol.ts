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
