import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Client, type ClientOptions, defaultGatewayProtocol, type Fetch } from 'rapport-sdk'
import { type CheckServiceOptions, checkService, clientOptions, formatReport, mockPolicy } from 'rapport-sdk/doctor'
import { createMockService } from 'rapport-sdk/mocks'
import { expect, onTestFinished, test, vi } from 'vitest'
import { WebSocketServer } from 'ws'
import { json, type Responder, redirect, serve } from '../servers/http-server'
import { OddService, PRIVATE } from './odd-service'

const FAST: CheckServiceOptions = { intervalMs: 0, timeoutMs: 60_000 }
const REFUSED = json(401, { code: 0, message: 'No.' })

/** Creates a client of a service that answers by path, else with 404. */
async function clientOf(responses: Readonly<Record<string, Responder>>, options: Partial<ClientOptions> = {}) {
  const server = await serve(responses.first ?? REFUSED)
  server.fallback(({ method, url }) => {
    const found = Object.entries(responses).find(([start]) => `${method} ${url}`.startsWith(start))
    return found?.[1] ?? json(404, { code: 0, message: 'No.' })
  })
  const client = new Client({ baseUrl: server.url, token: PRIVATE.token, ...options })
  onTestFinished(() => client.dispose())
  return { server, client }
}

const RELATIONSHIPS = { 'GET /users/@me/relationships': json(200, []) }
const findingOf = ({ conventions }: Awaited<ReturnType<typeof checkService>>, name: string) =>
  conventions.find((one) => one.name === name)

test('a report shows what was seen of an account with more texts than secrets can be searched for', async () => {
  const list = Array.from({ length: 1500 }, (_, index) => {
    const id = String(100_000_000_000_000_000n + BigInt(index))
    const user = { id, username: `a_long_user_name_${index}` }
    return { id, type: 1, user, nickname: null, user_ignored: false, badge: 1, [`a_long_user_name_${index}`]: 1 }
  })
  const { client } = await clientOf({ 'GET /users/@me/relationships': json(200, list) })
  const report = await checkService(client, FAST)
  expect(findingOf(report, 'authorizationScheme')).toMatchObject({ status: 'confirmed', seen: 'the token alone' })
  expect(report.differences.filter(({ endpoint }) => endpoint === 'Get Relationships')).toEqual([
    { endpoint: 'Get Relationships', path: '[].badge', kind: 'unknown field' },
    { endpoint: 'Get Relationships', path: '[].{name}', kind: 'unknown field' },
  ])
})

test('a report contains no secret that a field name or a header name contains, wherever it was learned', async () => {
  const names = [PRIVATE.token, PRIVATE.grace, PRIVATE.username]
  const limits = Object.fromEntries(names.map((name) => [`x-ratelimit-${name}-remaining`, '1']))
  const fields = { [`of_${PRIVATE.token}`]: 1, nested: { list: [{ any: PRIVATE.username }] }, [PRIVATE.username]: 2 }
  const user = { id: PRIVATE.grace, username: PRIVATE.username, profile: { more: [PRIVATE.external] } }
  const relationship = { id: PRIVATE.grace, type: 1, user, nickname: null, user_ignored: false, ...fields }
  const { client } = await clientOf({
    'GET /users/@me/relationships': json(200, [{ ...relationship, [PRIVATE.external]: 1 }], limits),
    'GET /auth/sessions': json(400, { [PRIVATE.login]: { message: 'No.', code: 1 } }),
  })
  const report = await checkService(client, FAST)
  const outputs = [
    ...(['text', 'markdown', 'json'] as const).map((format) => formatReport(report, format)),
    clientOptions(report.facts),
    JSON.stringify([report, mockPolicy(report.facts)]),
  ]
  for (const output of outputs) for (const value of Object.values(PRIVATE)) expect(output).not.toContain(value)
})

test('a report has no addresses and IDs as places of errors', async () => {
  const errors = {
    [PRIVATE.login]: { message: 'No.', code: 1, [PRIVATE.grace]: [{ with_profiles: 'with_profiles' }] },
  }
  const { client } = await clientOf({ ...RELATIONSHIPS, first: json(401, errors), 'GET ': json(400, errors) })
  const report = await checkService(client.as(PRIVATE.token, PRIVATE.ada), FAST)
  expect(clientOptions(report.facts) + JSON.stringify(report)).not.toMatch(/lovelace|00000002/)
})

test('a report draws no conclusions about conventions from failures and limits', async () => {
  const { client } = await clientOf({ ...RELATIONSHIPS, first: json(503, { message: 'down' }) })
  const report = await checkService(client.as(PRIVATE.token, PRIVATE.ada), FAST)
  expect(findingOf(report, 'unauthorizedStatus')).toMatchObject({ status: 'not seen', reason: 'status 503' })
  expect(findingOf(report, 'fieldErrors')?.status).toBe('not seen')
  expect(report.facts.unauthorized).toBeUndefined()
})

test('a report says nothing about the scheme of a service that needs no token', async () => {
  const { client } = await clientOf({ ...RELATIONSHIPS, first: json(200, []) })
  const report = await checkService(client, FAST)
  const reason = 'the service needs no token'
  expect(findingOf(report, 'authorizationScheme')).toEqual({ name: 'authorizationScheme', status: 'not seen', reason })
  expect(report.facts.scheme).toBeUndefined()
})

test('a report says that a response is too large, not that it is invalid JSON', async () => {
  const { client } = await clientOf(
    { ...RELATIONSHIPS, 'GET /auth/sessions': json(200, { more: 'x'.repeat(5000) }) },
    { maxResponseBytes: 4000 },
  )
  const { differences } = await checkService(client, FAST)
  expect(differences.filter(({ endpoint }) => endpoint === 'Get Auth Sessions')).toEqual([
    { endpoint: 'Get Auth Sessions', path: '', kind: 'larger than 4000 bytes' },
  ])
})

test('a check ends although a gateway sends frames without end, of which a heartbeat is asked for again and again', async () => {
  const gateway = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => void gateway.close())
  await once(gateway, 'listening')
  gateway.on('connection', (socket) => {
    socket.send(JSON.stringify({ op: 10, d: { heartbeat_interval: 118_822_334_455 } }))
    const endless = setInterval(() => socket.send('{"op":1}'), 2)
    socket.on('close', () => clearInterval(endless))
  })
  const url = `ws://127.0.0.1:${(gateway.address() as AddressInfo).port}`
  const { client } = await clientOf(RELATIONSHIPS, { gateway: { url } })
  const report = await checkService(client, { ...FAST, timeoutMs: 200 })
  expect(findingOf(report, 'gatewayHello')?.status).toBe('different')
  expect(report.facts.gateway.heartbeatInterval).toBeUndefined()
})

test('a check rejects if the protocol of the app throws while it reads a frame', async () => {
  const gateway = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => void gateway.close())
  await once(gateway, 'listening')
  gateway.on('connection', (socket) => {
    for (const frame of [{ op: 10, d: { heartbeat_interval: 30_000 } }, { op: 1 }]) socket.send(JSON.stringify(frame))
  })
  const heartbeat = () => {
    throw new Error('no heartbeat')
  }
  const url = `ws://127.0.0.1:${(gateway.address() as AddressInfo).port}`
  const { client } = await clientOf(RELATIONSHIPS, {
    gateway: { url, protocol: { ...defaultGatewayProtocol, heartbeat } },
  })
  await expect(checkService(client, FAST)).rejects.toThrow('no heartbeat')
})

test.each<[string, () => unknown]>([
  ['a response', () => new Promise(() => {})],
  ['its body', async () => ({ status: 200, headers: new Headers(), arrayBuffer: () => new Promise(() => {}) })],
])('a check can be aborted while %s never comes', async (_, hang) => {
  const control = new AbortController()
  const fetch = vi.fn(hang) as unknown as Fetch
  const { client } = await clientOf({}, { fetch })
  const onEnd = vi.fn()
  checkService(client, { ...FAST, signal: control.signal }).catch(onEnd)
  await vi.waitFor(() => expect(fetch).toHaveBeenCalled())
  control.abort('enough')
  await vi.waitFor(() => expect(onEnd).toHaveBeenCalledWith('enough'))
})

test('a check leaves a gateway whose socket never closes', async () => {
  class Stuck extends EventTarget {
    binaryType = ''
    readonly send = () => {}
    readonly close = () => {}
  }
  const { client } = await clientOf(RELATIONSHIPS, {
    gateway: { url: 'wss://gateway.example', WebSocket: Stuck as never },
  })
  const report = await checkService(client, { ...FAST, timeoutMs: 10 })
  expect(findingOf(report, 'gatewayHello')?.status).toBe('not seen')
})

test('a check resumes a session at an address that a WebSocket refuses without its fragment', async () => {
  const service = await new OddService().listen()
  const client = new Client({
    ...{ baseUrl: service.url, token: PRIVATE.token, authorize: (token) => `Bearer ${token}` },
    gateway: { url: service.gatewayUrl },
  })
  onTestFinished(() => client.dispose())
  service.resumeUrl = `${service.gatewayUrl}#fragment`
  await checkService(client, FAST)
  expect(service.journal).toContain('op 6')
})

test('a check uses the session that a wrong code has started, and signs out of it', async () => {
  const { client, server } = await clientOf({
    first: json(200, { user_id: '1', ticket: PRIVATE.ticket, mfa: true, totp: true }),
    'POST /auth/mfa/totp': json(200, { token: PRIVATE.ownToken }),
    'POST /auth/logout': json(204, null),
    ...RELATIONSHIPS,
  })
  const signIn = { login: PRIVATE.login, password: PRIVATE.password, wrongCode: true }
  const report = await checkService(client, { ...FAST, signIn })
  expect(findingOf(report, 'mfaFailureStatuses')).toMatchObject({ status: 'different' })
  expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toContain('POST /auth/logout')
  expect(server.request(-1).headers.authorization).toBe(PRIVATE.ownToken)
})

test('a check that is aborted during the sign-in signs out', async () => {
  const control = new AbortController()
  const service = createMockService()
  onTestFinished(() => service.close())
  service.users.create({ login: 'ada@example.com', password: 'correct horse' })
  const client = new Client({
    baseUrl: service.baseUrl,
    fetch: async (url, init) => {
      if (init.method === 'POST') control.abort(new Error('Ctrl-C'))
      return service.fetch(url, init)
    },
  })
  const signIn = { login: 'ada@example.com', password: 'correct horse' }
  await expect(checkService(client, { ...FAST, signIn, signal: control.signal })).rejects.toThrow('Ctrl-C')
  expect(service.journal.requests.map(({ endpoint }) => endpoint)).toEqual(['Login Account', 'Logout'])
})

test('a check undoes a change although `onStep` throws', async () => {
  const service = await new OddService().listen()
  const authorize = (token: string) => `Bearer ${token}`
  const client = new Client({ baseUrl: service.url, token: PRIVATE.token, authorize })
  onTestFinished(() => client.dispose())
  let hasChanged = false
  const onStep = (step: string) => {
    if (hasChanged) throw new Error('a closed terminal')
    hasChanged = step.startsWith('PATCH')
  }
  await expect(checkService(client, { ...FAST, write: [`nickname:${PRIVATE.grace}`], onStep })).rejects.toThrow(
    'a closed terminal',
  )
  expect(service.nickname).toBe(PRIVATE.nickname)
})

test('a check undoes no change that the service has refused', async () => {
  const friend = { id: PRIVATE.grace, type: 1, user: { id: PRIVATE.grace }, nickname: 'x', user_ignored: false }
  const { client, server } = await clientOf({
    'GET /users/@me/relationships': json(200, [friend]),
    'PATCH ': json(403, { code: 1, message: 'No.' }),
  })
  const report = await checkService(client, { ...FAST, write: [`nickname:${PRIVATE.grace}`] })
  expect(report.notUndone).toEqual([])
  expect(report.skipped).toContainEqual({ endpoint: 'Modify Relationship', reason: 'status 403', isFailure: true })
  expect(server.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(1)
})

test.each(['..', ''])('a check deletes nothing if the ID of what it has created is %j', async (config_id) => {
  const { client, server } = await clientOf({ ...RELATIONSHIPS, 'POST /applications': json(200, { config_id }) })
  const report = await checkService(client, { ...FAST, write: [`widget-config:${PRIVATE.application}`] })
  expect(report.notUndone).toEqual(['delete the widget config rapport-doctor of the application'])
  expect(server.requests.filter(({ method }) => method === 'DELETE')).toEqual([])
})

test('a check goes on if options that read responses throw', async () => {
  const { client } = await clientOf(RELATIONSHIPS, {
    readError: () => Object(undefined).no.field,
    isStepUp: () => Object(undefined).no.field,
    readRateLimit: () => Object(undefined).no.field,
  })
  const report = await checkService(client, FAST)
  expect(findingOf(report, 'errorEnvelope')?.status).toBe('confirmed')
  expect(report.skipped.filter(({ isFailure }) => isFailure)).toEqual([])
})

test('a check says that a redirect is not followed', async () => {
  const { client } = await clientOf({
    ...RELATIONSHIPS,
    'GET /auth/sessions': redirect(302, 'https://elsewhere.example/'),
  })
  const { skipped } = await checkService(client, FAST)
  expect(skipped).toContainEqual({
    endpoint: 'Get Auth Sessions',
    reason: 'the response is a redirect, which is not followed',
    isFailure: true,
  })
})

test('a check sends at most one request a second also if `onStep` takes long', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const service = createMockService()
  onTestFinished(() => service.close())
  const times: number[] = []
  const client = new Client({
    baseUrl: service.baseUrl,
    fetch: (url, init) => {
      times.push(performance.now())
      return service.fetch(url, init)
    },
  })
  let count = 0
  const onStep = () => (count++ === 0 ? new Promise<void>((resolve) => setTimeout(resolve, 900)) : undefined)
  const checking = checkService(client, { onStep })
  await vi.advanceTimersByTimeAsync(60_000)
  await checking
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1000)
})
