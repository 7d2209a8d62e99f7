import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { paramCases } from './param-table'
import { refusal } from './refusal'

const SECRETS = 'password token ticket code data credential key handoff_token phone_token voip_token fingerprint'
const withSecrets = paramCases.flatMap(({ fields, ...rest }) => {
  const secrets = fields.filter(({ field, kind }) => kind === 'text' && SECRETS.split(' ').includes(field))
  return secrets.map(({ field }) => ({ ...rest, field }))
})

/** Everything that a log may make of an error. */
function shown(error: Error): string {
  const json = JSON.stringify(error)
  return [error.message, error.stack, String(error), json, inspect(error, { depth: null, showHidden: true })].join('\n')
}

test('the calls that take secrets are these', () => {
  expect(new Set(withSecrets.map(({ call }) => call)).size).toBe(15)
})

describe.each(withSecrets)('$field of $call is in no error', ({ call, path, params, field }) => {
  const refused = (value: unknown, rest: object = {}) => refusal(call, ...path, { ...params, [field]: value, ...rest })

  test('when another field is wrong', async () => {
    expect(shown(await refused('s3cr3t-and-long', { field_of_tomorrow: 1 }))).not.toContain('s3cr3t')
  })

  test.each([
    ['a number', 31337_31337],
    ['a big integer', 31337_31337n],
    ['a list', ['s3cr3t', 31337_31337]],
    ['an object', { s3cr3t: 's3cr3t' }],
    ['a function', () => 's3cr3t'],
    ['a symbol', Symbol('s3cr3t')],
  ])('when it is %s', async (_, value) => {
    const error = await refused(value)
    expect(error.issues.map((issue) => issue.path)).toEqual([[field]])
    expect(shown(error)).not.toMatch(/s3cr3t|3133731337/)
  })
})

const PASSWORDS = [
  ['client.auth.login', { login: 'ada@example.test' }],
  ['client.auth.register', { username: 'ada' }],
  ['client.auth.validatePassword', {}],
  ['client.auth.resetPassword', { token: 's3cr3t-token' }],
] as const

test.each(PASSWORDS)('a password that is too long or too short is in no error of %s', async (call, params) => {
  for (const password of ['s3cr3t', 's3cr3t'.repeat(13)]) {
    const error = await refusal(call, { ...params, password })
    expect(error.issues).toHaveLength(1)
    expect(error.issues[0]).toMatchObject({ path: ['password'], actual: password.length })
    expect(shown(error)).not.toContain('s3cr3t')
  }
})

test('a secret in metadata is masked by its name, and what is no secret is told', async () => {
  const metadata = { token: 1n, level: 1n }
  const error = await refusal('client.identities.updateProfile', '200', '100', 'p7', { metadata, username: 7 })
  expect(shown(error)).toContain('the number 7')
  expect(error.issues.map(({ path }) => path.join('.'))).toEqual(['username', 'metadata.token', 'metadata.level'])
})

test('an error can be written as JSON whatever was given', async () => {
  const values = [1n, Symbol('a'), () => 1, Number.NaN, new Map(), Object.create(null)]
  for (const type of values) {
    const error = await refusal('client.relationships.create', '101', { type })
    const written: unknown = JSON.parse(JSON.stringify(error))
    expect(written).toMatchObject({ name: 'RequestValidationError', endpoint: 'Create Relationship' })
  }
})
