// `redisTokenStore`: a token store in Redis.
import { Emitter } from '../internal/emitter'
import { isError, parseJson, withoutPrototype } from '../internal/json'
import { createCheck } from '../internal/options'
import { type KeyRing, keyRingOption } from '../internal/seal'
import type { StoreWarning, TokenRecord, TokenStore } from '../types/options'
import { Cipher } from './cipher'
import {
  Commands,
  damagedError,
  isDamagedError,
  type RedisClient,
  type RedisOptions,
  type Reply,
  readArguments,
  type Script,
} from './connection'
import { subscribe } from './notifications'

/** Options of {@link redisTokenStore}. */
export interface RedisTokenStoreOptions extends RedisOptions {
  /**
   * Keys that encrypt the token. A value that is not encrypted is then refused.
   * @default none: the token is stored as it is
   */
  readonly encrypt?: KeyRing | undefined
  /**
   * Time after the last write at which Redis deletes the token, in milliseconds: 1 to 2^53 - 1, rounded up.
   * @default none
   */
  readonly ttl?: number | undefined
}

/** What a key has. */
interface Content {
  /** Version of the value: the time of its write in microseconds, by the clock of Redis. Empty if there is no value. */
  readonly version: string
  readonly record: TokenRecord | null
}

/** Time for which a sign-out is remembered, so that an older sign-in that arrives late is refused, in milliseconds. */
const SIGNED_OUT_MS = 24 * 60 * 60 * 1000
/** Time before another attempt to read a token that has changed, in milliseconds. */
const RETRY_MS = 1_000
const MAX_ATTEMPTS = 5
const NOT_NOTIFIED =
  'Redis refuses to subscribe, so that sign-ins and sign-outs of other processes are not seen. Its user needs `&rapport:*` and `+subscribe`.'

const types = ['hash']

const READ: Script = {
  types,
  text: `
local value = redis.call('HMGET', KEYS[1], 'v', 'at', 'data')
if not value[1] and redis.call('EXISTS', KEYS[1]) == 0 then return {'ok', '', ''} end
if value[1] ~= '1' or not value[2] or not value[3] then return {'foreign'} end
return {'ok', value[2], value[3]}`,
}

/**
 * Arguments: version that the caller knows, age of the write in ms, data, ttl in ms or 0, channel, and whether only that
 * version may be replaced. A value that is damaged is replaced.
 */
const WRITE: Script = {
  types,
  text: `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local wrote = now - ARGV[2] * 1000
local kind = redis.call('TYPE', KEYS[1])['ok']
local at = ''
if kind == 'hash' and redis.call('HGET', KEYS[1], 'v') == '1' then at = redis.call('HGET', KEYS[1], 'at') or '' end
local last = tonumber(at) or 0
-- Damaged: a version after it would be the same number.
if not (last < 2 ^ 53 - 1) then last = 0 end
if at ~= ARGV[1] then
  if ARGV[6] == '1' then return {'changed'} end
  if last >= wrote and last <= now then return {'newer'} end
end
local version = string.format('%.0f', math.max(last + 1, wrote))
-- First: if it is not permitted, nothing is written.
redis.call('PUBLISH', ARGV[5], version)
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'v', '1', 'at', version, 'data', ARGV[3])
if ARGV[4] ~= '0' then redis.call('PEXPIRE', KEYS[1], ARGV[4]) end
return {'ok', version}`,
}

/**
 * Stores the token of an account in Redis, for all processes that serve it. They follow each other's sign-ins and sign-outs
 * at once, also those that happened while they had lost Redis. Writes are ordered by the clock of Redis: a sign-in that
 * arrives late never replaces a newer sign-in or sign-out, and its client follows the newer one. A sign-out keeps the newer
 * token of another process.
 *
 * If the value is damaged, or Redis does not reply, calls that need the token reject with an error that names the key, never
 * the value; a sign-in replaces a damaged value. If the value becomes damaged later, the session keeps its token, and the
 * client emits `warning` with the `code` `invalid_token`, and with `not_notified` if Redis refuses to subscribe. For Redis 6.2 and newer, and Valkey.
 *
 * @param redis Connected client of the package `redis`, which stays the app's. Notifications use one more connection, which
 *   is closed with the last client that needs it.
 * @param key Name of the account, which becomes part of the key `rapport:1:token:{…}`. Not a secret.
 * @throws RequestValidationError if an argument is invalid.
 *
 * @example
 * import { createClient } from 'redis'
 * import { Client } from 'rapport-sdk'
 * import { redisTokenStore } from 'rapport-sdk/redis'
 *
 * const redis = createClient({ url: 'redis://localhost:6379' })
 * redis.on('error', console.error)
 * await redis.connect()
 * const encrypt = [{ id: '2026', key: Buffer.from(process.env.TOKEN_KEY ?? '', 'base64') }]
 * const tokenStore = redisTokenStore(redis, 'account-42', { encrypt })
 * const client = new Client({ baseUrl: 'https://service.example', tokenStore })
 */
export function redisTokenStore(redis: RedisClient, key: string, options: RedisTokenStoreOptions = {}): TokenStore {
  const read = readArguments('redisTokenStore', redis, { key }, options, {
    encrypt: keyRingOption,
    ttl: createCheck(
      `a number from 1 to ${Number.MAX_SAFE_INTEGER}`,
      (value) => typeof value === 'number' && value >= 1 && value <= Number.MAX_SAFE_INTEGER,
    ),
  })
  const store = new RedisTokenStore(redis, key, read)
  // Not the object itself: `inspect` would show its token.
  return {
    get: () => store.get(),
    set: (record, previous) => store.set(record, previous),
    subscribe: (listener, warn) => store.subscribe(listener, warn),
  }
}

class RedisTokenStore {
  readonly #redis: RedisClient
  readonly #commands: Commands
  readonly #cipher: Cipher
  readonly #key: string
  readonly #channel: string
  readonly #ttlMs: number
  readonly #emitter = new Emitter<{ change: TokenRecord | null; warning: StoreWarning }>(() => {})
  /** Content that was read or written last. */
  #seen: Content | undefined
  /** Content before the last damaged value that was reported: of several, only the first is. */
  #warned: Content | undefined
  /** Whether the value may have changed since it was read. */
  #isOutdated = false
  #following: Promise<void> | undefined

  constructor(redis: RedisClient, name: string, options: RedisTokenStoreOptions) {
    this.#redis = redis
    this.#commands = new Commands(redis, options)
    this.#cipher = new Cipher(options.encrypt)
    this.#key = `rapport:1:token:{${name}}`
    this.#channel = `${this.#key}:changes`
    this.#ttlMs = Math.ceil(options.ttl ?? 0)
  }

  async get(): Promise<TokenRecord | null> {
    this.#seen = await this.#read()
    return this.#seen.record
  }

  set(record: TokenRecord | null, previous?: TokenRecord | null): Promise<void> {
    return record === null ? this.#remove(previous) : this.#store(record, performance.now())
  }

  async #store(record: TokenRecord, calledAt: number): Promise<void> {
    const seen = this.#seen
    const data = await this.#cipher.seal(JSON.stringify(record), this.#key)
    const reply = await this.#write(seen?.version ?? '', calledAt, data, this.#ttlMs, false)
    if (reply.status === 'ok') this.#seen = { version: reply.text(1), record }
    else this.#follow()
  }

  subscribe(
    listener: (record: TokenRecord | null) => void,
    warn: (warning: StoreWarning) => void = () => {},
  ): () => void {
    const unsubscribers = [this.#emitter.on('change', listener), this.#emitter.on('warning', warn)]
    const onMessage = (version: string) => {
      if (version !== this.#seen?.version) this.#follow()
    }
    const onRefused = () => warn({ code: 'not_notified', message: NOT_NOTIFIED })
    unsubscribers.push(subscribe(this.#redis, this.#channel, { onMessage, onRefused, onStart: () => this.#follow() }))
    return () => {
      for (const unsubscribe of unsubscribers) unsubscribe()
    }
  }

  /** Removes a token, unless another process has stored another one. */
  async #remove(previous: TokenRecord | null | undefined): Promise<void> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const current = await this.#read().catch((error) => {
        // A damaged value contains no other token.
        if (!this.#commands.isReady) throw error
        return undefined
      })
      if (current !== undefined) {
        const isOther = previous !== undefined && current.record !== null && current.record.token !== previous?.token
        if (isOther) this.#follow()
        // Without a version, Redis has lost the token, and other processes still have it.
        const isSignedOut = current.record === null && (current.version !== '' || previous === null)
        if (isOther || isSignedOut) return
      }
      const ttlMs = this.#ttlMs || SIGNED_OUT_MS
      const reply = await this.#write(current?.version ?? '', performance.now(), '', ttlMs, current !== undefined)
      if (reply.status !== 'ok') continue
      this.#seen = { version: reply.text(1), record: null }
      return
    }
    this.#follow()
  }

  /** Reads the value again, and notifies of another token. The client catches up on notifications during its writes. */
  #follow(): void {
    this.#isOutdated = true
    this.#following ??= this.#readChanges().finally(() => {
      this.#following = undefined
    })
  }

  async #readChanges(): Promise<void> {
    while (this.#isOutdated && !this.#emitter.isEmpty) {
      this.#isOutdated = false
      try {
        const content = await this.#read()
        if (content.version === this.#seen?.version) continue
        this.#seen = content
        this.#emitter.emit('change', content.record)
      } catch (error) {
        // Damaged, or Redis is slow: the client keeps its token. A value that is damaged at first is reported by `get`.
        if (isError(error) && isDamagedError(error) && this.#seen !== this.#warned) {
          this.#warned = this.#seen
          this.#emitter.emit('warning', { code: 'invalid_token', message: error.message })
        }
        setTimeout(() => this.#follow(), RETRY_MS)
      }
    }
  }

  #write(version: string, calledAt: number, data: string, ttlMs: number, isExact: boolean): Promise<Reply> {
    return this.#commands.run(WRITE, [this.#key], () => [
      version,
      Math.max(0, performance.now() - calledAt),
      data,
      ttlMs,
      this.#channel,
      isExact ? 1 : 0,
    ])
  }

  async #read(): Promise<Content> {
    const reply = await this.#commands.run(READ, [this.#key], () => [])
    const [, version = '', data = ''] = reply.texts()
    if (data === '') return { version, record: null }
    const text = await this.#cipher.open(data, this.#key)
    let fields: { token?: unknown; userId?: unknown } = {}
    try {
      fields = withoutPrototype(Object(parseJson(text)))
    } catch {
      // Its error may quote the token.
    }
    const { token, userId } = fields
    if (typeof token !== 'string') throw damagedError(this.#key)
    return { version, record: { token, userId: typeof userId === 'string' ? userId : undefined } }
  }
}
