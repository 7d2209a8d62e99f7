import { isRapportError } from '../errors/base'
import type { InternalProtocol } from '../gateway/backoff'
import type { GatewaySocket, GatewaySocketClass, GatewaySocketEvent } from '../gateway/socket'
import { Emitter } from '../internal/emitter'
import { parseJson } from '../internal/json'
import { hashOf } from '../internal/seal'
import { type Entry, type EventLog, type LogStatus, readIdentity } from './event-log'
import type { GroupReader } from './group-reader'

/** Close code for which the gateway reconnects and resumes. */
const LOST_CODE = 4000
/** Close code for which the gateway closes for good. */
const FATAL_CODE = 4004
/** Interval in which Redis and the holder are checked, in milliseconds; also finds events whose notification was lost. */
const CHECK_MS = 10_000

/** Why the gateway of a group is not ready. */
const STANDBY = 'another consumer of the group receives the events'

/** Frames between a gateway and its {@link GatewaySocket} here. They never leave the process. */
export const eventProtocol: Omit<InternalProtocol, 'eventMap'> = {
  // Another consumer of the group may be active for weeks.
  resumeTimeoutMs: Infinity,
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
  /** Number for the gateway of the last event that was delivered: a gap means that events were missed. */
  sequence: number
}

type SocketEvents = Record<'open' | 'message' | 'close' | 'error', GatewaySocketEvent>

/** Returns the class of sockets that deliver events of a stream to a gateway, as the service would. */
export function createSocketClass(context: SocketContext): GatewaySocketClass {
  return class extends EventSocket {
    constructor() {
      super(context)
    }
  }
}

class EventSocket implements GatewaySocket {
  binaryType = ''
  // Exceptions of its listeners, which are the gateway's own, are ignored.
  readonly #emitter = new Emitter<SocketEvents>(() => {})
  readonly #context: SocketContext
  #unsubscribers: readonly (() => void)[] = []
  /** Called when the state of the holder may have changed. */
  #onState = () => {}
  #hasEnded = false
  /** Whether events are delivered. */
  #isReading = false
  /** Whether those are delivered that were missed, or another consumer of the group is active. */
  #isCatchingUp = false
  /** Whether a session has started among them, or some of them are lost. */
  #isReloadDue = false
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
      const onLost = () => this.#isReading && this.#end(LOST_CODE, 'the connection to Redis was lost')
      this.#unsubscribers = [unsubscribe, context.log.onLost(onLost)]
      this.#emit('open', {})
      this.#send({ kind: 'hello', heartbeatIntervalMs: CHECK_MS })
    })
  }

  addEventListener(type: keyof SocketEvents, listener: (event: GatewaySocketEvent) => void): void {
    this.#emitter.on(type, listener)
  }

  send(data: string | ArrayBuffer): void {
    const { op, token }: { readonly op?: unknown; readonly token?: unknown } = Object(parseJson(String(data)))
    void this.#attempt(async () => {
      if (op === 'identify') await this.#identify(String(token))
      else if (op === 'resume') await this.#resume(String(token))
      else await this.#check()
    })
  }

  close(code = 1000): void {
    this.#end(code, '')
  }

  #end(code: number, reason: string): void {
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
    if (group === undefined) {
      this.#context.sequence = status.number
      this.#isReading = true
    } else await this.#catchUp()
    // As of now, after what was missed.
    const { ready } = group ? ((await this.#untilUp(token)) ?? status) : status
    this.#sendEvent('ready', ready)
    this.#isCatchingUp = false
    // A listener of Ready may have disconnected.
    if (this.#hasEnded) return
    if (this.#isStandby) this.#end(LOST_CODE, STANDBY)
    else await this.#pump()
  }

  async #resume(token: string): Promise<void> {
    const { log, position, group } = this.#context
    const { epoch } = await log.status()
    if (position === undefined || isOther(epoch, position)) {
      this.#send({ kind: 'invalidSession', resumable: false })
      return
    }
    do {
      const changed = this.#untilChange()
      await this.#catchUp()
      if (this.#isStandby) await changed
    } while (this.#isStandby)
    const status = await this.#untilUp(token)
    if (status === undefined) return
    // Live stores load, since they are as old as the last event that this client has received.
    if (group || this.#isReloadDue) this.#sendEvent('ready', status.ready)
    else this.#send({ kind: 'dispatch', type: 'resumed', data: {}, sequence: null })
    this.#isCatchingUp = false
    void this.#pump()
  }

  /** Whether another consumer of the group is active. */
  get #isStandby(): boolean {
    return !this.#hasEnded && this.#context.group?.isActive === false
  }

  /** Delivers what was missed. */
  async #catchUp(): Promise<void> {
    if (this.#hasEnded) return
    this.#isReading = true
    this.#isCatchingUp = true
    await this.#pump()
  }

  #untilChange(): Promise<void> {
    return new Promise((resolve) => {
      this.#onState = resolve
    })
  }

  /** Replies to a heartbeat if the events are still complete and somebody receives them. */
  async #check(): Promise<void> {
    // It waits for a holder, or for its turn; the notification may have been lost.
    if (!this.#isReading || this.#isCatchingUp) {
      this.#onState()
      return this.#send({ kind: 'heartbeatAck' })
    }
    const { epoch, isUp } = await this.#context.log.status()
    if (isOther(epoch, this.#context.position)) this.#send({ kind: 'invalidSession', resumable: false })
    else if (!isUp) this.#end(LOST_CODE, 'no process is connected to the service')
    else {
      this.#send({ kind: 'heartbeatAck' })
      await this.#pump()
    }
  }

  /** Waits until a holder is connected. Returns `undefined` if the socket has ended meanwhile. */
  async #untilUp(token: string): Promise<(LogStatus & { readonly ready: object }) | undefined> {
    const tokenHash = await hashOf(token)
    while (!this.#hasEnded) {
      const changed = this.#untilChange()
      const status = await this.#context.log.status()
      const { failure, ready, isUp } = status
      if (failure?.tokenHash === tokenHash) this.#end(FATAL_CODE, failure.reason)
      // Another process may be able to connect.
      else if (failure?.tokenHash === '') this.#end(LOST_CODE, failure.reason)
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
    const { epoch, number, entries } = await log.read(position.id)
    // Redis has lost the events.
    if (isOther(epoch, position) && this.#isReading) {
      this.#isReading = false
      this.#send({ kind: 'invalidSession', resumable: false })
      return
    }
    for (const entry of entries) if (!(await this.#deliverEntry(entry, entry.number))) return
    if (entries.length > 0) this.#isPumpDue ||= number !== this.#context.sequence
    // Events are not in the stream any more, and perhaps none follows: live stores load.
    else if (number > this.#context.sequence) {
      if (!this.#isCatchingUp) return this.#end(LOST_CODE, 'events were lost')
      this.#context.sequence = number
      this.#isReloadDue = true
    }
  }

  async #deliverOfGroup(group: GroupReader): Promise<void> {
    group.onWake = () => {
      this.#onState()
      void this.#pump()
    }
    const entries = await group.next()
    if (this.#isStandby && !this.#isCatchingUp) this.#end(LOST_CODE, STANDBY)
    for (const event of entries) {
      const deliver = this.#deliverEntry(event.entry, this.#context.sequence + 1 + event.missed)
      const isOpen = await deliver.catch((error) => {
        group.skip(event)
        throw error
      })
      if (!isOpen) return
      // The listeners were called.
      group.acknowledge(event)
      this.#isPumpDue = true
    }
  }

  /** Returns whether the socket is still open afterwards. */
  async #deliverEntry(entry: Entry, sequence: number): Promise<boolean> {
    if (!this.#isReading) return false
    // Before it is read: a damaged event is reported once, and the gateway notices that its number is missing.
    const { position: before, sequence: last, log } = this.#context
    if (before && entry.hasValidId) this.#context.position = { ...before, id: entry.id }
    if (entry.isEvent) this.#context.sequence = sequence
    const { type, data } = await log.open(entry)
    if (!this.#isReading) {
      this.#context.position = before
      this.#context.sequence = last
      return false
    }
    // There may be newer ones.
    if (type === 'ready' && this.#isCatchingUp) this.#isReloadDue = true
    else this.#sendEvent(type, data)
    return this.#isReading
  }

  #sendEvent(type: string, payload: unknown): void {
    // Its lists are those of the session's start: live stores load. The ID lets the gateway resume after it lost Redis.
    const { resume_gateway_url, ...identity } = readIdentity(payload)
    const data = type === 'ready' ? { ...identity, session_id: crypto.randomUUID() } : payload
    this.#send({ kind: 'dispatch', type, data, sequence: this.#context.sequence })
  }

  /** Ends the socket if an operation fails. The errors name the key. */
  async #attempt(operation: () => Promise<void>): Promise<void> {
    try {
      await operation()
    } catch (error) {
      const reason = isRapportError(error) ? error.message : 'the events could not be read'
      if (!this.#hasEnded) this.#emit('error', { message: reason })
      this.#end(LOST_CODE, reason)
    }
  }

  #send(frame: object): void {
    if (!this.#hasEnded) this.#emit('message', { data: JSON.stringify(frame) })
  }

  #emit(type: keyof SocketEvents, event: Omit<GatewaySocketEvent, 'type'>): void {
    this.#emitter.emit(type, { ...event, type })
  }
}

/** Whether Redis has lost the events of a position. Without a state, the holder is about to write it again. */
function isOther(epoch: string, position: SocketContext['position']): boolean {
  return epoch !== '' && epoch !== position?.epoch
}
