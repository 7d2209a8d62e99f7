import { createMockService, type Fault, type MockServiceOptions } from 'rapport-sdk/mocks'
import { describe, expect, it } from 'vitest'
import { setUp } from './set-up'

describe('invalid options of createMockService()', () => {
  it.each<[unknown, string | RegExp]>([
    [
      { sed: 1 },
      'createMockService: sed: unknown; expected one of baseUrl, seed, now, strict, policy, maxJournalEntries, rpId, verifyPasskey',
    ],
    [{ seed: '1' }, 'createMockService: seed: expected an integer from -9007199254740991 to 9007199254740991, got "1"'],
    [{ strict: 'no' }, 'createMockService: strict: expected true or false, got "no"'],
    [{ baseUrl: 'service.example' }, 'createMockService: baseUrl: expected an absolute URL, got "service.example"'],
    [{ policy: 5 }, 'createMockService: policy: expected an object, got 5'],
    [{ policy: { requireMFA: () => true } }, 'policy.requireMFA: unknown; expected one of requiresToken, requireMfa, '],
    [{ policy: { requireMfa: true } }, 'policy.requireMfa: expected a function, or an object by endpoint, got true'],
    [{ policy: { resetEndsSessions: 'yes' } }, 'policy.resetEndsSessions: expected true or false, got "yes"'],
    [{ policy: { toString: () => '' } }, 'policy.toString: unknown; expected one of '],
    [
      { policy: { lifetimes: { ticket: '5 min' } } },
      'policy.lifetimes.ticket: expected milliseconds or a string such as "30s", "5m" or "2d", got "5 min"',
    ],
    [
      { policy: { lifetimes: { tickets: '5m' } } },
      'policy.lifetimes.tickets: unknown; expected one of session, ticket, ',
    ],
    [{ policy: { lifetimes: { ticket: Number.NaN } } }, 'got NaN'],
    [
      { policy: { gateway: { heartbeat: 5 } } },
      'policy.gateway.heartbeat: unknown; expected one of heartbeatInterval, ',
    ],
    [
      { policy: { gateway: { heartbeatInterval: Number.POSITIVE_INFINITY } } },
      'policy.gateway.heartbeatInterval: expected milliseconds',
    ],
    [
      { policy: { gateway: { heartbeatInterval: 99 } } },
      'policy.gateway.heartbeatInterval: expected milliseconds or a string such as "30s", "5m" or "2d", at least 100 ms',
    ],
    [
      { rpId: 'local\ud800host' },
      'createMockService: rpId: expected a non-empty string, got one with a lone surrogate',
    ],
    [
      { policy: { rateLimits: { '*': { limit: 1, per: '0s' } } } },
      'policy.rateLimits["*"].per: expected milliseconds or a string such as "30s", "5m" or "2d", at least 1 ms, got "0s"',
    ],
    [{ policy: { gateway: { resumeWindow: 'long' } } }, 'policy.gateway.resumeWindow: expected milliseconds'],
    [
      { policy: { gateway: { replayLimit: 1.5 } } },
      'policy.gateway.replayLimit: expected an integer of at least 0, or Infinity, got 1.5',
    ],
    [
      { policy: { gateway: { closeCodes: { timedOut: 1006 } } } },
      'policy.gateway.closeCodes.timedOut: expected an integer from 3000 to 4999, got 1006',
    ],
    [
      { policy: { gateway: { closeCodes: { gone: 4000 } } } },
      'policy.gateway.closeCodes.gone: unknown; expected one of ',
    ],
    [{ policy: { errors: { notFound: {} } } }, 'policy.errors.notFound: unknown; expected one of '],
    [
      { policy: { errors: { forbidden: { status: 200, code: 1, message: 'x' } } } },
      'policy.errors.forbidden.status: expected an integer from 400 to 599, got 200',
    ],
    [{ policy: { errors: { forbidden: { status: 403 } } } }, 'policy.errors.forbidden.code: required'],
    [
      { seed: 0.5, policy: { lifetimes: { ticket: -1 }, requireMfa: null } },
      /seed: expected an integer .*, got 0\.5\n {2}policy\.lifetimes\.ticket: .*, got -1\n {2}policy\.requireMfa: expected a function, .*, got null$/,
    ],
    [[], 'createMockService: (value): expected an object, got an array'],
  ])('they are rejected: %j', (options, message) => {
    expect(() => createMockService(options as MockServiceOptions)).toThrow(message)
  })

  it('createMockService() treats undefined options as absent', () => {
    const policy = { requireMfa: undefined, lifetimes: { ticket: undefined }, errors: { forbidden: undefined } }
    const gateway = { replayLimit: undefined, closeCodes: { timedOut: undefined } }
    const options = { seed: undefined, now: undefined, policy: { ...policy, gateway } } as unknown as MockServiceOptions
    const { policy: created } = createMockService(options)
    const { policy: defaults } = createMockService()
    expect(created).toEqual(defaults)
  })
})

describe('invalid faults', () => {
  const path = 'Get Location Metadata'
  it.each<[unknown, string]>([
    [{}, 'has no effect'],
    [{ times: 1 }, 'has no effect'],
    [{ body: {} }, 'has no effect'],
    [{ stats: 500 }, 'stats: unknown; expected one of times, '],
    [{ status: 99 }, 'the fault: status: expected an integer from 200 to 599, got 99'],
    [{ status: '500' }, 'the fault: status: expected an integer from 200 to 599, got "500"'],
    [{ latency: '5 minutes' }, 'latency: expected milliseconds or a string such as "30s", "5m" or "2d"'],
    [{ latency: '60d' }, 'at most'],
    [{ status: 500, times: -1 }, 'times: expected an integer of at least 1, or Infinity, got -1'],
    [{ status: 500, times: 0 }, 'times: expected an integer of at least 1, or Infinity, got 0'],
    [{ network: false }, 'network: expected true, got false'],
    [{ network: true, reset: true }, 'more than one effect, network and reset; set only one of'],
    [{ truncate: true, status: 500 }, 'more than one effect, truncate and status; set only one of'],
    [{ network: true, body: {} }, 'the fault: body: only allowed with status'],
    [{ status: 429, headers: { 'x y': '1' } }, 'headers'],
    [{ status: 429, headers: { 'x-a': 5 } }, 'headers["x-a"]: expected a string, got 5'],
    [{ status: 429, headers: ['x-a: 5'] }, 'headers: expected an object of header names and values, got an array'],
    [
      { status: 429, headers: new Map() },
      'headers: expected an object of header names and values, got an instance of Map',
    ],
    [{ status: 429, match: { user: {} } }, 'match.user: expected a user or the ID of one, got an object'],
    [{ status: 429, match: { user: 'grace' } }, 'the mock service has no user grace; create it'],
    [{ status: 429, match: { params: ['x'] } }, 'match.params: expected an object, got an array'],
    [
      { status: 429, match: { params: { page: Number.NaN } } },
      'match.params.page: expected a value that JSON can represent, got NaN',
    ],
    [{ status: 200, body: 1n }, 'body: expected a value that JSON can represent, got a bigint'],
    [{ status: 200, body: Number.NaN }, 'body: expected a value that JSON can represent, got NaN'],
    [{ status: 200, body: new Map() }, 'body: expected a value that JSON can represent, got an instance of Map'],
    [
      { status: 200, body: { users: [{ at: new Date(0) }] } },
      'body.users[0].at: expected a value that JSON can represent, got an instance of Date',
    ],
    [{ status: 200, body: [undefined] }, 'body[0]: expected a value that JSON can represent, got undefined'],
    [{ status: 204, body: { id: '1' } }, 'body: a response with status 204 has no body'],
    [{ status: 304, html: true }, 'html: a response with status 304 has no body'],
    [{ status: 204, bandwidth: 5 }, 'bandwidth: a response with status 204 has no body'],
    [
      { status: 503, headers: { 'Content-Length': '1' } },
      'expected another header: the server sets those of the connection',
    ],
    [
      { status: 503, headers: { 'transfer-encoding': 'chunked' } },
      'headers["transfer-encoding"]: expected another header',
    ],
    [undefined, 'expected an object, got undefined'],
  ])('they are rejected by faults.on(): %o', (fault, message) => {
    const { service } = setUp()
    expect(() => service.faults.on(path, fault as Fault)).toThrow(message)
  })

  it.each<[string, string]>([
    ['GET /nope/{user.id}', 'no endpoint has the path /nope/{user.id}'],
    ['GET /auth/sessions?page=1', 'the path must not have a query'],
    ['FETCH /auth/sessions', 'FETCH is not an HTTP method'],
    ['get /auth/sessions', 'is neither'],
    ['GET /auth/../sessions', 'the path must not have a query, a fragment, a wildcard or the segments "." and ".."'],
    [
      'GET /users/*',
      'must not have a query, a fragment, a wildcard or the segments "." and ".."; "*" alone selects all',
    ],
  ])('faults.on() and journal.find() reject the selector %s', (selector, message) => {
    const { service } = setUp()
    expect(() => service.faults.on(selector as 'GET /x', { status: 500 })).toThrow(message)
    expect(() => service.journal.find(selector as 'GET /x')).toThrow(message)
  })
})

it.each([null, true, -1, 0.5, 1n, {}, [], new Date(Number.NaN), '2030-01-01'])(
  '%o is not a time for a clock to start at or be set to',
  (time) => {
    expect(() => createMockService({ now: time as number })).toThrow(/^now: .* is not (?:a point in time|from 1970)/)
    const { service } = setUp()
    const before = service.clock.now()
    expect(() => service.clock.set(time as number)).toThrow(/^clock\.set: .* is not (?:a point in time|from 1970)/)
    expect(service.clock.now()).toBe(before)
  },
)

it('no account has a login with a lone surrogate', () => {
  const { service } = setUp()
  expect(service.users.find('ada\ud800')).toBeUndefined()
})

it.each([undefined, null, {}, 5])('an error says that the user %o does not exist', (user) => {
  const { service } = setUp()
  expect(() => service.users.get(user as unknown as string)).toThrow('the mock service has no user ')
})

describe('invalid accounts', () => {
  it.each<[object, string]>([
    [
      { login: 'x@example.com', pasword: 'correct horse' },
      'users.create: pasword: unknown; expected one of login, password, username, discriminator, ',
    ],
    [{ login: 'x@example.com', password: 'abcde' }, 'users.create: password: 5 characters, at least 8'],
    [
      { login: 'x@example.com', password: 12345678 },
      'users.create: password: expected a non-empty string, got a number',
    ],
    [{}, 'users.create: login: required'],
    [{ login: 'ada' }, 'users.create: login: expected an e-mail address, or a phone number in E.164 format, got "ada"'],
    [{ login: '+1' }, 'users.create: login: expected an e-mail address, or'],
    [{ login: 'a b@example.com' }, 'users.create: login: expected an e-mail address, or'],
    [{ login: 'x@example.com', mfa: 'totp' }, 'users.create: mfa: expected an array, got "totp"'],
    [{ login: 'x@example.com', mfa: new Array(1) }, 'users.create: mfa[0]: expected '],
    [{ login: 'x@example.com', discriminator: 42 }, 'users.create: discriminator: expected a string or null, got 42'],
    [
      { login: 'x@example.com', phone: '555' },
      'users.create: phone: expected a phone number in E.164 format, got "555"',
    ],
    [
      { login: 'x@example.com', discriminator: '\ud800' },
      'users.create: discriminator: expected a string or null, got one with a lone surrogate',
    ],
    [
      { login: 'x@example.com', locale: 'de\ud800' },
      'users.create: locale: expected a non-empty string, got one with a lone surrogate',
    ],
    [{ login: 'x@example.com', theme: 'blue' }, 'users.create: theme: expected "dark" or "light", got "blue"'],
  ])('users.create() rejects the options %j', (options, message) => {
    const { service } = setUp()
    const create = () => service.users.create(options as { login: string })
    expect(create).toThrow(message)
    expect(create).not.toThrow(/abcde|12345678/)
  })

  it.each([null, undefined, 'totp', ['fax'], new Set()])('setFactors() refuses %o and keeps the factors', (mfa) => {
    const { service } = setUp()
    const user = service.users.create({ login: 'x@example.com', mfa: ['totp'] })
    expect(() => service.users.setFactors(user, mfa as never)).toThrow('users.setFactors: mfa')
    expect(service.users.get(user).mfa).toEqual(['totp'])
  })

  it('the address and the phone number of an account are changed only to those', () => {
    const { service, ada } = setUp()
    expect(() => service.users.changeEmail(ada, 'ada')).toThrow('users.changeEmail: email: expected an e-mail address')
    expect(() => service.users.changePhone(ada, '')).toThrow('users.changePhone: phone: expected a phone number')
    expect(service.users.get(ada)).toEqual(ada)
  })

  it('users.create() refuses a phone number other than the one to sign in with', () => {
    const { service } = setUp()
    const create = () => service.users.create({ login: '+15555550100', phone: '+15555550101' })
    expect(create).toThrow('users.create: phone: the login +15555550100 is the phone number of the account')
    expect(service.users.find('+15555550101')).toBeUndefined()
  })

  it('users.create() generates a phone number for SMS codes', () => {
    const { service } = setUp()
    expect(service.users.create({ login: 'x@example.com', mfa: ['sms'] }).phone).toMatch(/^\+1555\d{7}$/)
  })
})
