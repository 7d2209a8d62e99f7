import { Client, type ClientOptions, isRequestValidationError } from 'rapport-sdk'
import { type CheckServiceOptions, checkService, type ServiceReport } from 'rapport-sdk/doctor'
import { createMockService, type MockServiceOptions } from 'rapport-sdk/mocks'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { json, serve } from '../servers/http-server'
import { OddService, PRIVATE } from './odd-service'
import { createMockClient } from './set-up'

const FAST: CheckServiceOptions = { intervalMs: 0, timeoutMs: 60_000 }

/** Creates a service with Ada, who has an application and Grace as a friend with a nickname, and a client of hers. */
async function setUp(options: MockServiceOptions = {}) {
  const service = createMockService(options)
  onTestFinished(() => service.close())
  const ada = service.users.create({ login: 'ada@example.com', password: 'correct horse', mfa: ['totp', 'backup'] })
  const grace = service.users.create({ login: 'grace@example.com', password: 'correct horse' })
  const application = service.applications.create({ owner: ada.id })
  service.identities.create({ application: application.id, user: ada.id, externalUserId: 'ada-1815' })
  const client = createMockClient(service, ada)
  const asAda = client.as(service.token(ada), ada.id)
  const asGrace = client.as(service.token(grace), grace.id)
  await asAda.relationships.create(grace.id)
  await asGrace.relationships.accept(ada.id)
  await asAda.relationships.update(grace.id, { nickname: 'Amazing' })
  const before = service.journal.requests.length
  return {
    ...{ service, ada, grace, application, client, asAda },
    requests: () => service.journal.requests.slice(before),
    nickname: async () => (await asAda.relationships.list()).find(({ id }) => id === grace.id)?.nickname,
  }
}

const differencesOf = ({ conventions, differences }: ServiceReport) => [
  ...conventions.filter(({ status }) => status === 'different'),
  ...differences,
]
const findingOf = ({ conventions }: ServiceReport, name: string) => conventions.find((one) => one.name === name)

/** Creates a client of a service that differs, with the token of Ada. */
async function oddClient(options: Partial<ClientOptions> = {}) {
  const service = await new OddService().listen()
  const authorize = (token: string) => `Bearer ${token}`
  const client = new Client({ baseUrl: service.url, token: PRIVATE.token, authorize, ...options })
  onTestFinished(() => client.dispose())
  return { service, client }
}

const CHANGES: CheckServiceOptions = { ...FAST, write: [`nickname:${PRIVATE.grace}`] }

describe('checkService', () => {
  test('a check finds no difference in a service that behaves as assumed, and sends only GETs', async () => {
    const { asAda, requests } = await setUp()
    const report = await checkService(asAda, FAST)
    expect(differencesOf(report)).toEqual([])
    expect(findingOf(report, 'gatewayResume')).toMatchObject({ status: 'confirmed', seen: 'resumed' })
    expect(new Set(requests().map(({ method }) => method))).toEqual(new Set(['GET']))
    expect(report.skipped).toEqual([])
  })

  test('a check finds no difference in sign-in, second factors and changes, and undoes the changes', async () => {
    const { client, grace, application, nickname, requests } = await setUp()
    const report = await checkService(client, {
      ...FAST,
      signIn: { login: 'ada@example.com', password: 'correct horse', wrongCode: true },
      write: [`nickname:${grace.id}`, `widget-config:${application.id}`, 'logout'],
    })
    expect(differencesOf(report)).toEqual([])
    expect(report.notUndone).toEqual([])
    for (const name of [
      'stepUpRefusal',
      'mfaFailureStatuses',
      'eventPayloads',
      'logoutClosesGateway',
      'gatewayCloseCodes',
    ])
      expect([name, findingOf(report, name)?.status]).toEqual([name, 'confirmed'])
    expect(await nickname()).toBe('Amazing')
    expect(requests().filter(({ method }) => method === 'DELETE')).toHaveLength(1)
  })

  test('a check sends at most one request a second, and names each before it sends it', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { asAda } = await setUp()
    const times: number[] = []
    const checking = checkService(asAda, { onStep: () => void times.push(performance.now()) })
    await vi.advanceTimersByTimeAsync(60_000)
    await checking
    expect(times.length).toBeGreaterThan(12)
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1000)
  })

  test('a check without a token sends only what needs none, and says what it needs', async () => {
    const { client } = await setUp()
    const report = await checkService(client, FAST)
    expect(differencesOf(report)).toEqual([])
    expect(report.skipped).toContainEqual({
      ...{ endpoint: 'Get Auth Sessions', reason: 'needs a token', isFailure: false },
    })
    expect(findingOf(report, 'unauthorizedStatus')?.status).toBe('confirmed')
  })

  test('a check rejects if the service accepts the token in no form', async () => {
    const { client } = await setUp()
    await expect(checkService(client.as('not a token'), FAST)).rejects.toThrow(
      /accepts the token neither alone .*: status 401/,
    )
  })

  test('a check rejects if the service does not answer', async () => {
    const server = await serve()
    const client = new Client({ baseUrl: server.url, token: 'a token' })
    await server.close()
    await expect(checkService(client, FAST)).rejects.toThrow('no response')
  })

  test('a check that is aborted undoes a change, and rejects with the reason', async () => {
    const control = new AbortController()
    const reason = new Error('Ctrl-C')
    const { service, client } = await oddClient({
      fetch: async (url, init) => {
        const response = await fetch(url, init)
        if (init.method === 'PATCH') control.abort(reason)
        return response
      },
    })
    await expect(checkService(client, { ...CHANGES, signal: control.signal })).rejects.toBe(reason)
    expect(service.nickname).toBe(PRIVATE.nickname)
    expect(service.journal.slice(-2)).toEqual(Array(2).fill('PATCH /users/@me/relationships/*'))
  })

  test('a check that is aborted before it sends a change has nothing to undo of it', async () => {
    const control = new AbortController()
    const steps: string[] = []
    const { client } = await oddClient()
    const onStep = (step: string) => {
      // The second one restores the nickname; the widget config comes after it.
      if (steps.at(-1)?.startsWith('PATCH')) control.abort(new Error('Ctrl-C'))
      steps.push(step)
    }
    const write = [`nickname:${PRIVATE.grace}`, `widget-config:${PRIVATE.application}`] as const
    await expect(checkService(client, { ...FAST, write, onStep, signal: control.signal })).rejects.toThrow('Ctrl-C')
    expect(steps.at(-1)).toBe('PATCH /users/@me/relationships/{user.id}')
  })

  test('a check says what it could not undo', async () => {
    const steps: string[] = []
    const { service, client } = await oddClient()
    const report = await checkService(client, {
      ...CHANGES,
      onStep: (step) => {
        // The second change restores the first one.
        if (steps.at(-1)?.startsWith('PATCH')) service.isReadOnly = true
        steps.push(step)
      },
    })
    expect(report.notUndone).toEqual(['restore the nickname of the friend'])
    expect(steps).toContain('could not undo: restore the nickname of the friend')
  })

  test('a check changes only the nickname of a friend who has one', async () => {
    const { asAda, service, requests } = await setUp()
    const stranger = service.users.create({ login: 'eve@example.com', password: 'correct horse' })
    const report = await checkService(asAda, { ...FAST, write: [`nickname:${stranger.id}`] })
    expect(report.skipped).toEqual([
      { endpoint: 'Modify Relationship', reason: 'the user is not a friend with a nickname', isFailure: true },
    ])
    expect(requests().every(({ method }) => method === 'GET')).toBe(true)
  })

  test('a check stops at a 429, but still undoes changes', async () => {
    const { service, asAda, grace, nickname } = await setUp()
    service.faults.on('Get Featured Widget Configs', { status: 429, retryAfter: 5 })
    const report = await checkService(asAda, { ...FAST, write: [`nickname:${grace.id}`] })
    expect(report.skipped).toContainEqual({
      ...{ endpoint: 'Get Featured Widget Configs', reason: 'status 429', isFailure: true },
    })
    expect(report.skipped).toContainEqual({
      endpoint: 'Get Layout Definitions',
      reason: 'the service responded to Get Featured Widget Configs with 429',
      isFailure: true,
    })
    expect(findingOf(report, 'retryAfterUnit')).toMatchObject({ status: 'confirmed', seen: 'seconds' })
    expect(service.journal.requests.at(-1)?.endpoint).toBe('Get Featured Widget Configs')
    expect(await nickname()).toBe('Amazing')
  })

  test('after a 429, wherever it came, a check only signs out and identifies with the token that has ended', async () => {
    const { service, client } = await setUp()
    service.faults.on('Get Relationships', { status: 429, retryAfter: 0 })
    const signIn = { login: 'ada@example.com', password: 'correct horse' }
    const report = await checkService(client, { ...FAST, signIn })
    expect(service.journal.requests.slice(-2).map(({ endpoint }) => endpoint)).toEqual(['Get Relationships', 'Logout'])
    expect(findingOf(report, 'gatewayCloseCodes')).toMatchObject({ status: 'confirmed' })
    expect(report.skipped.every(({ isFailure }) => isFailure)).toBe(true)
  })

  test('the undo after a 429 waits as long as the service asks', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { service, client } = await setUp()
    service.faults.on('Get Auth Sessions', { status: 429, retryAfter: 20 })
    const times = new Map<string, number>()
    const onStep = (step: string) => void times.set(step, performance.now())
    const signIn = { login: 'ada@example.com', password: 'correct horse' }
    const checking = checkService(client, { signIn, onStep })
    await vi.advanceTimersByTimeAsync(60_000)
    await checking
    const waitMs = Number(times.get('POST /auth/logout')) - Number(times.get('GET /auth/sessions'))
    expect(waitMs).toBeGreaterThanOrEqual(20_000)
    expect(waitMs).toBeLessThan(22_000)
  })

  test('a check is incomplete if a GET fails, not if the account may not use it', async () => {
    const { service, asAda } = await setUp()
    service.faults.on('Get Auth Sessions', { status: 503 })
    service.faults.on('Get Featured Widget Configs', { status: 403 })
    const { skipped } = await checkService(asAda, FAST)
    expect(skipped).toEqual([
      { endpoint: 'Get Auth Sessions', reason: 'status 503', isFailure: true },
      { endpoint: 'Get Featured Widget Configs', reason: 'status 403', isFailure: false },
    ])
  })

  test('a check rejects if the service fails, and does not say that it refuses the token', async () => {
    const { service, asAda } = await setUp()
    service.faults.on('Get Relationships', { status: 503 })
    await expect(checkService(asAda, FAST)).rejects.toThrow('The service responded with status 503.')
  })

  test('a check confirms conventions that the options of the client replace', async () => {
    const { client } = await oddClient({
      readError: ({ body }) => Object(Object(body).error),
      readRateLimit: ({ body }) => ({ retryAfterMs: Object(Object(body).error).retry_after }),
    })
    const report = await checkService(client, FAST)
    for (const name of ['authorizationScheme', 'errorEnvelope', 'retryAfterUnit'])
      expect([name, findingOf(report, name)?.status]).toEqual([name, 'confirmed'])
  })

  test('a report masks keys and values that may be names or IDs', async () => {
    const names = { 'ada@lovelace.example': 1, '100000000000000001': 2, grace_hopper: 3, plain: 4 }
    const list = [
      { id: '1', type: 1, user: { id: '1', username: 'grace_hopper' }, nickname: null, user_ignored: false, ...names },
    ]
    const server = await serve(json(401, { code: 0, message: 'No.' }), json(200, list))
    server.fallback(() => json(404, { code: 0, message: 'No.' }))
    const report = await checkService(new Client({ baseUrl: server.url, token: 'a token' }), FAST)
    expect(
      report.differences.filter(({ endpoint }) => endpoint === 'Get Relationships').map(({ path }) => path),
    ).toEqual(['[].{name}', '[].plain'])
  })

  test.each<[string, CheckServiceOptions, string]>([
    ['an unknown change', { write: ['everything' as 'logout'] }, 'write: expected an array'],
    ['a logout without a sign-in', { write: ['logout'] }, 'write'],
    ['a negative interval', { intervalMs: -1 }, 'intervalMs'],
  ])('refuses %s', async (_, options, path) => {
    const { client } = await setUp()
    const error = await checkService(client, options).catch((caught: unknown) => caught)
    expect(isRequestValidationError(error) && error.message).toContain(path)
  })
})
