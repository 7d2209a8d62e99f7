import { expect, onTestFinished, test, vi } from 'vitest'
import { createProcess, positionOf, setUp, upTo, WAIT } from './events-set-up'

test.each([undefined, 'workers'])(
  'a listener that throws, or never settles, does not stop the events (group %s)',
  async (group) => {
    const { service, redis } = await setUp()
    const { client, numbers, hold } = createProcess(redis, service, group === undefined ? {} : { group })
    hold()
    const errors: unknown[] = []
    client.gateway.on('error', (error) => errors.push(error))
    client.gateway.on('relationshipUpdate', () => {
      throw new Error('a listener')
    })
    client.gateway.on('relationshipUpdate', () => new Promise(() => {}))
    await client.gateway.connect()
    service.emit(3)

    await vi.waitFor(() => expect(numbers).toEqual(upTo(3)), WAIT)
    expect(errors).toHaveLength(3)
    expect(client.gateway.state).toBe('ready')
    if (group) await vi.waitFor(async () => expect(await positionOf(redis, group)).toBe(4), WAIT)
  },
)

test('a listener of a holder that throws is logged, and does not stop the holder', async () => {
  const { service, redis } = await setUp()
  const logged: unknown[] = []
  const logger = { error: (_: string, error: unknown) => logged.push(error) }
  const { client, numbers, hold } = createProcess(redis, service, { logger })
  const failure = new Error('a listener')
  hold().onChange(() => {
    throw failure
  })
  await client.gateway.connect()
  service.emit(1)

  await vi.waitFor(() => expect(numbers).toEqual([1]), WAIT)
  expect(logged).toContain(failure)
})

test('a logger that throws does not stop the holder', async () => {
  const { service, redis } = await setUp()
  const fail = () => {
    throw new Error('a logger or listener')
  }
  const { client, numbers, hold } = createProcess(redis, service, { logger: { error: fail } })
  hold().onChange(fail)
  await client.gateway.connect()
  service.emit(1)

  await vi.waitFor(() => expect(numbers).toEqual([1]), WAIT)
})

test('an event may be acknowledged twice, late, or never', async () => {
  const { service, redis } = await setUp()
  const { client, numbers, events, hold } = createProcess(redis, service)
  hold()
  await client.gateway.connect()
  service.emit(2)
  await vi.waitFor(() => expect(numbers).toEqual([1, 2]), WAIT)
  const loop = events.read({ group: 'mailer' })
  const first = (await loop.next()).value
  const second = (await loop.next()).value
  await second?.ack()
  await second?.ack()
  await loop.return?.()

  await first?.ack()
  const next = events.read({ group: 'mailer' })
  onTestFinished(async () => void (await next.return?.()))
  const { value } = await next.next()

  expect(value?.data).toMatchObject({ nickname: 'n2' })
})

test('a consumer that never acknowledges delays only itself', async () => {
  const { service, redis } = await setUp()
  const { client, numbers, events, hold } = createProcess(redis, service)
  hold()
  await client.gateway.connect()
  const loop = events.read({ group: 'stuck' })
  onTestFinished(async () => void (await loop.return?.()))
  await loop.next()
  service.emit(5)

  await vi.waitFor(() => expect(numbers).toEqual(upTo(5)), WAIT)
})
