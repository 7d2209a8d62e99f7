import { createMockService, type Fault, type MockServiceOptions } from 'rapport-sdk/mocks'
import { describe, expect, it } from 'vitest'
import { setUp } from './calls'

describe('a mistake in the set-up of a service', () => {
  it.each<[unknown, string]>([
    [
      { sed: 1 },
      'createMockService: there is no "sed"; there are baseUrl, maxBodyBytes, maxJournalEntries, now, policy, requireMfa, rpId, seed, strict, verifyPasskey',
    ],
    [{ seed: '1' }, 'createMockService: seed is an integer'],
    [{ strict: 'no' }, 'createMockService: strict is true or false, not "no"'],
    [{ requireMfa: 5 }, 'createMockService: requireMfa is a function, not 5'],
    [{ baseUrl: 'service.example' }, 'baseUrl is an absolute address'],
    [{ policy: 5 }, 'policy: expected an object, got 5'],
    [{ policy: { requireMFA: () => true } }, 'policy: there is no "requireMFA"; there are'],
    [{ policy: { requireMfa: true } }, 'policy: requireMfa is a function, not true'],
    [{ policy: { resetEndsSessions: 'yes' } }, 'policy: resetEndsSessions is true or false, not "yes"'],
    [{ policy: { toString: () => '' } }, 'policy: there is no "toString"'],
    [
      { policy: { lifetimes: { ticket: '5 min' } } },
      'policy.lifetimes: ticket is milliseconds or a text such as "30s"',
    ],
    [{ policy: { lifetimes: { tickets: '5m' } } }, 'policy.lifetimes: there is no "tickets"'],
    [{ policy: { lifetimes: { ticket: Number.NaN } } }, 'not NaN'],
    [{ policy: { gateway: { heartbeat: 5 } } }, 'policy.gateway: there is no "heartbeat"; there are closeCodes, '],
    [{ policy: { gateway: { heartbeatInterval: Number.POSITIVE_INFINITY } } }, 'policy.gateway: heartbeatInterval is'],
    [{ policy: { gateway: { resumeWindow: 'long' } } }, 'policy.gateway: resumeWindow is milliseconds'],
    [
      { policy: { gateway: { replayLimit: 1.5 } } },
      'policy.gateway: replayLimit is a whole number or Infinity, not 1.5',
    ],
    [{ policy: { gateway: { resumeUrl: 'wss://x' } } }, 'policy.gateway: resumeUrl is a function'],
    [
      { policy: { gateway: { closeCodes: { timedOut: 1006 } } } },
      'closeCodes: timedOut is an integer from 3000 to 4999',
    ],
    [{ policy: { gateway: { closeCodes: { gone: 4000 } } } }, 'policy.gateway.closeCodes: there is no "gone"'],
    [{ policy: { errors: { notFound: {} } } }, 'policy.errors: there is no "notFound"'],
    [
      { policy: { errors: { forbidden: { status: 200, code: 1, message: 'x' } } } },
      'status is an integer from 400 to 599',
    ],
    [{ policy: { errors: { forbidden: { status: 403 } } } }, 'policy.errors.forbidden: code is left out'],
  ])('is refused at once: %j', (options, message) => {
    expect(() => createMockService(options as MockServiceOptions)).toThrow(message)
  })

  it('is not what is left out', () => {
    const policy = { requireMfa: undefined, lifetimes: { ticket: undefined }, errors: { forbidden: undefined } }
    const gateway = { replayLimit: undefined, closeCodes: { timedOut: undefined } }
    const options = { seed: undefined, now: undefined, policy: { ...policy, gateway } } as unknown as MockServiceOptions
    const { policy: made } = createMockService(options)
    const { policy: usual } = createMockService()
    expect(made).toEqual(usual)
  })
})

describe('a mistake in a fault', () => {
  const path = 'Get Location Metadata'
  it.each<[unknown, string]>([
    [{}, 'says nothing that goes wrong'],
    [{ times: 1 }, 'says nothing that goes wrong'],
    [{ body: {} }, 'says nothing that goes wrong'],
    [{ stats: 500 }, 'there is no "stats"; there are body, '],
    [{ status: 99 }, 'status is an integer from 200 to 599, not 99'],
    [{ status: '500' }, 'status is an integer from 200 to 599, not "500"'],
    [{ latency: '5 minutes' }, 'latency is milliseconds or a text such as "30s", "5m" or "2d"'],
    [{ latency: '60d' }, 'at most'],
    [{ status: 500, times: -1 }, 'times is a whole number or Infinity, not -1'],
    [{ network: false }, 'network is true, not false'],
    [{ network: true, reset: true }, 'says network and reset; a fault is one of'],
    [{ truncate: true, status: 500 }, 'says truncate and status; a fault is one of'],
    [{ network: true, body: {} }, 'body goes with a status alone'],
    [{ status: 429, headers: { 'x y': '1' } }, 'headers'],
    [{ status: 200, body: 1n }, 'body is what JSON can say'],
    [undefined, 'expected an object, got undefined'],
  ])('is refused at once: %o', (fault, message) => {
    const { service } = setUp()
    expect(() => service.faults.on(path, fault as Fault)).toThrow(message)
  })

  it.each<[string, string]>([
    ['GET /nope/{user.id}', 'no documented path is /nope/{user.id}'],
    ['GET /auth/sessions?page=1', 'a path without query'],
    ['FETCH /auth/sessions', 'FETCH is no method'],
    ['get /auth/sessions', 'is neither'],
  ])('is refused where no request could be it: %s', (selector, message) => {
    const { service } = setUp()
    expect(() => service.faults.on(selector as 'GET /x', { status: 500 })).toThrow(message)
    expect(() => service.journal.find(selector as 'GET /x')).toThrow(message)
  })
})

describe('a mistake in an account', () => {
  it.each<[object, string]>([
    [
      { login: 'x@example.com', pasword: 'correct horse' },
      'users.create: there is no "pasword"; there are discriminator, global_name',
    ],
    [{ login: 'x@example.com', password: 'abcde' }, 'users.create: password: 5 characters, at least 8'],
    [{ login: 'x@example.com', password: 12345678 }, 'users.create: password is a text'],
    [{}, 'users.create: login is left out'],
    [{ login: 'x@example.com', mfa: 'totp' }, 'users.create: mfa is a list, not "totp"'],
    [{ login: 'x@example.com', discriminator: 42 }, 'users.create: discriminator is a text or null, not 42'],
    [{ login: 'x@example.com', phone: '555' }, 'users.create: phone is a number in E.164 form'],
    [{ login: 'x@example.com', theme: 'blue' }, 'users.create: theme is "dark" or "light", not "blue"'],
  ])('is refused at once: %j', (options, message) => {
    const { service } = setUp()
    const create = () => service.users.create(options as { login: string })
    expect(create).toThrow(message)
    expect(create).not.toThrow(/abcde|12345678/)
  })

  it('is not to leave out the phone number that SMS codes go to: the account gets one', () => {
    const { service } = setUp()
    expect(service.users.create({ login: 'x@example.com', mfa: ['sms'] }).phone).toMatch(/^\+1555\d{7}$/)
  })
})
