import { Client, type ClientOptions, isRateLimitError } from 'rapport-sdk'
import { beforeEach, expect, it, vi } from 'vitest'
import { rejectionOf } from './rejection'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))

/** A client of a service that a test answers for, request by request, and the channels of the requests so far. */
function setUp(options: Partial<ClientOptions> = {}) {
  const sent: string[] = []
  const waiting: ((response: Response) => void)[] = []
  const fetch = (url: string) => {
    sent.push(url.split('/').at(-1) ?? '')
    return new Promise<Response>((resolve) => waiting.push(resolve))
  }
  const client = new Client({ baseUrl: 'https://service.example', token: 'ada', fetch, ...options })
  const send = (channel = '1') => client.request({ path: '/channels/{id}', pathParams: { id: channel } })
  const advance = (ms = 0) => vi.advanceTimersByTimeAsync(ms)
  /** Answers the oldest request. */
  const answer = async (status: number, headers = {}) => {
    waiting.shift()?.(Response.json({}, { status, headers }))
    await advance()
  }
  const refuse = (seconds: number) => answer(429, { 'retry-after': String(seconds) })
  return { client, send, sent, advance, answer, refuse }
}

it('a call that comes after the end of a limit waits for those in flight', async () => {
  const { send, sent, advance, answer, refuse } = setUp({ maxConcurrency: 1 })
  const calls = [send()]
  await advance()
  await refuse(1)
  await advance(1500)
  expect(sent).toHaveLength(2)

  calls.push(send())
  await advance(500)
  expect(sent).toHaveLength(2)

  await answer(200)
  expect(sent).toHaveLength(3)
  await answer(200)
  await Promise.all(calls)
})

it('a call that comes after the end of a limit leaves after those that wait for a request in flight', async () => {
  const { send, sent, advance, answer, refuse } = setUp()
  const order: string[] = []
  const calls = [send().then(() => order.push('first'))]
  await advance()
  calls.push(send('2').then(() => order.push('other path')))
  await advance()
  await refuse(1)
  await advance(1500)

  calls.push(send().then(() => order.push('late')))
  await advance(1000)
  for (let left = 3; left > 0; left--) await answer(200)
  await advance(5000)
  await Promise.all(calls)

  expect(order).toEqual(['other path', 'first', 'late'])
  expect(sent).toEqual(['1', '2', '1', '1'])
})

it('one call of a path that was refused leaves first, whatever other paths of its template have shown', async () => {
  const { send, sent, advance, answer, refuse } = setUp()
  const calls = [send()]
  await advance()
  await refuse(1)
  calls.push(send(), send(), send('2'), send('3'))
  await advance()
  await answer(200)
  await answer(200)
  expect(sent).toEqual(['1', '2', '3'])

  await advance(1500)
  expect(sent).toEqual(['1', '2', '3', '1'])
  await answer(200)
  expect(sent.length).toBeGreaterThan(4)
  await answer(200)
  await answer(200)
  await Promise.all(calls)
})

it('other paths of a template leave together once two have succeeded', async () => {
  const { client, send, sent, advance, answer, refuse } = setUp()
  const refused = rejectionOf(client.request({ path: '/channels/{id}', pathParams: { id: '1' } }), isRateLimitError)
  await advance()
  await refuse(3600)
  await refused
  const calls = ['2', '3', '4', '5', '6'].map((channel) => send(channel))
  await advance()
  await answer(200)
  expect(sent).toEqual(['1', '2', '3'])
  await answer(200)
  expect(sent).toEqual(['1', '2', '3', '4', '5', '6'])
  for (let left = 3; left > 0; left--) await answer(200)
  await Promise.all(calls)
})

it('calls leave together in a window in which as many succeeded before', async () => {
  const { send, sent, advance, answer, refuse } = setUp()
  const calls = Array.from({ length: 12 }, () => send())
  await advance()
  for (let left = 6; left > 0; left--) await answer(200)
  for (let left = 6; left > 0; left--) await refuse(1)
  const before = sent.length
  await advance(1500)
  // The first answers of a window show whether more may follow.
  const inFlight: number[] = []
  for (let answered = 0; answered < 6; answered++) {
    inFlight.push(sent.length - before - answered)
    await answer(200)
  }
  await Promise.all(calls)
  expect(inFlight).toEqual([1, 1, 1, 2, 2, 1])
})

it('no more requests leave than a header permits, also before any is refused', async () => {
  const { send, sent, advance, answer } = setUp()
  const remain = (remaining: number) =>
    answer(200, { 'x-ratelimit-remaining': String(remaining), 'x-ratelimit-reset-after': '1' })
  const first = send()
  await advance()
  await remain(2)
  await first
  const calls = Array.from({ length: 5 }, () => send())
  await advance()
  expect(sent).toHaveLength(3)
  await remain(1)
  await remain(0)
  await advance(900)
  expect(sent).toHaveLength(3)

  await advance(200)
  expect(sent).toHaveLength(4)
  await remain(2)
  expect(sent).toHaveLength(6)
  await answer(200)
  await answer(200)
  await Promise.all(calls)
})

it('a header that permits more after its window has ended is believed, with requests in flight', async () => {
  const { send, sent, advance, answer } = setUp({ maxConcurrency: 5 })
  const remain = (remaining: number) =>
    answer(200, { 'x-ratelimit-remaining': String(remaining), 'x-ratelimit-reset-after': '1' })
  const calls = [send(), send()]
  await advance()
  await remain(1)
  await advance(1500)
  await remain(8)
  calls.push(...Array.from({ length: 4 }, () => send()))
  await advance()
  expect(sent).toHaveLength(6)
  for (let left = 4; left > 0; left--) await answer(200)
  await Promise.all(calls)
})

it('a stream that is refused with 429 is not sent again', async () => {
  const { client, sent, advance, refuse } = setUp()
  const body = new ReadableStream({ start: (controller) => controller.close() })
  const call = rejectionOf(client.request({ method: 'PUT', path: '/files', body }), isRateLimitError)
  await advance()
  await refuse(1)
  await advance(5000)
  expect((await call).retryAfterMs).toBe(1000)
  expect(sent).toHaveLength(1)
})

it('other paths of a template leave one at a time again after another refusal', async () => {
  const { client, send, sent, advance, answer, refuse } = setUp()
  const refused = async (channel: string) => {
    const call = client.request({ path: '/channels/{id}', pathParams: { id: channel } })
    const rejected = rejectionOf(call, isRateLimitError)
    await advance()
    await refuse(3600)
    await rejected
  }
  await refused('1')
  const proofs = [send('2'), send('3')]
  await advance()
  await answer(200)
  await answer(200)
  await refused('4')
  const before = sent.length
  const calls = ['5', '6', '7'].map((channel) => send(channel))
  await advance()
  expect(sent.length - before).toBe(1)
  for (let left = 3; left > 0; left--) await answer(200)
  await Promise.all([...proofs, ...calls])
})

it('more calls leave together with each window, if the first call was refused', async () => {
  const { send, sent, advance, answer, refuse } = setUp()
  const first = send()
  await advance()
  await refuse(1)
  const calls = Array.from({ length: 30 }, () => send())
  await advance(1500)
  const inFlight: number[] = []
  for (let answered = 1; answered < 32; answered++) {
    inFlight.push(sent.length - answered)
    await answer(200)
  }
  await Promise.all([first, ...calls])
  expect(Math.max(...inFlight)).toBeGreaterThan(1)
})

it.each([1, 2, 3, 4, 5, 6])(
  '60 calls to 60 paths all succeed if the service accepts one in each fifth of a second: seed %i',
  async (seed) => {
    let random = seed
    const latency = () => {
      random = (random * 1664525 + 1013904223) % 2 ** 32
      return new Promise((resolve) => setTimeout(resolve, 5 + (60 * random) / 2 ** 32))
    }
    let [tokens, filledAt, requests] = [5, 0, 0]
    const fetch = async () => {
      requests++
      await latency()
      const now = performance.now()
      tokens = Math.min(5, tokens + (now - filledAt) / 200)
      filledAt = now
      const isAccepted = tokens >= 1
      if (isAccepted) tokens--
      const headers = { 'retry-after': String((1 - tokens) / 5) }
      await latency()
      return Response.json([], isAccepted ? {} : { status: 429, headers })
    }
    const client = new Client({ baseUrl: 'https://service.example', token: 'ada', fetch })
    const calls = Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        await new Promise((resolve) => setTimeout(resolve, 20 * index))
        return client.request({ path: '/channels/{id}', pathParams: { id: String(index) } })
      }),
    )
    let isDone = false
    const done = calls.finally(() => {
      isDone = true
    })
    while (!isDone) await vi.advanceTimersByTimeAsync(20)
    expect(await done).toHaveLength(60)
    expect(requests).toBeLessThanOrEqual(120)
  },
)

it('a shorter limit does not shorten a longer one', async () => {
  const { client, send, sent, advance, refuse } = setUp({ retry: 0 })
  const calls = [send(), send()].map((call) => rejectionOf(call, isRateLimitError))
  await advance()
  await refuse(3600)
  await refuse(1)
  await Promise.all(calls)
  await advance(2000)
  const { retryAfterMs } = await rejectionOf(send(), isRateLimitError)
  expect(retryAfterMs).toBeGreaterThan(3_000_000)
  expect(sent).toHaveLength(2)
  client.dispose()
})

it('a global limit rejects the calls of other paths that wait and cannot wait that long', async () => {
  const { send, sent, advance, answer } = setUp({ maxConcurrency: 1 })
  const calls = [send('1'), send('2')]
  const waiting = rejectionOf(send('2'), isRateLimitError)
  await advance()
  const refused = rejectionOf(Promise.resolve(calls[0]), isRateLimitError)
  await answer(429, { 'retry-after': '3600', 'x-ratelimit-global': 'true' })
  expect((await waiting).global).toBe(true)
  await refused
  await answer(200)
  await calls[1]
  expect(sent).toEqual(['1', '2'])
})
