import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { Client, isRapportError, type SessionChange } from 'rapport-sdk'
import { type RedisTokenStoreOptions, redisTokenStore } from 'rapport-sdk/redis'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connectLimited, connectRedis, cuttable, type RedisConnection, startRedis } from '../servers/redis-server'
import { rejectionOf } from '../transport/rejection'

const KEY = 'rapport:1:token:{ada}'
/** Time for notifications between processes, on a busy machine. */
const WAIT = { interval: 20 }
const ring = (id: string) => ({ id, key: randomBytes(32) })

/** Creates a client of a process that shares the account. */
function clientOn(redis: RedisConnection, options?: RedisTokenStoreOptions) {
  const client = new Client({ baseUrl: 'https://service.example', tokenStore: redisTokenStore(redis, 'ada', options) })
  onTestFinished(() => client.dispose())
  const changes: SessionChange['type'][] = []
  client.session.onChange(({ type }) => changes.push(type))
  return { client, changes, session: client.session }
}

async function twoProcesses(options?: RedisTokenStoreOptions) {
  const server = await startRedis()
  const [redis, other] = [await connectRedis(server), await connectRedis(server)]
  const [one, two] = [clientOn(redis, options), clientOn(other, options)]
  await Promise.all([one.client.ready, two.client.ready])
  return { server, redis, one, two }
}

test('a sign-in and a sign-out in one process are changes of the session in the other', async () => {
  const { one, two } = await twoProcesses()

  await one.session.setToken('token-1')
  await vi.waitFor(() => expect(two.session.token).toBe('token-1'), WAIT)
  await two.session.setToken(null)
  await vi.waitFor(() => expect(one.session.token).toBe(null), WAIT)

  expect(one.changes).toEqual(['loaded', 'signedIn', 'signedOut'])
  expect(two.changes).toEqual(['loaded', 'signedIn', 'signedOut'])
})

test('a process that starts later is signed in with the stored token and knows its user', async () => {
  const { redis, one } = await twoProcesses()
  const store = redisTokenStore(redis, 'ada')
  await store.set({ token: 'token-1', userId: '42' })
  await vi.waitFor(() => expect(one.session.user).toEqual({ id: '42' }), WAIT)

  const late = clientOn(redis)
  await late.client.ready

  expect(late.session.token).toBe('token-1')
  expect(late.session.user).toEqual({ id: '42' })
})

test('a sign-in that arrives late does not replace a newer one, and its client follows the newer one', async () => {
  const { server, redis } = await twoProcesses()
  const slow = cuttable(await connectRedis(server))
  const late = clientOn(slow.connection, { commandTimeout: 30_000 })
  const newer = clientOn(redis)
  await Promise.all([late.client.ready, newer.client.ready])

  slow.cut()
  const lateWrite = late.session.setToken('older')
  await newer.session.setToken('newer')
  // The write waits for a minute: its age decides, however fast the commands are.
  const now = performance.now.bind(performance)
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000)
  onTestFinished(() => clock.mockRestore())
  slow.restore()
  await lateWrite

  await vi.waitFor(() => expect(late.session.token).toBe('newer'), WAIT)
  expect(newer.session.token).toBe('newer')
  const store = redisTokenStore(redis, 'ada')
  expect(await store.get()).toEqual({ token: 'newer' })
  // Nothing comes before the next token.
  const followed: (string | null)[] = []
  newer.session.onChange(() => followed.push(newer.session.token))
  await store.set({ token: 'last' })
  await vi.waitFor(() => expect(newer.session.token).toBe('last'), WAIT)
  expect(followed).toEqual(['last'])
})

test('a sign-out keeps the newer token of another process', async () => {
  const { redis } = await twoProcesses()
  const store = redisTokenStore(redis, 'ada')
  await store.set({ token: 'newer' })

  await store.set(null, { token: 'older' })
  expect(await store.get()).toEqual({ token: 'newer' })

  await store.set(null, { token: 'newer' })
  expect(await store.get()).toBe(null)
})

test('a sign-out keeps a token that another process stores while it is under way', async () => {
  const { server, redis, one } = await twoProcesses()
  const { connection } = cuttable(await connectRedis(server))
  let isDue = false
  const late = clientOn({
    ...connection,
    isReady: true,
    async sendCommand(args, options) {
      // It has read the value, and is about to write.
      const isWrite = args.includes(`${KEY}:changes`)
      if (isDue && isWrite) {
        isDue = false
        await one.session.setToken('token-2')
      }
      return connection.sendCommand(args, options)
    },
  })
  await late.client.ready
  await one.session.setToken('token-1')
  await vi.waitFor(() => expect(late.session.token).toBe('token-1'), WAIT)
  isDue = true

  await late.session.setToken(null)

  expect(isDue).toBe(false)
  expect(await redisTokenStore(redis, 'ada').get()).toMatchObject({ token: 'token-2' })
  await vi.waitFor(() => expect(late.session.token).toBe('token-2'), WAIT)
})

test('a sign-out reaches the other processes although Redis has lost the token', async () => {
  const { redis, one, two } = await twoProcesses()
  await one.session.setToken('token-1')
  await vi.waitFor(() => expect(two.session.token).toBe('token-1'), WAIT)

  await redis.sendCommand(['DEL', KEY])
  await one.session.setToken(null)

  await vi.waitFor(() => expect(two.session.token).toBe(null), WAIT)
})

test('a sign-out of a process that was not signed in writes nothing', async () => {
  const { redis, one } = await twoProcesses()

  await one.session.setToken(null)

  expect(await redis.sendCommand(['EXISTS', KEY])).toBe(0)
})

test('a change during an outage of Redis is followed afterwards', async () => {
  const server = await startRedis({ isPersistent: true })
  const [one, two] = [clientOn(await connectRedis(server)), clientOn(await connectRedis(server))]
  await one.session.setToken('token-1')
  await vi.waitFor(() => expect(two.session.token).toBe('token-1'), WAIT)

  await server.kill()
  await server.start()
  // Before the others are connected again.
  await redisTokenStore(await connectRedis(server), 'ada').set(null)

  await vi.waitFor(() => expect([one.session.token, two.session.token]).toEqual([null, null]), WAIT)
})

test('a write fails within the time limit if Redis does not reply, and names the key but not the token', async () => {
  const server = await startRedis()
  const { session, client } = clientOn(await connectRedis(server), { commandTimeout: 20_000 })
  await client.ready
  server.freeze()
  onTestFinished(() => server.thaw())
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())

  const rejection = rejectionOf(session.setToken('secret-token'), isRapportError)
  await vi.advanceTimersByTimeAsync(20_000)
  const error = await rejection

  expect(inspect(error)).toContain(`Redis did not reply within 20000 ms (${KEY})`)
  expect(inspect(error, { depth: 9 })).not.toContain('secret-token')
})

test.each([
  ['a string', ['SET', KEY, 'secret-value']],
  ['a hash of something else', ['HSET', KEY, 'v', '2', 'at', '1', 'data', 'secret-value']],
  ['a hash without JSON', ['HSET', KEY, 'v', '1', 'at', '1', 'data', 'secret-value']],
  ['JSON without a token', ['HSET', KEY, 'v', '1', 'at', '1', 'data', '{"secret-value":1}']],
])('%s in place of the token is an error that names the key, and a sign-in replaces it', async (_, command) => {
  const redis = await connectRedis(await startRedis())
  await redis.sendCommand(command)
  const { client, session } = clientOn(redis)

  const error = await rejectionOf(client.ready, isRapportError)
  expect(error.message).toContain(`the Redis key ${KEY} is damaged`)
  expect(inspect(error, { depth: 9 })).not.toContain('secret-value')

  await session.setToken('token-1')
  expect(await redisTokenStore(redis, 'ada').get()).toEqual({ token: 'token-1' })
})

test.each(['inf', '9'.repeat(18)])('a sign-in is followed although the stored version is damaged (%s)', async (at) => {
  const redis = await connectRedis(await startRedis())
  await redis.hSet(KEY, { v: '1', at, data: '' })
  const [one, two] = [clientOn(redis), clientOn(redis)]
  await Promise.all([one.client.ready, two.client.ready])

  await one.session.setToken('token-1')
  await one.session.setToken('token-2')

  await vi.waitFor(() => expect(two.session.token).toBe('token-2'), WAIT)
})

test('a damaged value is removed by a sign-out', async () => {
  const redis = await connectRedis(await startRedis())
  await redis.sendCommand(['SET', KEY, 'damaged'])
  const store = redisTokenStore(redis, 'ada')

  await store.set(null, { token: 'token-1' })

  expect(await store.get()).toBe(null)
})

test('encrypted tokens are not readable in Redis, and a new key replaces an old one with the next write', async () => {
  const redis = await connectRedis(await startRedis())
  const [old, current] = [ring('2025'), ring('2026')]
  await redisTokenStore(redis, 'ada', { encrypt: [old] }).set({ token: 'secret-token' })
  expect(JSON.stringify(await redis.hGetAll(KEY))).not.toContain('secret')

  const store = redisTokenStore(redis, 'ada', { encrypt: [current, old] })
  expect(await store.get()).toEqual({ token: 'secret-token' })
  await store.set({ token: 'secret-token-2' })

  expect(await redisTokenStore(redis, 'ada', { encrypt: [current] }).get()).toEqual({ token: 'secret-token-2' })
  const error = await rejectionOf(
    Promise.resolve(redisTokenStore(redis, 'ada', { encrypt: [old] }).get()),
    isRapportError,
  )
  expect(String(error)).toContain(`${KEY} is damaged: it is encrypted with a key that is not in \`encrypt\``)
})

test('an encrypted value that was changed or moved, and a plain one, are refused', async () => {
  const redis = await connectRedis(await startRedis())
  const encrypt = [ring('2026')]
  const store = redisTokenStore(redis, 'ada', { encrypt })
  await store.set({ token: 'secret-token' })
  const data = String(await redis.hGet(KEY, 'data'))

  await redis.hSet(KEY, 'data', `${data.slice(0, -4)}AAAA`)
  expect(String(await rejectionOf(Promise.resolve(store.get()), isRapportError))).toContain('cannot be decrypted')

  await redis.hSet('rapport:1:token:{grace}', { v: '1', at: '1', data })
  const grace = redisTokenStore(redis, 'grace', { encrypt })
  expect(String(await rejectionOf(Promise.resolve(grace.get()), isRapportError))).toContain('cannot be decrypted')

  await redis.hSet(KEY, 'data', '{"token":"planted"}')
  expect(String(await rejectionOf(Promise.resolve(store.get()), isRapportError))).toContain('it is not encrypted')

  await redis.hSet(KEY, 'data', data)
  const plain = redisTokenStore(redis, 'ada')
  expect(String(await rejectionOf(Promise.resolve(plain.get()), isRapportError))).toContain(
    'the option `encrypt` is missing',
  )
})

test('a sign-in that Redis permits only in part rejects, and changes nothing', async () => {
  const server = await startRedis()
  const redis = await connectRedis(server)
  await redisTokenStore(redis, 'ada').set({ token: 'before' })
  const { session } = clientOn(await connectLimited(server, 'resetchannels'))

  const error = await rejectionOf(session.setToken('after'), isRapportError)

  expect(error.message).toContain(`NOPERM (${KEY}). Its user needs \`~rapport:*\` and \`&rapport:*\`.`)
  expect(await redisTokenStore(redis, 'ada').get()).toEqual({ token: 'before' })
})

test('a process that Redis does not permit to subscribe warns once, and follows the others once it does', async () => {
  const { server, redis, one } = await twoProcesses()
  const { client, session } = clientOn(await connectLimited(server, '&rapport:*', '-subscribe'))
  const warnings: string[] = []
  client.on('warning', ({ code }) => warnings.push(code))
  await client.ready
  // Refused again a second later.
  const log = async () => JSON.stringify(await redis.sendCommand(['ACL', 'LOG']))
  await vi.waitFor(async () => expect(await log()).toMatch(/"count"\W+(?:[2-9]|\d\d).*subscribe/), WAIT)
  expect(warnings).toEqual(['not_notified'])
  await one.session.setToken('token-1')

  await redis.sendCommand(['ACL', 'SETUSER', 'app', '+subscribe'])

  await vi.waitFor(() => expect(session.token).toBe('token-1'), WAIT)
})

test('Redis deletes the token after its ttl', async () => {
  const redis = await connectRedis(await startRedis())
  await redisTokenStore(redis, 'ada', { ttl: 60_000 }).set({ token: 'token-1' })
  expect(await redisTokenStore(redis, 'ada').get()).toEqual({ token: 'token-1' })
  expect(await redis.pTTL(KEY)).toBeGreaterThan(0)
  expect(await redis.pTTL(KEY)).toBeLessThanOrEqual(60_000)

  const store = redisTokenStore(redis, 'ada', { ttl: 80 })
  await store.set({ token: 'token-2' })
  await vi.waitFor(async () => expect(await store.get()).toBe(null), WAIT)
})

test('a store shows no token to inspect, and no connection is left when its client is disposed', async () => {
  const server = await startRedis()
  const redis = await connectRedis(server)
  const tokenStore = redisTokenStore(redis, 'ada')
  const client = new Client({ baseUrl: 'https://service.example', tokenStore })
  await client.session.setToken('secret-token')
  expect(inspect(tokenStore, { depth: 9, showHidden: true })).not.toContain('secret-token')
  const connections = async () =>
    String(await redis.sendCommand(['CLIENT', 'LIST'])).match(/cmd=subscribe/g)?.length ?? 0
  await vi.waitFor(async () => expect(await connections()).toBe(1), WAIT)

  client.dispose()

  await vi.waitFor(async () => expect(await connections()).toBe(0), WAIT)
})

test.each([
  ['a passphrase', Buffer.from('correct horse battery staple, 32')],
  ['digits of a key in hexadecimal', Buffer.from('00112233445566778899aabbccddeeff')],
  ['16 bytes', randomBytes(16)],
  ['a string', 'correct horse'],
  ['two keys of one name', randomBytes(32), randomBytes(32)],
])('%s as `encrypt` is refused, and the error does not quote it', async (_, ...keys) => {
  const redis = await connectRedis(await startRedis())
  const encrypt = keys.map((key) => ({ id: 'x', key: Object(key) }))

  expect(() => redisTokenStore(redis, 'ada', { encrypt })).toThrow(/encrypt: expected an array of .* random bytes/)
  expect(() => redisTokenStore(redis, 'ada', { encrypt })).not.toThrow(/horse|0011/)
})

test('invalid arguments are reported together', () => {
  const create = () => redisTokenStore(Object({}), 'a b', { encrypt: [{ id: 'x', key: new Uint8Array(3) }], ttl: -1 })

  expect(create).toThrow(/redis: expected a client.*key: expected a string.*encrypt: expected an array.*ttl: expected/s)
})

test.each([Number.POSITIVE_INFINITY, 2 ** 53, 0, -1, Number.NaN])('a `ttl` of %s is refused', async (ttl) => {
  const redis = await connectRedis(await startRedis())

  expect(() => redisTokenStore(redis, 'ada', { ttl })).toThrow(/ttl: expected a number from 1 to 9007199254740991/)
})

test.each([1e7 + 0.5, Number.MAX_SAFE_INTEGER])('Redis accepts a `ttl` of %s', async (ttl) => {
  const redis = await connectRedis(await startRedis())

  await redisTokenStore(redis, 'ada', { ttl }).set({ token: 'token-1' })

  expect(await redis.pTTL(KEY)).toBeGreaterThan(9e6)
})

test('a token that another process stored with a key that is missing here is a warning, once', async () => {
  const server = await startRedis()
  const [old, current] = [ring('2025'), ring('2026')]
  const redis = await connectRedis(server)
  const reads = vi.spyOn(redis, 'sendCommand')
  const { client, session } = clientOn(redis, { encrypt: [old] })
  const warnings: unknown[] = []
  client.on('warning', (warning) => warnings.push(warning))
  await session.setToken('token-1')
  const other = redisTokenStore(await connectRedis(server), 'ada', { encrypt: [current, old] })

  await other.set({ token: 'token-2' })
  await vi.waitFor(() => expect(warnings).toHaveLength(1), WAIT)
  // The value is read again every second.
  reads.mockClear()
  await vi.waitFor(() => expect(reads.mock.calls.length).toBeGreaterThanOrEqual(3), WAIT)

  const problem = 'it is encrypted with a key that is not in `encrypt`.'
  const message = `The value of the Redis key ${KEY} is damaged: ${problem}`
  expect(warnings).toEqual([{ code: 'invalid_token', message }])
  expect(session.token).toBe('token-1')
  await session.setToken('token-3')
  await other.set({ token: 'token-4' })
  await vi.waitFor(() => expect(warnings).toHaveLength(2), WAIT)
})
