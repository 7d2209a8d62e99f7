import { Client, isRateLimitError, type RateLimitStore } from 'rapport-sdk'
import { redisRateLimits } from 'rapport-sdk/redis'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connectLimited, connectRedis, cuttable, type RedisConnection, startRedis } from '../servers/redis-server'
import { rejectionOf } from '../transport/rejection'

const WAIT = { interval: 20 }
const KEY = 'rapport:1:limits:{service}'

/** Seconds of a limit that does not end during a test, however slow the machine is. */
const LONG = 3_600

/** Creates the client of a process, whose service answers with `responses` and then with an empty list. */
function clientOn(redis: RedisConnection, ...responses: Response[]) {
  return clientWith(redisRateLimits(redis, 'service'), ...responses)
}

function clientWith(rateLimits: RateLimitStore, ...responses: Response[]) {
  const sent: string[] = []
  const fetch = async (url: string) => {
    sent.push(url)
    return responses.shift() ?? Response.json([])
  }
  const client = new Client({ baseUrl: 'https://service.example', token: 'token', fetch, rateLimits, retry: 0 })
  onTestFinished(() => client.dispose())
  const warnings: { readonly code: string; readonly message: string }[] = []
  client.on('warning', (warning) => warnings.push(warning))
  return { client, sent, warnings }
}

const tooMany = (seconds: number, body: object = {}) =>
  Response.json(body, { status: 429, headers: { 'retry-after': String(seconds) } })

test('a 429 of one process stops the requests of all for that account to that path, and only these', async () => {
  const server = await startRedis()
  const one = clientOn(await connectRedis(server), tooMany(LONG))
  const two = clientOn(await connectRedis(server))
  await two.client.friendSuggestions.list()
  await rejectionOf(one.client.relationships.list(), isRateLimitError)

  await vi.waitFor(async () => {
    const error = await rejectionOf(two.client.relationships.list(), isRateLimitError)
    expect(error.retryAfterMs).toBeGreaterThan(0.9 * LONG * 1_000)
  }, WAIT)
  await two.client.friendSuggestions.list()
  await two.client.as('another account').relationships.list()

  // A process that starts later knows the limit before its first request.
  const late = clientOn(await connectRedis(server))
  await rejectionOf(late.client.relationships.list(), isRateLimitError)
  expect(late.sent).toEqual([])
})

test('a global limit stops all requests of an account in all processes, until it ends', async () => {
  const server = await startRedis()
  const one = clientOn(await connectRedis(server), tooMany(LONG, { global: true }))
  await rejectionOf(one.client.relationships.list(), isRateLimitError)
  const two = clientOn(await connectRedis(server))
  await vi.waitFor(async () => {
    const error = await rejectionOf(two.client.friendSuggestions.list(), isRateLimitError)
    expect(error.global).toBe(true)
  }, WAIT)
  await two.client.as('another account').friendSuggestions.list()
  const before = two.sent.length

  const clock = vi.spyOn(performance, 'now')
  onTestFinished(() => clock.mockRestore())
  const limitedAt = performance.now()
  clock.mockReturnValue(limitedAt + 0.9 * LONG * 1_000)
  await rejectionOf(two.client.friendSuggestions.list(), isRateLimitError)
  expect(two.sent).toHaveLength(before)

  clock.mockReturnValue(limitedAt + LONG * 1_000)
  await two.client.friendSuggestions.list()
  expect(two.sent).toHaveLength(before + 1)
})

test('without Redis each process waits for its own limits, warns once and never hangs', async () => {
  const server = await startRedis()
  const { client, sent, warnings } = clientOn(await connectRedis(server), Response.json([]), tooMany(LONG))
  await client.friendSuggestions.list()
  await server.kill()

  await rejectionOf(client.relationships.list(), isRateLimitError)
  await rejectionOf(client.relationships.list(), isRateLimitError)
  await vi.waitFor(() => expect(warnings).toHaveLength(1), WAIT)
  expect(warnings).toEqual([{ code: 'rate_limits_local', message: expect.stringContaining('not shared') }])
  expect(sent).toHaveLength(2)

  // Its limits are shared once Redis is back, even though Redis has lost everything.
  await server.start()
  const two = clientOn(await connectRedis(server))
  await vi.waitFor(async () => {
    await rejectionOf(two.client.relationships.list(), isRateLimitError)
  }, WAIT)
  expect(warnings).toHaveLength(1)
})

test('without Redis the clients of one process share the limits of a store', async () => {
  const server = await startRedis()
  const rateLimits = redisRateLimits(await connectRedis(server), 'service')
  const [one, two] = [clientWith(rateLimits, Response.json([]), tooMany(LONG)), clientWith(rateLimits)]
  await one.client.friendSuggestions.list()
  await two.client.friendSuggestions.list()
  await server.kill()

  await rejectionOf(one.client.relationships.list(), isRateLimitError)

  await vi.waitFor(() => rejectionOf(two.client.relationships.list(), isRateLimitError), WAIT)
})

test('a shorter limit does not replace a longer one', async () => {
  const redis = await connectRedis(await startRedis())
  const [one, two, late] = [1, 2, 3].map(() => redisRateLimits(redis, 'service'))
  const count = async (members: number) => expect(await redis.sendCommand(['ZCARD', KEY])).toBe(members)
  one?.block('path', LONG * 1_000)
  await vi.waitFor(() => count(1), WAIT)
  two?.block('path', 1_000)
  two?.block('other path', LONG * 1_000)
  await vi.waitFor(() => count(2), WAIT)

  const follower = late?.follow(() => {})
  onTestFinished(() => follower?.close())

  expect(await follower?.msUntilReset('path')).toBeGreaterThan(0.9 * LONG * 1_000)
})

test('a limit of another process is known although the connection for notifications was lost meanwhile', async () => {
  const server = await startRedis()
  const redis = await connectRedis(server)
  await rejectionOf(clientOn(redis, tooMany(LONG)).client.relationships.list(), isRateLimitError)
  const member = await vi.waitFor(async () => {
    const [found] = Object(await redis.sendCommand(['ZRANGE', KEY, '0', '-1']))
    expect(found).toBeDefined()
    return String(found)
  }, WAIT)
  const end = String(await redis.sendCommand(['ZSCORE', KEY, member]))
  await redis.sendCommand(['DEL', KEY])
  const { client } = clientOn(await connectRedis(server))
  await client.relationships.list()

  await redis.sendCommand(['ZADD', KEY, end, member])
  await redis.sendCommand(['CLIENT', 'KILL', 'TYPE', 'pubsub'])

  await vi.waitFor(() => rejectionOf(client.relationships.list(), isRateLimitError), WAIT)
})

test('a client that starts while Redis replies to nothing sends its first request after one second', async () => {
  const server = await startRedis()
  const redis = await connectRedis(server)
  server.freeze()
  onTestFinished(() => server.thaw())
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { client, sent, warnings } = clientOn(redis)

  const listed = client.relationships.list()
  await vi.advanceTimersByTimeAsync(999)
  expect(sent).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  await listed
  expect(sent).toHaveLength(1)

  // The time limit of a command.
  await vi.advanceTimersByTimeAsync(1_000)
  expect(warnings.map(({ code }) => code)).toEqual(['rate_limits_local'])
})

test('a process that Redis does not permit to subscribe warns once, and knows the limits of others once it does', async () => {
  const server = await startRedis()
  const redis = await connectRedis(server)
  const { client, warnings } = clientOn(await connectLimited(server, '&rapport:*', '-subscribe'))
  await client.relationships.list()
  // Refused again a second later.
  const log = async () => JSON.stringify(await redis.sendCommand(['ACL', 'LOG']))
  await vi.waitFor(async () => expect(await log()).toMatch(/"count"\W+(?:[2-9]|\d\d).*subscribe/), WAIT)
  expect(warnings).toEqual([{ code: 'rate_limits_local', message: expect.stringContaining('refused to subscribe') }])
  await rejectionOf(clientOn(redis, tooMany(LONG)).client.relationships.list(), isRateLimitError)

  await redis.sendCommand(['ACL', 'SETUSER', 'app', '+subscribe'])

  await vi.waitFor(() => rejectionOf(client.relationships.list(), isRateLimitError), WAIT)
  expect(warnings).toHaveLength(1)
})

test('an invalid value in place of the limits is a warning that names the key', async () => {
  const redis = await connectRedis(await startRedis())
  await redis.set('rapport:1:limits:{service}', 'foreign')
  const { client, warnings } = clientOn(redis)

  await client.relationships.list()

  await vi.waitFor(() => expect(warnings).toHaveLength(1), WAIT)
  expect(warnings[0]?.message).toContain('rapport:1:limits:{service}')
})

test('messages of something else on the channel of the limits are ignored', async () => {
  const server = await startRedis()
  const redis = await connectRedis(server)
  const one = clientOn(redis, Response.json([]), tooMany(LONG))
  const two = clientOn(await connectRedis(server))
  await Promise.all([one, two].map(({ client }) => client.friendSuggestions.list()))
  const channel = 'rapport:1:limits:{service}:changes'
  await vi.waitFor(async () => expect(await redis.publish(channel, 'foreign')).toBe(2), WAIT)

  await rejectionOf(one.client.relationships.list(), isRateLimitError)
  await vi.waitFor(() => rejectionOf(two.client.relationships.list(), isRateLimitError), WAIT)

  expect([...one.warnings, ...two.warnings]).toEqual([])
})

test('a limit that could not be shared because Redis was slow is shared afterwards', async () => {
  const server = await startRedis()
  const slow = cuttable(await connectRedis(server))
  const one = clientOn(slow.connection, Response.json([]), tooMany(LONG))
  const two = clientOn(await connectRedis(server))
  await Promise.all([one, two].map(({ client }) => client.friendSuggestions.list()))

  slow.cut()
  await rejectionOf(one.client.relationships.list(), isRateLimitError)
  await vi.waitFor(() => expect(one.warnings).toMatchObject([{ code: 'rate_limits_local' }]), WAIT)
  slow.restore()

  await vi.waitFor(() => rejectionOf(two.client.relationships.list(), isRateLimitError), WAIT)
})

test('Redis receives a hash of account and path, never the token, and nothing of a sign-in', async () => {
  const redis = await connectRedis(await startRedis())
  const { client } = clientOn(redis, tooMany(LONG), tooMany(LONG), tooMany(LONG, { global: true }))
  const signIn = client.auth.login({ login: 'ada@example.com', password: 'correct horse' })
  await rejectionOf(signIn, isRateLimitError)
  await rejectionOf(client.relationships.list(), isRateLimitError)
  await rejectionOf(client.friendSuggestions.list(), isRateLimitError)

  await vi.waitFor(async () => {
    const members = await redis.zRange('rapport:1:limits:{service}', 0, -1)
    expect(members).toEqual([expect.stringMatching(/^[\da-f]{32}$/), expect.stringMatching(/^[\da-f]{32}$/)])
  }, WAIT)
})

test('clients of `as` follow the limits once, and one that is created while Redis hangs does not wait for it', async () => {
  const server = await startRedis()
  const redis = await connectRedis(server)
  const one = clientOn(redis)
  await one.client.relationships.list()
  const send = vi.spyOn(redis, 'sendCommand')
  for (let account = 0; account < 20; account++) await one.client.as(`account ${account}`).relationships.list()
  expect(send).not.toHaveBeenCalled()

  server.freeze()
  onTestFinished(() => server.thaw())
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  await one.client.as('late').relationships.list()
  expect(one.sent).toHaveLength(22)
})
