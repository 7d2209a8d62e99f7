import type { GatewayProtocol } from './protocol'
import type { GatewaySocketClass } from './socket'

/** How long to wait between attempts to connect. Each wait is random, up to the limits given here. */
export interface GatewayBackoffOptions {
  /**
   * The most before the first attempt after a connection was lost, in milliseconds.
   * @default 100
   */
  readonly firstMs?: number | undefined
  /**
   * The most before the second, in milliseconds; it doubles with each further attempt.
   * @default 1_000
   */
  readonly baseMs?: number | undefined
  /**
   * The most before any, in milliseconds.
   * @default 60_000
   */
  readonly maxMs?: number | undefined
  /**
   * How long a connection must have been ready for the waits to start over when it is lost, in milliseconds.
   * @default 30_000
   */
  readonly stableMs?: number | undefined
}

/** How a client receives events. `url` is the one that must be given. */
export interface GatewayOptions {
  /**
   * Where the Gateway is: wss, or ws on loopback, or ws with `allowInsecureHttp`. May carry a path and a query. The
   * interface does not show it.
   */
  readonly url: string | URL
  /**
   * The class to open sockets with.
   * @default globalThis.WebSocket, looked up when connecting; that of the package `ws` where there is none, and in Node,
   * whose own cannot end a connection whose other end has vanished
   */
  readonly WebSocket?: GatewaySocketClass | undefined
  /**
   * How the gateway speaks.
   * @default defaultGatewayProtocol, a convention
   */
  readonly protocol?: GatewayProtocol | undefined
  /**
   * Whether to connect by itself whenever the session has a token: at once, or when someone signs in.
   * @default false
   */
  readonly connectOnSignIn?: boolean | undefined
  /** How long to wait between attempts. */
  readonly backoff?: GatewayBackoffOptions | undefined
  /**
   * The largest frame that is read, in bytes. A larger one is dropped with a `warning` (`frame_too_large`), and the
   * connection goes on. `Infinity` for no limit.
   * @default 8_388_608, 8 MiB
   */
  readonly maxFrameBytes?: number | undefined
}

/** Options of `stream`. */
export interface GatewayCallOptions {
  /** Ends it; it rejects with the signal's own reason. */
  readonly signal?: AbortSignal | undefined
}

/** Options of `connect`. */
export interface GatewayConnectOptions extends GatewayCallOptions {
  /**
   * How long to wait for the session to start, in milliseconds. Then `connect` rejects with TimeoutError, which says why
   * the last attempt failed, and the gateway stops trying unless another `connect` waits.
   * @default none: it tries until it succeeds
   */
  readonly timeout?: number | undefined
}

/** Options of `waitFor`. */
export interface WaitForOptions<T> extends GatewayCallOptions {
  /** Which event to take; the first unless given. */
  readonly filter?: ((event: T) => boolean) | undefined
  /**
   * How long to wait, in milliseconds.
   * @default none
   */
  readonly timeout?: number | undefined
}
