import { describe, expect, test } from 'vitest'
import { ENDPOINT_TABLE } from '../../contract/endpoint-table'
import { issuesOf, paramCases, sentBody, validationErrorOf } from './param-table'

/** Invalid values of each type. */
const INVALID_VALUES: Readonly<Record<string, readonly unknown[]>> = {
  string: [5, true, [], {}, 1n],
  boolean: ['true', 1, 0, [], {}],
  array: ['text', 5, true, {}, { length: 1, 0: '1' }],
  object: ['text', 5, true, []],
  enum: ['none of them', 99, 1.5, Number.NaN, true, [], {}, '1'],
}
const SECRETS = 'password token ticket code data credential key handoff_token phone_token voip_token fingerprint'

test('every call with parameters is in the parameter table', () => {
  const withParams = ENDPOINT_TABLE.filter(({ params }) => params.length > 0)
  expect(paramCases.map(({ call }) => call).sort()).toEqual(withParams.map(({ call }) => call).sort())
  for (const { call, fields } of paramCases) {
    const marked = fields.map((spec) => spec.field + (spec.isOptional ? '?' : '') + (spec.isNullable ? '~' : ''))
    const row = withParams.find((row) => row.call === call)
    expect(marked.sort(), call).toEqual(row?.params.map((field) => field.replace('&', '')).sort())
  }
})

describe.each(paramCases)('$call', ({ call, path, params }) => {
  test('rejects an unknown field', async () => {
    expect(await issuesOf(call, ...path, { ...params, unknown: 'x' })).toEqual(['unknown: unknown_field'])
  })

  test.each([
    ['text'],
    [5],
    [true],
    [[]],
    [[params]],
    [() => params],
    [new Map(Object.entries(params))],
    [new Date(0)],
  ])('rejects %o as its parameters', async (value) => {
    const { issues } = await validationErrorOf(call, ...path, value)
    expect(issues).toContainEqual(expect.objectContaining({ path: [], code: 'invalid_type' }))
  })

  test('rejects inherited fields, which would not be sent', async () => {
    const { issues } = await validationErrorOf(call, ...path, Object.create(params))
    expect(issues).toContainEqual(expect.objectContaining({ path: [], code: 'invalid_type' }))
  })

  test('accepts parameters without a prototype', async () => {
    const nullPrototype: unknown = Object.assign(Object.create(null), params)
    expect(await sentBody(call, ...path, nullPrototype)).toEqual(await sentBody(call, ...path, params))
  })
})

const everyField = paramCases.flatMap(({ fields, ...rest }) => fields.map((spec) => ({ ...rest, ...spec })))

describe.each(everyField)('$field of $call', ({ call, path, params, field, type, isOptional, isNullable }) => {
  const withValue = (value: unknown): unknown[] => [...path, { ...params, [field]: value }]
  const isSecret = SECRETS.split(' ').includes(field)

  test.each(INVALID_VALUES[type] ?? [])('rejects %o', async (value) => {
    const { issues } = await validationErrorOf(call, ...withValue(value))
    expect(issues).toHaveLength(1)
    expect(issues[0]).toMatchObject({ path: [field], severity: 'error' })
    expect(issues[0]?.code).toMatch(type === 'enum' ? /^invalid_(type|value)$/ : /^invalid_type$/)
    if (isSecret && ['number', 'boolean'].includes(typeof value)) expect(issues[0]?.actual).toBe('[redacted]')
  })

  test(`${isNullable ? 'accepts' : 'rejects'} null`, async () => {
    if (isNullable) expect(await sentBody(call, ...withValue(null))).toHaveProperty(field, null)
    else expect((await issuesOf(call, ...withValue(null)))[0]).toMatch(new RegExp(`^${field}: invalid_(type|value)`))
  })

  test(`${isOptional ? 'can be absent' : 'is required'}`, async () => {
    const { [field]: _, ...rest } = params
    if (isOptional) expect((await sentBody(call, ...path, rest)) ?? {}).not.toHaveProperty(field)
    else expect(await issuesOf(call, ...path, rest)).toEqual([`${field}: required`])
  })

  test(`${isOptional ? 'is not sent' : 'is rejected'} if it is undefined`, async () => {
    if (isOptional) expect((await sentBody(call, ...withValue(undefined))) ?? {}).not.toHaveProperty(field)
    else expect(await issuesOf(call, ...withValue(undefined))).toEqual([`${field}: required`])
  })
})
