// What this folder needs of the package `redis`, and the checks of its clients.
import { raceAbort, SharedListener, setSafeTimeout } from '../abort'
import { RapportError } from '../errors/base'
import { RequestValidationError } from '../errors/client-errors'
import { type Check, createCheck, positiveNumber, readOptions } from '../internal/options'
import { digest } from '../internal/seal'

/**
 * Members that are used of a client of the package `redis`: of `createClient`, `createSentinel` or `createCluster`. The app
 * connects and closes it.
 */
export interface RedisClient {
  /** Whether commands can be sent now. */
  readonly isReady: boolean
  /** Whether it is connected or tries to connect; false once the app has closed it. */
  readonly isOpen: boolean
  /** Adds a listener. */
  on(event: string, listener: () => void): unknown
  /** Removes a listener. Without it, the listeners stay, a few for all accounts. */
  off?(event: string, listener: () => void): unknown
  /** Sends a command, to a primary that has its key. The parameters before the command differ. */
  sendCommand(...parameters: never[]): Promise<unknown>
  /** Creates a client with the same options, for notifications. */
  duplicate(): RedisSubscriber
}

/** Members that are used of the duplicate of a {@link RedisClient}. */
export interface RedisSubscriber {
  /** Whether it is connected. */
  readonly isReady: boolean
  /** Connects. */
  connect(): Promise<unknown>
  /** Lets the process exit while it is connected. Sentinels and clusters do not have it: they are destroyed with the app's client. */
  unref?(): void
  /** Closes the connection immediately. */
  destroy(): void
  /** Adds a listener. */
  on(event: string, listener: () => void): unknown
  /** Receives the messages of a channel. */
  subscribe(channel: string, listener: (message: string) => void): Promise<unknown>
  /** Ends {@link RedisSubscriber.subscribe}. */
  unsubscribe(channel: string): Promise<unknown>
}

/** A Lua script; Redis runs it atomically. */
export interface Script {
  readonly text: string
  /** Type of each key. */
  readonly types: readonly string[]
  hash?: Promise<string>
}

/** The time of Redis in ms, for scripts. */
export const NOW = `(function() local time = redis.call('TIME') return time[1] * 1000 + math.floor(time[2] / 1000) end)()`

/** Default of `commandTimeout`, in milliseconds. */
const COMMAND_TIMEOUT_MS = 2_000

/** Options of everything that uses Redis. */
export interface RedisOptions {
  /**
   * Maximum time to wait for a reply of Redis, in milliseconds.
   * @default 2_000
   */
  readonly commandTimeout?: number | undefined
}

export const REDIS_CHECKS = { commandTimeout: positiveNumber }

const CONNECTION = createCheck(
  'a client of `createClient`, `createSentinel` or `createCluster` of the package `redis`, version 5 or 6',
  (value) => {
    const { isReady, isOpen, sendCommand, duplicate, on }: Partial<RedisClient> = Object(value)
    const methods = [sendCommand, duplicate, on].every((member) => typeof member === 'function')
    // `ioredis` has other states, a pool no duplicate, and version 4 a member `v4` and no `destroy`.
    return methods && !('v4' in Object(value)) && typeof isReady === 'boolean' && typeof isOpen === 'boolean'
  },
)

/** Sends a command to the primary that has its key. */
export function sendCommand(redis: RedisClient, args: string[], abortSignal?: AbortSignal): Promise<unknown> {
  const route = 'slots' in redis ? [keyOf(args), false] : 'getMasterNode' in redis ? [false] : []
  return Reflect.apply(redis.sendCommand, redis, [...route, args, abortSignal && { abortSignal }])
}

/** Returns the first key of a command that this package sends. */
function keyOf([name = '', first, , key]: readonly string[]): string | undefined {
  return name === 'TYPE' ? first : key
}

/**
 * Braces would change the hash slot in a cluster, and white space the words of messages between processes. Control characters
 * would be in error messages, and two names with lone surrogates would be the same key.
 */
export const nameOption = createCheck(
  'a string of 1 to 200 characters without white space, braces and control characters',
  (value) => typeof value === 'string' && /^[^\s{}\p{C}]{1,200}$/u.test(value),
)

/**
 * Validates the arguments of a function and returns a copy of its options; see {@link readOptions}.
 * @throws RequestValidationError with every invalid one.
 */
export function readArguments<T>(
  method: string,
  redis: unknown,
  names: Readonly<Record<string, unknown>>,
  input: T,
  checks: Readonly<Record<string, Check>>,
): NonNullable<T> {
  const issues = CONNECTION('redis', redis)
  for (const [name, value] of Object.entries(names)) issues.push(...nameOption(name, value))
  const options = readOptions(input, { ...REDIS_CHECKS, ...checks }, issues)
  if (issues.length > 0) throw new RequestValidationError(method, issues)
  return options
}

/** Clients that the app has connected at some time. */
const opened = new WeakSet<RedisClient>()

/** Runs scripts with a time limit. Errors name the key and quote no value. */
export class Commands {
  readonly #redis: RedisClient
  readonly #timeoutMs: number

  constructor(redis: RedisClient, { commandTimeout = COMMAND_TIMEOUT_MS }: RedisOptions) {
    this.#redis = redis
    this.#timeoutMs = commandTimeout
    if (redis.isOpen) opened.add(redis)
  }

  get isReady(): boolean {
    return this.#redis.isReady
  }

  /**
   * Runs a script and returns its reply, an array. `createArgs` is called when the connection is ready.
   * @throws RapportError that names the first key.
   */
  async run(script: Script, keys: readonly string[], createArgs: () => readonly (string | number)[]): Promise<Reply> {
    const [key = ''] = keys
    const control = new AbortController()
    const expire = () => control.abort(new RapportError(`Redis did not reply within ${this.#timeoutMs} ms (${key}).`))
    const cancel = setSafeTimeout(this.#timeoutMs, expire)
    try {
      await this.#untilReady(control.signal, key)
      script.hash ??= digest('SHA-1', script.text)
      const hash = await script.hash
      const args = createArgs().map(String)
      const send = (command: string, text: string) => {
        const all = [command, text, String(keys.length), ...keys, ...args]
        return raceAbort(sendCommand(this.#redis, all, control.signal), control.signal)
      }
      const reply = await send('EVALSHA', hash).catch((error) => {
        if (errorCode(error) !== 'NOSCRIPT') throw error
        return send('EVAL', script.text)
      })
      const parsed = new Reply(reply, key)
      if (parsed.status === 'foreign') throw damagedError(parsed.text(1) || key)
      return parsed
    } catch (error) {
      if (error === control.signal.reason || error instanceof RapportError) throw error
      const code = errorCode(error)
      if (code === 'WRONGTYPE')
        throw damagedError(
          await this.#findForeign(script, keys, control.signal),
          'it has another type, so something else has written it. Delete it',
        )
      const hint = code === 'NOPERM' ? ' Its user needs `~rapport:*` and `&rapport:*`.' : ''
      throw new RapportError(
        `Redis refused a command, or the connection was lost${code && `: ${code}`} (${key}).${hint}`,
      )
    } finally {
      cancel()
    }
  }

  /** A command of a connection that is not ready would be queued, and be out of date once it is sent. */
  async #untilReady(signal: AbortSignal, key: string): Promise<void> {
    for (;;) {
      const { isReady, isOpen } = this.#redis
      if (isOpen) opened.add(this.#redis)
      // One that the app has not connected yet may become ready.
      else if (opened.has(this.#redis)) throw new RapportError(`The client of Redis is closed (${key}).`)
      if (isReady) return
      let stop = () => {}
      const changed = new Promise<void>((resolve) => {
        stop = listen(this.#redis, CHANGED, resolve)
      })
      await raceAbort(changed, signal).finally(stop)
    }
  }

  /** Returns the key that has another type than the script expects. */
  async #findForeign({ types }: Script, keys: readonly string[], signal: AbortSignal): Promise<string> {
    for (const [index, key] of keys.entries()) {
      const type = toText(await raceAbort(sendCommand(this.#redis, ['TYPE', key]), signal).catch(() => 'none'))
      if (type !== 'none' && type !== types[index]) return key
    }
    return String(keys[0])
  }
}

// Clusters, whose nodes connect one by one, have events of their own: `connect` and those of nodes, `disconnect`.

/** Events after which a client may be connected: while one of `createClient` or a cluster connects, it is not ready yet. */
export const READY = ['ready', 'connect', 'node-ready']
/** Events of a client that does not connect again by itself. */
export const ENDED = ['end', 'terminated', 'disconnect']
/** Events of a client after which commands that wait can be sent, or never can. */
const CHANGED = [...READY, ...ENDED]
/** Events of a client that has lost its connection. Not `error`: without a listener of the app it ends the process. */
export const LOST = ['reconnecting', 'node-reconnecting', ...ENDED]

const sharedListeners = new WeakMap<RedisClient, Map<readonly string[], SharedListener>>()

/** Listens to events of the app's client. All callbacks share one listener. Returns an unsubscribe function. */
export function listen(redis: RedisClient, events: readonly string[], callback: () => void): () => void {
  const listeners = sharedListeners.get(redis) ?? new Map<readonly string[], SharedListener>()
  sharedListeners.set(redis, listeners)
  const listener = listeners.get(events) ?? new SharedListener()
  if (!listeners.has(events)) for (const event of events) redis.on(event, listener.call)
  listeners.set(events, listener)
  const { callbacks, call } = listener
  callbacks.add(callback)
  return () => {
    if (!callbacks.delete(callback) || callbacks.size > 0) return
    listeners.delete(events)
    for (const event of events) redis.off?.(event, call)
  }
}

/** The reply of a script: an array of strings, or of arrays of strings. */
export class Reply {
  readonly status: string
  readonly #items: readonly unknown[]
  readonly #key: string

  constructor(reply: unknown, key: string) {
    this.#items = Array.isArray(reply) ? reply : [reply]
    this.#key = key
    this.status = this.text(0)
  }

  /** Returns an item; the empty string if there is none. */
  text(index: number): string {
    return toText(this.#items[index])
  }

  /** Returns an item that must be a number. */
  number(index: number): number {
    const value = Number(this.text(index) || Number.NaN)
    if (Number.isNaN(value)) throw damagedError(this.#key)
    return value
  }

  /** Returns an item that is an array of texts. */
  textsOf(index: number): readonly string[] {
    const items: unknown = this.#items[index]
    return Array.isArray(items) ? items.map(toText) : []
  }

  /** Returns an item that is an array of replies. */
  list(index: number): readonly Reply[] {
    const items: unknown = this.#items[index]
    return Array.isArray(items) ? items.map((item) => new Reply(item, this.#key)) : []
  }

  /** Returns the items after `index`, as texts. */
  texts(index = 0): readonly string[] {
    return this.#items.slice(index).map(toText)
  }
}

/** The app's client may return bytes instead of strings. */
function toText(value: unknown): string {
  if (value instanceof Uint8Array) return new TextDecoder().decode(value)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

const damagedErrors = new WeakSet<object>()

/** Returns the error of a value that was not written by this package. */
export function damagedError(
  key: string,
  problem = 'it was not written by this version of rapport-sdk. Delete it, unless another version uses it',
): RapportError {
  const error = new RapportError(`The value of the Redis key ${key} is damaged: ${problem}.`)
  damagedErrors.add(error)
  return error
}

/** Whether an error comes from {@link damagedError}: to try again is of no use. */
export function isDamagedError(error: unknown): boolean {
  return damagedErrors.has(Object(error))
}

/** Returns the first word of an error reply, or the code of a lost connection. Messages of Redis may quote arguments. */
function errorCode(error: unknown): string {
  const { message, code }: { message?: unknown; code?: unknown } = Object(error)
  // A script has no code for it. The first words are those of Redis before 7.2.
  if (/user executing the script|ACL failure in script/.test(String(message))) return 'NOPERM'
  const [word] = /^[A-Z]{3,20}(?= )/.exec(String(message)) ?? []
  const [script] = /\b(?:WRONGTYPE|NOSCRIPT|READONLY|OOM|MISCONF)\b/.exec(String(message)) ?? []
  return script ?? word ?? (typeof code === 'string' && /^E[A-Z_]{2,40}$/.test(code) ? code : '')
}
