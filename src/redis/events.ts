import { onAbort, sleep, throwIfAborted } from '../abort'
import type { BaseClient } from '../base-client'
import { RapportError } from '../errors/base'
import type { GatewayServiceEvents } from '../gateway/events'
import type { GatewayOptions } from '../gateway/options'
import { defaultGatewayProtocol } from '../gateway/protocol'
import { booleanOption, createCheck, nonNegativeInteger, objectOption, signalOption } from '../internal/options'
import type { Logger } from '../types/options'
import { isDamagedError, nameOption, type RedisConnection, type RedisOptions, validateArguments } from './connection'
import { type Entry, EventLog } from './event-log'
import { createSocketClass, eventProtocol } from './event-socket'
import { GroupReader } from './group-reader'
import { Holder, type RedisHolder, type RedisHolderOptions } from './holder'
import { keyRingOption, type RedisKeyRing } from './key-ring'

/** Options of {@link redisEvents}. All processes of an account must use the same. */
export interface RedisEventsOptions extends RedisOptions {
  /** Name of the service or app, without a colon, which becomes part of the keys `rapport:1:events:{…}`. */
  readonly stream: string
  /** Name of the account, which becomes part of the keys. Not a secret. */
  readonly account: string
  /**
   * Time after which another process takes over from one that was killed, in milliseconds; at least 1,000. It renews its
   * lease three times in this time.
   * @default 10_000
   */
  readonly leaseMs?: number | undefined
  /**
   * Number of events that the stream keeps, approximately. A consumer that is further behind misses events.
   * @default 10_000
   */
  readonly maxLength?: number | undefined
  /**
   * Keys that encrypt events and the session.
   * @default none: they are stored as they are
   */
  readonly encrypt?: RedisKeyRing | undefined
  /**
   * Receives the exceptions of listeners of a holder.
   * @default none: they are uncaught exceptions
   */
  readonly logger?: Logger | undefined
}

/** Options of the gateway of a consumer. */
export interface RedisGatewayOptions {
  /**
   * Group of consumers that share the events: one of them receives all, in order, and acknowledges each once its listeners
   * were called; if it ends, another one continues with the first event that was not acknowledged.
   * @default none: each client receives all events from the time it connects
   */
  readonly group?: string | undefined
  /**
   * Whether to connect automatically when the client is created with a token and after each sign-in.
   * @default false
   */
  readonly connectOnSignIn?: boolean | undefined
}

/** Options of {@link RedisEvents.read}. */
export interface RedisReadOptions {
  /** Group of consumers that share the events. */
  readonly group: string
  /** Ends the loop, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** An event of an account. */
export interface RedisEvent {
  /** ID in the stream. An event that is delivered again has the same one. */
  readonly id: string
  /** Name of the event for listeners (`relationshipAdd`), or on the wire if the interface does not name it. */
  readonly type: keyof GatewayServiceEvents | (string & {})
  /** The payload as received; not validated. */
  readonly data: unknown
  /** Number of the event of this account. It increases by one, also over sessions and holders. */
  readonly number: number
  /**
   * Number of events between the previous one of this loop and this one that were lost, because the group was too far behind
   * (`maxLength`), or because the service did not replay them. 0 for the first event. Does not include what was lost before
   * a `ready`: that number is unknown.
   */
  readonly missed: number
  /** Acknowledges the event: it is not delivered again. During an outage of Redis it waits, until the loop's signal. */
  ack(): Promise<void>
}

/** Events of one account in Redis. */
export interface RedisEvents {
  /**
   * Competes for the connection of the account to the Gateway: one of all processes holds it, by a lease, and its events go to
   * the stream. If it is killed, another takes over within `leaseMs` and resumes its session, so that the service replays
   * what was missed. A holder that was suspended cannot write after that (fencing).
   *
   * @param client Client whose session has the token. Its own gateway may be one of {@link RedisEvents.gateway}.
   * @param options Options of the gateway.
   * @throws RequestValidationError if the options are invalid.
   */
  hold(client: BaseClient, options: RedisHolderOptions): RedisHolder
  /**
   * Returns the option `gateway` of a client that reads the events from Redis. Its `gateway` and live stores work as with a
   * connection of its own: it is `ready` while some process holds the connection; it resumes after an outage of Redis; a gap
   * makes the live stores load again. Use it for one client, not for those of `as`, which belong to other accounts.
   */
  gateway(options?: RedisGatewayOptions): GatewayOptions
  /**
   * Returns the events of a group in order, each at least once: what was not acknowledged is delivered again, to this consumer
   * or, if it ends, to another one. Only one consumer of a group is active at a time; the others wait. A new group starts with
   * the oldest event in the stream. During an outage of Redis it waits; it rejects once the app has closed its client.
   *
   * An event `ready` starts a session of the service. Events before it may be missing, for example because Redis has lost its
   * data: load your lists again.
   *
   * @throws RapportError if an event is damaged; the error names the key, and the next loop skips the event.
   */
  read(options: RedisReadOptions): AsyncIterableIterator<RedisEvent>
}

/** Wait before Redis is asked again after an error, in milliseconds. */
const RETRY_MS = 500

/**
 * Shares the events of an account between processes: one of them holds the connection to the Gateway and appends its events to
 * a Redis Stream, any number of them read it. For Redis 6.2 and newer, and Valkey.
 *
 * @param redis Connected client of the package `redis`, which stays the app's. Notifications use one more connection for all
 *   accounts of the process.
 * @throws RequestValidationError if an argument is invalid.
 *
 * @example
 * import { createClient } from 'redis'
 * import { Client } from 'rapport-sdk'
 * import { redisEvents, redisTokenStore } from 'rapport-sdk/redis'
 *
 * const redis = await createClient({ url: 'redis://localhost:6379' }).connect()
 * const events = redisEvents(redis, { stream: 'my-app', account: '42' })
 * const client = new Client({
 *   baseUrl: 'https://service.example',
 *   tokenStore: redisTokenStore(redis, '42'),
 *   gateway: events.gateway({ connectOnSignIn: true }),
 * })
 * client.gateway.on('relationshipAdd', ({ id }) => console.log(id))
 * const holder = events.hold(client, { url: 'wss://gateway.service.example' })
 *
 * for await (const { type, data, ack } of events.read({ group: 'mailer' })) {
 *   console.log(type, data)
 *   await ack()
 * }
 * await holder.close()
 */
export function redisEvents(redis: RedisConnection, options: RedisEventsOptions): RedisEvents {
  const { stream, account, ...others } = Object(options)
  validateArguments(
    'redisEvents',
    redis,
    { stream, account },
    { ...others, stream },
    {
      // It ends at the first colon of the key; otherwise accounts of two streams could share one.
      stream: createCheck('a name without a colon', (value) => !String(value).includes(':')),
      leaseMs: createCheck('a number of at least 1,000', (value) => Number.isFinite(value) && Number(value) >= 1_000),
      maxLength: nonNegativeInteger,
      encrypt: keyRingOption,
      logger: objectOption,
    },
  )
  const { leaseMs = 10_000, maxLength = 10_000, encrypt, commandTimeout, logger } = options
  const log = new EventLog(redis, stream, account, { leaseMs: Math.ceil(leaseMs), maxLength, encrypt, commandTimeout })
  return {
    hold: (client, holderOptions) => new Holder(log, client, holderOptions, logger),
    gateway(gatewayOptions = {}) {
      validateArguments('redisEvents().gateway', redis, {}, gatewayOptions, {
        group: nameOption,
        connectOnSignIn: booleanOption,
      })
      const { group, connectOnSignIn } = gatewayOptions
      const context = { log, group: group === undefined ? undefined : new GroupReader(log, group), position: undefined }
      return {
        // No connection is opened to it.
        url: 'wss://redis.invalid',
        WebSocket: createSocketClass(context),
        protocol: { ...eventProtocol, eventMap: createEventMap() },
        connectOnSignIn,
        backoff: { maxDelay: 5_000 },
        maxFrameBytes: Infinity,
      }
    },
    read(readOptions) {
      validateArguments('redisEvents().read', redis, { group: Object(readOptions).group }, readOptions, {
        group: nameOption,
        signal: signalOption,
      })
      return read(log, readOptions)
    },
  }
}

/** Maps each name that listeners use to itself. */
function createEventMap(): typeof defaultGatewayProtocol.eventMap {
  return Object.fromEntries(Object.values(defaultGatewayProtocol.eventMap).map((name) => [name, name]))
}

/** Reads the events of a group. `return` also ends a `next` that waits, which it would not do for a generator. */
function read(log: EventLog, { group, signal }: RedisReadOptions): AsyncIterableIterator<RedisEvent> {
  const ended = new AbortController()
  const events = readUntil(ended.signal, log, group, signal)
  return {
    next: () => events.next(),
    return() {
      ended.abort()
      return events.return(undefined)
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

async function* readUntil(
  ended: AbortSignal,
  log: EventLog,
  group: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<RedisEvent, undefined> {
  const reader = new GroupReader(log, group)
  let isDue = true
  let wake = () => {}
  const onWake = () => {
    isDue = true
    wake()
  }
  reader.onWake = onWake
  const unsubscribers = [log.subscribe((what) => what !== 'state' && onWake()), onAbort(ended, onWake)]
  if (signal) unsubscribers.push(onAbort(signal, onWake))
  /** Waits during an outage of Redis. Once the app has closed its client, waiting is of no use. */
  const waitAfter = async (error: unknown, ...stops: readonly AbortSignal[]) => {
    if (isDamagedError(error)) throw error
    if (!log.isOpen) throw new RapportError(`The client of Redis was closed while events were read (${log.events}).`)
    await sleep(RETRY_MS, AbortSignal.any(signal ? [signal, ...stops] : [...stops])).catch(() => {})
    throwIfAborted(signal)
  }
  let last: Entry | undefined
  try {
    for (;;) {
      throwIfAborted(signal)
      if (ended.aborted) return
      isDue = false
      const entries = await reader.next().catch(async (error) => {
        await waitAfter(error, ended)
        isDue = true
        return []
      })
      for (const entry of entries) {
        throwIfAborted(signal)
        // Another consumer has become active, and receives them.
        if (!reader.isActive) break
        const ack = async () => {
          reader.acknowledge(entry.id)
          for (;;) {
            try {
              return await reader.flush()
            } catch (error) {
              await waitAfter(error)
            }
          }
        }
        // Acknowledged with the next call if that fails.
        const skip = () => {
          reader.acknowledge(entry.id)
          return reader.flush().catch(() => {})
        }
        // It was removed from the stream before it was acknowledged.
        if (entry.fields.size === 0) {
          await skip()
          continue
        }
        const event = await log.open(entry).catch(async (error) => {
          await skip()
          throw error
        })
        // An event that is delivered again is not after the last one. The numbers start again if Redis lost its data.
        const isNew = last === undefined || entry.isAfter(last)
        const missed = last && isNew ? Math.max(0, entry.number - last.number - 1) : 0
        if (isNew) last = entry
        const { id, type, data, number } = event
        yield { id, type, data, number, missed, ack }
      }
      const isMore = isDue || entries.length > 0
      if (!isMore) {
        await new Promise<void>((resolve) => {
          wake = resolve
          if (isDue || signal?.aborted || ended.aborted) resolve()
        })
      }
    }
  } finally {
    for (const unsubscribe of unsubscribers) unsubscribe()
    reader.pause()
  }
}
