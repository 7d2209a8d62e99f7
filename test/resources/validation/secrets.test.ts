import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { paramCases, validationErrorOf } from './param-table'

const SECRETS = 'password token ticket code data credential key handoff_token phone_token voip_token fingerprint'
const withSecrets = paramCases.flatMap(({ fields, ...rest }) => {
  const secrets = fields.filter(({ field, type }) => type === 'string' && SECRETS.split(' ').includes(field))
  return secrets.map(({ field }) => ({ ...rest, field }))
})

/** Returns all textual representations of an error. */
function render(error: Error): string {
  const json = JSON.stringify(error)
  return [error.message, error.stack, String(error), json, inspect(error, { depth: null, showHidden: true })].join('\n')
}

test('15 calls have secret parameters', () => {
  expect(new Set(withSecrets.map(({ call }) => call)).size).toBe(15)
})

describe.each(withSecrets)('the secret $field of $call', ({ call, path, params, field }) => {
  const errorWith = (value: unknown, rest: object = {}) =>
    validationErrorOf(call, ...path, { ...params, [field]: value, ...rest })

  test('it is not shown by an error about another field', async () => {
    expect(render(await errorWith('s3cr3t-and-long', { unknown: 1 }))).not.toContain('s3cr3t')
  })

  test.each([
    ['a number', 31337_31337],
    ['a big integer', 31337_31337n],
    ['an array', ['s3cr3t', 31337_31337]],
    ['an object', { s3cr3t: 's3cr3t' }],
    ['a function', () => 's3cr3t'],
    ['a symbol', Symbol('s3cr3t')],
  ])('it is not shown if it is %s', async (_, value) => {
    const error = await errorWith(value)
    expect(error.issues.map((issue) => issue.path)).toEqual([[field]])
    expect(render(error)).not.toMatch(/s3cr3t|3133731337/)
  })
})

const PASSWORDS = [
  ['client.auth.login', { login: 'ada@example.test' }],
  ['client.auth.register', { username: 'ada' }],
  ['client.auth.validatePassword', {}],
  ['client.auth.resetPassword', { token: 's3cr3t-token' }],
] as const

test.each(PASSWORDS)('an error of %s does not show a password that is too long or too short', async (call, params) => {
  for (const password of ['s3cr3t', 's3cr3t'.repeat(13)]) {
    const error = await validationErrorOf(call, { ...params, password })
    expect(error.issues).toHaveLength(1)
    expect(error.issues[0]).toMatchObject({ path: ['password'], actual: password.length })
    expect(render(error)).not.toContain('s3cr3t')
  }
})

test.each(PASSWORDS)(
  'an error of %s does not show a secret that is passed in place of its parameters',
  async (call) => {
    for (const secret of ['s3cr3t-and-long', 31337_31337]) {
      const error = await validationErrorOf(call, secret)
      expect(error.issues).toMatchObject([{ path: [], code: 'invalid_type', actual: '[redacted]' }])
      expect(render(error)).not.toMatch(/s3cr3t|3133731337/)
    }
  },
)

test('an error shows `null` that is passed in place of parameters, which is not a secret', async () => {
  const error = await validationErrorOf('client.auth.login', null)
  expect(error.issues).toMatchObject([{ path: [], code: 'invalid_type', actual: null }])
  expect(error.message).toContain('expected an object, got null')
})

test('an error redacts metadata that are named like a secret and shows other values', async () => {
  const metadata = { token: 1n, level: 1n }
  const error = await validationErrorOf('client.identities.updateProfile', '200', '100', 'p7', {
    metadata,
    username: 7,
  })
  expect(render(error)).toContain('the number 7')
  expect(error.issues.map(({ path }) => path.join('.'))).toEqual(['username', 'metadata.token', 'metadata.level'])
})

test('a validation error can be serialized as JSON for any invalid value', async () => {
  const values = [1n, Symbol('a'), () => 1, Number.NaN, new Map(), Object.create(null)]
  for (const type of values) {
    const error = await validationErrorOf('client.relationships.create', '101', { type })
    const written: unknown = JSON.parse(JSON.stringify(error))
    expect(written).toMatchObject({ name: 'RequestValidationError', endpoint: 'Create Relationship' })
  }
})
