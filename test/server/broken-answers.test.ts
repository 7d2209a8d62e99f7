import { getEventListeners } from 'node:events'
import { expect, test, vi } from 'vitest'
import { deferred } from '../deferred'
import { login, ORIGIN, Page, setUp, type Upstream } from './page'

const TOKEN = 'planted-token-0123456789'
const content = { token: TOKEN, user_id: '1', user_settings: { locale: 'en-US', theme: 'dark' } }
const json = JSON.stringify(content)
const bodies: [string, string | Uint8Array<ArrayBuffer>][] = [
  ['is followed by a comment', `${json}\n<!-- served by node 7 -->`],
  ['is followed by another one', json + json],
  ['is cut', json.slice(0, -5)],
  ['is in another object', JSON.stringify({ data: content })],
  ['is in an array', JSON.stringify([content])],
  ['spells the token differently', JSON.stringify({ Token: TOKEN, user_id: '1' })],
  ['is in UTF-16', new Uint8Array(Buffer.from(json, 'utf16le'))],
  ['has an object as token', JSON.stringify({ token: { token: TOKEN }, user_id: '1' })],
  ['has an empty token', JSON.stringify({ ...content, token: '', echo: TOKEN })],
  ['has a token that no header can have', JSON.stringify({ ...content, token: `a\r\n${TOKEN}` })],
  ['is empty', ''],
  ['is a page', `<h1>${TOKEN}</h1>`],
]

/** A page whose service gives an answer of the test, and what the logger of the handler receives. */
function withAnswer(answer: Upstream, options: Parameters<typeof setUp>[0] = {}) {
  const logger = { warn: vi.fn<(message: string, details?: unknown) => void>() }
  return { ...setUp({ fetch: answer, logger, ...options }), logs: () => JSON.stringify(logger.warn.mock.calls), logger }
}

test.each(bodies)(
  'an answer to a sign-in whose JSON %s is no sign-in, and nothing of it reaches the page',
  async (_, body) => {
    const { page, signIn, logger, logs } = withAnswer(async () => new Response(body))

    const { status, text } = await signIn()

    expect([status, page.jar.size]).toEqual([502, 0])
    expect(text + logs()).not.toContain('planted')
    expect((await page.call('GET', '/session')).json.status).toBe('signedOut')
    expect(logger.warn.mock.calls).toEqual([
      [expect.stringMatching(/^rapport: POST \/rapport\/auth\/login: .*match the API\./), { status: 502, cause: '' }],
    ])
  },
)

test('an answer of the mock to a sign-in whose JSON is malformed is no sign-in', async () => {
  const { page, signIn, service } = setUp({ logger: {} })
  service.faults.on('Login Account', { malformedJson: true })

  const { status, text } = await signIn()

  expect([status, page.jar.size]).toEqual([502, 0])
  expect(text).not.toContain('"token"')
})

test.each(bodies)(
  'an answer to a verification whose JSON %s is none, and nothing of it reaches the page',
  async (_, body) => {
    const { page, signIn, create, upstream } = setUp({ logger: {} })
    page.handler = create({
      fetch: async (url, init) => (/finish$/.test(url) ? new Response(body) : upstream(url, init)),
    })
    await signIn()

    const answer = await page.call('POST', '/mfa/finish', { body: { ticket: 't', mfa_type: 'totp', data: '123456' } })

    expect([answer.status, page.jar.size]).toEqual([502, 1])
    expect(answer.text).not.toContain('planted')
  },
)

test.each([401, 403, 503])(
  'a failure of status %i that is no JSON object keeps its status, and nothing of its body reaches the page',
  async (status) => {
    const text = '{"code":60003,"message":"mfa","mfa":{"ticket":"planted-ticket","methods":[]}} ;'
    const { page, signIn, create, upstream } = setUp()
    const headers = { 'retry-after': '7' }
    const fetch: Upstream = async (url, init) =>
      /relationships$/.test(url) ? new Response(text, { status, headers }) : upstream(url, init)
    page.handler = create({ fetch })
    await signIn()

    const answer = await page.call('GET', '/users/@me/relationships')

    expect([answer.status, answer.headers.get('retry-after')]).toEqual([status, '7'])
    expect(answer.text).not.toContain('planted')
    expect(answer.json).toMatchObject({ code: 0, message: expect.any(String) })
  },
)

test('a sign-in that waits for a second factor has no token, also if the service sends one', async () => {
  const { page, signIn } = withAnswer(async () => Response.json({ ...content, mfa: true, ticket: 'planted-ticket' }))

  const { status, text, json } = await signIn()

  expect([status, json.mfa, page.jar.size]).toEqual([200, true, 0])
  expect(text).not.toContain('planted')
})

test('tokens and tickets of the session in other members of an answer, or in an error, are taken out or sealed', async () => {
  const fetch: Upstream = async (url) => {
    if (/\/auth\/login$/.test(url))
      return Response.json({
        ...content,
        echo: [`Bearer ${TOKEN}`],
        access_token: 'planted-other',
        deep: { token: 'planted' },
      })
    const error = { code: 60003, mfa: { ticket: 'planted-ticket' } }
    return Response.json({ message: `bad token ${TOKEN}`, error, errors: { token: { _errors: [] } } }, { status: 500 })
  }
  const { page, signIn } = withAnswer(fetch)

  const first = await signIn()
  const { json } = await page.call('GET', '/users/@me/relationships')

  expect(first.json).toMatchObject({ user_id: '1', echo: ['Bearer [redacted]'] })
  expect(json).toMatchObject({ message: 'bad token [redacted]', errors: { token: { _errors: [] } } })
  expect(json.error.mfa.ticket).toMatch(/^k1\./)
  expect(page.seen.join('\n')).not.toContain('planted')
})

/** A body that begins and never ends. `ended` resolves when nobody reads it any more. */
function endlessBody(chunk: Uint8Array<ArrayBuffer>, isFast: boolean) {
  const ended = deferred<undefined>()
  let count = 0
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      if (isFast || count === 0) controller.enqueue(chunk)
      count++
      return isFast ? undefined : new Promise(() => {})
    },
    cancel: () => ended.resolve(undefined),
  })
  return { body, ended: ended.promise, count: () => count }
}

test('an answer to a sign-in that does not end in time is 504, and is read no longer', async () => {
  const endless = endlessBody(new TextEncoder().encode('{"token":"planted'), false)
  const { signIn, page, logger, logs } = withAnswer(async () => new Response(endless.body), { timeout: 50 })

  const { status, text } = await signIn()
  await endless.ended

  expect([status, page.jar.size]).toEqual([504, 0])
  expect(text + logs()).not.toContain('planted')
  expect(logger.warn.mock.calls).toMatchObject([[expect.any(String), { status: 504 }]])
})

test('an answer to a sign-in that is too large is 502, and is read no further', async () => {
  const endless = endlessBody(new Uint8Array(1 << 20).fill(32), true)
  const { signIn } = withAnswer(async () => new Response(endless.body))

  expect((await signIn()).status).toBe(502)
  await endless.ended
  expect(endless.count()).toBeLessThan(12)
})

test('an answer to a sign-in that breaks off is 502, which the logger is told with its cause', async () => {
  const body = new ReadableStream({
    start: (controller) => controller.error(Object.assign(new Error('planted'), { code: 'ECONNRESET' })),
  })
  const { signIn, logger, logs } = withAnswer(async () => new Response(body))

  expect((await signIn()).status).toBe(502)
  expect(logger.warn.mock.calls).toMatchObject([[expect.any(String), { cause: expect.stringContaining('ECONNRESET') }]])
  expect(logs()).not.toContain('planted')
})

test('an answer to a sign-in is read no longer when the browser leaves, which is no warning', async () => {
  const endless = endlessBody(new TextEncoder().encode('{'), false)
  const begun = deferred<undefined>()
  const { create, logger } = withAnswer(async () => {
    begun.resolve(undefined)
    return new Response(endless.body)
  })
  const browser = new AbortController()
  const init = { method: 'POST', headers: { origin: ORIGIN }, body: JSON.stringify(login), signal: browser.signal }
  const request = new Request(`${ORIGIN}/rapport/auth/login`, init)
  const answer = create()(request)
  await begun.promise
  await new Promise(setImmediate)
  browser.abort()
  await endless.ended

  expect((await answer).status).toBe(504)
  expect(logger.warn).not.toHaveBeenCalled()
  expect(getEventListeners(request.signal, 'abort')).toEqual([])
})

test.each<[string, Upstream, number]>([
  ['cannot be reached', () => Promise.reject(Object.assign(new TypeError('planted'), { code: 'ECONNREFUSED' })), 502],
  ['redirects', async () => new Response(null, { status: 307, headers: { location: 'https://planted.example' } }), 502],
  [
    'does not respond',
    (_, { signal }) =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(new Error('planted')))),
    504,
  ],
  ['does not respond to a fetch that ignores its signal', () => new Promise(() => {}), 504],
])('while the service %s, the logger is told once, without a secret', async (_, fetch, status) => {
  const { signIn, logger, logs } = withAnswer(fetch, { timeout: 50 })

  expect((await signIn()).status).toBe(status)

  expect(logger.warn.mock.calls).toMatchObject([[expect.stringContaining('POST /rapport/auth/login'), { status }]])
  expect(logs()).not.toMatch(new RegExp(`planted|${login.password}`))
})

test('an exception of an option is 500, which the logger is told, and what the service answers itself is no warning', async () => {
  const { page, signIn, create, logger, service } = withAnswer(async () => Response.json({}))
  page.handler = create({
    fetch: (url, init) => service.fetch(url, init),
    clientAddress: () => {
      throw new RangeError('planted')
    },
  })

  expect((await signIn()).status).toBe(500)
  expect(logger.warn.mock.calls).toEqual([[expect.any(String), { status: 500, cause: 'RangeError' }]])
  const other = new Page(create({ fetch: async () => Response.json({ message: 'down' }, { status: 503 }) }))
  expect((await other.call('POST', '/auth/login', { body: login })).json).toEqual({ message: 'down' })
  expect(logger.warn).toHaveBeenCalledTimes(1)
})
