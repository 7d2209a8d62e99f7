import type { SessionRecord } from '../state/database'
import type { Connection } from './connection'
import { type Dispatch, dispatchFrame } from './frames'

/** What a client is told once it has resumed, beside the events it missed. */
const RESUMED = 'RESUMED'

/** A gateway session: the events of one client, across the connections that it has one after another. */
export class GatewaySession {
  readonly id: string
  /** The authentication session that it belongs to. */
  readonly auth: SessionRecord
  /** The number of its last event. */
  sequence = 0
  /** When it lost its connection; `undefined` while it has one. */
  detachedAt: number | undefined
  #connection: Connection | undefined
  #kept: Dispatch[] = []
  /** How many events can be sent again; the last one is kept in any case. */
  readonly #limit: number

  constructor(id: string, auth: SessionRecord, replayLimit: number) {
    this.id = id
    this.auth = auth
    this.#limit = replayLimit
  }

  get connection(): Connection | undefined {
    return this.#connection
  }

  attach(connection: Connection): void {
    this.#connection = connection
    this.detachedAt = undefined
    connection.session = this
  }

  detach(now: number): void {
    if (this.#connection !== undefined) this.#connection.session = undefined
    this.#connection = undefined
    this.detachedAt = now
  }

  /** Numbers an event, keeps it and sends it, as often as `times` says. */
  dispatch(name: string, data: unknown, times = 1): void {
    this.#push(name, JSON.stringify(data ?? null), times)
  }

  /** Sends the last event again, as it was. @returns whether there was one to send and somebody to send it to. */
  repeat(): boolean {
    const last = this.#kept.at(-1)
    if (last === undefined || this.#connection === undefined) return false
    this.#connection.send(dispatchFrame(last))
    return true
  }

  /** Whether all that came after an event is still kept. */
  remembers(sequence: number): boolean {
    return sequence >= this.sequence - this.#limit
  }

  /**
   * Sends what came after an event once more, then that all is told. What the client has not seen is numbered anew,
   * since a word of an earlier resume may be among it, which says nothing now.
   */
  replay(sequence: number): void {
    const missed = this.#kept.filter((event) => event.sequence > sequence && event.name !== RESUMED)
    this.#kept = this.#kept.filter((event) => event.sequence <= sequence)
    this.sequence = sequence
    for (const { name, data } of missed) this.#push(name, data)
    this.dispatch(RESUMED, {})
  }

  #push(name: string, data: string, times = 1): void {
    this.sequence += 1
    const event: Dispatch = { sequence: this.sequence, name, data }
    this.#kept.push(event)
    // In steps rather than one by one: a session of many events is not to copy its list for each.
    const excess = this.#kept.length - Math.max(1, this.#limit)
    if (excess > this.#limit) this.#kept.splice(0, excess)
    for (let count = 0; count < times; count++) this.#connection?.send(dispatchFrame(event))
  }
}
