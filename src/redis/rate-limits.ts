import type { RateLimitFollower, RateLimitStore, RateLimitWarning } from '../types/options'
import { Commands, type RedisConnection, type RedisOptions, type Script, validateArguments } from './connection'
import { subscribe } from './notifications'

/** Member of the limit of all endpoints; those of endpoints are a method and a path. */
const GLOBAL = '*'
/** Maximum time that requests wait for the limits of other processes, in milliseconds. */
const LOAD_TIMEOUT_MS = 1_000
/** Time before limits that could not be stored are stored again, in milliseconds. */
const RETRY_MS = 1_000
/** Limits are kept no longer than a day: a service that asks for more is asked again. */
const MAX_MS = 24 * 60 * 60 * 1000

const types = ['zset']

const LOAD: Script = {
  types,
  text: `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local reply = {'ok', tostring(now)}
local found = redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. now, '+inf', 'WITHSCORES')
for index = 1, #found do reply[index + 2] = found[index] end
return reply`,
}

/** Arguments: channel, then the member and the duration in ms of each limit. Never shortens a limit. */
const BLOCK: Script = {
  types,
  text: `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
for index = 2, #ARGV, 2 do
  local ms = math.ceil(tonumber(ARGV[index + 1]))
  redis.call('ZADD', KEYS[1], 'GT', now + ms, ARGV[index])
  redis.call('PUBLISH', ARGV[1], ms .. ' ' .. ARGV[index])
end
local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
if last[2] then redis.call('PEXPIREAT', KEYS[1], last[2]) end
return {'ok'}`,
}

/** A limit that this process was told by the service. */
interface Limit {
  readonly endpoint: string
  readonly isGlobal: boolean
  /** End of the wait, monotonic time in milliseconds. */
  readonly until: number
}

/**
 * Shares the waits that 429 responses require: once one process is told to wait, no process sends a request to that
 * endpoint (to any, if the limit is global) until the time is over, by the clock of Redis. Each process keeps a copy that
 * Redis updates, so a request costs no round trip.
 *
 * Without Redis each process waits only for its own limits: `client.on('warning')` reports it once per outage
 * (`rate_limits_local`), and no request waits for Redis longer than a second. Once Redis is back, the limits are shared
 * again. For Redis 6.2 and newer, and Valkey.
 *
 * @param redis Connected client of the package `redis`, which stays the app's.
 * @param prefix Name that the processes have in common, which becomes part of the key `rapport:1:limits:{…}`. Use a
 *   different one for each service, and for each account if the service limits accounts.
 * @throws RequestValidationError if an argument is invalid.
 *
 * @example
 * import { createClient } from 'redis'
 * import { Client } from 'rapport-sdk'
 * import { redisRateLimits } from 'rapport-sdk/redis'
 *
 * const redis = await createClient({ url: 'redis://localhost:6379' }).connect()
 * const rateLimits = redisRateLimits(redis, 'service.example')
 * const client = new Client({ baseUrl: 'https://service.example', token: 'a token', rateLimits })
 */
export function redisRateLimits(redis: RedisConnection, prefix: string, options: RedisOptions = {}): RateLimitStore {
  validateArguments('redisRateLimits', redis, { prefix }, options, {})
  const limits = new RedisRateLimits(redis, prefix, options)
  return {
    block: (endpoint, ms, isGlobal) => limits.block(endpoint, ms, isGlobal),
    follow: (onBlock, warn) => limits.follow(onBlock, warn),
  }
}

interface Follower {
  readonly onBlock: RateLimitStore['block']
  readonly warn: (warning: RateLimitWarning) => void
}

class RedisRateLimits {
  readonly #redis: RedisConnection
  readonly #commands: Commands
  readonly #key: string
  readonly #channel: string
  readonly #followers = new Set<Follower>()
  /** Limits of this process, to share them after an outage. */
  readonly #own = new Map<string, Limit>()
  #isLocal = false
  /** Number of operations of Redis that succeeded. */
  #successes = 0
  #unsubscribe = () => {}
  #retry: ReturnType<typeof setTimeout> | undefined
  /** Limits that are stored, while they are loaded for the first time. */
  #loading: Promise<unknown> = Promise.resolve()

  constructor(redis: RedisConnection, prefix: string, options: RedisOptions) {
    this.#redis = redis
    this.#commands = new Commands(redis, options)
    this.#key = `rapport:1:limits:{${prefix}}`
    this.#channel = `${this.#key}:changes`
  }

  block(endpoint: string, ms: number, isGlobal: boolean): void {
    const now = performance.now()
    for (const [name, { until }] of this.#own) if (until <= now) this.#own.delete(name)
    const limit = { endpoint, isGlobal, until: now + Math.min(ms, MAX_MS) }
    this.#own.set(isGlobal ? GLOBAL : endpoint, limit)
    void this.#share([limit])
  }

  follow(onBlock: RateLimitStore['block'], warn: Follower['warn']): RateLimitFollower {
    const follower = { onBlock, warn }
    const isFirst = this.#followers.size === 0
    this.#followers.add(follower)
    if (isFirst) {
      this.#isLocal = false
      this.#loading = this.#load()
      this.#unsubscribe = subscribe(this.#redis, this.#channel, {
        onMessage: (message) => this.#onMessage(message),
        onStart: () => {
          void this.#load()
          void this.#share([...this.#own.values()])
        },
        onLost: () => this.#warn('the connection was lost'),
      })
    } else this.#loading = this.#load()
    return {
      ready: this.#loading,
      close: () => {
        if (!this.#followers.delete(follower) || this.#followers.size > 0) return
        clearTimeout(this.#retry)
        this.#unsubscribe()
      },
    }
  }

  /** Stores limits; if that fails, all limits of this process a second later. */
  async #share(limits: readonly Limit[]): Promise<void> {
    const createArgs = () => {
      const now = performance.now()
      const remaining = limits.filter(({ until }) => until > now)
      return remaining.flatMap(({ endpoint, isGlobal, until }) => [isGlobal ? GLOBAL : endpoint, until - now])
    }
    if (createArgs().length === 0) return
    const run = () => this.#commands.run(BLOCK, [this.#key], () => [this.#channel, ...createArgs()])
    const isShared = await this.#attempt(run)
    if (isShared || this.#followers.size === 0) return
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => void this.#share([...this.#own.values()]), RETRY_MS)
  }

  /** Loads the stored limits; never rejects, and settles within a second. */
  async #load(): Promise<void> {
    let cancel = () => {}
    const timeout = new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LOAD_TIMEOUT_MS)
      cancel = () => clearTimeout(timer)
    })
    const load = this.#attempt(async () => {
      const reply = await this.#commands.run(LOAD, [this.#key], () => [])
      const now = reply.number(1)
      for (let index = 2; reply.text(index) !== ''; index += 2)
        this.#emit(reply.text(index), reply.number(index + 1) - now)
    })
    await Promise.race([load, timeout])
    cancel()
  }

  /** Returns whether it succeeded. */
  async #attempt(operation: () => Promise<unknown>): Promise<boolean> {
    const successes = this.#successes
    try {
      await operation()
      this.#successes++
      this.#isLocal = false
      return true
    } catch (error) {
      // Otherwise it failed during an outage that is over.
      if (successes === this.#successes) this.#warn(error instanceof Error ? error.message : '')
      return false
    }
  }

  #onMessage(message: string): void {
    const [, ms, member] = /^(\d{1,15}) (.+)$/s.exec(message) ?? []
    // Anything else was sent by something else.
    if (ms !== undefined && member !== undefined) this.#emit(member, Number(ms))
  }

  #emit(member: string, ms: number): void {
    for (const { onBlock } of this.#followers) onBlock(member, Math.min(ms, MAX_MS), member === GLOBAL)
  }

  /** Warns once until Redis works again. */
  #warn(problem: string): void {
    if (this.#isLocal) return
    this.#isLocal = true
    const message = `Rate limits are not shared with other processes until Redis works again: ${problem}`
    for (const { warn } of this.#followers) warn({ code: 'rate_limits_local', message })
  }
}
