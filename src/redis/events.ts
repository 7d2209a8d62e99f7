// `redisEvents`: the gateway events of many processes through one connection for each account.
import { onAbort, sleep, throwIfAborted } from '../abort'
import type { BaseClient } from '../client/base-client'
import { RapportError } from '../errors/base'
import { validateCustomEvents } from '../gateway/events'
import type { GatewayOptions } from '../gateway/options'
import { defaultGatewayProtocol } from '../gateway/protocol'
import { readField } from '../internal/json'
import {
  anyValue,
  booleanOption,
  createCheck,
  nonNegativeInteger,
  objectOption,
  signalOption,
} from '../internal/options'
import { type KeyRing, keyRingOption } from '../internal/seal'
import type { Logger } from '../types/options'
import {
  isDamagedError,
  nameOption,
  type RedisClient,
  type RedisOptions,
  readArguments,
  sendCommand,
} from './connection'
import { checkDeclared, type RedisEvent } from './event'
import { EventLog } from './event-log'
import { createSocketClass, eventProtocol } from './event-socket'
import { fleetOf } from './fleet'
import { GroupReader } from './group-reader'
import { Holder, type RedisHolder, type RedisHolderOptions } from './holder'

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
   * Number of events that the stream keeps, approximately. A consumer that is further behind misses events, also those that it
   * has received and not acknowledged if it ends.
   * @default 10_000
   */
  readonly maxLength?: number | undefined
  /**
   * Keys that encrypt events and the session.
   * @default none: they are stored as they are
   */
  readonly encrypt?: KeyRing | undefined
  /**
   * Receives the exceptions of listeners of a holder, and a warning if Redis may evict keys that are in use.
   * @default none: exceptions are uncaught, and the warning goes to the console
   */
  readonly logger?: Logger | undefined
}

/** Options of the gateway of a consumer. */
export interface RedisGatewayOptions extends Pick<GatewayOptions, 'connectOnSignIn' | 'events'> {
  /**
   * Group of consumers that share the events: one of them receives all, in order, and acknowledges each once its listeners
   * were called; if it ends, another one continues with the first event that was not acknowledged. While another one is active,
   * the gateway is not `ready` and live stores are `stale`; they load once this one is.
   * @default none: each client receives all events from the time it connects
   */
  readonly group?: string | undefined
}

/** Options of {@link RedisEvents.read}. */
export interface RedisReadOptions {
  /** Group of consumers that share the events. */
  readonly group: string
  /**
   * Ends the loop, which then throws the signal's reason. Observed between two events: until the body of the loop has
   * ended, the group stays with it.
   */
  readonly signal?: AbortSignal | undefined
  /**
   * Events that the API does not name, as the option `gateway.events` of a client. They have the data that their schema returns;
   * an invalid one has a `warning`. If a schema throws, so does the loop, and the next one delivers the event again.
   */
  readonly events?: GatewayOptions['events']
}

/** Events of one account in Redis. */
export interface RedisEvents {
  /**
   * Competes for the connection of the account to the Gateway: one of all processes holds it, by a lease, and its events go to
   * the stream. If it is killed, another takes over within `leaseMs` and resumes its session, so that the service replays
   * what was missed. A holder that was suspended cannot write after that (fencing).
   *
   * A session belongs to its token. A sign-out and another token remove its events from Redis, and another token starts a
   * session of its own.
   *
   * @param client Client whose session has the token. Its own gateway may be one of {@link RedisEvents.gateway}.
   * @param options Options of the gateway.
   * @throws RequestValidationError if the options are invalid.
   */
  hold(client: BaseClient, options: RedisHolderOptions): RedisHolder
  /**
   * Returns the option `gateway` of a client that reads the events from Redis. Its `gateway` and live stores work as with a
   * connection of its own: it is `ready` while some process holds the connection; it resumes after an outage of Redis; a gap
   * makes the live stores load again. Its `ready` has no lists, because those of the session's start are out of date. Use it for one client, not for those of `as`, which belong to other accounts.
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
   * @throws GatewayError if a schema of `events` threw (`schema_threw`).
   */
  read(options: RedisReadOptions): AsyncIterableIterator<RedisEvent>
  /**
   * Removes the account from Redis: its events, its session, and the positions of its groups. Close its holders in all
   * processes first; one that is open starts a new session. Loops and gateways that are open wait until one does.
   *
   * @throws RapportError if Redis does not reply or refuses it.
   */
  remove(): Promise<void>
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
 * const redis = createClient({ url: 'redis://localhost:6379' })
 * redis.on('error', console.error)
 * await redis.connect()
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
export function redisEvents(redis: RedisClient, options: RedisEventsOptions): RedisEvents {
  const read = readArguments(
    'redisEvents',
    redis,
    { stream: readField(options, 'stream'), account: readField(options, 'account') },
    options,
    {
      account: anyValue,
      // It ends at the first colon of the key; otherwise accounts of two streams could share one.
      stream: createCheck('a name without a colon', (value) => !String(value).includes(':')),
      leaseMs: createCheck('a number of at least 1,000', (value) => Number.isFinite(value) && Number(value) >= 1_000),
      maxLength: nonNegativeInteger,
      encrypt: keyRingOption,
      logger: objectOption,
    },
  )
  const { stream, account, leaseMs = 10_000, maxLength = 10_000, encrypt, commandTimeout, logger } = read
  const log = new EventLog(redis, stream, account, {
    leaseMs: Math.ceil(leaseMs),
    maxLength,
    encrypt,
    commandTimeout,
  })
  return {
    hold(client, holderOptions) {
      const holder = new Holder(log, fleetOf(redis, stream, leaseMs, { commandTimeout }), client, holderOptions, logger)
      void warnOfEviction(redis, logger)
      return holder
    },
    gateway(gatewayOptions = {}) {
      const { group, connectOnSignIn, events } = readArguments('redisEvents().gateway', redis, {}, gatewayOptions, {
        group: nameOption,
        connectOnSignIn: booleanOption,
        events: validateCustomEvents,
      })
      const context = {
        log,
        group: group === undefined ? undefined : new GroupReader(log, group),
        position: undefined,
        sequence: 0,
      }
      return {
        // No connection is opened to it.
        url: 'wss://redis.invalid',
        WebSocket: createSocketClass(context),
        protocol: { ...eventProtocol, eventMap: createEventMap() },
        connectOnSignIn,
        events,
        backoff: { maxDelay: 5_000 },
      }
    },
    read(readOptions) {
      const group = readField(readOptions, 'group')
      const checks = { group: anyValue, signal: signalOption, events: validateCustomEvents }
      return readGroup(log, readArguments('redisEvents().read', redis, { group }, readOptions, checks))
    },
    remove: () => log.remove(),
  }
}

/** Clients whose Redis was checked. */
const checked = new WeakSet<RedisClient>()

/** Warns once per client if Redis, when it is full, removes keys that are in use instead of refusing writes. */
async function warnOfEviction(redis: RedisClient, logger: Logger = console): Promise<void> {
  if (checked.has(redis)) return
  checked.add(redis)
  // Its user may lack the permission.
  const info = await Promise.resolve()
    .then(() => sendCommand(redis, ['INFO', 'memory']))
    .catch(() => '')
  const [, policy = 'noeviction'] = /^maxmemory_policy:([\w-]+)/m.exec(String(info)) ?? []
  if (policy === 'noeviction') return
  const advice = 'With `noeviction` it refuses writes instead of removing keys, and events wait.'
  logger.warn?.(`rapport: the \`maxmemory-policy\` of Redis is \`${policy}\`. ${advice}`)
}

/** Maps each name that listeners use to itself. */
function createEventMap(): typeof defaultGatewayProtocol.eventMap {
  return Object.fromEntries(Object.values(defaultGatewayProtocol.eventMap).map((name) => [name, name]))
}

/** Reads the events of a group. `return` also ends a `next` that waits, which it would not do for a generator. */
function readGroup(log: EventLog, options: RedisReadOptions): AsyncIterableIterator<RedisEvent> {
  const ended = new AbortController()
  const events = readUntil(ended.signal, log, options)
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

function readUntil(ended: AbortSignal, log: EventLog, options: RedisReadOptions): AsyncGenerator<RedisEvent, undefined>
async function* readUntil(
  ended: AbortSignal,
  log: EventLog,
  { group, signal = new AbortController().signal, events }: RedisReadOptions,
): AsyncGenerator<object, undefined> {
  const declared = new Map(Object.entries(events ?? {}))
  const reader = new GroupReader(log, group)
  let isDue = true
  let wake = () => {}
  const onWake = () => {
    isDue = true
    wake()
  }
  reader.onWake = onWake
  const changed = log.subscribe((what) => what !== 'state' && onWake())
  const stop = AbortSignal.any([signal, ended])
  const unsubscribers = [changed, log.onLost(onWake), onAbort(stop, onWake)]
  /** Waits during an outage of Redis. Once the app has closed its client, waiting is of no use. */
  const waitAfter = async (error: unknown, until = signal) => {
    if (isDamagedError(error)) throw error
    if (!log.isOpen) throw new RapportError(`The client of Redis was closed while events were read (${log.events}).`)
    await sleep(RETRY_MS, until).catch(() => {})
    throwIfAborted(signal)
  }
  try {
    for (;;) {
      throwIfAborted(signal)
      if (ended.aborted) return
      isDue = false
      const entries = await reader.next().catch(async (error) => {
        await waitAfter(error, stop)
        isDue = true
        return []
      })
      for (const delivery of entries) {
        throwIfAborted(signal)
        // Another consumer has become active, and receives them.
        if (!reader.isActive) break
        const ack = async () => {
          reader.acknowledge(delivery)
          for (;;) {
            try {
              return await reader.flush()
            } catch (error) {
              await waitAfter(error)
            }
          }
        }
        const event = await log.open(delivery.entry).catch(async (error) => {
          reader.skip(delivery)
          // Acknowledged with the next call if that fails.
          await reader.flush().catch(() => {})
          throw error
        })
        yield { ...(await checkDeclared(event, declared.get(event.type))), missed: delivery.missed, ack }
      }
      if (isDue || entries.length > 0) continue
      await new Promise<void>((resolve) => {
        wake = resolve
        if (isDue || stop.aborted) resolve()
      })
    }
  } finally {
    for (const unsubscribe of unsubscribers) unsubscribe()
    reader.pause()
  }
}
