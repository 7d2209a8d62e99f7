/** A message that came. */
export interface MockMessageEvent extends Event {
  /** What came: a text, or bytes in the form that `binaryType` asks for. */
  readonly data: string | ArrayBuffer | Blob
  /** Origin of the address that was connected to. */
  readonly origin: string
}

/** A socket has closed. */
export interface MockCloseEvent extends Event {
  /** The close code; 1006 where there was no close frame. */
  readonly code: number
  /** What was given as the reason. */
  readonly reason: string
  /** Whether both sides had agreed to close. */
  readonly wasClean: boolean
}

/** The events of a {@link MockWebSocket}, by name. */
export interface MockWebSocketEvents {
  /** The socket is open. */
  open: Event
  /** A message came. */
  message: MockMessageEvent
  /** The socket could not be opened; `close` follows. */
  error: Event
  /** The socket has closed. */
  close: MockCloseEvent
}

/** What can be sent. */
export type MockWebSocketData = string | ArrayBuffer | ArrayBufferView | Blob

/** A socket to the gateway of a mock service, in memory: what the platform's `WebSocket` is, without a network. */
export interface MockWebSocket extends EventTarget {
  /** Where it connects to. */
  readonly url: string
  /** 0 connecting, 1 open, 2 closing, 3 closed. */
  readonly readyState: 0 | 1 | 2 | 3
  /** Bytes that were sent and have not left yet. */
  readonly bufferedAmount: number
  /** The subprotocol: the gateway has none. */
  readonly protocol: string
  /** The extensions: the gateway has none. */
  readonly extensions: string
  /** How bytes come. @default 'blob' */
  binaryType: 'blob' | 'arraybuffer'
  /** Called once it is open. */
  onopen: ((event: Event) => void) | null
  /** Called with each message. */
  onmessage: ((event: MockMessageEvent) => void) | null
  /** Called where it could not be opened. */
  onerror: ((event: Event) => void) | null
  /** Called once it is closed. */
  onclose: ((event: MockCloseEvent) => void) | null
  /** 0. */
  readonly CONNECTING: 0
  /** 1. */
  readonly OPEN: 1
  /** 2. */
  readonly CLOSING: 2
  /** 3. */
  readonly CLOSED: 3
  /**
   * Sends a message.
   * @throws DOMException `InvalidStateError` before the socket is open.
   */
  send(data: MockWebSocketData): void
  /**
   * Begins to close.
   * @throws DOMException `InvalidAccessError` for a code other than 1000 and 3000–4999, `SyntaxError` for a reason of
   * more than 123 bytes.
   */
  close(code?: number, reason?: string): void
  /** Calls `listener` for each event of a kind. */
  addEventListener<K extends keyof MockWebSocketEvents>(
    type: K,
    listener: (event: MockWebSocketEvents[K]) => void,
    options?: Parameters<EventTarget['addEventListener']>[2],
  ): void
  /** The same as that of any `EventTarget`. */
  addEventListener(...args: Parameters<EventTarget['addEventListener']>): void
  /** Calls `listener` no more. */
  removeEventListener<K extends keyof MockWebSocketEvents>(
    type: K,
    listener: (event: MockWebSocketEvents[K]) => void,
    options?: Parameters<EventTarget['removeEventListener']>[2],
  ): void
  /** The same as that of any `EventTarget`. */
  removeEventListener(...args: Parameters<EventTarget['removeEventListener']>): void
}

/** The class of {@link MockWebSocket}; fits wherever a `WebSocket` class is asked for. */
export interface MockWebSocketClass {
  /** What its sockets share. */
  readonly prototype: MockWebSocket
  /** 0. */
  readonly CONNECTING: 0
  /** 1. */
  readonly OPEN: 1
  /** 2. */
  readonly CLOSING: 2
  /** 3. */
  readonly CLOSED: 3
  /**
   * Begins to connect.
   * @throws DOMException `SyntaxError` for what is no address of a WebSocket, or no list of subprotocols.
   */
  new (url: string | URL, protocols?: string | string[]): MockWebSocket
}
