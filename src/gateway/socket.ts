import { GatewayError } from '../errors/client-errors'

/** What the listeners of a {@link GatewaySocket} are called with. */
export interface GatewaySocketEvent {
  /** `open`, `message`, `close` or `error`. */
  readonly type: string
  /** What came, of a `message`: text, or an ArrayBuffer. */
  readonly data?: unknown
  /** Of a `close`. */
  readonly code?: number
  /** Of a `close`. */
  readonly reason?: string
  /** Of an `error`, where the platform tells. */
  readonly message?: string
  /** Error of an `error` event, if the platform has one; its `code` is passed on. */
  readonly error?: unknown
}

/** What a gateway needs of a WebSocket: that of browsers has it, and so do those of Node, Deno, Bun and `ws`. */
export interface GatewaySocket {
  /** Set to `arraybuffer`. */
  binaryType: string
  /** Calls `listener` for each event of a kind. */
  addEventListener(type: 'open' | 'message' | 'close' | 'error', listener: (event: GatewaySocketEvent) => void): void
  /** Sends a message. */
  send(data: string | ArrayBuffer): void
  /** Begins to close. */
  close(code?: number, reason?: string): void
  /** Ends the connection at once, where the platform can. */
  terminate?(): void
}

/** A WebSocket class. */
export type GatewaySocketClass = new (url: string) => GatewaySocket

/** What the platform had to begin with. */
const nativeWebSocket: GatewaySocketClass | undefined = /*@__PURE__*/ (() => globalThis.WebSocket)()

/** The class to open sockets with: the one given, the platform's, or that of the package `ws`. */
export async function resolveSocketClass(given: GatewaySocketClass | undefined): Promise<GatewaySocketClass> {
  // Looked up on each connect, not once: a test, or msw, may put another in its place.
  const known = given ?? globalThis.WebSocket
  if (known !== undefined && (given !== undefined || known !== nativeWebSocket || !isNodes(known))) return known
  const { default: loaded } = await import('isomorphic-ws')
  // For browsers and workers that package gives what the platform has, which may be nothing.
  if (typeof loaded === 'function') return loaded
  throw new GatewayError('no_socket', 'there is no WebSocket here. Give the option `gateway.WebSocket`.')
}

/**
 * Node's own class, since version 22, cannot end a connection whose other end has vanished, which keeps the process alive.
 * Those of Bun and of `ws` can.
 */
function isNodes({ prototype }: GatewaySocketClass): boolean {
  return Reflect.get(globalThis, 'process')?.versions?.node !== undefined && !('terminate' in prototype)
}

/**
 * Calls `act` when a browser comes online again or its page becomes visible again. Returns an unsubscribe function. Does
 * nothing outside of browsers.
 */
export function onConnectivityChange(act: () => void): () => void {
  const seen = () => {
    if (globalThis.document.visibilityState === 'visible') act()
  }
  const stops = [listen(globalThis, 'online', act), listen(globalThis.document, 'visibilitychange', seen)]
  return () => {
    for (const stop of stops) stop()
  }
}

/** Types of the platform promise what is not there everywhere. */
function listen(target: Partial<EventTarget> | undefined, type: string, act: () => void): () => void {
  if (typeof target?.addEventListener !== 'function') return () => {}
  target.addEventListener(type, act)
  return () => target.removeEventListener?.(type, act)
}
