import { describe, expect, test } from 'vitest'
import { ENDPOINT_TABLE } from '../../contract/endpoint-table'
import { paramCases } from './param-table'
import { problems, refusal, sentBody } from './refusal'

// What is not of a kind. The empty list is an object to JavaScript, and 1 and "true" are no flags.
const STRANGERS: Readonly<Record<string, readonly unknown[]>> = {
  text: [5, true, [], {}, 1n],
  flag: ['true', 1, 0, [], {}],
  list: ['text', 5, true, {}, { length: 1, 0: '1' }],
  object: ['text', 5, true, []],
  choice: ['none of them', 99, 1.5, Number.NaN, true, [], {}, '1'],
}
const SECRETS = 'password token ticket code data credential key handoff_token phone_token voip_token fingerprint'

test('every call with parameters is checked here', () => {
  const withParams = ENDPOINT_TABLE.filter(({ params }) => params.length > 0)
  expect(paramCases.map(({ call }) => call).sort()).toEqual(withParams.map(({ call }) => call).sort())
  for (const { call, fields } of paramCases) {
    const marked = fields.map((fact) => fact.field + (fact.isOptional ? '?' : '') + (fact.isNullable ? '~' : ''))
    const row = withParams.find((facts) => facts.call === call)
    expect(marked.sort(), call).toEqual(row?.params.map((field) => field.replace('&', '')).sort())
  }
})

describe.each(paramCases)('$call', ({ call, path, params }) => {
  test('refuses a field that the document does not name', async () => {
    const given = { ...params, field_of_tomorrow: 'x' }
    expect(await problems(call, ...path, given)).toEqual(['field_of_tomorrow: unknown_field'])
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
  ])('refuses %o in the place of its parameters', async (given) => {
    const { issues } = await refusal(call, ...path, given)
    expect(issues).toContainEqual(expect.objectContaining({ path: [], code: 'invalid_type' }))
  })

  test('refuses fields that are inherited: they would not be sent', async () => {
    const { issues } = await refusal(call, ...path, Object.create(params))
    expect(issues).toContainEqual(expect.objectContaining({ path: [], code: 'invalid_type' }))
  })

  test('takes its parameters from an object without a prototype', async () => {
    const bare: unknown = Object.assign(Object.create(null), params)
    expect(await sentBody(call, ...path, bare)).toEqual(await sentBody(call, ...path, params))
  })
})

const everyField = paramCases.flatMap(({ fields, ...rest }) => fields.map((facts) => ({ ...rest, ...facts })))

describe.each(everyField)('$field of $call', ({ call, path, params, field, kind, isOptional, isNullable }) => {
  const given = (value: unknown): unknown[] => [...path, { ...params, [field]: value }]
  const isSecret = SECRETS.split(' ').includes(field)

  test.each(STRANGERS[kind] ?? [])('is not %o', async (value) => {
    const { issues } = await refusal(call, ...given(value))
    expect(issues).toHaveLength(1)
    expect(issues[0]).toMatchObject({ path: [field], severity: 'error' })
    expect(issues[0]?.code).toMatch(kind === 'choice' ? /^invalid_(type|value)$/ : /^invalid_type$/)
    if (isSecret && ['number', 'boolean'].includes(typeof value)) expect(issues[0]?.actual).toBe('[redacted]')
  })

  test(isNullable ? 'may be null' : 'may not be null', async () => {
    if (isNullable) expect(await sentBody(call, ...given(null))).toHaveProperty(field, null)
    else expect((await problems(call, ...given(null)))[0]).toMatch(new RegExp(`^${field}: invalid_(type|value)`))
  })

  test(isOptional ? 'may be left out' : 'may not be left out', async () => {
    const { [field]: _, ...rest } = params
    if (isOptional) expect((await sentBody(call, ...path, rest)) ?? {}).not.toHaveProperty(field)
    else expect(await problems(call, ...path, rest)).toEqual([`${field}: required`])
  })

  test(isOptional ? 'is absent when undefined' : 'may not be undefined', async () => {
    if (isOptional) expect((await sentBody(call, ...given(undefined))) ?? {}).not.toHaveProperty(field)
    else expect(await problems(call, ...given(undefined))).toEqual([`${field}: required`])
  })
})
