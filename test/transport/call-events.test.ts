import { readFileSync } from 'node:fs'
import { Client, type ClientEvents, type ClientOptions, type MfaHandler } from 'rapport-sdk'
import { createClient, relationships } from 'rapport-sdk/core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Events } from '../../src/transport/events'
import {
  json,
  mfaRequired,
  noResponse,
  type Responder,
  redirect,
  resetConnection,
  resetDuringBody,
  serve,
  text,
} from '../servers/http-server'
import { reasonOf } from './rejection'

type Name = keyof ClientEvents
/** Any event, with the fields of all. */
type Recorded = { readonly name: Name } & Partial<ClientEvents['callEnd'] & ClientEvents['requestFailed']> & {
    readonly reason?: number | string
    readonly waitMs?: number
  }

const NAMES = [
  ...(['request', 'response', 'requestFailed', 'retry', 'rateLimited', 'callEnd'] as const),
  ...(['mfaRequired', 'elevated', 'unauthorized', 'responseMismatch'] as const),
]

function record(client: Pick<Client, 'on'>): Recorded[] {
  const events: Recorded[] = []
  for (const name of NAMES) client.on(name, (event: object) => events.push({ name, ...event }))
  return events
}

interface Scenario {
  readonly title: string
  readonly responders?: readonly Responder[]
  readonly options?: Partial<ClientOptions>
  readonly run?: (client: Client, events: Recorded[]) => Promise<unknown>
}

const list = (client: Client) => client.relationships.list()
const answer: MfaHandler = () => ({ type: 'totp', code: '123456' })
const down = json(502, {})
const limited = json(429, { retry_after: 0.01 })
const pendingLogin = json(200, { user_id: '1', mfa: true, ticket: 'ticket', totp: true })
const login = (client: Client) => client.auth.login({ login: 'ada@example.test', password: 'correct horse' })

/** Aborts a call at its first event of this name. */
const abortAt = (name: Name) => async (client: Client) => {
  const control = new AbortController()
  client.on(name, () => control.abort())
  await client.relationships.list({ signal: control.signal })
}

const SCENARIOS: readonly Scenario[] = [
  { title: 'success', responders: [json(200, [])] },
  { title: '404', responders: [json(404, {})] },
  { title: '502, then 200', responders: [down, json(200, [])] },
  { title: 'outage: no response', responders: [resetConnection, resetConnection, resetConnection] },
  { title: 'outage: 502', responders: [down, down, down] },
  { title: 'a body that breaks off, then 200', responders: [resetDuringBody, json(200, [])] },
  { title: 'a success that is not JSON', responders: [text(200, '<html>')] },
  {
    title: 'a success that does not match, with `throw`',
    responders: [json(200, [{ id: 5 }])],
    options: { onResponseMismatch: 'throw' },
  },
  { title: 'a redirect', responders: [redirect(307, '/elsewhere')], options: { retry: 0 } },
  { title: '`timeout` before the response', responders: [noResponse], options: { timeout: 50 } },
  { title: '`timeout` in the body', options: { timeout: 100, fetch: async () => new Response(new ReadableStream()) } },
  {
    title: '`deadline` in a wait for a retry',
    options: { deadline: 200, fetch: async () => new Response('', { status: 502 }) },
    run: async (client) => {
      vi.spyOn(Math, 'random').mockReturnValue(100)
      await list(client)
    },
  },
  { title: 'abort of a request', responders: [noResponse], run: abortAt('request') },
  { title: 'abort of a wait', responders: [down], run: abortAt('retry') },
  { title: 'abort before the call', run: (client) => client.relationships.list({ signal: AbortSignal.abort() }) },
  { title: '429, then 200', responders: [limited, json(200, [])] },
  { title: '429 with a wait that is too long', responders: [json(429, { retry_after: 3600 })] },
  { title: 'invalid arguments', run: (client) => client.relationships.accept('no snowflake') },
  { title: 'invalid options', run: (client) => client.relationships.list({ timeout: -1 }) },
  {
    title: 'a client that is disposed during the request',
    responders: [noResponse],
    run: async (client) => {
      client.on('request', () => client.dispose())
      await list(client)
    },
  },
  {
    title: 'a token store that fails',
    options: {
      token: undefined,
      tokenStore: {
        get: () => {
          throw new Error('no disk')
        },
        set: () => {},
      },
    },
  },
  {
    title: 'a second factor (step-up)',
    responders: [mfaRequired(), json(200, { token: 'jwt' }), json(200, [])],
    options: { onMfaRequired: answer },
  },
  { title: 'a prompt that is cancelled', responders: [mfaRequired()], options: { onMfaRequired: () => null } },
  { title: 'a second factor without a handler', responders: [mfaRequired()] },
  {
    title: 'sign-in with a second factor',
    responders: [pendingLogin, json(200, { token: 'jwt', user_settings: { locale: 'en', theme: 'dark' } })],
    options: { token: undefined, onMfaRequired: answer },
    run: login,
  },
  {
    title: 'sign-in whose prompt is cancelled',
    responders: [pendingLogin],
    options: { token: undefined, onMfaRequired: () => null },
    run: login,
  },
]

/** Returns the row of a scenario: what happens, its events, and what the last `callEnd` shows. */
async function rowOf({ title, responders = [], options, run = list }: Scenario): Promise<string[]> {
  const server = await serve(...responders)
  const client = new Client({ baseUrl: server.url, token: 'ada', ...options })
  const events = record(client)
  await run(client, events).catch(() => {})
  client.dispose()
  const [first] = events
  const names = events.map(({ name, callId, endpoint }) =>
    callId === undefined || callId === first?.callId || name !== 'callEnd'
      ? `\`${name}\``
      : `\`callEnd\` of ${endpoint}`,
  )
  const end = events.findLast(({ name }) => name === 'callEnd')
  const { outcome = '', errorName = '', status = '', attempts = '' } = end ?? {}
  return [title, names.join(', '), outcome, errorName, String(status), String(attempts)]
}

/** Lets the clock of events jump. Returns a function that moves it on by milliseconds. */
function controlClock(): (ms: number) => void {
  let skippedMs = 0
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + skippedMs)
  return (ms) => {
    skippedMs += ms
  }
}

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0)
})

afterEach(() => {
  vi.restoreAllMocks()
})

describe('the events of a call', () => {
  it('the guide "Requests" shows which events each outcome of a call has', async () => {
    const rows: string[][] = []
    for (const scenario of SCENARIOS) rows.push(await rowOf(scenario))
    const header = ['what happens', 'events', '`outcome`', '`errorName`', '`status`', '`attempts`']
    const lines = [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
    const guide = readFileSync('docs/guides/requests.md', 'utf8')
    const shown = guide.split('\n').filter((line) => line.startsWith('|') && line.split('|').length === 8)
    expect(shown).toEqual(lines)
  })

  it.each<[string, (baseUrl: string) => Client | Pick<Client, 'on' | 'relationships'>]>([
    ['Client', (baseUrl) => new Client({ baseUrl, token: 'ada' })],
    ['createClient', (baseUrl) => createClient({ baseUrl, token: 'ada' }, { relationships }) as unknown as Client],
  ])('retry says how long the call waits, Retry-After included, in %s', async (_, create) => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5)
    const server = await serve(text(503, '', { 'retry-after': '0.2' }), resetConnection, json(200, []))
    const client = create(server.url)
    const events = record(client)
    await client.relationships.list()
    const waits = events.filter(({ name }) => name === 'retry')
    expect(waits).toMatchObject([
      { attempt: 1, reason: 503, waitMs: 350 },
      { attempt: 2, reason: 'TypeError', waitMs: 300 },
    ])
    const { waitedMs = 0, durationMs = 0 } = events.at(-1) ?? {}
    // Timers of a busy process fire early.
    expect(waitedMs).toBeGreaterThan(350)
    expect(waitedMs).toBeLessThanOrEqual(durationMs)
  })

  it('requestFailed has the code of a connection that the service closes, and the status of a body that breaks off', async () => {
    const server = await serve(resetConnection, resetDuringBody, json(200, []))
    const client = new Client({ baseUrl: server.url, token: 'ada' })
    const events = record(client)
    await client.relationships.list()
    expect(events.filter(({ name }) => name === 'requestFailed')).toMatchObject([
      { attempt: 1, errorName: 'TypeError', errorCode: 'UND_ERR_SOCKET', status: undefined },
      { attempt: 2, errorName: 'TypeError', status: 200 },
    ])
  })

  it('the time in the queue of a rate limit counts as waitedMs', async () => {
    const server = await serve(json(429, { retry_after: 0.3 }), json(200, []), json(200, []))
    const client = new Client({ baseUrl: server.url, token: 'ada' })
    const events = record(client)
    const first = client.relationships.list()
    await vi.waitUntil(() => events.some(({ name }) => name === 'rateLimited'))
    await Promise.all([first, client.relationships.list()])
    const [one, other] = events.filter(({ name }) => name === 'callEnd')
    expect(one?.waitedMs).toBeGreaterThan(150)
    expect(other?.waitedMs).toBeGreaterThan(50)
    expect(other).toMatchObject({ attempts: 1, status: 200 })
  })

  it('Verify MFA and Send MFA SMS have the call that required them as parentCallId, and the prompt counts as promptMs', async () => {
    const server = await serve(
      mfaRequired(),
      json(200, { phone: '+1 *** 00' }),
      json(200, { token: 'jwt' }),
      json(200, []),
    )
    const advance = controlClock()
    const client = new Client({
      baseUrl: server.url,
      token: 'ada',
      onMfaRequired: async (challenge) => {
        await challenge.sendSms()
        advance(60_000)
        return { type: 'sms', code: '123456' }
      },
    })
    const events = record(client)
    await client.relationships.list()
    const ends = events.filter(({ name }) => name === 'callEnd')
    const [sms, verify, own] = ends
    expect(ends.map(({ endpoint }) => endpoint)).toEqual(['Send MFA SMS', 'Verify MFA', 'Get Relationships'])
    expect([sms?.parentCallId, verify?.parentCallId, own?.parentCallId]).toEqual([own?.callId, own?.callId, undefined])
    expect(own).toMatchObject({ attempts: 2, outcome: 'success' })
    expect(own?.promptMs).toBeGreaterThanOrEqual(60_000)
    expect(own?.promptMs).toBeLessThanOrEqual(own?.durationMs ?? 0)
  })

  it('the prompt of a sign-in counts as promptMs of the call that verifies its answer, once', async () => {
    const server = await serve(
      ...[pendingLogin, json(400, {}), json(200, { token: 'jwt', user_settings: { locale: 'en', theme: 'dark' } })],
    )
    let prompts = 0
    const advance = controlClock()
    const client = new Client({
      baseUrl: server.url,
      onMfaRequired: () => {
        if (prompts++ === 0) advance(60_000)
        return { type: 'totp', code: `12345${prompts}` }
      },
    })
    const events = record(client)
    await login(client)
    const [first, refused, accepted] = events.filter(({ name }) => name === 'callEnd').map(({ promptMs }) => promptMs)
    expect(first).toBe(0)
    expect(refused).toBeGreaterThanOrEqual(60_000)
    expect(accepted).toBeLessThan(60_000)
  })

  it('a challenge that is verified later belongs to the call that required it', async () => {
    const server = await serve(pendingLogin, json(200, { token: 'jwt' }))
    const client = new Client({ baseUrl: server.url })
    const events = record(client)
    const result = await login(client)
    if (result.status === 'mfa') await result.challenge.verify({ type: 'totp', code: '123456' })
    const [first, second] = events.filter(({ name }) => name === 'callEnd')
    expect(second).toMatchObject({ endpoint: 'Verify MFA Login', parentCallId: first?.callId })
  })

  it('every event of a custom request has its method and path, without a token that the path contains', async () => {
    const client = new Client({
      baseUrl: 'https://service.example',
      token: 'token-1',
      fetch: async () => Response.json({}),
    })
    const events = record(client)
    await client.request({ method: 'POST', path: '/t/token-1' })
    await client.request({ path: '/t/token-2' }, { token: 'token-2' })
    await client.request({ path: 'https://ada:password-1@service.example/t/token-1' }).catch(() => {})
    const [first, , third, other, , sixth, invalid] = events
    for (const event of [first, third])
      expect(event).toMatchObject({ endpoint: 'POST /t/[redacted]', method: 'POST', path: '/t/[redacted]' })
    for (const event of [other, sixth]) expect(event).toMatchObject({ method: 'GET', path: '/t/[redacted]' })
    expect(invalid).toMatchObject({ name: 'callEnd', errorName: 'RequestValidationError' })
    expect(JSON.stringify(events)).not.toMatch(/token-|password-/)
  })

  it('elevated has the call and the attempt that required the second factor, and no token that the path contains', async () => {
    const server = await serve(json(502, {}), mfaRequired(), json(200, { token: 'jwt' }), json(200, {}))
    const client = new Client({ baseUrl: server.url, token: 'token-1', onMfaRequired: answer })
    const events = record(client)
    await client.request({ path: '/t/token-1' })
    const { name: _, ...required } = events.find(({ name }) => name === 'mfaRequired') ?? {}
    expect(required).toMatchObject({ attempt: 2, endpoint: 'GET /t/[redacted]', methods: expect.any(Array) })
    expect({ ...required, name: 'elevated', methods: undefined }).toEqual(
      events.find(({ name }) => name === 'elevated'),
    )
    expect(JSON.stringify(events)).not.toContain('token-1')
  })

  it('a sign-in with invalid arguments has one end', async () => {
    const client = new Client({ baseUrl: 'https://service.example' })
    const events = record(client)
    await client.auth.login({} as never).catch(() => {})
    expect(events.map(({ name, errorName }) => [name, errorName])).toEqual([['callEnd', 'RequestValidationError']])
  })

  it('an abort reason of the app is not shown', async () => {
    const client = new Client({ baseUrl: 'https://service.example', token: 'ada' })
    const events = record(client)
    const reason = Object.assign(new Error('planted-secret'), { name: 'planted-secret' })
    expect(await reasonOf(client.relationships.list({ signal: AbortSignal.abort(reason) }))).toBe(reason)
    expect(events).toMatchObject([{ name: 'callEnd', outcome: 'aborted', errorName: 'AbortError', attempts: 0 }])
    const control = new AbortController()
    client.on('request', () => control.abort(Object.assign(reason, { code: 'planted-code' })))
    await client.relationships.list({ signal: control.signal }).catch(() => {})
    expect(events).toContainEqual(expect.objectContaining({ name: 'requestFailed', errorCode: undefined }))
    expect(JSON.stringify(events)).not.toContain('planted')
  })
})

describe('the cost of events', () => {
  type Calls = Pick<Client, 'on' | 'relationships'>
  const baseUrl = 'https://service.example'
  const clients: [string, () => Calls][] = [
    ['Client', () => new Client({ baseUrl, token: 'ada' })],
    ['createClient', () => createClient({ baseUrl, token: 'ada' }, { relationships }) as unknown as Calls],
  ]

  /** Answers with these statuses in turn, then 200. Returns a function that counts readings of clocks, and events, of a call. */
  function observe(...statuses: readonly number[]) {
    const left = [...statuses]
    const respond = async () => {
      const status = left.shift() ?? 200
      return Response.json(status === 200 ? [] : {}, { status })
    }
    vi.spyOn(globalThis, 'fetch').mockImplementation(respond)
    const clocks = [vi.spyOn(performance, 'now'), vi.spyOn(Date, 'now')]
    const emit = vi.spyOn(Events.prototype, 'emit')
    return async (call: () => Promise<unknown>) => {
      for (const { mockClear } of [...clocks, emit]) mockClear()
      await call()
      const readings = clocks.reduce((sum, { mock }) => sum + mock.calls.length, 0)
      return { readings, events: emit.mock.calls.map(([name]) => name) }
    }
  }

  it.each(clients)(
    'without listeners and logger a call of %s, with or without a retry, reads no clock and creates no event',
    async (_, create) => {
      const count = observe(200, 200, 502, 200)
      const client = create()
      const list = () => client.relationships.list()
      await list()
      expect(await count(list)).toEqual({ readings: 0, events: [] })
      // The same with a retry.
      expect(await count(list)).toEqual({ readings: 0, events: [] })
      client.on('callEnd', () => {})
      const { readings, events } = await count(list)
      expect(readings).toBeGreaterThan(0)
      expect(events).toEqual(['request', 'response', 'callEnd'])
    },
  )

  it.each(clients)(
    'without listeners and logger %s reads the clock once for a deadline, and once for the limits of a path that is new',
    async (_, create) => {
      const count = observe()
      const client = create()
      expect(await count(() => client.relationships.list())).toEqual({ readings: 1, events: [] })
      expect(await count(() => client.relationships.list({ deadline: 60_000 }))).toEqual({ readings: 1, events: [] })
      expect(await count(() => client.relationships.list())).toEqual({ readings: 0, events: [] })
    },
  )
})
