import { Client, type ClientOptions, type Drift } from 'rapport-sdk'
import { createDriftReport } from 'rapport-sdk/doctor'
import { instrument } from 'rapport-sdk/otel'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { collect } from '../otel/telemetry'
import { createGatewayClient, serveGateway } from '../servers/gateway-server'
import { json, serve } from '../servers/http-server'

const friend = { id: '200', type: 1, user: { id: '200' }, nickname: null, user_ignored: false }

async function startClient(options: Partial<ClientOptions> = {}) {
  const server = await serve()
  const client = new Client({ baseUrl: server.url, token: 'the-token-of-ada', ...options })
  onTestFinished(() => client.dispose())
  return { server, client }
}

/** Returns lines of differences: endpoint, path, kind, what was seen and how often. */
const linesOf = (entries: readonly Drift[]) =>
  entries.map(({ endpoint, path, kind, seen, count }) => [endpoint, path, kind, seen, count].join(' | '))

describe('responses', () => {
  test('fields, types and values that the document does not have are counted once for each response', async () => {
    const { server, client } = await startClient()
    const report = createDriftReport(client)
    const { user_ignored: _, ...without } = friend
    const items = [
      { ...friend, badge: 1 },
      { ...friend, badge: 2, type: 9 },
      { ...without, nickname: 5 },
    ]
    server.respondWith(json(200, items), json(200, [friend, { ...friend, badge: 3 }]))
    await client.relationships.list()
    await client.as('grace').relationships.list()
    expect(linesOf(report.entries)).toEqual([
      'Get Relationships | [].badge | unknown field |  | 2',
      'Get Relationships | [].type | unknown value | 9 | 1',
      'Get Relationships | [].nickname | other type | a number | 1',
      'Get Relationships | [].user_ignored | missing field |  | 1',
    ])
    expect(report.entries[0]?.firstSeen).toMatch(/^\d{4}-\d\d-\d\dT/)
  })

  test('the client emits drift with the number so far, also for the clients of as()', async () => {
    const { server, client } = await startClient()
    const other = client.as('grace')
    createDriftReport(client)
    const seen: string[] = []
    client.on('drift', ({ path, count }) => seen.push(`ada ${path} ${count}`))
    other.on('drift', ({ path, count }) => seen.push(`grace ${path} ${count}`))
    server.respondWith(...Array(3).fill(json(200, [{ ...friend, badge: 1 }])))
    for (const each of [client, other, client]) await each.relationships.list()
    expect(seen).toEqual(['ada [].badge 1', 'grace [].badge 2', 'ada [].badge 3'])
  })

  test('without a report, and after it was stopped, nothing is compared and nothing emitted', async () => {
    const { server, client } = await startClient()
    const listener = vi.fn()
    client.on('drift', listener)
    server.respondWith(...Array(3).fill(json(200, [{ ...friend, badge: 1 }])))
    await client.relationships.list()
    const report = createDriftReport(client)
    await client.relationships.list()
    report.stop()
    await client.relationships.list()
    expect(listener).toHaveBeenCalledTimes(1)
    expect(linesOf(report.entries)).toEqual(['Get Relationships | [].badge | unknown field |  | 1'])
  })

  test.each(['report', 'throw', 'ignore'] as const)('a mismatch counts with onResponseMismatch %s', async (option) => {
    const { server, client } = await startClient({ onResponseMismatch: option })
    const report = createDriftReport(client)
    server.respondWith(json(200, [{ ...friend, user_ignored: 'no' }]))
    const name = await client.relationships.list().then(
      () => 'resolved',
      (error: Error) => error.name,
    )
    expect(name).toBe(option === 'throw' ? 'ResponseMismatchError' : 'resolved')
    expect(linesOf(report.entries)).toEqual(['Get Relationships | [].user_ignored | other type | a string | 1'])
  })

  test('an issue of a schema of the app is a mismatch, and a custom request shows no path', async () => {
    const userSchema = z.looseObject({ id: z.string(), username: z.string() })
    const { server, client } = await startClient({ userSchema })
    const report = createDriftReport(client)
    server.respondWith(json(200, [friend]), json(200, { items: [1, 'two'] }))
    await client.relationships.list()
    const schema = z.object({ items: z.array(z.number()) })
    await client.request({ method: 'GET', path: '/users/123456789012345678/things', schema })
    expect(linesOf(report.entries)).toEqual([
      expect.stringMatching(/^Get Relationships \| \[\]\.user\.username \| mismatch \| \w+ \| 1$/),
      expect.stringMatching(/^request \| items\[\] \| mismatch \| \w+ \| 1$/),
    ])
  })
})

test('unknown events of the gateway and unknown values in known ones are counted, declared events are not', async () => {
  const server = await serveGateway()
  const client = createGatewayClient(server, {
    gateway: { events: { INTERACTION_CREATE: { name: 'interactionCreate' } } } as never,
  })
  const report = createDriftReport(client)
  const drift = vi.fn()
  client.on('drift', drift)
  await client.gateway.connect()
  const peer = await server.peer()
  peer.dispatch('PRESENCE_SYNC', { secret: 'x' }, 2)
  peer.dispatch('PRESENCE_SYNC', {}, 3)
  peer.dispatch('INTERACTION_CREATE', {}, 4)
  peer.dispatch('RELATIONSHIP_ADD', { ...friend, type: 9, badge: 1 }, 5)
  await vi.waitFor(() => expect(drift).toHaveBeenCalledTimes(4))
  expect(linesOf(report.entries)).toEqual([
    'Gateway | PRESENCE_SYNC | unknown event |  | 2',
    'Gateway: Relationship Add | type | unknown value | 9 | 1',
    'Gateway: Relationship Add | badge | unknown field |  | 1',
  ])
})

describe('what a report contains', () => {
  test('names and values are at most 40 characters long, and IDs and other texts are masked', async () => {
    const { server, client } = await startClient()
    const report = createDriftReport(client)
    const names = {
      ['long_'.repeat(20)]: 1,
      of_123456789012345678: 1,
      '7d3c9a51-0f4e-4f0a-9d2e-3b1c5a7e9f02': 1,
      'ada@example.com': 1,
      v2_flags: 1,
    }
    server.respondWith(json(200, [{ ...friend, type: 123_456_789_012, ...names }]))
    await client.relationships.list()
    expect(report.entries.map(({ path, seen }) => seen ?? path)).toEqual([
      '{id}',
      `[].${'long_'.repeat(20).slice(0, 39)}…`,
      '[].of_{id}',
      '[].{id}',
      '[].{text}',
      '[].v2_flags',
    ])
  })

  test('the token of the call is redacted, also as the name of a field', async () => {
    const token = 'tokenOfAdaThatIsLong'
    const { server, client } = await startClient({ token })
    const report = createDriftReport(client)
    server.respondWith(json(200, [{ ...friend, [token]: token, type: token }]))
    await client.relationships.list()
    expect(report.entries).toHaveLength(2)
    expect(JSON.stringify(report.entries)).not.toContain(token)
  })

  test('an endpoint has at most 200 entries, and the rest is counted', async () => {
    const { server, client } = await startClient()
    const report = createDriftReport(client)
    const drift = vi.fn()
    client.on('drift', drift)
    const fields = (prefix: string, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, 1]))
    server.respondWith(json(200, [{ ...friend, ...fields('a', 150) }]), json(200, [{ ...friend, ...fields('b', 150) }]))
    await client.relationships.list()
    await client.relationships.list()
    expect([report.entries.length, report.omitted, drift.mock.calls.length]).toEqual([200, 100, 200])
    report.clear()
    expect([report.entries, report.omitted]).toEqual([[], 0])
  })
})

test('a client has at most one report at a time, and only a client of the package has one', () => {
  const client = new Client({ baseUrl: 'https://service.example' })
  const report = createDriftReport(client)
  expect(() => createDriftReport(client)).toThrow('The client has a drift report already.')
  report.stop()
  createDriftReport(client).stop()
  // @ts-expect-error JavaScript may pass anything.
  expect(() => createDriftReport({})).toThrow('expected a client of this package')
})

test('the metric rapport.client.drift counts differences by endpoint and kind', async () => {
  const { server, client } = await startClient()
  const telemetry = collect()
  instrument(client, telemetry.options)
  createDriftReport(client)
  server.respondWith(json(200, [{ ...friend, badge: 1, other: 2 }]))
  await client.relationships.list()
  expect((await telemetry.metrics())['rapport.client.drift']).toMatchObject([
    { attributes: { 'rapport.endpoint': 'Get Relationships', 'rapport.drift.kind': 'unknown field' }, value: 2 },
  ])
})
