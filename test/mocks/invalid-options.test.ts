import { createMockService, type Fault, type MockServiceOptions } from 'rapport-sdk/mocks'
import { describe, expect, it } from 'vitest'
import { setUp } from './set-up'

describe('invalid options of createMockService()', () => {
  it.each<[unknown, string]>([
    [
      { sed: 1 },
      'createMockService: unknown option "sed"; known are baseUrl, maxBodyBytes, maxJournalEntries, now, policy, requireMfa, rpId, seed, strict, verifyPasskey',
    ],
    [{ seed: '1' }, 'createMockService: seed must be an integer'],
    [{ strict: 'no' }, 'createMockService: strict must be true or false, got "no"'],
    [{ requireMfa: 5 }, 'createMockService: requireMfa must be a function, got 5'],
    [{ baseUrl: 'service.example' }, 'baseUrl must be an absolute URL'],
    [{ policy: 5 }, 'policy: expected an object, got 5'],
    [{ policy: { requireMFA: () => true } }, 'policy: unknown option "requireMFA"; known are'],
    [{ policy: { requireMfa: true } }, 'policy: requireMfa must be a function, got true'],
    [{ policy: { resetEndsSessions: 'yes' } }, 'policy: resetEndsSessions must be true or false, got "yes"'],
    [{ policy: { toString: () => '' } }, 'policy: unknown option "toString"'],
    [
      { policy: { lifetimes: { ticket: '5 min' } } },
      'policy.lifetimes: ticket must be milliseconds or a string such as "30s"',
    ],
    [{ policy: { lifetimes: { tickets: '5m' } } }, 'policy.lifetimes: unknown option "tickets"'],
    [{ policy: { lifetimes: { ticket: Number.NaN } } }, 'got NaN'],
    [{ policy: { gateway: { heartbeat: 5 } } }, 'policy.gateway: unknown option "heartbeat"; known are closeCodes, '],
    [
      { policy: { gateway: { heartbeatInterval: Number.POSITIVE_INFINITY } } },
      'policy.gateway: heartbeatInterval must be',
    ],
    [{ policy: { gateway: { resumeWindow: 'long' } } }, 'policy.gateway: resumeWindow must be milliseconds'],
    [
      { policy: { gateway: { replayLimit: 1.5 } } },
      'policy.gateway: replayLimit must be an integer of at least 0, or Infinity, got 1.5',
    ],
    [{ policy: { gateway: { resumeUrl: 'wss://x' } } }, 'policy.gateway: resumeUrl must be a function'],
    [
      { policy: { gateway: { closeCodes: { timedOut: 1006 } } } },
      'closeCodes: timedOut must be an integer from 3000 to 4999',
    ],
    [{ policy: { gateway: { closeCodes: { gone: 4000 } } } }, 'policy.gateway.closeCodes: unknown option "gone"'],
    [{ policy: { errors: { notFound: {} } } }, 'policy.errors: unknown option "notFound"'],
    [
      { policy: { errors: { forbidden: { status: 200, code: 1, message: 'x' } } } },
      'status must be an integer from 400 to 599',
    ],
    [{ policy: { errors: { forbidden: { status: 403 } } } }, 'policy.errors.forbidden: code is required'],
  ])('createMockService() rejects the options %j', (options, message) => {
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
    [{ stats: 500 }, 'unknown option "stats"; known are body, '],
    [{ status: 99 }, 'status must be an integer from 200 to 599, got 99'],
    [{ status: '500' }, 'status must be an integer from 200 to 599, got "500"'],
    [{ latency: '5 minutes' }, 'latency must be milliseconds or a string such as "30s", "5m" or "2d"'],
    [{ latency: '60d' }, 'at most'],
    [{ status: 500, times: -1 }, 'times must be an integer of at least 0, or Infinity, got -1'],
    [{ network: false }, 'network must be true, got false'],
    [{ network: true, reset: true }, 'more than one effect, network and reset; set only one of'],
    [{ truncate: true, status: 500 }, 'more than one effect, truncate and status; set only one of'],
    [{ network: true, body: {} }, 'body is only allowed with status'],
    [{ status: 429, headers: { 'x y': '1' } }, 'headers'],
    [{ status: 200, body: 1n }, 'body must be a value that JSON can represent'],
    [undefined, 'expected an object, got undefined'],
  ])('faults.on() rejects the fault %o', (fault, message) => {
    const { service } = setUp()
    expect(() => service.faults.on(path, fault as Fault)).toThrow(message)
  })

  it.each<[string, string]>([
    ['GET /nope/{user.id}', 'no endpoint has the path /nope/{user.id}'],
    ['GET /auth/sessions?page=1', 'the path must not have a query'],
    ['FETCH /auth/sessions', 'FETCH is not an HTTP method'],
    ['get /auth/sessions', 'is neither'],
  ])('faults.on() and journal.find() reject the selector %s', (selector, message) => {
    const { service } = setUp()
    expect(() => service.faults.on(selector as 'GET /x', { status: 500 })).toThrow(message)
    expect(() => service.journal.find(selector as 'GET /x')).toThrow(message)
  })
})

describe('invalid accounts', () => {
  it.each<[object, string]>([
    [
      { login: 'x@example.com', pasword: 'correct horse' },
      'users.create: unknown option "pasword"; known are discriminator, global_name',
    ],
    [{ login: 'x@example.com', password: 'abcde' }, 'users.create: password: 5 characters, at least 8'],
    [{ login: 'x@example.com', password: 12345678 }, 'users.create: password must be a non-empty string'],
    [{}, 'users.create: login is required'],
    [{ login: 'x@example.com', mfa: 'totp' }, 'users.create: mfa must be an array, got "totp"'],
    [{ login: 'x@example.com', discriminator: 42 }, 'users.create: discriminator must be a string or null, got 42'],
    [{ login: 'x@example.com', phone: '555' }, 'users.create: phone must be a phone number in E.164 format'],
    [{ login: 'x@example.com', theme: 'blue' }, 'users.create: theme must be "dark" or "light", got "blue"'],
  ])('users.create() rejects the options %j', (options, message) => {
    const { service } = setUp()
    const create = () => service.users.create(options as { login: string })
    expect(create).toThrow(message)
    expect(create).not.toThrow(/abcde|12345678/)
  })

  it('users.create() generates a phone number for SMS codes', () => {
    const { service } = setUp()
    expect(service.users.create({ login: 'x@example.com', mfa: ['sms'] }).phone).toMatch(/^\+1555\d{7}$/)
  })
})
