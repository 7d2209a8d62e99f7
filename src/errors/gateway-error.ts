import { declareKind, guardFor, RapportError } from './rapport-error'

/**
 * Why something of the gateway failed:
 * - `closed_for_good`: the service closed the connection with a code after which trying again is in vain (`closeCode`);
 * - `connection_failed`: the connection was lost or could not be opened (`closeCode`, `status`, `code`). The gateway tries
 *   again: this is the `error` of a state change, and the `cause` of a `connect` that timed out, never an `error` event;
 * - `not_signed_in`: there is no token to identify with;
 * - `not_configured`: the client has no `gateway` option;
 * - `no_socket`: the platform has no WebSocket, or refuses to open one there;
 * - `disconnected`: `disconnect`, signing out or `dispose` ended what was waiting;
 * - `stream_overflow`: a stream was read too slowly;
 * - `listener_threw`: a listener threw or rejected (`cause`);
 * - `protocol_threw`: the `protocol` of the options threw (`cause`).
 */
export type GatewayFailure =
  | 'closed_for_good'
  | 'connection_failed'
  | 'not_signed_in'
  | 'not_configured'
  | 'no_socket'
  | 'disconnected'
  | 'stream_overflow'
  | 'listener_threw'
  | 'protocol_threw'

interface GatewayErrorOptions extends ErrorOptions {
  readonly closeCode?: number
  readonly status?: number
  readonly code?: string
}

/** Something of the gateway failed; `reason` tells what. */
export class GatewayError extends RapportError {
  declare readonly name: 'GatewayError'
  /** What failed, for programs. */
  readonly reason: GatewayFailure
  /** The code that the service closed the connection with, if that is what happened. */
  readonly closeCode: number | undefined
  /** HTTP status with which the upgrade to a WebSocket was refused, if the platform says; browsers do not. */
  readonly status: number | undefined
  /** Code of the platform's error, such as `ECONNREFUSED` or `CERT_HAS_EXPIRED`, if it has one. */
  readonly code: string | undefined

  /** @internal */
  static override readonly kind: string = /*@__PURE__*/ declareKind(GatewayError, 'GatewayError')

  constructor(reason: GatewayFailure, message: string, options: GatewayErrorOptions = {}) {
    super(`gateway: ${message}`, options)
    this.reason = reason
    this.closeCode = options.closeCode
    this.status = options.status
    this.code = options.code
  }
}
/** Whether an error is a {@link GatewayError}. */
export const isGatewayError: (error: unknown) => error is GatewayError = /*@__PURE__*/ guardFor('GatewayError')
