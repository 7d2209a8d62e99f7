import { Client } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { instrument } from 'rapport-sdk/otel'
import { expect, it, vi } from 'vitest'
import { settle } from '../live/set-up'
import { pass, stopClock } from '../stopped-clock'
import { collect } from './telemetry'

function setUp() {
  const service = createMockService()
  const ada = service.users.create({ login: 'ada@example.com', mfa: ['totp'] })
  const telemetry = collect()
  const client = new Client({
    baseUrl: service.baseUrl,
    fetch: service.fetch,
    token: service.token(ada),
    onMfaRequired: () => ({ type: 'totp', code: service.users.totp(ada) }),
  })
  instrument(client, telemetry.options)
  const series = async (name: string) =>
    ((await telemetry.metrics())[name] ?? []).map(({ attributes, value }) => ({
      attributes,
      count: typeof value === 'number' ? value : value.count,
      sum: typeof value === 'number' ? value : Number(value.sum),
    }))
  return { service, client, telemetry, series }
}

const LIST = { 'http.request.method': 'GET', 'url.template': '/users/@me/relationships' }
const SERVER = { 'server.address': 'service.example', 'server.port': 443 }

it('http.client.request.duration has one value per attempt, in seconds, with the recommended buckets', async () => {
  const { service, client, telemetry, series } = setUp()
  service.faults.on('Get Relationships', { status: 502, times: 1, latency: 20 })
  await client.relationships.list()

  const requests = await series('http.client.request.duration')
  expect(requests).toEqual([
    {
      attributes: { ...LIST, ...SERVER, 'http.response.status_code': 502, 'error.type': '502' },
      count: 1,
      sum: expect.toSatisfy((seconds: number) => seconds >= 0.019),
    },
    { attributes: { ...LIST, ...SERVER, 'http.response.status_code': 200 }, count: 1, sum: expect.any(Number) },
  ])
  const [point] = (await telemetry.metrics())['http.client.request.duration'] ?? []
  const boundaries = typeof point?.value === 'object' ? point.value.buckets.boundaries : []
  expect(boundaries).toEqual([0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10])
})

it('the duration of a call counts once, by endpoint and outcome, and its waits and prompts are apart', async () => {
  const { service, client, series } = setUp()
  service.faults.on('Get Relationships', { status: 429, retryAfter: 30, times: 1 })
  stopClock()
  await pass(1)
  const list = client.relationships.list()
  await settle()
  await pass(31_000)
  await list
  vi.useRealTimers()
  await client.relationships.accept('none').catch(() => {})
  await client.auth.sessions.logout({ session_id_hashes: ['unknown'] })

  const calls = await series('rapport.client.call.duration')
  expect(
    calls.map(({ attributes, count }) => [attributes['rapport.endpoint'], attributes['rapport.outcome'], count]),
  ).toEqual([
    ['Get Relationships', 'success', 1],
    ['Create Relationship', 'error', 1],
    ['Verify MFA', 'success', 1],
    ['Logout Auth Sessions', 'success', 1],
  ])
  expect(await series('rapport.client.wait.duration')).toEqual([
    {
      attributes: { ...LIST, 'rapport.endpoint': 'Get Relationships' },
      count: 1,
      sum: expect.toSatisfy((s: number) => s > 29 && s < 32),
    },
  ])
  const [prompt, ...others] = await series('rapport.client.prompt.duration')
  expect([prompt?.attributes['rapport.endpoint'], prompt?.count, others]).toEqual(['Logout Auth Sessions', 1, []])
})

it('the length of the queue rises with each request that waits, and is 0 at the end', async () => {
  stopClock()
  const { service, client, series } = setUp()
  const queueLength = async () => (await series('rapport.client.queue.length'))[0]?.sum
  service.faults.on('Get Relationships', { status: 429, retryAfter: 30, times: 1 })
  const controller = new AbortController()
  const first = client.relationships.list()
  await settle()
  const aborted = client.relationships.list({ signal: controller.signal })
  await settle()
  expect(await queueLength()).toBe(2)
  controller.abort()
  await expect(aborted).rejects.toThrow()
  expect(await queueLength()).toBe(1)
  await pass(31_000)
  await first
  expect(await queueLength()).toBe(0)
})
