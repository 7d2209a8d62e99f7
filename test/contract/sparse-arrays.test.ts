import { expect, it } from 'vitest'
import { gatewayEvents } from '../../src/contract/gateway-events'
import { contract } from '../../src/contract/index'
import type { Schema } from '../../src/contract/schema'
import { check, isValid } from '../../src/contract/validate'

const arrays: [string, Schema<unknown>, (items: unknown[]) => unknown, (string | number)[]][] = [
  ['a response', contract.relationships.list.response, (items) => items, [0]],
  [
    'a field of a response',
    contract['auth.sessions'].list.response,
    (items) => ({ user_sessions: items }),
    ['user_sessions', 0],
  ],
  [
    'a field of an event',
    gatewayEvents.ready.payload,
    (relationships) => ({ auth_session_id_hash: 'h', relationships }),
    ['relationships', 0],
  ],
]

it.each(arrays)('isValid() accepts an empty array as %s', (_, schema, within) => {
  expect(isValid(schema, within([]))).toBe(true)
})

it.each(arrays)(
  'isValid() rejects a sparse array as %s, which a custom gateway protocol may create',
  (_, schema, within, path) => {
    const value = within(new Array(1))
    expect(isValid(schema, value)).toBe(false)
    expect(check(schema, value)).toMatchObject([{ path, code: 'required' }])
  },
)
