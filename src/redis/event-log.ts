import type { GatewayDispatch } from '../gateway/events'
import { isObject, parseJson, withoutPrototype } from '../internal/json'
import type { KeyRing } from '../internal/seal'
import { Cipher } from './cipher'
import {
  Commands,
  damagedError,
  LOST,
  listen,
  type RedisClient,
  type RedisOptions,
  type Reply,
  type Script,
} from './connection'
import * as scripts from './event-scripts'
import { subscribe } from './notifications'

/** An event of the service to publish; `undefined` means events that the service sent but no process received. */
export type NewEvent = GatewayDispatch | undefined

/** An event of the stream. */
export interface StoredEvent extends Omit<GatewayDispatch, 'sequence'> {
  /** ID in the stream: a number of the session and `number`. The same one if the event is published again after a failover. */
  readonly id: string
  /** Number of the event of this account, which increases by one: a gap means that events were lost. */
  readonly number: number
}

/** The lease of the account that a holder has, and what Redis has of its session. */
export interface Lease {
  /** Fencing token and holder. Redis refuses the writes of a holder whose lease has another value. */
  readonly value: string
  readonly fence: string
  readonly epoch: string
  readonly tokenHash: string
  /** Number of the last event that was published. */
  number: number
  /** The last Ready as it is now; `undefined` if there is no session to resume. */
  ready: Identity | undefined
  /** Last sequence number of the service in that session. */
  sequence: number | null
  /** First part of the IDs of its events. */
  prefix: string
}

/** What a Ready says that stays true during the session, or changes with an event: no lists. */
export type Identity = Record<string, unknown>

/** State of an account's events. */
export interface LogStatus {
  /** Changes if the events are lost, for example because Redis was emptied. Empty before the first holder. */
  readonly epoch: string
  /** Whether a holder is connected to the service. */
  readonly isUp: boolean
  readonly number: number
  /** ID of the last event. */
  readonly lastId: string
  readonly ready: Identity | undefined
  /**
   * Why the service closed the connection for good, and the hash of the token that it refused; empty if it did not refuse the
   * token. `undefined` while a holder tries again.
   */
  readonly failure: { readonly reason: string; readonly tokenHash: string } | undefined
}

/** Why a lease was not taken. */
export interface Refusal {
  /** Time until it may be free, in milliseconds. */
  readonly waitMs: number
  /** The lease of the holder; empty if there is none. */
  readonly heldBy: string
  /** Why the service closed the connection for good, if that is the reason of the wait. */
  readonly failure: string | undefined
}

/** Size of events, in characters, after which no more are written at once. */
const MAX_SIZE = 1_000_000

/** Events of one account in a Redis Stream, and who writes them. Errors name the key. */
export class EventLog {
  readonly events: string
  readonly leaseMs: number
  readonly #redis: RedisClient
  readonly #commands: Commands
  readonly #cipher: Cipher
  readonly maxLength: number
  /** Keys of all scripts. */
  readonly #keys: readonly string[]
  readonly #channel: string
  readonly #state: string
  /** Whether a holder of this process will try at once, so that what is known of a failure is out of date. */
  isDue = false

  constructor(
    redis: RedisClient,
    stream: string,
    account: string,
    options: RedisOptions & {
      readonly encrypt?: KeyRing | undefined
      readonly leaseMs: number
      readonly maxLength: number
    },
  ) {
    this.#redis = redis
    this.#commands = new Commands(redis, options)
    this.#cipher = new Cipher(options.encrypt)
    this.leaseMs = options.leaseMs
    this.maxLength = options.maxLength
    // One hash slot, so that a script may use all of them.
    this.events = `rapport:1:events:{${stream}:${account}}`
    this.#state = `${this.events}:state`
    this.#keys = ['', ':state', ':lease', ':failure', ':groups'].map((part) => this.events + part)
    this.#channel = `${this.events}:changes`
  }

  /**
   * Calls `onChange` with what has changed: `events`, the `state` of the holder, a `group`, or `all` if changes may have been
   * missed. Messages between holders have more words.
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
    return this.#redis.isOpen
  }

  /**
   * Takes the lease.
   * @param isFirst Whether to try before the wait after a failure is over.
   * @param request Message to the holder, if there is one.
   */
  async acquire(holder: string, tokenHash: string, isFirst: boolean, request = ''): Promise<Lease | Refusal> {
    const args = [holder, this.leaseMs, crypto.randomUUID(), tokenHash, isFirst ? 1 : 0, this.#channel, request]
    const reply = await this.#run(scripts.ACQUIRE, args)
    if (reply.status === 'held') return { waitMs: reply.number(1), heldBy: reply.text(2), failure: undefined }
    if (reply.status === 'failed') return { waitMs: reply.number(1), heldBy: '', failure: reply.text(2) }
    const [, fence = '', , sealed = '', sequence, prefix = '', epoch = ''] = reply.texts()
    const lease: Lease = {
      ...{ value: `${fence}:${holder}`, fence, epoch, tokenHash, prefix },
      number: reply.number(2),
      ready: await this.#openObject(sealed),
      sequence: sequence === '' ? null : reply.number(4),
    }
    // So that the old key can be removed. If it fails, the next one to take the lease tries again.
    if (lease.ready && !this.#cipher.isCurrent(sealed)) {
      await this.#publish(lease, lease.number, lease.ready, []).catch(() => {})
    }
    return lease
  }

  /** Extends the lease. Returns `undefined` if it is lost, or Redis has lost events, else whether somebody waits for it. */
  async renew(lease: Lease, isUp: boolean): Promise<{ readonly isWanted: boolean } | undefined> {
    const reply = await this.#write(lease, scripts.RENEW, [this.leaseMs, isUp ? 1 : 0, this.#channel, lease.number])
    return reply.status === 'ok' ? { isWanted: reply.text(1) === '1' } : undefined
  }

  /** Ends the lease. `message` goes to those that wait for it. */
  async release({ value }: Lease, message = 'state'): Promise<void> {
    await this.#run(scripts.RELEASE, [value, this.#channel, message])
  }

  /** Removes the session and the events of a token that was signed out. Returns false while somebody holds the connection. */
  async discard(tokenHash: string): Promise<boolean> {
    return (await this.#run(scripts.DISCARD, [tokenHash, this.#channel, crypto.randomUUID()])).status === 'ok'
  }

  /** Removes all that Redis has of the account. */
  async remove(): Promise<void> {
    await this.#run(scripts.REMOVE, [this.#channel])
  }

  /** Records that the service closed the connection for good, and which token it refused, if it did. */
  async fail({ value }: Lease, reason: string, tokenHash: string): Promise<void> {
    await this.#run(scripts.FAIL, [value, this.#channel, reason, tokenHash])
  }

  /**
   * Appends events, and stores their effect on the session atomically. May be repeated with the same `after`: what was
   * written the first time is not written again. Returns how many of them it has written, no more after the first megabyte; 0
   * if the lease is lost, or Redis has lost events.
   * @param after Number of the event before them.
   */
  async publish(lease: Lease, after: number, events: readonly NewEvent[]): Promise<number> {
    const items: (string | number)[] = []
    let { ready, prefix, sequence } = lease
    let number = after
    let size = 0
    for (const event of events) {
      if (size > MAX_SIZE) break
      number++
      // The events after it have other numbers than those that were published before a failover, so they get other IDs.
      if (event === undefined || event.type === 'ready') prefix = lease.fence
      const id = `${prefix}-${number}`
      const data = event ? await this.#sealJson(event.data, `${this.events} ${id}`) : ''
      size += data.length
      if (event === undefined) items.push('', '', '', '')
      else items.push(id, event.type, data, event.sequence ?? '')
      if (event?.type === 'ready') {
        ready = readIdentity(event.data)
        sequence = null
      } else if (event?.type === 'authSessionChange') ready &&= { ...ready, ...pick(event.data, [HASH]) }
      sequence = event?.sequence ?? sequence
    }
    const isOurs = await this.#publish({ ...lease, prefix }, after, ready === lease.ready ? undefined : ready, items)
    if (!isOurs) return 0
    Object.assign(lease, { ready, prefix, sequence, number })
    return number - after
  }

  async #publish(
    lease: Lease,
    after: number,
    ready: Identity | undefined,
    items: readonly (string | number)[],
  ): Promise<boolean> {
    const sealed = ready === undefined ? '' : await this.#sealJson(ready, this.#state)
    const args = [after, this.maxLength, this.#channel, sealed, lease.prefix, ...items]
    return (await this.#write(lease, scripts.PUBLISH, args)).status === 'ok'
  }

  /** Runs a script of the holder. If the state has disappeared, it is written again before. */
  async #write(lease: Lease, script: Script, args: readonly (string | number)[]): Promise<Reply> {
    const run = () => this.#run(script, [lease.value, ...args])
    const reply = await run()
    if (reply.status !== 'gone') return reply
    await this.#restore(lease)
    return run()
  }

  async #restore({ value, fence, epoch, tokenHash, number, ready, sequence, prefix }: Lease): Promise<void> {
    const session = ready && [
      'ready',
      await this.#sealJson(ready, this.#state),
      'seq',
      sequence ?? '',
      'prefix',
      prefix,
    ]
    const state = ['v', 1, 'fence', fence, 'epoch', epoch, 'token', tokenHash, 'n', number]
    await this.#run(scripts.RESTORE, [value, ...state, ...(session ?? [])])
  }

  async status(): Promise<LogStatus> {
    const reply = await this.#run(scripts.STATUS, [])
    const [reason, tokenHash] = [reply.text(6), reply.text(7)]
    return {
      epoch: reply.text(1),
      number: Number(reply.text(2)),
      isUp: reply.text(3) === '1',
      lastId: reply.text(4) || '0-0',
      ready: await this.#openObject(reply.text(5)),
      failure: reason !== '' && !this.isDue ? { reason, tokenHash } : undefined,
    }
  }

  /** Returns events after an ID, not all if there are many, and the epoch and number of the last event that was published. */
  async read(after: string): Promise<{ epoch: string; number: number; entries: readonly Entry[] }> {
    const reply = await this.#run(scripts.READ, [after])
    const entries = reply.list(3).map((entry) => new Entry(entry))
    return { epoch: reply.text(1), number: Number(reply.text(2)), entries }
  }

  /**
   * Reads the next events of a group, of which one consumer is active, so that they stay in order. Replies `held` and a wait in
   * ms, if another one is; or `ok`, the position of the group if this one starts there, and the events.
   * @param position The consumer's own one, to store; the empty string before it was active.
   * @param after ID of the event before; without it, the consumer starts at the position of the group.
   */
  readGroup(group: string, consumer: string, position: string, after = ''): Promise<Reply> {
    return this.#runOfGroup(scripts.READ_GROUP, group, [consumer, this.leaseMs, position, after])
  }

  /** Stores the position of a group, extends its lease or ends it. Returns false if the lease is lost. */
  async advance(group: string, consumer: string, position: string, isEnd = false): Promise<boolean> {
    const args = [consumer, this.leaseMs, position, isEnd ? 1 : 0, this.#channel]
    return (await this.#runOfGroup(scripts.ADVANCE, group, args)).status === 'ok'
  }

  /** @throws RapportError that names the key and the ID, if the event is damaged. */
  async open(entry: Entry): Promise<StoredEvent> {
    const { id, number, fields } = entry
    const place = `${this.events} ${id}`
    const [type = '', data = ''] = ['t', 'd'].map((name) => fields.get(name))
    if (fields.get('v') !== '1' || type === '' || !entry.hasValidId) throw damagedError(place)
    return { id, number, type, data: this.#parseJson(await this.#cipher.open(data, place), place) }
  }

  #runOfGroup(script: Script, group: string, args: readonly (string | number)[]): Promise<Reply> {
    const keys = [...this.#keys, `${this.events}:group:${group}`]
    return this.#commands.run(script, keys, () => [group, ...args])
  }

  #run(script: Script, args: readonly (string | number)[]): Promise<Reply> {
    return this.#commands.run(script, this.#keys, () => args)
  }

  #sealJson(value: unknown, place: string): Promise<string> {
    return this.#cipher.seal(JSON.stringify(value ?? null), place)
  }

  async #openObject(text: string): Promise<Record<string, unknown> | undefined> {
    if (text === '') return undefined
    return withoutPrototype(Object(this.#parseJson(await this.#cipher.open(text, this.#state), this.#state)))
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

const HASH = 'auth_session_id_hash'

/** Returns the parts of a Ready that do not age: no lists, no names. */
export function readIdentity(ready: unknown): Identity {
  const { user } = pick(ready, ['user'])
  return {
    ...pick(ready, [HASH, 'session_id', 'resume_gateway_url']),
    ...(isObject(user) && { user: pick(user, ['id']) }),
  }
}

/** Returns the members with these names that are present. */
function pick(value: unknown, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(Object(value)).filter(([name]) => names.includes(name)))
}

/** An entry of a stream, not validated. */
export class Entry {
  readonly id: string
  readonly number: number
  /** Whether its ID may be one of this package. After the highest ID, nothing could be read or written. */
  readonly hasValidId: boolean
  /** Whether it has a number. Something else may have written it. */
  readonly isEvent: boolean
  readonly fields = new Map<string, string>()

  constructor(reply: Reply) {
    this.id = reply.text(0)
    const parts = this.id.split('-').map(Number)
    this.number = parts[1] ?? Number.NaN
    this.hasValidId = parts.every(Number.isSafeInteger)
    const texts = reply.textsOf(1)
    for (let index = 0; index + 1 < texts.length; index += 2)
      this.fields.set(texts[index] ?? '', texts[index + 1] ?? '')
    this.isEvent = this.hasValidId && this.fields.get('v') === '1'
  }
}
