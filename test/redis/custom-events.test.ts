import { Client, type CustomEvents, type StandardSchema } from 'rapport-sdk'
import { redisEvents } from 'rapport-sdk/redis'
import { expect, onTestFinished, test } from 'vitest'
import { events } from '../../examples/bots/service'
import { setUp } from './events-set-up'

const press = { id: '1', channel_id: '300', user: { id: '7' }, data: { custom_id: 'vote(tea)' } }

/** Starts a holder of an account, and a client that reads its events. */
async function share() {
  const { redis, service } = await setUp()
  const shared = redisEvents(redis, { stream: 'test', account: 'ada' })
  const client = new Client({ baseUrl: service.server.url, token: service.token, gateway: shared.gateway({ events }) })
  onTestFinished(() => client.dispose())
  const holder = shared.hold(client, { url: service.server.gatewayUrl, events })
  onTestFinished(() => holder.close())
  await client.gateway.connect()
  return { client, shared, emit: (data: unknown) => service.service.gateway.emit('INTERACTION_CREATE', data) }
}

type Shared = Awaited<ReturnType<typeof share>>['shared']

/** Returns the next event of a loop that is not Ready. */
async function next(loop: ReturnType<Shared['read']>) {
  for (;;) {
    const { value } = await loop.next()
    if (value.type !== 'ready') return value
    await value.ack()
  }
}

function read(shared: Shared, options: Parameters<Shared['read']>[0]) {
  const loop = shared.read(options)
  onTestFinished(async () => void (await loop.return?.()))
  return loop
}

test('a process that reads from Redis receives declared events by their name', async () => {
  const { client, emit } = await share()
  const warnings: unknown[] = []
  client.gateway.on('warning', (warning) => warnings.push(warning))
  const received = client.gateway.waitFor('interactionCreate')

  emit(press)

  expect(await received).toEqual(press)
  expect(warnings).toEqual([])
})

test('a loop over events in Redis gives declared events their name, and what their schema returns', async () => {
  const { shared, emit } = await share()
  const loop = read(shared, { group: 'bot', events })

  emit({ ...press, secret: 'left out by the schema' })

  const event = await next(loop)
  expect(event.name === 'interactionCreate' && event.data.data.custom_id).toBe('vote(tea)')
  expect(event.data).toEqual(press)
  expect(event.warning).toBeUndefined()
})

test('a loop over events in Redis reports an invalid payload of a declared event as the gateway does', async () => {
  const { client, shared, emit } = await share()
  const warned = client.gateway.waitFor('warning')
  const loop = read(shared, { group: 'bot', events })

  emit({ ...press, user: {} })
  emit(press)

  const invalid = await next(loop)
  expect(invalid).toMatchObject({ type: 'INTERACTION_CREATE', data: { ...press, user: {} } })
  expect(invalid.warning).toEqual(await warned)
  await invalid.ack()
  expect((await next(loop)).type).toBe('interactionCreate')
})

test('an asynchronous schema delays the events of a loop over Redis, which stay in order', async () => {
  const { shared, emit } = await share()
  const schema: StandardSchema<CustomEvents['interactionCreate']> = {
    '~standard': { ...events.INTERACTION_CREATE.schema['~standard'], validate: async () => ({ value: press }) },
  }
  const loop = read(shared, { group: 'bot', events: { INTERACTION_CREATE: { name: 'interactionCreate', schema } } })

  emit({})
  emit({})

  const [first, second] = [await next(loop), await next(loop)]
  expect([first.data, second.data]).toEqual([press, press])
  expect(second.number - first.number).toBe(1)
})

test('a loop over events in Redis ends if a schema throws, and the next one delivers the event again', async () => {
  const { shared, emit } = await share()
  const cause = new Error('a defect of the schema')
  const fail = (): never => {
    throw cause
  }
  const schema: StandardSchema<CustomEvents['interactionCreate']> = {
    '~standard': { ...events.INTERACTION_CREATE.schema['~standard'], validate: fail },
  }
  const broken = read(shared, { group: 'bot', events: { INTERACTION_CREATE: { name: 'interactionCreate', schema } } })

  emit(press)

  await expect(next(broken)).rejects.toMatchObject({ name: 'GatewayError', reason: 'schema_threw', cause })
  expect(await next(read(shared, { group: 'bot', events }))).toMatchObject({ type: 'interactionCreate', data: press })
})

test('a loop over events in Redis without declared events gives them as they are', async () => {
  const { shared, emit } = await share()
  const loop = read(shared, { group: 'bot' })

  emit({ id: 1 })

  expect(await next(loop)).toMatchObject({ type: 'INTERACTION_CREATE', data: { id: 1 } })
})

test('a loop over events in Redis refuses names that the API or the gateway has', async () => {
  const { shared } = await share()
  const taken = { MINE: { name: 'relationshipAdd' } }
  const options: object = { group: 'bot', events: taken }

  expect(() => Reflect.apply(shared.read, shared, [options])).toThrow(/events\.MINE\.name/)
})
