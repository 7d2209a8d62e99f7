import { GatewayError } from '../errors/client-errors'

/** Event of a {@link GatewaySocket}. */
export interface GatewaySocketEvent {
  /** `open`, `message`, `close` or `error`. */
  readonly type: string
  /** Received data of a `message`: a string or an ArrayBuffer. */
  readonly data?: unknown
  /** Close code of a `close`. */
  readonly code?: number
  /** Reason of a `close`. */
  readonly reason?: string
  /** Message of an `error`, if the platform provides one. */
  readonly message?: string
  /** Error of an `error`, if the platform provides one; its `code` is reported. */
  readonly error?: unknown
}

/** Members of a WebSocket that a gateway uses: those of browsers, Node, Deno, Bun and `ws` have them. */
export interface GatewaySocket {
  /** Set to `arraybuffer`. */
  binaryType: string
  /** Calls `listener` for each event of `type`. */
  addEventListener(type: 'open' | 'message' | 'close' | 'error', listener: (event: GatewaySocketEvent) => void): void
  /** Sends a message. */
  send(data: string | ArrayBuffer): void
  /** Starts the closing handshake. */
  close(code?: number, reason?: string): void
  /** Destroys the connection immediately, if the platform supports it. */
  terminate?(): void
}

/** A WebSocket class. */
export type GatewaySocketClass = new (url: string) => GatewaySocket

/** The platform's class when this module was loaded. */
const nativeWebSocket: GatewaySocketClass | undefined = (() => globalThis.WebSocket)()

/** Returns the class to open sockets with: that of the options, the platform's, or that of the package `ws`. */
export async function resolveSocketClass(option: GatewaySocketClass | undefined): Promise<GatewaySocketClass> {
  if (option !== undefined) return option
  // Read on each connect, because a test or msw may replace it.
  const current = globalThis.WebSocket
  if (current !== undefined && (current !== nativeWebSocket || !isNodeClass(current))) return current
  const { default: loaded } = await import('isomorphic-ws')
  // In browsers and workers the package exports the platform's class, which may be undefined.
  if (typeof loaded === 'function') return loaded
  throw new GatewayError('no_socket', 'WebSocket is not available here. Set the option `gateway.WebSocket`.')
}

/**
 * Whether this is Node's own class, available since version 22. It cannot destroy a connection to a peer that has vanished,
 * which keeps the process alive. Those of Bun and `ws` can.
 */
function isNodeClass({ prototype }: GatewaySocketClass): boolean {
  return Reflect.get(globalThis, 'process')?.versions?.node !== undefined && !('terminate' in prototype)
}

/**
 * Calls `callback` on `online` and when the page becomes visible. Returns an unsubscribe function. Does nothing outside
 * browsers.
 */
export function onConnectivityChange(callback: () => void): () => void {
  const onVisibilityChange = () => {
    if (globalThis.document.visibilityState === 'visible') callback()
  }
  const unsubscribers = [
    listen(globalThis, 'online', callback),
    listen(globalThis.document, 'visibilitychange', onVisibilityChange),
  ]
  return () => {
    for (const unsubscribe of unsubscribers) unsubscribe()
  }
}

/** Adds a listener if the target exists: the global types include members that some platforms lack. */
function listen(target: Partial<EventTarget> | undefined, type: string, callback: () => void): () => void {
  if (typeof target?.addEventListener !== 'function') return () => {}
  target.addEventListener(type, callback)
  return () => target.removeEventListener?.(type, callback)
}
