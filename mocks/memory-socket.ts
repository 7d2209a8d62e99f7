import { type GatewayLink, type GatewayPeer, gatewayUrl, isGatewayPath } from './gateway/connection'
import type { MockGateway } from './gateway/gateway'

/** Event of a {@link MockWebSocket}: `open`, `message`, `error`, which `close` follows, and `close`. */
export interface MockSocketEvent extends Event {
  /** A message: a string, or an ArrayBuffer for a binary one. */
  readonly data: unknown
  /** Close code; 1006 without a close frame, 1005 for a close frame without a code. */
  readonly code: number
  /** Close reason. */
  readonly reason: string
  /** Whether the connection ended with a close frame. */
  readonly wasClean: boolean
  /** Why the connection failed. */
  readonly message: string
}

class SocketEvent extends Event implements MockSocketEvent {
  readonly data: unknown = null
  readonly code: number = 0
  readonly reason: string = ''
  readonly wasClean: boolean = false
  readonly message: string = ''

  constructor(type: string, fields: Partial<MockSocketEvent> = {}) {
    super(type)
    Object.assign(this, fields)
  }
}

/**
 * A socket to the gateway of a mock service, in memory. Implements the part of the standard `WebSocket` that a gateway
 * client uses; events are received through `addEventListener` or the handler properties.
 */
export interface MockWebSocket extends EventTarget {
  /** Gateway address. */
  readonly url: string
  /** 0 connecting, 1 open, 2 closing, 3 closed. */
  readonly readyState: 0 | 1 | 2 | 3
  /** Accepted for compatibility. Binary messages are always delivered as ArrayBuffer. @default 'arraybuffer' */
  binaryType: string
  /** Called when the socket is open. */
  onopen: ((event: MockSocketEvent) => void) | null
  /** Called with each message. */
  onmessage: ((event: MockSocketEvent) => void) | null
  /** Called when the connection fails; `onclose` follows. */
  onerror: ((event: MockSocketEvent) => void) | null
  /** Called when the socket has closed. */
  onclose: ((event: MockSocketEvent) => void) | null
  /** Sends a message. @throws DOMException `InvalidStateError` before the socket is open. */
  send(data: string | ArrayBuffer | ArrayBufferView): void
  /** Starts the closing handshake. @throws DOMException `InvalidAccessError` for a code other than 1000 and 3000–4999. */
  close(code?: number, reason?: string): void
  /** Ends the connection without a closing handshake, like `ws`. */
  terminate(): void
  /** Registers a listener. */
  addEventListener<E = MockSocketEvent>(
    type: 'open' | 'message' | 'error' | 'close',
    listener: (event: E) => void,
    options?: Parameters<EventTarget['addEventListener']>[2],
  ): void
  /** Registers a listener as `EventTarget` does. */
  addEventListener(...args: Parameters<EventTarget['addEventListener']>): void
}

/**
 * Class of {@link MockWebSocket}; accepted by the client as `gateway.WebSocket`. Any address other than the gateway's
 * fails with an `error` event; a URL that is not absolute throws a TypeError.
 */
export type MockWebSocketClass = new (url: string | URL) => MockWebSocket

interface MemoryNetwork extends Pick<MockGateway, 'connect'> {
  readonly enqueue: TaskQueue
  readonly baseUrl: URL
}

/** Creates a `WebSocket` class whose sockets connect to a gateway in memory, and to nothing else. */
export function createWebSocketClass(baseUrl: URL, { connect }: Pick<MockGateway, 'connect'>): MockWebSocketClass {
  const network: MemoryNetwork = { enqueue: createTaskQueue(), connect, baseUrl }
  return class WebSocket extends MemorySocket {
    constructor(url: string | URL) {
      super(network, url)
    }
  }
}

class MemorySocket extends EventTarget implements MockWebSocket {
  readonly url: string
  binaryType = 'arraybuffer'
  onopen: MockWebSocket['onopen'] = null
  onmessage: MockWebSocket['onmessage'] = null
  onerror: MockWebSocket['onerror'] = null
  onclose: MockWebSocket['onclose'] = null
  #readyState: MockWebSocket['readyState'] = 0
  /** Messages that have arrived while the service is not reading; `undefined` while it reads. */
  #paused: (() => void)[] | undefined
  #link: GatewayLink | undefined
  readonly #network: MemoryNetwork

  constructor(network: MemoryNetwork, address: string | URL) {
    super()
    const url = new URL(address)
    this.url = url.href
    this.#network = network
    for (const type of ['open', 'message', 'error', 'close'] as const) {
      this.addEventListener(type, (event) => event instanceof SocketEvent && this[`on${type}`]?.(event))
    }
    network.enqueue(() => this.#open(url))
  }

  get readyState(): MockWebSocket['readyState'] {
    return this.#readyState
  }

  send(data: string | ArrayBuffer | ArrayBufferView): void {
    if (this.#readyState === 0) throw new DOMException('the socket is not open yet', 'InvalidStateError')
    // By the standard, data sent into a closing socket are lost.
    if (this.#readyState !== 1) return
    const message = typeof data === 'string' ? data : copyBytes(data)
    this.#network.enqueue(() => this.#receive(() => this.#link?.receive(message)))
  }

  close(code?: number, reason = ''): void {
    if (code !== undefined && code !== 1000 && !(code >= 3000 && code <= 4999)) {
      throw new DOMException(`a client closes with 1000 or 3000–4999, not ${code}`, 'InvalidAccessError')
    }
    if (this.#readyState >= 2) return
    const isOpen = this.#readyState === 1
    this.#readyState = 2
    // A socket that is still connecting fails in #open.
    if (isOpen) this.#network.enqueue(() => this.#receive(() => this.#finish(code ?? 1005, reason, true)))
  }

  terminate(): void {
    if (this.#readyState === 3) return
    this.#readyState = 2
    this.#network.enqueue(() => this.#finish(1006, '', false))
  }

  #open(url: URL): void {
    const error = this.#connect(url)
    if (error !== undefined) {
      this.#finish(1006, '', false, error)
      return
    }
    this.#readyState = 1
    this.dispatchEvent(new SocketEvent('open'))
  }

  /** Connects to the gateway. @returns an error message if that failed. */
  #connect(url: URL): string | undefined {
    if (this.#readyState !== 0) return 'the socket was closed before it was open'
    const { enqueue, connect, baseUrl } = this.#network
    if (url.origin !== new URL(gatewayUrl(baseUrl)).origin || !isGatewayPath(baseUrl, url.pathname)) {
      return `${url.origin}${url.pathname} is not the gateway of the mock service, which is at ${gatewayUrl(baseUrl)}`
    }
    let reason = ''
    const peer: GatewayPeer = {
      url: this.url,
      refuse: (status) => {
        reason = ` with the status ${status}`
      },
      send: (data) => enqueue(() => this.#deliver(data)),
      close: (code, reason) => enqueue(() => this.#finish(code, reason, true)),
      terminate: () => enqueue(() => this.#finish(1006, '', false)),
      pause: (isPaused) => this.#pause(isPaused),
    }
    this.#link = connect(peer)
    return this.#link === undefined ? `the gateway refused the connection${reason}` : undefined
  }

  #deliver(message: string | Uint8Array): void {
    if (this.#readyState !== 1) return
    const data = typeof message === 'string' ? message : copyBytes(message).buffer
    this.dispatchEvent(new SocketEvent('message', { data }))
  }

  #pause(isPaused: boolean): void {
    const pending = this.#paused ?? []
    this.#paused = isPaused ? [] : undefined
    for (const handle of pending) handle()
  }

  #receive(handle: () => void): void {
    if (this.#paused === undefined) handle()
    else this.#paused.push(handle)
  }

  #finish(code: number, reason: string, wasClean: boolean, message?: string): void {
    if (this.#readyState === 3) return
    this.#readyState = 3
    this.#link?.closed(code)
    if (message !== undefined) this.dispatchEvent(new SocketEvent('error', { message }))
    this.dispatchEvent(new SocketEvent('close', { code, reason, wasClean }))
  }
}

/** Copies the bytes, because the sender may change them afterwards. */
function copyBytes(data: ArrayBuffer | ArrayBufferView): Uint8Array<ArrayBuffer> {
  if (!ArrayBuffer.isView(data)) return new Uint8Array(data.slice(0))
  return new Uint8Array(new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
}

type TaskQueue = (callback: () => void) => void

/**
 * Creates a queue that runs callbacks as macrotasks via MessageChannel (not timers, which tests fake), so that a client
 * that reconnects in a loop does not block the event loop. The channel is closed while the queue is empty, so that it
 * keeps no process alive. Falls back to microtasks without MessageChannel.
 */
function createTaskQueue(): TaskQueue {
  const queue: (() => void)[] = []
  let channel: MessageChannel | undefined

  const runNext = () => {
    const callback = queue.shift()
    try {
      callback?.()
    } finally {
      if (queue.length === 0) close()
    }
  }
  const close = () => {
    channel?.port1.close()
    channel?.port2.close()
    channel = undefined
  }
  const open = () => {
    const opened = new MessageChannel()
    opened.port1.onmessage = runNext
    return opened
  }
  return (callback) => {
    queue.push(callback)
    if (typeof MessageChannel === 'undefined') {
      queueMicrotask(runNext)
      return
    }
    channel ??= open()
    channel.port2.postMessage(null)
  }
}
