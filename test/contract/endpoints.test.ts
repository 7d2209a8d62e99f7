import { createMockService } from 'rapport-sdk/mocks'
import { handlers } from 'rapport-sdk/mocks/msw'
import { describe, expect, test } from 'vitest'
import { routeOf } from '../../mocks/routes/index'
import { endpoints } from '../../src/contract/index'
import { isValid } from '../../src/contract/validate'
import { CONVENIENCES, clientMethod, ENDPOINT_TABLE, fieldNames, idleClient, resourceCalls } from './endpoint-table'

const rows = new Map(endpoints.map(({ call, endpoint }) => [endpoint.name, { call, endpoint, ...endpoint }]))

test('the API document has 55 endpoints', () => {
  expect(ENDPOINT_TABLE).toHaveLength(55)
  expect(new Set(ENDPOINT_TABLE.map(({ name }) => name)).size).toBe(55)
})

test('the contract has the endpoints of the API document and no others', () => {
  expect([...rows.keys()].sort()).toEqual(ENDPOINT_TABLE.map(({ name }) => name).sort())
  expect(endpoints).toHaveLength(55)
})

test('no two endpoints share a method and a path', () => {
  const requests = endpoints.map(
    ({ endpoint }) => `${endpoint.method} ${endpoint.path.replaceAll(/\{[^{}]+\}/g, '{}')}`,
  )
  expect(new Set(requests).size).toBe(55)
})

test('every method of a resource calls an endpoint or is a known convenience', () => {
  const calls = [...ENDPOINT_TABLE.map(({ call }) => call), ...CONVENIENCES]
  expect(resourceCalls(idleClient()).sort()).toEqual(calls.sort())
})

describe.each(ENDPOINT_TABLE)('$name', ({ name, method, path, call, params, response }) => {
  const row = rows.get(name)

  test(`has the method ${method} and the path ${path}`, () => {
    expect(row).toMatchObject({ method, path })
  })

  test(`it is called by ${call}`, () => {
    expect(row?.call).toBe(call)
    expect(clientMethod(idleClient(), call)).toBeTypeOf('function')
  })

  test('has the request fields of the API document', () => {
    const query = row?.query ?? []
    const fields = row?.params === undefined ? [] : fieldNames(row.params)
    expect(fields.map((field) => (query.includes(field.replace(/[?~]+$/, '')) ? `&${field}` : field)).sort()).toEqual(
      [...params].sort(),
    )
  })

  test('has the response fields of the API document', () => {
    const fields = row?.response === undefined ? [] : fieldNames(row.response)
    if (response[0] === '{}') expect(row?.response && isValid(row.response, { unknown_field: [1] })).toBe(true)
    else expect(fields.sort()).toEqual([...response].sort())
  })

  test('has a route in the mock service', () => {
    expect(row && routeOf(row.endpoint)).toBeTypeOf('function')
  })

  test('it is handled by msw', async () => {
    const [handler] = handlers(createMockService({ strict: false }))
    const url = `https://service.example${path.replaceAll(/\{[^{}]+\}/g, '1')}`
    expect(await handler?.test({ request: new Request(url, { method }) })).toBe(true)
  })
})
