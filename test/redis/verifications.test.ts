import { randomBytes } from 'node:crypto'
import { Client, type MfaHandler } from 'rapport-sdk'
import { redisVerifications } from 'rapport-sdk/redis'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connectRedis, startRedis } from '../servers/redis-server'
import { CODE, serveStepUp } from '../servers/step-up-service'

const encrypt = [{ id: '2026', key: randomBytes(32) }]
const KEYS = 'rapport:1:verification:*'

/** A service, Redis, and a function that creates the client of a process. */
async function setUp(commandTimeout = 60_000) {
  const server = await startRedis()
  const redis = await connectRedis(server)
  const service = await serveStepUp()
  const handler = vi.fn<MfaHandler>(() => ({ type: 'totp', code: CODE }))
  const warnings: object[] = []
  const createProcess = async (token: string, ring = encrypt) => {
    const verifications = redisVerifications(await connectRedis(server), 'shop', {
      encrypt: ring,
      commandTimeout,
    })
    const client = new Client({ baseUrl: service.url, token, verifications, onMfaRequired: handler })
    onTestFinished(() => client.dispose())
    client.on('warning', (warning) => warnings.push(warning))
    return client
  }
  return { server, redis, service, handler, warnings, createProcess }
}

test('processes share a verification by Redis, which never has it readable and deletes it after five minutes', async () => {
  const { redis, handler, warnings, createProcess } = await setUp()

  await (await createProcess('secret-token')).relationships.list()
  await (await createProcess('secret-token')).relationships.list()

  expect(handler).toHaveBeenCalledTimes(1)
  const [key = '', ...others] = await redis.keys(KEYS)
  expect(others).toEqual([])
  expect(key).toMatch(/^rapport:1:verification:\{shop:[\da-f]{32}\}$/)
  expect(await redis.get(key)).toMatch(/^2026\.[\w-]+$/)
  expect(await redis.pTTL(key)).toBeGreaterThan(0)
  expect(await redis.pTTL(key)).toBeLessThanOrEqual(290_000)
  expect(warnings).toEqual([])
})

test('a sign-out in one process deletes the verification in Redis before it resolves', async () => {
  const { redis, createProcess } = await setUp()
  const client = await createProcess('ada')
  await client.relationships.list()
  await (await createProcess('grace')).relationships.list()

  await client.session.setToken(null)

  expect(await redis.keys(KEYS)).toHaveLength(1)
})

test('a value that was moved to the key of another account is not used', async () => {
  const { redis, handler, warnings, createProcess } = await setUp()
  await (await createProcess('ada')).relationships.list()
  const [adas = ''] = await redis.keys(KEYS)
  await (await createProcess('grace')).relationships.list()
  const graces = (await redis.keys(KEYS)).find((key) => key !== adas) ?? ''
  await redis.set(graces, (await redis.get(adas)) ?? '')

  await (await createProcess('grace')).relationships.list()

  expect(handler).toHaveBeenCalledTimes(3)
  expect(warnings).toMatchObject([{ code: 'verifications_failed' }])
})

test.each<[string, string[]]>([
  ['plain', ['SET', 'planted-value']],
  ['of another type', ['RPUSH', 'planted-value']],
])('a %s value is a warning, and the user is asked', async (_, [command = '', value = '']) => {
  const { redis, handler, warnings, createProcess } = await setUp()
  await (await createProcess('ada')).relationships.list()
  const [key = ''] = await redis.keys(KEYS)
  await redis.del(key)
  await redis.sendCommand([command, key, value])

  await (await createProcess('ada')).relationships.list()

  expect(handler).toHaveBeenCalledTimes(2)
  expect(warnings).toMatchObject([{ code: 'verifications_failed' }])
  expect(JSON.stringify(warnings)).not.toContain('planted')
})

test('a new key reads what an old one has sealed, and a process without the key asks the user', async () => {
  const { handler, createProcess } = await setUp()
  const current = { id: '2027', key: randomBytes(32) }
  await (await createProcess('ada')).relationships.list()

  await (await createProcess('ada', [current, ...encrypt])).relationships.list()
  expect(handler).toHaveBeenCalledTimes(1)
  await (await createProcess('ada', [current])).relationships.list()
  expect(handler).toHaveBeenCalledTimes(2)
})

test('while Redis does not reply, the user is asked, and the call succeeds', async () => {
  const { server, handler, createProcess } = await setUp(1_000)
  const client = await createProcess('ada')
  server.freeze()
  onTestFinished(() => server.thaw())

  expect(await client.relationships.list()).toEqual([])

  expect(handler).toHaveBeenCalledTimes(1)
})

test('`encrypt` is required, and invalid arguments are reported together', async () => {
  const redis = await connectRedis(await startRedis())
  for (const options of [undefined, {}, { encrypt: [] }, { encrypt: undefined }])
    expect(() => redisVerifications(redis, 'a b', Object(options))).toThrow(
      /prefix: expected a string.*\n.*encrypt: expected/,
    )
})
