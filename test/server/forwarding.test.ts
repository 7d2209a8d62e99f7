import { Client, isRateLimitError } from 'rapport-sdk'
import { createSessionHandler } from 'rapport-sdk/server'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { endpoints } from '../../src/contract/index'
import { deferred } from '../deferred'
import { rejectionOf } from '../transport/rejection'
import { keys, login, ORIGIN, Page, setUp, type Upstream } from './page'

describe('what is forwarded', () => {
  test('only paths of the contract, without the handoff, which `allow` permits', async () => {
    const { page, signIn, requests, create } = setUp()
    await signIn()
    requests.length = 0
    for (const [method, path] of [
      ['GET', '/users/@me'],
      ['POST', '/auth/login/more'],
      ['GET', '/auth/login'],
      ['PUT', '/session'],
      ['GET', '/'],
      ['HEAD', '/users/@me/relationships'],
    ] as const)
      expect((await page.call(method, path, method === 'PUT' || method === 'POST' ? { body: {} } : {})).status).toBe(
        404,
      )
    for (const path of ['/auth/handoff', '/auth/handoff/exchange'])
      expect((await page.call('POST', path, { body: { key: 'k', handoff_token: 'h' } })).status).toBe(403)
    expect(requests).toEqual([])

    const allowed = new Page(create({ allow: ['Create Handoff Token'], logger: {} }))
    for (const [name, pair] of page.jar) allowed.jar.set(name, pair)
    expect((await allowed.call('POST', '/auth/handoff', { body: { key: 'k' } })).status).toBe(200)
  })

  test('each endpoint that `allow` permits is a warning of the logger, by default of the console', () => {
    const console = vi.spyOn(globalThis.console, 'warn').mockImplementation(() => {})
    onTestFinished(() => console.mockRestore())
    const warn = vi.fn<(message: string) => void>()
    const allow = ['Create Handoff Token', 'Exchange Handoff Token'] as const
    const { create } = setUp()
    create({ allow, logger: { warn } })
    expect(warn.mock.calls.flat()).toEqual(allow.map((name) => expect.stringContaining(`${name} is allowed`)))
    expect(console).not.toHaveBeenCalled()

    create({ allow: ['Create Handoff Token'], logger: undefined })

    expect(console.mock.calls).toEqual([[expect.stringMatching(/^rapport: Create Handoff Token is allowed/)]])
  })

  test.each([
    '//evil.example/x',
    '/..%2f..%2fadmin',
    '/users/%2e%2e/x',
    '/@evil.example',
    '/\\evil.example',
    '/users/@me/relationships/..;/..',
  ])('no path leads to another host or outside of the contract: %s', async (path) => {
    const { page, signIn, requests } = setUp()
    await signIn()
    requests.length = 0

    const answer = await page.call('GET', path)

    expect(answer.status).toBe(404)
    expect(requests).toEqual([])
  })

  test('a page cannot set the headers that carry a token or an address, and receives none that act in its browser', async () => {
    const seen: Headers[] = []
    const fetch: Upstream = async (url, init) => {
      seen.push(new Headers(init.headers))
      if (url.endsWith('/auth/login')) return Response.json({ user_id: '1', token: 'a-token', user_settings: {} })
      return Response.json([], {
        headers: {
          'set-cookie': 'a=b',
          authorization: 'planted',
          'service-worker-allowed': '/',
          location: 'https://evil.example',
          connection: 'x-hop',
          'x-hop': '1',
          'clear-site-data': '*',
        },
      })
    }
    const { page, signIn } = setUp({ fetch, clientAddress: () => '192.0.2.1', requestHeaders: ['X-App'] })
    await signIn()
    const headers = {
      authorization: 'planted',
      'x-service-mfa-authorization': 'planted',
      forwarded: 'for=planted',
      'x-forwarded-for': 'planted',
      'x-forwarded-host': 'planted',
      'x-real-ip': 'planted',
      'x-app': 'kept',
    }

    const answer = await page.call('GET', '/users/@me/relationships', { headers })

    const sent = Object.fromEntries(seen.at(-1) ?? [])
    expect(sent).toMatchObject({ authorization: 'a-token', 'x-app': 'kept', 'x-forwarded-for': '192.0.2.1' })
    expect(JSON.stringify(sent)).not.toContain('planted')
    expect(sent).not.toHaveProperty('cookie')
    for (const name of [
      'set-cookie',
      'location',
      'x-hop',
      'clear-site-data',
      'authorization',
      'service-worker-allowed',
    ])
      expect(answer.headers.has(name), name).toBe(false)
  })

  test('a page receives the headers that its client reads, those of `responseHeaders`, and no others of the service', async () => {
    const kept = {
      'content-type': 'application/json',
      'content-language': 'de',
      date: 'Fri, 27 Nov 2026 11:00:00 GMT',
      'retry-after': '30',
      ratelimit: '"minute";r=0;t=30',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset-after': '30',
      'x-request-id': 'req-1',
      'cf-ray': 'ray-1',
      'x-trace': 'trace-1',
    }
    const withheld = ['x-token', 'x-service-mfa-authorization', 'x-session', 'etag', 'refresh', 'x-hop', 'server']
    const headers = Object.fromEntries([...withheld.map((name) => [name, 'planted']), ...Object.entries(kept)])
    const fetch: Upstream = async () => Response.json({}, { headers: { ...headers, connection: 'x-hop' } })
    const { page } = setUp({ fetch, responseHeaders: ['X-Trace', 'x-hop'] })

    const answer = await page.call('POST', '/auth/forgot', { body: { login: 'ada@example.com' } })

    const own = ['cache-control', 'vary', 'content-security-policy', 'x-content-type-options']
    expect([...answer.headers.keys()].sort()).toEqual([...own, ...Object.keys(kept)].sort())
    expect(Object.fromEntries(answer.headers)).toMatchObject(kept)
  })

  test.each(['Set-Cookie', 'location', 'Content-Encoding', 'access-control-allow-origin', 'not a name', 5])(
    'a name of `responseHeaders` that acts in a browser, or is none, is refused: %s',
    (name) => {
      expect(() => setUp({ responseHeaders: ['x-trace', Object(name).valueOf()] })).toThrow(
        /responseHeaders: expected /,
      )
    },
  )

  test('an error of a page has the wait and the ID that the headers of the service name', async () => {
    const { service, user, page, create, upstream } = setUp()
    const headers = { 'retry-after': '7', 'x-request-id': 'req-1' }
    const fetch: Upstream = async (url, init) =>
      url.endsWith('/relationships') ? Response.json({}, { status: 429, headers }) : upstream(url, init)
    page.handler = create({ fetch })
    const client = new Client({
      ...{ baseUrl: `${ORIGIN}/rapport`, session: 'cookie', fetch: page.fetch, retry: { maxRateLimitWaitMs: 0 } },
    })
    onTestFinished(() => client.dispose())
    await client.auth.login(login)

    const error = await rejectionOf(client.relationships.list(), isRateLimitError)

    expect(error).toMatchObject({ retryAfterMs: 7_000, requestId: 'req-1' })
    expect([client.session.user?.id, service.journal.find('Login Account').length]).toEqual([user.id, 1])
  })

  test('a long answer is streamed: its first part arrives before the service has sent the rest', async () => {
    const rest = deferred<string>()
    const fetch: Upstream = async (url, init) => {
      if (!url.endsWith('/relationships')) return upstream(url, init)
      const parts = (async function* () {
        yield '[{"id":'
        yield await rest.promise
      })()
      const body = new ReadableStream<Uint8Array>({
        async pull(controller) {
          const { done, value } = await parts.next()
          if (done) controller.close()
          else controller.enqueue(new TextEncoder().encode(value))
        },
      })
      return new Response(body, { headers: { 'content-type': 'application/json' } })
    }
    const { page, create, signIn, upstream } = setUp()
    page.handler = create({ fetch })
    await signIn()

    const reader = (await page.send('GET', '/users/@me/relationships')).body?.getReader()
    const first = await reader?.read()
    rest.resolve('"1"}]')
    const second = await reader?.read()

    const parts = [first, second].map((part) => new TextDecoder().decode(part?.value))
    expect(parts).toEqual(['[{"id":', '"1"}]'])
  })

  test('headers of a connection end at the handler, also those that `Connection` names', async () => {
    const { page, signIn, requests } = setUp({ requestHeaders: ['x-app', 'x-hop'] })
    await signIn()
    const headers = {
      connection: 'x-hop, close',
      'x-hop': '1',
      te: 'trailers',
      'keep-alive': 'timeout=5',
      'x-app': '1',
    }

    await page.call('GET', '/users/@me/relationships', { headers })

    const names = [...(requests.at(-1)?.headers.keys() ?? [])]
    expect(names).toContain('x-app')
    for (const name of ['connection', 'x-hop', 'te', 'keep-alive']) expect(names).not.toContain(name)
  })

  test('the service receives the headers that a client sends by itself, those of `requestHeaders`, and no others of a page', async () => {
    const kept = {
      accept: 'application/json',
      'accept-language': 'de',
      'content-type': 'application/json',
      'user-agent': 'a browser',
      traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      tracestate: 'a=b',
      'x-fingerprint': 'a-fingerprint',
      'x-app': '1',
    }
    const withheld = [
      ...['x-client-ip', 'x-cluster-client-ip', 'client-ip', 'fastly-client-ip', 'fly-client-ip', 'x-azure-clientip'],
      ...[
        'x-vercel-forwarded-for',
        'x-original-forwarded-for',
        'x-envoy-external-address',
        'x-remote-addr',
        'x-api-key',
      ],
      ...['x-auth-token', 'x-remote-user', 'x-goog-iap-jwt-assertion', 'x-client-cert', 'x-original-host', 'baggage'],
      ...['x-rewrite-url', 'x-original-url', 'x-http-method-override', 'x-http-method', 'x-hop', 'x-mfa'],
    ]
    const headers = Object.fromEntries([...withheld.map((name) => [name, 'planted']), ...Object.entries(kept)])
    const { page, signIn, requests } = setUp({ mfaHeader: 'X-MFA', requestHeaders: ['X-App', 'x-hop', 'X-Mfa'] })
    await signIn()

    await page.call('GET', '/users/@me/relationships', { headers: { ...headers, connection: 'x-hop' } })

    const sent = Object.fromEntries(requests.at(-1)?.headers ?? [])
    expect(sent).toEqual({ ...kept, authorization: expect.any(String) })
  })

  test.each([
    ...['Cookie', 'authorization', 'X-Service-MFA-Authorization', 'x-forwarded-for', 'Forwarded', 'via', 'host'],
    ...['x-real-ip', 'client-ip', 'x-client-ip', 'x-remote-addr', 'x-original-url', 'x-rewrite-url', 'connection'],
    ...['x-http-method-override', 'content-length', 'x-rapport-user', 'not a name', 5],
  ])('a name of `requestHeaders` that says who or where somebody is, or what is called, is refused: %s', (name) => {
    expect(() => setUp({ requestHeaders: ['x-app', Object(name).valueOf()] })).toThrow(/requestHeaders: expected /)
  })

  test('a redirect of the service is not followed', async () => {
    const fetch = vi.fn<Upstream>(
      async () => new Response(null, { status: 307, headers: { location: 'https://evil.example' } }),
    )
    const { signIn } = setUp({ fetch })

    expect((await signIn()).status).toBe(502)
    expect(fetch.mock.calls[0]?.[1].redirect).toBe('manual')
  })

  test('no answer to any of the 55 calls contains a token, a verification or a ticket of the service', async () => {
    const secret = (name: string) => `planted-${name}`
    const fetch: Upstream = async (url) => {
      const body = {
        token: secret('token'),
        ticket: secret('ticket'),
        user_id: '1',
        mfa: { ticket: secret('mfa'), methods: [] },
        user: { id: '1' },
      }
      const isPlain = !/\/auth\/|\/mfa\//.test(url)
      return isPlain ? Response.json({ code: 60003, mfa: body.mfa }, { status: 401 }) : Response.json(body)
    }
    const { page, signIn } = setUp({ fetch })
    await signIn()
    for (const { endpoint } of endpoints) {
      if (endpoint.name === 'Create Handoff Token') continue
      await page.call(
        endpoint.method,
        endpoint.path.replace(/\{[^}]+\}/g, '1'),
        endpoint.method === 'GET' ? {} : { body: {} },
      )
      if (page.jar.size === 0) await signIn()
    }
    expect(page.seen.join('\n')).not.toContain('planted')
  })
})

describe('a request of another site', () => {
  test.each(['http://app.example', 'http://192.168.1.5:3000', 'https://app.example/', 'https://APP.example', 'null'])(
    'there is no insecure mode: pages of %s are refused, those of http on loopback are not',
    (origin) => {
      const start = (given: string) => () =>
        createSessionHandler({ baseUrl: 'https://service.example', keys, origin: given })
      expect(start(origin)).toThrow(
        /origin: expected an origin without a slash at its end, .*https, or http on loopback/,
      )
      expect(start('http://localhost:3000')).not.toThrow()
    },
  )

  test.each<[string, string, Record<string, string>]>([
    ['a form of another origin', 'POST', { origin: 'https://evil.example' }],
    ['a form of an opaque origin', 'POST', { origin: 'null' }],
    ['the same host with another scheme', 'POST', { origin: 'http://app.example' }],
    ['a subdomain', 'POST', { origin: 'https://www.app.example' }],
    ['the origin as a prefix', 'POST', { origin: 'https://app.example.evil.example' }],
    ['a fetch of another origin', 'GET', { origin: 'https://evil.example' }],
    ['an image', 'GET', { 'sec-fetch-site': 'cross-site' }],
    ['an image of a subdomain', 'GET', { 'sec-fetch-site': 'same-site' }],
  ])('%s is refused, also with a forged Host', async (_, method, headers) => {
    const { page, signIn, requests } = setUp()
    await signIn()
    requests.length = 0
    const path = method === 'GET' ? '/users/@me/relationships' : '/auth/logout'

    const answer = await page.call(method, path, { headers: { host: 'evil.example', ...headers } })

    expect(answer.status).toBe(403)
    expect(requests).toEqual([])
    expect(page.jar.size).toBe(1)
  })

  test('a change with neither `Origin` nor `Sec-Fetch-Site` is refused, with one of them it is not', async () => {
    const { page } = setUp()
    const send = (headers: Record<string, string>) =>
      page.handler(new Request(`${ORIGIN}/rapport/auth/logout`, { method: 'POST', headers }))

    expect((await send({})).status).toBe(403)
    expect((await send({ 'sec-fetch-site': 'none' })).status).toBe(403)
    expect((await send({ 'sec-fetch-site': 'same-origin' })).status).toBe(204)
    expect((await send({ origin: ORIGIN })).status).toBe(204)
  })
})
