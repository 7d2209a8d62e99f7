import {
  Client,
  type ClientOptions,
  type GatewayProtocol,
  isApiError,
  isGatewayError,
  isRateLimitError,
} from 'rapport-sdk'
import {
  type CheckServiceOptions,
  checkService,
  clientOptions,
  formatReport,
  mockPolicy,
  type ServiceReport,
} from 'rapport-sdk/doctor'
import { createMockService } from 'rapport-sdk/mocks'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { compilerErrors } from '../compiler-errors'
import { OddService, PRIVATE } from './odd-service'
import { createMockClient, importOptions } from './set-up'

/** Options that the tests have written, which one program compiles. */
const allWritten: string[] = []

const FAST: CheckServiceOptions = { intervalMs: 0, timeoutMs: 60_000 }
const WRITES: CheckServiceOptions = {
  ...FAST,
  signIn: { login: PRIVATE.login, password: PRIVATE.password, wrongCode: true },
  write: [`nickname:${PRIVATE.grace}`, `widget-config:${PRIVATE.application}`, 'logout'],
}
const giveCode = () => ({ type: 'totp', code: PRIVATE.code }) as const

function clientOf(service: OddService, options: Partial<ClientOptions> = {}): Client {
  const { url: baseUrl, gatewayUrl } = service
  const client = new Client({ baseUrl, gateway: { url: gatewayUrl }, onMfaRequired: giveCode, ...options })
  onTestFinished(() => client.dispose())
  return client
}

const different = ({ conventions }: ServiceReport) =>
  Object.fromEntries(conventions.filter(({ status }) => status === 'different').map(({ name, seen }) => [name, seen]))

/** The planted differences that GETs and an Identify show. */
const SEEN_BY_READING = {
  authorizationScheme: 'scheme Bearer',
  errorEnvelope: 'code in `error.code`, message in `error.message`',
  fieldErrors: 'a list in `error.fields`',
  retryAfterUnit: 'milliseconds',
  readyUser: 'no `user`',
  gatewayResume: 'Invalid Session',
}
const DIFFERENCES = [
  { endpoint: 'Get Relationships', path: '[].type', kind: 'unknown value: 9' },
  { endpoint: 'Gateway', path: 'PRESENCE_SYNC', kind: 'unknown event' },
  { endpoint: 'Get Auth Sessions', path: 'user_sessions[].client_info.location', kind: 'missing field' },
  { endpoint: 'Get Developer Widget Configs', path: 'configs.{key}[].theme_color', kind: 'unknown field' },
  { endpoint: 'Get Game Relationships', path: '[].dm_access_type', kind: 'other type: a string' },
  { endpoint: 'Get Application Widget Configs', path: '[].theme_color', kind: 'unknown field' },
]

describe('a service with planted differences', () => {
  test('GETs and one Identify find exactly the planted differences that they can see, and nothing else is sent', async () => {
    const service = await new OddService().listen()
    const report = await checkService(clientOf(service).as(PRIVATE.token), FAST)
    expect(different(report)).toEqual(SEEN_BY_READING)
    expect(report.differences).toEqual(DIFFERENCES)
    expect(service.journal.filter((entry) => !entry.startsWith('GET '))).toEqual(['op 2', 'op 1', 'op 6'])
    expect(report.skipped.at(-1)).toEqual({
      ...{ endpoint: 'Get User Application Profile', reason: 'status 429', isFailure: true },
    })
    expect(report.conventions.find(({ name }) => name === 'stepUpRefusal')).toEqual({
      name: 'stepUpRefusal',
      status: 'not seen',
      reason: expect.stringContaining('--write logout'),
    })
  })

  test('what GETs and one Identify cannot see safely is not seen, and the report says why of each', async () => {
    const service = await new OddService().listen()
    const report = await checkService(clientOf(service).as(PRIVATE.token), FAST)
    const notSeen = report.conventions.filter(({ status }) => status === 'not seen')
    expect(Object.fromEntries(notSeen.map(({ name, reason }) => [name, reason]))).toMatchObject({
      stepUpRefusal: 'needs --write logout',
      mfaFailureStatuses: 'needs --sign-in --wrong-code',
      widgetConfigStatus: 'needs --write widget-config',
      gatewayCloseCodes: 'needs --sign-in, for a token that has ended',
      lifetimes: 'it would take hours',
      rateLimitScope: 'it would take many 429 responses',
      blockType: 'it would block a user',
    })
    const [text, markdown] = (['text', 'markdown'] as const).map((format) => formatReport(report, format).split('\n'))
    for (const { name, reason, seen } of notSeen) {
      expect([name, seen, reason]).toEqual([name, undefined, expect.stringMatching(/\w+ .*\w/)])
      const [line, row] = [text, markdown].map((lines = []) => lines.find((one) => one.includes(` ${name} `)))
      expect(line).toMatch(/^ {2}not seen /)
      expect([line?.endsWith(` ${reason}`), row?.includes(`| not seen | ${name} | ${reason} |`)]).toEqual([true, true])
    }
    // The others were seen.
    for (const { status, seen } of report.conventions) expect(seen === undefined).toBe(status === 'not seen')
  })

  test('a check that signs in and writes finds the other planted differences, and leaves nothing behind', async () => {
    const service = await new OddService().listen()
    const report = await checkService(clientOf(service), WRITES)
    expect(different(report)).toEqual({
      ...SEEN_BY_READING,
      stepUpRefusal: 'status 403, code 60003, ticket in `error.mfa`',
      mfaFailureStatuses: 'status 401 for a wrong code',
      gatewayCloseCodes: 'closed with 4900, for a token that has ended',
      widgetConfigStatus: 'published',
    })
    expect(report.differences).toEqual([
      DIFFERENCES[0],
      DIFFERENCES[1],
      { endpoint: 'Create Application Widget Config', path: 'theme_color', kind: 'unknown field' },
      ...DIFFERENCES.slice(2),
    ])
    expect(report.notUndone).toEqual([])
    expect(service).toMatchObject({ nickname: PRIVATE.nickname, configs: 0 })
    expect(service.journal.slice(-2)).toEqual(['POST /auth/logout', 'op 2'])
  })

  describe('after a check', () => {
    let report: ServiceReport
    let options: Partial<ClientOptions>
    let protocol: GatewayProtocol

    beforeAll(async () => {
      const service = new OddService()
      await service.start()
      const client = new Client({
        baseUrl: service.url,
        gateway: { url: service.gatewayUrl },
        onMfaRequired: giveCode,
      })
      try {
        const read = await checkService(client.as(PRIVATE.token), FAST)
        const written = await checkService(client, WRITES)
        report = { ...written, facts: { ...read.facts, ...written.facts } }
        allWritten.push(clientOptions(report.facts))
        ;({ options, protocol } = await importOptions(report.facts))
      } finally {
        client.dispose()
        await service.close()
      }
    })

    test('the written options still read the headers of limits', () => {
      const headers = new Headers({ 'x-ratelimit-remaining': '3', 'x-ratelimit-reset-after': '2' })
      const limit = options.readRateLimit?.({ status: 200, headers, body: [] })
      expect(limit).toMatchObject({ remaining: 3, resetAfterMs: 2000 })
    })

    test('a client with the written options passes a whole journey', async () => {
      const service = await new OddService().listen()
      const codes = ['000000', PRIVATE.code, PRIVATE.code]
      const client = clientOf(service, {
        ...options,
        gateway: { url: service.gatewayUrl, protocol },
        onMfaRequired: () => ({ type: 'totp', code: codes.shift() ?? '' }),
        retry: 0,
      })
      const { login, password, ada, application, external, grace, ownToken } = PRIVATE
      expect(await client.auth.login({ login, password })).toMatchObject({ status: 'complete', user_id: ada })
      expect(await client.relationships.list()).toHaveLength(2)
      expect(await client.gateway.connect()).toMatchObject({ session_id: PRIVATE.session })

      const unknown = await client.relationships.delete(grace).catch((error: unknown) => error)
      expect(isApiError(unknown) && unknown).toMatchObject({
        status: 404,
        code: 10000,
        serviceMessage: 'It does not work.',
      })
      const invalid = await client
        .request({
          method: 'GET',
          path: '/users/{user.id}/application-identities',
          pathParams: { 'user.id': ada },
          query: { with_profiles: 'maybe' },
        })
        .catch((error: unknown) => error)
      expect(isApiError(invalid) && invalid.fieldErrors).toEqual([
        { path: ['with_profiles'], code: 'BOOLEAN', message: 'Not a boolean.' },
      ])
      const limited = await client.identities.getProfile(application, ada, external).catch((error: unknown) => error)
      expect(isRateLimitError(limited) && limited.retryAfterMs).toBe(1400)

      await client.auth.sessions.logout({ session_id_hashes: ['of another session'] })
      expect(codes).toEqual([])
      await client.auth.logout()
      const ended = await client
        .as(ownToken)
        .gateway.connect()
        .catch((error: unknown) => error)
      expect(isGatewayError(ended) && ended.closeCode).toBe(4900)
    })

    test('a mock with the written policy passes a second check without differences', async () => {
      const service = createMockService({ policy: mockPolicy(report.facts) })
      onTestFinished(() => service.close())
      const ada = service.users.create({ login: PRIVATE.login, password: PRIVATE.password, mfa: ['totp', 'backup'] })
      const grace = service.users.create({ login: 'grace@example.com', password: PRIVATE.password })
      const { id } = service.applications.create({ owner: ada.id })
      const write = [`nickname:${grace.id}`, `widget-config:${id}`, 'logout'] as const
      const second = await checkService(createMockClient(service, ada), { ...WRITES, write })
      expect(second.differences).toEqual([])
      const seen = (name: string) => second.conventions.find((one) => one.name === name)?.seen
      for (const [name, value] of Object.entries(different(report)))
        if (name !== 'retryAfterUnit') expect([name, seen(name)]).toEqual([name, value])

      // With the written options, nothing differs.
      const { baseUrl, fetch } = service
      const { authorize, readError } = options
      const configured = new Client({ ...{ baseUrl, fetch, authorize, readError }, token: service.token(ada) })
      onTestFinished(() => configured.dispose())
      const third = await checkService(configured, FAST)
      expect(different(third)).toEqual({})
      expect(third.differences).toEqual([])
    })
  })
})

test('a session that is resumed without the event that was missed is different, and no event was seen', async () => {
  const service = await new OddService().listen()
  service.canResume = true
  const client = clientOf(service).as(PRIVATE.token)
  const { conventions } = await checkService(client, { ...FAST, write: [`nickname:${PRIVATE.grace}`] })
  const findings = conventions.filter(({ name }) => name === 'gatewayResume' || name === 'eventPayloads')
  expect(findings).toEqual([
    { name: 'gatewayResume', status: 'different', seen: 'resumed without the missed Relationship Update' },
    { name: 'eventPayloads', status: 'not seen', reason: 'no Relationship Update came' },
  ])
  // Without a change, nothing is missed.
  expect(different(await checkService(client, FAST))).not.toHaveProperty('gatewayResume')
})

test('the written options keep a tree of field errors if only the envelope differs, wherever it is', async () => {
  const policy = { errorEnvelope: { wrapper: 'failure', errors: 'problems' } }
  const service = createMockService({ policy })
  onTestFinished(() => service.close())
  const { id } = service.users.create({ login: PRIVATE.login, password: PRIVATE.password })
  const { baseUrl, fetch } = service
  const create = (options: Partial<ClientOptions>) => {
    const client = new Client({ baseUrl, fetch, ...options })
    onTestFinished(() => client.dispose())
    return client.as(service.token({ id }), id)
  }
  const report = await checkService(create({}), FAST)
  expect(different(report)).toEqual({
    errorEnvelope: 'code in `failure.code`, message in `failure.message`',
    fieldErrors: 'a tree in `failure.problems`',
  })
  expect(mockPolicy(report.facts)).toMatchObject({ errorEnvelope: { ...policy.errorEnvelope, fieldErrors: 'tree' } })
  allWritten.push(clientOptions(report.facts))
  const { options } = await importOptions(report.facts)
  expect(different(await checkService(create(options), FAST))).toEqual({})
  // A check that has seen no field errors expects them next to the message.
  const { fieldErrors: _, ...facts } = report.facts
  const { readError } = (await importOptions(facts)).options
  const response = { status: 400, headers: new Headers(), body: { failure: { errors: 'tree' } } }
  expect(readError?.(response).errors).toBe('tree')
})

test('the options that are written for the odd service and for nested errors compile', () => {
  expect(allWritten).toHaveLength(2)
  expect(compilerErrors(Object.fromEntries(allWritten.entries()))).toEqual([])
})
