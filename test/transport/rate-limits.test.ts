import { Client, type ClientOptions, isRateLimitError } from 'rapport-sdk'
import { describe, expect, it, vi } from 'vitest'
import { json, noContent, text } from './answers'
import { reasonOf, rejectionOf } from './rejection'
import { type Answer, serve } from './scripted-server'

const limited = (seconds: string | number, body: object = {}) => json(429, body, { 'retry-after': String(seconds) })

async function clientFor(answers: Answer[], options: Partial<ClientOptions> = {}) {
  const server = await serve(...answers)
  return { server, client: new Client({ baseUrl: server.url, token: 'ada', ...options }) }
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await run()
  return performance.now() - startedAt
}

describe('rate limits', () => {
  it('26. waits the seconds of Retry-After and sends again, whatever the method', async () => {
    const { server, client } = await clientFor([limited(0.2), noContent])
    const waits = vi.fn()
    client.on('rateLimited', waits)

    const tookMs = await timed(() => client.relationships.sendRequest({ username: 'grace', discriminator: null }))

    expect(tookMs).toBeGreaterThan(195)
    expect(waits.mock.calls.map(([event]) => event)).toEqual([
      {
        endpoint: 'Send Friend Request',
        method: 'POST',
        path: '/users/@me/relationships',
        attempt: 1,
        retryAfterMs: 200,
        global: false,
      },
    ])
    expect(server.request(1).body.equals(server.request(0).body)).toBe(true)
  })

  it('26. reads a date, and the numeric retry_after of a body', async () => {
    const byDate = await clientFor([limited(new Date(Date.now() + 40_000).toUTCString())])
    const control = new AbortController()
    let waitMs = 0
    byDate.client.on('rateLimited', ({ retryAfterMs }) => {
      waitMs = retryAfterMs
      control.abort()
    })
    await reasonOf(byDate.client.relationships.list({ signal: control.signal }))
    expect(waitMs).toBeGreaterThan(35_000)
    expect(waitMs).toBeLessThanOrEqual(40_000)

    const byBody = await clientFor([json(429, { retry_after: 0.2 }), json(200, [])])
    expect(await timed(() => byBody.client.relationships.list())).toBeGreaterThan(195)
  })

  it.each(['soon', '-5', '', 'NaN', '1 minute'])('26. makes no nonsense of Retry-After %j', async (value) => {
    const { server, client } = await clientFor([limited(value, { retry_after: 0.1 }), json(200, [])])
    expect(await client.relationships.list()).toEqual([])
    expect(server.requests).toHaveLength(2)
  })

  it('26. throws at once where the wait is longer than 60 s', async () => {
    for (const answer of [limited(3600), json(429, { retry_after: 3600 }), limited(1e300)]) {
      const { server, client } = await clientFor([answer])
      expect(await timed(() => rejectionOf(client.relationships.list(), isRateLimitError))).toBeLessThan(5000)
      expect(server.requests).toHaveLength(1)
    }
  })

  it('26. tells how long to wait, and for whom', async () => {
    const { client } = await clientFor([limited(3600, { global: true, message: 'slow down' })])
    expect(await rejectionOf(client.relationships.list(), isRateLimitError)).toMatchObject({
      status: 429,
      retryAfterMs: 3_600_000,
      global: true,
      serviceMessage: 'slow down',
    })
  })

  it('26. waits at most twice', async () => {
    const { server, client } = await clientFor([limited(0.05), limited(0.05), limited(0.05)])
    const error = await rejectionOf(client.relationships.list(), isRateLimitError)
    expect(error.retryAfterMs).toBe(50)
    expect(server.requests).toHaveLength(3)
  })

  it('26. the waits of a call are bounded together', async () => {
    const { server, client } = await clientFor([limited(0.3), limited(0.3)], { retry: { maxRateLimitWaitMs: 500 } })
    await rejectionOf(client.relationships.list(), isRateLimitError)
    expect(server.requests).toHaveLength(2)
  })

  it('26. retry 0 does not wait', async () => {
    const { server, client } = await clientFor([limited(0.05)], { retry: 0 })
    await rejectionOf(client.relationships.list(), isRateLimitError)
    expect(server.requests).toHaveLength(1)
  })

  it('26. a 429 of a proxy without a body or a header is waited out', async () => {
    const { client } = await clientFor([text(429, '<html>'), json(200, [])])
    expect(await timed(() => client.relationships.list())).toBeGreaterThan(900)
  })

  it('26. abort ends the wait with the reason of the signal', async () => {
    const { server, client } = await clientFor([limited(30)])
    const control = new AbortController()
    client.on('rateLimited', () => control.abort('enough'))
    expect(await timed(async () => reasonOf(client.relationships.list({ signal: control.signal })))).toBeLessThan(5000)
    expect(server.requests).toHaveLength(1)
  })

  it('26. siblings made by as share the wait; other endpoints go on', async () => {
    const { server, client } = await clientFor([limited(1.5), json(200, []), json(200, []), json(200, [])])
    const sibling = client.as('grace')
    const startedAt = performance.now()
    const ada = client.relationships.list()
    await vi.waitFor(() => expect(server.requests).toHaveLength(1))
    await new Promise((resolve) => setTimeout(resolve, 50))

    await sibling.friendSuggestions.list()
    expect(performance.now() - startedAt).toBeLessThan(1450)
    await sibling.relationships.list()
    expect(performance.now() - startedAt).toBeGreaterThan(1495)
    await ada

    expect(server.requests.map(({ headers }) => headers.authorization).slice(0, 2)).toEqual(['ada', 'grace'])
  })

  it('26. a global limit holds every endpoint back', async () => {
    const { server, client } = await clientFor([limited(0.4, { global: true })])
    server.otherwise(() => json(200, []))
    const startedAt = performance.now()
    const first = client.relationships.list()
    await vi.waitFor(() => expect(server.requests).toHaveLength(1))
    await new Promise((resolve) => setTimeout(resolve, 50))

    await client.friendSuggestions.list()
    await first

    expect(performance.now() - startedAt).toBeGreaterThan(395)
  })

  it('26. a call whose patience is shorter than a wait already known fails without a request', async () => {
    const { server, client } = await clientFor([limited(0.5), json(200, [])])
    const first = client.relationships.list()
    await vi.waitFor(() => expect(server.requests).toHaveLength(1))
    await new Promise((resolve) => setTimeout(resolve, 50))

    const hasty = client.relationships.list({ retry: { maxRateLimitWaitMs: 100 } })
    const error = await rejectionOf(hasty, isRateLimitError)

    expect(error.retryAfterMs).toBeGreaterThan(100)
    expect(server.requests).toHaveLength(1)
    await first
  })
})
