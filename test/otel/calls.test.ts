import { context, createContextKey, diag, SpanStatusCode, trace } from '@opentelemetry/api'
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base'
import { Client, type ClientOptions, isMfaRequiredError, isRapportError, isRequestValidationError } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'
import { type InstrumentOptions, instrument } from 'rapport-sdk/otel'
import { expect, it, onTestFinished, vi } from 'vitest'
import { json, serve } from '../servers/http-server'
import { collect } from './telemetry'

function setUp(options: Partial<ClientOptions> = {}, telemetryOptions: InstrumentOptions = {}) {
  const service = createMockService()
  const ada = service.users.create({ login: 'ada@example.com', password: 'correct horse battery', mfa: ['totp'] })
  const token = service.token(ada)
  const client = new Client({ baseUrl: service.baseUrl, fetch: service.fetch, token, ...options })
  const telemetry = collect()
  const { tracer } = telemetry
  const stop = instrument(client, { ...telemetry.options, ...telemetryOptions })
  return { service, ada, client, telemetry, tracer, stop }
}

it('parallel calls are children of the spans that were active when each was made', async () => {
  const { client, telemetry, tracer } = setUp()
  const task = (name: string) =>
    tracer.startActiveSpan(name, async (span) => {
      await Promise.all([client.relationships.list(), client.friendSuggestions.list()])
      span.end()
    })
  await Promise.all([task('one'), task('other')])

  for (const name of ['one', 'other']) {
    const calls = telemetry.childrenOf(telemetry.named(name))
    expect(calls.map((call) => call.name).sort()).toEqual(['Get Friend Suggestions', 'Get Relationships'])
    for (const call of calls) expect(telemetry.childrenOf(call)).toHaveLength(1)
  }
})

it('the request is sent in the context of its attempt, and the rest of the caller’s context stays', async () => {
  const key = createContextKey('app')
  const seen: unknown[] = []
  const { client, telemetry } = setUp({
    fetch: async () => {
      seen.push(trace.getActiveSpan()?.spanContext().spanId, context.active().getValue(key))
      return new Response('[]', { headers: { 'content-type': 'application/json' } })
    },
  })
  await context.with(context.active().setValue(key, 'value'), () => client.relationships.list())
  expect(seen).toEqual([telemetry.named('GET /users/@me/relationships').spanContext().spanId, 'value'])
})

it('a client of another account is instrumented as well, and each only once', async () => {
  const { client, service, telemetry, tracer } = setUp()
  const grace = client.as(service.token(service.users.create({ login: 'grace@example.com' })))
  await grace.relationships.list()
  expect(telemetry.spans()).toHaveLength(2)
  expect(() => instrument(grace, { tracer })).toThrow(expect.toSatisfy(isRapportError))
})

it('a client can be instrumented through a proxy, and again after it was removed', async () => {
  const { client, telemetry, tracer, stop } = setUp()
  stop()
  await client.relationships.list()
  expect(telemetry.spans()).toEqual([])
  instrument(new Proxy(client, {}), { tracer })
  // The first function removes only what it has added.
  stop()
  await client.relationships.list()
  expect(telemetry.spans()).toHaveLength(2)
})

it('calls that wait for one prompt have one event `elevated` each, and so has a verification that the app makes', async () => {
  const { client, service, ada, telemetry } = setUp({
    onMfaRequired: () => ({ type: 'totp', code: service.users.totp(ada) }),
  })
  const logout = (each: Pick<Client, 'auth'>) => each.auth.sessions.logout({ session_id_hashes: ['unknown'] })
  await Promise.all([client, client.as(client.session.token ?? '')].map(logout))
  const token = service.token(ada)
  const [error] = await Promise.allSettled([
    client.auth.sessions.logout({ session_id_hashes: ['unknown'] }, { token, onMfaRequired: false }),
  ])
  const { challenge } = error.status === 'rejected' && isMfaRequiredError(error.reason) ? error.reason : {}
  await challenge?.verify({ type: 'totp', code: service.users.totp(ada) })

  const eventsOf = (name: string) =>
    telemetry.spans().flatMap((span) => (span.name === name ? [span.events.map((event) => event.name)] : []))
  const steppedUp = ['mfa_required', 'elevated']
  expect(eventsOf('Logout Auth Sessions')).toEqual([steppedUp, steppedUp, ['mfa_required']])
  expect(eventsOf('Verify MFA')).toEqual([[], []])
})

it('a request that the app aborts, also by dispose, has a span without an error', async () => {
  const { client, telemetry } = setUp()
  const control = new AbortController()
  client.on('request', () => (control.signal.aborted ? client.dispose() : control.abort()))
  await client.relationships.list({ signal: control.signal }).catch(() => {})
  await client.relationships.list().catch(() => {})
  const seen = telemetry.spans().map(({ status, attributes }) => [status.code, attributes['error.type']])
  const attempt = [SpanStatusCode.UNSET, 'AbortError']
  expect(seen).toEqual([attempt, attempt, attempt, [SpanStatusCode.UNSET, 'RapportError']])
})

const fail = () => {
  throw new Error('broken telemetry')
}
const processor = { onStart() {}, onEnd() {}, forceFlush: async () => {}, shutdown: async () => {} }
const tracerWith = (hook: object) =>
  new BasicTracerProvider({ spanProcessors: [{ ...processor, ...hook }] }).getTracer('test')

it.each<[string, () => object]>([
  ['span processor whose onStart', () => ({ tracer: tracerWith({ onStart: fail }) })],
  ['span processor whose onEnd', () => ({ tracer: tracerWith({ onEnd: fail }) })],
  ['meter whose instruments', () => ({ meter: new Proxy({}, { get: () => () => ({ record: fail, add: fail }) }) })],
])('a %s throws does not affect calls, and is reported once', async (_, create) => {
  const report = vi.fn()
  diag.setLogger({ error: report, warn() {}, info() {}, debug() {}, verbose() {} })
  onTestFinished(() => diag.disable())
  let requests = 0
  const fetch = async () => (requests++ === 0 ? new Response('', { status: 502 }) : new Response('[]'))
  const { client, stop } = setUp({ fetch }, create())
  expect(await client.relationships.list()).toEqual([])
  stop()
  expect(requests).toBe(2)
  expect(report).toHaveBeenCalledTimes(1)
})

it('removing it ends the spans of calls in flight, which go on', async () => {
  let respond = () => {}
  const waiting = new Promise<void>((resolve) => {
    respond = resolve
  })
  let sent = () => {}
  const isSent = new Promise<void>((resolve) => {
    sent = resolve
  })
  const { client, telemetry, stop } = setUp({
    fetch: async () => {
      sent()
      await waiting
      return new Response('[]')
    },
  })
  const list = client.relationships.list()
  await isSent
  stop()
  expect(telemetry.spans().map(({ name }) => name)).toEqual(['GET /users/@me/relationships', 'Get Relationships'])
  respond()
  expect(await list).toEqual([])
  expect(telemetry.spans()).toHaveLength(2)
})

it.each([undefined, {}, { relationships: {} }])('instrument() refuses %j, which is not a client', (value) => {
  expect(() => instrument(value as Client)).toThrow(expect.toSatisfy(isRequestValidationError))
})

it('instrument() names each option that is invalid', () => {
  const { client, stop } = setUp()
  stop()
  const options = { tracer: 'tracer', propagate: 'yes', propagates: true } as object
  expect(() => instrument(client, options)).toThrow(/tracer.*propagate.*propagates/s)
})

it.each([
  ['/channels/{channel.id}/messages', { 'channel.id': '4815162342' }, 'GET /channels/{channel.id}/messages'],
  ['/channels/4815162342/messages', {}, 'GET'],
])(
  'the template of a custom request to %s is the one of the app, if it has parameters',
  async (path, pathParams, name) => {
    const { client, telemetry } = setUp({ fetch: async () => new Response('{}') })
    await client.request({ path, pathParams, query: { before: '2342' } })
    await client.request({ path: `${path}?secret=4815162342`, pathParams }).catch(() => {})
    const attempt = telemetry.named(name)
    const [, call] = telemetry.spans()
    for (const span of [attempt, call])
      expect([span?.attributes['http.request.method'], span?.attributes['url.template']]).toEqual([
        'GET',
        name === 'GET' ? undefined : path,
      ])
    expect(telemetry.spans().map((span) => span.name)).toEqual([name, 'request', 'request'])
    expect(await telemetry.dump()).not.toContain('2342')
  },
)

it('no span or metric contains a secret, an ID, a body or what an error says', async () => {
  const secrets = ['planted-token', 'planted-password', '246810', 'planted-message', '4815162342', 'ada@example.com']
  const server = await serve(
    json(400, { code: 1, message: 'planted-message', errors: { 'planted-message': 'planted-token' } }),
    json(200, [{ id: '4815162342', type: 'planted-message' }]),
    json(401, { message: 'planted-message', code: 0 }),
    json(200, { user_id: '4815162342', mfa: true, ticket: 'planted-token', totp: true }),
    json(400, { code: 60008, message: 'planted-message' }),
    json(400, { code: 60008, message: 'planted-message' }),
    json(400, { code: 60008, message: 'planted-message' }),
    json(200, []),
  )
  const { client, telemetry } = setUp({ baseUrl: server.url, fetch: globalThis.fetch, token: 'planted-token' })
  const reason = Object.assign(new Error('planted-message'), {
    name: 'planted-message 4815162342',
    code: 'planted message',
  })
  const fails = (promise: Promise<unknown>) => promise.catch(() => {})
  await fails(client.relationships.delete('4815162342'))
  await fails(client.relationships.list())
  await fails(client.widgetConfigs.list('4815162342'))
  const credentials = { login: 'ada@example.com', password: 'planted-password' }
  await fails(client.auth.login(credentials, { onMfaRequired: () => ({ type: 'totp', code: '246810' }), retry: 0 }))
  await fails(client.relationships.list({ signal: AbortSignal.abort(reason) }))
  await fails(client.relationships.list({ token: 'planted-token', headers: { 'x-planted-message': '246810' } }))

  expect(telemetry.spans().length).toBeGreaterThan(8)
  const dump = await telemetry.dump()
  for (const secret of secrets) expect(dump).not.toContain(secret)
})

it('without `propagate`, no header is added; with it, the trace context is sent without baggage', async () => {
  const headers: Record<string, string>[] = []
  const fetch: ClientOptions['fetch'] = async (_, init) => {
    headers.push({ ...init.headers })
    return new Response('[]')
  }
  const { client, telemetry, tracer, stop } = setUp({ fetch })
  await client.relationships.list()
  stop()
  instrument(client, { tracer, propagate: true })
  await client.relationships.list()

  const [plain = {}, traced = {}] = headers
  const { traceparent, ...rest } = traced
  expect(rest).toEqual(plain)
  const { traceId, spanId } = telemetry.spans()[2]?.spanContext() ?? {}
  expect(traceparent).toBe(`00-${traceId}-${spanId}-01`)
})

it('an attempt that is not sampled is propagated as such, and one without a tracer provider is not', async () => {
  const headers: (string | undefined)[] = []
  const fetch: ClientOptions['fetch'] = async (_, init) => {
    headers.push(init.headers.traceparent)
    return new Response('[]')
  }
  const { client, stop } = setUp({ fetch })
  stop()
  instrument(client, { propagate: true })
  await client.relationships.list()
  expect(headers).toEqual([undefined])
})
