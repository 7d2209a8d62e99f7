import { Ajv } from 'ajv'
import { createMockService, type MockService } from 'rapport-sdk/mocks'
import { expect, test } from 'vitest'
import { applySeed } from '../../mocks/control/seed-data'
import { policySchema, seedSchema } from '../../scripts/interface/seed-schema'
import { textOf } from '../architecture/sources'

const ajv = new Ajv({ strict: false })
const isSeed = ajv.compile(seedSchema())
const isPolicy = ajv.compile(policySchema())

const password = 'correct horse battery'

/** The example of the guide. */
const [, example = ''] =
  /```json\n(\{\n {2}"\$schema"[\s\S]*?\n\})\n```/.exec(textOf('docs/guides/testing-with-the-mock.md')) ?? []

function isAccepted(data: unknown): boolean {
  try {
    applySeed(createMockService(), data, 'seed.json')
    return true
  } catch {
    return false
  }
}

test('the schema of seed files and the command accept the example of the guide', () => {
  const data: unknown = JSON.parse(example)
  expect([isSeed(data), isSeed.errors]).toEqual([true, null])
  expect(isAccepted(data)).toBe(true)
})

const ada = { login: 'ada@example.com', username: 'ada', password }
const grace = { login: 'grace@example.com', username: 'grace' }

test.each([
  {},
  { $schema: './seed.schema.json', seed: 7, now: '2026-01-01T00:00:00Z' },
  {
    users: [
      { ...ada, mfa: ['totp', 'sms'], phone: '+15555550100', status: 'locked', theme: 'light', discriminator: null },
    ],
  },
  { users: [{ ...ada, passkeys: [{ id: 'a2V5', publicKey: 'a2V5', counter: 3 }] }] },
  {
    users: [ada],
    applications: [{ owner: 'ada', name: 'Game', members: ['ada'], assets: [{ id: '1' }], featured: true }],
  },
  { users: [ada, grace], relationships: [{ action: 'request', user: 'ada', target: 'grace', note: null, spam: true }] },
  {
    users: [ada, grace],
    suggestions: [{ user: 'ada', target: 'grace', reasons: [{ type: 1, platform: 'x', name: 'y' }] }],
  },
  { layouts: [{ key: 'x', surface: 'widget_top', display_name: 'X', components: {} }] },
  { faults: [{ endpoint: 'GET /auth/sessions', status: 503, latency: '2s', match: { headers: { a: 'b' } } }] },
  {
    faults: [
      { endpoint: 'Login Account', html: true },
      { endpoint: 'Login Account', network: true, times: 2 },
    ],
  },
  { policy: { requireMfa: { 'Login Account': 'with-factor' }, rateLimits: { '*': { limit: 5, per: '1m' } } } },
  { policy: { lifetimes: { session: null, ticket: 5000 }, password: { minLength: 12 }, ignoredType: 5 } },
  { policy: { links: { password_reset: 'http://localhost:5173/reset' } } },
])('the schema of seed files and the command accept %j', (data) => {
  expect([isSeed(data), isSeed.errors]).toEqual([true, null])
  expect(isAccepted(data)).toBe(true)
})

test.each([
  [],
  { user: [] },
  { seed: -1 },
  { users: {} },
  { users: [{ username: 'ada' }] },
  { users: [{ ...ada, pasword: 'x' }] },
  { users: [{ ...ada, password: 'short' }] },
  { users: [{ ...ada, mfa: ['fax'] }] },
  { users: [{ ...ada, phone: '555' }] },
  { users: [{ ...ada, status: 'active' }] },
  { applications: [{ name: 'Game' }] },
  { users: [ada, grace], relationships: [{ action: 'hug', user: 'ada', target: 'grace' }] },
  { layouts: [{ key: 'x' }] },
  { faults: [{ status: 503 }] },
  { faults: [{ endpoint: 'Login Account', status: 5 }] },
  { faults: [{ endpoint: 'Login Account', status: 503, latency: 'soon' }] },
  { policy: { requireMfa: { Login: true } } },
  { policy: { rateLimits: { '*': { limit: 0, per: '1m' } } } },
  { policy: { lifetimes: { sessions: '5m' } } },
  { policy: { newConfigStatus: 'new' } },
  { policy: { links: { password_reset: '/reset' } } },
  { policy: { links: { mfa: 'http://localhost:5173/' } } },
])('the schema of seed files and the command refuse %j', (data) => {
  expect(isSeed(data)).toBe(false)
  expect(isAccepted(data)).toBe(false)
})

test('the schema of policy files accepts the settings of a service, and what the service accepts', () => {
  const service: MockService = createMockService()
  expect([isPolicy(service.policySettings), isPolicy.errors]).toEqual([true, null])
  service.changePolicy(service.policySettings)
  expect(isPolicy({ $schema: './policy.schema.json', authorization: { scheme: 'Bearer' } })).toBe(true)
  for (const invalid of [{ partialUser: 'x' }, { authorization: {} }, { gateway: { closeCodes: { timedOut: 1 } } }]) {
    expect(isPolicy(invalid)).toBe(false)
    expect(() => service.changePolicy(invalid as object)).toThrow('changePolicy: ')
  }
})

test('every option of a seed file has a description', () => {
  const schema = seedSchema()
  const lists = Object.entries(schema.properties ?? {}).flatMap(([name, { items }]) => [
    [name, schema.properties?.[name]?.description],
    ...Object.entries(Object(items).properties ?? {}).map(([field, value]) => [
      `${name}.${field}`,
      Object(value).description,
    ]),
  ])
  expect(lists.length).toBeGreaterThan(50)
  expect(lists.filter(([, text]) => !text)).toEqual([])
})
