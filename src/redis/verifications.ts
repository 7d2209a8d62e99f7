import { type KeyRing, keyRingOption } from '../internal/seal'
import type { VerificationStore } from '../types/options'
import { Cipher } from './cipher'
import { Commands, type RedisClient, type RedisOptions, readArguments, type Script } from './connection'

/** Options of {@link redisVerifications}. */
export interface RedisVerificationsOptions extends RedisOptions {
  /** Keys that encrypt the verifications. */
  readonly encrypt: KeyRing
}

const types = ['string']
const GET: Script = { types, text: `return {'ok', redis.call('GET', KEYS[1]) or ''}` }
const SET: Script = { types, text: `redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])\nreturn {'ok'}` }
const DELETE: Script = { types, text: `redis.call('DEL', KEYS[1])\nreturn {'ok'}` }

/**
 * Shares the verifications of accounts between processes by Redis: a user who has verified a second factor in one is not
 * asked again in another. They are always encrypted, and expire by themselves. A token does not leave the process: the keys
 * contain its hash. If Redis does not reply or has a damaged value, the user is asked. For Redis 6.2 and newer, and Valkey.
 *
 * @param redis Connected client of the package `redis`, which stays the app's.
 * @param prefix Name of the service or app, which becomes part of the keys `rapport:1:verification:{…}`. Not a secret.
 * @throws RequestValidationError if an argument is invalid.
 *
 * @example
 * import { createClient } from 'redis'
 * import { Client } from 'rapport-sdk'
 * import { redisVerifications } from 'rapport-sdk/redis'
 *
 * const redis = createClient({ url: 'redis://localhost:6379' })
 * redis.on('error', console.error)
 * await redis.connect()
 * const encrypt = [{ id: '2026', key: Buffer.from(process.env.SEALING_KEY ?? '', 'base64') }]
 * const verifications = redisVerifications(redis, 'shop', { encrypt })
 * const client = new Client({ baseUrl: 'https://service.example', verifications })
 */
export function redisVerifications(
  redis: RedisClient,
  prefix: string,
  options: RedisVerificationsOptions,
): VerificationStore {
  const checks = { encrypt: keyRingOption }
  // Required: `undefined` would otherwise mean not set.
  const given = Object(options).encrypt === undefined ? { ...options, encrypt: Object(null) } : options
  const { encrypt, ...read } = readArguments('redisVerifications', redis, { prefix }, given, checks)
  const commands = new Commands(redis, read)
  const cipher = new Cipher(encrypt)
  const keyOf = (key: string) => `rapport:1:verification:{${prefix}:${key}}`
  return {
    async get(key) {
      const place = keyOf(key)
      const reply = await commands.run(GET, [place], () => [])
      const sealed = reply.text(1)
      return sealed === '' ? undefined : cipher.open(sealed, place)
    },
    async set(key, value, ttlMs) {
      const place = keyOf(key)
      const sealed = await cipher.seal(value, place)
      await commands.run(SET, [place], () => [sealed, ttlMs])
    },
    async delete(key) {
      await commands.run(DELETE, [keyOf(key)], () => [])
    },
  }
}
