import { isRapportError } from '../errors/base'
import type { GatewayProtocol } from '../gateway/protocol'
import type { GatewaySocket, GatewaySocketClass, GatewaySocketEvent } from '../gateway/socket'
import { safeCall } from '../internal/emitter'
import { parseJson } from '../internal/json'
import { hashOf } from './connection'
import type { Entry, EventLog, LogStatus } from './event-log'
import type { GroupReader } from './group-reader'

/** Close code for which the gateway reconnects and resumes. */
const LOST_CODE = 4000
/** Close code for which the gateway closes for good. */
const FATAL_CODE = 4004
/** Maximum number of events that are read at once. */
const BATCH = 200
/** Interval in which Redis and the holder are checked, in milliseconds; also finds events whose notification was lost. */
const CHECK_MS = 10_000

/** Frames between a gateway and its {@link GatewaySocket} here. They never leave the process. */
export const eventProtocol: Omit<GatewayProtocol, 'eventMap'> = {
  encode: (frame) => JSON.stringify(frame),
  decode: (data) => Object(parseJson(String(data))),
  identify: ({ token }) => ({ op: 'identify', token }),
  resume: ({ token, sequence }) => ({ op: 'resume', token, sequence }),
  heartbeat: () => ({ op: 'heartbeat' }),
  classifyClose: (code) => (code === FATAL_CODE ? 'fatal' : 'resume'),
}

/** State that the sockets of a client share. */
export interface SocketContext {
  readonly log: EventLog
  /** Reads events that the group shares; `undefined` if the client receives all. */
  readonly group: GroupReader | undefined
  /** ID of the last event that was delivered, and the epoch that it belongs to. */
  position: { readonly epoch: string; readonly id: string } | undefined
}

type Listener = (event: GatewaySocketEvent) => void

/** Returns the class of sockets that deliver events of a stream to a gateway, as the service would. */
export function createSocketClass(context: SocketContext): GatewaySocketClass {
  return class {
    binaryType = ''
    readonly #socket = new EventSocket(context)

    addEventListener(type: 'open' | 'message' | 'close' | 'error', listener: Listener): void {
      this.#socket.listeners[type].push(listener)
    }

    send(data: string | ArrayBuffer): void {
      this.#socket.onFrame(Object(parseJson(String(data))))
    }

    close(code?: number): void {
      this.#socket.end(code ?? 1000, '')
    }
  } satisfies new (
    url: string,
  ) => GatewaySocket
}

class EventSocket {
  readonly listeners: Record<'open' | 'message' | 'close' | 'error', Listener[]> = {
    open: [],
    message: [],
    close: [],
    error: [],
  }
  readonly #context: SocketContext
  #unsubscribers: readonly (() => void)[] = []
  /** Called when the state of the holder may have changed. */
  #onState = () => {}
  #hasEnded = false
  /** Whether events are delivered. */
  #isReading = false
  #pumping: Promise<void> | undefined
  #isPumpDue = false

  constructor(context: SocketContext) {
    this.#context = context
    void this.#attempt(async () => {
      // Listeners are added after the constructor. Fails if Redis does not reply.
      await context.log.status()
      if (this.#hasEnded) return
      const unsubscribe = context.log.subscribe((what) => {
        if (what !== 'events') this.#onState()
        if (this.#isReading && what !== 'state') void this.#pump()
      })
      const onLost = () => this.#isReading && this.end(LOST_CODE, 'the connection to Redis was lost')
      this.#unsubscribers = [unsubscribe, context.log.onLost(onLost)]
      this.#emit('open', {})
      this.#send({ kind: 'hello', heartbeatIntervalMs: CHECK_MS })
    })
  }

  onFrame({ op, token }: { readonly op?: unknown; readonly token?: unknown }): void {
    void this.#attempt(async () => {
      if (op === 'identify') await this.#identify(String(token))
      else if (op === 'resume') await this.#resume(String(token))
      else await this.#check()
    })
  }

  end(code: number, reason: string): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#isReading = false
    for (const unsubscribe of this.#unsubscribers) unsubscribe()
    this.#onState()
    this.#context.group?.pause()
    queueMicrotask(() => this.#emit('close', { code, reason }))
  }

  async #identify(token: string): Promise<void> {
    const { group } = this.#context
    this.#context.position = undefined
    const status = await this.#untilUp(token)
    if (status === undefined) return
    this.#context.position = { epoch: status.epoch, id: status.lastId }
    const { number, epoch, ready } = status
    // The events of a group continue where it was, with numbers before this one.
    this.#sendEvent('ready', ready, group ? null : number, epoch)
    // A listener of Ready may have disconnected.
    if (this.#hasEnded) return
    this.#isReading = true
    await this.#pump()
  }

  async #resume(token: string): Promise<void> {
    const { log, position, group } = this.#context
    const { epoch } = await log.status()
    if (position === undefined || position.epoch !== epoch) {
      this.#send({ kind: 'invalidSession', resumable: false })
      return
    }
    if (this.#hasEnded) return
    this.#isReading = true
    if (group === undefined) await this.#pump()
    if ((await this.#untilUp(token)) === undefined) return
    this.#send({ kind: 'dispatch', type: 'resumed', data: {}, sequence: null })
    void this.#pump()
  }

  /** Replies to a heartbeat if the events are still complete and somebody receives them. */
  async #check(): Promise<void> {
    // Events are not delivered yet.
    if (!this.#isReading) return this.#send({ kind: 'heartbeatAck' })
    const { epoch, isUp } = await this.#context.log.status()
    if (this.#context.position?.epoch !== epoch) this.#send({ kind: 'invalidSession', resumable: false })
    else if (!isUp) this.end(LOST_CODE, 'no process is connected to the service')
    else {
      this.#send({ kind: 'heartbeatAck' })
      await this.#pump()
    }
  }

  /** Waits until a holder is connected. Returns `undefined` if the socket has ended meanwhile. */
  async #untilUp(token: string): Promise<(LogStatus & { readonly ready: object }) | undefined> {
    const tokenHash = await hashOf(token)
    while (!this.#hasEnded) {
      const changed = new Promise<void>((resolve) => {
        this.#onState = resolve
      })
      const status = await this.#context.log.status()
      const { failure, ready, isUp } = status
      if (failure?.tokenHash === tokenHash) this.end(FATAL_CODE, failure.reason)
      else if (isUp && ready !== undefined) return this.#hasEnded ? undefined : { ...status, ready }
      else await changed
    }
    return undefined
  }

  /** Delivers the events that are not delivered yet. */
  #pump(): Promise<void> {
    this.#isPumpDue = true
    this.#pumping ??= this.#pumpAll().finally(() => {
      this.#pumping = undefined
    })
    return this.#pumping
  }

  async #pumpAll(): Promise<void> {
    while (this.#isPumpDue && this.#isReading) {
      this.#isPumpDue = false
      await this.#attempt(() => (this.#context.group ? this.#deliverOfGroup(this.#context.group) : this.#deliver()))
    }
  }

  async #deliver(): Promise<void> {
    const { log, position } = this.#context
    if (position === undefined) return
    const { epoch, entries } = await log.read(position.id, BATCH)
    // Redis has lost the events.
    if (epoch !== position.epoch && this.#isReading) {
      this.#isReading = false
      this.#send({ kind: 'invalidSession', resumable: false })
      return
    }
    for (const entry of entries) if (!(await this.#deliverEntry(entry))) return
    if (entries.length === BATCH) this.#isPumpDue = true
  }

  async #deliverOfGroup(group: GroupReader): Promise<void> {
    group.onWake = () => void this.#pump()
    for (const entry of await group.next()) {
      if (!(await this.#deliverEntry(entry))) return
      // The listeners were called.
      group.acknowledge(entry.id)
      this.#isPumpDue = true
    }
  }

  /** Returns whether the socket is still open afterwards. */
  async #deliverEntry(entry: Entry): Promise<boolean> {
    if (!this.#isReading) return false
    // Before it is read: a damaged event is reported once, and the gateway notices that its number is missing.
    const before = this.#context.position
    if (before && entry.hasValidId) this.#context.position = { ...before, id: entry.id }
    if (entry.fields.size === 0) return true
    const { type, data, number } = await this.#context.log.open(entry).catch((error) => {
      this.#context.group?.acknowledge(entry.id)
      throw error
    })
    if (!this.#isReading) {
      this.#context.position = before
      return false
    }
    this.#sendEvent(type, data, number, before?.epoch)
    return this.#isReading
  }

  #sendEvent(type: string, payload: unknown, sequence: number | null, epoch: string | undefined): void {
    // Without an ID, the gateway could not resume after it lost Redis.
    const data = type === 'ready' ? { session_id: epoch, ...Object(payload) } : payload
    this.#send({ kind: 'dispatch', type, data, sequence })
  }

  /** Ends the socket if an operation fails. The errors name the key. */
  async #attempt(operation: () => Promise<void>): Promise<void> {
    try {
      await operation()
    } catch (error) {
      const reason = isRapportError(error) ? error.message : 'the events could not be read'
      if (!this.#hasEnded) this.#emit('error', { message: reason })
      this.end(LOST_CODE, reason)
    }
  }

  #send(frame: object): void {
    if (!this.#hasEnded) this.#emit('message', { data: JSON.stringify(frame) })
  }

  #emit(type: 'open' | 'message' | 'close' | 'error', event: Omit<GatewaySocketEvent, 'type'>): void {
    for (const listener of this.listeners[type]) safeCall(listener, { ...event, type }, () => {})
  }
}
