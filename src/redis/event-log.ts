import { isObject, parseJson } from '../internal/json'
import { Commands, damagedError, LOST, listen, type RedisConnection, type RedisOptions, type Reply } from './connection'
import { ACQUIRE, ADVANCE, FAIL, PUBLISH, READ, READ_GROUP, RELEASE, RENEW, STATUS } from './event-scripts'
import { Cipher, type RedisKeyRing } from './key-ring'
import { subscribe } from './notifications'

/** An event to publish; `undefined` in its place stands for events that the service sent and nobody received. */
export interface NewEvent {
  /** Name of the event for listeners, or on the wire if it is unknown. */
  readonly type: string
  readonly data: unknown
  /** Number of the service in its session. */
  readonly sequence: number | null
}

/** An event of the stream. */
export interface StoredEvent extends NewEvent {
  /** ID in the stream: the fencing token of the holder and `number`. */
  readonly id: string
  /** Number of the event of this account, which increases by one: a gap means that events were lost. */
  readonly number: number
}

/** State with which a new holder resumes the session of the last one. */
export interface Tenure {
  /** Value of the lease: fencing token and holder. Every write of the holder is refused once it is another. */
  readonly lease: string
  readonly fence: string
  /** Number of the last event that was published. */
  readonly number: number
  /** Payload of the last Ready; `undefined` if there is no session to resume. */
  readonly ready: Record<string, unknown> | undefined
  /** Last sequence number of the service in that session. */
  readonly sequence: number | null
}

/** State of an account's events. */
export interface LogStatus {
  /** Changes if the events are lost, for example because Redis was emptied. Empty before the first holder. */
  readonly epoch: string
  /** Whether a holder is connected to the service. */
  readonly isUp: boolean
  readonly number: number
  /** ID of the last event. */
  readonly lastId: string
  readonly ready: Record<string, unknown> | undefined
  /** Why the service closed the connection for good, and the hash of the token that it was opened with. */
  readonly failure: { readonly reason: string; readonly tokenHash: string } | undefined
}

/** Events of one account in a Redis Stream, and who writes them. Errors name the key. */
export class EventLog {
  readonly events: string
  readonly leaseMs: number
  readonly #redis: RedisConnection
  readonly #commands: Commands
  readonly #cipher: Cipher
  readonly #maxLength: number
  readonly #keys: readonly string[]
  readonly #channel: string
  readonly #name: string
  readonly #state: string

  constructor(
    redis: RedisConnection,
    stream: string,
    account: string,
    options: RedisOptions & {
      readonly encrypt?: RedisKeyRing | undefined
      readonly leaseMs: number
      readonly maxLength: number
    },
  ) {
    this.#redis = redis
    this.#commands = new Commands(redis, options)
    this.#cipher = new Cipher(options.encrypt)
    this.leaseMs = options.leaseMs
    this.#maxLength = options.maxLength
    // One hash slot, so that a script may use all of them.
    this.#name = `rapport:1:events:{${stream}:${account}}`
    this.events = this.#name
    this.#state = `${this.#name}:state`
    this.#keys = [this.#name, this.#state, `${this.#name}:lease`]
    this.#channel = `${this.#name}:changes`
  }

  /**
   * Calls `onChange` with what has changed: `events`, the `state` of the holder, a `group`, or `all` if changes may have been
   * missed.
   */
  subscribe(onChange: (what: string) => void): () => void {
    return subscribe(this.#redis, this.#channel, { onMessage: onChange, onStart: () => onChange('all') })
  }

  /** Calls `callback` when the app's client of Redis loses its connection. Returns an unsubscribe function. */
  onLost(callback: () => void): () => void {
    return listen(this.#redis, LOST, callback)
  }

  /** Whether the app has not closed its client of Redis. */
  get isOpen(): boolean {
    return this.#commands.isOpen
  }

  /** Takes the lease. Returns the time until it may be free in milliseconds, if another process has it. */
  async acquire(holder: string): Promise<Tenure | number> {
    const reply = await this.#run(ACQUIRE, [holder, this.leaseMs, crypto.randomUUID()])
    if (reply.status === 'held') return reply.number(1)
    const [, fence = '', , sealed = ''] = reply.texts()
    const ready = await this.#openObject(sealed)
    const sequence = reply.text(4) === '' ? null : reply.number(4)
    const tenure = { lease: `${fence}:${holder}`, fence, number: reply.number(2), ready, sequence }
    // So that the old key can be removed. If it fails, the next one to take the lease tries again.
    if (ready && !this.#cipher.isCurrent(sealed)) {
      await this.#publish(tenure, tenure.number, ready, []).catch(() => {})
    }
    return tenure
  }

  /** Extends the lease. Returns false if it is lost. */
  async renew(lease: string, isUp: boolean): Promise<boolean> {
    return (await this.#run(RENEW, [lease, this.leaseMs, isUp ? 1 : 0, this.#channel])).status === 'ok'
  }

  async release(lease: string): Promise<void> {
    await this.#run(RELEASE, [lease, this.#channel])
  }

  /** Records that the service closed the connection for good. */
  async fail(lease: string, reason: string, tokenHash: string): Promise<void> {
    await this.#run(FAIL, [lease, this.#channel, JSON.stringify({ reason, tokenHash })])
  }

  /**
   * Appends events, and stores their effect on the session atomically. May be repeated with the same `after`: what was
   * written the first time is not written again. Returns false if the lease is lost, or Redis has lost events.
   * @param after Number of the event before them.
   */
  async publish(tenure: Tenure, after: number, events: readonly (NewEvent | undefined)[]): Promise<boolean> {
    const items: (string | number)[] = []
    for (const [index, event] of events.entries()) {
      const place = `${this.#name} ${tenure.fence}-${after + index + 1}`
      if (event === undefined) items.push('', '', '')
      else items.push(event.type, await this.#sealJson(event.data, place), event.sequence ?? '')
    }
    const ready = events.findLast((event) => event?.type === 'ready')
    return this.#publish(tenure, after, ready?.data, items)
  }

  async #publish(
    { lease, fence }: Tenure,
    after: number,
    ready: unknown,
    items: readonly (string | number)[],
  ): Promise<boolean> {
    const sealed = ready === undefined ? '' : await this.#sealJson(ready, this.#state)
    const reply = await this.#run(PUBLISH, [lease, fence, after, this.#maxLength, this.#channel, sealed, ...items])
    return reply.status === 'ok'
  }

  async status(): Promise<LogStatus> {
    const reply = await this.#run(STATUS, [])
    const failure = this.#parse(reply.text(6) || 'null')
    const { reason, tokenHash } = failure
    return {
      epoch: reply.text(1),
      number: Number(reply.text(2)),
      isUp: reply.text(3) === '1',
      lastId: reply.text(4) || '0-0',
      ready: await this.#openObject(reply.text(5)),
      failure: typeof reason === 'string' ? { reason, tokenHash: String(tokenHash) } : undefined,
    }
  }

  /** Returns events after an ID, and the epoch that they belong to. */
  async read(after: string, count: number): Promise<{ epoch: string; entries: readonly Entry[] }> {
    const reply = await this.#run(READ, [after, count])
    return { epoch: reply.text(1), entries: reply.list(2).map((entry) => new Entry(entry)) }
  }

  /**
   * Returns the next events of a group, or `undefined` if another consumer of it is active: only one is, so that events stay
   * in order. Its events that nobody has acknowledged come first.
   * @param after ID of the last pending event that this consumer received since it became active.
   * @param isPendingDone Whether it has received all of them.
   */
  async readGroup(
    group: string,
    consumer: string,
    after: string,
    count: number,
    acknowledged: readonly string[],
    isPendingDone: boolean,
  ): Promise<{ status: string; waitMs: number; entries: readonly Entry[] }> {
    const lease = `${this.#name}:group:${group}`
    const args = [group, consumer, this.leaseMs, after, count, isPendingDone ? 1 : 0, ...acknowledged]
    const reply = await this.#commands.run(READ_GROUP, [...this.#keys, lease], () => args)
    const { status } = reply
    if (status === 'held') return { status, waitMs: reply.number(1), entries: [] }
    return { status, waitMs: 0, entries: reply.list(1).map((entry) => new Entry(entry)) }
  }

  /** Acknowledges events, extends the lease of the group, or ends it. Returns false if it is lost. */
  async advance(group: string, consumer: string, ids: readonly string[], isEnd = false): Promise<boolean> {
    const lease = `${this.#name}:group:${group}`
    const args = [group, consumer, this.leaseMs, isEnd ? 1 : 0, this.#channel, ...ids]
    return (await this.#commands.run(ADVANCE, [...this.#keys, lease], () => args)).status === 'ok'
  }

  /** @throws RapportError that names the key and the ID, if the event is damaged. */
  async open(entry: Entry): Promise<StoredEvent> {
    const { id, number, fields } = entry
    const place = `${this.#name} ${id}`
    const [type = '', data = '', sequence = ''] = ['t', 'd', 's'].map((name) => fields.get(name) ?? '')
    if (fields.get('v') !== '1' || type === '' || !entry.hasValidId) throw damagedError(place)
    const value = this.#parseJson(await this.#cipher.open(data, place), place)
    return { id, number, type, data: value, sequence: sequence === '' ? null : Number(sequence) }
  }

  #run(script: Parameters<Commands['run']>[0], args: readonly (string | number)[]): Promise<Reply> {
    return this.#commands.run(script, this.#keys, () => args)
  }

  #sealJson(value: unknown, place: string): Promise<string> {
    return this.#cipher.seal(JSON.stringify(value ?? null), place)
  }

  async #openObject(text: string): Promise<Record<string, unknown> | undefined> {
    return text === '' ? undefined : this.#parse(await this.#cipher.open(text, this.#state))
  }

  #parse(text: string): Record<string, unknown> {
    const value = this.#parseJson(text, this.#state)
    return isObject(value) ? { ...value } : {}
  }

  #parseJson(text: string, place: string): unknown {
    try {
      return parseJson(text)
    } catch {
      // Its error may quote the value.
      throw damagedError(place)
    }
  }
}

/** An entry of a stream, not validated. */
export class Entry {
  readonly id: string
  readonly number: number
  readonly #fence: number
  /** Whether its ID may be one of this package. After the highest ID, nothing could be read or written. */
  readonly hasValidId: boolean
  readonly fields = new Map<string, string>()

  constructor(reply: Reply) {
    this.id = reply.text(0)
    const parts = this.id.split('-').map(Number)
    this.#fence = parts[0] ?? Number.NaN
    this.number = parts[1] ?? Number.NaN
    this.hasValidId = parts.every(Number.isSafeInteger)
    const texts = reply.textsOf(1)
    for (let index = 0; index + 1 < texts.length; index += 2)
      this.fields.set(texts[index] ?? '', texts[index + 1] ?? '')
  }

  /** Whether it is after another in the stream. */
  isAfter(other: Entry): boolean {
    return this.#fence > other.#fence || (this.#fence === other.#fence && this.number > other.number)
  }
}
