import { Emitter } from '../internal/emitter'
import { isError } from '../internal/json'
import { hashOf } from '../internal/seal'
import type { RateLimitFollower, RateLimitStore, StoreWarning } from '../types/options'
import { Commands, NOW, type RedisClient, type RedisOptions, readArguments, type Script } from './connection'
import { subscribe } from './notifications'

/** Maximum time that requests wait for the limits of other processes, in milliseconds. */
const LOAD_TIMEOUT_MS = 1_000
/** Time before limits that could not be loaded or stored are loaded and stored again, in milliseconds. */
const RETRY_MS = 1_000
/** Limits are kept no longer than a day: a service that asks for more is asked again. */
const MAX_MS = 24 * 60 * 60 * 1000
/** Maximum number of limits; those that end first go. */
const MAX_LIMITS = 10_000

const types = ['zset']

const LOAD: Script = {
  types,
  text: `
local now = ${NOW}
local reply = {'ok', tostring(now)}
local found = redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. now, '+inf', 'WITHSCORES')
for index = 1, #found do reply[index + 2] = found[index] end
return reply`,
}

/** Arguments: channel, then the member and the duration in ms of each limit. Never shortens a limit. */
const BLOCK: Script = {
  types,
  text: `
local now = ${NOW}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
for index = 2, #ARGV, 2 do
  local ms = math.ceil(tonumber(ARGV[index + 1]))
  redis.call('ZADD', KEYS[1], 'GT', now + ms, ARGV[index])
  redis.call('PUBLISH', ARGV[1], ms .. ' ' .. ARGV[index])
end
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, ${-MAX_LIMITS - 1})
local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
if last[2] then redis.call('PEXPIREAT', KEYS[1], last[2]) end
return {'ok'}`,
}

/**
 * Shares the waits that 429 responses require: once one process has to wait, no process sends a request of that account
 * with that method and path (any, if the limit is global) until the time is over, by the clock of Redis. Other accounts are
 * not concerned, and sign-ins are not shared. Redis receives a hash of account, method and path (SHA-256, cut to 128 bits),
 * never the token. Each process keeps a copy that Redis updates, so a request costs no round trip.
 *
 * Without Redis each process waits only for its own limits: `client.on('warning')` reports it once per outage
 * (`rate_limits_local`), and no request waits for Redis longer than a second. Once Redis is back, the limits are shared
 * again. For Redis 6.2 and newer, and Valkey.
 *
 * @param redis Connected client of the package `redis`, which stays the app's.
 * @param prefix Name that the processes have in common, which becomes part of the key `rapport:1:limits:{…}`. Use a
 *   different one for each service.
 * @throws RequestValidationError if an argument is invalid.
 *
 * @example
 * import { createClient } from 'redis'
 * import { Client } from 'rapport-sdk'
 * import { redisRateLimits } from 'rapport-sdk/redis'
 *
 * const redis = createClient({ url: 'redis://localhost:6379' })
 * redis.on('error', console.error)
 * await redis.connect()
 * const rateLimits = redisRateLimits(redis, 'service.example')
 * const client = new Client({ baseUrl: 'https://service.example', token: 'a token', rateLimits })
 */
export function redisRateLimits(redis: RedisClient, prefix: string, options: RedisOptions = {}): RateLimitStore {
  const read = readArguments('redisRateLimits', redis, { prefix }, options, {})
  const limits = new RedisRateLimits(redis, prefix, read)
  return { block: (key, ms) => limits.block(key, ms), follow: (warn) => limits.follow(warn) }
}

/** Ends of waits by member, monotonic times in milliseconds. */
class Limits extends Map<string, number> {
  /** End of the longest wait so far. */
  lastUntil = 0

  /** Adds a wait, unless there is a longer one. */
  extend(member: string, until: number): void {
    this.lastUntil = Math.max(this.lastUntil, until)
    this.set(member, Math.max(this.get(member) ?? 0, until))
    if (this.size <= MAX_LIMITS) return
    // Some at once: it takes time in proportion to all.
    const first = [...this].sort(([, one], [, other]) => one - other).slice(0, MAX_LIMITS / 100)
    for (const [other] of first) this.delete(other)
  }
}

class RedisRateLimits {
  readonly #redis: RedisClient
  readonly #commands: Commands
  readonly #loader: Commands
  readonly #key: string
  readonly #channel: string
  readonly #followers = new Emitter<{ warning: StoreWarning }>(() => {})
  /** Limits of this process, to share them after an outage. */
  readonly #own = new Limits()
  /** Limits of all processes. */
  readonly #all = new Limits()
  #isLocal = false
  /** Number of operations of Redis that succeeded. */
  #successes = 0
  #unsubscribe = () => {}
  #retry: ReturnType<typeof setTimeout> | undefined
  /** The stored limits, while they are loaded for the first time. */
  #loading: Promise<unknown> | undefined

  constructor(redis: RedisClient, prefix: string, options: RedisOptions) {
    this.#redis = redis
    this.#commands = new Commands(redis, options)
    this.#loader = new Commands(redis, {
      commandTimeout: Math.min(LOAD_TIMEOUT_MS, options.commandTimeout ?? Infinity),
    })
    this.#key = `rapport:1:limits:{${prefix}}`
    this.#channel = `${this.#key}:changes`
  }

  block(key: string, ms: number): void {
    const until = performance.now() + Math.min(ms, MAX_MS)
    void hashOf(key).then((member) => {
      this.#own.extend(member, until)
      // Also without Redis, the clients of this process share it.
      this.#all.extend(member, until)
      void this.#share([member])
    })
  }

  follow(warn: (warning: StoreWarning) => void): RateLimitFollower {
    const isFirst = this.#followers.isEmpty
    const remove = this.#followers.on('warning', warn)
    if (isFirst) {
      this.#isLocal = false
      const loading = this.#sync().then(() => {
        if (this.#loading === loading) this.#loading = undefined
      })
      this.#loading = loading
      this.#unsubscribe = subscribe(this.#redis, this.#channel, {
        onMessage: (message) => this.#onMessage(message),
        onStart: () => void this.#sync(),
        onLost: () => this.#warn('the connection was lost'),
        onRefused: () => this.#warn('it has refused to subscribe'),
      })
    }
    return {
      msUntilReset: (key) => (this.#loading || this.#all.lastUntil > performance.now() ? this.#msUntilReset(key) : 0),
      close: () => {
        remove()
        if (!this.#followers.isEmpty) return
        clearTimeout(this.#retry)
        this.#unsubscribe()
      },
    }
  }

  async #msUntilReset(key: string): Promise<number> {
    await this.#loading
    return (this.#all.get(await hashOf(key)) ?? 0) - performance.now()
  }

  /** Loads the limits of all processes, then stores those of this one. Never rejects, and loads within a second. */
  async #sync(): Promise<void> {
    const isLoaded = await this.#attempt(async () => {
      const reply = await this.#loader.run(LOAD, [this.#key], () => [])
      const now = reply.number(1)
      for (let index = 2; reply.text(index) !== ''; index += 2)
        this.#extend(reply.text(index), reply.number(index + 1) - now)
    })
    if (isLoaded) void this.#share([...this.#own.keys()])
  }

  /** Stores limits. */
  async #share(members: readonly string[]): Promise<void> {
    const createArgs = () => {
      const now = performance.now()
      const waits = members.map((member) => [member, (this.#own.get(member) ?? 0) - now] as const)
      return waits.filter(([, ms]) => ms > 0).flat()
    }
    if (createArgs().length > 0)
      await this.#attempt(() => this.#commands.run(BLOCK, [this.#key], () => [this.#channel, ...createArgs()]))
  }

  /** Returns whether it succeeded; if not, everything is loaded and stored again after a second. */
  async #attempt(operation: () => Promise<unknown>): Promise<boolean> {
    const successes = this.#successes
    try {
      await operation()
      this.#successes++
      this.#isLocal = false
      return true
    } catch (error) {
      // Otherwise it failed during an outage that is over.
      if (successes === this.#successes) this.#warn(isError(error) ? error.message : '')
      clearTimeout(this.#retry)
      if (!this.#followers.isEmpty) this.#retry = setTimeout(() => void this.#sync(), RETRY_MS)
      return false
    }
  }

  #onMessage(message: string): void {
    const [, ms, member] = /^(\d{1,15}) ([\da-f]{32})$/.exec(message) ?? []
    // Anything else was sent by something else.
    if (ms !== undefined && member !== undefined) this.#extend(member, Number(ms))
  }

  #extend(member: string, ms: number): void {
    this.#all.extend(member, performance.now() + Math.min(ms, MAX_MS))
  }

  /** Warns once until Redis works again. */
  #warn(problem: string): void {
    if (this.#isLocal) return
    this.#isLocal = true
    const message = `Rate limits are not shared with other processes until Redis works again: ${problem}`
    this.#followers.emit('warning', { code: 'rate_limits_local', message })
  }
}
