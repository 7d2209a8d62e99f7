import { Client } from 'rapport-sdk'
import { redisEvents } from 'rapport-sdk/redis'
import { expect, onTestFinished, test } from 'vitest'
import { events } from '../../examples/bots/service'
import { setUp } from './events-set-up'

const press = { id: '1', channel_id: '300', user: { id: '7' }, data: { custom_id: 'vote(tea)' } }

test('a process that reads from Redis receives declared events by their name', async () => {
  const { redis, service } = await setUp()
  const shared = redisEvents(redis, { stream: 'test', account: 'ada' })
  const client = new Client({ baseUrl: service.server.url, token: service.token, gateway: shared.gateway({ events }) })
  onTestFinished(() => client.dispose())
  const holder = shared.hold(client, { url: service.server.gatewayUrl, events })
  onTestFinished(() => holder.close())
  const warnings: unknown[] = []
  client.gateway.on('warning', (warning) => warnings.push(warning))
  await client.gateway.connect()
  const received = client.gateway.waitFor('interactionCreate')

  service.service.gateway.emit('INTERACTION_CREATE', press)

  expect(await received).toEqual(press)
  expect(warnings).toEqual([])
})
