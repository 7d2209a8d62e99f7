import type { GatewayLink, GatewayPeer } from '../gateway/connection'
import { assertClosing, assertProtocols, socketUrl } from './checks'
import { delivered, received, sizeOf } from './data'
import { closeEvent, errorEvent, messageEvent } from './events'
import { HandlerAttributes } from './handlers'
import type { TaskQueue } from './tasks'
import type { MockWebSocket, MockWebSocketData } from './types'

/** Where a socket in memory leads. */
export interface MemoryDoor {
  readonly tasks: TaskQueue
  /** Why nobody answers at an address, `undefined` where the gateway does. */
  refusal(url: URL): string | undefined
  connect(peer: GatewayPeer): GatewayLink | undefined
}

/** A WebSocket by the standard, https://websockets.spec.whatwg.org, to a gateway in the same process. */
export class MemoryWebSocket extends EventTarget implements MockWebSocket {
  static readonly CONNECTING = 0
  static readonly OPEN = 1
  static readonly CLOSING = 2
  static readonly CLOSED = 3
  readonly CONNECTING = 0
  readonly OPEN = 1
  readonly CLOSING = 2
  readonly CLOSED = 3
  readonly url: string
  readonly protocol = ''
  readonly extensions = ''
  #readyState: MockWebSocket['readyState'] = 0
  #bufferedAmount = 0
  #binaryType: 'blob' | 'arraybuffer' = 'blob'
  /** What has arrived at a service that does not read. */
  #held: (() => void)[] | undefined
  #link: GatewayLink | undefined
  readonly #handlers = new HandlerAttributes(this)
  readonly #door: MemoryDoor

  constructor(door: MemoryDoor, given: string | URL, protocols: string | string[] = []) {
    super()
    const url = socketUrl(given)
    assertProtocols(protocols)
    this.url = url.href
    this.#door = door
    door.tasks(() => this.#open(url))
  }

  get readyState(): MockWebSocket['readyState'] {
    return this.#readyState
  }

  get bufferedAmount(): number {
    return this.#bufferedAmount
  }

  get binaryType(): 'blob' | 'arraybuffer' {
    return this.#binaryType
  }

  set binaryType(type) {
    if (type === 'blob' || type === 'arraybuffer') this.#binaryType = type
  }

  get onopen(): MockWebSocket['onopen'] {
    return this.#handlers.get('open')
  }

  set onopen(handler) {
    this.#handlers.set('open', handler)
  }

  get onmessage(): MockWebSocket['onmessage'] {
    return this.#handlers.get('message')
  }

  set onmessage(handler) {
    this.#handlers.set('message', handler)
  }

  get onerror(): MockWebSocket['onerror'] {
    return this.#handlers.get('error')
  }

  set onerror(handler) {
    this.#handlers.set('error', handler)
  }

  get onclose(): MockWebSocket['onclose'] {
    return this.#handlers.get('close')
  }

  set onclose(handler) {
    this.#handlers.set('close', handler)
  }

  send(data: MockWebSocketData): void {
    if (this.#readyState === this.CONNECTING) {
      throw new DOMException('the socket is not open yet', 'InvalidStateError')
    }
    const message = received(data)
    const size = sizeOf(message)
    this.#bufferedAmount += size
    // What is sent into a socket that closes is lost, though counted. So the standard has it.
    if (this.#readyState !== this.OPEN) return
    this.#door.tasks(() => {
      this.#bufferedAmount -= size
      this.#arrive(() => this.#link?.receive(message))
    })
  }

  close(code?: number, reason = ''): void {
    assertClosing(code, reason)
    if (this.#readyState === this.CLOSING || this.#readyState === this.CLOSED) return
    const isOpen = this.#readyState === this.OPEN
    this.#readyState = this.CLOSING
    // Before that, opening it finds out.
    if (isOpen) this.#door.tasks(() => this.#arrive(() => this.#finish(code ?? 1005, reason, true)))
  }

  #open(url: URL): void {
    const refusal = this.#connect(url)
    if (refusal !== undefined) {
      this.#fail(refusal)
      return
    }
    this.#readyState = this.OPEN
    this.dispatchEvent(new Event('open'))
  }

  /** @returns why it could not. */
  #connect(url: URL): string | undefined {
    if (this.#readyState !== this.CONNECTING) return 'the socket was closed before it was open'
    const { tasks, connect } = this.#door
    const refusal = this.#door.refusal(url)
    if (refusal !== undefined) return refusal
    this.#link = connect({
      url: this.url,
      send: (data) => tasks(() => this.#deliver(data)),
      close: (code, reason) => tasks(() => this.#finish(code, reason, true)),
      terminate: () => tasks(() => this.#finish(1006, '', false)),
      pause: (isPaused) => this.#pause(isPaused),
    })
    return this.#link === undefined ? 'the gateway refused the connection' : undefined
  }

  #deliver(data: string | Uint8Array): void {
    if (this.#readyState !== this.OPEN) return
    this.dispatchEvent(messageEvent(delivered(data, this.#binaryType), new URL(this.url).origin))
  }

  #pause(isPaused: boolean): void {
    const held = this.#held
    this.#held = isPaused ? [] : undefined
    for (const act of held ?? []) act()
  }

  #arrive(act: () => void): void {
    if (this.#held === undefined) act()
    else this.#held.push(act)
  }

  #fail(message: string): void {
    this.#readyState = this.CLOSED
    this.dispatchEvent(errorEvent(message))
    this.dispatchEvent(closeEvent(1006, '', false))
  }

  #finish(code: number, reason: string, wasClean: boolean): void {
    if (this.#readyState === this.CLOSED) return
    this.#readyState = this.CLOSED
    this.#link?.closed(code)
    this.dispatchEvent(closeEvent(code, reason, wasClean))
  }
}
